"""What a service takes from its clients."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Limits:
    """Limits of a service.

    max_chars (int): Characters of a document.
    max_documents (int): Documents of a request.
    max_bytes (int): Bytes of a request.
    max_waiting (int): Documents that may wait.
    timeout (float): Seconds a request may take.
    """

    max_chars: int = 300_000
    max_documents: int = 1000
    max_bytes: int = 10_000_000
    max_waiting: int = 4000
    timeout: float = 60.0
