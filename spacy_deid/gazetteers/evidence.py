"""Is a listed term meant here? "May", "will", "mark" and "nurse" are also everyday words.

A logistic regression answers from the frequency of the word in everyday language, the
number of people who bear the value, its case in the text beside that of the list, and
the words around. `benchmarks/fit_evidence.py`
fits it.
"""

from __future__ import annotations

import functools
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ..data import word_lists
from ..registries import registry
from ..text.words import Words
from .compiled import LOWER, Evidence, Found, Gazetteer

Features = dict[str, float]
WEIGHTS = Path(__file__).with_name("evidence.json")
# Zipf value above which a word counts as everyday.
EVERYDAY = 3.0
# One above which a word in lower case is never a term.
FUNCTION_WORD = 6.0

_CLASS = {w: name for name, words in word_lists("word_classes").items() for w in words}
_SENTENCE_END = frozenset('.!?:;\n"\u201c\u201d\u2022*|>')
# Classes of the word before that make a verb of the next, and of the word after that
# make one an object's.
_BEFORE_VERB = frozenset(("modal", "pronoun", "have", "to"))
_OBJECT = frozenset(("article", "definite", "possessive", "pronoun", "have", "copula"))
_SAYS = frozenset(("article", "role", "copula"))
_APOSTROPHES = frozenset("'\u2019\u02bc")
# Classes of the word between what says so and the term.
_BETWEEN = frozenset(("word", "article", "definite"))


def features(gazetteer: Gazetteer, words: Words, found: Found) -> Features:
    """What speaks for and against a match."""
    i, n, key, plural = found
    everyday = max(0.0, gazetteer.zipf(key) - EVERYDAY)
    out: Features = {"bias": 1.0, "everyday": everyday}
    short = n == 1 and len(words.words[i]) <= 3
    for name, holds in (("known", everyday), ("plural", plural), ("short", short)):
        if holds:
            out[name] = 1.0
    if n > 1:
        out["words"] = min(n, 4) - 1.0
    share = gazetteer.share(key)
    if share is not None:
        out["share"] = share
    # Of several words it says little whether they are written with capitals.
    listed = "common" if n > 1 or gazetteer.style(key) == LOWER else "proper"
    case, names = _case_there(words, i, n, listed)
    out.update(dict.fromkeys(names, 1.0))
    # A phrase means what it says, whatever stands around, unless it is an everyday one.
    if n > 1 and not everyday:
        out[f"rare_{listed}_{case}"] = 1.0
        return out
    out[f"{listed}_{case}"] = 1.0
    if case in ("lower", "opening"):
        out[f"{listed}_{case}_everyday"] = everyday
    left, further, right = _around(words, i, i + n - 1)
    out[f"left_{left}"] = out[f"right_{right}"] = 1.0
    if further:
        out[f"left2_{further}"] = 1.0
    if gazetteer.label(key) == "DEM":
        # What somebody is comes after "a", "as", "former".
        out[f"dem_{left}"] = 1.0
        out["dem_everyday"] = everyday
    if left in _BEFORE_VERB:
        out["verb_everyday"] = everyday
    if right in _OBJECT:
        out["object_everyday"] = everyday
    return out


def _case_there(words: Words, i: int, n: int, listed: str) -> tuple[str, list[str]]:
    """Case of a run of words, as far as it tells anything where it stands, and on which
    sides it is part of a longer name ("Mark Baker", "Baker Street")."""
    texts, last = words.words, i + n - 1
    before, after = _signs(words, i, last)
    case = "lower" if texts[i : i + n] == [words.keys[i]] else _case(texts[i : i + n])
    if (case == "upper" and _capitals(texts, i, n)) or (
        case == "lower" and listed == "proper" and not words.has_capitals
    ):
        return "capitals", []
    if case != "title":
        return case, []
    if not _SENTENCE_END.isdisjoint(before):
        return "opening", []
    sides = []
    if i and before in (" ", "-") and texts[i - 1][0].isupper():
        sides.append("name_before")
    if after in (" ", "-") and texts[last + 1][0].isupper():
        sides.append("name_after")
    return case, sides


def _signs(words: Words, i: int, last: int) -> tuple[str, str]:
    """What stands between a run of words and its neighbours; line breaks at the ends."""
    text, spans = words.text, words.spans
    before = text[spans[i - 1][1] : spans[i][0]] if i else "\n"
    after = text[spans[last][1] : spans[last + 1][0]] if last + 1 < len(spans) else "\n"
    return before, after


def _around(words: Words, i: int, last: int) -> tuple[str, str, str]:
    """Classes of the word before, of the one before that where it says what somebody
    is ("is a retired nurse"), and of the word after."""
    keys, (before, after) = words.keys, _signs(words, i, last)
    further, right = "", "none"
    if "," in before:
        left = "comma"
    elif not _SENTENCE_END.isdisjoint(before):
        left = "none"
    else:
        left = _CLASS.get(keys[i - 1], "word")
        if i > 1 and left in _BETWEEN:
            further = _CLASS.get(keys[i - 2], "")
            if further not in _SAYS or (further == "article" and left != "word"):
                further = ""
    if _SENTENCE_END.isdisjoint(after):
        right = _CLASS.get(keys[last + 1], "word")
        if keys[last + 1] == "s" and after in _APOSTROPHES:
            right = "word"
        elif "," in after:
            right = "comma"
    return left, further, right


def _case(words: Sequence[str]) -> str:
    if len(words) == 1:
        word = words[0]
        if not word[0].isupper():
            return "lower"
        return "upper" if len(word) > 1 and word.isupper() else "title"
    letters = [word for word in words if word[0].isalpha()]
    if not letters or letters[0][0].islower():
        return "lower"
    return "upper" if all(word.isupper() for word in letters) else "title"


def _capitals(words: list[str], i: int, n: int) -> bool:
    """Whether case says nothing, as the words around are all capitals."""
    around = [*words[max(0, i - 2) : i], *words[i + n : i + n + 2]]
    around = [word for word in around if len(word) > 1 and word.isalpha()]
    return bool(around) and all(word.isupper() for word in around)


@dataclass
class TermEvidence:
    """Probability that a listed term is meant; see `make_term_evidence`.

    weights (Mapping[str, float]): Weights by feature; 0 for a feature without one.
    """

    weights: Mapping[str, float]

    def __call__(self, gazetteer: Gazetteer, words: Words, found: Found) -> float:
        """The probability of a match."""
        i, n, key, plural = found
        # Nothing that stands around "the" or "of" makes a term of it.
        small = n == 1 and not plural and words.words[i] == words.keys[i]
        if small and gazetteer.zipf(key) >= FUNCTION_WORD:
            return 0.0
        told = features(gazetteer, words, found).items()
        total = sum(self.weights.get(name, 0.0) * value for name, value in told)
        return 1.0 / (1.0 + math.exp(-max(-30.0, min(30.0, total))))


@registry.misc("spacy_deid.term_evidence.v1")
def make_term_evidence(weights: str | Path | None = None) -> Evidence:
    """Probability that a listed term is meant as such where it stands in a text.

    weights (Optional[Union[str, Path]]): JSON file of weights by feature, as
        `benchmarks/fit_evidence.py` writes it; those fitted on English court
        cases and biographies if null.
    RETURNS (Callable): Function of a gazetteer, the words of a text and a match, giving
        a probability.
    """
    return TermEvidence(_read_weights(weights or WEIGHTS))


@functools.cache
def _read_weights(path: str | Path) -> dict[str, float]:
    weights = json.loads(Path(path).read_text(encoding="utf8"))["weights"]
    return {str(name): float(value) for name, value in weights.items()}
