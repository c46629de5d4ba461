"""Is a listed term meant here? "May", "will", "mark" and "nurse" are also everyday words.

A logistic regression answers from the frequency of the word in everyday language, the
number of people who bear the value, its case in the text beside that of the list, and
the words around. `fit_evidence` fits it.
"""

from __future__ import annotations

import functools
import json
import math
from collections.abc import Iterable, Mapping
from pathlib import Path

from ..registries import registry
from .compiled import FIRST, OTHER, TITLE, UPPER, Evidence, Found, Gazetteer
from .words import Words

# Features of a match, by name; those left out are 0.
Features = dict[str, float]
WEIGHTS = Path(__file__).with_name("evidence.json")

_CLASSES = {
    "article": "a an",
    "definite": "the this that these those each every any some no such",
    "possessive": "my your his her its our their",
    "modal": "will would can could shall should may might must not cannot ll d",
    "to": "to",
    "pronoun": "i you he she we they who it one people",
    "copula": "am is are was were be been being become became becomes remained s m re",
    "role": (
        "as former retired professional worked works working trained qualified named "
        "called elected appointed occupation profession born ex aged young old"
    ),
    "have": "has have had having do does did done get got",
    "link": "and or nor",
    "of": "of",
    "for": "for with by from about into over under between against",
    "in": "in on at near within outside",
}
_CLASS = {w: name for name, words in _CLASSES.items() for w in words.split()}
_SENTENCE_END = frozenset('.!?:;\n"\u201c\u201d\u2022*|>')


def features(gazetteer: Gazetteer, words: Words, found: Found) -> Features:
    """What speaks for and against a match.

    gazetteer (Gazetteer): The gazetteer.
    words (Words): The words of the text.
    found (Found): The match.
    RETURNS (dict[str, float]): Features by name.
    """
    i, n, key, plural = found
    texts, keys, spans, text = words.words, words.keys, words.spans, words.text
    first = texts[i]
    # Only words that are known to be frequent are under suspicion.
    everyday = max(0.0, gazetteer.zipf(key) - 3.5)
    out: Features = {"bias": 1.0, "everyday": everyday, "known": float(everyday > 0)}
    if n > 1:
        out["words"] = min(n, 4) - 1.0
    if plural:
        out["plural"] = 1.0
    if len(keys[i]) <= 3 and n == 1:
        out["short"] = 1.0
    share = gazetteer.share(key)
    if share is not None:
        out["share"] = share
    before = text[spans[i - 1][1] : spans[i][0]] if i else "\n"
    opens = not _SENTENCE_END.isdisjoint(before)
    last = i + n - 1
    after = text[spans[last][1] : spans[last + 1][0]] if last + 1 < len(keys) else "\n"
    case = _case(texts[i : i + n])
    style = gazetteer.style(key)
    listed = "proper" if style in (FIRST, TITLE, UPPER, OTHER) else "common"
    if case == "upper" and _capitals(texts, i, n):
        case = "capitals"
    elif case == "title" and opens:
        case = "opening"
    out[f"{listed}_{case}"] = 1.0
    if case in ("lower", "opening"):
        out[f"{listed}_{case}_everyday"] = everyday
    if case == "title":
        # Part of a longer name: "Mark Baker", "Baker Street".
        if i and not opens and texts[i - 1][0].isupper() and before in (" ", "-"):
            out["name_before"] = 1.0
        if after in (" ", "-") and texts[last + 1][:1].isupper():
            out["name_after"] = 1.0
    left = _CLASS.get(keys[i - 1], "word") if i and not opens else "none"
    if i and "," in before:
        left = "comma"
    out[f"left_{left}"] = 1.0
    if everyday and gazetteer.label(key) == "DEM":
        # What somebody is comes after "a", "as", "former".
        out[f"dem_{left}"] = 1.0
        out["dem_everyday"] = everyday
    if left in ("modal", "pronoun", "have", "to"):
        out["verb_everyday"] = everyday
    elif left == "word" and i > 1:
        # "is a retired nurse": an adjective stands between.
        further = _CLASS.get(keys[i - 2], "word")
        if further in ("article", "role", "copula"):
            out[f"left2_{further}"] = 1.0
    elif left in ("article", "definite") and i > 1:
        further = _CLASS.get(keys[i - 2], "word")
        if further in ("copula", "role"):
            out[f"left2_{further}"] = 1.0
    if last + 1 < len(keys) and _SENTENCE_END.isdisjoint(after):
        right = "comma" if "," in after else _CLASS.get(keys[last + 1], "word")
    else:
        right = "none"
    out[f"right_{right}"] = 1.0
    if right in ("article", "definite", "possessive", "pronoun", "have", "copula"):
        out["object_everyday"] = everyday
    if listed == "common" and first[:1].isdigit():
        out["digit"] = 1.0
    return out


def _case(words: Iterable[str]) -> str:
    letters = [word for word in words if word[0].isalpha()]
    if not letters or any(word[0].islower() for word in letters[:1]):
        return "lower"
    if all(word.isupper() for word in letters) and sum(map(len, letters)) > 1:
        return "upper"
    return "title"


def _capitals(words: list[str], i: int, n: int) -> bool:
    """Whether case says nothing, as the words around are all capitals."""
    around = [*words[max(0, i - 2) : i], *words[i + n : i + n + 2]]
    around = [word for word in around if len(word) > 1 and word.isalpha()]
    return bool(around) and all(word.isupper() for word in around)


@registry.misc("spacy_deid.term_evidence.v1")
def make_term_evidence(weights: str | Path | None = None) -> Evidence:
    """Probability that a listed term is meant as such where it stands in a text.

    weights (Optional[Union[str, Path]]): JSON file of weights by feature, as
        `spacy_deid.gazetteers.fit_evidence` writes it; those fitted on English court
        cases and biographies if null.
    RETURNS (Callable): Function of a gazetteer, the words of a text and a match, giving
        a probability.
    """
    return functools.partial(term_evidence, weights=_read_weights(weights or WEIGHTS))


def term_evidence(
    gazetteer: Gazetteer, words: Words, found: Found, *, weights: Mapping[str, float]
) -> float:
    """Probability that a listed term is meant; see `make_term_evidence`.

    gazetteer (Gazetteer): The gazetteer.
    words (Words): The words of the text.
    found (Found): The match.
    weights (Mapping[str, float]): Weights by feature.
    RETURNS (float): From 0 to 1.
    """
    total = sum(
        weights.get(name, 0.0) * value
        for name, value in features(gazetteer, words, found).items()
    )
    return 1.0 / (1.0 + math.exp(-max(-30.0, min(30.0, total))))


@functools.cache
def _read_weights(path: str | Path) -> dict[str, float]:
    weights = json.loads(Path(path).read_text(encoding="utf8"))["weights"]
    return {str(name): float(value) for name, value in weights.items()}
