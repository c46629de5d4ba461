"""What the letters of a name that stands in no list tell: whose language's it may be, and
which gender's.

Naive Bayes over its pairs and threes of letters, learnt from the name lists when first
asked for. Letters are not independent, so that what they say counts for less than it would
(`_TRUST`).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache
from itertools import chain

import numpy

from ..text.folding import fold
from .lexicon import LOWER, PLACE, class_of
from .names import (
    BITS,
    LOCALES,
    RARE,
    all_lists,
    bits_of,
    home_lists,
    home_names,
    language_scores,
    lists,
)

# Of the logarithm of a likelihood; grams that a class is taken to have seen beside its own.
# Of names held out, 3 % of the English ones seem to be another's, and 5 % of the others a
# third one's (12 % each at .6); a fifth of these is known.
_TRUST, _SMOOTH = 0.4, 30.0
# Part of all names that are of the text's own language.
_AT_HOME = 0.5
_SHORTEST = 4
# Of names of one language, these letters tell more of a gender than all.
_ENDING = -3
# Of a language with fewer names in its lists most names would seem to be another's.
_ENOUGH = 1000
# Probability from which letters tell a language, and for how much that counts.
_SURE, _TOLD = 0.9, 0.8


class Letters:
    """Classes of names by their letters.

    names (Mapping[str, Iterable[str]]): Names by class, in Latin letters.
    """

    def __init__(self, names: Mapping[str, Iterable[str]]) -> None:
        self.classes = [*names]
        once = map(set, names.values())
        counts = [Counter(g for n in own for g in _grams(n)) for own in once]
        self._rows = {gram: i for i, gram in enumerate({g for c in counts for g in c})}
        seen = numpy.zeros((len(self._rows), len(counts)))
        for j, counter in enumerate(counts):
            for gram, n in counter.items():
                seen[self._rows[gram], j] = n
        total = seen.sum(axis=0)
        everywhere = (seen / total).mean(axis=1, keepdims=True) + 1e-5
        smoothed = (seen + _SMOOTH * everywhere) / (total + _SMOOTH)
        self._logs = _TRUST * numpy.log(smoothed)
        # Each name of a person is asked for several times, alone and beside others.
        self._told_by = lru_cache(maxsize=1 << 12)(self._logs_of)
        self._before = lru_cache(maxsize=8)(self._before_reading)

    def likely(
        self, names: Iterable[str], prior: Mapping[str, float]
    ) -> tuple[str, float]:
        """The likeliest class of some names of one person, and its probability.

        prior (Mapping[str, float]): Probability before the names are read; classes that
            it lacks share the rest.
        """
        score = self._before(tuple(prior.items())).copy()
        for name in names:
            score += self._told_by(name.lower())
        best = int(score.argmax())
        chances = numpy.exp(score - score[best])
        return self.classes[best], float(1 / numpy.add.reduce(chances))

    def _logs_of(self, name: str) -> numpy.ndarray:
        """What one name says for each class: logarithms."""
        rows = [self._rows[gram] for gram in _grams(name) if gram in self._rows]
        # As `sum`, with less around it.
        told: numpy.ndarray = numpy.add.reduce(self._logs[rows], axis=0)
        return told

    def _before_reading(self, prior: tuple[tuple[str, float], ...]) -> numpy.ndarray:
        told = dict(prior)
        rest = (1 - sum(told.values())) / max(1, len(self.classes) - len(told))
        chances = (told.get(name, rest) for name in self.classes)
        logs = (math.log(chance) if chance > 0 else 0.0 for chance in chances)
        return numpy.array([*logs])


def _grams(name: str) -> list[str]:
    word = f"^{fold(name)}$"
    return [word[i : i + n] for n in (2, 3) for i in range(len(word) - n + 1)]


@cache
def _languages(home: str) -> Letters:
    every = {code: (all_lists if code == home else lists)(code) for code in LOCALES}
    return Letters({code: [*chain(*names)] for code, names in every.items()})


@cache
def _genders(home: str) -> Letters:
    male, female, _ = home_lists(home)
    start = _start(home)
    return Letters({"m": [n[start:] for n in male], "f": [n[start:] for n in female]})


def _start(home: str) -> int:
    return _ENDING if home_names(home).given else 0


@cache
def _roles(home: str) -> Letters:
    male, female, family = home_lists(home)
    return Letters({"given": male + female, "family": family})


def language_by_letters(names: Iterable[str], home: str) -> tuple[str, float]:
    """The likeliest language of some names of one person, and its probability; short
    names tell nothing, nor does any beside a home with short lists (all but English and
    French).

    home (str): Language of the text.
    RETURNS (Tuple[str, float]): A key of the name lists; the home for no name.
    """
    told = [name for name in names if len(name) >= _SHORTEST and fold(name).isascii()]
    if not told or sum(map(len, all_lists(home))) < _ENOUGH:
        return home, 1.0
    return _languages(home).likely(told, {home: _AT_HOME})


def gender_by_letters(name: str, home: str = "en") -> tuple[str, float]:
    """The likelier gender, "m" or "f", of a given name, and its probability; by the names
    that a reader of a language knows, if there is a list of these."""
    return _genders(home).likely([name[_start(home) :]], {"m": 0.5, "f": 0.5})


def role_by_letters(name: str, home: str) -> tuple[str, float]:
    """Whether a name is likelier a "given" one or of the "family" to a reader of a
    language that has a list of known names, and the probability."""
    return _roles(home).likely([name], {"given": 0.5, "family": 0.5})


def guess_language(words: Sequence[str], home: str = "en") -> str:
    """Language whose names these are; that of the text unless another one is likelier.

    words (Sequence[str]): Parts of one person's name.
    home (str): Language of the text, a key of the name lists.
    RETURNS (str): A key of the name lists, such as "tr".
    """
    scores = {home: 0.0}
    unknown = []
    for word in words:
        told = language_scores(word, home)
        if not bits_of(word, home) and class_of(word.lower(), home) & (LOWER | PLACE):
            # "Cueva" has an ending of Russian surnames, and is a word.
            continue
        for language, score in told:
            scores[language] = scores.get(language, 0.0) + score
        # Of a rare name it is known only that it is one.
        unknown += [word] if told in ([], [(home, RARE)]) else []
    language, chance = language_by_letters(unknown, home)
    # "Christian Nulberg" may be at home with a surname from elsewhere.
    away = scores[home] <= max(RARE, scores.get(language, 0.0))
    if chance > _SURE and language != home and away:
        scores[language] = scores.get(language, 0.0) + _TOLD
    most = max(scores.values())
    if not most > scores[home] + 0.25:
        return home
    # Of equals the first of the languages.
    return min((x for x in scores if scores[x] == most), key=BITS.__getitem__)
