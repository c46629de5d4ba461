"""E-mail addresses: plain, spelled out, and encoded for HTML or URLs."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterator
from urllib.parse import unquote

from ...registries import registry
from ...text.words import before
from ..base import Anchored, Anchors, Hit, Recognizer, hit
from ..separated import SeparatingRecognizer
from .tlds import all_tlds

_LOCAL_MAX = 64
# Matched against the text before the sign, reversed.
_LOCAL = re.compile(r"\"[^\"\n]{1,62}\"|[\w.'+~%-]{1,64}")
_HOST = re.compile(
    r"(?:[^\W_][\w-]{0,62}\.){1,8}[^\W_][\w-]{0,62}"
    r"|\[(?:[0-9]{1,3}(?:\.[0-9]{1,3}){3}|(?i:ipv6:)[0-9A-Fa-f:.]{2,45})\]"
    r"|localhost(?!\w)"
)
_IP_HOST = re.compile(r"[0-9]{1,3}(?:\.[0-9]{1,3}){3}")
_ASCII_TLD = re.compile(r"[a-z]{2,24}|[A-Z]{2,24}|xn--[a-zA-Z0-9-]{2,59}")
# Where a host and the next word or address run into each other: "orgTel", "org-anna".
_GLUED = re.compile(r"([a-z]{2,24})(?=[A-Z_-])")

_OPEN, _CLOSE = r"\s{0,2}[\[({<|]{1,2}\s?", r"\s?[\])}>|]{1,2}\s{0,2}"
_AT_WORDS = r"at|@|a|ät|arroba|chez|chiocciola|klammeraffe|apenstaartje|małpa|собака"
_DOT_WORDS = r"dot|d0t|punkt|punto|point|ponto|punt|kropka|точка|tačka|tečka"
_DOT = rf"(?:{_OPEN}(?:{_DOT_WORDS}|\.){_CLOSE}|\s?[-_*]dot[-_*]\s?)"
_DOT_SPOKEN = rf"(?:{_DOT}|\s(?:{_DOT_WORDS})\s)"
_NAME = r"[^\W_][\w-]{0,62}"
_ONE = r"[^\W_](?:-?[^\W_]){0,62}"
_HOST_REST = rf"(?P<host>{_ONE}(?:(?:{_DOT_SPOKEN}|\.|\s\.\s){_ONE}){{1,5}})"
# Spoken words, each language with its own: "at this point in" is no address.
_SPOKEN = (
    ("at ät", "dot|d0t|punkt"),
    ("arroba arobase chez chiocciola", "punto|point|ponto|punt"),
    ("klammeraffe małpa собака zavináč kukac", "punkt|kropka|точка|tečka|pont"),
)
_SPOKEN_SIGNS = [
    Anchored(
        rf"(?i:(?:{at.replace(' ', '|')})\s(?P<host>{_NAME}(?:\.{_NAME}){{0,4}}"
        rf"(?:(?:{_DOT}|\s(?:{dot})\s|\.){_NAME}){{1,5}}))",
        at,
    )
    for at, dot in _SPOKEN
]
_SPOKEN_ANCHORS = Anchors(*_SPOKEN_SIGNS)
_SIGN = re.compile(
    # One set of characters first: the engine looks for it in a tight loop.
    rf"[\[({{<|*_-](?i:(?<=[\[({{<|])[\[({{<|]?\s?(?:{_AT_WORDS}|at\ssign){_CLOSE}{_HOST_REST}"
    rf"|(?<=[-_*])at[-_*]\s?{_HOST_REST.replace('host', 'host2')})"
)
_AT_SIGN = re.compile(rf"@\s?(?i:{_HOST_REST})")
_DOT_SIGN = re.compile(rf"(?i:{_DOT_SPOKEN})")
# The name before the sign, matched backwards.
_BACK_DOTS = "|".join(word[::-1] for word in _DOT_WORDS.split("|"))
_BACK_LINK = (
    rf"(?:\s(?:{_BACK_DOTS}|erocsrednu|hsad|nehpyh|sulp)\s"
    rf"|\s?[\])}}>|]\s?(?:{_BACK_DOTS}|\.)\s?[\[({{<|]\s?|[-_*]tod[-_*])"
)
_NAME_BACK = re.compile(
    rf"(?i:\s{{0,2}}([\w+-]{{1,40}}(?:\.[\w+-]{{1,40}}){{0,5}}(?:{_BACK_LINK}\w{{1,40}}){{0,3}}))"
)
_STEP = re.compile(rf"(?i:{_DOT_SPOKEN}|\.|\s\.\s)(?P<tld>\w+)")
_CAMEL = re.compile(
    r"(?<![\w.])[a-z0-9][a-z0-9._-]{0,63}A(?<=[a-z0-9]A)T[a-z0-9-]{1,63}"
    r"(?:DOT[a-z0-9-]{1,63}){1,4}(?!\w)"
)
# "anna at example.org", "anna @ example.org": also what one says of a place.
_LOOSE = Anchored(rf"(?i:at)(?<=\s..)\s(?P<host>{_NAME}(?:\.{_NAME}){{1,4}})", "at")
_SPACED = re.compile(rf"@(?:(?<=\s@)\s?|\s)(?P<host>{_NAME}(?:\.{_NAME}){{1,4}})")
_LOOSE_LOCAL = re.compile(r"(?<![\w.+-])[\w.+-]{1,64}\s{0,2}\Z")
_SPELLED = "spelled-out e-mail address"
_MAIL_WORD = re.compile(
    r"\b(?:e-?mails?(?:\saddress)?|mails?|contact|write(?:\sto)?|reach(?:\sme)?|correo"
    r"|courriel|adresse|indirizzo|posta|почта)(?:\s(?:is|at|to|me|us|ist|es|est))?"
    r"[\s:=<(\"']{0,3}\Z"
)

_ENTITY = r"&(?:#[0-9]{1,6}|#[xX][0-9A-Fa-f]{1,6}|commat|period|lowbar|hyphen|plus);?"
_BYTES = r"%[0-9A-Fa-f]{2}"
_ESCAPE = re.compile(_BYTES)
_ENCODED: dict[str, tuple[re.Pattern[str], re.Pattern[str], Callable[[str], str]]] = {
    "HTML entities": (
        re.compile(r"&(?:#0{0,4}64|#[xX]0{0,4}40|commat|#0{0,4}46|period);?"),
        re.compile(rf"{_ENTITY}|[\w.@+'-]"),
        html.unescape,
    ),
    "percent-encoding": (
        re.compile(r"%40|%2[eE]"),
        re.compile(rf"{_BYTES}|[\w.@+'-]"),
        unquote,
    ),
}


def find_emails(text: str) -> Iterator[Hit]:
    """Find e-mail addresses."""
    yield from _plain(text)
    yield from _spelled(text)
    if "&" in text:
        yield from _encoded(text, "HTML entities")
    if "%" in text:
        yield from _encoded(text, "percent-encoding")


def _plain(text: str) -> Iterator[Hit]:
    floor = 0
    at = text.find("@")
    while at >= 0:
        host = _HOST.match(text, at + 1)
        if host is not None:
            start = _local_start(text, at, floor)
            end, known = _host_end(text, host)
            if start < at and end:
                reason = (
                    "form of an e-mail address with a public top-level domain"
                    if known
                    else "form of an e-mail address"
                )
                score = 0.99 if known else 0.9
                yield hit(start, end, "CODE", "EMAIL", score, reason=reason)
                floor = end
        at = text.find("@", at + 1)


def _local_start(text: str, at: int, floor: int) -> int:
    """Where the name before the sign begins."""
    window = text[max(floor, at - _LOCAL_MAX - 2) : at][::-1]
    local = _LOCAL.match(window)
    if local is None:
        return at
    start = at - local.end()
    if text[start] == '"':
        return start
    # "mailto%3Aanna@example.org": the escape is not part of the name.
    for escape in _ESCAPE.finditer(text, start, at):
        start = escape.end()
    while start < at and text[start] in ".'-+~%":
        start += 1
    return start


def _host_end(text: str, host: re.Match[str]) -> tuple[int, bool]:
    """Where a host ends, 0 if it is none; whether its top-level domain is known."""
    value, end = host[0], host.end()
    if value[0] == "[" or value == "localhost":
        return end, True
    if _IP_HOST.fullmatch(value):
        # A version of a package, or a login: without brackets it is no mail host.
        return 0, False
    tlds = all_tlds()
    joined = text[end : end + 1] == "@"
    while True:
        rest, dot, label = value.rpartition(".")
        if not dot:
            break
        if not joined and label.lower() in tlds and _cased(label, rest):
            return host.start() + len(value), True
        glued = _GLUED.match(label)
        if glued and glued[1] in tlds:
            return host.start() + len(rest) + 1 + glued.end(), True
        value, joined = rest, False
    last = host[0].rpartition(".")[2].rstrip("-_")
    if text[end : end + 1] == "@" or not _ASCII_TLD.fullmatch(last):
        return (0, False) if last.isascii() or not last.isalpha() else (end, False)
    return end - (len(host[0]) - len(host[0].rstrip("-_"))), False


def _cased(label: str, rest: str) -> bool:
    """Whether a label is written like the end of a host, not like a new sentence."""
    return label.islower() or not label.isascii() or label.isupper() or rest.istitle()


def _spelled(text: str) -> Iterator[Hit]:
    for spoken in () if _SPOKEN_ANCHORS.absent(text) else _SPOKEN_SIGNS:
        for m in spoken.finditer(text):
            if text[m.start() - 1 : m.start()].isspace() and _DOT_SIGN.search(
                m["host"]
            ):
                yield from _spelled_at(text, m.start(), m.start("host"), m["host"])
    for m in _SIGN.finditer(text):
        group = "host" if m["host"] else "host2"
        yield from _spelled_at(text, m.start(), m.start(group), m[group])
    if "@" in text:
        for m in _AT_SIGN.finditer(text):
            if _DOT_SIGN.search(m["host"]):
                yield from _spelled_at(text, m.start(), m.start("host"), m["host"])
        for m in _SPACED.finditer(text):
            yield from _loose(text, m)
    if "DOT" in text:
        for m in _CAMEL.finditer(text):
            if m[0].rpartition("DOT")[2] in all_tlds():
                yield hit(*m.span(), "CODE", "EMAIL", 0.8, reason=_SPELLED)
    for m in _LOOSE.finditer(text):
        yield from _loose(text, m)


def _spelled_at(text: str, sign: int, start: int, host: str) -> Iterator[Hit]:
    """The address around a sign, before a host whose dots may be words."""
    tlds = all_tlds()
    end = 0
    for step in _STEP.finditer(host):
        if step["tld"].lower() in tlds:
            end = start + step.end()
    name = _NAME_BACK.match(text[max(0, sign - 110) : sign][::-1])
    if end and name is not None:
        begin = sign - name.end(1)
        while text[begin] in ".+-_" and begin < sign:
            begin += 1
        yield hit(begin, end, "CODE", "EMAIL", 0.85, reason=_SPELLED)


def _loose(text: str, m: re.Match[str]) -> Iterator[Hit]:
    host = m["host"]
    if host.rpartition(".")[2].lower() not in all_tlds() or not host[-1].islower():
        return
    local = _LOOSE_LOCAL.search(text, max(0, m.start() - 66), m.start())
    if local is None:
        return
    name = local[0].strip()
    # A plain word may be a verb: "look at example.org".
    odd = any(c.isdigit() or c in "._+" for c in name) and any(map(str.isalpha, name))
    named = bool(_MAIL_WORD.search(before(text, local.start(), 30)))
    if (odd and name[-1] not in ".-+") or named:
        reason = "e-mail address with a spelled-out or spaced at sign"
        if named:
            reason += "; after an e-mail word"
        start = local.start() + len(local[0]) - len(local[0].lstrip())
        yield hit(start, m.end(), "CODE", "EMAIL", 0.8 if named else 0.7, reason=reason)


def _encoded(text: str, kind: str) -> Iterator[Hit]:
    cue, token, decode = _ENCODED[kind]
    done = 0
    for m in cue.finditer(text):
        if m.start() < done:
            continue
        start = _encoded_start(text, m.start(), done)
        tokens: list[tuple[str, int, int]] = []
        while len(tokens) < 200:
            t = token.match(text, start)
            if t is None:
                break
            tokens.append((decode(t[0])[:1] or " ", t.start(), t.end()))
            start = t.end()
        if not tokens:
            continue
        done = tokens[-1][2]
        plain = "".join(char for char, _, _ in tokens)
        for h in _plain(plain):
            yield hit(
                tokens[h.start][1],
                tokens[h.end - 1][2],
                "CODE",
                "EMAIL",
                0.95,
                reason=f"e-mail address disguised by {kind}",
            )


_BACK = re.compile(r"(?:[\w.+'-]|;[0-9A-Za-z]{1,7}#?&|[0-9A-Fa-f]{2}%){1,120}")


def _encoded_start(text: str, cue: int, floor: int) -> int:
    """Where the run of characters and escapes before an escape begins."""
    window = text[max(floor, cue - 240) : cue][::-1]
    m = _BACK.match(window)
    return cue - (m.end() if m else 0)


@registry.deid_patterns("spacy_deid.email_patterns.v1")
def make_email_patterns() -> Recognizer:
    """E-mail addresses, also spelled out or encoded.

    RETURNS (Recognizer): Function of a text that yields hits without overlaps.
    """
    return SeparatingRecognizer(find_emails)
