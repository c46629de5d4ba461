"""The article before a mention: what replaces it begins with the same sound, and has in
English no article of its own."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ..lang.base import LanguagePack
from ..text.names import fold
from ..text.number_words import in_words, read_words
from ..text.numbers import ordinal_suffix
from .base import (
    Draws,
    Forbidden,
    Mention,
    article_before,
    fits_article,
    normalise,
    starts_with_vowel_sound,
)
from .dates import is_day_name
from .durations import is_duration

_ARTICLE_BEFORE = re.compile(r"(?<!\w)(?:the|an?)\s+$", re.I)
_ARTICLE_FIRST = re.compile(r"(?:the|an?)\s+(?=\S)", re.I)
_FIRST_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_ONE_FIGURE = re.compile(r"(\D{0,6})(\d{1,3}(?:,\d{3})+|\d+)(st|nd|rd|th)?(?!\d)")
_ONE_NUMBER = re.compile(r"()([a-z]+-[a-z]+)()(?![a-z])", re.I)
_ONE_WORD = re.compile(r"()([a-z]+)()(?![a-z])", re.I)


def note_articles(mentions: Sequence[Mention], draws: Draws) -> Sequence[Mention]:
    """Note before what "a" or "an" stands. An article that does not fit ("an United
    Kingdom national") is as if it were not there: what replaces the mention need not fit
    it either.

    mentions (Sequence[Mention]): All mentions of a document.
    draws (Draws): The document's draws; `articles` is filled.
    RETURNS (Sequence[Mention]): As many, in the same order.
    """
    out = list(mentions)
    for i, m in enumerate(mentions):
        if not fits_article(m.text, m.before):
            before = m.before.rstrip().rpartition(" ")[0] + " "
            out[i] = m = m._replace(before=before)
        if not (article := article_before(m.before)):
            continue
        first = _FIRST_WORD.search(m.text)
        draws.articles.setdefault(normalise(m.text), article)
        if first is not None:
            draws.articles.setdefault(fold(first.group()), article)
    return out


def note_words_before(
    mentions: Sequence[Mention], pack: LanguagePack, draws: Draws
) -> None:
    """Note what stands before mentions and asks for a sound: "d'", "y".

    mentions (Sequence[Mention]): All mentions of a document.
    pack (LanguagePack): Its language.
    draws (Draws): The document's draws; `articles` is filled.
    """
    for m in mentions:
        before = m.before[-12:].replace("\n", " ")
        if any(where.search(before) for where, _ in pack.fits):
            first = _FIRST_WORD.search(m.text)
            for key in {normalise(m.text), fold(first.group()) if first else ""}:
                draws.articles[key] = f"{draws.articles.get(key, '')}{before}\n"
    if draws.articles:
        draws.follows = lambda text, befores: all(
            pack.prefers(text, before) for before in befores.split("\n")
        )


def without_second_article(text: str, mention: Mention, forbidden: Forbidden) -> str:
    """A surrogate without its article where one stands before it: "the Glass Orchard"
    and not "the The Glass Orchard".

    text (str): The surrogate.
    mention (Mention): What it replaces.
    forbidden (Callable): Whether a text may not be used.
    RETURNS (str): The surrogate, perhaps shorter.
    """
    match = _ARTICLE_FIRST.match(text) if text[0] in "tTaA" else None
    if (
        match is None
        or not _ARTICLE_BEFORE.search(mention.before)
        or _ARTICLE_FIRST.match(mention.text)
    ):
        return text
    rest = text[match.end() :]
    usable = normalise(rest) != normalise(mention.text) and not forbidden(rest)
    return rest if usable and fits_article(rest, mention.before) else text


def fit_numbers(
    mentions: Sequence[Mention], kinds: Sequence[str], out: list[str], draws: Draws
) -> None:
    """Exchange numbers that do not fit the article before them for the nearest ones
    that do: "an 11-day stay" becomes an 8-day stay.

    mentions (Sequence[Mention]): All mentions, in document order.
    kinds (Sequence[str]): Their kinds.
    out (list[str]): Their new texts, which are changed.
    draws (Draws): The document's draws.
    """
    for i, (mention, kind, text) in enumerate(zip(mentions, kinds, list(out))):
        day = kind == "DATETIME" and is_day_name(mention.text)
        lasts = kind == "DATETIME" and is_duration(mention.text)
        counted = kind == "QUANTITY" or day or lasts
        if not counted or fits_article(text, mention.before):
            continue
        article, key = article_before(mention.before), normalise(mention.text)
        if day:
            # "an April day" becomes "an early May day".
            new = ("early " if article == "an" else "late ") + text
            if not draws.forbidden(new):
                out[i] = new
            continue
        for new in _refitted(text, mention.text, article == "an"):
            if draws.usable(new, key):
                draws.claim(new, key)
                for k, other in enumerate(mentions):
                    if out[k] == text and normalise(other.text) == key:
                        out[k] = new
                break


def _refitted(text: str, old: str, vowel: bool) -> Iterator[str]:
    """A text with another first number, the nearest first.

    text (str): A surrogate that begins with a number.
    old (str): What it replaces, whose number is not given.
    vowel (bool): Whether the number has to be read with a vowel first.
    YIELDS: Some texts; none if there are further numbers.
    """
    for pattern in (_ONE_FIGURE, _ONE_NUMBER, _ONE_WORD):
        match = pattern.match(text)
        if match is None or re.search(r"\d", text[match.end() :]):
            continue
        before, number, suffix = match.groups()
        plain = number.replace(",", "")
        value = int(plain) if plain.isdecimal() else read_words(number.lower())
        if value is not None and value < 10**12:
            break
    else:
        return
    scale = 10 ** max(0, len(str(int(value))) - 3)
    near = sorted(range(2, 1000), key=lambda n: abs(n - value // scale))
    for n in near[:200]:
        new = n * scale + int(value) % scale
        if plain.isdecimal():
            written = f"{new:,}" if "," in number else str(new)
            if suffix:
                written += ordinal_suffix(new)
        else:
            written = in_words(new, number)
        result = before + written + text[match.end() :]
        if starts_with_vowel_sound(result) == vowel and written not in old:
            yield result
