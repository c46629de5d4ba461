"""Words of texts and terms: normal forms, what joins them, plurals."""

from __future__ import annotations

import functools
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise
from typing import Any

from spacy.util import get_lang_class

from ..data import table

_CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff"
# Words for matching, whatever the tokenizer made of the text: runs of letters or
# digits with their combining marks; a character of a script without spaces is a word.
_MARKS = "\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0900-\u0dff\u0e31-\u0e4e"
WORD = re.compile(rf"[{_CJK}]|(?:[^\W_{_CJK}]|[{_MARKS}])+")
_ASCII_WORD = re.compile("[A-Za-z0-9]+")
_MAX_GAP = 12
# What may stand between two words of one term: blanks, one line break, a hyphen, an
# apostrophe. A full stop only after an abbreviation ("St. Lucia", "Ph.D.").
_GAP = re.compile(
    r"[^\S\n]{0,2}(?:\r?\n[^\S\n]{0,8})?"
    r"|[^\S\n]?[\-\u2010\u2011\u2013/&][^\S\n]?|['\u2019\u02bc]"
    r"|[-\u2010]\r?\n[^\S\n]{0,8}"
)
_ABBREVIATION_GAP = re.compile(r"\.[ \u00a0]?")
# One word, divided at the end of a line.
_DIVIDED = re.compile(r"[-\u2010]\r?\n[^\S\n]{0,8}")


@functools.cache
def function_words(lang: str) -> frozenset[str]:
    """Words of a language's grammar, in small letters: spaCy's stop words."""
    return frozenset(get_lang_class(lang).Defaults.stop_words)


def normalize_word(word: str) -> str:
    """The form under which a word is looked up: composed, without case, ligatures and
    letters of another width."""
    if word.isascii():
        return word.lower()
    return unicodedata.normalize("NFKC", word).casefold().replace(" ", "")


def normalize_term(term: str) -> str:
    """The key of a term: its words without case, hyphens and other punctuation."""
    return " ".join(normalize_word(w) for w in WORD.findall(term))


class Words:
    """The words of a text, as terms are matched on them.

    text (str): Any text.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self._pattern = _ASCII_WORD if text.isascii() else WORD
        if text.isascii():
            self.keys = _ASCII_WORD.findall(text.lower())
        else:
            self.keys = [normalize_word(word) for word in self.words]

    @functools.cached_property
    def words(self) -> list[str]:
        """The words as they stand in the text."""
        return self._pattern.findall(self.text)

    @functools.cached_property
    def spans(self) -> list[tuple[int, int]]:
        """Character offsets of the words."""
        return [m.span() for m in self._pattern.finditer(self.text)]

    @functools.cached_property
    def has_capitals(self) -> bool:
        """Whether any word begins with a capital letter."""
        return any(word[0].isupper() for word in self.words)

    def joined(self, i: int) -> bool:
        """Whether a word and the next one can belong to one term."""
        end, start = self.spans[i][1], self.spans[i + 1][0]
        if end == start:
            return True
        if start - end > _MAX_GAP:
            return False
        gap = self.text[end:start]
        if gap == " " or _GAP.fullmatch(gap):
            return True
        return len(self.words[i]) <= 3 and _ABBREVIATION_GAP.fullmatch(gap) is not None

    def run(self, i: int, limit: int) -> int:
        """How many words from one on hang together."""
        n = 1
        limit = min(limit, len(self.keys) - i)
        while n < limit and self.joined(i + n - 1):
            n += 1
        return n

    def extent(self, i: int, n: int) -> tuple[int, int]:
        """Character offsets of some words."""
        return self.spans[i][0], self.spans[i + n - 1][1]

    def undivided(self) -> Words | None:
        """The words with those put together that the end of a line divides."""
        text = self.text
        if "-\n" not in text and "-\r" not in text and "\u2010" not in text:
            return None
        # The words that begin with what a line break has cut off.
        gone = {
            i
            for i, ((_, end), (start, _)) in enumerate(pairwise(self.spans), 1)
            if 2 <= start - end <= _MAX_GAP and _DIVIDED.fullmatch(text, end, start)
        }
        if not gone:
            return None
        out = object.__new__(Words)
        out.text, out._pattern = text, self._pattern
        out.keys, out.words, out.spans = [], [], []
        for i, key in enumerate(self.keys):
            if i in gone:
                out.keys[-1] += key
                out.words[-1] += self.words[i]
                out.spans[-1] = (out.spans[-1][0], self.spans[i][1])
            else:
                out.keys.append(key)
                out.words.append(self.words[i])
                out.spans.append(self.spans[i])
        return out


_NO_MEN = ("german", "human", "roman", "ottoman", "norman", "shaman", "oman")
# The head of a term stands before these, not at its end.
AFTER_HEAD = frozenset(("of", "in", "at", "for", "general", "de"))


def pluralize(key: str) -> list[str]:
    """Regular English plurals of a normalised term."""
    words = key.split(" ")
    heads = (i for i, after in enumerate(words[1:]) if after in AFTER_HEAD)
    head = next(heads, len(words) - 1)
    word = words[head]
    if not word.isalpha() or len(word) < 3:
        return []
    if word.endswith("woman") or (word.endswith("man") and not word.endswith(_NO_MEN)):
        plurals = [word[:-2] + "en"]
    elif word.endswith("y") and word[-2] not in "aeiou":
        plurals = [word[:-1] + "ies"]
    elif word.endswith(("ss", "x", "ch", "sh", "z")):
        plurals = [word + "es"]
    elif word.endswith("s"):
        return []
    elif word.endswith("ife"):
        plurals = [word[:-2] + "ves"]
    else:
        plurals = [word + "s"]
    return [" ".join([*words[:head], plural, *words[head + 1 :]]) for plural in plurals]


_NO_PLURALS = frozenset(
    "was his has its this thus the she one are were der die".split()
)
PLURAL_LANGUAGES = tuple(dict.fromkeys(row["language"] for row in table("plurals")))


@functools.lru_cache(maxsize=16)
def _endings(languages: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    out: dict[str, tuple[str, ...]] = {}
    for row in table("plurals"):
        if row["language"] in languages:
            others = row["singular"].replace("-", "").split(" ")
            known = out.get(row["ending"], ())
            out[row["ending"]] = tuple(dict.fromkeys((*known, *others)))
    return out


def singulars(words: Iterable[str], languages: Iterable[str]) -> Iterator[tuple]:
    """Words that others may be the regular plurals of."""
    if not (endings := _endings(tuple(languages))):
        return
    last = tuple({ending[-1] for ending in endings})
    longest = max(map(len, endings))
    for word in words:
        # "boss" is no plural of "bos".
        none = word.endswith("ss") or word in _NO_PLURALS
        if none or len(word) < 3 or not word.endswith(last):
            continue
        found = [
            word[: len(word) - n] + other
            for n in range(1, min(longest, len(word)) + 1)
            for other in endings.get(word[-n:], ())
        ]
        if found:
            yield word, found


def before(text: str, start: int, width: int = 40) -> str:
    """The lower-cased text just before an offset, within the same paragraph."""
    left = text[max(0, start - width) : start]
    return left[left.rfind("\n\n") + 1 :].lower()


def word_tree(words: Iterable[str]) -> dict[str, Any]:
    """Some words as a tree: by each character what may follow, by "" that one ends."""
    root: dict[str, Any] = {}
    for word in words:
        node = root
        for char in word:
            node = node.setdefault(char, {})
        node[""] = {}
    return root


def tree_pattern(node: dict[str, Any], signs: Mapping[str, str]) -> str:
    """Regex of the words of a tree; most places are left at their first letter.

    node (dict): Of `word_tree`.
    signs (Mapping[str, str]): Regexes of characters that stand for several.
    """
    parts = [
        (signs.get(char) or re.escape(char)) + tree_pattern(child, signs)
        for char, child in node.items()
        if char
    ]
    alone = len(parts) == 1 and "" not in node
    joined = "".join(parts) if alone or not parts else f"(?:{'|'.join(parts)})"
    return joined + "?" * ("" in node and bool(parts))
