"""Languages of the synthetic corpus, each a world with its own templates."""

from __future__ import annotations

from functools import cache
from importlib import import_module

from .world import World

# Code -> class, imported when asked for. Its `folder` below `templates` has one file a
# kind, `common.txt` and `places.txt`; its `kinds` are the kinds with their shares.
LANGUAGES: dict[str, str] = {
    "en": "spacy_deid.corpora.synthetic.world:World",
    "de": "spacy_deid.corpora.synthetic.german:GermanWorld",
}


@cache
def world_class(lang: str) -> type[World]:
    """The world of a language."""
    if lang not in LANGUAGES:
        raise ValueError(
            f"unknown language '{lang}'; known are: {', '.join(sorted(LANGUAGES))}"
        )
    module, _, name = LANGUAGES[lang].partition(":")
    return getattr(import_module(module), name)
