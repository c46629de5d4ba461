"""Labels of any scheme for the mentions of a synthetic document.

Most schemes label a whole mention, and `label_schemes` says how. Some cut it: an e-mail
of paper 2 has given names by gender, family names, streets and house numbers apart;
most news corpora leave the title out of a name. The pieces of a synthetic document know
their parts, so that both come out right by construction.
"""

from __future__ import annotations

from difflib import SequenceMatcher
from typing import Any, NamedTuple

from ...data import facts
from ...label_schemes import make_label_scheme
from ...text.offsets import uncovered
from .grammar import PART_SUBTYPES, Part, Piece


class Cut(NamedTuple):
    """A stretch of a piece and its label."""

    start: int
    end: int
    label: str
    subtype: str


# Signs at the edge of a part that a cut leaves behind; a full stop may belong to it.
_SIGNS = ' \n\t,;:-–/()"“”'


class Labeller:
    """Labels pieces in one scheme, read as its view (`data/scheme_views.json`) says
    beyond its table; a scheme without a view leaves titles out of names."""

    def __init__(self, scheme: str = "tab") -> None:
        self.scheme = make_label_scheme(scheme)
        view = facts("scheme_views").get(scheme, {"parts": {"TITLE": None}})
        self.view: dict[str, Any] = view
        # Kind of part -> label, None for none.
        self.parts: dict[str, str | None] = view.get("parts", {})

    def __call__(self, piece: Piece) -> list[Cut]:
        """The mentions in a piece; damage may leave nothing, or only signs, of one."""
        # The author or a fellow student (paper 5, section 3): names of instructors,
        # cited authors and anybody else are not labelled.
        if self.view.get("students") and piece.role != "s" and piece.role[:1] != "c":
            return []
        whole = self._label(piece)
        parts = [p for p in located_parts(piece) if p.kind in self.parts]
        if not parts or piece.label not in ("PERSON", "LOC"):
            cut = Cut(0, len(piece.text), whole or "", piece.subtype)
            return [] if whole is None else _trimmed(piece.text, cut, " \n\t", "")
        cuts = []
        places = [part[:2] for part in parts]
        between = (Part(*gap, "") for gap in uncovered(0, len(piece.text), places))
        for start, end, kind in sorted([*parts, *between]):
            label = whole if self.view.get("rest", True) else None
            if kind:
                label = self.parts[kind]
            if label is not None:
                cut = Cut(start, end, label, PART_SUBTYPES.get(kind, piece.subtype))
                cuts += _trimmed(piece.text, cut, _SIGNS, ".")
        return cuts

    def _label(self, piece: Piece) -> str | None:
        if piece.label == "PERSON":
            for start, label in self.view.get("roles", {}).items():
                if piece.role.startswith(start):
                    return label
        key, subtypes = f"{piece.label}/{piece.subtype}", self.view.get("subtypes", {})
        if key in subtypes:
            return subtypes[key]
        return self.scheme.from_tab(piece.label, piece.subtype)


def _trimmed(text: str, cut: Cut, signs: str, first: str) -> list[Cut]:
    """A cut without signs at its edges, at its beginning some more; none if nothing is
    left."""
    start = cut.end - len(text[cut.start : cut.end].lstrip(signs + first))
    core = text[start : cut.end].rstrip(signs)
    if not any(char.isalnum() for char in core):
        return []
    return [cut._replace(start=start, end=start + len(core))]


def located_parts(piece: Piece) -> list[Part]:
    """Where the parts of a piece are after damage to its text."""
    if len(piece.text) == len(piece.source):
        return list(piece.parts)
    where = _offsets(piece.source, piece.text)
    moved = (Part(where[p.start], where[p.end], p.kind) for p in piece.parts)
    return [part for part in moved if part.start < part.end]


def _offsets(before: str, after: str) -> list[int]:
    """Offset in a damaged text for each offset in the text as it was."""
    where = [len(after)] * (len(before) + 1)
    folded = before.casefold(), after.casefold()
    if len(folded[0]) != len(before) or len(folded[1]) != len(after):
        # "ß" has two letters when folded; then only what looks the same is the same.
        folded = before, after
    matcher = SequenceMatcher(None, *folded, False)
    for _, start, end, new_start, new_end in matcher.get_opcodes():
        for i in range(start, end):
            where[i] = min(new_start + i - start, new_end)
        where[end] = new_end
    return where
