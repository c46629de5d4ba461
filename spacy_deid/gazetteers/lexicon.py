"""What is known of a language's words: how frequent they are, whether they are names, and
which are used alike.

`data/lang/LANG/lexicon.npz` is written by `projects/gazetteers/scripts/build_lexicon.py`.
Frequencies: wordfreq (Robyn Speer; CC BY-SA 4.0). Dictionary: SCOWL (Kevin Atkinson; free to
use with its notice), German and Spanish simplemma (Adrien Barbaresi; MIT), Russian OpenCorpora
(CC BY-SA 3.0). Names: the seed lists beside this file, Faker (MIT), the census of the United
States of 1990 (public domain). Places: GeoNames (CC BY 4.0). Things: dariusk/corpora (CC0),
tldr-pages (CC BY 4.0), StackOverflowNER. Stored are 32 bits of spaCy's hash of a word.
English words are grouped by `projects/gazetteers/scripts/group_words.py`, with
all-MiniLM-L6-v2 (Apache-2.0), Russian ones by `group_vectors.py`, with vectors of Natasha (MIT).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache, lru_cache

import numpy
from spacy.strings import get_string_id

from ..data import ROOT, table
from ..text.names import EVERYDAY
from ..text.words import normalize_term

_FILE = "lexicon.npz"
# Words of the vocabulary that are names, too, whatever edited texts are counted.
_NAMES_TOO = {"en": EVERYDAY}
KEY_BITS = 32
# Lowest three bits: 0 unknown or rarer than the first step, 7 beyond the last.
ZIPF_STEPS = numpy.array([1.5, 2.5, 3.0, 3.5, 4.2, 5.0, 6.0])
ZIPF_BITS = 7
# A given name, a surname, part of a place's name, of that of a drug, disease or program,
# and a word of the dictionary that is more than a name: edited texts write it small, too,
# or behind articles, as German nouns.
GIVEN, FAMILY, PLACE, THING, LOWER = 8, 16, 32, 64, 128
# What joins the parts of a German compound, the shortest of these, and the step of the
# frequency from which what is no name counts as a word
_JOINTS = ("", "s", "n", "en", "es")
_SHORTEST, _COMMON = 4, 5
# Up to this step is what firms make up; peoples ("Kenyan") are more frequent.
_RARE = 3


class Lexicon:
    """Classes of words by spaCy's hash of their lower case.

    keys (ndarray): Upper bits of the hashes, sorted, dtype uint32.
    classes (ndarray): One a key, dtype uint8.
    groups (Optional[ndarray]): Numbers of the groups of words used alike that a key is
        in, from fine to coarse, 0 for none; shape (keys, grains), dtype uint16.
    """

    def __init__(
        self,
        keys: numpy.ndarray,
        classes: numpy.ndarray,
        groups: numpy.ndarray | None = None,
    ) -> None:
        self.keys, self.classes = keys, classes
        none = numpy.zeros((len(keys), 0), "uint16")
        self.groups = none if groups is None else groups

    def __len__(self) -> int:
        return len(self.keys)

    def look_up(self, hashes: numpy.ndarray) -> numpy.ndarray:
        """Classes of words.

        hashes (ndarray): `LOWER` of tokens, dtype uint64.
        RETURNS (ndarray): Step of the frequency plus flags, 0 for an unknown word; dtype
            uint8.
        """
        at, known = self._places(hashes)
        return numpy.where(known, self.classes[at], 0).astype("uint8")

    def groups_of(self, hashes: numpy.ndarray) -> numpy.ndarray:
        """Numbers of words' groups, 0 for unknown ones: shape (words, grains), uint64."""
        at, known = self._places(hashes)
        return numpy.where(known[:, None], self.groups[at], 0).astype("uint64")

    def _places(self, hashes: numpy.ndarray) -> tuple[numpy.ndarray, numpy.ndarray]:
        """Where words would stand, and whether they do."""
        wanted = (hashes >> numpy.uint64(64 - KEY_BITS)).astype("uint32")
        at = numpy.searchsorted(self.keys, wanted)
        at[at == len(self.keys)] = 0
        return at, self.keys[at] == wanted

    def class_of(self, word: str) -> int:
        """Class of one word in lower case; 0 for an unknown one."""
        # As `look_up`, whose arrays take longer than a single word.
        wanted = numpy.uint32(get_string_id(word) >> (64 - KEY_BITS))
        at = self.keys.searchsorted(wanted)
        known = at < len(self.keys) and self.keys[at] == wanted
        return int(self.classes[at]) if known else 0


@cache
def languages() -> frozenset[str]:
    """Languages of which a lexicon comes with the package."""
    return frozenset(file.parent.name for file in ROOT.glob(f"lang/*/{_FILE}"))


@cache
def load_lexicon(lang: str | None) -> Lexicon:
    """The lexicon of a language; an empty one for None. Read once.

    RAISES (ValueError): If none comes with the package.
    """
    if lang is None:
        return Lexicon(numpy.zeros(1, dtype="uint32"), numpy.zeros(1, dtype="uint8"))
    if lang not in languages():
        raise ValueError(f"no lexicon of '{lang}' comes with this package")
    with numpy.load(ROOT / "lang" / lang / _FILE) as arrays:
        return Lexicon(**arrays)


@lru_cache(100_000)
def is_vocabulary(word: str, lang: str = "en") -> bool:
    """Whether a word in lower case is one of the vocabulary rather than a name. A
    language without a lexicon has none."""
    if word in _NAMES_TOO.get(lang, ()):
        return True
    return lang in languages() and bool(load_lexicon(lang).class_of(word) & LOWER)


def is_coined(word: str, lang: str) -> bool:
    """Whether a word is rare, and neither a word nor a name of a person or a place to the
    lexicon of the language or of English, as those are that firms make up; never if there
    is no lexicon."""
    if not (len(word) > 4 and word.isalpha() and lang in languages()):
        return False
    told = [class_of(word.lower(), x) for x in (lang, "en")]
    shared = LOWER | GIVEN | FAMILY | PLACE
    return not any(x & shared or x % 8 > _RARE for x in told)


def class_of(word: str, lang: str) -> int:
    """Class of a word in lower case; 0 for one in no list, or if there is no lexicon."""
    return load_lexicon(lang).class_of(word) if lang in languages() else 0


def is_listed_name(word: str, lang: str) -> bool:
    """Whether a word in lower case is in a list of given names or surnames."""
    return bool(class_of(word, lang) & (GIVEN | FAMILY))


@lru_cache(10_000)
def how_often(name: str, lang: str) -> float:
    """How often texts in a language have a name, in a billion words: as often as its
    rarest word at least, 10 times if that is in no list."""
    words = re.split(r"[^\w]+", name.lower())
    steps = (class_of(word, lang) & ZIPF_BITS for word in words if word)
    return float(10 ** (1.0, *ZIPF_STEPS)[min(steps, default=0)])


def groups_of(words: Iterable[str], lang: str = "en") -> numpy.ndarray:
    """Numbers of the groups of words used alike, from fine to coarse, 0 for words that are
    in none.

    words (Iterable[str]): In lower case.
    lang (str): Code of a language whose lexicon has groups.
    RETURNS (ndarray): Shape (words, grains), uint64.
    """
    hashes = numpy.array([get_string_id(word) for word in words], dtype="uint64")
    return load_lexicon(lang).groups_of(hashes)


@lru_cache(10_000)
def is_compound(word: str, lang: str) -> bool:
    """Whether a text in lower case is made of words of the vocabulary, as what stands before
    the last noun of a compound is, with letters that join: "kantons", "kreisjugend". A
    language without a lexicon tells nothing; names are no such words.
    """
    if not word or lang not in languages():
        return True
    sizes = range(len(word), _SHORTEST - 1, -1)
    ends = (i for i in sizes if _is_common(word[:i], lang))
    joined = (
        (i, joint) for i in ends for joint in _JOINTS if word.startswith(joint, i)
    )
    return any(is_compound(word[i + len(joint) :], lang) for i, joint in joined)


def _is_common(word: str, lang: str) -> bool:
    told = class_of(word, lang)
    named = told & (GIVEN | FAMILY)
    return bool(told & LOWER) or (not named and told & ZIPF_BITS >= _COMMON)


@cache
def occupations() -> dict[str, int]:
    """How many people have an occupation, of the sample of Wikidata that comes with the
    package, by the normal form of its English names. Read once."""
    out: dict[str, int] = {}
    for row in table("wikidata_terms"):
        if row["property"] == "P106" and row["lang"] == "en" and row["people"]:
            for term in row["terms"].split("|"):
                out.setdefault(normalize_term(term), int(row["people"]))
    return out
