"""A document of the review page: all that is known, or what the output tells and no more."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ..disclosure import as_number, magnitude
from ..evaluation.gold import Cover, GoldDocument, Mention
from ..records.output import show_spans
from ..records.process import Done
from ..records.results import PEOPLE_FIELDS
from ..schema import NO_MASK, strictest
from ..text.offsets import span_to_new

# Mentions of gold documents, by their texts.
GoldByText = Mapping[str, Sequence[Mention]]
_TOLD = ("risk", "score", "source", "entity", "found", "reasons", "votes", "evidence")


def text_key(text: str) -> str:
    """What stands for a text, and is shorter."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def by_text(golds: Iterable[GoldDocument]) -> dict[str, list[Mention]]:
    """The mentions of gold documents, those of several annotators together: of equal
    spans the first one's type and the strictest decision."""
    out: dict[str, list[Mention]] = {}
    for gold in golds:
        places: dict[Any, Mention] = {}
        for mention in (m for layer in gold.annotators for m in layer):
            known = places.setdefault(mention[:2], mention)
            decision = strictest([known[3], mention[3]])
            places[mention[:2]] = known._replace(identifier_type=decision)
        out[text_key(gold.text)] = sorted(places.values())
    return out


def make_document(
    done: Done, doc_id: Any, masked_only: bool = False, gold: GoldByText | None = None
) -> dict[str, Any]:
    """A document as the page has it.

    done (Done): What came of it.
    masked_only (bool): Without originals, and without what would tell them.
    gold (Optional[GoldByText]): What annotators have marked.
    RETURNS (dict): `id`, `old` (not with `masked_only`), `new`, `spans` with their places
        `at` (in the old text, else in the new one) and `to` (in the new one), `risk` of
        the document, `epsilon`, `k` of people; with gold what differs from it: `missed`,
        and `gold` of a span.
    """
    record = done.result
    people: dict[str, float | None] = dict(record.people)
    if masked_only:
        people = {name: magnitude(k) for name, k in people.items()}
        shown = show_spans(done, joined=True, every=True)
        spans = [_placed(s, s, "new_start", "new_end") for s in shown]
    else:
        told, at = record.explanations, ("start", "end")
        spans = [_placed(s, told[s["start"], s["end"]], *at) for s in record.spans]
    out: dict[str, Any] = {"id": doc_id, "old": done.text}
    if masked_only:
        out = {"id": done.cleaner.clean_id(doc_id)}
    risk = round(risk_of(spans, people.get("deid_k_left")), 4)
    out |= {"new": record.text, "spans": spans, "risk": risk, "epsilon": record.epsilon}
    out |= {name: people.get(name) for name in PEOPLE_FIELDS}
    if (mentions := (gold or {}).get(text_key(done.text))) is not None:
        out["missed"] = _compare(done, spans, mentions, masked_only)
    return out


def _placed(
    span: Mapping[str, Any], told: Mapping[str, Any], start: str, end: str
) -> dict[str, Any]:
    """A span of the page, of an entry of the output and what is told of it."""
    at, to = [span[start], span[end]], [span["new_start"], span["new_end"]]
    kind = {name: span[name] for name in ("label", "subtype", "decision")}
    out = {"at": at, "to": to, **kind}
    found = {"source": "; ".join(span["sources"]), **told}
    return out | {name: found[name] for name in _TOLD if name in found}


def risk_of(spans: Iterable[Mapping[str, Any]], k_left: float | None) -> float:
    """How far what is left of a document may identify somebody: the highest risk of a
    span that stays, or the probability to pick the right one of those who share what is
    left (1/k; El Emam, Guide to the De-Identification of Personal Health Information,
    2013, 15), whichever is higher.

    spans (Iterable[Mapping]): With `decision` and `risk`, a number or a band.
    k_left (Optional[float]): Number of people.
    """
    risks = [_number(s.get("risk")) for s in spans if s["decision"] == NO_MASK]
    return max([*risks, 0.0 if k_left is None else 1 / max(k_left, 1.0)])


def _number(risk: Any) -> float:
    number = as_number(risk) if isinstance(risk, str) else risk
    return float(number or 0.0)


def _compare(
    done: Done,
    spans: list[dict[str, Any]],
    mentions: Sequence[Mention],
    masked_only: bool,
) -> list[dict[str, Any]]:
    """Gold mentions that nothing was found of. A span of which anything differs gets the
    mentions that it touches as `gold`: none if it touches none."""
    known = done.result.spans
    for span, entry in zip(spans, known, strict=True):
        start, end = entry["start"], entry["end"]
        touched = [m for m in mentions if m[0] < end and start < m[1]]
        if [m[:4] for m in touched] != [(start, end, span["label"], span["decision"])]:
            span["gold"] = [_gold(mention, masked_only) for mention in touched]
    found = Cover((s["start"], s["end"]) for s in known)
    masked = [s for s in known if s["decision"] != NO_MASK]
    names = ("start", "end", "new_start", "new_end")
    rows = [[s[name] for name in names] for s in masked]
    out = []
    for m in _longest(m for m in mentions if not found.touches(m[0], m[1])):
        to = list(span_to_new(rows, m[0], m[1]))
        at = to if masked_only else [m[0], m[1]]
        out.append({"at": at, "to": to, "label": m[2], "decision": m[3]})
    return out


def _gold(mention: Mention, masked_only: bool) -> dict[str, Any]:
    told: dict[str, Any] = {"label": mention[2], "decision": mention[3]}
    return told if masked_only else {**told, "at": list(mention[:2])}


def _longest(mentions: Iterable[Mention]) -> list[Mention]:
    """Mentions that do not overlap: of those that do the longest, with the strictest
    decision, for a page can show and a reviewer can judge one only."""
    out: list[Mention] = []
    for m in sorted(mentions, key=lambda m: (m[0] - m[1], m[0])):
        over = next((o for o in out if o[0] < m[1] and m[0] < o[1]), None)
        if over is None:
            out.append(m)
        else:
            decision = strictest([over[3], m[3]])
            out[out.index(over)] = over._replace(identifier_type=decision)
    return sorted(out)
