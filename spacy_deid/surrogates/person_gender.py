"""Gender of a person by what the text says."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from ..gazetteers.name_letters import gender_by_letters, guess_language
from ..gazetteers.names import (
    FEMALE_BIT,
    LOCALES,
    MALE_BIT,
    gender_bits,
    gender_in,
    locale_of,
)
from ..lang.name_forms import name_forms
from ..lang.persons import Persons, kin_after, persons_of
from ..text.names import FEMALE, MALE, name_tokens, title_gender
from .base import Mention
from .person_reading import parse, roles_of

_TITLE_AT_END = re.compile(r"[^\W\d_]+\.?$")
# "Sex: F", "F/63", "63F", "(M)" behind a name.
_FIELD = re.compile(
    r"\b(?:sex|gender)\W{1,3}(?P<word>f|m|female|male)\b"
    r"|(?-i:(?<![\w/])(?:[(]|(?=[FM]/?\d)|\d{1,3}\s?/?\s?)(?P<letter>[FM])(?=\)|/?\d|\b))",
    re.I,
)
# Probability from which letters tell a gender.
_SURE = 0.8
_SENTENCE_END = re.compile(r"[.!?…](?=\s|$)|\n")
_WOMENS_SURNAMES = ("dóttir", "dottir", "skaya", "ovna", "evna", "ová", "owska", "ская")


@dataclass(frozen=True)
class Known:
    """What is known of a person."""

    group: Sequence[Mention]
    given: Sequence[str]
    language: str
    rules: Persons

    @cached_property
    def has_pronouns(self) -> bool:
        """Whether any stands around the mentions, as far as that is known."""
        around = (m.around for m in self.group)
        return any(
            not x or any(by.search(x) for by in self.rules.pronouns) for x in around
        )


def gender_by_text(known: Known) -> str:
    """Gender by titles, words for relations, given names that only one has, then
    pronouns around them."""
    return next((told for by in _EVIDENCE for told in by(known) if told), "")


def gender_of(group: Sequence[Mention], lang: str = "en") -> str:
    """Gender of a person, all of whose mentions are given."""
    rules = persons_of("en")
    roles = roles_of(parse({m.text: name_tokens(m.text) for m in group}), rules)
    latin = [w for w in roles.words if not locale_of(w)]
    language = guess_language(latin, lang if lang in LOCALES else "en")
    # Of names that are declined the case would have to be known.
    given = [] if name_forms(lang).declined else roles.given
    return gender_by_text(Known(group, given, language, persons_of(lang)))


def _by_titles(known: Known) -> Iterator[str]:
    for mention in known.group:
        yield known.rules.title_gender(mention.text, mention.before)
    for text in dict.fromkeys(m.text for m in known.group):
        for token in name_tokens(text):
            if token.role != "title":
                break
            yield title_gender(token.text) or ""
    for before in dict.fromkeys(m.before for m in known.group):
        yield from _titles_before(before)


def _titles_before(before: str) -> Iterator[str]:
    """Genders of the titles right before a mention: "Mrs Dr", but not "his sister said
    Dr"."""
    for word in reversed(before[-60:].split()[-3:] if before[-1:].isspace() else ()):
        match = _TITLE_AT_END.search(word)
        title = match[0] if match else ""
        gender = title_gender(title) if title[:1].isupper() else None
        if gender is None:
            return
        yield gender
        # What a title is stuck to ends them: "1986.Lt Gen".
        if title != word:
            return


def _by_kin_at_once(known: Known) -> Iterator[str]:
    for before in dict.fromkeys(m.before for m in known.group):
        gender, at_once = known.rules.kin_before(before)
        if at_once:
            yield gender


def _by_articles(known: Known) -> Iterator[str]:
    for before in dict.fromkeys(m.before for m in known.group):
        yield known.rules.article_gender(before)


def _by_field(known: Known) -> Iterator[str]:
    for after in dict.fromkeys(m.after for m in known.group):
        if match := _FIELD.search(after):
            letter = match["word"] or match["letter"]
            yield FEMALE if letter[0] in "fF" else MALE


def _by_kin(known: Known) -> Iterator[str]:
    for before in dict.fromkeys(m.before for m in known.group):
        yield known.rules.kin_before(before)[0]
    for after in dict.fromkeys(m.after for m in known.group):
        yield kin_after(after)


def _genders(known: Known) -> Iterator[tuple[str, str]]:
    """Given names that tell a gender, and this; the parts of double names as well."""
    for name in known.given:
        for part in dict.fromkeys((name, *name.split("-"))):
            bits = gender_bits(part, known.rules.lang)
            if bits and bits not in (MALE_BIT, FEMALE_BIT):
                # Languages disagree about some names ("Andrea", "Jan").
                bits = gender_in(known.language, part)
            if bits in (MALE_BIT, FEMALE_BIT):
                yield part, MALE if bits == MALE_BIT else FEMALE


def _by_given_name(known: Known) -> Iterator[str]:
    for name, gender in _genders(known):
        if name.lower() not in known.rules.unisex:
            yield gender


def _by_pronouns(known: Known) -> Iterator[str]:
    """Of the same sentence after a mention, then further on, then before it."""
    if not known.has_pronouns:
        return
    same, later = [], []
    for after in dict.fromkeys(m.after for m in known.group):
        end = _SENTENCE_END.search(after)
        cut = end.start() if end else len(after)
        same.append(after[:cut])
        later.append(after[cut:])
    for parts in (same, later, [m.before for m in known.group]):
        yield _by_majority(parts, known.rules)


def _by_pronouns_around(known: Known) -> Iterator[str]:
    if known.has_pronouns:
        yield _by_majority([m.around for m in known.group], known.rules)


def _by_majority(parts: Sequence[str], rules: Persons) -> str:
    """Gender by most of the pronouns in some texts."""
    # What repeats itself, as tables and logs do, says no more for it.
    text = "\n".join(dict.fromkeys(parts))
    men, women = (len(by.findall(text)) for by in rules.pronouns)
    return "" if men == women else MALE if men > women else FEMALE


def _by_surname(known: Known) -> Iterator[str]:
    if any(m.text.lower().endswith(_WOMENS_SURNAMES) for m in known.group):
        yield FEMALE


def _by_unsure_name(known: Known) -> Iterator[str]:
    yield from (gender for _, gender in _genders(known))
    for name in known.given:
        if name.lower().endswith("a"):
            yield FEMALE
        if len(name) > 3 and not locale_of(name):
            gender, chance = gender_by_letters(name, known.rules.lang)
            yield gender if chance > _SURE else ""


# What tells a gender, the surest first.
_EVIDENCE: tuple[Callable[[Known], Iterator[str]], ...] = (
    _by_titles, _by_kin_at_once, _by_field, _by_given_name, _by_kin, _by_articles,
    _by_pronouns, _by_surname, _by_pronouns_around, _by_unsure_name,
)  # fmt: skip
