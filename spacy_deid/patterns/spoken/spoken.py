"""The family of what is said: numbers, spelled names, addresses."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...registries import registry
from ...text.spoken import LANGUAGES, speech
from ..base import Hit, PatternRecognizer, Recognizer, Text
from .addresses import NetNames, Streets
from .groups import Groups
from .letters import find_spelled
from .slots import find_said, slots

# How much after an opening is read in any case.
_AHEAD = 320


class SpokenFinder:
    """Finds what is said in the text of one language.

    lang (str): Code of the language.
    """

    def __init__(self, lang: str) -> None:
        said = speech(lang)
        self._groups = Groups(said)
        # Before any text is searched, or the first one would lack its words.
        self._slots = slots()
        self._names = NetNames(said)
        self._streets = Streets(said)

    def __call__(self, text: Text) -> Iterator[Hit]:
        """Hits of a text, which may overlap.

        text (Text): Normalised text.
        """
        opened = self._slots.openings(text)
        ahead = [
            (o.start, o.end + _AHEAD) for o in opened if o.slot.takes or not o.slot.most
        ]
        groups = self._groups(text, ahead, [(o.start, o.end) for o in opened])
        yield from find_said(text, groups, opened)
        yield from find_spelled(text, groups)
        yield from self._names(text, opened)
        yield from self._streets(text)


@registry.deid_patterns("spacy_deid.spoken_patterns.v1")
def make_spoken_patterns(languages: Sequence[str] = ("en",)) -> Recognizer:
    """Identifiers as people say them: in words, letter by letter, piece by piece.

    languages (Sequence[str]): Languages whose numbers and letters are read.
    RETURNS (Recognizer): Function of a text that yields hits without overlaps.
    RAISES (ValueError): If a language is unknown.
    """
    if unknown := sorted(set(languages) - set(LANGUAGES)):
        raise ValueError(
            f"unknown language {', '.join(unknown)}; known are {', '.join(LANGUAGES)}"
        )
    return PatternRecognizer(*map(SpokenFinder, languages))
