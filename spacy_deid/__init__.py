"""Find, judge and replace personal information in text, as spaCy components."""

from typing import TYPE_CHECKING, Any

from . import registries  # noqa: F401
from .about import __version__
from .embedded import load_pipeline as load
from .extensions import install_extensions

if TYPE_CHECKING:
    from .tables import deidentify

__all__ = ["__version__", "deidentify", "install_extensions", "load"]


def __getattr__(name: str) -> Any:
    """Tables are loaded when they are asked for: they need the stages."""
    if name != "deidentify":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from .tables import deidentify

    return deidentify
