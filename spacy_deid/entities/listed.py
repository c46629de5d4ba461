"""Where a user's own terms stand in a document.

A detector that knows the lists notes in its own span group, by tokens, where allowed
phrases stand (attribute `allowed`) and where denied terms do (`denied`); all stages after
it read them there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from spacy.tokens import Doc, SpanGroup, Token

from ..patterns.user_lists import DENY_SOURCE
from ..schema import Candidate
from ..text.names import SUFFIXES, fold, title_gender
from ..text.offsets import joined, uncovered

Place = tuple[int, int]
DENIED = "on the deny list"


def note_lists(
    group: SpanGroup, allowed: Iterable[Place], denied: Iterable[Candidate]
) -> None:
    """Note where allowed phrases and denied terms stand; what is denied is not allowed."""
    refused = sorted({(c.start, c.end, c.label, c.id) for c in denied})
    free = [[*place] for place in sorted(set(allowed)) if not touches(place, refused)]
    if free:
        group.attrs["allowed"] = free
    if refused:
        group.attrs["denied"] = [list(row) for row in refused]


def allowed_in(doc: Doc) -> list[Place]:
    """Tokens of the allowed phrases, joined where they overlap."""
    return joined((start, end) for start, end in _noted(doc, "allowed"))


def denied_in(doc: Doc) -> list[Candidate]:
    """The denied terms."""
    return [
        Candidate(start, end, label, id_, source=DENY_SOURCE, reason=DENIED)
        for start, end, label, id_ in sorted(_noted(doc, "denied"))
    ]


def _noted(doc: Doc, name: str) -> set[tuple]:
    groups = doc.spans.values()
    return {tuple(row) for group in groups for row in group.attrs.get(name, ())}


def is_within(place: Sequence, places: Iterable[Place]) -> bool:
    """Whether one of some places has all of a span."""
    return any(a <= place[0] and place[1] <= b for a, b in places)


def touches(place: Sequence, others: Iterable[Sequence]) -> bool:
    """Whether a span overlaps any other."""
    return any(o[0] < place[1] and place[0] < o[1] for o in others)


def cut(doc: Doc, place: Sequence, allowed: Sequence[Place]) -> Iterator[Place]:
    """A span in parts, of which none is partly allowed; tokens that say nothing are left
    out of what is left."""
    if is_within(place, allowed) or not touches(place, allowed):
        yield place[0], place[1]
        return
    for start, end in allowed:
        if start < place[1] and place[0] < end:
            yield max(start, place[0]), min(end, place[1])
    for start, end in uncovered(place[0], place[1], allowed):
        if said := [i for i in range(start, end) if _says_anything(doc[i])]:
            yield said[0], said[-1] + 1


def _says_anything(token: Token) -> bool:
    """Whether a word is more than a function word, a title or "Jr"."""
    text = token.text
    if token.is_stop or not any(map(str.isalnum, text)):
        return False
    return title_gender(text) is None and fold(text).strip(".") not in SUFFIXES
