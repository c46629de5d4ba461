"""Numbers of patients, records, customers, invoices, students and the like.

Nothing in their digits tells them, only their names: "MRN: 1234567", "n° de dossier
4711". Names come in eight languages; the weaker a name, the more a value must look
like a code.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from ...registries import registry
from ..base import Hit, PatternRecognizer, Recognizer
from ..tables import Forms, word_set, words
from .labelled import Name, Names, P, plain, shown

_OTHERS = word_set("record.other_names")


def _terms() -> list[str]:
    nouns = words("names.RECORD_NUMBER.noun")
    named = [
        f"{mark}{noun}" if mark.endswith("'") else f"{mark}_{noun}"
        for mark in words("names.RECORD_NUMBER.before_noun")
        for noun in nouns
        if not mark.endswith("'") or noun[0] in "aeiouéèêhâ"
    ]
    return [*words("names.RECORD_NUMBER"), *named]


class _Records:
    """Finds values next to names of records."""

    def __init__(self) -> None:
        strong = _terms()
        self._strong = {plain(term) for term in strong}
        self._names = Names([*strong, *words("names.RECORD_NUMBER.weak")])

    def __call__(self, text: str) -> Iterator[Hit]:
        return self._names.values(text, partial(self._value, text))

    def _value(self, text: str, start: int, name: Name) -> Hit | None:
        m = P.record_value.match(text, start)
        if m is None or P.record_amount.match(text, m.end()):
            return None
        value = m[0]
        label = P.record_label.match(value)
        if label and label[1].lower() in _OTHERS:
            # "Applicant SSN 123": the name of another number.
            return None
        inner = P.record_inner.match(value)
        if inner and plain(inner[1]) in self._strong - {plain(name.term)}:
            # "CIPA: nhc-123456": the value begins after the name of another number.
            start += inner.end()
            value = value[inner.end() :]
        gap = name.gap.lower()
        strong = plain(name.term) in self._strong
        # "rx" may be the beginning of a longer code.
        if not gap and not (strong and value[0].isdigit()):
            return None
        short = strong and P.record_short_date.fullmatch(value)
        if P.ordinal.fullmatch(value) or (P.date.fullmatch(value) and not short):
            return None
        if P.record_years.fullmatch(value) and not strong:
            return None
        marked = bool(P.record_marked.search(gap))
        if not (score := _score(value, strong, marked, gap)):
            return None
        what = "code" if any(map(str.isalpha, value)) else "number"
        sign = " and a word or sign for number" if marked else ""
        reason = f"{what} after '{shown(name.term)}'{sign}"
        return P.hit(start, m.end(), "RECORD_NUMBER", score, reason)


def _score(value: str, strong: bool, marked: bool, gap: str) -> float:
    """How sure a value is, given the kind of its name; 0 if it is none."""
    digits = sum(map(str.isdigit, value))
    letters = sum(map(str.isalpha, value))
    if digits + letters < 3 or (letters > 3 * digits + 6):
        return 0.0
    coded = letters > 0 or any(c in "-/_." for c in value)
    if P.last_four.search(gap) and digits == len(value) == 4:
        return 0.7
    if strong and (
        digits >= 4 or (digits >= 3 and (marked or coded)) or (coded and digits >= 2)
    ):
        return 0.9 if marked or digits >= 5 or coded else 0.75
    if strong and marked and digits >= 3:
        return 0.85
    if not strong and (P.year.fullmatch(value) or _is_range(value)):
        return 0.0
    if marked and (digits >= 4 or (coded and digits >= 2) or digits >= 3):
        return 0.85
    if P.record_filled.search(gap):
        # "order of 100000", "members for 2024".
        return 0.6 if letters and digits >= 4 else 0.0
    if coded and digits >= 3 and value[0] not in "0." and (letters or digits >= 5):
        return 0.7
    return 0.6 if value.isdigit() and digits >= 6 else 0.0


def _is_range(value: str) -> bool:
    """Whether a value may be the bounds of a measure, as in "reference: 15-100"."""
    low, _, high = value.partition("-")
    short = low.isdigit() and high.isdigit() and len(value) < 9
    return short and int(low) < int(high) and low[0] != "0"


@registry.deid_patterns("spacy_deid.record_number_patterns.v1")
def make_record_number_patterns() -> Recognizer:
    """Numbers of patients, samples, students, employees, customers, invoices, orders,
    policies and the like, next to their names.

    RETURNS (Recognizer): Function of a text that yields hits without overlaps.
    """
    return PatternRecognizer(_Records(), Forms("record"), digits=True)
