"""Handles and user names; with them, unless set otherwise, passwords and keys."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...registries import registry
from ..base import Hit, Recognizer, anchored_names, hit
from ..ids.secrets import find_secrets
from ..separated import SeparatingRecognizer
from ..tables import Forms, word_set, words

_HANDLE = re.compile(
    r"@(?<![\w@.+/-]@)(?P<v>[^\W_][\w.-]{0,40}|_\w{1,40})"
    r"(?P<host>[@:](?:[a-z0-9][\w-]{0,62}\.){1,4}[a-z]{2,24})?"
)
# What programs write after the sign.
_NOT_HANDLE = word_set("user.not_handle")
_CODE_FOLLOWS = re.compile(
    r"[^\n]{0,80}\n\s*(?:@\w|(?:async\s)?def\s|class\s|public\s|private\s|protected\s|static\s"
    r"|function\s|export\s|const\s|fun\s|val\s|void\s|interface\s|type\s)"
)
_TIME = re.compile(r"[0-9]+(?:x|am|pm|k|h|hz|v|fps|%)?\Z", re.I)
_VALUE = r"[\"'`(<@]?(?:live:)?(?P<v>[\w.@+$\\-]{2,64})"
_USER = anchored_names(
    words("names.USERNAME"),
    r"(?P<sep>[\"']?\s?[:=]\s?|\s(?:is|was|ist|es|est|è|as)\s?:?\s|\s)" + _VALUE,
)
_PROFILE = anchored_names(words("user.services"), r"(?P<sep>\s?[:=]\s?)" + _VALUE)
_NOT_USER = word_set("user.not_user")
# Also verbs, nouns and services.
_LOOSE = word_set("user.loose_labels", "user.services")
_FULL = re.compile(r"name|id\Z|kennung|tunnus|identifiant|tag\Z|логин|namn|navn|naam")
_PLAIN = re.compile(r"[0-9]+(?:st|nd|rd|th|[ap]m|s)|[A-Za-z]\.[A-Za-z.]*")
# "User: sure, ...": who speaks.
_SPEAKS = re.compile(r"[!?]|[ ]\w")
_INTERJECTIONS = word_set("user.interjections")
_ENDS = re.compile(r"[\"'`)]?(?:\s*\Z|[.,;!]|\s?\n|\s(?:and|but|on|for|if)\b)")
_FORMS = Forms("user")


def _handles(text: str) -> Iterator[Hit]:
    for m in _HANDLE.finditer(text) if "@" in text else ():
        name = m["v"].rstrip(".-")
        end = m.start("v") + len(name)
        if not name or name.lower() in _NOT_HANDLE or _TIME.match(name):
            continue
        if m["host"]:
            yield _user(m.start(), m.end(), 0.9, "handle with its server")
        elif not _is_code(text, m.start(), end):
            yield _user(m.start(), end, 0.9, "handle after an at sign")


def _is_code(text: str, start: int, end: int) -> bool:
    """Whether a sign and a name belong to a program: a decorator, a package."""
    following = text[end : end + 2]
    if following[:1] == "/" and following[1:].islower():
        return True
    # A field of JSON: {"@type": ...}.
    if following in ('":', "':") and text[start - 1 : start] == following[0]:
        return True
    first = not text[max(0, start - 40) : start].rpartition("\n")[2].strip()
    return first and (
        following[:1] == "(" or _CODE_FOLLOWS.match(text, end) is not None
    )


def _odd(value: str) -> bool:
    """Whether a value is made up rather than a word or a number."""
    if not any(map(str.isalpha, value)):
        return False
    if any(c.isdigit() or c in "_.#@$\\" for c in value):
        return not _PLAIN.fullmatch(value)
    return value[1:] != value[1:].lower() and not value.isupper()


def _labelled(text: str) -> Iterator[Hit]:
    for m in (*_USER.finditer(text), *_PROFILE.finditer(text)):
        value, name = m["v"].rstrip(".-@+$\\"), m["name"].lower()
        start = m.start("v")
        if len(value) < 2 or value.lower() in _NOT_USER:
            continue
        if text[m.start() - 1 : m.start()] == "/" or _spoken(text, m, name, value):
            continue
        ends = _ENDS.match(text, start + len(value)) is not None
        if ":" in m["sep"] or "=" in m["sep"]:
            # "difficult to handle: Robert".
            line = text[max(0, m.start() - 30) : m.start()].rpartition("\n")[2]
            told = name not in _LOOSE or _odd(value) or not line.strip(" -*\t")
            score = 0.85 if told and not (value.isdigit() and len(value) < 4) else 0.0
        else:
            bracket = text[m.start() - 1 : m.start()] == "("
            score = _judge(name, m["sep"], value, ends, bracket)
        if score:
            label = " ".join(re.split(r"[\s_-]+", name))
            yield _user(start, start + len(value), score, f"after '{label}'")


def _spoken(text: str, m: re.Match[str], name: str, value: str) -> bool:
    """Whether a word after "user:" is what one says; numbers of "uid" are no names."""
    if name == "uid":
        return value.isdigit()
    said = name == "user" and value.isalpha() and m["sep"][-1:].isspace()
    return said and (
        value.lower() in _INTERJECTIONS or _SPEAKS.match(text, m.end()) is not None
    )


def _judge(name: str, sep: str, value: str, ends: bool, bracket: bool) -> float:
    """Confidence in a value after a word for user names, without a sign between."""
    odd, full = _odd(value), _FULL.search(name) is not None
    if sep.strip():
        if odd or (full and value.isdigit() and len(value) > 3):
            return 0.85 if full else 0.7
        # "username is octocat", but not "username is shown in the list".
        return 0.7 if full and ends and value[0].islower() else 0.0
    if name in _LOOSE or value[0].isdigit() or "." in value[:2]:
        return 0.0
    return 0.7 if odd or (full and bracket and ends) else 0.0


def _user(start: int, end: int, score: float, reason: str) -> Hit:
    return hit(start, end, "CODE", "USERNAME", score, reason=reason)


@registry.deid_patterns("spacy_deid.username_patterns.v1")
def make_username_patterns(handles: bool = True, secrets: bool = True) -> Recognizer:
    """Handles and user names, passwords and keys.

    handles (bool): Whether to find `@handles`.
    secrets (bool): Whether to find passwords and keys too.
    RETURNS (Recognizer): Function of a text that yields hits without overlaps.
    """

    def find(text: str) -> Iterator[Hit]:
        for h in (*_labelled(text), *_FORMS(text)):
            if handles or text[h.start] != "@":
                yield h
        if handles:
            yield from _handles(text)

    return SeparatingRecognizer(find, *([find_secrets] if secrets else []))
