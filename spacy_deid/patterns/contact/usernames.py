"""Handles and user names; with them, unless set otherwise, passwords and keys."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...registries import registry
from ..base import Anchored, Hit, Recognizer, drop_covered, hit, occurrences
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
_SERVICES = words("user.services")
# Also everyday words: "the line: ...".
_WORDS = word_set("user.service_words")
_PROFILE = Anchored(
    rf"(?i:(?P<s>{'|'.join(_SERVICES)})"
    r"(?P<label>[\s-](?:id|name|handle|user(?:name)?|nick(?:name)?|tag|account|profile|login))?)"
    r"(?P<sep>\s?[:=]\s?|\s(?:is|as)\s(?:called\s)?|\s?\(|\s)[\"'`@]?(?:live:)?"
    r"(?P<v>[\w.#-]{3,40}(?<![.-]))",
    *_SERVICES,
)


def _capitals(text: str) -> list[int]:
    return occurrences(text, "USER", "LOGIN")


_LABELS = (
    r"(?:[Uu](?<![^\W_].)(?i:ser(?:[\s_-]?(?:name|id|login))?|suario|tente|id)"
    r"|[Ll](?<![^\W_].)(?i:og[io]n(?:[\s_-]?(?:name|id))?)|[Hh](?<!\w.)(?i:andle)"
    r"|[Ss](?<!\w.)(?i:creen[\s_-]?name)|[Aa](?<!\w.)(?i:ccount[\s_-]name|lias)"
    r"|[Nn](?<!\w.)(?i:ick(?:name)?|utzername|ombre\sde\susuario|om\sd'utilisateur|ome\sutente"
    r"|azwa\sużytkownika)"
    r"|[Ii](?<!\w.)(?i:dentifiant)|[Gg](?<!\w.)(?i:amer[\s_-]?tag|ebruikersnaam)"
    r"|[Bb](?<!\w.)(?i:enutzer(?:name|kennung)?|rugernavn|rukernavn)"
    r"|[Kk](?<!\w.)(?i:äyttäjätunnus)|[Аа](?<!\w.)(?i:ккаунт)|[Лл](?<!\w.)(?i:огин)"
    r"|[Пп](?<!\w.)(?i:ользователь)|[Aa](?<!\w.)(?i:nvändarnamn))"
)
_USER = Anchored(
    rf"(?P<name>{_LABELS})"
    r"(?P<sep>[\"']?\s?[:=]\s?|\s(?:is|was|ist|es|est|è|as)\s?:?\s|\s)[\"'`(<@]?"
    r"(?P<v>[\w.@+$\\-]{2,64})",
    """user username userid userlogin uid usuario utente login logon loginname loginid logonname
    handle screen screenname account alias nick nickname nutzername nombre nom nome nazwa
    identifiant gamer gamertag gebruikersnaam benutzer benutzername benutzerkennung brugernavn
    brukernavn käyttäjätunnus användarnamn логин пользователь аккаунт""",
    others=_capitals,
)
_NOT_USER = word_set("user.not_user")
_LOOSE_LABELS = word_set("user.loose_labels")
_FULL_LABELS = re.compile(
    r"name|id\Z|kennung|tunnus|identifiant|tag\Z|логин|namn|navn|naam"
)


def _handles(text: str) -> Iterator[Hit]:
    for m in _HANDLE.finditer(text):
        name = m["v"].rstrip(".-")
        if not name or name.lower() in _NOT_HANDLE or _TIME.match(name):
            continue
        end = m.start("v") + len(name)
        reason = "handle after an at sign"
        if m["host"]:
            end, reason = m.end(), "handle with its server"
        elif _is_code(text, m.start(), end):
            continue
        yield _user(m.start(), end, 0.9, reason)


def _is_code(text: str, start: int, end: int) -> bool:
    """Whether a sign and a name belong to a program: a decorator, a package."""
    following = text[end : end + 2]
    if following[:1] == "/" and following[1:].islower():
        return True
    first = not text[max(0, start - 40) : start].rpartition("\n")[2].strip()
    return first and (
        following[:1] == "(" or _CODE_FOLLOWS.match(text, end) is not None
    )


def _profiles(text: str) -> Iterator[Hit]:
    for m in _PROFILE.finditer(text):
        value, service = m["v"], m["s"].lower()
        if value.lower() in _NOT_USER:
            continue
        strict = any(c in m["sep"] for c in ":=")
        labelled = m["label"] is not None and m["label"][1:].lower() not in (
            "account", "profile",
        )  # fmt: skip
        odd = _odd(value)
        said = bool(m["sep"].strip(" (")) and m["sep"].strip().lower() != "("
        plain = strict and (service not in _WORDS or labelled)
        if plain or (labelled and (odd or said)) or (odd and (said or strict)):
            start = m.start("v")
            start -= text[start - 1] == "@"
            yield _user(start, m.end("v"), 0.85, f"after '{service}'")


def _odd(value: str) -> bool:
    """Whether a value is made up rather than a word or a number."""
    if not any(map(str.isalpha, value)):
        return False
    if any(c.isdigit() or c in "_.#@$\\" for c in value):
        return not re.fullmatch(
            r"[0-9]+(?:st|nd|rd|th|[ap]m|s)|[A-Za-z]\.[A-Za-z.]*", value
        )
    return value[1:] != value[1:].lower() and not value.isupper()


def _labelled(text: str) -> Iterator[Hit]:
    for m in _USER.finditer(text):
        value = m["v"].rstrip(".-@+$\\")
        name = m["name"].lower()
        if len(value) < 2 or value.lower() in _NOT_USER:
            continue
        spoken = name == "user" and value.isalpha() and m["sep"][-1:].isspace()
        said = spoken and (value.lower() in _INTERJECTIONS)
        if said or (spoken and _SPEAKS.match(text, m.end())):
            continue
        if (name == "uid" and value.isdigit()) or text[
            m.start() - 1 : m.start()
        ] == "/":
            continue
        score = _judge(text, m, name, value)
        if score:
            label = " ".join(re.split(r"[\s_-]+", name))
            start = m.start("v")
            yield _user(start, start + len(value), score, f"after '{label}'")


def _judge(text: str, m: re.Match[str], name: str, value: str) -> float:
    """Confidence in a value after a word for user names."""
    odd = _odd(value)
    known = not (value.isdigit() and len(value) < 4)
    if any(c in m["sep"] for c in ":="):
        # "difficult to handle: Robert": the word is also a verb or a noun.
        if name in _LOOSE_LABELS and not odd and not _line_start(text, m.start()):
            return 0.0
        return 0.85 if known else 0.0
    full = _FULL_LABELS.search(name) is not None
    if m["sep"].strip():
        if odd or (full and value.isdigit() and known):
            return 0.85 if full else 0.7
        # "username is octocat", but not "username is shown in the list".
        ends = _ENDS.match(text, m.start("v") + len(value)) is not None
        return 0.7 if full and ends and value[0].islower() else 0.0
    if name in _LOOSE_LABELS or value[0].isdigit() or "." in value[:2]:
        return 0.0
    bracket = full and text[m.start() - 1 : m.start()] == "("
    return 0.7 if odd or (bracket and _ENDS.match(text, m.end())) else 0.0


# "User: sure, ...": who speaks.
_SPEAKS = re.compile(r"[!?]|[ ]\w")
_INTERJECTIONS = word_set("user.interjections")
_ENDS = re.compile(r"[\"'`)]?(?:\s*\Z|[.,;!]|\s?\n|\s(?:and|but|on|for|if)\b)")


def _line_start(text: str, start: int) -> bool:
    return not text[max(0, start - 30) : start].rpartition("\n")[2].strip(" -*\t")


def _user(start: int, end: int, score: float, reason: str) -> Hit:
    return hit(start, end, "CODE", "USERNAME", score, reason=reason)


_FORMS = Forms("user")


def find_usernames(text: str, handles: bool = True) -> Iterator[Hit]:
    """Find user names, `@handles` among them if wanted; they may overlap."""
    if handles and "@" in text:
        yield from _handles(text)
    for find in (_profiles, _labelled, _FORMS):
        for h in find(text):
            if handles or text[h.start] != "@":
                yield h


@registry.deid_patterns("spacy_deid.username_patterns.v1")
def make_username_patterns(handles: bool = True, secrets: bool = True) -> Recognizer:
    """Handles and user names, passwords and keys.

    handles (bool): Whether to find `@handles`.
    secrets (bool): Whether to find passwords and keys too.
    RETURNS (Recognizer): Function of a text that yields hits without overlaps.
    """

    def find(text: str) -> list[Hit]:
        hits = list(find_usernames(text, handles))
        if secrets:
            hits.extend(find_secrets(text))
        return drop_covered(hits)

    return SeparatingRecognizer(find)
