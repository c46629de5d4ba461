"""Term lists and compiled gazetteers: what finds their terms, readers, seed lists."""

from ..text.words import Words, normalize_term
from .compiled import Compiler, Entry, Gazetteer, GazetteerError
from .names import Names, load_names
from .readers import SeedTerms, make_seed_terms, make_term_file, read_terms
from .terms import Term, TermStore

__all__ = [
    "Compiler",
    "Entry",
    "Gazetteer",
    "GazetteerError",
    "Names",
    "SeedTerms",
    "Term",
    "TermStore",
    "Words",
    "load_names",
    "make_seed_terms",
    "make_term_file",
    "normalize_term",
    "read_terms",
]
