"""Words in all their forms: one is exchanged for another in the same form.

A form has a key ("", "s", "gent"), which means the same for all words of one row. Where a
form has several keys ("Москве" is dative and locative), a sibling must have one form for
all of them, so that no case has to be guessed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from ..text.case import match_case
from ..text.folding import fold


class Lexeme(NamedTuple):
    """A word with its forms.

    name (str): The form that stands in lists.
    row (str): Kind of the word; words of one row may stand for one another.
    forms (Mapping[str, str]): Form by key.
    home (str): What the word belongs to, such as a country; "" for none.
    """

    name: str
    row: str
    forms: Mapping[str, str]
    home: str = ""


class Found(NamedTuple):
    """A word of a text.

    lexeme (Lexeme): What it is.
    keys (tuple[str, ...]): Keys of its form.
    """

    lexeme: Lexeme
    keys: tuple[str, ...]


class Lexicon:
    """Words by their forms and by row.

    lexemes (Iterable[Lexeme]): The words. Of two with one form the first counts, so
        rows that matter more come first.
    """

    def __init__(self, lexemes: Iterable[Lexeme]) -> None:
        self.rows: dict[str, list[Lexeme]] = {}
        self._by_form: dict[str, list[Found]] = {}
        self._by_home: dict[tuple[str, str], list[Lexeme]] = {}
        for lexeme in lexemes:
            self.rows.setdefault(lexeme.row, []).append(lexeme)
            self._by_home.setdefault((lexeme.row, lexeme.home), []).append(lexeme)
            keys: dict[str, list[str]] = {}
            for key, form in lexeme.forms.items():
                keys.setdefault(key_of(form), []).append(key)
            for form, found in keys.items():
                self._by_form.setdefault(form, []).append(Found(lexeme, tuple(found)))

    def find(self, text: str) -> list[Found]:
        """What a text may be a form of, best first, "aleman" of "alemán", too; empty if it
        is in no list."""
        key = key_of(text)
        return self._by_form.get(key) or self._plain.get(key, [])

    @cached_property
    def _plain(self) -> dict[str, list[Found]]:
        """Words by their forms without accents."""
        return {fold(x): of for x, of in self._by_form.items() if fold(x).isascii()}

    def in_row(self, text: str, rows: Sequence[str]) -> list[Found]:
        """What a text may be a form of in rows whose names begin with one of `rows`."""
        return [f for f in self.find(text) if f.lexeme.row.startswith(tuple(rows))]

    @cached_property
    def countries(self) -> dict[str, Lexeme]:
        """Countries by name; of two rows with one country the first counts."""
        found: dict[str, Lexeme] = {}
        for row, lexemes in self.rows.items():
            if row.startswith("country"):
                for lexeme in lexemes:
                    found.setdefault(lexeme.name, lexeme)
        return found

    def at_home(self, row: str, home: str) -> Sequence[Lexeme]:
        """The words of a row that belong to a country; none if there is no such row."""
        return self._by_home.get((row, home), ())


def key_of(form: str) -> str:
    """Key of a form in any case: ё as е, apostrophes and spaces alike."""
    return " ".join(form.casefold().replace("’", "'").split()).replace("ё", "е")


def pattern(forms: Mapping[str, str]) -> tuple[int, ...]:
    """Which keys have one form: words of one pattern can stand for each other in any
    form, without anybody knowing its key."""
    values = list(forms.values())
    return tuple(values.index(value) for value in values)


def in_form(
    lexemes: Iterable[Lexeme],
    keys: Sequence[str],
    old: str = "",
    prefer: Callable[[str], bool] | None = None,
) -> Iterator[str]:
    """Words in the form of another one.

    lexemes (Iterable[Lexeme]): Candidates, best first.
    keys (Sequence[str]): Keys of the other word's form; the likeliest first.
    old (str): Text whose case is kept.
    prefer (Optional[Callable]): Whether a form fits what stands before it.
    YIELDS (str): First forms that are right whichever key was meant, then those of the
        likeliest key.
    """
    later: list[str] = []
    for lexeme in lexemes:
        forms = [lexeme.forms.get(key) for key in keys]
        first = forms[0] if forms else None
        if first is None:
            continue
        text = like_capitals(first, old)
        if len(set(forms)) > 1 or (prefer is not None and not prefer(text)):
            later.append(text)
        else:
            yield text
    yield from later


def like_capitals(new: str, old: str) -> str:
    """`new` in the letter case of `old`: capitals, small letters, or a capital first."""
    text = match_case(new, old)
    if old[:1].isupper() and text[:1].islower():
        text = text[:1].upper() + text[1:]
    return text


# Keys of an adjective's forms: masculine, feminine, and both in the plural.
GENDERS = ("m", "f", "ms", "fs")
_WORDS_BEFORE = re.compile(r"[^\W\d_]+|[.;:!?\n]")


def national(cell: str, country: str) -> Lexeme:
    """The adjective of a country, of a cell of its table.

    cell (str): Stem and endings by `GENDERS` ("alem:án ana anes anas", "-" for none), or
        the one form of a language that has no others.
    country (str): What it belongs to.
    RETURNS (Lexeme): The adjective.
    """
    stem, _, endings = cell.partition(":")
    forms = {k: stem + end.strip("-") for k, end in zip(GENDERS, endings.split())}
    forms = forms or {"-": stem}
    return Lexeme(next(iter(forms.values())), "adj", forms, country)


def by_determiner(
    determiners: Mapping[str, str], keys: Sequence[str], before: str
) -> tuple[str, ...]:
    """The likelier gender and number first, by the words before a form in its sentence.

    determiners (Mapping[str, str]): Words by the keys that they go with, with blanks
        between: {"f fs": "une la cette"}.
    keys (Sequence[str]): Keys of the form.
    before (str): The text before it.
    RETURNS (tuple[str, ...]): The keys, those that the nearest word goes with first.
    """
    words = _WORDS_BEFORE.findall(before[-60:].lower()) if len(keys) > 1 else []
    for word in reversed(words):
        if not word.isalpha():
            break
        for likely, of in determiners.items():
            if word in of.split():
                return tuple(sorted(keys, key=lambda k: k not in likely.split()))
    return tuple(keys)


def by_ending(
    endings: Sequence[tuple[str, str]], word: str, before: str
) -> tuple[str, ...]:
    """The forms that a noun in no list may have, by its ending.

    endings (Sequence[tuple[str, str]]): Pattern of an ending and the keys of such a form
        in the tables, with blanks between, the first that fits first.
    word (str): The noun.
    before (str): The text before it, of which nothing is asked.
    RETURNS (tuple[str, ...]): Keys, none for another word.
    """
    fits = (keys for end, keys in endings if re.search(f"(?:{end})$", word))
    # A capital at its start is that of a field or a sentence.
    return tuple(next(fits, "").split()) if word[1:].islower() else ()


def stems(row: str, words: Iterable[str], endings: str) -> list[Lexeme]:
    """Words of one row that differ in their stems alone.

    row (str): Name of the row.
    words (Iterable[str]): Stems.
    endings (str): Endings with blanks between, "-" for none; each is its own key. The
        first one makes the name.
    RETURNS (list[Lexeme]): A word for each stem.
    """
    keys = {key: "" if key == "-" else key for key in endings.split()}
    forms = ({key: stem + end for key, end in keys.items()} for stem in words)
    return [Lexeme(next(iter(of.values())), row, of) for of in forms]
