"""E-mail addresses: plain, spelled out, and encoded for HTML or URLs."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import unquote

from ...registries import registry
from ...text.words import before
from ..base import Hit, Recognizer
from ..separated import SeparatingRecognizer
from .forms import P
from .tlds import all_tlds

_LOCAL_MAX = 64

_SPELLED = "spelled-out e-mail address"

# What stands in such a text, what is decoded, and how.
_ENCODED: dict[str, tuple[str, Any, Any, Callable[[str], str]]] = {
    "HTML entities": ("&", P.mail_entity_cue, P.mail_entity, html.unescape),
    "percent-encoding": ("%", P.mail_byte_cue, P.mail_byte, unquote),
}


def find_emails(text: str) -> Iterator[Hit]:
    """Find e-mail addresses."""
    yield from _plain(text)
    yield from _spelled(text)
    for kind, (sign, cue, token, decode) in _ENCODED.items():
        if sign in text:
            yield from _encoded(text, kind, cue, token, decode)


def _plain(text: str) -> Iterator[Hit]:
    floor = 0
    at = text.find("@")
    while at >= 0:
        if (host := P.mail_host.match(text, at + 1)) is not None:
            start = _local_start(text, at, floor)
            end, known = _host_end(text, host)
            if start < at and end:
                reason = "form of an e-mail address"
                reason += " with a public top-level domain" if known else ""
                yield P.hit(start, end, "EMAIL", 0.99 if known else 0.9, reason)
                floor = end
        at = text.find("@", at + 1)


def _local_start(text: str, at: int, floor: int) -> int:
    """Where the name before the sign begins."""
    local = P.mail_local.match(text[max(floor, at - _LOCAL_MAX - 2) : at][::-1])
    if local is None:
        return at
    start = at - local.end()
    if text[start] == '"':
        return start
    # "mailto%3Aanna@example.org": the escape is not part of the name.
    for escape in P.mail_escape.finditer(text, start, at):
        start = escape.end()
    while start < at and text[start] in ".'-+~%":
        start += 1
    return start


def _host_end(text: str, host: re.Match[str]) -> tuple[int, bool]:
    """Where a host ends, 0 if it is none; whether its top-level domain is known."""
    value, end = host[0], host.end()
    if value[0] == "[" or value == "localhost":
        return end, True
    if P.mail_ip_host.fullmatch(value):
        # A version of a package, or a login: without brackets it is no mail host.
        return 0, False
    tlds = all_tlds()
    joined = text[end : end + 1] == "@"
    while "." in value:
        rest, _, label = value.rpartition(".")
        if not joined and label.lower() in tlds and _cased(label, rest):
            return host.start() + len(value), True
        if (glued := P.mail_glued.match(label)) and glued[1] in tlds:
            return host.start() + len(rest) + 1 + glued.end(), True
        value, joined = rest, False
    last = host[0].rpartition(".")[2].rstrip("-_")
    if text[end : end + 1] == "@" or not P.mail_ascii_tld.fullmatch(last):
        return (0, False) if last.isascii() or not last.isalpha() else (end, False)
    return end - (len(host[0]) - len(host[0].rstrip("-_"))), False


def _cased(label: str, rest: str) -> bool:
    """Whether a label is written like the end of a host, not like a new sentence."""
    return label.islower() or not label.isascii() or label.isupper() or rest.istitle()


def _spelled(text: str) -> Iterator[Hit]:
    for spoken in (P.mail_said_dot, P.mail_said_punto, P.mail_said_punkt):
        for m in spoken.finditer(text):
            apart = text[m.start() - 1 : m.start()].isspace()
            if apart and P.mail_dot_sign.search(m["host"]):
                yield from _spelled_at(text, m, "host")
    for m in P.mail_sign.finditer(text):
        yield from _spelled_at(text, m, "host" if m["host"] else "host2")
    if "@" in text:
        for m in P.mail_at_sign.finditer(text):
            if P.mail_dot_sign.search(m["host"]):
                yield from _spelled_at(text, m, "host")
        for m in P.mail_spaced.finditer(text):
            yield from _loose(text, m)
    if "DOT" in text:
        for m in P.mail_camel.finditer(text):
            if m[0].rpartition("DOT")[2] in all_tlds():
                yield P.found(m, "EMAIL", 0.8, _SPELLED)
    for m in P.mail_loose.finditer(text):
        yield from _loose(text, m)


def _spelled_at(text: str, m: re.Match[str], group: str) -> Iterator[Hit]:
    """The address around a sign, before a host whose dots may be words."""
    sign, end = m.start(), 0
    for step in P.mail_step.finditer(m[group]):
        if step["tld"].lower() in all_tlds():
            end = m.start(group) + step.end()
    name = P.mail_name_back.match(text[max(0, sign - 110) : sign][::-1])
    if end and name is not None:
        begin = sign - name.end(1)
        while text[begin] in ".+-_" and begin < sign:
            begin += 1
        yield P.hit(begin, end, "EMAIL", 0.85, _SPELLED)


def _loose(text: str, m: re.Match[str]) -> Iterator[Hit]:
    host = m["host"]
    if host.rpartition(".")[2].lower() not in all_tlds() or not host[-1].islower():
        return
    local = P.mail_loose_local.search(text, max(0, m.start() - 66), m.start())
    if local is None:
        return
    name = local[0].strip()
    # A plain word may be a verb: "look at example.org".
    odd = any(c.isdigit() or c in "._+" for c in name) and any(map(str.isalpha, name))
    named = bool(P.mail_word.search(before(text, local.start(), 30)))
    if (odd and name[-1] not in ".-+") or named:
        reason = "e-mail address with a spelled-out or spaced at sign"
        if named:
            reason += "; after an e-mail word"
        start = local.start() + len(local[0]) - len(local[0].lstrip())
        yield P.hit(start, m.end(), "EMAIL", 0.8 if named else 0.7, reason)


def _encoded(
    text: str, kind: str, cue: Any, token: Any, decode: Callable[[str], str]
) -> Iterator[Hit]:
    done = 0
    for m in cue.finditer(text):
        if m.start() < done:
            continue
        # Where the run of characters and escapes before it begins.
        before = P.mail_back.match(text[max(done, m.start() - 240) : m.start()][::-1])
        start = m.start() - (before.end() if before else 0)
        tokens: list[tuple[str, int, int]] = []
        while len(tokens) < 200 and (t := token.match(text, start)):
            tokens.append((decode(t[0])[:1] or " ", t.start(), t.end()))
            start = t.end()
        done = tokens[-1][2] if tokens else done
        for h in _plain("".join(char for char, _, _ in tokens)):
            start, end = tokens[h.start][1], tokens[h.end - 1][2]
            reason = f"e-mail address disguised by {kind}"
            yield P.hit(start, end, "EMAIL", 0.95, reason)


@registry.deid_patterns("spacy_deid.email_patterns.v1")
def make_email_patterns() -> Recognizer:
    """E-mail addresses, also spelled out or encoded.

    RETURNS (Recognizer): Function of a text that yields hits without overlaps.
    """
    return SeparatingRecognizer(find_emails)
