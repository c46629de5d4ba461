"""New e-mail addresses, sites, hosts and user names: made of the document's new names
where the old ones were made of its old names."""

from __future__ import annotations

import re
import string
from bisect import bisect_left
from collections.abc import Sequence
from functools import cached_property
from itertools import chain
from random import Random

from ..data import entries, facts, has_own
from ..lang.name_forms import name_forms
from ..text.names import PARTICLES, fold, strip_legal_form
from ..text.names import normalise as normalise_name
from ..text.scripts import romanise
from .base import CODE_FORMS, Draws, invent_word, like

IP4, IP6, DOMAIN, PATH_DOMAIN, _URL = map(
    CODE_FORMS.__getitem__, "ip4 ip6 domain path_domain url".split()
)
_PATH_WORD = re.compile(r"(?<![?&;])[^\W_]+(?!=)")
_LETTERS = re.compile(r"[^\W\d_]+")
_WORDS = facts("code_words")
_MAILBOXES = frozenset(_WORDS["mailboxes"].split())
_COMMON_PATH = frozenset(_WORDS["path"].split())
_PAGES = tuple(_WORDS["pages"].split())
_MAX_PIECES, _MAX_CUT = 4, 24
# What stands between a name and the country: "co.uk".
_SECOND_LEVEL = frozenset(_WORDS["second_level"].split())
_TLD = ("com", "org", "net")
_MAX_NAMES = 2000


def code_words(lang: str) -> Sequence[str]:
    """What new pass phrases, and user names where the old ones are of no names, are made
    of in a language; English words if it has none."""
    own = has_own(lang, "code_words.txt")
    return entries(f"lang/{lang if own else 'en'}/code_words")


def new_ip(text: str, rng: Random) -> str:
    """An address of the ranges for documentation."""
    match = IP4.search(text)
    if match is not None:
        net = rng.choice(("192.0.2", "198.51.100", "203.0.113"))
        new, port = f"{net}.{rng.randint(1, 254)}", text[match.end() :]
        if not port.startswith("/"):
            port = re.sub(r"\d+", lambda m: like(m.group(), rng), port)
        return text[: match.start()] + new + port
    address, slash, tail = text.partition("/")
    bare = address.strip("[]")
    if not bare:
        return like(text, rng)
    short = "::" in bare or bare.count(":") < 7
    groups = [f"{rng.randint(1, 0xFFFF):x}" for _ in range(3 if short else 6)]
    if short:
        groups.insert(2, "")
    new = ":".join(["2001", "db8", *groups])
    capitals = bare.upper() == bare and any(c.isalpha() for c in bare)
    return address.replace(bare, new.upper() if capitals else new) + slash + tail


# How many words are drawn to find one that stands for no other yet.
_DRAWS = 20


class Handles:
    """Addresses and user names of one document: the same domain or handle is replaced
    alike."""

    def __init__(self, draws: Draws):
        self.draws = draws
        # User names that are no names of the document, with the new ones.
        self.users: dict[str, str] = {}
        # Words that are no names, with what each gave way to, and whose generator asked.
        self._drawn: dict[str, tuple[str, Random]] = {}
        self._taken: set[str] = set()
        self._sorted: list[str] = []
        self._sorted_for = 0

    # Words that are made of names

    def joined(self, word: str) -> str:
        """What stands for a word that is made of names of the document: "karendoyle",
        "kdoyle", "doyle", "acmewidgets"; "" if it is not all names."""
        name_map = self.draws.name_map
        if not 3 < len(word) < 40:
            return ""
        if word in name_map:
            return _only_letters(name_map[word])
        for cut in range(2, len(word) - 1):
            first, last = name_map.get(word[:cut]), name_map.get(word[cut:])
            if last and not first and word[:cut] in PARTICLES:
                # "devries" of de Vries: particles stay in new names, too.
                first = word[:cut]
            if first and last:
                return _only_letters(first + last)
        if len(word) > 4 and word[1:] in name_map:
            letter = self._initial(word[0], word[1:])
            if letter:
                return _only_letters(letter + name_map[word[1:]])
        return self._organisations.get(word, "")

    @cached_property
    def _organisations(self) -> dict[str, str]:
        """New names of organisations as one word, by the old ones."""
        found: dict[str, str] = {}
        for old, new in self.draws.organisations:
            for form in (strip_legal_form, normalise_name):
                key = _only_letters(form(old))
                if len(key) > 2:
                    found.setdefault(key, _only_letters(form(new)))
        return found

    def _initial(self, letter: str, surname: str = "") -> str:
        """The new first letter for an old one: of a bearer of the surname, else of any
        name."""
        own = self.draws.bearers.get(surname, {})
        if letter in own:
            return own[letter]
        names = self.draws.name_map.items()
        return next((n[0] for t, n in names if t[0] == letter and t != surname), "")

    def _glued(self, key: str) -> str | None:
        """ "rmurray", "robertmurray1", "murrayr" from known names, as far as known."""
        name_map = self.draws.name_map
        if len(key) < 4 or len(name_map) > _MAX_NAMES:
            return None
        # "potapova" before "potapov".
        held = [token for token in name_map if len(token) > 2 and token in key]
        if not held:
            return None
        token = max(held, key=len)
        before, _, after = key.partition(token)

        def part(text: str) -> str:
            if text in name_map or len(text) > 3:
                return name_map.get(text, "")
            own = self.draws.bearers.get(token, {})
            if any(ch in own for ch in text):
                return "".join(own.get(ch, "") for ch in text)
            return "".join(map(self._initial, text))

        return part(before) + name_map[token] + part(after)

    def _cut(self, key: str) -> str:
        """ "ravipuc" of Ramona Villar Puchero: the same beginnings of the new names; ""
        for what is not made of such."""
        names = self.draws.name_map
        if not 3 < len(key) <= _MAX_CUT or len(names) > _MAX_NAMES:
            return ""

        def cut(text: str, used: tuple[str, ...], most: int) -> list[str] | None:
            for size in range(len(text), 1, -1) if most else ():
                token = self._beginning(text[:size], used)
                rest = token and cut(text[size:], (*used, token), most - 1)
                if isinstance(rest, list):
                    new = _only_letters(names[token])
                    return [new if size == len(token) else new[:size], *rest]
            return None if text else []

        return "".join(cut(key, (), _MAX_PIECES) or [])

    def _beginning(self, start: str, used: Sequence[str]) -> str:
        """The first name in the order of the alphabet that begins so; "" for none."""
        names = self.draws.name_map
        # Names only come along.
        if len(names) != self._sorted_for:
            self._sorted_for = len(names)
            self._sorted = sorted(t for t in names if len(t) > 2 and t.isalpha())
        at = bisect_left(self._sorted, start)
        near = self._sorted[at : at + _MAX_PIECES]
        token = next((t for t in near if t not in used), "")
        return token if token.startswith(start) else ""

    # User parts and handles

    def local(self, text: str, rng: Random) -> str:
        """User part of an address or a handle, from the new names where it holds old
        ones."""

        def replace(match: re.Match[str]) -> str:
            word = match.group()
            new = self._new_word(word, rng)
            new = "".join(ch for ch in new if ch.isalnum()) or "user"
            if word.isupper() and len(word) > 1:
                return new.upper()
            return new.capitalize() if word[0].isupper() else new

        out = _LETTERS.sub(replace, text)
        out = re.sub(r"\d+", lambda m: like(m.group(), rng), out)
        initials = any(len(word) == 1 for word in _LETTERS.findall(text))
        return self._with_initials(text, out) if initials else out

    def _new_word(self, word: str, rng: Random) -> str:
        key = fold(word)
        latin = name_forms(self.draws.lang).romanised(key)
        known = self._known(key) or self._known(latin)
        if known or key in _MAILBOXES:
            return known or key
        glued = self._cut(key) or self._glued(key)
        if glued is not None:
            return glued
        if len(word) == 1:
            return rng.choice(string.ascii_lowercase)
        if word.isupper() and len(word) < 4:
            return like(word, rng)
        new, asked_by = self._drawn.get(key, ("", rng))
        # Who asks again has refused it.
        if asked_by is rng:
            drawn = (self._any_word(rng, len(word) > 9) for _ in range(_DRAWS))
            fresh = next((x for x in drawn if x not in self._taken), "")
            new = fresh or invent_word(rng).lower() + invent_word(rng).lower()
            self._taken.add(new)
        self._drawn[key] = new, rng
        return new

    def _any_word(self, rng: Random, long: bool) -> str:
        words = code_words(self.draws.lang)
        new = rng.choice((*words, invent_word(rng).lower()))
        return fold(romanise(new + rng.choice(words) if long else new))

    def _known(self, key: str) -> str:
        new = self.draws.name_map.get(key)
        return new or self.draws.nickname(key) or self.joined(key)

    def _with_initials(self, old: str, new: str) -> str:
        """ "r.murray" follows "Robert Murray" in its initial, too."""
        olds, pieces = _LETTERS.findall(old), re.split(r"([^\W\d_]+)", new)
        if len(olds) != len(pieces) // 2 or not self.draws.name_map:
            return new
        bearers = self.draws.bearers
        folded = [fold(word) for word in olds]
        own = next((bearers[word] for word in folded if bearers.get(word)), None)
        if own is None and [len(word) for word in olds] == [1, 1]:
            own = self._of_two_letters(folded[0], folded[1], pieces[3])
        found = False
        for i, word in enumerate(olds):
            if len(word) != 1 or (found and not own):
                continue
            letter = own.get(folded[i], "") if own else self._initial(folded[i])
            if letter:
                found = True
                letter = letter[0]
                pieces[2 * i + 1] = letter.upper() if word.isupper() else letter
        return "".join(pieces)

    def _of_two_letters(
        self, first: str, last: str, other: str
    ) -> dict[str, str] | None:
        """The letters of "k.d" of Karen Doyle."""
        for surname, letters in self.draws.bearers.items():
            # A name may fold to nothing.
            if surname[:1] == last and first in letters:
                new_last = self.draws.name_map.get(surname, other)[:1]
                return {first: letters[first], last: new_last}
        return None

    def handle(self, text: str, rng: Random) -> str:
        """A user name, perhaps with a sign before it or a machine behind it."""
        bare = re.sub(r"^\W*", "", text)
        machine = bare.partition("@")[2]
        if any(form.fullmatch(machine) for form in (IP4, IP6, DOMAIN)):
            return self.email(text, rng)
        new = self.local(bare, rng)
        if bare.isalnum():
            # Whatever stands for it is found again in the addresses of sites.
            self.users[fold(bare)] = new
        return text.removesuffix(bare) + new

    # Hosts and sites

    def domain(self, host: str) -> str:
        """A reserved domain for a host name; different ones stay different."""
        key = host.lower().removeprefix("www.").rstrip(".")
        known = self.draws.domains.get(key)
        if known is None:
            known = self.draws.domains[key] = self._new_domain(key)
        if host.lower().startswith("www."):
            known = host[:4] + known
        return known.upper() if host.isupper() else known

    def _new_domain(self, key: str) -> str:
        rng = self.draws.random_for("domain", key)
        taken = set(self.draws.domains.values())
        label = self._label(key)
        lead, start = f"{label}." if label else "", rng.randrange(3)
        options = [f"{lead}example.{_TLD[(start + i) % 3]}" for i in range(3)]
        words = (invent_word(rng).lower() for _ in range(200))
        made = (f"{word}.example.{rng.choice(_TLD)}" for word in words)
        for option in chain(options, made):
            if option not in taken and not self.draws.forbidden(option):
                return option
        return "example.com"

    def _label(self, host: str) -> str:
        """The word of a new host for the one that names the owner of an old one; ""
        if that is nobody of the document."""
        labels = host.split(".")[:-1]
        if len(labels) > 1 and labels[-1] in _SECOND_LEVEL:
            labels.pop()
        parts = fold(labels[-1]).split("-") if labels else [""]
        new = [self.joined(part) for part in parts]
        if len(new) > 1 and not all(new):
            new = [self.joined("".join(parts))]
        return "-".join(new) if all(new) else ""

    def email(self, text: str, rng: Random) -> str:
        """An address of a new user on a reserved host."""
        bare = re.sub(r"(?i)^\W*(?:mailto:)?\W*", "", text)
        local, _, host = bare.partition("@")
        match = IP6.fullmatch(host) or re.match(r"[\w.-]+[\w]", host)
        end = match.end() if match else len(host)
        new = self.local(local, rng)
        lead = text.removesuffix(bare)
        return f"{lead}{new}@{self._host(host[:end], rng)}{host[end:]}"

    def _host(self, host: str, rng: Random) -> str:
        """A reserved address or domain for what a machine is called."""
        numbers = IP4.fullmatch(host) or IP6.fullmatch(host) or host.startswith("[")
        return new_ip(host, rng) if numbers else self.domain(host)

    def url(self, text: str, rng: Random) -> str:
        """The address of a page on a reserved host; "" for what is no address."""
        match = _URL.fullmatch(text) or PATH_DOMAIN.fullmatch(text)
        if match is None:
            return self.domain(text) if DOMAIN.fullmatch(text) else ""
        groups = match.groupdict()
        host = self._host(groups["host"], rng)
        user = groups.get("user") or ""
        user = self.local(user[:-1], rng) + "@" if user else ""
        scheme, port = groups.get("scheme") or "", groups.get("port") or ""
        path = _PATH_WORD.sub(lambda m: self._path_word(m[0], rng), groups["rest"])
        return scheme + user + host + port + path

    def _path_word(self, word: str, rng: Random) -> str:
        key = fold(word)
        # Figures behind a user name are no part of the name.
        letters = key.rstrip("0123456789")
        if key in self.users:
            return self.users[key]
        if key in _COMMON_PATH:
            return word
        if key in self.draws.name_map:
            return self.draws.name_map[key]
        named = self.users.get(letters) or self.joined(letters)
        if named:
            return named + like(key[len(letters) :], rng)
        if word.isalpha() and word.isascii() and 3 <= len(word) <= 14:
            new = rng.choice(_PAGES)
            return new.capitalize() if word[0].isupper() else new
        return like(word, rng)


def _only_letters(text: str) -> str:
    return "".join(ch for ch in fold(text) if ch.isalnum() and ch.isascii())
