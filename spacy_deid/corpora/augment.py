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
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Any, NamedTuple

from spacy.language import Language
from spacy.tokens import Doc, Span, SpanGroup
from spacy.training import Example

from ..deid_doc import NewDoc
from ..gazetteers.readers import make_seed_terms
from ..gazetteers.terms import TermStore
from ..models.distillation import TAGS
from ..registries import registry
from ..schema import PII_KEY, SEMANTIC_TYPES
from ..surrogates.base import Mention
from ..surrogates.consistency import make_random_for, number_entities
from ..surrogates.languages import in_language, make_language_surrogates
from ..text.names import PARTICLES, fold, name_tokens
from .readers import gold_subtypes

# Types that only listed terms can replace: what else they are depends on the sentence.
LISTED_TYPES = ("DEM", "MISC")
CONTEXT = 30
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
    and case and format stay. Words that tell something about a person are only replaced
    if the package's lists have them.

    level (float): Share of the examples that are changed.
    types (Optional[list[str]]): Semantic types to replace; all if null.
    surrogates (Optional[Callable]): Surrogate generator; if null, that of the text's
        language (`spacy_deid.language_surrogates.v1`).
    recase (float): Share of the examples that are written in lower case, or half as
        often in capitals.
    RAISES (ValueError): If a setting does not fit.
    """

    def __init__(
        self,
        level: float = 0.5,
        types: list[str] | None = None,
        surrogates: Callable | None = None,
        recase: float = 0.0,
    ) -> None:
        if not (0.0 <= level <= 1.0 and 0.0 <= recase <= 1.0):
            raise ValueError("entity_swap: level and recase must be from 0 to 1")
        self.level, self.recase = level, recase
        self.types = frozenset(SEMANTIC_TYPES if types is None else types)
        if unknown := sorted(self.types - set(SEMANTIC_TYPES)):
            raise ValueError(
                f"entity_swap: unknown types {', '.join(unknown)}; known are "
                + ", ".join(SEMANTIC_TYPES)
            )
        self.surrogates = surrogates or make_language_surrogates()

    def __call__(self, nlp: Language, example: Example) -> Iterator[Example]:
        """Change an example, or not."""
        if random.random() < self.level:
            example = self.swap(nlp, example)
        if random.random() < self.recase:
            example = self.write_alike(nlp, example)
        yield example

    def write_alike(self, nlp: Language, example: Example) -> Example:
        """Write an example in lower case, or in capitals."""
        doc = example.reference
        text = doc.text.upper() if random.random() < 1 / 3 else doc.text.lower()
        if len(text) != len(doc.text) or doc.has_unknown_spaces or doc.ents:
            return example
        reference = nlp.make_doc(text)

        def move(span: Span) -> Any:
            start, end = _offsets(span)
            return reference.char_span(
                start, end, span.label_, span_id=span.id_, alignment_mode="expand"
            )

        _move_groups(doc, reference, move)
        return Example(nlp.make_doc(text), reference)

    def swap(self, nlp: Language, example: Example) -> Example:
        """Replace the entities of an example."""
        doc = example.reference
        if PII_KEY not in doc.spans or doc.has_unknown_spaces:
            return example
        if any(start == end for start, end in _all_spans(doc)):
            return example
        edits = [e for e in _find_edits(doc) if e.label in self.types]
        pieces, rows, last, length = [], [], 0, 0
        for edit, made in zip(edits, self._replaced(nlp, doc.text, edits)):
            if not made or made == doc.text[edit.start : edit.end]:
                continue
            pieces += [doc.text[last : edit.start], made]
            length += edit.start - last + len(made)
            last = edit.end
            rows.append([edit.start, edit.end, length - len(made), length])
        if not rows:
            return example
        return _rebuild(nlp, doc, "".join(pieces) + doc.text[last:], rows)

    def _replaced(self, nlp: Language, text: str, edits: Sequence[_Edit]) -> list[str]:
        """New texts, the old ones where there is none."""
        random_for = make_random_for(random.getrandbits(128).to_bytes(16, "big"))
        mentions = _mentions(text, edits)
        people = [m.text for m in mentions if m.label == "PERSON"]
        words = {w for text in people for w in _name_words(text)}
        words -= nlp.Defaults.stop_words

        def forbidden(text: str) -> bool:
            """Whether a text has a word of a person's name in it."""
            return not words.isdisjoint(_WORD.findall(fold(text)))

        new = [m.text for m in mentions]
        taken = [i for i, mention in enumerate(mentions) if _is_replaceable(mention)]
        make = in_language(self.surrogates, nlp.lang or "xx")
        made = make([mentions[i] for i in taken], random_for, forbidden)
        for i, replaced in zip(taken, made):
            new[i] = replaced.strip()
        return new


def _find_edits(doc: Doc) -> list[_Edit]:
    """What can be replaced: spans with no boundary of another inside, so that all
    boundaries can be kept."""
    group = doc.spans[PII_KEY]
    typed: dict[tuple[int, int], _Edit] = {}
    for span, subtype in zip(group, gold_subtypes(group)):
        place = _offsets(span)
        typed.setdefault(place, _Edit(*place, span.label_, subtype, span.id_))
    places = _all_spans(doc)
    bounds = sorted({bound for place in places for bound in place})
    covering = sorted(typed.values())
    found = []
    for start, end in sorted(set(places)):
        if bisect_left(bounds, end) - bisect_right(bounds, start):
            continue
        part = typed.get((start, end)) or _part_of(covering, start, end)
        found += [part] if part is not None else []
    return found


def _part_of(covering: Sequence[_Edit], start: int, end: int) -> _Edit | None:
    """A text that another annotator marked inside a longer span ("Murray" of "Mr
    Murray") as an edit of that span's type."""
    around = [e for e in covering if e.start <= start and e.end >= end]
    best = max(around, key=lambda e: e.start, default=None)
    return best and best._replace(start=start, end=end)


@cache
def _listed() -> TermStore:
    return TermStore(make_seed_terms())


def _is_replaceable(mention: Mention) -> bool:
    """Whether a mention is no describing text, or is listed, or more than its words:
    "plot no. 937", an age."""
    if mention.label not in LISTED_TYPES or mention.subtype == "AGE":
        return True
    return any(map(str.isdecimal, mention.text)) or mention.text in _listed()


def _name_words(name: str) -> set[str]:
    """Words of a person's name that must not come back."""
    own = [t.text for t in name_tokens(name) if t.role not in ("title", "suffix")]
    words = [fold(x) for x in own if not (x.islower() and fold(x) in PARTICLES)]
    return {word for text in words for word in _WORD.findall(text) if len(word) > 2}


def _all_spans(doc: Doc) -> list[tuple[int, int]]:
    """Character offsets of all spans of a Doc, of whatever group."""
    spans = [_offsets(span) for group in doc.spans.values() for span in group]
    return [*spans, *map(_offsets, doc.ents)]


def _offsets(span: Span) -> tuple[int, int]:
    """Offsets in characters, without white space at the ends."""
    text, start = span.text, span.start_char
    return start + len(text) - len(text.lstrip()), start + len(text.rstrip())


def _mentions(text: str, edits: Sequence[_Edit]) -> list[Mention]:
    texts = [text[e.start : e.end] for e in edits]
    known: dict[str, int] = {}
    ids = [known.setdefault(e.entity, len(known)) if e.entity else -1 for e in edits]
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


def _move_groups(old: Doc, new: Doc, move: Callable[[Span], Span]) -> None:
    for key, group in old.spans.items():
        spans = [move(span) for span in group]
        # Those of a teacher are of tokens that are no longer there.
        attrs = {key: value for key, value in group.attrs.items() if key != TAGS}
        new.spans[key] = SpanGroup(new, name=group.name, attrs=attrs, spans=spans)


def _rebuild(nlp: Language, old: Doc, text: str, rows: list[list[int]]) -> Example:
    """The example with its new text; `rows` as in `doc._.deid_offsets`."""
    new = NewDoc(old, text, rows, tokenize=nlp.tokenizer)
    reference = new.doc

    def move(span: Span) -> Span:
        place = new.place(span.start_char, span.end_char)
        assert place is not None, "no replacement is empty"
        return Span(reference, *place, span.label_, kb_id=span.kb_id_, span_id=span.id_)

    _move_groups(old, reference, move)
    if old.has_annotation("ENT_IOB"):
        reference.set_ents([move(ent) for ent in old.ents])
    reference.cats = dict(old.cats)
    # What is stored for spans and tokens by their offsets has lost its place.
    for key, value in old.user_data.items():
        if isinstance(key, str) or (isinstance(key, tuple) and key[2:3] == (None,)):
            reference.user_data[key] = value
    return Example(nlp.make_doc(text), reference)
