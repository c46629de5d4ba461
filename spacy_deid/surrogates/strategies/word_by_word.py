"""`word_by_word`: each word by a random word of the same kind."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import ClassVar

from ...registries import registry
from ...text.names import title_gender
from ..base import Mention, fits_article, match_case, normalise
from ..epsilon import capped, replacement_epsilon
from .base import Context, Registered, has_content
from .words import WordLists, word_lists

_TRIES = 24
_WORD = re.compile(r"[^\W\d_]+(?:['’\u00ad][^\W\d_]+)*|\d+")
_HOST = re.compile(r"(?:@|://|^)([^\s@/:?#<>]+\.)([^\W\d_]+)(?=[/:?#>]|$)")
_ADDRESSES = ("EMAIL", "URL", "DOMAIN")
_PARTICLES = frozenset("van von der den de du di da del la le al el bin ibn".split())
_SCHEMES = ("http", "https", "ftp", "mailto", "www")
# What an age is counted in is what the type says already.
_YEARS = frozenset(
    "year years yr yrs old jahr jahre jahren alt año años год года лет".split()
)
_LATIN, _CYRILLIC = "abcdefghijklmnopqrstuvwxyz", "абвгдеиклмнопрстф"
# Those of Russian number plates, which look like Latin ones.
_CYRILLIC_CODES = "авекмнорстух"


@registry.deid_strategies("spacy_deid.word_by_word.v1")
@dataclass(frozen=True)
class WordByWord(Registered):
    """Each word by a random word of the same kind, each figure by a figure: every
    mention on its own, so mentions of one entity differ. Function words inside a
    longer mention stay."""

    name: ClassVar[str] = "spacy_deid.word_by_word.v1"
    random: ClassVar[bool] = True

    def __call__(self, mentions: Sequence[Mention], context: Context) -> list[str]:
        # The draws depend on the key and the document, never on the word replaced.
        rng = context.random_for("word_by_word", context.document)
        out = []
        for mention in mentions:
            if context.scope == "corpus":
                entity = f"{mention.label} {normalise(mention.text)}"
                rng = context.random_for("word_by_word", entity)
            out.append(_replace_words(mention, rng, context))
        return out

    def epsilon(self, recall: float | None) -> float:
        # A token is a word, and in codes and numbers a single letter or figure. The
        # bound is that of the longest list, whatever the document has.
        p = capped(1.0, recall)
        if p == 1.0:
            return 0.0
        return replacement_epsilon(1.0 / word_lists("en").longest, p)


def _replace_words(mention: Mention, rng: Random, context: Context) -> str:
    if not has_content(mention.text):
        return context.mark
    several = len(_WORD.findall(mention.text)) > 1
    top_level = _top_level(mention)
    lists = word_lists(context.lang)

    def replace(match: re.Match[str]) -> str:
        word = match.group()
        if match.start() == top_level:
            return "example"
        frame = word.islower() or word.casefold() in _YEARS
        if several and frame and _stays(word, mention, lists):
            return word
        before = mention.before if match.start() == 0 else ""
        spare = context.mark
        for _ in range(_TRIES):
            new = _draw(match, mention, rng, lists)
            if new.casefold() != word.casefold() and not context.forbidden(new):
                if fits_article(new, before):
                    return new
                spare = new
        return spare

    return _WORD.sub(replace, mention.text)


def _top_level(mention: Mention) -> int:
    """Where the top-level domain of an address begins, -1 if it is none. It gives way
    to one that is reserved, so that no address made is anybody's."""
    if mention.subtype not in _ADDRESSES and "@" not in mention.text:
        return -1
    match = _HOST.search(mention.text)
    return match.start(2) if match else -1


def _stays(word: str, mention: Mention, lists: WordLists) -> bool:
    """Whether a word is there for grammar alone."""
    year = word.casefold() in _YEARS and mention.text[:1].isdecimal()
    # An age, or "6 мая 2022 года".
    if year and (mention.label == "DEM" or re.search(rf"\d{{4}} {word}", mention.text)):
        return True
    if mention.label == "CODE":
        return word in _SCHEMES
    if mention.label == "PERSON" or word in _PARTICLES:
        return word in _PARTICLES
    # spaCy's function words have numbers and a month among them.
    closed = any(word in words for words, _ in lists.closed)
    return not closed and word in lists.stop_words


def _draw(match: re.Match[str], mention: Mention, rng: Random, lists: WordLists) -> str:
    word = match.group()
    if word.isdigit():
        return _draw_figures(match, mention, rng)
    cyrillic = word[:1] >= "\u0400"
    if mention.label == "CODE":
        letters = _CYRILLIC_CODES if cyrillic else _LATIN
        new = "".join(rng.choice(letters) for _ in word)
        return match_case(new.upper() if word[:1].isupper() else new, word)
    if len(word) == 1:
        new = rng.choice(_CYRILLIC if cyrillic else _LATIN)
        return new.upper() if word.isupper() else new
    new = rng.choice(_words_like(word, mention, lists))
    if word[:1].isupper() and new.islower():
        new = new.capitalize()
    return match_case(new, word)


def _words_like(word: str, mention: Mention, lists: WordLists) -> tuple[str, ...]:
    """Words of the same kind. The kind is what a typed placeholder would tell too."""
    label, subtype = mention.label, mention.subtype
    if label in ("DATETIME", "QUANTITY", "DEM"):
        for words, row in lists.closed:
            if word.casefold() in words:
                return row
    if label == "PERSON":
        return lists.names if title_gender(word) is None else lists.titles
    if label == "LOC":
        return lists.countries if subtype == "COUNTRY" else lists.places
    if label == "DEM":
        nationals = subtype in ("NATIONALITY", "ETHNICITY", "LANGUAGE")
        return lists.demonyms if nationals else lists.occupations
    return lists.organisations if label == "ORG" else lists.common


def _draw_figures(match: re.Match[str], mention: Mention, rng: Random) -> str:
    word, text = match.group(), mention.text
    beside = text[max(match.start() - 1, 0) : match.start()] + text[match.end() :][:1]
    if mention.label == "DATETIME" and len(word) == 4:
        return str(rng.randint(1900, 2029))
    if mention.label == "DATETIME" and len(word) <= 2:
        if ":" in beside:
            return f"{rng.randint(0, 23):0{len(word)}}"
        # Day or month, nobody knows: both are right up to 12.
        most = 12 if any(ch in "/.-" for ch in beside) else 28
        return f"{rng.randint(1, min(most, 10 ** len(word) - 1)):0{len(word)}}"
    if mention.label == "DEM" and len(word) == 2:
        return str(rng.randint(18, 89))
    figures = "".join(rng.choice("0123456789") for _ in word)
    if mention.label == "QUANTITY" and match.start() == 0:
        figures = rng.choice("123456789") + figures[1:]
    return figures
