"""Augmenter that replaces the gold entities of training documents by others.

A recognizer sees every name of a small corpus many times over, and learns the names
rather than what stands around them. Surrogates of the same type keep the sentence and
its annotation and change what is annotated (Eder et al. 2022, section 5, replace all
entities of e-mails so; a recognizer trained on the result does as well on real ones).
"""

from __future__ import annotations

import random
import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from spacy.language import Language
from spacy.tokens import Doc, Span, SpanGroup
from spacy.training import Example

from ..label_schemes import TABLE
from ..registries import registry
from ..schema import PII_KEY, SEMANTIC_TYPES, group_attr

if TYPE_CHECKING:
    from ..gazetteers import Gazetteer, Term
    from ..surrogates.base import Mention, RandomFor, SurrogateMaker

# Seed lists whose terms can stand for one another in a sentence.
LISTS = ("degrees", "diseases", "languages", "occupations", "religions")
# Types that only listed terms can replace: what else they are depends on the sentence.
LISTED_TYPES = ("DEM", "MISC")
CONTEXT = 30
# Terms of one kind that are kept of a large gazetteer, and draws of Faker.
MAX_TERMS, MAX_DRAWS, MAX_TRIES = 2000, 400, 24


@registry.augmenters("spacy_deid.entity_swap.v1")
def create_entity_swap(
    level: float = 0.5,
    share: float = 1.0,
    types: list[str] | None = None,
    locales: list[str] | None = None,
    gazetteers: list[str] | None = None,
    terms: Any = None,
    surrogates: Callable | None = None,
    spans_key: str = PII_KEY,
) -> EntitySwap:
    """Replace gold entities by others of their type.

    One entity gets one replacement throughout a document, the parts of a name agree,
    and case and format stay. Types without a fitting replacement stay as they are:
    words that tell something about a person are only replaced if they are listed.

    level (float): Share of the examples that are changed.
    share (float): Share of the entities that are replaced in these.
    types (Optional[list[str]]): Semantic types to replace; all if null.
    locales (Optional[list[str]]): Locales of Faker, one of which is drawn for each
        document: its names are given to persons. In English text persons get names of
        their own language without it; in other languages it is also where places and
        organisations come from, and all locales of the language are used without it.
    gazetteers (Optional[list[str]]): Files of terms, compiled gazetteers included; a
        listed text is replaced by another of its list.
    terms (Optional[Iterable[Term]]): Terms of the same use, as a registered reader gives
        them; if null, the package's English lists of occupations, diseases, degrees,
        languages and religions.
    surrogates (Optional[Callable]): Surrogate generator; if null, the English one for
        English text, and names, numbers and codes alone for other languages.
    spans_key (str): Span group of the gold entities.
    RETURNS (EntitySwap): The augmenter.
    RAISES (ValueError): If a setting does not fit.
    """
    return EntitySwap(
        level,
        share=share,
        types=types,
        locales=locales or (),
        gazetteers=gazetteers or (),
        terms=terms,
        surrogates=surrogates,
        spans_key=spans_key,
    )


class _Edit(NamedTuple):
    """A text to replace."""

    start: int
    end: int
    label: str
    subtype: str
    entity: str


class EntitySwap:
    """See `create_entity_swap`."""

    def __init__(
        self,
        level: float = 0.5,
        *,
        share: float = 1.0,
        types: Iterable[str] | None = None,
        locales: Iterable[str] = (),
        gazetteers: Iterable[str | Path] = (),
        terms: Iterable[Term] | None = None,
        surrogates: SurrogateMaker | None = None,
        spans_key: str = PII_KEY,
    ) -> None:
        for name, value in (("level", level), ("share", share)):
            if not 0.0 <= value <= 1.0:
                raise ValueError(f"entity_swap: {name} must be from 0 to 1")
        self.level = level
        self.share = share
        self.types = frozenset(SEMANTIC_TYPES if types is None else types)
        unknown = sorted(self.types - set(SEMANTIC_TYPES))
        if unknown:
            raise ValueError(
                f"entity_swap: unknown types {', '.join(unknown)}; known are "
                + ", ".join(SEMANTIC_TYPES)
            )
        self.locales = tuple(locales)
        for locale in self.locales:
            _check_locale(locale)
        self.pools = Pools(terms, gazetteers)
        self.surrogates = surrogates
        self.spans_key = spans_key

    def __call__(self, nlp: Language, example: Example) -> Iterator[Example]:
        """Change an example, or not."""
        if random.random() >= self.level:
            yield example
        else:
            yield self.swap(nlp, example)

    def swap(self, nlp: Language, example: Example) -> Example:
        """Replace the entities of an example."""
        doc = example.reference
        if self.spans_key not in doc.spans or doc.has_unknown_spaces:
            return example
        if any(start == end for start, end in _all_spans(doc)):
            return example
        edits = self._choose(doc)
        if not edits:
            return example
        new = self._replacements(nlp, doc.text, edits)
        edits, new = _changed(doc.text, edits, new)
        if not edits:
            return example
        return _rebuild(nlp, doc, edits, new)

    def _choose(self, doc: Doc) -> list[_Edit]:
        """What to replace: spans with no boundary of another inside, so that all
        boundaries can be kept."""
        group = doc.spans[self.spans_key]
        subtypes = _subtypes(group)
        typed: dict[tuple[int, int], _Edit] = {}
        for span, subtype in zip(group, subtypes):
            place = _offsets(span)
            typed.setdefault(place, _Edit(*place, span.label_, subtype, span.id_))
        bounds = sorted({b for span in _all_spans(doc) for b in span})
        covering = sorted(typed.values())
        found: dict[tuple[int, int], _Edit] = {}
        for start, end in _all_spans(doc):
            inside = bisect_left(bounds, end) - bisect_right(bounds, start)
            if inside or (start, end) in found:
                continue
            part = typed.get((start, end)) or _part_of(covering, start, end)
            if part is not None:
                found[start, end] = part
        wanted = [e for e in sorted(found.values()) if e.label in self.types]
        if self.share == 1.0:
            return wanted
        chosen: dict[tuple[str, str], bool] = {}
        text = doc.text
        return [e for e in wanted if self._takes(text, e, chosen)]

    def _takes(self, text: str, edit: _Edit, chosen: dict[Any, bool]) -> bool:
        from ..surrogates.base import normalise

        key = (edit.label, edit.entity or normalise(text[edit.start : edit.end]))
        if key not in chosen:
            chosen[key] = random.random() < self.share
        return chosen[key]

    def _replacements(
        self, nlp: Language, text: str, edits: Sequence[_Edit]
    ) -> list[str]:
        """New texts, the old ones where there is none."""
        from ..surrogates.consistency import make_random_for

        random_for = make_random_for(random.getrandbits(128).to_bytes(16, "big"))
        mentions = _mentions(text, edits)
        makers = self._makers(nlp, mentions, random_for)
        new = [m.text for m in mentions]
        for maker, places in makers:
            if places:
                for i, made in zip(places, maker([mentions[i] for i in places])):
                    new[i] = made
        return new

    def _makers(
        self, nlp: Language, mentions: Sequence[Mention], random_for: RandomFor
    ) -> list[tuple[Callable[[list[Mention]], list[str]], list[int]]]:
        """Who replaces which mentions."""
        from ..surrogates.english import english_surrogates

        lang = nlp.lang or "xx"
        stop_words = nlp.Defaults.stop_words
        locale = self._locale(lang, random_for)
        names = NameSwap(mentions, random_for, locale, stop_words)
        plain = PlainSwap(names, random_for)
        general = self.surrogates
        if general is None and lang == "en":
            general = english_surrogates

        def listed(group: list[Mention]) -> list[str]:
            made = [self.pools.replace(m, random_for) or m.text for m in group]
            return names.check(group, made)

        def made(group: list[Mention]) -> list[str]:
            if general is None:
                return [plain(m) for m in group]
            return names.check(group, general(group, random_for, names.forbidden))

        takers: dict[str, list[int]] = {"listed": [], "plain": [], "made": []}
        for i, m in enumerate(mentions):
            if m.label == "PERSON" and (general is None or self.locales):
                takers["plain"].append(i)
            elif self.pools.has(m):
                takers["listed"].append(i)
            elif m.label not in LISTED_TYPES or _makes_anyway(m, lang):
                takers["made"].append(i)
            elif any(map(str.isdecimal, m.text)):
                # "plot no. 937": the words stay.
                takers["plain"].append(i)
        return [
            (listed, takers["listed"]),
            (lambda group: [plain(m) for m in group], takers["plain"]),
            (made, takers["made"]),
        ]

    def _locale(self, lang: str, random_for: RandomFor) -> str:
        locales = self.locales or _locales_of(lang)
        return random_for("locale", "").choice(locales)


def _makes_anyway(mention: Mention, lang: str) -> bool:
    """Whether the English generator knows what a describing word may become."""
    if lang != "en" or mention.label != "DEM":
        return False
    from ..surrogates.places import demonym

    return mention.subtype == "AGE" or demonym(mention.text) is not None


def _subtypes(group: SpanGroup) -> list[str]:
    """Subtypes of gold spans, as far as the annotation tells."""
    given = [value or "" for value in group_attr(group, "subtypes", "")]
    scheme = TABLE.get(group.attrs.get("scheme", ""), {})
    natives = group_attr(group, "native", "")
    return [
        subtype or (scheme.get(native) or ("", ""))[1]
        for subtype, native in zip(given, natives)
    ]


def _all_spans(doc: Doc) -> list[tuple[int, int]]:
    """Character offsets of all spans of a Doc, of whatever group."""
    spans = [_offsets(span) for group in doc.spans.values() for span in group]
    if doc.has_annotation("ENT_IOB"):
        spans.extend(_offsets(ent) for ent in doc.ents)
    return spans


def _offsets(span: Span) -> tuple[int, int]:
    """Offsets in characters, without white space at the ends."""
    text, start = span.text, span.start_char
    return start + len(text) - len(text.lstrip()), start + len(text.rstrip())


def _part_of(covering: Sequence[_Edit], start: int, end: int) -> _Edit | None:
    """A text that another annotator marked inside a longer span ("Murray" of "Mr
    Murray") as an edit of that span's type."""
    last = bisect_right(covering, (start, float("inf")))
    best: _Edit | None = None
    for edit in covering[:last]:
        if edit.end >= end and (best is None or edit.start > best.start):
            best = edit
    return best._replace(start=start, end=end) if best is not None else None


def _mentions(text: str, edits: Sequence[_Edit]) -> list[Mention]:
    from ..surrogates.base import Mention
    from ..surrogates.consistency import number_entities

    texts = [text[e.start : e.end] for e in edits]
    numbers: dict[str, int] = {}
    ids = [
        numbers.setdefault(e.entity, len(numbers)) if e.entity else -1 for e in edits
    ]
    ids = number_entities(texts, [e.label for e in edits], ids)
    return [
        Mention(
            string,
            e.label,
            e.subtype,
            number,
            text[max(0, e.start - CONTEXT) : e.start],
            text[e.end : e.end + CONTEXT],
        )
        for string, e, number in zip(texts, edits, ids)
    ]


def _changed(
    text: str, edits: Sequence[_Edit], new: Sequence[str]
) -> tuple[list[_Edit], list[str]]:
    """Edits that change something, with texts that begin and end with no blank."""
    pairs = [
        (edit, made)
        for edit, made in zip(edits, map(str.strip, new))
        if made and made != text[edit.start : edit.end]
    ]
    return [edit for edit, _ in pairs], [made for _, made in pairs]


class _Moved:
    """Where characters outside of edits, and the edges of edits, have gone."""

    def __init__(self, edits: Sequence[_Edit], new: Sequence[str]) -> None:
        self.ends = [e.end for e in edits]
        self.shifts = [0]
        for edit, made in zip(edits, new):
            self.shifts.append(self.shifts[-1] + len(made) - (edit.end - edit.start))

    def __call__(self, position: int) -> int:
        return position + self.shifts[bisect_right(self.ends, position)]


def _rebuild(
    nlp: Language, old: Doc, edits: Sequence[_Edit], new: Sequence[str]
) -> Example:
    """The example with its new text."""
    source = old.text
    pieces, last = [], 0
    for edit, made in zip(edits, new):
        pieces += [source[last : edit.start], made]
        last = edit.end
    text = "".join(pieces) + source[last:]
    moved = _Moved(edits, new)
    predicted = nlp.make_doc(text)
    bounds = {moved(b) for span in _all_spans(old) for b in span}
    reference = _split(predicted, bounds)
    starts = {t.idx: t.i for t in reference}
    ends = {t.idx + len(t): t.i + 1 for t in reference}

    def place(span: Span) -> Span:
        first, last = map(moved, _offsets(span))
        start, end = starts[first], ends[last]
        return Span(
            reference, start, end, span.label_, kb_id=span.kb_id_, span_id=span.id_
        )

    for key, group in old.spans.items():
        reference.spans[key] = SpanGroup(
            reference,
            name=group.name,
            attrs=dict(group.attrs),
            spans=[place(span) for span in group],
        )
    if old.has_annotation("ENT_IOB"):
        reference.set_ents([place(ent) for ent in old.ents])
    reference.cats = dict(old.cats)
    # What is stored for spans and tokens by their offsets has lost its place.
    reference.user_data.update(
        (key, value)
        for key, value in old.user_data.items()
        if isinstance(key, str) or (isinstance(key, tuple) and key[2:3] == (None,))
    )
    return Example(predicted, reference)


def _split(doc: Doc, bounds: Iterable[int]) -> Doc:
    """A copy without annotation whose tokens end at all bounds."""
    words: list[str] = []
    spaces: list[bool] = []
    inner: dict[int, list[int]] = {}
    starts = [token.idx for token in doc]
    for bound in sorted(bounds):
        i = bisect_right(starts, bound) - 1
        if i >= 0 and starts[i] < bound < starts[i] + len(doc[i]):
            inner.setdefault(i, []).append(bound - starts[i])
    for token in doc:
        cuts = [0, *inner.get(token.i, ()), len(token)]
        words.extend(token.text[a:b] for a, b in pairwise(cuts))
        spaces.extend([False] * (len(cuts) - 2) + [bool(token.whitespace_)])
    return Doc(doc.vocab, words=words, spaces=spaces)


# --- names ---


class NameSwap:
    """New names for the persons of a document, word by word: a word of a name becomes
    the same other word wherever it stands.

    mentions (Sequence[Mention]): All mentions of the document.
    random_for (Callable): Generator of random numbers for a kind and an entity.
    locale (str): Locale of Faker that the names are of.
    stop_words (Collection[str]): Function words of the language, which are no names.
    """

    def __init__(
        self,
        mentions: Sequence[Mention],
        random_for: RandomFor,
        locale: str,
        stop_words: Collection[str] = (),
    ) -> None:
        from ..text.names import fold, given_name_gender, name_tokens

        self.random_for = random_for
        self.locale = locale
        self.roles: dict[str, str] = {}
        self.new: dict[str, str] = {}
        self.parsed = {
            m.text: name_tokens(m.text) for m in mentions if m.label == "PERSON"
        }
        for tokens in self.parsed.values():
            for token in tokens:
                if not _stays(token.text, token.role):
                    key = fold(token.text).strip(".")
                    # What a word is shows where the name is whole.
                    if len(tokens) > 1:
                        self.roles[key] = token.role
                    else:
                        known = given_name_gender(key) is not None
                        self.roles.setdefault(key, "given" if known else token.role)
        self.words = {
            word
            for key in self.roles
            for word in _WORD.findall(key)
            if len(word) > 2 and word not in stop_words
        }
        self.taken: set[str] = set()

    def forbidden(self, text: str) -> bool:
        """Whether a text has a word of a person's name in it."""
        from ..text.names import fold

        return bool(self.words) and not self.words.isdisjoint(_WORD.findall(fold(text)))

    def check(self, mentions: Sequence[Mention], new: Sequence[str]) -> list[str]:
        """What a generator made, but for persons that kept a word of their names."""
        return [
            self.replace(m.text)
            if m.label == "PERSON" and self.forbidden(text)
            else text
            for m, text in zip(mentions, new)
        ]

    def replace(self, text: str) -> str:
        """Another name in place of one."""
        from ..surrogates.base import match_case

        out, last = [], 0
        for token in self.parsed.get(text, ()):
            out.append(text[last : token.start])
            last = token.end
            if _stays(token.text, token.role):
                out.append(token.text)
                continue
            parts = re.split(r"([-\u2010\u2011'\u2019]|\.(?=\w))", token.text)
            for i, part in enumerate(parts):
                if i % 2 == 0 and part:
                    part = match_case(self._word(part, token.role), part)
                out.append(part)
        return "".join(out) + text[last:]

    def _word(self, word: str, role: str) -> str:
        from ..surrogates.base import invent_word
        from ..text.names import fold, given_name_gender

        key = fold(word).strip(".")
        if len(key) == 1:
            return self._initial(key, role) + ("." if word.endswith(".") else "")
        if key not in self.new:
            kind = "family" if self.roles.get(key, role) == "family" else ""
            kind = kind or given_name_gender(key) or "given"
            pool = _names(self.locale)[kind]
            rng = self.random_for("name", key)
            made = invent_word(rng)
            for _ in range(MAX_TRIES):
                drawn = rng.choice(pool)
                if not self.forbidden(drawn) and fold(drawn) not in self.taken:
                    made = drawn
                    break
            self.taken.add(fold(made))
            self.new[key] = made
        return self.new[key]

    def _initial(self, letter: str, role: str) -> str:
        """First letter of the new name of whom an initial may stand for."""
        for key, own in self.roles.items():
            same = (own == "family") == (role == "family")
            if len(key) > 1 and key[0] == letter and same:
                return self._word(key, own)[0].upper()
        return self.random_for("initial", letter).choice("ABCDEFGHJKLMNOPRSTVW")


_WORD = re.compile(r"\w+")


def _stays(word: str, role: str) -> bool:
    from ..text.names import PARTICLES, fold

    if role in ("title", "suffix") or not any(map(str.isalpha, word)):
        return True
    return word.islower() and fold(word) in PARTICLES


@cache
def _names(locale: str) -> dict[str, tuple[str, ...]]:
    """Names of a locale by kind: male, female and any given names, family names."""
    from ..surrogates.persons import _lists_of
    from ..text.names import FEMALE, MALE

    lists = _lists_of(locale)
    given = tuple(dict.fromkeys((*lists.male, *lists.female))) or lists.family
    return {
        MALE: lists.male or given,
        FEMALE: lists.female or given,
        "given": given,
        "family": lists.family or given,
    }


def _check_locale(locale: str) -> None:
    from importlib.util import find_spec

    name = f"faker.providers.person.{locale}"
    if not re.fullmatch(r"\w+", locale) or find_spec(name) is None:
        raise ValueError(f"entity_swap: Faker has no names for the locale '{locale}'")


@cache
def _locales_of(lang: str) -> tuple[str, ...]:
    """Locales of a language with names of persons, those of English if it has none."""
    from pkgutil import iter_modules

    from faker.providers import address, company, person

    names, *others = (
        {m.name for m in iter_modules(package.__path__)}
        for package in (person, address, company)
    )
    # Those that have places and companies of their own come first.
    for found in (names.intersection(*others), names):
        own = sorted(n for n in found if n.partition("_")[0] == lang)
        if own:
            return tuple(own)
    return ("en_US",)


# --- languages without a generator of their own ---


class PlainSwap:
    """Replaces what can be without knowing a language: names by Faker, figures by
    figures, months by months; all other words stay.

    names (NameSwap): The document's names.
    random_for (Callable): Generator of random numbers for a kind and an entity.
    """

    def __init__(self, names: NameSwap, random_for: RandomFor) -> None:
        self.names = names
        self.random_for = random_for

    def __call__(self, mention: Mention) -> str:
        """The new text of a mention; its own if nothing fits."""
        from ..surrogates.base import normalise

        kind, text = mention.label, mention.text
        if kind == "PERSON":
            return self.names.replace(text)
        rng = self.random_for(kind, normalise(text))
        if kind == "DATETIME":
            return self._date(text)
        if kind == "CODE":
            return self._code(mention)
        if kind == "LOC":
            return self._place(mention, rng)
        if kind == "ORG":
            return self._organisation(mention, rng)
        return _figures(text, rng)

    def _date(self, text: str) -> str:
        rng = self.random_for("date", "")
        years, days, months = rng.randint(1, 4), rng.randint(1, 27), rng.randint(1, 11)
        names = _faker_lists(self.names.locale)["month"]
        numbers = {name.casefold(): i for i, name in enumerate(names)}

        def replace(match: re.Match[str]) -> str:
            word = match.group()
            if not word.isdecimal():
                i = numbers.get(word.casefold())
                return word if i is None else _like(names[(i + months) % 12], word)
            value = int(word)
            if len(word) == 4:
                return str(value - years)
            if len(word) > 2 or not 1 <= value <= 28:
                return word
            # 12 figures go round in a circle of 12, so that a month stays one.
            size = 12 if value <= 12 else 16
            first = 1 if value <= 12 else 13
            value = (value - first + days) % size + first
            return f"{value:0{len(word)}}"

        return re.sub(r"\d+|[^\W\d_]+", replace, text)

    def _code(self, mention: Mention) -> str:
        from ..surrogates.base import Draws
        from ..surrogates.codes import replace_codes

        if not re.search(r"[\d@/:.]", mention.text):
            return mention.text
        draws = Draws(self.random_for, self.names.forbidden)
        return replace_codes([mention], draws)[0]

    def _place(self, mention: Mention, rng: random.Random) -> str:
        text = mention.text
        lists = _faker_lists(self.names.locale)
        if not any(map(str.isalpha, text)):
            return _figures(text, rng)
        if mention.subtype == "ADDRESS":
            match = re.match(r"\D*[^\W\d_]", text)
            end = match.end() if match else 0
            street = self._pick(lists["street"], text[:end], rng) if end else ""
            return street + (_figures(text[end:], rng) if text[end:] else "")
        country = mention.subtype == "COUNTRY" or text in lists["country"]
        return self._pick(lists["country" if country else "city"], text, rng)

    def _organisation(self, mention: Mention, rng: random.Random) -> str:
        from ..surrogates.base import acronym_like

        text = mention.text
        lists = _faker_lists(self.names.locale)
        if text.isupper() and text.isalpha() and len(text) <= 6:
            if text.isascii():
                return acronym_like(text, rng)
            names = _names(self.names.locale)["family"]
            return "".join(rng.choice(names)[0].upper() for _ in text)
        kind, space, _ = text.partition(" ")
        if mention.subtype not in ("", "COMPANY") and space:
            # "Hospital ...", "Universität ..." say what it is.
            return f"{kind} {rng.choice(_names(self.names.locale)['family'])}"
        return self._pick(lists["company"], text, rng)

    def _pick(self, pool: Sequence[str], old: str, rng: random.Random) -> str:
        for _ in range(MAX_TRIES if pool else 0):
            made = rng.choice(pool)
            if made.casefold() != old.casefold() and not self.names.forbidden(made):
                return _like(made, old)
        return old


def _like(new: str, old: str) -> str:
    from ..surrogates.base import match_case

    return match_case(new, old)


def _figures(text: str, rng: random.Random) -> str:
    """Other figures for figures; all else stays."""
    from ..surrogates.codes import like

    for _ in range(MAX_TRIES):
        made = re.sub(r"[0-9]+", lambda m: like(m.group(), rng), text)
        if made != text:
            return made
    return text


# Kind of text -> provider of Faker and its method.
_FAKER = {
    "city": ("address", "city"),
    "country": ("address", "country"),
    "street": ("address", "street_name"),
    "company": ("company", "company"),
}
# "г. Теберда", "клх Сосьва (Хант.)"
_PLACE_EXTRAS = re.compile(r"^(?:\w{1,3}\.|[^\W\d_A-Z]{1,3})\s+|\s*\(.*\)$")


@cache
def _faker_lists(locale: str) -> dict[str, tuple[str, ...]]:
    """Cities, countries, companies, streets and months of a locale; empty where Faker
    would fall back to American ones."""
    from faker import Faker

    fake = Faker(locale)
    fake.seed_instance(0)
    lists = {}
    for kind, (provider, method) in _FAKER.items():
        made = set()
        if _provider(provider, locale) is not None:
            made = {getattr(fake, method)().strip() for _ in range(MAX_DRAWS)}
        if kind == "city":
            made = {_PLACE_EXTRAS.sub("", city) for city in made}
        lists[kind] = tuple(sorted(made - {""}))
    names = getattr(_provider("date_time", locale), "MONTH_NAMES", None) or {}
    months = tuple(name for _, name in sorted(names.items()))
    lists["month"] = months if len(months) == 12 else ()
    return lists


def _provider(kind: str, locale: str) -> type | None:
    from importlib import import_module

    try:
        return import_module(f"faker.providers.{kind}.{locale}").Provider
    except ImportError:
        return None


# --- listed terms ---


class Pools:
    """Terms by kind, to replace one by another of the same kind.

    terms (Optional[Iterable[Term]]): Terms; the package's own of LISTS if None.
    files (Iterable[Union[str, Path]]): Files of terms and compiled gazetteers.
    RAISES (ValueError): If a file is neither.
    """

    def __init__(
        self, terms: Iterable[Term] | None = None, files: Iterable[str | Path] = ()
    ) -> None:
        self._given = None if terms is None else tuple(terms)
        self._files = [Path(file) for file in files]
        for file in self._files:
            if not file.is_file():
                raise ValueError(f"entity_swap: no such file: {file}")
        self._gazetteers: list[tuple[Gazetteer, dict[Any, list[str]]]] | None = None
        # Kind -> terms; normal form of a term -> its kind and whether it is a plural.
        self._terms: dict[Any, list[str]] = {}
        self._kinds: dict[tuple[str, str], tuple[Any, bool]] = {}

    def __getstate__(self) -> dict[str, Any]:
        # Read again where it is needed: lists may be long.
        state = {**self.__dict__, "_gazetteers": None}
        return {**state, "_terms": {}, "_kinds": {}}

    def _load(self) -> list[tuple[Gazetteer, dict[Any, list[str]]]]:
        if self._gazetteers is not None:
            return self._gazetteers
        from ..gazetteers import Gazetteer, read_terms

        if self._given is not None:
            self._add(self._given)
        else:
            terms, kinds = _seed_lists()
            self._terms = {kind: list(pool) for kind, pool in terms.items()}
            self._kinds = dict(kinds)
        gazetteers = []
        for file in self._files:
            if file.suffix == ".gaz":
                gazetteer = Gazetteer.load(file)
                gazetteer.check()
                gazetteers.append((gazetteer, _sample(gazetteer)))
            else:
                self._add(read_terms(file))
        self._gazetteers = gazetteers
        return gazetteers

    def _add(self, terms: Iterable[Term]) -> None:
        _add_terms(terms, self._terms, self._kinds)

    def _find(self, mention: Mention) -> tuple[Sequence[str], bool]:
        """Terms that may stand for a mention, and whether in the plural."""
        from ..gazetteers import normalize_term

        gazetteers = self._load()
        found = self._kinds.get((mention.label, normalize_term(mention.text)))
        if found is not None:
            return self._terms[found[0]], found[1]
        for gazetteer, sample in gazetteers:
            for entry in gazetteer.get(mention.text):
                if entry.label == mention.label:
                    return sample.get((entry.label, entry.property), ()), False
        return (), False

    def has(self, mention: Mention) -> bool:
        """Whether a mention is a listed term."""
        return len(self._find(mention)[0]) > 1

    def replace(self, mention: Mention, random_for: RandomFor) -> str | None:
        """Another term of the same list."""
        from ..gazetteers import normalize_term
        from ..surrogates.base import fits_article, in_place_of, normalise
        from ..text.words import pluralize

        pool, plural = self._find(mention)
        if not pool:
            return None
        old = mention.text
        rng = random_for("term", normalise(old))
        for _ in range(MAX_TRIES):
            made = rng.choice(pool)
            if plural:
                made = next(iter(pluralize(normalize_term(made))), "")
            if not old.isupper() and old[1:].islower() != made[1:].islower():
                continue
            made = in_place_of(made, mention)
            if (
                made
                and normalise(made) != normalise(old)
                and fits_article(made, mention.before)
            ):
                return made
        return None


def _add_terms(
    terms: Iterable[Term],
    pools: dict[Any, list[str]],
    kinds: dict[tuple[str, str], tuple[Any, bool]],
) -> None:
    from ..gazetteers import normalize_term
    from ..gazetteers.terms import NEVER, PLURAL_IDS
    from ..text.words import pluralize

    for term in terms:
        if term.match == NEVER:
            continue
        kind = (term.label, term.source or term.id)
        pools.setdefault(kind, []).append(term.term)
        key = normalize_term(term.term)
        kinds.setdefault((term.label, key), (kind, False))
        if term.id in PLURAL_IDS:
            for plural in pluralize(key):
                kinds.setdefault((term.label, plural), (kind, True))


@cache
def _seed_lists() -> tuple[dict[Any, list[str]], dict[tuple[str, str], Any]]:
    """Pools and kinds of the package's own terms."""
    from ..gazetteers.readers import make_seed_terms

    pools: dict[Any, list[str]] = {}
    kinds: dict[tuple[str, str], Any] = {}
    _add_terms(make_seed_terms(list(LISTS)), pools, kinds)
    return pools, kinds


def _sample(gazetteer: Gazetteer) -> dict[Any, list[str]]:
    """Up to MAX_TERMS terms a property, each as likely as any other."""
    rng = random.Random(0)
    seen: dict[Any, int] = {}
    sample: dict[Any, list[str]] = {}
    for entry in gazetteer:
        kind = (entry.label, entry.property)
        seen[kind] = n = seen.get(kind, 0) + 1
        terms = sample.setdefault(kind, [])
        if n <= MAX_TERMS:
            terms.append(entry.term)
        elif (place := rng.randrange(n)) < MAX_TERMS:
            terms[place] = entry.term
    return sample
