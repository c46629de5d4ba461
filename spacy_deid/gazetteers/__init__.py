"""Term lists: the store that finds their terms, readers, seed lists, names."""

from .names import Names, load_names
from .readers import SeedTerms, make_seed_terms, make_term_file, read_terms
from .terms import Term, TermStore, normalize_term

__all__ = [
    "Names",
    "SeedTerms",
    "Term",
    "TermStore",
    "load_names",
    "make_seed_terms",
    "make_term_file",
    "normalize_term",
    "read_terms",
]
