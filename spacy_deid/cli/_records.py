"""From a processed Doc to the records that are written, checked before they are."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Collection, Mapping
from typing import Any, NamedTuple

from spacy.tokens import Doc

from ..evaluation.privacy import content_tokens
from ..schema import (
    DEID_KEY,
    DIRECT,
    MASK_KEY,
    NO_MASK,
    PII_KEY,
    QUASI,
    group_attr,
)
from ..surrogates.epsilon import json_value
from ..surrogates.sweep import Sweep, compact

OUTPUT_FIELDS = ("doc_id", "text", "spans", "epsilon")
MARK = "***"
# Shorter strings are in every other field by chance.
MIN_CHARS, MIN_NAME_CHARS, MIN_SUBSTRING, MIN_DIGITS = 3, 2, 6, 6
MAX_WORK = 200_000_000
_WIKIDATA = re.compile(r"Q[0-9]+")


class Replacement(NamedTuple):
    """One replaced span.

    start (int): First character in the original text.
    end (int): Character after the last.
    surrogate (str): New text.
    label (str): Semantic type.
    """

    start: int
    end: int
    surrogate: str
    label: str


class DeidRecord(NamedTuple):
    """What a Doc gives.

    text (str): De-identified text.
    spans (list[dict]): Entries of the output's `spans`.
    epsilon (float): As the pseudonymizer gives it; None if there is no bound.
    replacements (list[Replacement]): With what `spans` must not say.
    """

    text: str
    spans: list[dict[str, Any]]
    epsilon: Any
    replacements: list[Replacement]


def read_doc(doc: Doc) -> DeidRecord:
    """Collect the result of a pipeline, and check it.

    doc (Doc): Processed by a pipeline with a `pseudonymizer`.
    RETURNS (DeidRecord): The result.
    RAISES (ValueError): If a span that is to be masked was not replaced, or the new
        text differs from the old one outside the replacements.
    """
    text, offsets = doc._.deid_text, doc._.deid_offsets
    if text is None or offsets is None or DEID_KEY not in doc.spans:
        raise ValueError("the pseudonymizer left no result")
    group = doc.spans[DEID_KEY]
    if len(group) != len(offsets):
        raise ValueError("the pseudonymizer's spans and offsets differ in number")
    _check_offsets(doc.text, text, offsets)
    risks, decisions = {}, {}
    kept = []
    key = MASK_KEY if MASK_KEY in doc.spans else PII_KEY
    if key not in doc.spans:
        raise ValueError("no detector ran")
    found = doc.spans[key]
    types = {
        (s.start_char, s.end_char): (s.label_, s.id_)
        for s in (doc.spans[PII_KEY] if PII_KEY in doc.spans else ())  # noqa: SIM401
    }
    starts = [start for start, *_ in offsets]
    rows = zip(
        found,
        group_attr(found, "risk", None),
        group_attr(found, "labels", ""),
        group_attr(found, "sources", ""),
    )
    for span, risk, label, source in rows:
        start, end = span.start_char, span.end_char
        risks[start, end] = risk
        decision = span.label_ if key == MASK_KEY else QUASI
        decisions[start, end] = decision
        covered = _is_covered(start, end, starts, offsets)
        if covered is None and decision == NO_MASK:
            known = types.get((start, end), ("", ""))
            label, subtype = label or known[0], span.id_ or known[1]
            kept.append((start, end, label, subtype, decision, risk, source))
        elif not covered and decision != NO_MASK:
            # A title or a possessive may stay, nothing that says anything.
            for token in content_tokens(doc.text, start, end):
                if not _is_covered(*token, starts, offsets):
                    raise ValueError(f"[{start}, {end}) was to be masked and is not")
    spans = []
    replacements = []
    rows = zip(
        group,
        offsets,
        group_attr(group, "sources", ""),
        group_attr(group, "decisions", None),
        strict=True,
    )
    for span, (start, end, new_start, new_end), source, decision in rows:
        decision = decision or decisions.get((start, end), QUASI)
        replacements.append(
            Replacement(start, end, text[new_start:new_end], span.label_)
        )
        # A Wikidata item says who or what it was.
        subtype = "" if _WIKIDATA.fullmatch(span.id_) else span.id_
        spans.append(
            {
                "start": start,
                "end": end,
                "new_start": new_start,
                "new_end": new_end,
                "label": span.label_,
                "subtype": subtype,
                "decision": decision if decision in (DIRECT, QUASI) else QUASI,
                "risk": _number(risks.get((start, end))),
                "sources": [source] if source else [],
            }
        )
    for start, end, label, subtype, decision, risk, source in kept:
        shift = _shift(start, starts, offsets)
        spans.append(
            {
                "start": start,
                "end": end,
                "new_start": start + shift,
                "new_end": end + shift,
                "label": label,
                "subtype": subtype,
                "decision": decision,
                "risk": _number(risk),
                "sources": [source] if source else [],
            }
        )
    spans.sort(key=lambda s: (s["start"], s["end"]))
    return DeidRecord(text, spans, json_value(doc._.deid_epsilon), replacements)


def _number(value: Any) -> float | None:
    return None if value is None else round(float(value), 4)


def _check_offsets(old: str, new: str, offsets: list[list[int]]) -> None:
    """Text outside the replacements has to be the same."""
    last = new_last = 0
    for start, end, new_start, new_end in [*offsets, [len(old)] * 2 + [len(new)] * 2]:
        if (
            not last <= start <= end <= len(old)
            or not new_last <= new_start <= new_end <= len(new)
            or old[last:start] != new[new_last:new_start]
        ):
            raise ValueError(f"the offset map is wrong before [{start}, {end})")
        last, new_last = end, new_end


def _is_covered(
    start: int, end: int, starts: list[int], offsets: list[list[int]]
) -> bool | None:
    """True if replacements cover the whole span, False if some of it, None if none."""
    i = max(0, bisect_right(starts, start) - 1)
    touched, reached = False, start
    while i < len(offsets) and offsets[i][0] < end:
        a, b = offsets[i][:2]
        if b > start:
            touched = True
            if a <= reached:
                reached = max(reached, b)
        i += 1
    if reached >= end:
        return True
    return False if touched else None


def _shift(start: int, starts: list[int], offsets: list[list[int]]) -> int:
    """How far the text from `start` on has moved."""
    i = bisect_right(starts, start) - 1
    return 0 if i < 0 else offsets[i][3] - offsets[i][1]


class FieldCleaner:
    """Takes masked strings out of the other fields of a record.

    text (str): The original text.
    replacements (Sequence[Replacement]): What was replaced in it.
    stop_words (Collection[str]): Function words of the language.
    """

    def __init__(
        self,
        text: str,
        replacements: list[Replacement],
        stop_words: Collection[str] = (),
    ) -> None:
        self.sweep = Sweep(stop_words)
        self.surrogates: list[str] = []
        self.literal: set[str] = set()
        self.numbers: set[str] = set()
        seen = set()
        for r in replacements:
            original = text[r.start : r.end]
            if (original, r.label) in seen:
                continue
            seen.add((original, r.label))
            person = r.label == "PERSON"
            letters = compact(original)
            if len(letters) >= (MIN_NAME_CHARS if person else MIN_CHARS):
                owner = len(self.surrogates)
                self.surrogates.append(r.surrogate)
                self.sweep.add(original, owner, name=person)
                if person:
                    self.sweep.add_name_parts(original, owner)
            if len(original) >= MIN_SUBSTRING:
                self.literal.add(original)
            if len(letters) >= MIN_DIGITS and letters.isdigit():
                self.numbers.add(letters)

    def clean(self, value: Any) -> Any:
        """A value of a record without masked strings.

        value (Any): Anything that JSON can hold; it is not changed itself.
        RETURNS (Any): The value, equal to `value` if nothing had to be taken out.
            Whole strings become their surrogates, other strings and parts of names
            `***`, numbers null.
        """
        if isinstance(value, str):
            return self._clean_string(value)
        if isinstance(value, Mapping):
            out: dict[str, Any] = {}
            for key, item in value.items():
                new = name = self._clean_string(key)
                n = 1
                while new in out:
                    n += 1
                    new = f"{name}.{n}"
                out[new] = self.clean(item)
            return out
        if isinstance(value, list):
            return [self.clean(item) for item in value]
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            digits = str(value).removeprefix("-").removesuffix(".0")
            return None if digits in self.numbers else value
        return value

    def _clean_string(self, value: str) -> str:
        # A field as long as the text itself, with as many strings: not worth a wait.
        if len(self.literal) * len(value) > MAX_WORK:
            return MARK
        pieces, last = [], 0
        hits = self.sweep.find(value)
        for hit in sorted(hits, key=lambda h: (h.start, -h.end, h.part)):
            if hit.start < last:
                last = max(last, hit.end)
                continue
            pieces.append(value[last : hit.start])
            pieces.append(MARK if hit.part else self.surrogates[hit.owner])
            last = hit.end
        cleaned = "".join(pieces) + value[last:]
        if any(original in cleaned for original in self.literal):
            return MARK
        return cleaned


def make_record(
    record: DeidRecord,
    doc_id: Any,
    fields: Mapping[str, Any],
    text_field: str,
    cleaner: FieldCleaner,
) -> tuple[dict[str, Any], list[str]]:
    """The JSON object of a document.

    record (DeidRecord): Result of the pipeline.
    doc_id (Any): The document's id.
    fields (Mapping): The record that was read.
    text_field (str): Its field with the text, which is not repeated.
    cleaner (FieldCleaner): Takes masked strings out of the other fields.
    RETURNS (tuple[dict, list[str]]): The object and the names of the fields changed.
    """
    new_id = cleaner.clean(doc_id)
    if new_id is None:
        new_id = MARK
    changed = ["doc_id"] if new_id != doc_id else []
    out: dict[str, Any] = {
        "doc_id": new_id,
        "text": record.text,
        "spans": record.spans,
        "epsilon": record.epsilon,
    }
    for name, value in fields.items():
        if name in OUTPUT_FIELDS or name == text_field:
            continue
        new_name = cleaner.clean(name)
        new = cleaner.clean(value)
        if new != value or new_name != name:
            changed.append(new_name)
        out.setdefault(new_name, new)
    return out, changed
