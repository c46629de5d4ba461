"""Passwords, PINs, one-time codes, keys and tokens: next to their names, and by the
forms that their issuers gave them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...registries import registry
from ..base import Hit, Recognizer
from ..separated import SeparatingRecognizer
from ..tables import Forms, word_set
from .labelled import P

_CODES = word_set("names.PIN")
_NOT_SECRET = word_set("secret.not_secret")
# Names that are also words of other texts.
_VAGUE = frozenset("pass pw token secret session bearer access key account".split())
_FORMS = Forms("secret")


def find_secrets(text: str) -> Iterator[Hit]:
    """Find passwords, codes, keys and tokens."""
    for m in P.secret.finditer(text):
        quoted = m["v"] is None
        start, end = m.span(m.lastgroup or "v")
        value = m[m.lastgroup or "v"]
        if not quoted:
            value = _without_stops(text, start, value)
            # A bracket that nothing closes belongs to the value.
            close = {"(": ")", "[": "]"}.get(text[start - 1])
            if close and close not in text[start : start + len(value) + 1]:
                start, value = start - 1, text[start - 1] + value
        name = " ".join(re.split(r"[\s_-]+", m["name"].lower()))
        score = 0.0
        if len(value) > 2 and value.lower() not in _NOT_SECRET and "://" not in value:
            if name.replace(" ", "_") in _CODES:
                score = _judge_code(name, m["sep"], value)
            elif any(map(str.isalnum, value)):
                follows = text[m.end() - 1 : m.end() + 8]
                score = _judge(name, m["sep"], value, quoted, follows)
        if score:
            end, reason = start + len(value), f"next to '{name}'"
            yield P.hit(start, end, "PASSWORD", score, reason)
    yield from _FORMS(text)


def _without_stops(text: str, start: int, value: str) -> str:
    """A value without the signs that end its sentence."""
    if value[-1:] in (".", ":", "?"):
        value = value[:-1]
    if value[-1:] == "!" and not _odd(value[:-1]):
        value = value[:-1]
    # A bracket that is opened before the value.
    for open_, close in ("()", "[]", "{}"):
        if value[-1:] == close and open_ not in value:
            line = text[max(0, start - 120) : start].rpartition("\n")[2]
            if line.count(open_) > line.count(close):
                value = value[:-1]
    return value


def _judge_code(name: str, sep: str, value: str) -> float:
    """Confidence in digits next to the name of a code."""
    digits = sum(map(str.isdigit, value))
    strict = ":" in sep or "=" in sep
    # "pin 3 of the chip" is a part.
    least = 3 if strict and "security" in name else 4
    if digits < least or (name == "pin" and sep == " "):
        return 0.0
    score = 0.85 if strict else 0.75
    return score if P.secret_code.fullmatch(value) else 0.0


def _judge(name: str, sep: str, value: str, quoted: bool, follows: str) -> float:
    """Confidence that a value next to a name is a secret."""
    odd, vague = _odd(value), name in _VAGUE
    if any(c in sep for c in ":=>"):
        if odd or quoted:
            return 0.0 if name == "pass" and value.isdigit() else 0.9
        short = len(value) < 4 and "=" not in sep
        # "token: the": prose after a colon goes on in lower case.
        prose = vague and (name == "pass" or P.secret_goes_on.match(follows, 1))
        return 0.0 if short or prose else 0.75
    if sep.strip():
        ends = quoted or P.secret_ends.match(follows, 1)
        return 0.85 if odd else 0.65 if ends and not vague else 0.0
    if vague and len(value) < 12:
        return 0.0
    if quoted and odd:
        return 0.8
    digits = len(value) > 5 and any(map(str.isdigit, value))
    return 0.7 if digits and not P.secret_measure.fullmatch(value) else 0.0


def _odd(value: str) -> bool:
    """Whether a value is no plain word."""
    return any(c.isdigit() for c in value) or any(not c.isalnum() for c in value[1:-1])


@registry.deid_patterns("spacy_deid.secret_patterns.v1")
def make_secret_patterns() -> Recognizer:
    """Passwords, PINs, one-time codes, keys and tokens.

    RETURNS (Recognizer): Function of a text that yields hits without overlaps.
    """
    return SeparatingRecognizer(find_secrets)
