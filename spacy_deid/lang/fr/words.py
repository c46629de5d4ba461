"""French, whose words and rules are in its tables."""

from __future__ import annotations

import re
from collections.abc import Mapping

from ..base import LanguagePack


def _forms(name: str) -> Mapping[str, str]:
    """A town, and what stands behind "au" and "aux" for its own article."""
    article, _, rest = name.partition(" ")
    return {"-": name, article: rest} if article in ("Le", "Les") else {"-": name}


def make_pack() -> LanguagePack:
    """The French pack."""
    return LanguagePack(
        "fr",
        "lang/fr",
        forms=_forms,
        keys=lambda word, before: (
            ("Le",) if re.search(r"\b(?:au|du)\s+$", before) else ("-",)
        ),
    )
