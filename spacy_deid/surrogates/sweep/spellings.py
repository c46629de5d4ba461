"""Other strings by which what is masked may be called in the same text.

Umlauts written out ("Krueger"), user names ("kdoyle"), names of firms without their
legal form, and the cases of names in languages that decline them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cached_property, lru_cache
from itertools import filterfalse
from typing import NamedTuple

from ...data import facts, word_lists
from ...gazetteers.frequencies import everyday_words
from ...gazetteers.lexicon import is_coined
from ...lang.base import pack_of
from ...lang.name_forms import name_forms
from ...text.address_words import PIECE_END
from ...text.countries import demonym, index
from ...text.dates import may_be_date, read_date
from ...text.folding import file_ending, written_out
from ...text.names import EVERYDAY, LEGAL_FORMS, NOBODY, NameToken, fold, name_tokens
from ...text.spoken import speech
from ..address_words import has_street, is_box, is_region, post_codes
from .name_words import (
    has_umlauts,
    joined_names,
    joined_surnames,
    parts_of,
    with_umlauts,
)
from .occurrences import ANY, CAPITALISED, NOT_TITLE
from .runs import Runs, compact, read_words

USERNAME = "USERNAME"

# Legal forms that are no words: what stands before them is the name of a firm.
_SURE, _CYRILLIC_FORMS, _JOINS = (
    frozenset(word_lists("names/words")[f"legal_form.{kind}"])
    for kind in ("sure", "cyrillic", "joint")
)
_NOBODY = {"en": NOBODY}
_QUOTED = re.compile('[«„“"]([^«»„“”"]{2,60})[»“”"]')
_MIN_FIRST = 4


class Form(NamedTuple):
    """Another string for a masked one.

    text (str): The string.
    label (str): Its own semantic type, "" if it has that of the masked one.
    subtype (str): The subtype that goes with the label.
    of (str): The masked string, if this is another spelling of the very same.
    part (bool): Whether it is, or may be, part of a name.
    only (str): What the word has to be, see `Sweep.add`.
    written (str): See `Sweep.add`.
    """

    text: str
    label: str = ""
    subtype: str = ""
    of: str = ""
    part: bool = False
    only: str = ANY
    written: str = ""


class Spellings:
    """What to look for in one document beside the masked strings themselves.

    lang (str): Code of its language.
    text (str): Its text.
    runs (Runs): The text's runs.
    """

    def __init__(self, lang: str, text: str, runs: Runs) -> None:
        self._lang = lang
        self._forms, self._speech = name_forms(lang), speech(lang)
        self._nobody = _NOBODY.get(lang, frozenset())
        self.declined = self._forms.declined
        self._runs = runs
        self._text = text
        self._umlauts = has_umlauts(text)
        self._tokens: list[NameToken] = []

    @cached_property
    def words(self) -> frozenset[str]:
        """The words of the text, folded: what is not among them need not be sought."""
        return frozenset(self._runs.words)

    def parts(self, name: str) -> list[str]:
        """Words of a person's name that identify someone by themselves."""
        if name.isascii() and name.isalpha():
            return []
        apart = name.count(",") > 1 or name.count(" ") > 2
        if apart and self._speech.read(name) is not None:
            # "Juliett, Oscar, Uniform": its words are letters.
            return []
        self._tokens = name_tokens(name.removesuffix(file_ending(name)))
        named = filterfalse(self._forms.is_title, parts_of(self._tokens))
        return [part for part in named if part.lower() not in self._nobody]

    def says_nothing(self, text: str, label: str) -> bool:
        """Whether a word means nothing of the kind where it stands elsewhere: a number in
        words that is a piece of a code, and a pronoun in what tells a name."""
        words = {"CODE": self._speech.number_words, "PERSON": self._nobody}
        return text.lower() in words.get(label, ())

    @cached_property
    def figures(self) -> list[tuple[str, list[str]]]:
        """Three numbers with the same sign between that may be a date, which nobody
        takes them for where nothing around says so; with each number."""
        words, runs = self._runs.words, self._runs
        digits = [i for i, word in enumerate(words) if word.isdecimal()]
        return [
            (self._text[runs.starts[a] : runs.ends[b]], words[a : b + 1])
            for a, b in zip(digits, digits[2:])
            if b - a == 2 and self._is_figures(a, b)
        ]

    def _is_figures(self, a: int, b: int) -> bool:
        starts, ends = self._runs.starts, self._runs.ends
        first, second = (self._text[ends[i] : starts[i + 1]] for i in (a, a + 1))
        return first == second and first.strip() in ("", ".", "/", "-") and b > a

    def _dates(self, core: str) -> Iterator[Form]:
        date = read_date(core) if self.figures else None
        if date is not None:
            for text, numbers in self.figures:
                if compact(text) != compact(core) and may_be_date(numbers, date):
                    yield Form(text)

    def others(self, core: str, label: str, parts: Sequence[str]) -> Iterator[Form]:
        """The other strings for a masked one."""
        if label == "DATETIME":
            yield from self._dates(core)
        words = (label == "PERSON" and parts) or (core,)
        if label == "PERSON" and parts:
            yield from self._user_names(core, self._tokens)
        if self._umlauts or not core.isascii():
            yield from self._umlauts_otherwise(label == "PERSON", words)
        short: list[str] = []
        if label == "LOC" and not self.declined and len(core) > 8:
            kinds = _kept(core, self._lang)
            yield from filter(lambda form: form.text not in kinds, address_parts(core))
        if label == "ORG":
            kinds = kind_words(core, self._lang)
            for form in short_forms(core):
                short.append(form.text)
                if form.text not in kinds:
                    yield form
        if self.declined:
            yield from self._cases(label, words, short)

    def _user_names(self, core: str, tokens: Sequence[NameToken]) -> Iterator[Form]:
        whole = compact(core)
        # "Devries" is no other word as "Karend" might be.
        for names, only in (
            (joined_names(tokens), NOT_TITLE),
            (joined_surnames(tokens), ANY),
        ):
            if self.words.isdisjoint(names):
                continue
            for name in self.words.intersection(names) - {whole}:
                if name not in everyday_words("en"):
                    yield Form(name, "CODE", USERNAME, only=only)

    def _umlauts_otherwise(self, person: bool, words: Sequence[str]) -> Iterator[Form]:
        """Words with their umlauts written out, and with umlauts for what may be such."""
        for word in words:
            forms = [Form(written_out(word), of=word, part=person)]
            # "Michael" is no "Michäl" unless somebody writes it so.
            for new in with_umlauts(word) if self._umlauts and word.isalpha() else ():
                forms.append(Form(new, of=word, part=person, written=compact(word)))
            for form in forms:
                # Of a person's name it may be the plural that stands in the text.
                if form.text != word and (person or self._has_first(form.text)):
                    yield form

    def _has_first(self, text: str) -> bool:
        words = read_words(text)
        return bool(words) and words[0] in self.words

    def _cases(
        self, label: str, words: Sequence[str], short: Sequence[str]
    ) -> Iterator[Form]:
        if label == "PERSON":
            for word in words:
                for form in self._forms.of_word(word):
                    yield Form(form.capitalize(), part=True, only=CAPITALISED)
        elif label == "DEM":
            for form in self._forms.of_term(words[0]) - {words[0]}:
                if self._has_first(form):
                    yield Form(form, of=words[0])
        elif label in ("LOC", "ORG"):
            for text in (*words, *short):
                of = text if label == "ORG" else ""
                for form in set(self._forms.of_phrase(text).values()):
                    yield Form(form.capitalize(), of=of, only=CAPITALISED)

    def like(self, new: str, found: str, of: str, before: str) -> str:
        """A surrogate spelt as the string that it stands for."""
        if self.declined:
            return self._forms.in_case_of(new, found, of, before)
        return written_out(new) if found.isascii() else new


# What stands around words of an organisation's name.
_QUOTES = ',.«»„“”"'


def kind_words(core: str, lang: str) -> set[str]:
    """Words that say what an organisation is and may stand elsewhere, if others name it:
    "Kreisjugendamt" before a town.

    core (str): The organisation.
    lang (str): Code of the language.
    RETURNS (set[str]): Its words; none of a name that has no others.
    """
    words, kinds = core.split(), _kept(core, lang)
    others = (word.strip(_QUOTES) for word in words)
    named = (x for x in others if x not in kinds and fold(x) not in LEGAL_FORMS)
    # "МАДОУ № 233"
    told = (x for x in named if x.isdecimal() or (x[:1].isupper() and len(x) > 2))
    return kinds if any(told) else set()


def _kept(core: str, lang: str) -> set[str]:
    pack, words = pack_of(lang), [word.strip(_QUOTES) for word in core.split()]
    return {x for x in words if pack is not None and pack.is_kind(x, x == words[0])}


def coined_parts(core: str, lang: str) -> list[str]:
    """Words of an organisation's name that nothing else is called by."""
    words = {word.strip(_QUOTES) for word in core.split()} - kind_words(core, lang)
    # "агенству" is misspelt.
    named = (word for word in words if core.islower() or not word.islower())
    return sorted(word for word in named if is_coined(word, lang))


def _is_word(word: str) -> bool:
    low = fold(word)
    return low in EVERYDAY or low in everyday_words("en")


@lru_cache(maxsize=1 << 14)
def short_forms(name: str) -> tuple[Form, ...]:
    """What an organisation is called for short: the name without its legal form, and
    its first word if that is a name by itself."""
    words = name.split()
    sure = False
    while len(words) > 1 and _is_form(words[-1]):
        sure = sure or _key(words[-1]) in _SURE
        words.pop()
        while len(words) > 1 and (words[-1].lower() in _JOINS or words[-1] == ","):
            words.pop()
    while len(words) > 1 and _key(words[0]) in _CYRILLIC_FORMS:
        sure = True
        del words[0]
    short = " ".join(words).rstrip(",;")
    quoted = _QUOTED.search(short)
    if quoted is not None and quoted[1] != short:
        short = quoted[1].strip()
    elif len(short) == len(name.rstrip(",;")):
        return ()
    short = short.strip("«»„“”\"' ")
    words = short.split()
    capitals = sum(word[:1].isupper() for word in words)
    named = any(word[:1].isupper() and not _is_word(word) for word in words)
    # "Orange Ltd" and "Ford Motor Company" are called so, no "Insurance Company" is.
    if len(compact(short)) < 2 or not (named or capitals > (0 if sure else 1)):
        return ()
    whole = Form(short, only=ANY if named else CAPITALISED)
    first = words[0].strip(",;")
    told = first.isalpha() and first[0].isupper() and len(first) >= _MIN_FIRST
    if not (sure and len(words) > 1 and told) or _is_word(first) or _is_listed(first):
        return (whole,)
    return whole, Form(first, only=CAPITALISED)


_FIGURES = re.compile(r"\d")
_HOUSE = r"\d+(?:\s?[-–/]\s?\d+)?\s?[a-zA-Z]?"
_NUMBER = re.compile(rf"^\W*{_HOUSE}\b|\b{_HOUSE}\W*$")
_MAX_ADDRESS = 200
# "the close of", "on the high street"
_ROUTES = frozenset(facts("lang/en/places")["routes"].split())
_COMMON_STREETS = frozenset("the high main back side one way long".split())


@lru_cache(maxsize=1 << 14)
def address_parts(address: str) -> tuple[Form, ...]:
    """What tells a place by itself in an address: street and number, street, post code,
    town. Words of everyday, states and countries do not."""
    return tuple(
        Form(text, "LOC", subtype, only=CAPITALISED if text.isalpha() else ANY)
        for text, subtype, distinct in address_pieces(address)
        if distinct
    )


def address_pieces(address: str) -> list[tuple[str, str, bool]]:
    """The parts of an address, their subtypes, and whether they tell a place by
    themselves."""
    if len(address) > _MAX_ADDRESS or not _FIGURES.search(address):
        return []
    codes = post_codes(address)
    out = [(code, "POSTCODE", True) for code in codes]
    street = False
    for piece in PIECE_END.split(address):
        for code in codes:
            piece = piece.replace(code, " ")
        piece = " ".join(piece.split())
        name = _NUMBER.sub("", piece).strip(" ,.")
        words = [w for w in re.findall(r"[^\W\d_]+", name) if w[0].isupper()]
        distinct = any(len(word) > 3 and not _is_word(word) for word in words)
        if name and has_street(name):
            street = True
            if name != piece:
                out.append((piece, "ADDRESS", len(compact(piece)) >= _MIN_PART))
            # "Mill Lane" is two words of everyday, and yet a street; a box is none.
            distinct |= len(words) > 1 and words[0].lower() not in _COMMON_STREETS
            # "State Highway" has many numbers.
            said = is_box(name) or name.split()[-1].lower() in _ROUTES
            out.append((name, "ADDRESS", distinct and not said))
        elif (
            street
            and name
            and not _FIGURES.search(piece)
            and not is_region(name)
            and fold(name) not in index().by_name
        ):
            out.append((name, "CITY", distinct))
    return [part for part in out if part[0] != address]


# A house number and a street of fewer letters are found in too many places.
_MIN_PART = 6


def _key(word: str) -> str:
    return word.lower().replace(".", "").strip(",;()«»\"'")


def _is_form(word: str) -> bool:
    key = fold(_key(word))
    # "as" and "se" are words; "AS" and "S.E." are none.
    return key in LEGAL_FORMS and (not word.islower() or key in _SURE)


def _is_listed(word: str) -> bool:
    """Whether a word names a place or a people: a firm is not the only one to have it."""
    found = index()
    key = fold(word)
    return key in found.by_city or key in found.by_name or demonym(word) is not None
