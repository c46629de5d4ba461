"""The vault: what `spacy deid restore` needs, encrypted, in one file."""

from .entries import KnownDoc, make_entry, read_doc
from .finder import Edit, Surrogates, apply_edits
from .store import NewRow, Row, Vault, VaultError

__all__ = [
    "Edit",
    "KnownDoc",
    "NewRow",
    "Row",
    "Surrogates",
    "Vault",
    "VaultError",
    "apply_edits",
    "make_entry",
    "read_doc",
]
