"""A user's orders, which nothing overrules: denied terms, allowed phrases, declared
fields, types, and a profile, in this order. Indicators and their combination judge the rest."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from spacy.tokens import Doc, SpanGroup

from ..entities.listed import DENIED, allowed_in, denied_in, is_within, touches
from ..schema import (
    DIRECT,
    NO_MASK,
    QUASI,
    Candidate,
    group_attr,
    strictest,
    subtype_of,
    texts_of,
)
from ..settings import Setting
from ..text.fields import DECLARED, declared_in
from .profiles import JUDGE, NEVER, Profile, from_json, get_profile, known_types

# What an order says of a span.
DENY, ALLOW, LEAVE, FORCE, NONE = "deny", "allow", "leave", "force", ""
LEFT = (ALLOW, LEAVE)
# Name under which orders vote.
ORDERS = "orders"
ALLOWED = "on the allow list"


class Order(NamedTuple):
    """What is ordered of one span.

    kind (str): `deny` or `force` (mask it), `allow` or `leave` (leave it as it is), or ""
        (judge it).
    decision (str): What the kind asks for at least, or "".
    reason (str): Why, in plain words.
    strategy (str): How to replace it, by name; "" as the pipeline does.
    """

    kind: str = NONE
    decision: str = ""
    reason: str = ""
    strategy: str = ""

    def decide(self, judged: str) -> str:
        """The decision, given what was judged."""
        if self.kind in LEFT:
            return NO_MASK
        return strictest([judged, self.decision]) if self.decision else judged


def as_attrs(orders: Sequence[Order]) -> dict[str, list[str]]:
    """What a span group notes of orders; nothing where there are none."""
    kinds, strategies = [o.kind for o in orders], [o.strategy for o in orders]
    out = {ORDERS: kinds, "strategies": strategies}
    return {name: values for name, values in out.items() if any(values)}


def read_orders(group: SpanGroup) -> list[Order]:
    """The orders that a span group notes."""
    kinds, strategies = (group_attr(group, n, "") for n in (ORDERS, "strategies"))
    return [Order(kind, strategy=s) for kind, s in zip(kinds, strategies)]


def _checked_types(types: Iterable[str] | None) -> tuple[str, ...]:
    if isinstance(types, str):
        raise ValueError("types must be a list of names")
    names = tuple(dict.fromkeys(types or ()))
    if unknown := [name for name in names if name not in known_types()]:
        advice = f"use {', '.join(sorted(known_types()))}"
        raise ValueError(f"unknown type {', '.join(map(repr, unknown))}: {advice}")
    return names


class TakesOrders:
    """A component that follows a profile and masks only some types, if it is told so."""

    # A profile, set by itself, its name or a file, or None; and the types and subtypes
    # that are masked at all, () for all.
    profile = Setting(get_profile, "_orders")
    types = Setting(_checked_types, "_orders")

    def set_orders(
        self, profile: str | Path | Profile | None, types: Iterable[str]
    ) -> None:
        """Set the orders that the config gives."""
        self._orders: dict[str, Any] = {}
        self.profile, self.types = profile, types

    @property
    def saved_orders(self) -> dict[str, Any]:
        """What is saved of them."""
        profile = None if self.profile is None else self.profile.to_json()
        return {"profile": profile, "types": list(self.types)}

    @saved_orders.setter
    def saved_orders(self, saved: dict[str, Any]) -> None:
        profile = saved.get("profile")
        read = None if profile is None else from_json(profile)
        self._orders = {"profile": read, "types": tuple(saved.get("types") or ())}

    def has_orders(self, doc: Doc) -> bool:
        """Whether anything is ordered of a document."""
        noted = ("allowed", "denied")
        listed = (n in group.attrs for group in doc.spans.values() for n in noted)
        return bool(self.profile or self.types) or any(listed) or any(declared_in(doc))

    def orders_for(
        self, doc: Doc, spans: Sequence[Candidate], given: Sequence[Order] = ()
    ) -> list[Order]:
        """What is ordered of each span of a document.

        doc (Doc): The document.
        spans (Sequence[Candidate]): Its spans.
        given (Sequence[Order]): What a component before has ordered of them.
        RETURNS (List[Order]): One a span.
        """
        if not self.has_orders(doc):
            return list(given) or [Order()] * len(spans)
        allowed, denied, declared = allowed_in(doc), denied_in(doc), declared_in(doc)
        before = given or [Order()] * len(spans)
        out = []
        texts = texts_of(doc, spans)
        for c, text, known in zip(spans, texts, before, strict=True):
            if touches(c, denied):
                out.append(Order(DENY, DIRECT, DENIED))
            elif is_within(c, allowed):
                out.append(Order(ALLOW, NO_MASK, ALLOWED))
            elif touches(c, declared):
                decision = DIRECT if c.label in ("PERSON", "CODE") else QUASI
                strategy = known.strategy or self._by_table(c, text).strategy
                out.append(Order(FORCE, decision, DECLARED, strategy))
            elif known.kind or known.strategy:
                out.append(known)
            else:
                out.append(self._by_table(c, text))
        return out

    def _by_table(self, c: Candidate, text: str) -> Order:
        subtype = subtype_of(c.id, c.source) if c.id else ""
        if self.types and not {c.label, subtype} & set(self.types):
            return Order(LEAVE, NO_MASK, "not of the types to mask")
        if self.profile is None:
            return Order()
        row = self.profile.row_for(c.label, subtype, text)
        name = f"the profile {self.profile.name}"
        if row.decision == NEVER:
            return Order(LEAVE, NO_MASK, f"{name} leaves {row.what}")
        if row.decision == JUDGE:
            return Order(strategy=row.strategy)
        return Order(FORCE, row.decision, f"{name} masks {row.what}", row.strategy)
