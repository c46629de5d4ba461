"""Find, judge and replace personal information in text, as spaCy components."""

from . import registries  # noqa: F401
from .about import __version__
from .embedded import load_pipeline as load
from .extensions import install_extensions
from .tables import deidentify

__all__ = ["__version__", "deidentify", "install_extensions", "load"]
