"""From a processed Doc to the records that are written, checked before they are."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

from spacy.tokens import Doc, SpanGroup

from ..evaluation.privacy import content_tokens
from ..schema import DEID_KEY, DIRECT, MASK_KEY, NO_MASK, PII_KEY, QUASI, group_attr
from ..surrogates.epsilon import json_value
from ..surrogates.sweep.occurrences import Sweep, compact

OUTPUT_FIELDS = ("doc_id", "text", "spans", "epsilon")
MARK = "***"
# Shorter strings are in every other field by chance.
MIN_CHARS, MIN_NAME_CHARS, MIN_SUBSTRING, MIN_DIGITS = 3, 2, 6, 6
MAX_WORK = 200_000_000
_WIKIDATA = re.compile(r"Q[0-9]+")
# What the reason of a detector tells of a listed term: its Wikidata item, and how many
# people share it, which says as much to who has the list.
_TELLING = re.compile(r",? ?\bQ[0-9]+\b|; [0-9,.]+ (?:person|people) on record")
# How many people share the quasi identifiers; see the indicator `combination_risk`.
PEOPLE_FIELDS = ("deid_k", "deid_k_left")
REPEATED = "repeats something that is masked"
NEVERTHELESS = (
    "masked nevertheless: all that was found is masked, or it touches something that is"
)


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
    explanations (dict): For each span by its offsets in the original text, all that
        its entry says of the decision, and `evidence`: for the audit alone.
    people (dict): `deid_k` and `deid_k_left`, if they were estimated.
    """

    text: str
    spans: list[dict[str, Any]]
    epsilon: Any
    replacements: list[Replacement]
    explanations: Mapping[tuple[int, int], dict[str, Any]] = {}
    people: Mapping[str, float] = {}


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
    reader = _Explanations(doc)
    explanations = {}
    rows = zip(
        group,
        offsets,
        group_attr(group, "sources", ""),
        zip(
            group_attr(group, "decisions", None),
            group_attr(group, "entity_ids", None),
        ),
        strict=True,
    )
    for span, (start, end, new_start, new_end), source, (decision, entity) in rows:
        told = explanations[start, end] = reader.of_masked(start, end, entity, source)
        if told and decisions.get((start, end)) == NO_MASK:
            told["reasons"] = _joined([told.get("reasons", ""), NEVERTHELESS])
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
                **_without_telling(told),
            }
        )
    for start, end, label, subtype, decision, risk, source in kept:
        shift = _shift(start, starts, offsets)
        told = explanations[start, end] = reader.of_kept(start, end)
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
                **{name: told[name] for name in SHOWN if name in told},
            }
        )
    spans.sort(key=lambda s: (s["start"], s["end"]))
    people = {name: doc._.get(name) for name in PEOPLE_FIELDS}
    return DeidRecord(
        text,
        spans,
        json_value(doc._.deid_epsilon),
        replacements,
        explanations,
        {name: k for name, k in people.items() if k is not None},
    )


# Of an explanation, what the output may say. `found` is why a detector found the span,
# `reasons` why it is masked or not, `votes` what each indicator says.
SHOWN = ("found", "votes", "reasons")
_WORDS = ("found", "reasons")


class _Explanations:
    """Why spans were found and what was decided of them.

    doc (Doc): Processed by a pipeline.
    """

    def __init__(self, doc: Doc) -> None:
        self.found = _reasons(doc, PII_KEY)
        self.rows: list[tuple[int, int, Any, dict[str, Any]]] = []
        if MASK_KEY not in doc.spans:
            return
        group = doc.spans[MASK_KEY]
        # Groups made by hand have none of these.
        if "votes" not in group.attrs and "reasons" not in group.attrs:
            return
        for span, entity, votes, reasons, evidence in zip(
            group,
            group_attr(group, "entity_ids", None),
            group_attr(group, "votes", None),
            group_attr(group, "reasons", ""),
            group_attr(group, "evidence", None),
        ):
            row: dict[str, Any] = {
                "votes": {str(k): bool(v) for k, v in (votes or {}).items()},
                "reasons": str(reasons or ""),
            }
            if evidence:
                row["evidence"] = {str(k): list(v) for k, v in evidence.items()}
            self.rows.append((span.start_char, span.end_char, entity, row))
        self.exact = {(start, end): row for start, end, _, row in self.rows}
        self.masked = [
            (start, end, entity, row)
            for (start, end, entity, row), span in zip(self.rows, group)
            if span.label_ != NO_MASK
        ]

    def of_kept(self, start: int, end: int) -> dict[str, Any]:
        """Of a span that stays as it is."""
        return self._told([(start, end)], [self.exact[start, end]] if self.rows else [])

    def of_masked(
        self, start: int, end: int, entity: Any, source: str
    ) -> dict[str, Any]:
        """Of a replacement, which may be longer than the spans in it or repeat one."""
        if (start, end) in self.found or not self.rows:
            places = [(start, end)]
        else:
            places = [(a, b) for a, b in self.found if a < end and start < b]
        if not self.rows:
            return self._told(places, [])
        if (start, end) in self.exact:
            return self._told(places, [self.exact[start, end]])
        inside = [row for a, b, _, row in self.masked if a < end and start < b]
        if inside:
            return self._told(places, inside)
        told = self._told(places, [row for _, _, e, row in self.masked if e == entity])
        told["reasons"] = _joined([REPEATED, told.get("reasons", "")])
        return told

    def _told(
        self, places: Sequence[tuple[int, int]], rows: Sequence[dict[str, Any]]
    ) -> dict[str, Any]:
        out: dict[str, Any] = {}
        found = _joined([self.found.get(place, "") for place in places])
        if found:
            out["found"] = found
        if not self.rows:
            return out
        votes: dict[str, bool] = {}
        evidence: dict[str, list[Any]] = {}
        for row in rows:
            for name, vote in row["votes"].items():
                votes[name] = votes.get(name, False) or vote
            for name, details in row.get("evidence", {}).items():
                known = evidence.setdefault(name, [])
                known += [detail for detail in details if detail not in known]
        out["votes"] = votes
        out["reasons"] = _joined([row["reasons"] for row in rows])
        if evidence:
            out["evidence"] = evidence
        return out


def _reasons(doc: Doc, key: str) -> dict[tuple[int, int], str]:
    """The reasons in a span group, by offsets; those that are empty left out."""
    if key not in doc.spans:
        return {}
    group: SpanGroup = doc.spans[key]
    if "reasons" not in group.attrs:
        return {}
    reasons = group_attr(group, "reasons", "")
    return {(s.start_char, s.end_char): str(r) for s, r in zip(group, reasons) if r}


def _joined(parts: Sequence[str]) -> str:
    return "; ".join(dict.fromkeys(filter(None, parts)))


def _without_telling(told: Mapping[str, Any]) -> dict[str, Any]:
    """What the output may say of a masked span."""
    out = {name: told[name] for name in SHOWN if name in told}
    if "found" in out:
        out["found"] = _TELLING.sub("", out["found"]).replace(" ()", "")
    return out


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
        self._marked: dict[str, str] = {}
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

    def mark(self, value: str) -> str:
        """A reason without masked strings. They are in one by chance ("100 people"),
        or because somebody's indicator quotes the text.

        value (str): The reason.
        RETURNS (str): The reason with `***` in their place: a surrogate would make it
            say something that is not so.
        """
        out = self._marked.get(value)
        if out is None:
            out = self._marked[value] = self._clean_string(value, marks=True)
        return out

    def _clean_string(self, value: str, marks: bool = False) -> str:
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
            masked = hit.part or marks
            pieces.append(MARK if masked else self.surrogates[hit.owner])
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
        "spans": [_marked(span, cleaner) for span in record.spans],
        "epsilon": record.epsilon,
        **record.people,
    }
    for name, value in fields.items():
        if name in OUTPUT_FIELDS or name in record.people or name == text_field:
            continue
        new_name = cleaner.clean(name)
        new = cleaner.clean(value)
        if new != value or new_name != name:
            changed.append(new_name)
        out.setdefault(new_name, new)
    return out, changed


def _marked(span: dict[str, Any], cleaner: FieldCleaner) -> dict[str, Any]:
    """An entry of `spans` whose reasons hold nothing masked."""
    new = {name: cleaner.mark(span[name]) for name in _WORDS if name in span}
    return {**span, **new} if new else span
