"""Numbers in words: cardinals, ordinals with their endings, and years. One reader, which
also says other numbers in the same form. The words are in `data/lang/CODE/spoken.tsv`
and `number_words.tsv`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import product
from typing import NamedTuple

from ..data import has_own, table
from .case import like_first
from .spoken import LANGUAGES, speech

CARDINAL, ORDINAL = "cardinal", "ordinal"
# Parts of words where a number makes one word with what it counts ("zweijährig").
_WORD = re.compile(r"[^\W\d_]+?(?=jährig|летн)|[^\W\d_]+")
_GAP = re.compile(r"\s{1,2}|-")
_ARTICLE = re.compile(r"(?:half\s+)?an?\b")
_LONGEST, _MOST_FORMS = 7, 9
# Hundreds that years begin with.
YEARS = range(15, 21)
# How much may follow the beginning of a large number, by the kind of its row.
_AFTER = {"century": range(100), "tens": range(10, 100), "units": range(1, 10)}


class Form(NamedTuple):
    """How a number is said: its series, the place of its ending, and of what a large one
    begins with."""

    series: str = CARDINAL
    ending: int = 0
    start: int = 0


class Said(NamedTuple):
    """A number in a text."""

    start: int
    end: int
    value: int
    form: Form


class NumberWords:
    """Reader and writer of one language; see `number_words`."""

    def __init__(self, lang: str) -> None:
        # Series -> value -> the forms of each stem.
        self._forms: dict[str, dict[int, list[list[str]]]] = {}
        # Hundreds -> what larger numbers begin with, and how much may follow it.
        self._starts: dict[int, list[tuple[str, range]]] = {}
        # What stands behind that and between tens and units; an ordinal's end.
        self._joints: dict[int, str] = {0: "", 20: " "}
        self._behind = ""
        self._cardinals: dict[str, int] = {}
        if lang in LANGUAGES:
            self._cardinals |= speech(lang).numbers("digit")
            for word, value in speech(lang).numbers("hundred").items():
                starts = self._starts.setdefault(value // 100, [])
                links = speech(lang).links
                starts += [(f"{word} {link}", range(1, 100)) for link in links]
                starts.append((word, range(100)))
        known = has_own(lang, "number_words.tsv")
        for row in table(f"lang/{lang}/number_words") if known else ():
            self._add(row["kind"], row["value"], row["stems"].split(), row["endings"])
        self._usual: dict[int, str] = {}
        for word, number in self._cardinals.items():
            self._usual.setdefault(number, word)
        self._index: dict[str, tuple[int, Form]] = {}
        for words, value, form in (*self._below_hundred(), *self._above()):
            self._index.setdefault(words.replace("-", " "), (value, form))

    def _add(self, kind: str, value: str, stems: list[str], endings: str) -> None:
        stems = [stem.replace("_", " ") for stem in stems]
        if kind == "joint":
            self._joints[int(value)] = "".join(stems)
        elif kind in _AFTER:
            rows = self._starts.setdefault(int(value), [])
            rows += [(stem, _AFTER[kind]) for stem in stems]
        elif kind == CARDINAL:
            self._cardinals |= dict.fromkeys(stems, int(value))
        elif value.endswith("+"):
            self._behind, self._endings = stems[0], endings.split()
        else:
            ends = ["" if end == "-" else end for end in endings.split()]
            forms = [[stem + end for end in ends] for stem in stems]
            self._forms.setdefault(kind, {})[int(value)] = forms

    def _below_hundred(self) -> Iterator[tuple[str, int, Form]]:
        """Numbers below a hundred in all their forms, and what else has a row."""
        yield from ((word, value, Form()) for word, value in self._cardinals.items())
        for series, rows in {ORDINAL: {}, **self._forms}.items():
            for value, place in product(range(1, 100), range(_MOST_FORMS)):
                form = Form(series, place)
                yield from ((word, value, form) for word in self._small(value, form))
            for value, words in ((v, w) for v, stems in rows.items() for w in stems):
                yield from ((w, value, Form(series, i)) for i, w in enumerate(words))

    def _above(self) -> Iterator[tuple[str, int, Form]]:
        """Hundreds and years."""
        small = [row for row in self._below_hundred() if 0 < row[1] < 100]
        for number, starts in self._starts.items():
            # Years alone have ordinals and cases.
            rests = [r for r in small if number in YEARS or r[2].series == CARDINAL]
            for i, (start, after) in enumerate(starts):
                if 0 in after:
                    yield start, 100 * number, Form(CARDINAL, 0, i)
                for words, rest, form in rests:
                    if rest in after:
                        words = start + self._joints[0] + words
                        yield words, 100 * number + rest, form._replace(start=i)

    def _small(self, value: int, form: Form) -> list[str]:
        """A number as it may be said, best first; nothing if it has no such form."""
        if form.series == CARDINAL:
            return [self._usual[value]] if value in self._usual else []
        rows = self._forms.get(form.series, {})
        if value in rows:
            return [r[form.ending] for r in rows[value] if form.ending < len(r)]
        lead, end = self._usual.get(value // 10 * 10, ""), form.ending
        if self._behind and form.series == ORDINAL and 19 < value < 100:
            said = self._usual.get(value, "") + self._behind
            return [said + ending for ending in self._endings[end : end + 1]]
        if form.series != ORDINAL and rows.get(value // 10 * 10):
            lead = rows[value // 10 * 10][0][0]
        units = rows.get(value % 10, []) if 20 in rows and 20 < value < 100 else []
        return [lead + self._joints[20] + r[end] for r in units if end < len(r)]

    def find(self, text: str, least: int = 2) -> list[Said]:
        """The numbers of a text, in order; cardinals from `least` on, as one is an
        article in many languages."""
        words = list(_WORD.finditer(text)) if self._index else []
        out, i = [], 0
        while i < len(words):
            n = next((n for n in range(_LONGEST, 0, -1) if self._at(words, i, n)), 0)
            if n:
                value, form = self._index[self._key(words, i, n)]
                if value >= least or form.series == ORDINAL:
                    place = words[i].start(), words[i + n - 1].end()
                    out.append(Said(*place, value, form))
            i += n or 1
        return out

    def _at(self, words: list[re.Match[str]], i: int, n: int) -> bool:
        if i + n > len(words):
            return False
        gaps = zip(words[i : i + n - 1], words[i + 1 : i + n])
        text = words[i].string
        joined = all(_GAP.fullmatch(text, a.end(), b.start()) for a, b in gaps)
        return joined and self._key(words, i, n) in self._index

    def _key(self, words: list[re.Match[str]], i: int, n: int) -> str:
        return " ".join(word.group().lower() for word in words[i : i + n])

    def read(self, text: str, series: str = CARDINAL) -> int | None:
        """The number that a text is as a whole; None if it is none of the series."""
        key = " ".join(re.findall(r"[^\W\d_]+", text.lower()))
        value, form = self._index.get(key, (None, Form("")))
        return value if form.series == series else None

    def say(self, value: int, form: Form, like: str) -> str:
        """A number in a form, in the case of a text; "" if it cannot be said so."""
        words = self._small(value, form)
        if value >= 100 and not words:
            starts, rest = self._starts.get(value // 100, []), value % 100
            starts = [*starts[form.start : form.start + 1], *starts]
            tails = [self._joints[0] + r for r in self._small(rest, form)]
            tails = tails if rest else [""]
            words = [start + t for start, fit in starts if rest in fit for t in tails]
        fits = (
            w for w in words if self._index.get(w.replace("-", " "), (-1,))[0] == value
        )
        new = next(fits, "")
        if " " in like and "-" not in like:
            new = new.replace("-", " ")
        return like_first(new, like)

    def alike(self, text: str) -> list[str]:
        """Numbers of as many digits, as round and of as many words as a text says, years
        near by; none if it says none."""
        if (value := self.read(text)) is None:
            return []
        size, odd = len(str(value)), value > 9 and value % 10 > 0
        years = value // 100 in YEARS
        near = range(value - 9, value + 9) if years else range(10**size)
        made = (
            self.say(n, Form(), "")
            for n in near
            if years or (len(str(n)) == size and (size < 2 or (n % 10 > 0) == odd))
        )
        return [words for words in made if words and (" " in words) == (" " in text)]


@cache
def number_words(lang: str) -> NumberWords:
    """The reader and writer of a language; one that finds nothing for those without a
    table."""
    return NumberWords(lang)


def read_words(text: str) -> int | None:
    """Value of a number below a thousand in English words.

    text (str): "twenty-three", "two hundred and fifty", "a hundred", "a".
    RETURNS (Optional[int]): 23, 250, 1; None if it is no number. Half of a larger unit
        counts as one.
    """
    value = number_words("en").read(_ARTICLE.sub("one", text.lower(), count=1))
    return value if value is None or value < 1000 else None


def in_words(number: int, like: str = "", lang: str = "en") -> str:
    """A number below a thousand in words, in the case and with the hyphens of others:
    "twenty-three"."""
    return number_words(lang).say(number, Form(), like)


def read_ordinal(text: str) -> int | None:
    """Value of an ordinal below a hundred in English words: "third", "Twenty First"."""
    return number_words("en").read(text, ORDINAL)


def ordinal_in_words(number: int, like: str = "") -> str:
    """ "third", "twenty-third"; 1 to 99, in the case of others."""
    return number_words("en").say(number, Form(ORDINAL), like)
