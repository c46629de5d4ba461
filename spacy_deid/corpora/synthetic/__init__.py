"""Synthetic documents of many kinds, labelled by construction.

Complete sets of personal data are woven into documents by a grammar of templates
(`templates/*/*.txt`), then roughened as real text is: lower case, ALL CAPS names,
typing errors, missing punctuation, hard line breaks. Paper 5 (section 3.2) does this
with a language model; a grammar needs none, is reproducible and knows every offset.
"""

from .calendar import in_words, ordinal
from .external import make_person_records
from .grammar import Piece, grammar, parse_template
from .labels import Labeller
from .names import ascii_fold, coin_name, cultures, places, romanize
from .records import LANGUAGES, assemble, generate, world_class
from .rough import Roughness, misspell, roughen
from .world import KINDS, NEGATIVE_KINDS, World

__all__ = [
    "KINDS",
    "LANGUAGES",
    "NEGATIVE_KINDS",
    "Labeller",
    "Piece",
    "Roughness",
    "World",
    "ascii_fold",
    "assemble",
    "coin_name",
    "cultures",
    "generate",
    "grammar",
    "in_words",
    "make_person_records",
    "misspell",
    "ordinal",
    "parse_template",
    "places",
    "romanize",
    "roughen",
    "world_class",
]
