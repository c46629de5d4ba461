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
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path
from pkgutil import iter_modules
from typing import Any, NamedTuple

from spacy.language import Language
from spacy.tokens import Doc, Span, SpanGroup
from spacy.training import Example

from ..gazetteers import Gazetteer, Term, normalize_term, read_terms
from ..gazetteers.names import given_name_gender
from ..gazetteers.readers import make_seed_terms
from ..gazetteers.terms import NEVER, PLURAL_IDS
from ..registries import registry
from ..schema import PII_KEY, SEMANTIC_TYPES
from ..surrogates.base import (
    MAX_TRIES,
    Mention,
    RandomFor,
    SurrogateMaker,
    fits_article,
    in_place_of,
    invent_word,
    match_case,
    normalise,
)
from ..surrogates.consistency import make_random_for, number_entities
from ..surrogates.languages import in_language, make_language_surrogates
from ..text.names import (
    FEMALE,
    MALE,
    PARTICLES,
    NameToken,
    fold,
    name_tokens,
)
from ..text.words import pluralize
from .readers import gold_subtypes
from .synthetic.names import names_of

# Seed lists whose terms can stand for one another in a sentence.
LISTS = (
    "degrees", "diseases", "languages", "nationalities", "occupations", "religions",
)  # fmt: skip
# Types that only listed terms can replace: what else they are depends on the sentence.
LISTED_TYPES = ("DEM", "MISC")
CONTEXT = 30
# Terms of one kind that are kept of a large gazetteer.
MAX_TERMS = 2000
_WORD = re.compile(r"\w+")


class _Edit(NamedTuple):
    """A text to replace."""

    start: int
    end: int
    label: str
    subtype: str
    entity: str


@registry.augmenters("spacy_deid.entity_swap.v1")
class EntitySwap:
    """Replace gold entities by others of their type.

    One entity gets one replacement throughout a document, the parts of a name agree,
    and case and format stay. Types without a fitting replacement stay as they are:
    words that tell something about a person are only replaced if they are listed.

    level (float): Share of the examples that are changed.
    share (float): Share of the entities that are replaced in these.
    types (Optional[list[str]]): Semantic types to replace; all if null.
    locales (Optional[list[str]]): Locales of Faker, one of which is drawn for each
        document: its names are given to persons. Without it persons get names of their
        own language.
    gazetteers (Optional[list[str]]): Files of terms, compiled gazetteers included; a
        listed text is replaced by another of its list.
    terms (Optional[Iterable[Term]]): Terms of the same use, as a registered reader gives
        them; if null, the package's English lists of occupations, diseases, degrees,
        languages and religions.
    surrogates (Optional[Callable]): Surrogate generator; if null, that of the text's
        language (`spacy_deid.language_surrogates.v1`).
    spans_key (str): Span group of the gold entities.
    RAISES (ValueError): If a setting does not fit.
    """

    def __init__(
        self,
        level: float = 0.5,
        share: float = 1.0,
        types: list[str] | None = None,
        locales: list[str] | None = None,
        gazetteers: list[str] | None = None,
        terms: Any = None,
        surrogates: Callable | None = None,
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
        self.locales = tuple(locales or ())
        for locale in self.locales:
            _check_locale(locale)
        self.pools = Pools(terms, gazetteers or ())
        self.surrogates: SurrogateMaker | None = surrogates
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
        subtypes = gold_subtypes(group)
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
        key = (edit.label, edit.entity or normalise(text[edit.start : edit.end]))
        if key not in chosen:
            chosen[key] = random.random() < self.share
        return chosen[key]

    def _replacements(
        self, nlp: Language, text: str, edits: Sequence[_Edit]
    ) -> list[str]:
        """New texts, the old ones where there is none."""
        random_for = make_random_for(random.getrandbits(128).to_bytes(16, "big"))
        mentions = _mentions(text, edits)
        lang = nlp.lang or "xx"
        locale = random_for("locale", "").choice(self.locales or _locales_of(lang))
        names = NameSwap(mentions, random_for, locale, nlp.Defaults.stop_words)
        new = [m.text for m in mentions]
        others = []
        for i, m in enumerate(mentions):
            if m.label == "PERSON" and self.locales:
                new[i] = names.replace(m.text)
            elif self.pools.has(m):
                new[i] = self.pools.replace(m, random_for) or m.text
            elif m.label not in LISTED_TYPES or _is_regular(m):
                others.append(i)
        make = in_language(self.surrogates or make_language_surrogates(), lang)
        made = make([mentions[i] for i in others], random_for, names.forbidden)
        for i, replaced in zip(others, made):
            new[i] = names.check(mentions[i], replaced)
        return new


def _is_regular(mention: Mention) -> bool:
    """Whether a describing text is more than its words: "plot no. 937", an age."""
    return mention.subtype == "AGE" or any(map(str.isdecimal, mention.text))


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
    the same other word wherever it stands."""

    def __init__(
        self,
        mentions: Sequence[Mention],
        random_for: RandomFor,
        locale: str,
        stop_words: Collection[str] = (),
    ) -> None:
        self.random_for = random_for
        self.locale = locale
        self.roles: dict[str, str] = {}
        self.new: dict[str, str] = {}
        self.taken: set[str] = set()
        persons = (m.text for m in mentions if m.label == "PERSON")
        self.parsed = {text: name_tokens(text) for text in persons}
        for tokens in self.parsed.values():
            for token in filter(_is_new, tokens):
                key = fold(token.text).strip(".")
                # What a word is shows where the name is whole.
                if len(tokens) > 1:
                    self.roles[key] = token.role
                else:
                    known = given_name_gender(key) is not None
                    self.roles.setdefault(key, "given" if known else token.role)
        words = {word for key in self.roles for word in _WORD.findall(key)}
        self.words = {word for word in words if len(word) > 2} - set(stop_words)

    def forbidden(self, text: str) -> bool:
        """Whether a text has a word of a person's name in it."""
        return bool(self.words) and not self.words.isdisjoint(_WORD.findall(fold(text)))

    def check(self, mention: Mention, made: str) -> str:
        """What was made; for a person that kept a word of its name another name."""
        kept = made == mention.text or self.forbidden(made)
        return (
            self.replace(mention.text) if kept and mention.label == "PERSON" else made
        )

    def replace(self, text: str) -> str:
        """Another name in place of one; titles, particles and punctuation stay."""
        out, last = [], 0
        for token in self.parsed.get(text, ()):
            out.append(text[last : token.start])
            last = token.end
            if not _is_new(token):
                out.append(token.text)
                continue
            parts = re.split(r"([-\u2010\u2011'\u2019]|\.(?=\w))", token.text)
            for i, part in enumerate(parts):
                if i % 2 == 0 and part:
                    part = match_case(self._word(part, token.role), part)
                out.append(part)
        return "".join(out) + text[last:]

    def _word(self, word: str, role: str) -> str:
        key = fold(word).strip(".")
        if len(key) == 1:
            return self._initial(key, role) + ("." if word.endswith(".") else "")
        if key not in self.new:
            pool = names_of(self.locale)
            kind = "family" if self.roles.get(key, role) == "family" else ""
            kind = kind or given_name_gender(key) or "given"
            names = {"family": pool.last, MALE: pool.male, FEMALE: pool.female}
            choices = names.get(kind, [*pool.male, *pool.female])
            rng = self.random_for("name", key)
            drawn = (rng.choice(choices) for _ in range(MAX_TRIES))
            fitting = (name for name in drawn if self._fits(name))
            made = next(fitting, None) or invent_word(rng)
            self.taken.add(fold(made))
            self.new[key] = made
        return self.new[key]

    def _fits(self, name: str) -> bool:
        return not self.forbidden(name) and fold(name) not in self.taken

    def _initial(self, letter: str, role: str) -> str:
        """First letter of the new name of whom an initial may stand for."""
        for key, own in self.roles.items():
            same = (own == "family") == (role == "family")
            if len(key) > 1 and key[0] == letter and same:
                return self._word(key, own)[0].upper()
        return self.random_for("initial", letter).choice("ABCDEFGHJKLMNOPRSTVW")


def _is_new(token: NameToken) -> bool:
    """Whether a word of a name is replaced."""
    if token.role in ("title", "suffix") or not any(map(str.isalpha, token.text)):
        return False
    return not (token.text.islower() and fold(token.text) in PARTICLES)


def _check_locale(locale: str) -> None:
    name = f"faker.providers.person.{locale}"
    if not re.fullmatch(r"\w+", locale) or find_spec(name) is None:
        raise ValueError(f"entity_swap: Faker has no names for the locale '{locale}'")


@cache
def _locales_of(lang: str) -> tuple[str, ...]:
    """Locales of a language with names of persons, those of English if it has none."""
    package = find_spec("faker.providers.person")
    assert package is not None
    known = (m.name for m in iter_modules(package.submodule_search_locations))
    return (*sorted(n for n in known if n.partition("_")[0] == lang),) or ("en_US",)


# --- listed terms ---


class Pools:
    """Terms by kind, to replace one by another of the same kind."""

    def __init__(
        self, terms: Iterable[Term] | None = None, files: Iterable[str | Path] = ()
    ) -> None:
        self._given = None if terms is None else tuple(terms)
        self._files = [Path(file) for file in files]
        for file in self._files:
            if not file.is_file():
                raise ValueError(f"entity_swap: no such file: {file}")
        self._lists: TermLists | None = None

    def __getstate__(self) -> dict[str, Any]:
        # Read again where it is needed: lists may be long.
        return {**self.__dict__, "_lists": None}

    def _find(self, mention: Mention) -> tuple[Sequence[str], bool]:
        """Terms that may stand for a mention, and whether in the plural."""
        if self._lists is None:
            given = self._given
            self._lists = TermLists(
                make_seed_terms(list(LISTS)) if given is None else given, self._files
            )
        return self._lists.find(mention.label, mention.text)

    def has(self, mention: Mention) -> bool:
        """Whether a mention is a listed term."""
        return len(self._find(mention)[0]) > 1

    def replace(self, mention: Mention, random_for: RandomFor) -> str | None:
        """Another term of the same list in the mention's case; None if there is none."""
        pool, plural = self._find(mention)
        old = mention.text
        rng = random_for("term", normalise(old))
        for _ in range(MAX_TRIES if pool else 0):
            made = rng.choice(pool)
            if plural:
                made = next(iter(pluralize(normalize_term(made))), "")
            if not old.isupper() and old[1:].islower() != made[1:].islower():
                continue
            made = in_place_of(made, mention)
            new = made and normalise(made) != normalise(old)
            if new and fits_article(made, mention.before):
                return made
        return None


class TermLists:
    """Listed terms and compiled gazetteers, read."""

    def __init__(self, terms: Iterable[Term], files: Iterable[Path]) -> None:
        # Kind -> terms; normal form of a term -> its kind and whether it is a plural.
        self._terms: dict[Any, list[str]] = {}
        self._kinds: dict[tuple[str, str], tuple[Any, bool]] = {}
        self._gazetteers: list[tuple[Gazetteer, dict[Any, list[str]]]] = []
        self._add(terms)
        for file in files:
            if file.suffix == ".gaz":
                gazetteer = Gazetteer.load(file)
                gazetteer.check()
                self._gazetteers.append((gazetteer, _sample(gazetteer)))
            else:
                self._add(read_terms(file))

    def _add(self, terms: Iterable[Term]) -> None:
        for term in terms:
            if term.match == NEVER:
                continue
            kind = (term.label, term.source or term.id)
            self._terms.setdefault(kind, []).append(term.term)
            key = normalize_term(term.term)
            self._kinds.setdefault((term.label, key), (kind, False))
            for plural in pluralize(key) if term.id in PLURAL_IDS else ():
                self._kinds.setdefault((term.label, plural), (kind, True))

    def find(self, label: str, text: str) -> tuple[Sequence[str], bool]:
        """Terms of the same kind as a text, and whether it is a plural."""
        if found := self._kinds.get((label, normalize_term(text))):
            return self._terms[found[0]], found[1]
        for gazetteer, sample in self._gazetteers:
            for entry in gazetteer.get(text):
                if entry.label == label:
                    return sample.get((label, entry.property), ()), False
        return (), False


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
