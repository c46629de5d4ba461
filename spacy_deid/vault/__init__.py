"""The vault: what `spacy deid restore` needs, encrypted, in one file."""

from .entries import Edit, Entry, KnownDoc, make_entry, read_doc
from .finder import Surrogates, apply_edits
from .store import Row, Vault, VaultError

__all__ = [
    "Edit",
    "Entry",
    "KnownDoc",
    "Row",
    "Surrogates",
    "Vault",
    "VaultError",
    "apply_edits",
    "make_entry",
    "read_doc",
]
