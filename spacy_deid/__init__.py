"""Find, judge and replace personal information in text, as spaCy components."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import registries  # noqa: F401
from .about import __version__

if TYPE_CHECKING:
    from spacy.language import Language

__all__ = ["__version__", "install_extensions", "load"]


def load(name: str = "en_deid_sm", **kwargs) -> Language:
    """Load a pipeline: the embedded English one, an installed package or a path.

    name (str): `en_deid_sm` for the embedded pipeline, else what `spacy.load`
        takes.
    **kwargs: Arguments of `spacy.load` (`exclude`, `disable`, `config` ...).
    RETURNS (Language): The loaded pipeline.
    RAISES (OSError): If there is no such pipeline.
    """
    from .embedded import load_pipeline

    return load_pipeline(name, **kwargs)


def install_extensions() -> None:
    """Register the Doc and Span extension attributes; safe to call again."""
    from .extensions import install_extensions as install

    install()
