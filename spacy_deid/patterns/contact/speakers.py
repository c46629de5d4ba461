"""Who speaks in a chat or a transcript, where the name is a word as well: "WILL: There'll
do"."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from functools import cache

from ...gazetteers.lexicon import FAMILY, class_of, is_vocabulary, occupations
from ...gazetteers.names import is_given_name
from ...text.fields import kinds_of_fields
from ...text.names import EVERYDAY, GRAMMAR, NOBODY, OFFICES, RELATIVES, TITLES
from ..base import Hit, Text, hit
from ..tables import word_set
from .forms import P

# Turns of a conversation, speakers and turns of each, at least.
_TURNS, _SPEAKERS, _OFTEN = 4, 2, 2
# Characters of a turn that are looked at, and the share of turns that are talk.
_SAID, _TALK = 80, 0.3
# Of a name; shorter ones are abbreviations.
_LETTERS = 3


def speakers(text: Text) -> Iterator[Hit]:
    """Names of those who speak in turn."""
    for form in (P.speaker, P.speaker_stamped):
        turns = [*form.finditer(text)]
        counts = Counter(m["name"].lower() for m in turns)
        often = [n for n in counts.values() if n >= _OFTEN]
        if len(often) < _SPEAKERS or sum(often) < _TURNS or not _is_talk(text, turns):
            continue
        for m in turns:
            if _is_name(m["word"].lower()):
                yield _hit(*m.span("name"))


def _hit(start: int, end: int) -> Hit:
    reason = "who speaks in a conversation"
    return hit(start, end, "PERSON", "FULL_NAME", 0.9, "named_field", reason=reason)


def _is_talk(text: str, turns: list[re.Match[str]]) -> bool:
    """Whether most lines go on as people talk, not as the values of a form do."""
    said = [text[m.end() : m.end() + _SAID].partition("\n")[0] for m in turns]
    talk = [not GRAMMAR.isdisjoint(line.lower().split()) for line in said]
    return sum(talk) >= _TALK * len(talk)


@cache
def _roles() -> frozenset[str]:
    """What speakers are called that is no name."""
    _, owners = kinds_of_fields()
    named = OFFICES | RELATIVES | NOBODY | TITLES.keys() | occupations().keys()
    return word_set("role") | named | owners


def _is_name(word: str) -> bool:
    """Whether a word is a given name, or a surname that is hardly another word."""
    if word in _roles() or len(word) < _LETTERS:
        return False
    surname = class_of(word, "en") & FAMILY and not is_vocabulary(word)
    return bool(surname) or word in EVERYDAY or is_given_name(word)
