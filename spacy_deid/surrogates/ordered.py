"""The spans of a document as a user's orders want them."""

from __future__ import annotations

from collections.abc import Sequence

from spacy.tokens import Doc, SpanGroup

from ..entities.listed import allowed_in, cut, denied_in, touches
from ..risk.orders import TakesOrders, as_attrs
from ..schema import QUASI, Candidate, group_attr, set_group
from ..text.fields import declared_in
from .sweep.pieces import Item


def follow_orders(doc: Doc, items: Sequence[Item], orders: TakesOrders) -> list[Item]:
    """The spans as a user's orders want them: what is partly allowed is cut, what is
    denied or declared is there."""
    allowed = allowed_in(doc)
    out = [
        item._replace(start=start, end=end)
        for item in items
        for start, end in cut(doc, item, allowed)
    ]
    covered = {i for item in out for i in range(item.start, item.end)}
    declared = [c for c in declared_in(doc) if not touches(c, allowed)]
    for c in (*denied_in(doc), *declared):
        if not covered.issuperset(range(c.start, c.end)):
            # A shorter span within it is part of it.
            out = [i for i in out if not (c.start <= i.start and i.end <= c.end)]
            row = (c.start, c.end, c.label, c.id, -1, QUASI, c.score, c.source)
            out.append(Item(*row))
    spans = [
        Candidate(i.start, i.end, i.label, i.subtype, i.score, i.source) for i in out
    ]
    given = orders.orders_for(doc, spans, [item.order for item in out])
    return [
        item._replace(decision=order.decide(item.decision), order=order)
        for item, order in zip(out, given)
    ]


def write_decisions(
    doc: Doc, key: str, group: SpanGroup, items: Sequence[Item]
) -> None:
    """Write what is decided by order to `doc.spans["mask"]`, which then has also
    what no risk scorer has seen."""
    decided = key in doc.spans
    index = {(span.start, span.end): i for i, span in enumerate(group)}
    where = [index.get((item.start, item.end)) for item in items]
    risk, votes, reasons = (
        [None if i is None or not decided else values[i] for i in where]
        for values in (group_attr(group, n, None) for n in ("risk", "votes", "reasons"))
    )
    why = [
        "; ".join(dict.fromkeys(filter(None, (item.order.reason, reason))))
        for item, reason in zip(items, reasons)
    ]
    set_group(
        doc,
        key,
        [
            Candidate(i.start, i.end, i.decision, i.subtype, i.score, i.source)
            for i in items
        ],
        entity_ids=[item.entity_id for item in items],
        labels=[item.label for item in items],
        risk=risk,
        votes=[vote or {} for vote in votes],
        reasons=why,
        **as_attrs([item.order for item in items]),
    )


def told(item: Item) -> tuple:
    """What of a span `doc.spans["mask"]` tells."""
    order = item.order
    return item.start, item.end, item.label, item.decision, order.kind, order.strategy
