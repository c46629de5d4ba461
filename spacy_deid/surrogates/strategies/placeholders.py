"""The replacement strategies of Adelani et al. (2020, section 3 and table 1).

A strategy is a function of all mentions of a document that gives one new text a
mention. One of your own:

    @registry.deid_strategies("my_strategy.v1")
    def make_my_strategy():
        def my_strategy(mentions, context):
            return [f"<{mention.label}>" for mention in mentions]
        return my_strategy

It may have a method `epsilon(recall)`; without one its ε is infinite. Whatever it
gives, the pseudonymizer sees to it that no original is in the output. `generalize`,
`choose_strategy` and `random_replacement` have modules of their own.
"""

from __future__ import annotations

import importlib
import math
import random
import re
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from typing import Any, ClassVar, NamedTuple

from ...registries import registry
from ...text.names import title_gender
from ..base import (
    MONTHS,
    WEEKDAYS,
    Forbidden,
    Mention,
    RandomFor,
    SurrogateMaker,
    fits_article,
    match_case,
    normalise,
)
from ..consistency import corpus_entities, in_corpus
from ..epsilon import capped, replacement_epsilon
from ..word_lists import EXEMPLARS, WordLists, word_lists

SHORT_NAMES = (
    "redact",
    "typed_placeholder",
    "named_placeholder",
    "word_by_word",
    "full_entity",
    "generalize",
)
_TRIES = 24


class StrategyError(ValueError):
    """A strategy can't work as it is set up. Its message is shown: no text of a
    document may be in it."""


class Context(NamedTuple):
    """What a strategy may use.

    random_for (Callable): Generator for a kind and an entity, the same for one key.
    forbidden (Callable): True for a text that may not stand in the output.
    surrogates (Callable): The pipeline's surrogate generator.
    mark (str): Neither letters nor digits; may stand for anything.
    document (str): Tells documents apart. Draws may depend on it, not on one mention.
    scope (str): Where one entity has one surrogate: "mention", "sentence", "document"
        or "corpus".
    lang (str): Code of the text's language, or "".
    """

    random_for: RandomFor
    forbidden: Forbidden
    surrogates: SurrogateMaker
    mark: str
    document: str
    scope: str = "document"
    lang: str = ""


Strategy = Callable[[Sequence[Mention], Context], list[str]]


def has_content(text: str) -> bool:
    """Whether a text has a letter or a digit."""
    return any(map(str.isalnum, text))


@dataclass(frozen=True)
class Registered:
    """A strategy that knows under which name it was registered."""

    name: ClassVar[str] = ""
    # Whether it draws at random, independently of what it replaces.
    random: ClassVar[bool] = False

    def config(self) -> dict[str, Any]:
        """The block of a config that makes this strategy."""
        return {"@deid_strategies": self.name, **asdict(self)}


@dataclass(frozen=True)
class Redact(Registered):
    """See `make_redact`."""

    mark: str = "***"
    name: ClassVar[str] = "spacy_deid.redact.v1"

    def __call__(self, mentions: Sequence[Mention], context: Context) -> list[str]:
        mark = context.mark if context.forbidden(self.mark) else self.mark
        return [mark] * len(mentions)

    def epsilon(self, recall: float | None) -> float:
        return replacement_epsilon(0.0, capped(1.0, recall))


@dataclass(frozen=True)
class TypedPlaceholder(Registered):
    """See `make_typed_placeholder`."""

    numbered: bool = True
    brackets: str = "[]"
    name: ClassVar[str] = "spacy_deid.typed_placeholder.v1"

    def __post_init__(self) -> None:
        if len(self.brackets) not in (0, 2) or has_content(self.brackets):
            raise ValueError(
                "'brackets' should be an opening and a closing character, or empty"
            )

    def __call__(self, mentions: Sequence[Mention], context: Context) -> list[str]:
        opening, closing = self.brackets[:1], self.brackets[1:]
        if self.numbered and context.scope == "corpus":
            return self._by_key(mentions, context, opening, closing)
        numbers: dict[tuple[str, int], str] = {}
        last: dict[str, int] = {}
        out = []
        for mention in mentions:
            key = (mention.label, mention.entity_id if self.numbered else 0)
            if key not in numbers:
                plain = f"{opening}{mention.label}{closing}"
                numbers[key] = context.mark if context.forbidden(plain) else plain
                if self.numbered:
                    first = last.get(mention.label, 0) + 1
                    # A number that is masked itself is left out of the count.
                    for n in range(first, first + _TRIES):
                        text = f"{opening}{mention.label} {n}{closing}"
                        last[mention.label] = n
                        if not context.forbidden(text):
                            numbers[key] = text
                            break
            out.append(numbers[key])
        return out

    def _by_key(
        self, mentions: Sequence[Mention], context: Context, opening: str, closing: str
    ) -> list[str]:
        """Numbers that key and entity choose, the same in all documents."""
        out = [context.mark] * len(mentions)
        taken: set[str] = set()
        for (label, entity), where in corpus_entities(mentions).items():
            rng = context.random_for("placeholder", f"{label} {entity}")
            for _ in range(_TRIES):
                text = f"{opening}{label} {rng.randrange(1, 1_000_000)}{closing}"
                if text not in taken and not context.forbidden(text):
                    taken.add(text)
                    for i in where:
                        out[i] = text
                    break
        return out

    def epsilon(self, recall: float | None) -> float:
        if self.numbered:
            return math.inf
        return replacement_epsilon(0.0, capped(1.0, recall))


# Subtype, or else semantic type -> exemplars; the first that is no original is taken.
_EXEMPLARS: dict[str, tuple[str, ...]] = {
    "PERSON": ("John Smith", "Mary Brown", "Jane Doe"),
    "ORG": ("Acme Corporation", "Globex", "Initech"),
    "LOC": ("London", "Paris", "Rome"),
    "DEM": ("teacher", "engineer", "nurse"),
    "DATETIME": ("1 January 2000", "2 February 2010", "noon"),
    "QUANTITY": ("100", "50", "20"),
    "CODE": ("12345", "67890", "ABCDE"),
    "MISC": ("something", "example", "sample"),
    "GIVEN_NAME": ("John", "Mary", "Jane"),
    "FAMILY_NAME": ("Smith", "Brown", "Doe"),
    "EMAIL": ("john.smith@example.com", "mary.brown@example.org"),
    "URL": ("https://www.example.com", "https://www.example.org"),
    "DOMAIN": ("example.com", "example.org"),
    "PHONE": ("020 7946 0000", "555-0100"),
    "IP": ("192.0.2.1", "198.51.100.1"),
    "USERNAME": ("user", "someone"),
    "ADDRESS": ("10 Downing Street, London", "1 Main Street"),
    "COUNTRY": ("Germany", "France", "Italy"),
    "REGION": ("Yorkshire", "Tuscany"),
    "TIME": ("noon", "midnight"),
    "YEAR": ("2000", "2010"),
    "WEEKDAY": ("Monday", "Tuesday"),
    "DURATION": ("two weeks", "three months"),
    "MONEY": ("$100", "$50"),
    "PERCENT": ("50%", "20%"),
    "AGE": ("40", "50"),
    "NATIONALITY": ("British", "Italian", "French"),
    "RELIGION": ("Catholic", "Buddhist"),
    "LANGUAGE": ("English", "French"),
    "DISEASE": ("influenza", "asthma"),
    "COURT": ("Supreme Court", "Court of Appeal"),
    "HOSPITAL": ("General Hospital", "City Hospital"),
    "SCHOOL": ("Oxford University", "Harvard University"),
}
_ONE_WORD_NAMES = ("Smith", "Brown", "Doe")


@dataclass(frozen=True)
class NamedPlaceholder(Registered):
    """See `make_named_placeholder`."""

    name: ClassVar[str] = "spacy_deid.named_placeholder.v1"

    def __call__(self, mentions: Sequence[Mention], context: Context) -> list[str]:
        return [self._exemplar(mention, context) for mention in mentions]

    def _exemplar(self, mention: Mention, context: Context) -> str:
        of_lang = EXEMPLARS.get(context.lang[:2], {})
        exemplars = of_lang.get(mention.subtype) or _EXEMPLARS.get(mention.subtype)
        if exemplars is None:
            label = mention.label if mention.label in _EXEMPLARS else "MISC"
            exemplars = of_lang.get(label, _EXEMPLARS[label])
            if mention.label == "PERSON" and len(_untitled(mention.text)) == 1:
                exemplars = of_lang.get("ONE_NAME", _ONE_WORD_NAMES)
        # "6 мая" is all small letters, "1 January" is not.
        texts = [
            exemplar
            if mention.text.islower() and mention.label in ("DATETIME", "DEM", "ORG")
            else match_case(exemplar, mention.text)
            for exemplar in exemplars
        ]
        if context.lang[:2] == "ru":
            from ...lang.ru.sweep import in_same_case

            person = mention.label == "PERSON"
            texts = [
                in_same_case(text, mention.text, mention.before, person)
                for text in texts
            ]
        # One that fits "a" or "an" before it comes first; the order stays otherwise.
        texts.sort(key=lambda text: not fits_article(text, mention.before))
        for text in texts:
            if not context.forbidden(text):
                return text
        return context.mark

    def epsilon(self, recall: float | None) -> float:
        return replacement_epsilon(0.0, capped(1.0, recall))


def _untitled(text: str) -> list[str]:
    words = text.split()
    return [w for w in words if title_gender(w) is None] or words


@dataclass(frozen=True)
class WordByWord(Registered):
    """See `make_word_by_word`."""

    name: ClassVar[str] = "spacy_deid.word_by_word.v1"
    random: ClassVar[bool] = True

    def __call__(self, mentions: Sequence[Mention], context: Context) -> list[str]:
        if context.scope == "corpus":
            return [
                _replace_words(
                    mention,
                    context.random_for(
                        "word_by_word", f"{mention.label} {normalise(mention.text)}"
                    ),
                    context,
                )
                for mention in mentions
            ]
        # The draws depend on the key and the document, never on the word replaced.
        rng = context.random_for("word_by_word", context.document)
        return [_replace_words(mention, rng, context) for mention in mentions]

    def epsilon(self, recall: float | None) -> float:
        # A token is a word, and in codes and numbers a single letter or figure. The
        # bound is that of the longest list, whatever the document has.
        p = capped(1.0, recall)
        if p == 1.0:
            return 0.0
        return replacement_epsilon(1.0 / max(map(len, _all_lexicons())), p)


@dataclass(frozen=True)
class FullEntity(Registered):
    """See `make_full_entity`."""

    name: ClassVar[str] = "spacy_deid.full_entity.v1"

    def __call__(self, mentions: Sequence[Mention], context: Context) -> list[str]:
        out = [context.mark] * len(mentions)
        places = [
            i
            for i, m in enumerate(mentions)
            if m.text[:1].isalnum() or has_content(m.text)
        ]
        from ..languages import in_language

        make = in_language(context.surrogates, context.lang)
        if context.scope == "corpus":
            make = in_corpus(make)
        found = make(
            [mentions[i] for i in places], context.random_for, context.forbidden
        )
        if len(found) != len(places):
            raise ValueError(
                f"the surrogate generator gave {len(found)} texts for "
                f"{len(places)} mentions"
            )
        for i, text in zip(places, found):
            out[i] = text
        return out

    def epsilon(self, recall: float | None) -> float:
        return math.inf


@registry.deid_strategies("spacy_deid.redact.v1")
def make_redact(mark: str = "***") -> Redact:
    """One fixed mark for everything. ε = 0 if nothing is missed.

    mark (str): The mark.
    RETURNS (Callable): The strategy.
    """
    return Redact(mark)


@registry.deid_strategies("spacy_deid.typed_placeholder.v1")
def make_typed_placeholder(
    numbered: bool = True, brackets: str = "[]"
) -> TypedPlaceholder:
    """The semantic type: "[PERSON 1]", "[PERSON 2]", "[LOC 1]".

    numbered (bool): Number the entities of each type in order of appearance, so that
        a reader can follow who is who. ε is infinite then, since the numbers tell
        which mentions belong together; without numbers it is that of `redact`.
    brackets (str): An opening and a closing character, or "" for none.
    RETURNS (Callable): The strategy.
    """
    return TypedPlaceholder(numbered, brackets)


@registry.deid_strategies("spacy_deid.named_placeholder.v1")
def make_named_placeholder() -> NamedPlaceholder:
    """One fixed well-known example for each kind: every city is London. ε = 0 if
    nothing is missed.

    RETURNS (Callable): The strategy.
    """
    return NamedPlaceholder()


@registry.deid_strategies("spacy_deid.word_by_word.v1")
def make_word_by_word() -> WordByWord:
    """Each word by a random word of the same kind, each figure by a figure: every
    mention on its own, so mentions of one entity differ. Function words inside a
    longer mention stay.

    RETURNS (Callable): The strategy.
    """
    return WordByWord()


@registry.deid_strategies("spacy_deid.full_entity.v1")
def make_full_entity() -> FullEntity:
    """Whole entities by surrogates of the same kind, one for all mentions of an
    entity. Its ε is infinite: consistency is what the lemma does not cover.

    RETURNS (Callable): The strategy.
    """
    return FullEntity()


def get_strategy(name: str) -> Strategy:
    """A strategy by its name.

    name (str): One of SHORT_NAMES, or a registered name.
    RETURNS (Callable): The strategy with its default settings.
    RAISES (ValueError): If there is none of this name.
    """
    # Strategies that have modules of their own register when these are imported.
    from . import choose, generalize, random_replacement  # noqa: F401

    full = f"spacy_deid.{name}.v1" if name in SHORT_NAMES else name
    try:
        return registry.get("deid_strategies", full)()
    except Exception as err:
        raise ValueError(
            f"no replacement strategy '{name}': use one of {', '.join(SHORT_NAMES)} "
            f"or a name registered in 'deid_strategies'"
        ) from err


# --- words for word_by_word ---

_SHORT_MONTHS = tuple(m[:3] for m in MONTHS)
_NUMBER_WORDS = tuple(
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
    "fifteen sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty seventy "
    "eighty ninety hundred thousand million".split()
)
_TITLES = ("Mr", "Mrs", "Ms", "Dr", "Professor", "Judge")
# One and several, and what they measure, stay apart: "43 years" are no seconds.
_UNITS = tuple(
    tuple(row.split())
    for row in (
        "minute hour",
        "day week month year decade",
        "seconds minutes hours",
        "days weeks months years decades",
        "metres kilometres miles",
        "kilograms tonnes pounds",
        "litres gallons pints",
        "euros dollars francs",
        "percent points",
    )
)
_DEMONYMS = tuple(
    "American Argentinian Australian Austrian Belgian Brazilian British Bulgarian Canadian "
    "Chilean Chinese Croatian Czech Danish Dutch Egyptian English Estonian Finnish French "
    "German Greek Hungarian Icelandic Indian Indonesian Irish Italian Japanese Kenyan "
    "Korean Latvian Lithuanian Maltese Mexican Moroccan Nigerian Norwegian Peruvian Polish "
    "Portuguese Romanian Russian Scottish Slovak Slovenian Spanish Swedish Swiss Turkish "
    "Ukrainian Vietnamese Welsh".split()
)
_FAMILY = tuple(
    "wife husband son daughter mother father brother sister uncle aunt nephew niece "
    "grandmother grandfather cousin widow widower".split()
)
_WORD = re.compile(r"[^\W\d_]+(?:['’\u00ad][^\W\d_]+)*|\d+")


@cache
def _names() -> tuple[str, ...]:
    from faker.providers.person.en_US import Provider

    return tuple(sorted({*Provider.first_names, *Provider.last_names}))


@cache
def _places() -> tuple[str, ...]:
    from faker.providers.geo import Provider

    return tuple(sorted({c[2] for c in Provider.land_coords if c[2].isalpha()}))


@cache
def _countries() -> tuple[str, ...]:
    from faker.providers.date_time import Provider

    return tuple(sorted({c.name for c in Provider.countries if c.name.isalpha()}))


@cache
def occupations() -> tuple[str, ...]:
    from faker.providers.job import Provider

    found = (re.split(r"[,/(]", job)[0].split()[-1] for job in Provider.jobs)
    return tuple(sorted({word.lower() for word in found if word.isalpha()}))


@cache
def _common_words() -> tuple[str, ...]:
    from faker.providers.lorem.en_US import Provider

    return tuple(sorted({w for w in Provider.word_list if len(w) > 3 and w.isalpha()}))


def _all_lexicons() -> list[tuple[str, ...]]:
    return [_names(), _places(), _countries(), occupations(), _common_words()]


_CLOSED = tuple(
    (frozenset(w.casefold() for w in lexicon), lexicon)
    for lexicon in (
        MONTHS,
        _SHORT_MONTHS,
        WEEKDAYS,
        _NUMBER_WORDS,
        *_UNITS,
        _FAMILY,
    )
)
# What an age is counted in is what the type says already.
_YEARS = frozenset(
    "year years yr yrs old jahr jahre jahren alt año años год года лет".split()
)


def _lexicon(word: str, mention: Mention, lang: str) -> tuple[str, ...]:
    """Words of the same kind. The kind is what a typed placeholder would tell too."""
    folded = word.casefold()
    lists = word_lists(lang)
    if lists is not None:
        return _lexicon_of(lists, word, mention)
    if mention.label in ("DATETIME", "QUANTITY", "DEM"):
        for words, lexicon in _CLOSED:
            if folded in words:
                return lexicon
    if mention.label == "PERSON":
        return _TITLES if title_gender(word) is not None else _names()
    if mention.label == "LOC":
        return _countries() if mention.subtype == "COUNTRY" else _places()
    if mention.label == "DEM":
        if word[:1].isupper() or mention.subtype in ("NATIONALITY", "LANGUAGE"):
            return _DEMONYMS
        return occupations()
    if mention.label == "ORG":
        return _names()
    return _common_words()


def _lexicon_of(lists: WordLists, word: str, mention: Mention) -> tuple[str, ...]:
    """As `_lexicon`, of a language's own lists."""
    folded = word.casefold()
    if mention.label in ("DATETIME", "QUANTITY", "DEM"):
        for words, lexicon in lists.closed:
            if folded in words:
                return lexicon
    if mention.label == "PERSON":
        return lists.titles if title_gender(word) is not None else lists.names
    if mention.label == "LOC":
        return lists.countries if mention.subtype == "COUNTRY" else lists.places
    if mention.label == "DEM":
        nationals = mention.subtype in ("NATIONALITY", "ETHNICITY")
        return lists.demonyms if nationals else lists.occupations
    if mention.label == "ORG":
        return lists.organisations
    return lists.common


def _replace_words(mention: Mention, rng: random.Random, context: Context) -> str:
    if not has_content(mention.text):
        return context.mark
    several = len(_WORD.findall(mention.text)) > 1
    top_level = _top_level(mention)

    def replace(match: re.Match[str]) -> str:
        word = match.group()
        if match.start() == top_level:
            return "example"
        frame = word.islower() or word.casefold() in _YEARS
        if several and frame and _stays(word, mention, context.lang):
            return word
        before = mention.before if match.start() == 0 else ""
        spare = context.mark
        for _ in range(_TRIES):
            new = _draw(match, mention, rng, context.lang)
            if new.casefold() != word.casefold() and not context.forbidden(new):
                if fits_article(new, before):
                    return new
                spare = new
        return spare

    return _WORD.sub(replace, mention.text)


_HOST = re.compile(r"(?:@|://|^)([^\s@/:?#<>]+\.)([^\W\d_]+)(?=[/:?#>]|$)")


def _top_level(mention: Mention) -> int:
    """Where the top-level domain of an address begins, -1 if it is none. It gives way
    to one that is reserved, so that no address made is anybody's."""
    if mention.subtype not in ("EMAIL", "URL", "DOMAIN") and "@" not in mention.text:
        return -1
    match = _HOST.search(mention.text)
    return match.start(2) if match else -1


_PARTICLES = frozenset("van von der den de du di da del la le al el bin ibn".split())


def _stays(word: str, mention: Mention, lang: str) -> bool:
    """Whether a word is there for grammar alone."""
    year = word.casefold() in _YEARS and mention.text[:1].isdecimal()
    # An age, or "6 мая 2022 года".
    if year and (mention.label == "DEM" or re.search(rf"\d{{4}} {word}", mention.text)):
        return True
    if mention.label == "PERSON":
        return word in _PARTICLES
    if mention.label == "CODE":
        return word in ("http", "https", "ftp", "mailto", "www")
    # spaCy's function words have numbers and a month among them.
    lists = word_lists(lang)
    closed = _CLOSED if lists is None else lists.closed
    if word in _PARTICLES or any(word in words for words, _ in closed):
        return word in _PARTICLES
    return word in _stop_words("en" if lists is None else lang[:2])


@cache
def _stop_words(lang: str) -> frozenset[str]:
    module = importlib.import_module(f"spacy.lang.{lang}.stop_words")
    return frozenset(module.STOP_WORDS)


def _draw(match: re.Match[str], mention: Mention, rng: random.Random, lang: str) -> str:
    word = match.group()
    if word.isdigit():
        return _draw_figures(match, mention, rng)
    if mention.label == "CODE":
        alphabet = "abcdefghijklmnopqrstuvwxyz"
        if word[:1] >= "\u0400":
            alphabet = "авекмнорстух"
        letters = "".join(rng.choice(alphabet) for _ in word)
        return match_case(letters.upper() if word[:1].isupper() else letters, word)
    if len(word) == 1:
        cyrillic = word >= "\u0400"
        letter = rng.choice(
            "абвгдеиклмнопрстф" if cyrillic else "abcdefghijklmnopqrstuvwxyz"
        )
        return letter.upper() if word.isupper() else letter
    new = rng.choice(_lexicon(word, mention, lang))
    if word[:1].isupper() and new.islower():
        new = new.capitalize()
    return match_case(new, word)


def _draw_figures(match: re.Match[str], mention: Mention, rng: random.Random) -> str:
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
