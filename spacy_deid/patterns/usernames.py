"""Handles, user names, passwords and keys."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..registries import registry
from .base import (
    Anchored,
    Hit,
    PatternRecognizer,
    Recognizer,
    drop_covered,
    hit,
    occurrences,
)

_HANDLE = re.compile(r"@(?<![\w@.+-]@)[^\W_][\w.-]{0,40}|@(?<![\w@.+-]@)_\w{1,40}")
_REDDIT = re.compile(r"u(?<!\wu)/[A-Za-z0-9_-]{3,20}(?!\w)")
_PROFILE = re.compile(
    # Up to the colon, which is found first.
    r"(?i:skype|discord|telegram|instagram|twitter|snapchat|tiktok|github|gitlab|slack|steam|icq|wechat|linkedin)"
    r"(?:\s(?i:id|name|handle|user|username))?\s?\Z"
)
_PROFILE_NAME = re.compile(r":\s?(?P<v>[\w.#-]{3,40})")


def _capitals(text: str) -> list[int]:
    return occurrences(text, "USER", "LOGIN")


_USER = Anchored(
    r"(?:[Uu](?<!\w.)(?i:ser(?:[\s_-]?(?:name|id))?)|[Ll](?<!\w.)(?i:ogin(?:[\s_-]?(?:name|id))?)|[Hh](?<!\w.)(?i:andle)"
    r"|[Ss](?<!\w.)(?i:creen[\s_-]?name)|[Nn](?<!\w.)(?i:ickname|utzername|ombre\sde\susuario|om\sd'utilisateur)"
    r"|[Bb](?<!\w.)(?i:enutzername|enutzer)|[Aa](?<!\w.)(?i:ccount[\s_-]name)|USER(?:NAME)?|LOGIN)"
    r"(?:\s?[:=]\s?|\s(?:is|was|ist|es|est)\s?:?\s)[\"'`(]?(?P<v>[\w.@+$-]{2,64})",
    "user username userid login loginname loginid handle screen screenname nickname nutzername nombre nom benutzername benutzer account",
    others=_capitals,
)
_SECRET_WORDS = (
    r"(?:[Pp](?<!\w.)(?i:ass(?:word|wd|code|phrase|wort)|asswort|wd|in(?:\s(?:code|number))?|rivate[\s_-]key)|[Kk](?<!\w.)(?i:ennwort)"
    r"|[Aa](?<!\w.)(?i:pi[\s_-]?key|pi[\s_-]?token|pi[\s_-]?secret|ccess[\s_-]?(?:key|token)(?:[\s_-]id)?|uth[\s_-]?token)"
    r"|[Ss](?<!\w.)(?i:ecret(?:[\s_-]?(?:key|token|access[\s_-]key))?)|[Tt](?<!\w.)(?i:oken)|[Bb](?<!\w.)(?i:earer)|[Cc](?<!\w.)(?i:lient[\s_-]?secret|ontraseña|ontrasena|vv2?)"
    r"|[Mm](?<!\w.)(?i:ot\sde\spasse)|[Ee](?<!\w.)(?i:ncryption[\s_-]key))"
)
_SECRET = Anchored(
    rf"{_SECRET_WORDS}(?P<sep>\s?(?::=|[:=]|=>)\s?|\s(?:is|was|ist|es|est|lautet)\s?:?\s|\s)[\"'`]?(?P<v>[^\s\"'`,;<>]{{3,200}})",
    "password passwd passcode passphrase passwort pwd pin private kennwort api apikey apitoken apisecret access accesskey accesstoken auth authtoken secret secretkey secrettoken secretaccess token bearer client clientsecret contraseña contrasena cvv mot encryption",
)
# Keys that their issuers made recognisable.
_KEYS = re.compile(
    r"A(?<!\wA)(?:KIA|SIA)[0-9A-Z]{16}(?!\w)"
    r"|A(?<!\wA)Iza[0-9A-Za-z_-]{35}"
    r"|g(?<!\wg)(?:h[pousr]_[0-9A-Za-z]{30,255}|lpat-[\w-]{20,40}|ithub_pat_\w{22,255})"
    r"|s(?<!\ws)k-(?:proj-|ant-|live-)?[\w-]{20,200}|s(?<!\ws)k_(?:live|test)_[0-9A-Za-z]{16,99}"
    r"|x(?<!\wx)ox[abprs]-[0-9A-Za-z-]{10,200}"
    r"|h(?<!\wh)f_[0-9A-Za-z]{30,40}"
    r"|e(?<!\we)yJ[\w-]{10,2000}\.[\w-]{10,4000}\.[\w-]{0,2000}"
    r"|-----BEGIN (?:[A-Z]{1,12} ){0,3}PRIVATE KEY-----[\sA-Za-z0-9+/=:,-]{0,8000}-----END (?:[A-Z]{1,12} ){0,3}PRIVATE KEY-----"
)
_PLAIN_WORD = re.compile(r"[^\W\d_]+[.!?)]*")
_NOT_USER = {
    "the",
    "a",
    "an",
    "is",
    "not",
    "your",
    "name",
    "to",
    "and",
    "or",
    "of",
    "in",
    "for",
}


def _profiles(text: str) -> Iterator[re.Match[str]]:
    done = 0
    colon = text.find(":")
    while colon >= 0:
        # What the names above end with, or a blank.
        last = text[colon - 1 : colon].lower()
        if (last in "bdekmnqrt" or last.isspace()) and _PROFILE.search(
            text, max(done, colon - 32), colon
        ):
            m = _PROFILE_NAME.match(text, colon)
            if m:
                yield m
                done = m.end()
        colon = text.find(":", colon + 1)


def _usernames(text: str) -> Iterator[Hit]:
    if "@" in text:
        for m in _HANDLE.finditer(text):
            end = m.end()
            while text[end - 1] in ".-":
                end -= 1
            yield hit(m.start(), end, "CODE", "USERNAME", 0.9)
    for m in _REDDIT.finditer(text):
        yield hit(m.start(), m.end(), "CODE", "USERNAME", 0.85)
    for m in _profiles(text):
        end = m.start("v") + len(m["v"].rstrip(".-"))
        if end > m.start("v"):
            yield hit(m.start("v"), end, "CODE", "USERNAME", 0.8)
    for m in _USER.finditer(text):
        value = m["v"].rstrip(".-")
        strict = m[0][: m.start("v") - m.start()].rstrip("\"'`( ")[-1] in ":="
        # "the user is happy": prose, unless the value looks made up.
        if value.lower() in _NOT_USER or not value:
            continue
        if strict or (
            not value.isalpha()
            and any(c.isalnum() for c in value)
            and "name" in m[0].lower()
        ):
            yield hit(m.start("v"), m.start("v") + len(value), "CODE", "USERNAME", 0.85)


def _secrets(text: str) -> Iterator[Hit]:
    for m in _SECRET.finditer(text):
        value, sep = m["v"], m["sep"]
        while value and value[-1] in ".)]}":
            value = value[:-1]
        strict = any(c in sep for c in ":=")
        if len(value) < 3 or (not strict and "://" in value):
            continue
        digits = any(c.isdigit() for c in value)
        odd = digits or any(not c.isalnum() for c in value[1:-1])
        if not strict:
            verb = sep.strip() != ""
            if not (digits and (verb or len(value) >= 8 or value.isdigit())) and not (
                verb and odd
            ):
                continue
            if not verb and re.fullmatch(r"[0-9]{1,3}", value):
                continue
        elif _PLAIN_WORD.fullmatch(value) and len(value) < 4:
            continue
        yield hit(
            m.start("v"),
            m.start("v") + len(value),
            "CODE",
            "PASSWORD",
            0.9 if strict and odd else 0.75,
        )
    for m in _KEYS.finditer(text):
        yield hit(m.start(), m.end(), "CODE", "PASSWORD", 0.95)


@registry.deid_patterns("spacy_deid.username_patterns.v1")
def make_username_patterns(handles: bool = True) -> Recognizer:
    """Handles, user names, passwords and keys next to their names.

    handles (bool): Whether to find `@handles`.
    RETURNS (Recognizer): Function of a text that yields hits without overlaps.
    """

    def find(text: str) -> list[Hit]:
        hits = [*_usernames(text), *_secrets(text)]
        if not handles:
            hits = [h for h in hits if text[h.start] != "@"]
        return drop_covered(hits)

    return PatternRecognizer(find)
