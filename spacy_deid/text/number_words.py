"""Numbers in words as dates and ages have them: cardinals, ordinals with their endings, and
years. One reader, which also says other numbers in the same form. The words are in
`data/lang/CODE/number_words.tsv` and `spoken.tsv`."""

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
_LONGEST, _MOST_FORMS = 7, 9


class Form(NamedTuple):
    """How a number is said: its series, the place of its ending, and of what a year begins
    with."""

    series: str
    ending: int = 0
    century: int = 0


class Said(NamedTuple):
    """A number in a text."""

    start: int
    end: int
    value: int
    form: Form


class NumberWords:
    """Reader and writer of one language; see `number_words`."""

    def __init__(self, lang: str) -> None:
        known = has_own(lang, "number_words.tsv")
        rows = table(f"lang/{lang}/number_words") if known else ()
        # Series -> value -> the forms of each stem.
        self._forms: dict[str, dict[int, list[list[str]]]] = {}
        self._centuries: dict[int, list[str]] = {}
        # What stands behind a century and between tens and units; an ordinal's end.
        self._joints: dict[int, str] = {0: "", 20: " "}
        self._behind = ""
        self._cardinals = speech(lang).cardinals if lang in LANGUAGES else {}
        for row in rows:
            self._add(row["kind"], row["value"], row["stems"].split(), row["endings"])
        self._usual: dict[int, str] = {}
        for word, number in self._cardinals.items():
            self._usual.setdefault(number, word)
        self._index: dict[str, tuple[int, Form]] = {}
        for key, value, form in self._all():
            self._index.setdefault(key, (value, form))

    def _add(self, kind: str, value: str, stems: list[str], endings: str) -> None:
        stems = [stem.replace("_", " ") for stem in stems]
        if kind == "joint":
            self._joints[int(value)] = "".join(stems)
        elif kind == "century":
            self._centuries[int(value)] = stems
        elif kind == CARDINAL:
            self._cardinals |= dict.fromkeys(stems, int(value))
        elif value.endswith("+"):
            self._behind, self._endings = stems[0], endings.split()
        else:
            ends = ["" if end == "-" else end for end in endings.split()]
            forms = [[stem + end for end in ends] for stem in stems]
            self._forms.setdefault(kind, {})[int(value)] = forms

    def _all(self) -> Iterator[tuple[str, int, Form]]:
        small = [*self._below_hundred()]
        for value, form, words in small:
            # One is an article in many languages.
            if value > 1 or form.series == ORDINAL:
                yield from ((word.replace("-", " "), value, form) for word in words)
        rests = [row for row in small if row[0] < 100]
        for number, starts in self._centuries.items():
            for i, start in enumerate(starts):
                yield start.replace("-", " "), 100 * number, Form(CARDINAL, 0, i)
                for rest, form, words in rests:
                    for key in words:
                        key = (start + self._joints[0] + key).replace("-", " ")
                        yield key, 100 * number + rest, form._replace(century=i)

    def _below_hundred(self) -> Iterator[tuple[int, Form, list[str]]]:
        """Numbers below a hundred in all their forms, and what else has a row."""
        yield from ((v, Form(CARDINAL), [w]) for w, v in self._cardinals.items())
        for series, rows in {ORDINAL: {}, **self._forms}.items():
            for value, place in product(range(1, 100), range(_MOST_FORMS)):
                if words := self._small(value, Form(series, place)):
                    yield value, Form(series, place), words
            for value, words in ((v, w) for v, stems in rows.items() for w in stems):
                yield from ((value, Form(series, i), [w]) for i, w in enumerate(words))

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

    def find(self, text: str) -> list[Said]:
        """The numbers of a text, in order."""
        words = list(_WORD.finditer(text)) if self._index else []
        out, i = [], 0
        while i < len(words):
            n = next((n for n in range(_LONGEST, 0, -1) if self._at(words, i, n)), 0)
            if n:
                value, form = self._index[self._key(words, i, n)]
                out.append(Said(words[i].start(), words[i + n - 1].end(), value, form))
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

    def say(self, value: int, form: Form, like: str) -> str:
        """A number in a form, in the case of a text; "" if it cannot be said so."""
        words = self._small(value, form)
        if value >= 1000 and not words:
            starts = self._centuries.get(value // 100, [])
            starts = [*starts[form.century : form.century + 1], *starts]
            rest = self._small(value % 100, form) if value % 100 else [""]
            joint = self._joints[0] if value % 100 else ""
            words = [s + joint + r for s in starts for r in rest]
        fits = (
            w for w in words if self._index.get(w.replace("-", " "), (0,))[0] == value
        )
        new = next(fits, "")
        if " " in like and "-" not in like:
            new = new.replace("-", " ")
        return like_first(new, like)


@cache
def number_words(lang: str) -> NumberWords:
    """The reader and writer of a language; one that finds nothing for those without a
    table."""
    return NumberWords(lang)
