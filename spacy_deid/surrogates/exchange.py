"""The words of an organisation's name that name exchanged, by the lexicon of a language."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, filterfalse

from ..data import facts
from ..gazetteers.lexicon import FAMILY, LOWER, class_of, is_vocabulary
from ..gazetteers.names import lists
from ..lang.base import LanguagePack, last_word
from ..lang.inflection import key_of, like_capitals
from ..text import names
from ..text.names import fold
from ..text.scripts import script_of
from ..text.words import function_words
from .base import Mention, shuffled, splice
from .cases import Case
from .coined import FIRMS
from .frame import (
    LETTERS,
    NAME,
    PLACES,
    QUOTED,
    Frame,
    capitals,
    house,
    known,
    known_place,
    place_adjective,
)
from .numbers import figure_in_name

# "l'" of "l'Hôpital" is a word of its own.
WORD = re.compile(
    r"[a-zà-ÿ]{1,5}['’](?=[^\W\d_a-zà-ÿ])|\b[a-z]\.\s?[A-Z]\.|[^\W\d_]+(?:['’.&-][^\W\d_]+)*\.?|&"
)
# "Lenta.ru"
_SITE = re.compile(r"(?P<name>[^\W\d_].*)(?P<domain>\.[^\W\d_A-ZА-ЯЁ]{2,4})")
# English words of what an organisation is; they may stay.
ENGLISH_KINDS = frozenset(facts("lang/en/organisations")["kinds"])
# Rows of what organisations are for.
TOPICS = ("term:TOPIC:",)
_DOCTOR = re.compile(r"\b(?:Dr|Dres|Prof|Hnos|Gebr)\.(?:\s[a-z]+\.)*\s+$")
_FOR = re.compile(r"\bfür\s+$")
_PIECE = 4  # first letters that would tell an old name
# "МИДа": letters that are declined.
_DECLINED = re.compile(r"^([А-ЯЁ]{3,6})[а-яё]{1,2}$")


def named_beside(case: Case) -> Iterator[str]:
    """Another name of an animal, a ship or an inn, told by what stands before it."""
    where = f"{case.before[-60:]}|{case.text}"
    for told, pool in case.pack.words.get("named", ()):
        match = re.search(told, where)
        lead = match.groupdict().get("lead") or "" if match else ""
        for name in shuffled(pool.split(","), case.rng) if match else ():
            yield lead + like_capitals(name, case.text[len(lead) :])


def exchanged(case: Case, known_words: dict[str, str]) -> Iterator[str]:
    """A name with its naming parts exchanged: quoted names, places, persons, the rest.

    case (Case): The organisation.
    known_words (dict[str, str]): New words of the document by the old ones, filled here.
    YIELDS (str): The first goes by the words of the document.
    """
    text, before, lang = case.text, case.before, case.pack.lang
    long = sum(len(word) > 4 for word in NAME.findall(text))
    shouting = text.isupper() and long > 1
    if shouting or (text.islower() and not _SITE.fullmatch(text)):
        # "standesamt süderbrarup": its words tell what they are by their capitals.
        small, fit = case.small_words, str.upper if shouting else str.lower
        if case.lowered:
            small = small | {w for w in NAME.findall(text) if is_vocabulary(w, lang)}
        written = NAME.sub(
            lambda m: low if (low := m[0].lower()) in small else m[0].title(), text
        )
        if written != text:
            other = replace(case, mention=case.mention._replace(text=written))
            yield from map(fit, exchanged(other, known_words))
            return
    quoted = QUOTED.search(text)
    for words in (known_words, *({} for _ in range(12))):
        if quoted is None:
            yield _Exchange(text, before, case, words).make()
        else:
            yield _with_quoted(quoted, case, words)


def _with_quoted(quoted: re.Match[str], case: Case, words: dict[str, str]) -> str:
    """The name with another one in its quotation marks, and what stands around exchanged."""
    text, old = case.text, quoted["name"]
    start, end = quoted.span("name")
    head, tail = text[:start], text[end:]
    pool = [*siblings(old, case.frame, head)] or called_like(old, head, case.pack)
    usable = filterfalse(case.draws.forbidden, shuffled(pool, case.rng))
    drawn = _of_its_kind(old, case, words) or next(usable, pool[0])
    name = words.setdefault(case.pack.stem(old), drawn)
    if len(head) > 12:
        head = _Exchange(head, case.before, case, words).make(beside=True)
    behind = _Exchange(tail, case.before + text[:end], case, words)
    # "Kita „Sonnenschein“ Jena"
    behind.in_town = case.pack.joins_nouns
    tail = behind.make(beside=True)
    return head + like_capitals(name, old if old[:1].isalpha() else name) + tail


def _of_its_kind(name: str, case: Case, words: dict[str, str]) -> str:
    """A quoted name with other places where it says what it is ("Ачинский аграрный
    колледж"); "" for all others."""
    pack, (first, *others) = case.pack, NAME.findall(name) or [""]
    told = (x for x in others if x.islower() or LETTERS.fullmatch(x))
    if not any(map(pack.is_kind, told)):
        return ""
    if pack.adjectives(first) and not pack.of_place.search(first):
        name = name.replace(first, first.lower(), 1)
    new = _Exchange(name, "", case, words).make(beside=True)
    return new[:1].upper() + new[1:] if new != name else ""


def called_like(name: str, kind: str, pack: LanguagePack) -> Sequence[str]:
    """What something of a kind is called, by as many words as it is."""
    pools = pack.words.get("pools", {})
    own = next((x for told, x in pools.items() if re.search(told, kind, re.I)), ())
    pool = own or (pack.patrons if pack.patronised.match(kind) else firms(name, pack))
    if not pools or is_foreign(name, pack):
        return pool
    words = len(name.split())
    alike = [x for x in pool if len(x.split()) == words]
    if not (own or alike):
        alike = [x for x in pack.titles if len(x.split()) == words]
    return alike if len(alike) > 2 else pool


def firms(name: str, pack: LanguagePack) -> Sequence[str]:
    """Names of companies in the letters of another one: English ones for "Google" in a
    language with an alphabet of its own."""
    pool = FIRMS if is_foreign(name, pack) else pack.companies
    # "Alteamax" would keep a piece of "Las Alteñas".
    starts = tuple(key_of(word)[:_PIECE] for word in NAME.findall(name))
    return [firm for firm in pool if key_of(firm)[:_PIECE] not in starts]


def is_foreign(name: str, pack: LanguagePack) -> bool:
    """Whether a name has Latin letters, and the language others."""
    return script_of(name) == "LATIN" != script_of(pack.companies[0])


def siblings(word: str, frame: Frame, before: str, after: str = "") -> Iterator[str]:
    """Others of the row of a word that says what an organisation is for, or what it is, or
    of a well-known name; none for a word in no row."""
    if not frame.find(word, ("term:",)):
        return iter(())
    subtype = "TOPIC" if frame.find(word, TOPICS) else ""
    return known(Mention(word, "ORG", subtype, 0, before, after), word, frame)


def _is_english(text: str, pack: LanguagePack) -> bool:
    """Whether a name is of English words ("Royal Air Force") in another language."""
    words = [word.lower() for word in NAME.findall(text)]
    foreign = [word for word in words if not class_of(word, pack.lang) & LOWER]
    english = all(is_vocabulary(word, "en") for word in words)
    return english and len(words) > 1 and 2 * len(foreign) >= len(words)


@dataclass
class _Exchange:
    """Exchanges the words of a name that name, in languages with a lexicon.

    text (str): The name, or a part of it.
    before (str): The text before it.
    case (Case): The whole.
    words (dict[str, str]): New words of the document by the old ones, filled here.
    """

    text: str
    before: str
    case: Case
    words: dict[str, str]
    # Whether a new name stands already, with which the rest of the old one goes.
    named: bool = False
    # Whether all that is no kind names a town.
    in_town: bool = False

    def __post_init__(self) -> None:
        self.frame, self.pack = self.case.frame, self.case.pack
        self.draws, self.rng = self.case.draws, self.case.rng
        self.matches = list(WORD.finditer(self.text))
        found = [m.group() for m in self.matches if self.pack.is_kind(m.group())]
        # "Freiwillige Feuerwehr" is a fire brigade first.
        telling = (self.pack.of_town.match, self.pack.patronised.match)
        told = (word for word in found if any(says(word) for says in telling))
        self.kind = next(told, next(iter(found), ""))
        self.english = _is_english(self.text, self.pack)

    def place(self, i: int) -> tuple[str, int] | None:
        """What stands for a place or people whose name begins with a word, and the index
        of the name's last word."""
        text, pack, named = self.text, self.pack, self.frame.named
        start = self.matches[i].start()
        before = self.before + text[:start]
        for j in range(min(len(self.matches), i + 4), i, -1):
            end = self.matches[j - 1].end()
            # "Hospital San José" is called after a saint, and not after a town abroad.
            home = self.frame.find(text[start:end], PLACES)[:1]
            if (
                pack.patronised.match(self.kind)
                and not text[:start].rstrip().rpartition(" ")[2].islower()
                and any(found.lexeme.home != self.frame.home for found in home)
            ):
                continue
            new = known_place(text[start:end], before, text[end:], self.frame)
            if new is not None:
                # "МВД России" where the country is not named by itself.
                own = home and home[0].lexeme.name == pack.home
                stays = own and self.kind.isupper() and pack.home not in named
                return text[start:end] if stays else new, j - 1
        return None

    def phrase(self, i: int) -> tuple[str, int] | None:
        """The same for a well-known organisation of several words: "Красного Креста"."""
        start = self.matches[i].start()
        for j in range(min(len(self.matches), i + 4), i + 1, -1):
            whole = self.text[start : self.matches[j - 1].end()]
            if not self.frame.find(whole, ("term:ORG:",)):
                continue
            # "Hospital Clínico" says what it is.
            told = all(self._is_kept(k) for k in range(i, j))
            if new := self._sibling(whole, self.before + self.text[:start]) * (
                not told
            ):
                return new, j - 1
        return None

    def is_foreign(self, word: str) -> bool:
        """Whether a word is part of an English name."""
        return self.english or is_foreign(word, self.pack)

    def word(self, match: re.Match[str]) -> str:
        """What stands for a word that names; "" if it goes with the one before."""
        word = match.group()
        key = key_of(word.rstrip("."))
        if key not in self.words:
            self.words[key] = self._new(word, match)
        new = self.words[key]
        return like_capitals(new, word) if new else ""

    def _new(self, word: str, match: re.Match[str]) -> str:
        before = self.before + self.text[: match.start()]
        if LETTERS.fullmatch(letters := _DECLINED.sub(r"\1", word)):
            other = self._sibling(letters, before)
            return other or capitals(letters, self.pack, self.rng)
        if site := _SITE.fullmatch(word):
            return self._new(site["name"], match) + site["domain"]
        of_town = self.pack.of_town.match(last_word(before))
        if of_town and self.frame.find(word, ("term:DISEASE:",)):
            # The village of Warzen has a fire brigade.
            return self._name_for(word, before)
        if self.frame.find(word, TOPICS):
            return self._subject_for(word, before) or self._sibling(word, before)
        if self.named and not _FOR.search(self.text[: match.start()]):
            return ""
        if subject := self._subject_for(word, before) or self._sibling(word, before):
            self.named = self.named or bool(_FOR.search(before))
            return subject
        after = self.text[match.end() :]
        # What is inside with a capital is a place: "района Отрадное".
        plain = "placeadj" + ":named" * (match.start() == 0 or word.islower())
        new = next(place_adjective(word, self.text, self.frame, after, plain), None)
        if new is None:
            new = self._name_for(word, before)
            self.named = not self.is_foreign(word)
        return new

    def _is_kept(self, i: int) -> bool:
        word = self.matches[i].group()
        key = fold(word).replace(".", "")
        form = word.isupper() or "." in word or len(key) > 2
        # "N.º", "1.ª"
        if word[-1] in "ºª" or (form and key in names.LEGAL_FORMS):
            return True
        if self.is_foreign(word):
            small = word.islower() or key in function_words("en")
            return small or key in ENGLISH_KINDS
        if self._in_phrase(i) or self._is_joined_kind(word):
            return True
        if self.frame.find(word, TOPICS) or self._is_placed(i):
            return False
        first = i == 0 or self.matches[i - 1].group().islower()
        return word.islower() or self.pack.is_kind(word, first)

    def _is_placed(self, i: int) -> bool:
        """Whether a noun says where something is ("Praxis am Dom"), or is one of two
        surnames ("Groß & Lang")."""
        start, end = self.matches[i].span()
        beside = (self.text[:start].rstrip()[-1:], self.text[end:].lstrip()[:1])
        word, pack = self.text[start:end], self.pack
        if "&" in beside and class_of(word.lower(), pack.lang) & FAMILY:
            return True
        lead = pack.words.get("placed")
        return bool(lead and re.search(lead, self.text[:start]))

    def _stays(self, i: int) -> bool:
        """Whether a word is kept, and nowhere masked by itself if another may stand for
        it: "Polizei Zug" beside "die Polizei"."""
        word = self.matches[i].group()
        masked = word[:1].isupper() and self.draws.forbidden(word)
        return self._is_kept(i) and not (masked and self._sibling(word, ""))

    def _is_joined_kind(self, word: str) -> bool:
        """ "Пресс-служба"; a hyphen behind a name makes another name of it in German."""
        first, _, last = word.lower().rpartition("-")
        if not first or self.pack.joins_nouns:
            return False
        return is_vocabulary(first, self.pack.lang) and self.pack.is_kind(last)

    def _in_phrase(self, i: int) -> bool:
        start, end = self.matches[i].span()
        phrases = self.pack.kept_phrases.finditer(self.text)
        return any(m.start() <= start and end <= m.end() for m in phrases)

    def _keep(self, i: int) -> None:
        """A word stays; another name may begin with it ("Servicio de Urgencias del
        Hospital") or behind it ("Praxis Lindner Dr. Vogt")."""
        word = self.matches[i].group()
        after_small = i > 0 and self.matches[i - 1].group().islower()
        if after_small and word[0].isupper():
            self.named = False
            self.kind = self.kind if self._in_phrase(i) else word
        elif word.endswith(".") and len(word) > 2:
            self.named = False

    def make(self, beside: bool = False) -> str:
        """The new name; `beside` a quoted one, kinds stay."""
        text, matches = self.text, self.matches
        out: list[str] = []
        position = i = 0
        # "ЖЭУ-61" has a number that changes.
        several = len(matches) > 1 or any(map(str.isdecimal, text))
        while i < len(matches):
            match = matches[i]
            found = self.place(i) or self.phrase(i)
            if found is not None:
                new, i = found
            elif (several or beside) and self._stays(i):
                self._keep(i)
                i += 1
                continue
            else:
                new = self.word(match)
            gap = text[position : match.start()]
            if not new and not any(w[:1].isupper() for w in NAME.findall(gap)):
                # What joined it to the name goes, too: "Bund der Freunde".
                gap = ""
            out += [gap, new]
            position = matches[i].end()
            i += 1
        out.append(text[position:])
        made = re.sub(r"\s{2,}", " ", "".join(out))
        made = re.sub(r"\d+", self._figure, made)
        # Small words that belonged to what has gone.
        made = re.sub(
            r"(\s+(?:(?i:für|am|im|vom|zum|zur|bei)|L[aeo]s?|El|de|del|de la|du|des|d['’]|et|di|dei|della|e|von|der|und|y|для|и|в|&))+\s*$",
            "",
            made,
        )
        made = re.sub(r"\s+(?:&|und|y|и)(?=\s+(?:GmbH|AG|KG|OHG|S\.|e\.))", "", made)
        if made == text:
            # What names it and could not be replaced must not stay beside another kind.
            return self._elsewhere(beside or len(out) > 1)
        return made if text[-1:].isspace() else made.rstrip()

    def _figure(self, match: re.Match[str]) -> str:
        """Another number; a year near by for a year."""
        new = figure_in_name if len(match.group()) == 4 else house
        return new(match.group(), self.rng)

    def _elsewhere(self, beside: bool) -> str:
        """What is called after where it is in its town, or whose it is: "Klinikum Nord",
        "Hospital Clínico Universitario"."""
        rows = (self.pack.quarters, *self.pack.words.get("attributes", ()))
        edits = []
        told = (m.group() for m in self.matches)
        if not all(w in self.case.small_words or self.pack.is_kind(w) for w in told):
            rows = rows[:1]
        for match in self.matches[1:]:
            row = next((row for row in rows if match.group() in row), ())
            others = [x for x in row if x not in self.text]
            if others:
                edits.append((*match.span(), self.rng.choice(others)))
        return splice(self.text, edits or ([] if beside else self._other_kind()))

    def _other_kind(self) -> list[tuple[int, int, str]]:
        """What else it may be, where nothing names it: "Национальному собранию"."""
        for match in self.matches:
            word = match.group()
            if self.is_foreign(word) and word[:1].isupper():
                # "World Fashion Channel"
                return [(*match.span(), self.word(match))]
        for match in self.matches:
            before = self.before + self.text[: match.start()]
            if new := self._sibling(match.group(), before):
                return [(*match.span(), like_capitals(new, match.group()))]
        return []

    def _subject_for(self, word: str, before: str) -> str:
        """What else an authority is for; "" if the word is nothing of the kind."""
        pack = self.pack
        # Courts stay courts, and what may be studied or healed stays such a thing.
        rows = {k: tuple(v) for k, v in pack.words.get("subjects_of", {}).items()}
        asked = sorted(rows, key=lambda kind: not re.match(kind, self.kind, re.I))
        own = [rows[kind] for kind in asked if like_capitals(word, "Aa") in rows[kind]]
        all_of_them = (*own, pack.subjects)[0]
        subjects = [x for x in all_of_them if key_of(x) != key_of(word)]
        if len(subjects) == len(all_of_them) and not _FOR.search(before):
            return ""
        if pack.kind_first:
            # "de la Salud", "del Turismo".
            man = re.search(r"\b(?:el|del|al)\s+$", before) is not None
            if man or re.search(r"\bla\s+$", before):
                subjects = [x for x in subjects if (x[-1] in "oe") == man]
        drawn = list(shuffled(subjects, self.rng))
        return next((x for x in drawn if pack.prefers(x, before)), (*drawn, "")[0])

    def _sibling(self, word: str, before: str) -> str:
        """Another of the row of a word that says what something or somebody is
        ("Конгресса", "Президенте"); "" for a word in none."""
        others = siblings(word, self.frame, self._governing(word, before))
        taken = {x.lower() for x in (*self.words.values(), *self.text.split())}
        free = (x for x in others if x.lower() not in taken)
        return next(filterfalse(self.draws.forbidden, free), "")

    def _governing(self, word: str, before: str) -> str:
        """What stands before a word, but for a name behind what it is, which stays as it is
        called: "клуба Арсенал"."""
        kind = self.pack.is_kind(last_word(before))
        return "" if kind and word[:1].isupper() and not word.isupper() else before

    def _led(self, before: str) -> Sequence[str]:
        """Saints behind "St.", and where something is behind "am" or "an der"."""
        pack, words = self.pack, before.casefold().split()
        lead = words[-1] + " " if words else " "
        saints = [x[len(lead) :] for x in pack.patrons if x.casefold().startswith(lead)]
        if saints or pack.kind_first:
            return saints
        after = pack.streets_after
        return after.get(lead[:-1]) or after.get(" ".join(words[-2:]), ())

    def _name_for(self, word: str, before: str) -> str:
        draws, pack, rng = self.draws, self.pack, self.rng
        inside = before[len(self.before) :]
        told = self.kind in inside and pack.of_town.match(self.kind)
        of_town = self.in_town or told
        beside = () if of_town else self._beside_kind(word, before)
        led = (x for x in shuffled(self._led(inside), rng) if key_of(x) != key_of(word))
        if new := next(filterfalse(draws.forbidden, chain(beside, led)), ""):
            return new
        known = draws.name_map.get(fold(word)) or draws.name_map.get(key_of(word))
        if known and len(word) > 3:
            return known[:1].upper() + known[1:]
        if of_town:
            return next(self.frame.unknown(word, before), pack.companies[0])
        if _DOCTOR.search(before):
            return next(shuffled(lists(pack.lang).family, rng))
        return self._firm(word, before)

    def _beside_kind(self, word: str, before: str) -> Iterator[str]:
        """Other names before what a compound says that it is."""
        pack, (first, hyphen, last) = self.pack, word.rpartition("-")
        if hyphen and pack.kept.fullmatch(last):
            if other := self._sibling(first, before):
                yield f"{other}-{last}"  # "ZDF-Magazin"
            # "Josef-Krankenhaus": with what stands before, "St.-" perhaps.
            patrons = [name.removeprefix("St. ") for name in pack.patrons]
            for name in shuffled(patrons, self.rng):
                if not self.draws.forbidden(name) and name not in first:
                    yield f"{name.replace(' ', '-')}-{last}"
        if kind := pack.kind_ending(word):
            yield from (name + kind for name in shuffled(pack.streets, self.rng))

    def _firm(self, word: str, before: str) -> str:
        """A firm's name, or that of whom such a place is called after."""
        pack = self.pack
        pool = called_like(word, self.kind, pack)
        pool = FIRMS if self.english else pool
        keys = pack.keys(word, self._governing(word, before))
        taken = {key_of(new) for new in self.words.values()}
        starts = {key_of(x)[:_PIECE] for x in NAME.findall(self.case.text)}
        for name in shuffled(pool, self.rng):
            forms = {} if pool is FIRMS else pack.forms(name)
            made = next((forms[k] for k in keys if k in forms), name)
            alike = key_of(made) in taken or key_of(made)[:1] == key_of(word)[:1]
            alike |= key_of(made)[:_PIECE] in starts
            if not (alike or self.draws.forbidden(made)) and pack.prefers(made, before):
                return made
        return pool[0]
