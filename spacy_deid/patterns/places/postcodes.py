"""Post codes that stand alone."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ...registries import registry
from ...text.address_words import POST_CODES, POSTCODE_WORDS, STATES
from ...text.words import before
from ..base import (
    Hit,
    PatternRecognizer,
    Recognizer,
    Text,
    hit,
    remembered,
)

_CONTEXT_WORDS = POSTCODE_WORDS
_CONTEXT = re.compile(
    rf"(?<!\w)(?:{'|'.join(re.escape(w).replace(chr(92) + ' ', '[ -]?') for w in sorted(_CONTEXT_WORDS, key=len, reverse=True))})"
    r"(?:\s?/\s?zip)?(?:\s(?:is|was|of|are|number|no\.?|code))*\s{0,2}(?:[:#=|-]\s{0,3})?(?:[A-Za-z]{1,2}-)?[\"'(]?\Z"
)
# Capitals and digits in one word or two.
_MIXED = re.compile(
    r"[A-Z](?<![\w-][A-Z])[A-Z]?[0-9](?:[0-9A-Z]{0,2}[ -]?[0-9][0-9A-Z]{2,4}|[0-9W] [0-9A-Z]{4})(?![\w-])"
)
# Numbers that may be codes after a word for them, after a state or before a town.
_DIGITS = re.compile(
    r"[0-9](?<![\w.,/][0-9])(?<![0-9]-[0-9])(?:[0-9]{3} ?(?:[A-Z]{2}|[a-z]{2})\b|[0-9]{4,7}(?:-[0-9]{3,4})?|[0-9]{1,4}-[0-9]{3,4}|[0-9]{2,3}(?: [0-9]{2,3})?)"
    r"(?![\w]|[.,/-][0-9])"
)
_NOT_DUTCH = re.compile(
    r"(?:1[5-9]|20)|.*(?:[a-z]|BC|AD|BP|CE|AM|PM|KM|KG|MM|CM|UN|EU|TV|US|UK|GB|MB|HP|CC|SA|SD|SS)\Z"
)
_YEAR = re.compile(r"(?:1[5-9]|20)[0-9]{2}\Z")
_TOWN_AFTER = re.compile(r",? [A-Z][a-z]")
_STATE_BEFORE = re.compile(r"(?<![\w.-])([A-Z][A-Za-z. ]{1,18}),? {1,2}\Z")
# "NSW 2000" is no year.
_SHORT_STATE = re.compile(r"(?<!\w)[A-Z]{2,3} {1,2}\Z")
_SHIPPING = re.compile(
    r"\b(?:(?:ship|shipping|shipped|deliver|delivery|delivered|send|post|postage) to"
    r"|(?:i'm|i am|live|lives|lived|living|moved|area) (?:in|to|code))\s\Z"
)
_TOWN_BEFORE = re.compile(r"(?<![\w.])[A-Z][^\W\d_]{2,}, \Z")
_END = re.compile(r"[ \t]*(?:\.?[ \t]*(?:\n|\Z)|,? (?:USA|UK)\b)")
_COUNTRY_LETTERS = re.compile(r"(?<![\w-])[A-Z]{1,2}-\Z")
_NAME_AFTER = re.compile(r" ?['A-Z\u00c0-\u00de]")


class PostCodeFinder:
    """Finds post codes in normalised texts.

    countries (Optional[tuple[str, ...]]): ISO codes of the countries to look for; all
        by default.
    """

    def __init__(self, countries: tuple[str, ...] | None) -> None:
        def wanted(codes: str) -> bool:
            return countries is None or not set(countries).isdisjoint(codes.split())

        self.forms = [
            (re.compile(rf"{code.form}(?![\w-])"), code)
            for code in POST_CODES
            if code.alone and wanted(code.countries) and not code.form[1].isdigit()
        ]
        self.states = {
            name: (4 if code == "AU" else 5)
            for code in ("US", "AU")
            if wanted(code)
            for block in STATES[code]
            for name in block
        }
        self.dutch = wanted("NL")

    def __call__(self, text: Text) -> Iterator[Hit]:
        """Find post codes.

        text (Text): A normalised text.
        YIELDS (Hit): Hits, which may overlap.
        """
        if text.digits < 2:
            return
        for m in _MIXED.finditer(text):
            yield from self.mixed(text, m.start())
        for m in _DIGITS.finditer(text) if text.numbers else ():
            score, reason = self.digits(text, m)
            if score:
                yield hit(m.start(), m.end(), "LOC", "POSTCODE", score, reason=reason)

    def mixed(self, text: str, start: int) -> Iterator[Hit]:
        """A code of letters and digits at an offset."""
        for pattern, code in self.forms:
            m = pattern.match(text, start)
            if m is None:
                continue
            named = _CONTEXT.search(before(text, start, 30)) is not None
            score = 0.95 if named else code.alone - (0.0 if " " in m[0] else 0.2)
            if score >= 0.5:
                reason = f"form of a {code.says}"
                reason += "; after a word for it" if named else ""
                yield hit(start, m.end(), "LOC", "POSTCODE", score, reason=reason)
            return

    def digits(self, text: str, m: re.Match[str]) -> tuple[float, str]:
        """Score of a number, 0 if it may be anything, and why."""
        start, end = m.span()
        previous = text[start - 1 : start]
        if previous == "-":
            # "D-10115 Berlin".
            lettered = _COUNTRY_LETTERS.search(text, max(0, start - 4), start)
            if 3 < end - start < 8 and lettered and _NAME_AFTER.match(text, end):
                return 0.8, "letters of a country and digits before a town"
            return 0.0, ""
        if m[0][-1].isalpha():
            if (
                self.dutch
                and not _NOT_DUTCH.match(m[0])
                and _TOWN_AFTER.match(text, end)
            ):
                return 0.6, "form of a Dutch post code before a town"
        elif previous == " " and end - start in (4, 5, 10):
            state = _STATE_BEFORE.search(text, max(0, start - 24), start)
            short = state is not None and _SHORT_STATE.search(state[0]) is not None
            year = _YEAR.match(m[0]) is not None and not short
            if state and not year and self.state(state[1]) == min(end - start, 5):
                return 0.85, "digits after a state"
        code = (
            end - start in (5, 10) or "-" in m[0] or (" " in m[0] and end - start == 6)
        )
        if code or (end - start == 4 and not _YEAR.match(m[0])):
            if _shipped(text[max(0, start - 30) : start]):
                return 0.6, "form of a post code after words for places"
            if (
                code
                and _END.match(text, end)
                and _TOWN_BEFORE.search(text, max(0, start - 30), start)
            ):
                return 0.55, "form of a post code after a name, at the end of a line"
        if (
            previous
            and previous in " :#=\"'(|-"
            and _named(text[max(0, start - 30) : start])
        ):
            return 0.85, "digits after a word for post codes"
        return 0.0, ""

    def state(self, words: str) -> int:
        """Digits of the post codes of the state that ends some words, 0 if none does."""
        while words:
            if words in self.states:
                return self.states[words]
            words = words.partition(" ")[2]
        return 0


# Tables and logs repeat themselves.
@remembered
def _shipped(left: str) -> bool:
    """Whether some text ends with words for where things are sent or people live."""
    return _SHIPPING.search(before(left, len(left), 30)) is not None


@remembered
def _named(left: str) -> bool:
    """Whether some text ends with a word for post codes."""
    return _CONTEXT.search(before(left, len(left), 30)) is not None


@registry.deid_patterns("spacy_deid.postcode_patterns.v1")
def make_postcode_patterns(countries: Sequence[str] | None = None) -> Recognizer:
    """Post codes alone: of a form that few other things have, or after a word for them.

    countries (Optional[Sequence[str]]): ISO codes of the countries to look for; all by
        default.
    RETURNS (Recognizer): Function of a text that yields hits without overlaps.
    """
    finder = PostCodeFinder(tuple(countries) if countries is not None else None)
    return PatternRecognizer(finder, digits=True)
