"""`spacy deid key`: a secret key for surrogates and vaults."""

from __future__ import annotations

import secrets

from ._options import command


@command
def key_cli() -> None:
    """Print a new secret key of 256 random bits, to be kept where secrets are kept.

    Who has it can find out which surrogates stand for a name they guess.
    """
    print(secrets.token_urlsafe(32))
