"""What addresses on the net look like, with what stands around them."""

from ..tables import Patterns

P = Patterns("contact")
