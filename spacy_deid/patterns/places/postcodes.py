"""Post codes that stand alone."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import chain

from ...registries import registry
from ...text.address_parts import PO_BOX, UPPER
from ...text.address_words import POST_CODES, POSTCODE_WORDS, STATES, is_of
from ...text.calendars import MONTH_PATTERN
from ...text.words import before
from ..base import Hit, PatternRecognizer, Recognizer, Text
from ..tables import Patterns

_CODE_WORDS = map(re.escape, sorted(POSTCODE_WORDS, key=len, reverse=True))
_PARTS = {
    "code_words": "|".join(_CODE_WORDS).replace("\\ ", "[ -]?"),
    "months": MONTH_PATTERN,
    "po_box": PO_BOX,
    "upper": UPPER,
}
P = Patterns("places", "LOC", _PARTS)


class PostCodeFinder:
    """Finds post codes in normalised texts.

    countries (Optional[tuple[str, ...]]): ISO codes of the countries to look for; all
        by default.
    """

    def __init__(self, countries: tuple[str, ...] | None) -> None:
        wanted = partial(is_of, countries)
        self.forms = [
            (re.compile(rf"{code.form}(?![\w-])"), code)
            for code in POST_CODES
            if code.alone and wanted(code.countries) and not code.form[1].isdigit()
        ]
        sizes = {code: n for code, n in (("US", 5), ("AU", 4)) if wanted(code)}
        self.states = {
            name: n for code, n in sizes.items() for name in chain(*STATES[code])
        }
        self.dutch = wanted("NL")

    def __call__(self, text: Text) -> Iterator[Hit]:
        """Find post codes.

        text (Text): A normalised text.
        YIELDS (Hit): Hits, which may overlap.
        """
        if text.digits < 2:
            return
        for m in P.code_mixed.finditer(text):
            yield from self.mixed(text, m.start())
        for m in P.code_digits.finditer(text) if text.numbers else ():
            score, reason = self.digits(text, m)
            if score:
                yield P.found(m, "POSTCODE", score, reason)

    def mixed(self, text: str, start: int) -> Iterator[Hit]:
        """A code of letters and digits at an offset."""
        for pattern, code in self.forms:
            if (m := pattern.match(text, start)) is None:
                continue
            named = P.code_context.search(before(text, start, 30)) is not None
            score = 0.95 if named else code.alone - (0.0 if " " in m[0] else 0.2)
            if score >= 0.5:
                reason = f"form of a {code.says}"
                reason += "; after a word for it" if named else ""
                yield P.hit(start, m.end(), "POSTCODE", score, reason)
            return

    def digits(self, text: str, m: re.Match[str]) -> tuple[float, str]:
        """Score of a number, 0 if it may be anything, and why."""
        (start, end), size = m.span(), len(m[0])
        previous = text[start - 1 : start]
        if previous == "-":
            # "D-10115 Berlin".
            lettered = P.code_country_letters.search(text, max(0, start - 4), start)
            if 3 < size < 8 and lettered and P.code_name_after.match(text, end):
                return 0.8, "letters of a country and digits before a town"
            return 0.0, ""
        if m[0][-1].isalpha():
            dutch = self.dutch and not P.code_not_dutch.match(m[0])
            if dutch and P.code_town_after.match(text, end):
                return 0.6, "form of a Dutch post code before a town"
        elif previous == " " and size in (4, 5, 10):
            state = P.code_state_before.search(text, max(0, start - 24), start)
            short = state and P.code_short_state.search(state[0])
            year = P.code_year.match(m[0]) and not short
            if state and not year and self.state(state[1]) == min(size, 5):
                return 0.85, "digits after a state"
        code = size in (5, 10) or "-" in m[0] or (" " in m[0] and size == 6)
        if code or (size == 4 and not P.code_year.match(m[0])):
            if P.code_shipping.search(before(text, start, 30)):
                return 0.6, "form of a post code after words for places"
            town = code and P.code_town_before.search(text, max(0, start - 30), start)
            if town and P.code_end.match(text, end):
                return 0.55, "form of a post code after a name, at the end of a line"
        parted = previous and previous in " :#=\"'(|-"
        if parted and P.code_context.search(before(text, start, 30)):
            return 0.85, "digits after a word for post codes"
        return 0.0, ""

    def state(self, words: str) -> int:
        """Digits of the post codes of the state that ends some words, 0 if none does."""
        while words:
            if words in self.states:
                return self.states[words]
            words = words.partition(" ")[2]
        return 0


@registry.deid_patterns("spacy_deid.postcode_patterns.v1")
def make_postcode_patterns(countries: Sequence[str] | None = None) -> Recognizer:
    """Post codes alone: of a form that few other things have, or after a word for them.

    countries (Optional[Sequence[str]]): ISO codes of the countries to look for; all by
        default.
    RETURNS (Recognizer): Function of a text that yields hits without overlaps.
    """
    finder = PostCodeFinder(tuple(countries) if countries is not None else None)
    return PatternRecognizer(finder, digits=True)
