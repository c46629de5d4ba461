"""Handles and user names; with them, unless set otherwise, passwords and keys."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...registries import registry
from ..base import Anchored, Anchors, Hit, Recognizer, drop_covered, hit, occurrences
from ..ids.secrets import CREDENTIALS, find_secrets
from ..separated import SeparatingRecognizer
from ..tables import word_set, words
from ..words import words_before

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
_REDDIT = re.compile(r"u(?<![\w/.]u)(?<!\w/u)/[A-Za-z0-9_-]{3,20}(?![\w/])")

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
_SERVICE = Anchored(rf"(?i:{'|'.join(_SERVICES)})(?!\w)", *_SERVICES)
_ON = re.compile(r"\s(?:on|at)\s(?:[Mm]y\s)?\Z")
_PERSONAL = word_set("user.personal")
_NAME_BACK = re.compile(r"(?<![\w.@#/:-])[A-Za-z][\w.]{2,39}\Z")


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
# "Accepted password for anna from", "logged in as anna".
_LOGGED = Anchored(
    r"(?i:(?:logged|signed|log|sign)[\s-](?:in|on)(?:to\s\w{1,20})?\sas|authenticated\sas"
    r"|connected\sas|login\sas|session\sopened\sfor\suser|session\sclosed\sfor\suser"
    r"|password\sfor(?:\sinvalid\suser)?|publickey\sfor|invalid\suser|sudo\s-u|su\s-)"
    r"\s[\"'`]?(?P<v>[\w.@$\\-]{2,64})(?P<end>[\"'`]?(?:\sfrom\b|\sby\b|\sport\b|[\s.,;)]|\Z))",
    "logged signed log sign authenticated connected login session password publickey invalid sudo"
    " su",
)
_IN_LOG = re.compile(r"\s(?:from|by|port)\b")
_UID = re.compile(r"uid=[0-9]{1,10}\((?P<v>[\w.-]{1,40})\)")
_HOME = re.compile(
    r"(?:/(?:home|Users)/|[A-Za-z]:\\{1,2}(?:Users|Documents\sand\sSettings)\\{1,2})"
    r"(?P<v>[\w.-]{2,40}(?:\s[A-Z][\w.-]{1,30}(?=\\))?)"
)
_SHARED = word_set("user.shared")
_DISCORD = re.compile(r"#(?<=\w#)[0-9]{4}(?![\w-])")
_DISCORD_NAME = re.compile(r"(?<![\w.@#/-])[\w.]{2,32}\Z")
_TICKETS = word_set("user.tickets")
_WINDOWS = re.compile(r"\\(?<=[A-Z0-9]\\)(?P<v>[a-z][\w.-]{2,30})(?![\w\\])")
_DOMAIN_BACK = re.compile(r"(?<![\w\\/:.-])[A-Z][A-Z0-9-]{1,14}\Z")
_REMOTE = Anchored(
    r"(?:ssh|scp|sftp|rsync)[^\n@]{0,40}?\s(?P<v>[a-z_][\w.-]{0,31})@[\w.-]{2,60}",
    "ssh scp sftp rsync",
)

_AT_ADDRESS = re.compile(r"@(?P<v>[0-9]{1,3}(?:\.[0-9]{1,3}){3})(?![\w.-]*[\w-])")
_LOGIN_BACK = re.compile(r"(?<![\w.@/:+-])[a-z_][\w.-]{1,31}\Z")
_CURL = re.compile(r"\s-u\s(?P<v>[^\s:\"']{2,64}):(?=\S)")
# "Hello nicole16, ...": a made-up name instead of a real one.
_GREETING = Anchored(
    r"(?i:hello|hi|hey|dear|welcome(?:\sback)?|hallo|hola|bonjour|ciao|thanks|thx)[\s,]{1,2}"
    r"(?P<v>[A-Za-z][\w.]{2,39})(?=[\s,!.:;-]|\Z)",
    "hello hi hey dear welcome hallo hola bonjour ciao thanks thx",
)
# What people with such names do: "nicole16 can't connect", "nicole16 here".
_ACTS = Anchored(
    r"(?i:here(?=[\s,.!]|\Z)|can't|cannot|couldn't|logged\s|joined|left\s|wrote|posted|commented"
    r"|replied|uploaded|connected|disconnected|signed\s|registered|followed|liked|tweeted)",
    "here can cannot couldn logged joined left wrote posted commented replied uploaded connected"
    " disconnected signed registered followed liked tweeted",
)
_ACTOR = re.compile(r"(?<![\w.@#/:-])([A-Za-z][\w.]{2,39})\s\Z")
_NICK = re.compile(
    r"<(?:(?<=^<)|(?<=\n<)|(?<=\]\s<)|(?<=[0-9]\s<))[@+%~&]?(?P<v>[A-Za-z_][\w.|^`-]{1,30})>[ ](?=\S)"
)
_ELEMENTS = word_set("user.elements")
_COMES = Anchored(
    r"(?:joined|left|quit|connected|disconnected)(?=\s(?:from|the\s(?:channel|room|chat|server|game)|#|\())",
    "joined left quit connected disconnected",
)
_COMER = re.compile(
    r"(?:\A|\n|[\])]\s|\*\s)(?P<v>[a-z_][\w.-]{2,30})\s(?:has\s|\(\S{1,40}\)\shas\s)?\Z"
)
_MADE_UP = re.compile(
    r"[A-Za-z]{2,}[\w.]*[0-9]{2,4}\w{0,2}|[a-z]+_[a-z]\w+|[a-z]+\.[a-z]+[0-9]+"
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
    for m in _SERVICE.finditer(text):
        on = _ON.search(text, max(0, m.start() - 7), m.start())
        if on is None:
            continue
        back = _NAME_BACK.search(text, max(0, on.start() - 42), on.start())
        if back is None or not _odd(back[0]):
            continue
        if not _PERSONAL.isdisjoint(words_before(text, back.start())):
            yield _user(*back.span(), 0.75, "before the name of a service")


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


def _logs(text: str) -> Iterator[Hit]:
    if not _IN_LOGS.absent(text):
        yield from _acts(text)
    yield from _machines(text)


def _acts(text: str) -> Iterator[Hit]:
    """Who logs in, acts and is greeted."""
    for m in _LOGGED.finditer(text):
        value = m["v"].rstrip(".-@$\\")
        if len(value) > 1 and value.lower() not in _NOT_USER:
            sure = bool(_IN_LOG.match(m["end"])) or _odd(value) or value.islower()
            if sure:
                start = m.start("v")
                yield _user(start, start + len(value), 0.8, "name used to log in")
    for m in _GREETING.finditer(text):
        if _MADE_UP.fullmatch(m["v"]):
            yield _user(*m.span("v"), 0.6, "made-up name after a greeting")
    for m in _ACTS.finditer(text):
        actor = _ACTOR.search(text, max(0, m.start() - 42), m.start())
        if actor and _MADE_UP.fullmatch(actor[1]):
            yield _user(*actor.span(1), 0.6, "made-up name of somebody who acts")


def _machines(text: str) -> Iterator[Hit]:
    """Names used to log in to machines."""
    if "://" in text:
        for m in CREDENTIALS.finditer(text):
            if m["user"]:
                yield _user(*m.span("user"), 0.8, "name in a web address")
    if "uid=" in text:
        for m in _UID.finditer(text):
            yield _user(*m.span("v"), 0.9, "after a number of a user")
    for m in _CURL.finditer(text) if "-u" in text else ():
        yield _user(*m.span("v"), 0.85, "name used to log in to a server")
    if "@" in text:
        for m in _AT_ADDRESS.finditer(text):
            start = _login_start(text, m.start())
            if start < m.start() and max(map(int, m["v"].split("."))) in range(31, 256):
                reason = "name used to log in to a machine"
                yield _user(start, m.start(), 0.75, reason)
        for m in _REMOTE.finditer(text):
            yield _user(*m.span("v"), 0.8, "name used to log in to a machine")


def _login_start(text: str, at: int) -> int:
    back = _LOGIN_BACK.search(text, max(0, at - 33), at)
    return back.start() if back else at


def _paths(text: str) -> Iterator[Hit]:
    if "/home/" in text or "Users" in text or "Settings" in text:
        for m in _HOME.finditer(text):
            name = m["v"].rstrip(".-")
            if name.lower() not in _SHARED and len(name) > 1:
                start = m.start("v")
                reason = "folder of a user"
                yield _user(start, start + len(name), 0.8, reason)
    if "\\" in text:
        for m in _WINDOWS.finditer(text):
            back = _DOMAIN_BACK.search(text, max(0, m.start() - 17), m.start())
            if back:
                yield _user(back.start(), m.end("v"), 0.65, "user of a Windows domain")


def _chats(text: str) -> Iterator[Hit]:
    """Who speaks, comes and goes in the logs of a chat."""
    if "<" in text:
        for m in _NICK.finditer(text):
            closed = text.find(f"</{m['v']}", m.end(), m.end() + 2000) >= 0
            if m["v"].lower() not in _ELEMENTS and not closed:
                yield _user(*m.span("v"), 0.75, "who speaks in the log of a chat")
    for m in _COMES.finditer(text):
        actor = _COMER.search(text, max(0, m.start() - 60), m.start())
        if actor and actor["v"].lower() not in _NOT_USER:
            yield _user(*actor.span("v"), 0.7, "who comes or goes in a log")


def _tags(text: str) -> Iterator[Hit]:
    if "u/" in text:
        for m in _REDDIT.finditer(text):
            yield _user(*m.span(), 0.85, "form of a Reddit user")
    if "#" in text:
        for m in _DISCORD.finditer(text):
            back = _DISCORD_NAME.search(text, max(0, m.start() - 34), m.start())
            if back is None or back[0].lower() in _TICKETS or back[0].isdigit():
                continue
            near = words_before(text, back.start(), 3)
            if _odd(back[0]) or "discord" in near or "discord:" in near:
                yield _user(back.start(), m.end(), 0.75, "form of a Discord tag")


def _user(start: int, end: int, score: float, reason: str) -> Hit:
    return hit(start, end, "CODE", "USERNAME", score, reason=reason)


_BY_NAMES = (_profiles, _labelled)
_NAMED = Anchors(_PROFILE, _SERVICE, _USER)
_IN_LOGS = Anchors(_LOGGED, _GREETING, _ACTS)


def find_usernames(text: str, handles: bool = True) -> Iterator[Hit]:
    """Find user names."""
    if handles and "@" in text:
        yield from _handles(text)
    yield from _tags(text)
    named = not _NAMED.absent(text)
    for find in (*(_BY_NAMES if named else ()), _logs, _chats, _paths):
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
