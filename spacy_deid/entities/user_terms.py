"""A user's own terms as a component finds them in a document."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping

from spacy.tokens import Doc

from ..patterns.base import normalize
from ..patterns.user_lists import AllowList, DenyList, Entries, read_entries
from ..schema import Candidate, text_of
from ..settings import Setting
from ..text.offsets import trimmed
from .listed import DENIED, DENY_SOURCE, Place

# Start and end, in characters, label, id, score, source, reason.
Found = tuple[int, int, str, str, float, str, str]
# What may stand behind an allowed phrase in its last token.
_ENDING = re.compile(r"(?:['’][^\W\d_]?)?\W*", re.IGNORECASE)


class TakesLists:
    """A component that is told what is always masked, and what never."""

    # Phrases that are never masked, and terms that always are. Set them to a list or the
    # path of a file.
    allow = Setting(AllowList, "_lists")
    deny = Setting(DenyList, "_lists")

    def set_lists(self, allow: Entries, deny: Entries) -> None:
        """Set the lists that the config gives."""
        self._lists: dict[str, AllowList | DenyList] = {}
        self.allow = allow
        self.deny = deny
        self._configured = self._entries()

    @property
    def deny_list(self) -> DenyList | None:
        """The terms of `deny`, which no surrogate may hold; None if there are none."""
        return self.deny or None

    def add_to_lists(self, *, allow: Entries = (), deny: Entries = ()) -> None:
        """Allow and deny more than there is.

        allow (Union[str, Path, Iterable]): Phrases that are never masked, or a file.
        deny (Union[str, Path, Iterable]): Terms that are always masked, or a file.
        RAISES (ValueError): If an entry is no term or a file can't be read.
        """
        self.allow = [*self.allow.entries, *read_entries(allow)]
        self.deny = [*self.deny.entries, *read_entries(deny)]

    def _entries(self) -> dict[str, list]:
        return {name: made.entries for name, made in self._lists.items()}

    def changed_lists(self) -> dict[str, list]:
        """What is saved: the lists that the config does not give already."""
        known = self._configured
        return {k: rows for k, rows in self._entries().items() if rows != known[k]}

    def load_lists(self, lists: Mapping[str, list]) -> None:
        """Take over saved lists."""
        for name, entries in lists.items():
            setattr(self, name, entries)

    def denied(self, doc: Doc) -> list[Candidate]:
        """The denied terms of a document."""
        if not self.deny:
            return []
        text = text_of(doc)
        normal = normalize(text)
        rows = (
            (*normal.original(*row[:2]), *row[2:], 1.0, DENY_SOURCE, DENIED)
            for row in self.deny.find(normal.text)
        )
        return align(doc, text, rows)

    def allowed(self, doc: Doc) -> list[Place]:
        """Tokens of the allowed phrases, where nothing but an ending is beside one in its
        tokens."""
        if not self.allow:
            return []
        text = text_of(doc)
        places = [*self.allow.places(text)]
        rows = [(*place, "", str(i), 0.0, "", "") for i, place in enumerate(places)]
        out = []
        for c in align(doc, text, rows):
            (start, end), span = places[int(c.id)], doc[c.start : c.end]
            before, behind = text[span.start_char : start], text[end : span.end_char]
            if not any(map(str.isalnum, before)) and _ENDING.fullmatch(behind):
                out.append((c.start, c.end))
        return out


def align(doc: Doc, text: str, found: Iterable[Found]) -> list[Candidate]:
    """Candidates for character offsets; a token that is hit in part counts whole."""
    offsets = doc.to_array("IDX").tolist()
    out = set()
    for start, end, label, id_, score, source, reason in found:
        start, end = trimmed(text, start, end)
        if start == end:
            continue
        first = bisect_right(offsets, start) - 1
        last = bisect_left(offsets, end)
        if source.startswith("term:") and last - first == 1:
            token = doc[first]
            # "polish@example.org" is no Pole, the field "president_name" no president.
            field = label == "DEM" and "_" in token.text
            other = field or token.like_email or token.like_url
            if len(token) > end - start and other:
                continue
        out.add(Candidate(first, last, label, id_, score, source, reason))
    return sorted(out)
