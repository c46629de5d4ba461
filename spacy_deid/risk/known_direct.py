"""Identifiers that point at one person by themselves, whatever the context."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from ipaddress import ip_address, ip_network

from spacy.tokens import Doc

from ..models.span_risk import SpanContext
from ..registries import registry
from ..schema import DIRECT, Candidate, texts_of
from ..text.names import normalise, split_name
from .base import Vote

ALWAYS_DIRECT = tuple(
    "ACCOUNT CARD CRYPTO DRIVER_LICENCE EMAIL HEALTH_ID IBAN IP MAC NATIONAL_ID PASSPORT "
    "PASSWORD PHONE PLATE RECORD_NUMBER TAX_ID USERNAME VIN".split()
)
# Addresses that anybody's network may have: RFC 1918, 6598, 3927, 4193, 4291.
_SHARED = tuple(
    ip_network(net)
    for net in "0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 "
    "192.168.0.0/16 ::/127 fc00::/7 fe80::/10".split()
)


@registry.deid_indicators("spacy_deid.known_direct.v1")
@dataclass
class KnownDirect:
    """Direct identifiers of known kinds.

    A span is DIRECT if its subtype is in the list, but for an IP address that is free
    to any network, such as 10.0.0.1; if it is a number of the case
    that the document is about, not of one that it cites; or if it names the person
    in `doc._.deid_target`.

    subtypes (Sequence[str]): Subtypes that are direct identifiers.
    """

    subtypes: Sequence[str] = ALWAYS_DIRECT

    def __call__(self, context: SpanContext) -> list[Vote | None]:
        """The votes of the indicator."""
        doc, spans, _ = context
        own = own_case_numbers(doc, spans)
        target = _name_parts(doc._.deid_target) if doc._.deid_target else frozenset()
        votes: list[Vote | None] = []
        for i, (c, text) in enumerate(zip(spans, texts_of(doc, spans))):
            reason = ""
            if c.id in self.subtypes and not (c.id == "IP" and _is_shared(text)):
                reason = f"{c.id} identifies one person or account"
            elif i in own:
                reason = "number of the case itself"
            elif target and c.label == "PERSON" and target <= _name_parts(text):
                reason = "name of the person to protect"
            votes.append(Vote(DIRECT, 1.0, reason) if reason else None)
        return votes


def _is_shared(text: str) -> bool:
    """Whether an IP address, perhaps with a port or a length behind, is nobody's own."""
    if (address := text.partition("/")[0].strip("[]")).count(".") == 3:
        address = address.partition(":")[0]
    try:
        found = ip_address(address)
    except ValueError:
        return False
    return any(found in net for net in _SHARED)


# Tokens before a case number in which a case is cited by its parties, and how.
CITATION_REACH = 25
VERSUS = frozenset({"v.", "v", "vs.", "vs", "versus", "c.", "gegen"})


def own_case_numbers(doc: Doc, spans: Sequence[Candidate]) -> set[int]:
    """Indices of the numbers of the case that the document is about."""
    numbers = [i for i, c in enumerate(spans) if c.id == "CASE_NUMBER"]
    own = set(numbers[:1])
    for i in numbers[1:]:
        start = spans[i].start
        before = doc[max(0, start - CITATION_REACH) : start]
        cited = False
        for token in before:
            if token.is_space and "\n" in token.text:
                cited = False
            elif token.lower_ in VERSUS:
                cited = True
        if not cited:
            own.add(i)
    return own


def _name_parts(text: str) -> frozenset[str]:
    """Given and family names, normalised."""
    name = split_name(text)
    words = f"{name.given} {name.middle} {name.family}".split()
    return frozenset(filter(None, map(normalise, words)))
