"""New names of organisations in German, Spanish and Russian text."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from ..lang.base import LanguagePack
from ..lang.inflection import key_of, like_capitals
from ..text.names import LEGAL_FORMS, acronym, fold
from .base import Draws, Mention, normalise, preferred_first, shuffled
from .frame import (
    LETTERS,
    NAME,
    PEOPLE,
    PLACES,
    QUOTED,
    Frame,
    capitals,
    compound,
    house,
    known,
    last_resort,
    place_adjective,
)
from .organisations import shortened

_WORD = re.compile(r"[^\W\d_]+(?:['’.&-][^\W\d_]+)*\.?|&")
# Authorities and schools that are named after their town.
_OF_TOWN = re.compile(
    r"(?i)\w*gericht|\w*amt$|universit|hochschule|\w*polizei|juzgado|audiencia|ayuntamiento"
    r"|diputaci|суд|университет|мэри|администрац|управлени|прокуратур"
)
_PATRONISED = re.compile(
    r"(?i)hosp|clín|clin|klinik|krankenh|centro|complejo|больниц|клиник|colegio|escuela"
    r"|institut|schul|gymnas|школ|гимнази|лице|stift|parroqu|fundaci|iglesia|residencia|farmacia"
)

# Courts stay courts: what they are for, in Spanish.
_COURT = re.compile(r"(?i)tribunal|juzgado|audiencia|fiscalía")

_BRACKETED = re.compile(
    rf"(?P<name>[^()]{{4,}}?)(?P<open>\s*\([\s„“\"«]*)(?P<short>{LETTERS.pattern})"
    r"(?P<close>[\s“”\"»]*\))"
)


def replace_organisations(
    mentions: Sequence[Mention], draws: Draws, frame: Frame
) -> list[str]:
    """New names for the organisations of a document.

    mentions (Sequence[Mention]): All mentions of organisations, in document order.
    draws (Draws): The document's draws, with new names of persons.
    frame (Frame): Its countries.
    RETURNS (list[str]): One text a mention.
    """
    new: dict[str, str] = {}
    words: dict[str, str] = {}
    letters = _Letters(draws, frame.pack)
    shorts = shortened(mentions)
    # Full names first: acronyms are made from them.
    for mention in sorted(mentions, key=lambda m: -len(m.text)):
        text = mention.text
        if text in new:
            continue
        named = _BRACKETED.fullmatch(text)
        if named is not None:
            # "Name (ABC)": the letters are those of the new name.
            main = mention._replace(text=named["name"], after=text[named.end("name") :])
            made = new.get(main.text) or _organisation(
                main, draws, frame, words, letters.fitting(named["short"])
            )
            new[main.text] = made
            short = letters.of(named["short"], mention.entity_id, named["name"], made)
            if short is not None:
                whole = made + named["open"] + short + named["close"]
                if draws.usable(whole, normalise(text)):
                    new[text] = draws.claim(whole, normalise(text))
                    continue
        short = None
        if LETTERS.fullmatch(text):
            short = letters.of(text, mention.entity_id)
        fits = letters.fitting(*shorts[text]) if text in shorts else None
        new[text] = short or _organisation(mention, draws, frame, words, fits)
        if not LETTERS.fullmatch(text):
            letters.name(mention.entity_id, text, new[text])
            for known in shorts.get(text, ()):
                letters.of(known, mention.entity_id, text, new[text])
    return [new[m.text] for m in mentions]


class _Letters:
    """Acronyms of a document's organisations, made from their new names.

    draws (Draws): The document's draws.
    pack (LanguagePack): Its language.
    """

    def __init__(self, draws: Draws, pack: LanguagePack) -> None:
        self.draws = draws
        self.pack = pack
        self.made: dict[str, str] = {}
        self._by_entity: dict[int, str] = {}
        self._by_letters: dict[str, str] = {}

    def name(self, entity: int, old: str, new: str) -> None:
        """Note the new name of an organisation."""
        # What the longest of its names has become.
        self._by_entity.setdefault(entity, new)
        for letters in (acronym(old), self._initials(old)):
            if len(letters) > 1:
                self._by_letters.setdefault(letters, new)

    def of(self, short: str, entity: int, old: str = "", new: str = "") -> str | None:
        """The acronym that stands for another one, the same wherever it stands.

        short (str): The old one.
        entity (int): Whose it is.
        old (str): The full name beside it.
        new (str): What that name becomes.
        RETURNS (Optional[str]): None if no name of the organisation is known.
        """
        if new:
            self.name(entity, old, new)
        if short in self.made:
            return self.made[short]
        name = new or self._by_letters.get(short) or self._by_entity.get(entity)
        if not name:
            return None
        key = normalise(short)
        found = self.draws.pick(self._spelled(name), key)
        if found is not None:
            self.made[short] = self.draws.acronyms[short] = found
        return found

    def fitting(self, *shorts: str) -> Callable[[str], bool]:
        """Tells of new names whether their initials may stand for some acronyms."""

        def fits(new: str) -> bool:
            made = self._initials(new)
            return 2 <= len(made) <= 6 and all(
                self.draws.usable(made, normalise(short)) for short in shorts
            )

        return fits

    def _words(self, name: str) -> list[str]:
        """Words of a name that count in its acronym: no legal forms, nothing small but
        the adjectives and nouns of Russian names."""
        small = self.pack.acronyms_of_all
        found = []
        for match in NAME.finditer(name):
            word = match.group()
            form = fold(word) in LEGAL_FORMS and (word.isupper() or len(word) < 4)
            if form or (word.isupper() and len(word) > 1):
                continue
            if word[:1].isupper() or (small and len(word) > 3):
                found += [part for part in word.split("-") if part]
        return found

    def _initials(self, name: str) -> str:
        return "".join(word[0] for word in self._words(name)).upper()

    def _spelled(self, name: str) -> Iterator[str]:
        """Acronyms of a name, the plain one first."""
        words = self._words(name)
        initials = self._initials(name)
        if 2 <= len(initials) <= 6:
            yield initials
        for i, word in enumerate(words):
            # "NaRu" is "NAR": more of one word.
            for size in range(2, min(4, len(word)) + 1):
                made = initials[:i] + word[:size].upper() + initials[i + 1 :]
                if 2 <= len(made) <= 6 and made.isalpha():
                    yield made


def _organisation(
    mention: Mention,
    draws: Draws,
    frame: Frame,
    words: dict[str, str],
    fits: Callable[[str], bool] | None = None,
) -> str:
    text, key = mention.text, normalise(mention.text)
    pack = frame.pack
    rng = draws.random_for("organisation", key)

    def candidates() -> Iterator[str]:
        if len(text) > 300:
            return
        yield from known(mention, text, frame)
        yield from compound(mention, frame, rng)
        if LETTERS.fullmatch(text):
            for _ in range(40):
                yield capitals(text, pack, rng)
        yield _rewritten(text, mention.before, draws, frame, words, rng)
        for _ in range(12):
            yield _rewritten(text, mention.before, draws, frame, {}, rng)
        if fits is not None and len(NAME.findall(text)) == 2:
            # One word has no initials: "VS" stands for two.
            pool = list(shuffled([n for n in pack.companies if " " not in n], rng))
            yield from map(" ".join, zip(pool[::2], pool[1::2]))
        # Nothing in it names: it gets a name.
        kinds = [
            m.group() for m in _WORD.finditer(text) if pack.kept.fullmatch(m.group())
        ]
        for name in shuffled(pack.patrons, rng):
            if kinds and text[:1].isupper():
                yield f"{text} {name}" if pack.kind_first else f"{name}-{text}"
        for name in shuffled(pack.companies, rng):
            yield like_capitals(name, text)

    made = preferred_first(candidates(), fits) if fits else candidates()
    found = draws.pick(made, key, tries=80)
    return found or last_resort(mention, frame, "organisation")


def _rewritten(
    text: str,
    before: str,
    draws: Draws,
    frame: Frame,
    words: dict[str, str],
    rng: random.Random,
) -> str:
    """A name with its naming parts exchanged: quoted names, places, persons, the rest."""
    pack = frame.pack
    quoted = QUOTED.search(text)
    if quoted is not None:
        start, end = quoted.span("name")
        name = words.setdefault(key_of(quoted["name"]), _company(draws, pack, rng))
        head = text[:start]
        if len(head) > 12:
            head = _rewritten_words(head, before, draws, frame, words, rng, True)
        tail = _rewritten_words(
            text[end:], before + text[:end], draws, frame, words, rng, True
        )
        return head + like_capitals(name, quoted["name"]) + tail
    return _rewritten_words(text, before, draws, frame, words, rng)


def _company(draws: Draws, pack: LanguagePack, rng: random.Random) -> str:
    for name in shuffled(pack.companies, rng):
        if not draws.forbidden(name):
            return name
    return pack.companies[0]


@dataclass
class _Rewriting:
    """Exchanges the words of a name that name.

    text (str): The name.
    before (str): The text before it.
    words (dict[str, str]): New words of the document by the old ones, filled here.
    """

    text: str
    before: str
    draws: Draws
    frame: Frame
    words: dict[str, str]
    rng: random.Random
    # Whether a new name stands already, with which the rest of the old one goes.
    named: bool = False

    def __post_init__(self) -> None:
        kept = self.frame.pack.kept
        self.matches = list(_WORD.finditer(self.text))
        found = (m.group() for m in self.matches if kept.fullmatch(m.group()))
        self.kind = next(found, "")

    def place(self, i: int) -> tuple[str, int] | None:
        """What stands for a place or people whose name begins with a word, and the index
        of the name's last word."""
        pack, text = self.frame.pack, self.text
        start = self.matches[i].start()
        for j in range(min(len(self.matches), i + 4), i, -1):
            end = self.matches[j - 1].end()
            part = text[start:end]
            rows = (*PLACES, "of", *PEOPLE) if part[:1].isupper() else ("of", "adj")
            if not any(
                f.lexeme.row.startswith(rows) for f in pack.lexicon().find(part)
            ):
                continue
            context = self.before + text[:start]
            mention = Mention(part, "LOC", "", 0, context, text[end:])
            new = next(known(mention, part, self.frame), None)
            if new is not None:
                return new, j - 1
        return None

    def word(self, match: re.Match[str]) -> str:
        """What stands for a word that names; "" if it goes with the one before."""
        word = match.group()
        key = key_of(word.rstrip("."))
        if key not in self.words:
            self.words[key] = self._new(word, match)
        new = self.words[key]
        return like_capitals(new, word) if new else ""

    def _new(self, word: str, match: re.Match[str]) -> str:
        if LETTERS.fullmatch(word):
            return capitals(word, self.frame.pack, self.rng)
        if self.named:
            return ""
        after = self.text[match.end() :]
        new = next(place_adjective(word, self.text, self.frame, after), None)
        if new is None:
            before = self.before + self.text[: match.start()]
            new = _name_for(word, self.kind, before, self.draws, self.frame, self.rng)
            self.named = True
        return new


def _rewritten_words(
    text: str,
    before: str,
    draws: Draws,
    frame: Frame,
    words: dict[str, str],
    rng: random.Random,
    beside: bool = False,
) -> str:
    """The words of a name that name exchanged; `beside` a quoted name, kinds stay."""
    rewriting = _Rewriting(text, before, draws, frame, words, rng)
    matches = rewriting.matches
    out: list[str] = []
    position = i = 0
    while i < len(matches):
        match = matches[i]
        found = rewriting.place(i)
        if found is not None:
            new, i = found
        elif (len(matches) > 1 or beside) and _stays(match.group(), frame.pack):
            i += 1
            continue
        else:
            new = rewriting.word(match)
        gap = text[position : match.start()]
        if not new and not any(w[:1].isupper() for w in NAME.findall(gap)):
            # What joined it to the name goes, too: "Bund der Freunde".
            gap = ""
        out += [gap, new]
        position = matches[i].end()
        i += 1
    out.append(text[position:])
    made = re.sub(r"\s{2,}", " ", "".join(out))
    made = re.sub(r"\d+", lambda m: house(m.group(), rng), made)
    # Small words that belonged to what has gone.
    made = re.sub(r"(\s+(?:de|del|de la|von|der|und|y|для|и|в|&))+\s*$", "", made)
    made = re.sub(r"\s+(?:&|und|y|и)(?=\s+(?:GmbH|AG|KG|OHG|S\.|e\.))", "", made)
    return made if text[-1:].isspace() else made.rstrip()


def _stays(word: str, pack: LanguagePack) -> bool:
    key = fold(word).replace(".", "")
    if key in LEGAL_FORMS and (word.isupper() or "." in word or len(key) > 2):
        return True
    return word.islower() or pack.kept.fullmatch(word) is not None


def _name_for(
    word: str,
    kind: str,
    before: str,
    draws: Draws,
    frame: Frame,
    rng: random.Random,
) -> str:
    pack = frame.pack
    first, hyphen, last = word.rpartition("-")
    if hyphen and pack.kept.fullmatch(last):
        # "Josef-Krankenhaus": with what stands before, "St.-" perhaps.
        names = [name.removeprefix("St. ") for name in pack.patrons]
        name = next(
            n for n in shuffled(names, rng) if not draws.forbidden(n) and n not in first
        )
        return f"{name.replace(' ', '-')}-{last}"
    known = draws.name_map.get(fold(word)) or draws.name_map.get(key_of(word))
    if known and len(word) > 3:
        return known[:1].upper() + known[1:]
    subjects = [x for x in pack.subjects if key_of(x) != key_of(word)]
    if len(subjects) < len(pack.subjects) or re.search(r"\bfür\s+$", before):
        of_courts = pack.words.get("court_subjects", ())
        if of_courts and _COURT.match(kind):
            subjects = [x for x in of_courts if key_of(x) != key_of(word)]
        elif pack.kind_first:
            # "de la Salud", "del Turismo".
            man = re.search(r"\b(?:el|del|al)\s+$", before) is not None
            if man or re.search(r"\bla\s+$", before):
                subjects = [x for x in subjects if (x[-1] in "oe") == man]
        return next(shuffled(subjects, rng))
    if _OF_TOWN.match(kind):
        return next(frame.unknown(word, before), pack.companies[0])
    pool = pack.patrons if _PATRONISED.match(kind) else pack.companies
    keys = pack.keys(word, before)
    for name in shuffled(pool, rng):
        forms = pack.forms(name) if pool is pack.companies else {}
        made = next((forms[k] for k in keys if k in forms), name)
        if not draws.forbidden(made) and key_of(made)[:1] != key_of(word)[:1]:
            return made
    return pool[0]
