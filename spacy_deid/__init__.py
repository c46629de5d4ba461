"""Find, judge and replace personal information in text, as spaCy components."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from . import registries  # noqa: F401
from .about import __version__
from .embedded import load_pipeline as load
from .extensions import install_extensions

if TYPE_CHECKING:
    from .patterns.own import pattern
    from .tables import deidentify

__all__ = ["__version__", "deidentify", "install_extensions", "load", "pattern"]
_LATER = {"deidentify": ".tables", "pattern": ".patterns.own"}


def __getattr__(name: str) -> Any:
    """What needs more is loaded when it is asked for."""
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_LATER[name], __name__), name)
