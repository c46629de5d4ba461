"""How frequent everyday words are: counted in raw text, or read from a table."""

from __future__ import annotations

import functools
import math
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path

from ..text.words import WORD, function_words, normalize_term
from .readers import SEED

SHIPPED = SEED / "frequencies_en.tsv"
# Zipf value of a language's stop words where nothing is counted: 100 a million.
STOP_ZIPF = 5.0


def zipf(count: float, total: float) -> float:
    """Zipf value of a word (van Heuven et al., 2014)."""
    return math.log10(count * 1e9 / total)


def count_words(texts: Iterable[str], min_count: int = 2) -> dict[str, float]:
    """Frequencies of everyday words, that is of those in lower case."""
    counts: Counter[str] = Counter()
    total = 0
    for text in texts:
        words = WORD.findall(text)
        total += len(words)
        counts.update(normalize_term(word) for word in words if word.islower())
    return {w: zipf(n, total) for w, n in counts.items() if n >= min_count}


def read_frequencies(path: str | Path) -> dict[str, float]:
    """A table of words and Zipf values."""
    path = Path(path)
    out = {}
    try:
        lines = path.read_text(encoding="utf8").splitlines()
    except UnicodeDecodeError as error:
        raise ValueError(f"{path.name}: not UTF-8; convert the file") from error
    for n, line in enumerate(lines, 1):
        if not line.strip() or line.startswith("#"):
            continue
        try:
            word, value = line.split("\t")
            out[normalize_term(word)] = number = float(value)
            if not math.isfinite(number):
                raise ValueError
        except ValueError as error:
            raise ValueError(
                f"{path.name}, line {n}: must be a word and its Zipf value, with a "
                "tab between"
            ) from error
    return out


@functools.cache
def everyday_words(language: str) -> Mapping[str, float]:
    """What the package knows of a language's everyday words."""
    if language == "en":
        return read_frequencies(SHIPPED)
    try:
        stop_words = function_words(language)
    except ImportError:
        return {}
    return {normalize_term(word): STOP_ZIPF for word in stop_words}
