"""Handles and user names; with them, unless set otherwise, passwords and keys."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...gazetteers.lexicon import is_vocabulary
from ...registries import registry
from ..base import Hit, Recognizer
from ..ids.secrets import find_secrets
from ..separated import SeparatingRecognizer
from ..tables import Forms, word_set
from .forms import P

# What programs write after the sign.
_NOT_HANDLE = word_set("user.not_handle")
_NOT_USER = word_set("user.not_user")
# Also verbs, nouns and services.
_LOOSE = word_set("user.loose_labels", "user.services")
_INTERJECTIONS = word_set("user.interjections")
_FORMS = Forms("user")


def _handles(text: str) -> Iterator[Hit]:
    for m in P.user_handle.finditer(text) if "@" in text else ():
        name = m["v"].rstrip(".-")
        end = m.start("v") + len(name)
        if not name or name.lower() in _NOT_HANDLE or P.user_time.match(name):
            continue
        if m["host"]:
            yield P.found(m, "USERNAME", 0.9, "handle with its server")
        elif not _is_code(text, m.start(), end):
            yield P.hit(m.start(), end, "USERNAME", 0.9, "handle after an at sign")


def _is_code(text: str, start: int, end: int) -> bool:
    """Whether a sign and a name belong to a program: a decorator, a package."""
    following = text[end : end + 2]
    if following[:1] == "/" and following[1:].islower():
        return True
    # A field of JSON: {"@type": ...}.
    if following in ('":', "':") and text[start - 1 : start] == following[0]:
        return True
    first = not text[max(0, start - 40) : start].rpartition("\n")[2].strip()
    return first and bool(following[:1] == "(" or P.user_code_follows.match(text, end))


def _odd(value: str) -> bool:
    """Whether a value is made up rather than a word or a number."""
    if not any(map(str.isalpha, value)):
        return False
    if any(c.isdigit() or c in "_.#@$\\" for c in value):
        return not P.user_plain.fullmatch(value)
    return value[1:] != value[1:].lower() and not value.isupper()


def _labelled(text: str) -> Iterator[Hit]:
    for m in (*P.user_named.finditer(text), *P.user_profile.finditer(text)):
        value, name = m["v"].rstrip(".-@+$\\"), m["name"].lower()
        start = m.start("v")
        if len(value) < 2 or value.lower() in _NOT_USER:
            continue
        if text[m.start() - 1 : m.start()] == "/" or _spoken(text, m, name, value):
            continue
        ends = P.user_ends.match(text, start + len(value)) is not None
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
            end = start + len(value)
            yield P.hit(start, end, "USERNAME", score, f"after '{label}'")


def _spoken(text: str, m: re.Match[str], name: str, value: str) -> bool:
    """Whether a word after "user:" is what one says; numbers of "uid" are no names."""
    if name == "uid":
        return value.isdigit()
    if "\n" in m["sep"] and is_vocabulary(value.lower()):
        # "Nick:" and a letter to him.
        return True
    said = name == "user" and value.isalpha() and m["sep"][-1:].isspace()
    speaks = P.user_speaks.match(text, m.end()) is not None
    return said and (speaks or value.lower() in _INTERJECTIONS)


def _judge(name: str, sep: str, value: str, ends: bool, bracket: bool) -> float:
    """Confidence in a value after a word for user names, without a sign between."""
    odd, full = _odd(value), P.user_full.search(name) is not None
    if sep.strip():
        if odd or (full and value.isdigit() and len(value) > 3):
            return 0.85 if full else 0.7
        # "username is octocat", but not "username is shown in the list".
        return 0.7 if full and ends and value[0].islower() else 0.0
    if name in _LOOSE or value[0].isdigit() or "." in value[:2]:
        return 0.0
    return 0.7 if odd or (full and bracket and ends) else 0.0


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
        for m in P.user_speaker.finditer(text) if "> " in text else ():
            start, end = m.span("v")
            yield P.hit(start, end, "USERNAME", 0.9, "who speaks in a log of a chat")
        if handles:
            yield from _handles(text)

    return SeparatingRecognizer(find, *([find_secrets] if secrets else []))
