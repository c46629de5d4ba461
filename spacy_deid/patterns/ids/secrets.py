"""Passwords, PINs, one-time codes, keys and tokens: next to their names, and by the
forms that their issuers gave them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...registries import registry
from ..base import Anchored, Anchors, Hit, Recognizer, drop_covered, hit
from ..separated import SeparatingRecognizer
from ..tables import Forms, word_set, words
from ..words import words_before

_VALUE = r"(?:\"(?P<q>[^\"\n]{3,200})\"|'(?P<p>[^'\n]{3,200})'|[\"'`(\[]{0,2}(?P<v>[^\s\"'`,;<>]{3,300}))"
_NAME_START = r"(?<![^\W_].)"
# Names of what opens something, by the word they begin with.
_NAMES = (
    rf"(?P<name>[Pp]{_NAME_START}(?i:ass(?:words?|wd|code|phrase|wort|wörter|key)?|wd|w|sk|asse"
    r"|rivate[\s_-]?key)"
    rf"|[Kk]{_NAME_START}(?i:ennwort|odeord)|[Ll]{_NAME_START}(?i:ösenord|ozinka)"
    rf"|[Ww]{_NAME_START}(?i:achtwoord|epa?[\s_-]?key|i-?fi[\s_-](?:password|key))"
    rf"|[Hh]{_NAME_START}(?i:asło|eslo)|[Сс]{_NAME_START}(?i:екрет)|[Пп]{_NAME_START}(?i:ароль)"
    rf"|[Ss]{_NAME_START}(?i:enha|ecret(?:[\s_-]?(?:key|token|access[\s_-]?key))?|alasana"
    r"|ession[\s_-]?(?:key|token|id|cookie)|ign(?:ing|ature)[\s_-]?(?:key|secret)|sh[\s_-]?key"
    r"|hared[\s_-]?(?:secret|key|access[\s_-]?key))"
    rf"|[Aa]{_NAME_START}(?i:pi[\s_-]?(?:key|token|secret)|ccess[\s_-]?(?:key|token)(?:[\s_-]?id)?"
    r"|uth(?:entication|orization)?[\s_-]?(?:token|key)|pp[\s_-]?(?:key|secret|password)"
    r"|ccount[\s_-]?key)"
    rf"|[Tt]{_NAME_START}(?i:oken)|[Bb]{_NAME_START}(?i:earer(?:[\s_-]?token)?)"
    rf"|[Cc]{_NAME_START}(?i:lient[\s_-]?(?:secret|key)|ontraseña|ontrasena|lave|vv2?|vc2?)"
    rf"|[Mm]{_NAME_START}(?i:ot\sde\spasse|aster[\s_-]?(?:key|password)|dp)"
    rf"|[Ee]{_NAME_START}(?i:ncryption[\s_-]?key)|[Rr]{_NAME_START}(?i:efresh[\s_-]?token"
    r"|ecovery[\s_-]?(?:key|code))"
    rf"|[Ll]{_NAME_START}(?i:icen[cs]e[\s_-]?key)|[Ww]{_NAME_START}(?i:ebhook[\s_-]?secret))"
)
_NAME_WORDS = words("secret.words")
_SEP = (
    r"(?:\s(?:for|of|to)\s(?:[^\s:=]{1,60}[ ]?){1,3}(?=\s?[:=]))?"
    r"(?P<sep>[\"']?\s?(?::=|=>|[:=])\s{0,2}|>(?=[^\s<>]{3,200}</)"
    r"|\s?\?\s{0,2}(?i:it'?s|it\sis)\s"
    r"|\s(?i:is|was|ist|es|est|lautet|è|to|are)\s?:?\s|\s)"
)


_SECRET = Anchored(rf"{_NAMES}{_SEP}{_VALUE}", *_NAME_WORDS)
# Codes of digits.
_CODE = Anchored(
    r"(?P<name>[Pp](?<!\w.)(?:IN|in)(?:[\s-](?i:code|number|no\.?))?|(?i:"
    r"[otvsadeugr](?<!\w.)(?:tp|ne[\s-]time\s(?:code|password|passcode|pin)|wo-factor\scode"
    r"|erification\scode|ecurity\scode|ccess\scode|uth(?:entication|orization)?\scode"
    r"|ctivation\scode|oor\scode|ntry\scode|nlock\scode|ate\scode|larm\scode|ecovery\scode)))"
    r"(?:\sfor\s(?:[a-z]{1,12}\s?){1,3})?"
    r"(?P<sep>\s?[:=]\s?|\s(?:is|was|ist)\s?:?\s|\s)(?P<v>#?[A-Z0-9][A-Z0-9-]{2,11})(?![\w@]|[.,][0-9])",
    "pin otp one two verification security access auth authentication authorization activation"
    " door entry unlock gate alarm recovery",
)
_LOGIN = Anchored(
    r"(?i:(?:log|sign)(?:ged|ed)?[\s-]?(?:in|on)\s(?:as|with)\s[^\s,]{2,64}\s(?:with|and|/)\s"
    r"(?:the\s)?)(?P<v>[^\s\"'`<>]{5,64})",
    "log sign logged signed login logon signin",
)
_BASIC = Anchored(
    r"(?i:basic)(?<=[\s:].....)\s(?P<v>[A-Za-z0-9+/]{8,400}={0,2})(?![\w+/])", "basic"
)


_PEM_START = re.compile(r"-----BEGIN (?:[A-Z]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----")
_PEM_END = re.compile(r"-----END (?:[A-Z]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----")
_PEM_BODY = re.compile(r"[\sA-Za-z0-9+/=:,().-]{0,16000}")
_NOT_SECRET = word_set("secret.not_secret")
_OPEN_END = ".)]}!?:"


def find_secrets(text: str) -> Iterator[Hit]:
    """Find passwords, codes, keys and tokens."""
    if not _NAMED.absent(text):
        yield from _named(text)
    if "--" in text:
        yield from _private_keys(text)
    yield from _KEYS(text)


_NAMED = Anchors(_SECRET, _CODE, _LOGIN, _BASIC)


def _named(text: str) -> Iterator[Hit]:
    for m in _SECRET.finditer(text):
        yield from _next_to_name(text, m)
    for m in _CODE.finditer(text):
        yield from _code(text, m)
    for m in _LOGIN.finditer(text):
        value = _without_stops(text, m.start("v"), m["v"].rstrip(","))
        if _mixed(value):
            end = m.start("v") + len(value)
            yield _secret(m.start("v"), end, 0.8, "after the name used to log in")
    for m in _BASIC.finditer(text):
        value = m["v"]
        if any(map(str.isupper, value)) and any(map(str.islower, value[1:])):
            odd = any(map(str.isdigit, value)) or value[-1] == "="
            if odd and len(value) > 11:
                yield _secret(*m.span("v"), 0.85, "encoded name and password")


def _next_to_name(text: str, m: re.Match[str]) -> Iterator[Hit]:
    group = "q" if m["q"] else "p" if m["p"] else "v"
    value, start = m[group], m.start(group)
    if group == "v":
        value = _without_stops(text, start, value)
        # A bracket that nothing closes belongs to the value.
        close = {"(": ")", "[": "]"}.get(text[start - 1])
        if close and close not in text[start : start + len(value) + 1]:
            start, value = start - 1, text[start - 1] + value
    score = _judge(m, value, group != "v", text)
    if score:
        name = " ".join(re.split(r"[\s_-]+", m["name"].lower()))
        yield _secret(start, start + len(value), score, f"next to '{name}'")


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


def _judge(m: re.Match[str], value: str, quoted: bool, text: str) -> float:
    """Confidence that a value next to a name is a secret."""
    sep = m["sep"]
    strict = any(c in sep for c in ":=>")
    if len(value) < 3 or value.lower() in _NOT_SECRET or "://" in value:
        return 0.0
    if not any(c.isalnum() for c in value):
        return 0.0
    odd, digits = _odd(value), any(map(str.isdigit, value))
    if strict:
        if value.isalpha() and not quoted and len(value) < 4 and "=" not in sep:
            return 0.0
        # "token: the": prose after a colon goes on in lower case.
        prose = value.isalpha() and not quoted and _GOES_ON.match(text, m.end())
        if m["name"].lower() == "pass" and (value.isdigit() or not odd):
            return 0.0
        return 0.9 if odd or quoted else 0.0 if prose and _vague(m) else 0.75
    if sep.strip():
        if odd:
            return 0.85
        ends = _ENDS.match(text, m.end())
        plain = not quoted and not (ends or m[0][-1] in _OPEN_END)
        return 0.0 if plain or _vague(m) else 0.65
    if _vague(m) and len(value) < 12:
        return 0.0
    if quoted and odd:
        return 0.8
    return 0.7 if digits and odd and len(value) > 5 and not _measure(value) else 0.0


_GOES_ON = re.compile(r"\s[a-z]")
_ENDS = re.compile(r"\s*(?:\Z|[\n.,;!)\"'])")
_VAGUE = frozenset("pass pw token secret session bearer access key account".split())


def _vague(m: re.Match[str]) -> bool:
    """Whether the name is also a word of other texts."""
    return m["name"].lower() in _VAGUE


def _measure(value: str) -> bool:
    return (value.isdigit() and len(value) < 4) or re.fullmatch(
        r"[\d.,:/-]+", value
    ) is not None


def _mixed(value: str) -> bool:
    """Whether a value mixes digits with signs or with letters of both cases."""
    cases = any(map(str.isupper, value)) and any(map(str.islower, value))
    signs = any(not c.isalnum() and c not in ".-_/:" for c in value)
    return len(value) > 4 and any(map(str.isdigit, value)) and (cases or signs)


def _odd(value: str) -> bool:
    """Whether a value is no plain word."""
    return any(c.isdigit() for c in value) or any(not c.isalnum() for c in value[1:-1])


def _code(text: str, m: re.Match[str]) -> Iterator[Hit]:
    value, name = m["v"], m["name"]
    digits = sum(map(str.isdigit, value))
    strict = any(c in m["sep"] for c in ":=")
    if not digits or (digits < len(value) and digits < 3):
        return
    # "pin 3" is a part; "PIN 4821" and "pin code 4821" are secrets.
    plain = m["sep"].isspace() and name == "pin"
    if digits < 4 and not (strict and "security" in name.lower()):
        return
    if plain and "my" not in words_before(text, m.start(), 1):
        return
    if "-" in value and digits != len(value.replace("-", "")):
        return
    low = " ".join(name.lower().replace("-", " ").split())
    yield _secret(*m.span("v"), 0.85 if strict else 0.75, f"next to '{low}'")


_KEYS = Forms("secret")


def _private_keys(text: str) -> Iterator[Hit]:
    last = 0
    for m in _PEM_START.finditer(text):
        if m.start() < last:
            continue
        body = _PEM_BODY.match(text, m.end())
        # What is cut off is secret too.
        end = body.end() if body else m.end()
        tail = _PEM_END.search(text, m.end(), end + 80)
        last = tail.end() if tail else len(text[:end].rstrip())
        if last > m.end() + 16 or tail:
            yield _secret(m.start(), last, 0.99, "block of a private key")


def _secret(start: int, end: int, score: float, reason: str) -> Hit:
    return hit(start, end, "CODE", "PASSWORD", score, reason=reason)


@registry.deid_patterns("spacy_deid.secret_patterns.v1")
def make_secret_patterns() -> Recognizer:
    """Passwords, PINs, one-time codes, keys and tokens.

    RETURNS (Recognizer): Function of a text that yields hits without overlaps.
    """
    return SeparatingRecognizer(lambda text: drop_covered(list(find_secrets(text))))
