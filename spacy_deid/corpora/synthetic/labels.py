"""Labels of any scheme for the mentions of a synthetic document.

Most schemes label a whole mention, and `label_schemes` says how. Some cut it: an e-mail
of paper 2 has given names by gender, family names, streets and house numbers apart;
most news corpora leave the title out of a name. The pieces of a synthetic document know
their parts, so that both come out right by construction.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from difflib import SequenceMatcher
from typing import NamedTuple

from ...data import facts
from ...label_schemes import LabelScheme, make_label_scheme
from .grammar import Part, Piece


class Cut(NamedTuple):
    """A stretch of a piece and its label."""

    start: int
    end: int
    label: str
    subtype: str


class View:
    """How a scheme reads a mention, beyond its table (`data/scheme_views.json`).

    scheme (str): Name of the scheme; one without an entry leaves titles out of names.
    """

    def __init__(self, scheme: str) -> None:
        view = facts("scheme_views").get(scheme, {"parts": {"TITLE": None}})
        self.parts: Mapping[str, str | None] = view.get("parts", {})
        self.rest: bool = view.get("rest", True)
        self.subtypes: Mapping[str, str | None] = view.get("subtypes", {})
        self.roles: Mapping[str, str] = view.get("roles", {})
        self.students: bool = view.get("students", False)


# What a part is among the package's subtypes.
PART_SUBTYPES = {
    "MALE": "GIVEN_NAME",
    "FEMALE": "GIVEN_NAME",
    "FAMILY_NAME": "FAMILY_NAME",
    "STREET": "ADDRESS",
    "HOUSE_NUMBER": "ADDRESS",
    "POSTCODE": "POSTCODE",
    "CITY": "CITY",
}
# Signs at the edge of a mention that a cut leaves behind; a full stop may belong to it.
_SIGNS = ' \n\t,;:-–/()"“”'


class Labeller:
    """Labels pieces in one scheme."""

    def __init__(self, scheme: str = "tab") -> None:
        self.scheme: LabelScheme = make_label_scheme(scheme)
        self.view = View(scheme)

    def __call__(self, piece: Piece) -> list[Cut]:
        """The mentions in a piece."""
        # The author or a fellow student (paper 5, section 3): names of instructors,
        # cited authors and anybody else are not labelled.
        if self.view.students and piece.role != "s" and piece.role[:1] != "c":
            return []
        whole = self._label(piece)
        parts = [p for p in located_parts(piece) if p.kind in self.view.parts]
        if not parts or piece.label not in ("PERSON", "LOC"):
            end = len(piece.text)
            return [] if whole is None else [Cut(0, end, whole, piece.subtype)]
        cuts = []
        for start, end, kind in self._stretches(piece, parts):
            label = self.view.parts[kind] if kind else whole if self.view.rest else None
            if label is None:
                continue
            subtype = PART_SUBTYPES.get(kind, piece.subtype)
            cuts += _trimmed(piece.text, Cut(start, end, label, subtype))
        return cuts

    def _label(self, piece: Piece) -> str | None:
        if piece.label == "PERSON":
            for start, label in self.view.roles.items():
                if piece.role.startswith(start):
                    return label
        key = f"{piece.label}/{piece.subtype}"
        if key in self.view.subtypes:
            return self.view.subtypes[key]
        return self.scheme.from_tab(piece.label, piece.subtype)

    def _stretches(
        self, piece: Piece, parts: list[Part]
    ) -> Iterator[tuple[int, int, str]]:
        """Offsets and kind of each part and of what stands between parts."""
        end = 0
        for part in parts:
            if part.start > end:
                yield end, part.start, ""
            yield part
            end = part.end
        if end < len(piece.text):
            yield end, len(piece.text), ""


def _trimmed(text: str, cut: Cut) -> list[Cut]:
    """A cut without signs at its edges; none if nothing is left."""
    inner = text[cut.start : cut.end]
    start = cut.end - len(inner.lstrip(_SIGNS + "."))
    core = text[start : cut.end].rstrip(_SIGNS)
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
    matcher = SequenceMatcher(None, before.casefold(), after.casefold(), False)
    if len(before.casefold()) != len(before) or len(after.casefold()) != len(after):
        # "ß" has two letters when folded; then only what looks the same is the same.
        matcher = SequenceMatcher(None, before, after, False)
    for _, start, end, new_start, new_end in matcher.get_opcodes():
        for i in range(start, end):
            where[i] = min(new_start + i - start, new_end)
        where[end] = new_end
    return where
