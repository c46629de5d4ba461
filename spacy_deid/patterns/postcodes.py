"""Post codes that stand alone."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from ..registries import registry
from .address_tables import POST_CODES, POSTCODE_WORDS, STATES
from .base import (
    Hit,
    PatternRecognizer,
    Recognizer,
    before,
    drop_covered,
    has_digits,
    hit,
    word_trie,
)

_CONTEXT_WORDS = [w.strip() for w in POSTCODE_WORDS.replace("\n", " ").split(";")]
_CONTEXT = re.compile(
    rf"(?<!\w)(?:{'|'.join(re.escape(w).replace(' ', '[ -]?') for w in sorted(_CONTEXT_WORDS, key=len, reverse=True))})"
    r"(?:\s?/\s?zip)?(?:\s(?:is|was|of|are|number|no\.?|code))*\s{0,2}(?:[:#=|-]\s{0,3})?(?:[A-Za-z]{1,2}-)?[\"'(]?\Z"
)
# Words that only name post codes when written in capitals or with a colon.
_GENERIC = re.compile(
    r"[0-9](?<![\w.,/-][0-9])(?:[0-9]{4,7}(?:-[0-9]{3,4})?|[0-9]{1,4}-[0-9]{3,4}|[0-9]{2,3}"
    r"(?: [0-9]{2,3})?|[0-9]{3} ?[A-Z]{2})(?![\w]|[.,/-][0-9])"
)
_STATE_ZIP = "{states},?\\s{{1,2}}(?P<v>[0-9]{{5}}(?:-[0-9]{{4}})?)(?![\\w-])"
_AU_STATE = re.compile(
    r"(?:NSW|VIC|QLD|TAS|ACT|WA|SA|NT)(?<!\w\w\w\w),?\s(?P<v>[0-9]{4})(?![\w.,-]*[0-9])"
)
# "D-10115 Berlin", "CH-8001 Zürich".
_COUNTRY_CODE = re.compile(
    r"[A-Z](?<!\w.)[A-Z]?-(?P<v>[0-9]{4,5}(?:\s[A-Z]{2}(?=[\s']))?)\s?['A-Z\u00c0-\u00de]"
)


def make_postcode_finder(
    countries: tuple[str, ...] | None,
) -> Callable[[str], Iterable[Hit]]:
    """A finder of post codes in normalised texts.

    countries (Optional[tuple[str, ...]]): ISO codes of the countries to look for.
    RETURNS (Callable): Function of a text that yields hits.
    """

    def wanted(codes: str) -> bool:
        return countries is None or not set(countries).isdisjoint(codes.split())

    forms = [
        (
            re.compile(rf"(?<![\w-]){code.form}(?![\w-])"),
            code.says,
            code.alone,
        )
        for code in POST_CODES
        if code.alone and wanted(code.countries)
    ]
    letters = [f for f in forms if f[1] != "Brazilian post code"]
    state_zip = None
    if wanted("US"):
        states = word_trie(*STATES["US"], ignore_case=False)
        state_zip = re.compile(_STATE_ZIP.format(states=states))

    def find(text: str) -> Iterator[Hit]:
        # One pass for everything that mixes capitals and digits.
        for m in _MIXED.finditer(text):
            for pattern, says, alone in letters:
                v = pattern.match(text, m.start())
                if v is not None:
                    named = _CONTEXT.search(before(text, v.start(), 30))
                    spaced = " " in v[0]
                    score = 0.95 if named else alone if spaced else alone - 0.2
                    if says == "Dutch post code" and not named:
                        score = 0.6 if _TOWN_AFTER.match(text, v.end()) else 0.0
                    if score >= 0.5:
                        reason = f"form of a {says}" + (
                            "; after a word for it" if named else ""
                        )
                        yield hit(
                            v.start(), v.end(), "LOC", "POSTCODE", score, reason=reason
                        )
                    break
        if state_zip is not None:
            for m in state_zip.finditer(text):
                yield hit(
                    *m.span("v"),
                    "LOC",
                    "POSTCODE",
                    0.85,
                    reason="five digits after a state",
                )
        if wanted("AU"):
            for m in _AU_STATE.finditer(text):
                yield hit(
                    *m.span("v"),
                    "LOC",
                    "POSTCODE",
                    0.8,
                    reason="four digits after a state of Australia",
                )
        for m in _COUNTRY_CODE.finditer(text):
            yield hit(
                *m.span("v"),
                "LOC",
                "POSTCODE",
                0.8,
                reason="letters of a country and digits before a town",
            )
        for m in _GENERIC.finditer(text):
            if _CONTEXT.search(before(text, m.start(), 30)):
                yield hit(
                    m.start(),
                    m.end(),
                    "LOC",
                    "POSTCODE",
                    0.85,
                    reason="digits after a word for post codes",
                )

    return find


_MIXED = re.compile(
    r"[A-Z](?<![\w-][A-Z])[A-Z]?[0-9][0-9A-Z]?[A-Z]?[ -]?[0-9][0-9A-Z]{2,4}(?![\w-])"
    r"|[A-Z](?<![\w-][A-Z])[0-9W][0-9W] [0-9A-Z]{4}(?!\w)"
    r"|[1-9](?<![\w.,-][1-9])[0-9]{3} ?[A-Z]{2}(?![\w-])"
)
_TOWN_AFTER = re.compile(r",? [A-Z][a-z]")


@registry.deid_patterns("spacy_deid.postcode_patterns.v1")
def make_postcode_patterns(countries: Sequence[str] | None = None) -> Recognizer:
    """Post codes alone: of a form that few other things have, or after a word for them.

    countries (Optional[Sequence[str]]): ISO codes of the countries to look for; all by
        default.
    RETURNS (Recognizer): Function of a text that yields hits without overlaps.
    """
    finder = make_postcode_finder(tuple(countries) if countries is not None else None)

    def find(text: str) -> list[Hit]:
        return drop_covered(list(finder(text))) if has_digits(text) else []

    return PatternRecognizer(find)
