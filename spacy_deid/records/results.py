"""From a processed Doc to the records that are written, checked before they are."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from spacy.tokens import Doc

from ..disclosure import (
    shown_finding,
    shown_source,
    shown_subtype,
    told_risk,
    without_figures,
)
from ..evaluation.gold import content_tokens
from ..schema import (
    DEID_KEY,
    DIRECT,
    MASK_KEY,
    NO_MASK,
    PII_KEY,
    QUASI,
    Decided,
    read_decided,
    text_of,
    with_attrs,
)
from ..surrogates.epsilon import json_value
from ..text.offsets import Offsets, first_misfit, to_new, uncovered
from .cleaning import Replacement

# How many people share the quasi identifiers; see the indicator `combination_risk`.
PEOPLE_FIELDS = ("deid_k", "deid_k_left")
# Of an explanation, what the output may say beside `found` (why a detector found the
# span): what each indicator says, and why the span is masked or not.
SHOWN = ("votes", "reasons")
REPEATED = "repeats something that is masked"
NEVERTHELESS = (
    "masked nevertheless: all that was found is masked, or it touches something that is"
)
Place = tuple[int, int]
# An entry of the output's `spans`, and all that is known of the decision.
_Told = tuple[dict[str, Any], dict[str, Any]]


class DeidRecord(NamedTuple):
    """What a Doc gives: the de-identified text, and entries of the output's `spans`."""

    text: str
    spans: list[dict[str, Any]]
    epsilon: Any
    replacements: list[Replacement]
    # All that is known of the decision of each span: for the audit alone.
    explanations: Mapping[Place, dict[str, Any]] = {}
    people: Mapping[str, float] = {}


def read_doc(doc: Doc) -> DeidRecord:
    """Collect the result of a pipeline, and check it.

    RETURNS (DeidRecord): The result.
    RAISES (ValueError): If a span that is to be masked was not replaced, or the new
        text differs from the old one outside the replacements.
    """
    text, rows = doc._.deid_text, doc._.deid_offsets
    if text is None or rows is None or DEID_KEY not in doc.spans:
        raise ValueError("the pseudonymizer left no result")
    if len(doc.spans[DEID_KEY]) != len(rows):
        raise ValueError("the pseudonymizer's spans and offsets differ in number")
    if wrong := first_misfit(text_of(doc), text, rows):
        raise ValueError(f"the offset map is wrong before [{wrong[0]}, {wrong[1]})")
    found = _found(doc)
    _check_masked(text_of(doc), found, rows)
    why = _Explanations(doc)
    masked = _masked(doc, rows, found, why)
    both = [*masked, *_kept(rows, found, why)]
    spans = sorted([s for s, _ in both], key=lambda s: (s["start"], s["end"]))
    people = {name: doc._.get(name) for name in PEOPLE_FIELDS}
    replaced = []
    for s, _ in masked:
        new = text[s["new_start"] : s["new_end"]]
        replaced.append(Replacement(s["start"], s["end"], new, s["label"]))
    explanations = {(s["start"], s["end"]): told for s, told in both}
    known = {name: k for name, k in people.items() if k is not None}
    epsilon = json_value(doc._.deid_epsilon)
    return DeidRecord(text, spans, epsilon, replaced, explanations, known)


def read_found(doc: Doc) -> list[dict[str, Any]]:
    """What was found in a text and how it was judged, for who has the text: exact.

    doc (Doc): Processed; it needs no pseudonymizer.
    RETURNS (list[dict]): The spans in order; `identifier_type` is what was judged of
        one, "" if nobody judges.
    """
    why, judged = _Explanations(doc), MASK_KEY in doc.spans
    out = []
    for span in sorted(_found(doc), key=lambda d: d.place):
        place = span.place
        told = why.of_kept(*place)
        row: dict[str, Any] = dict(zip(("start", "end"), place))
        row |= {"label": span.label, "subtype": span.subtype}
        row["identifier_type"] = span.decision if judged else ""
        row |= {"score": _exact(span.score), "risk": _exact(span.risk)}
        row["sources"] = [span.source] if span.source else []
        out.append(row | {k: told[k] for k in ("found", *SHOWN) if k in told})
    return out


def _left(rows: Offsets, start: int, end: int) -> list[Place]:
    """What of a span no replacement covers."""
    first = bisect_right(rows, start, key=lambda row: row[0]) - 1
    last = bisect_left(rows, end, key=lambda row: row[0])
    return [*uncovered(start, end, rows[max(0, first) : last])]


def _found(doc: Doc) -> list[Decided]:
    """What was found, and what was decided of it."""
    if MASK_KEY not in doc.spans and PII_KEY not in doc.spans:
        raise ValueError("no detector ran")
    return list(read_decided(doc))


def _check_masked(text: str, found: Iterable[Decided], rows: Offsets) -> None:
    for span in found:
        start, end = span.place
        if span.decision == NO_MASK or not _left(rows, start, end):
            continue
        # A title or a possessive may stay, nothing that says anything.
        tokens = content_tokens(text, start, end)
        if any(_left(rows, *token) for token in tokens):
            raise ValueError(f"[{start}, {end}) was to be masked and is not")


def _masked(
    doc: Doc, rows: Offsets, found: Iterable[Decided], why: _Explanations
) -> list[_Told]:
    """What was replaced."""
    decided = {span.place: span for span in found}
    names = ("decisions", "entity_ids", "sources", "scores")
    replaced = with_attrs(doc.spans[DEID_KEY], **dict.fromkeys(names))
    out = []
    pairs = zip(replaced, rows, strict=True)
    for (span, decision, entity, source, score), row in pairs:
        start, end, *_ = row
        known = decided.get((start, end))
        told = why.of_masked(start, end, entity)
        if told and known is not None and known.decision == NO_MASK:
            told["reasons"] = _joined([told.get("reasons", ""), NEVERTHELESS])
        decision = decision or (known.decision if known is not None else QUASI)
        decision = decision if decision in (DIRECT, QUASI) else QUASI
        source = source or ""
        subtype, shown = shown_subtype(span.id_, source), shown_source(source)
        risk = known.risk if known is not None else None
        told |= _details(risk, score, entity, source)
        kind = span.label_, subtype, decision
        entry = _entry(row, kind, risk, shown) | _shown(told)
        # Which indicators voted would tell candidates for the original apart.
        entry.pop("votes", None)
        out.append((entry, told))
    return out


def _kept(rows: Offsets, found: Iterable[Decided], why: _Explanations) -> list[_Told]:
    """What stays as it is."""
    out = []
    for span in found:
        start, end = span.place
        if span.decision != NO_MASK or _left(rows, start, end) != [span.place]:
            continue
        if "found" in (told := why.of_kept(start, end)):
            told["told"] = without_figures(told["found"])
        told |= _details(span.risk, span.score, span.entity, span.source)
        new = to_new(rows, start)
        places = (start, end, new, new + end - start)
        kind = span.label, span.subtype, NO_MASK
        out.append((_entry(places, kind, span.risk, span.source) | _shown(told), told))
    return out


def _entry(
    places: Iterable[int], kind: tuple[str, str, str], risk: Any, source: str
) -> dict[str, Any]:
    """An entry of `spans`, by its label, subtype and decision."""
    out: dict[str, Any] = dict(zip(("start", "end", "new_start", "new_end"), places))
    out |= zip(("label", "subtype", "decision"), kind)
    sources = [source] if source else []
    return {**out, "risk": told_risk(out["decision"], risk), "sources": sources}


def _details(risk: Any, score: Any, entity: Any, source: str) -> dict[str, Any]:
    """What only the audit and the page for reviewers tell of a span."""
    exact = {"risk": _exact(risk), "score": _exact(score)}
    return {**exact, "entity": entity, "source": source}


def _exact(value: Any) -> float | None:
    return None if value is None else round(float(value), 4)


class _Explanations:
    """Why spans were found and what was decided of them."""

    def __init__(self, doc: Doc) -> None:
        # The detectors' reasons by offsets, what an output may say of them where the
        # span is masked, and rows of the group `mask`.
        self.found: dict[Place, str] = {}
        self.told: dict[Place, str] = {}
        self.rows: dict[Place, dict[str, Any]] = {}
        if PII_KEY in doc.spans:
            rows = with_attrs(doc.spans[PII_KEY], reasons="", sources="")
            for span, reason, source in rows:
                if reason:
                    place = span.start_char, span.end_char
                    self.found[place] = str(reason)
                    self.told[place] = shown_finding(str(reason), source)
        group = doc.spans[MASK_KEY] if MASK_KEY in doc.spans else None  # noqa: SIM401
        # Groups made by hand have none of these.
        if group is None or not {"votes", "reasons"} & set(group.attrs):
            return
        names = ("entity_ids", "votes", "reasons", "evidence")
        rows = with_attrs(group, **dict.fromkeys(names))
        for span, entity, votes, reason, evidence in rows:
            self.rows[span.start_char, span.end_char] = {
                "masked": span.label_ != NO_MASK,
                "entity": entity,
                "votes": {str(k): bool(v) for k, v in (votes or {}).items()},
                "reasons": str(reason or ""),
                "evidence": {str(k): list(v) for k, v in (evidence or {}).items()},
            }

    def of_kept(self, start: int, end: int) -> dict[str, Any]:
        """Of a span that stays as it is."""
        row = self.rows.get((start, end))
        return self._told([(start, end)], [row] if row else [])

    def of_masked(self, start: int, end: int, entity: Any) -> dict[str, Any]:
        """Of a replacement, which may be longer than the spans in it or repeat one."""
        place = (start, end)
        if not self.rows or place in self.rows:
            return self.of_kept(start, end)
        places = [place]
        if place not in self.found:
            places = [(a, b) for a, b in self.found if a < end and start < b]
        masked = {k: row for k, row in self.rows.items() if row["masked"]}
        if inside := [row for (a, b), row in masked.items() if a < end and start < b]:
            return self._told(places, inside)
        same = [row for row in masked.values() if row["entity"] == entity]
        told = self._told(places, same)
        told["reasons"] = _joined([REPEATED, told["reasons"]])
        return told

    def _told(
        self, places: Iterable[Place], rows: list[dict[str, Any]]
    ) -> dict[str, Any]:
        found = _joined(self.found.get(place, "") for place in places)
        told = _joined(self.told.get(place, "") for place in places)
        out: dict[str, Any] = {"found": found, "told": told} if found else {}
        if not self.rows:
            return out
        votes: dict[str, bool] = {}
        evidence: dict[str, list[Any]] = {}
        for row in rows:
            for name, vote in row["votes"].items():
                votes[name] = votes.get(name, False) or vote
            for name, details in row["evidence"].items():
                known = evidence.setdefault(name, [])
                known += [detail for detail in details if detail not in known]
        out |= {"votes": votes, "reasons": _joined(row["reasons"] for row in rows)}
        return {**out, "evidence": evidence} if evidence else out


def _joined(parts: Iterable[str]) -> str:
    return "; ".join(dict.fromkeys(filter(None, parts)))


def _shown(told: Mapping[str, Any]) -> dict[str, Any]:
    """What the output says of a decision."""
    if "reasons" in (out := {name: told[name] for name in SHOWN if name in told}):
        out["reasons"] = without_figures(out["reasons"])
    return {"found": told["told"], **out} if told.get("told") else out
