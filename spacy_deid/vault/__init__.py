"""The vault: what `spacy deid restore` needs, encrypted, in one file."""

from .entries import KnownDoc, make_entry, read_doc
from .finder import Edit, Surrogates
from .store import NewRow, Row, Vault, VaultError

__all__ = [
    "Edit",
    "KnownDoc",
    "NewRow",
    "Row",
    "Surrogates",
    "Vault",
    "VaultError",
    "make_entry",
    "read_doc",
]
