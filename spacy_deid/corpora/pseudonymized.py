"""Annotated corpora with surrogates in place of what is annotated.

A recognizer trained on such a corpus has never seen an original, so that it can be
released. Eder et al. (2022, sections 3.3 and 5) replace entities sentence by sentence,
so that one person has another surrogate in each sentence, and shuffle the sentences.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import spacy
from spacy.language import Language
from spacy.pipeline import Sentencizer
from spacy.tokens import Doc, Span, SpanGroup
from spacy.training import Example
from spacy.vocab import Vocab

from ..deid_doc import NewDoc
from ..models.doc_windows import words_of
from ..registries import registry
from ..schema import (
    NO_MASK,
    PII_KEY,
    QUASI,
    Candidate,
    group_attr,
    is_mask_key,
    set_decided,
    strictest,
    subtype_of,
)
from ..surrogates.consistency import SCOPES
from .files import CorpusError
from .readers import gold_subtypes
from .report import Report

MASKS = ("all", "risky")
# Attributes of gold groups that say nothing of the text: of the group, and of its spans.
_GROUP_ATTRS = ("scheme", "covers", "annotator")
_SPAN_ATTRS = ("native", "subtypes", "scores", "sources")
# Number of a span in its group -> its first token, and the token after its last.
Place = tuple[int, int]
Places = dict[int, Place]
_PARAGRAPH = re.compile(r"\n[^\S\n]*\n")


@dataclass
class GoldPseudonymizer:
    """Replaces the gold spans of reference documents by surrogates.

    nlp (Language): Its tokenizer is used for surrogates, and its language chooses them.
    mask (str): "all" replaces every gold span, "risky" those that an annotator marked
        DIRECT or QUASI, or that nobody judged.
    scope (str): Where one entity has one surrogate: "mention", "sentence", "document" or
        "corpus".
    key_env (Optional[str]): Environment variable with the secret key. Without one each
        document gets a random key, and another run other surrogates.
    strategy (Union[Callable, str, None]): Replacement strategy or its name;
        `full_entity` by default.
    surrogates (Optional[Callable]): Surrogate generator; the pseudonymizer's own by
        default.
    sentences (bool): Whether the new documents have sentences where the old ones have
        none.
    vocab (Vocab): Of the new documents; none of their strings is of an original.
    """

    nlp: Language
    mask: str = "all"
    scope: str = "document"
    key_env: str | None = None
    strategy: Callable | str | None = None
    surrogates: Callable | None = None
    sentences: bool = False
    vocab: Vocab = field(default_factory=Vocab)
    _component: Any = field(init=False, repr=False)

    def __post_init__(self) -> None:
        for name, known in (("mask", MASKS), ("scope", SCOPES)):
            if (value := getattr(self, name)) not in known:
                problem = f"{name}: use one of {', '.join(known)}, not '{value}'"
                raise CorpusError(problem)
        config = {"scope": self.scope, "key_env": self.key_env}
        self._component = self.nlp.create_pipe("pseudonymizer", config=config)
        for name in ("strategy", "surrogates"):
            if getattr(self, name) is not None:
                setattr(self._component, name, getattr(self, name))

    def __call__(self, gold: Doc, report: Report | None = None) -> Doc:
        """Make a reference document with surrogates."""
        report = Report() if report is None else report
        groups = [key for key in gold.spans if key == PII_KEY or is_mask_key(key)]
        if not groups:
            raise CorpusError("a document without annotation cannot be pseudonymized")
        doc = words_of(gold, 0, len(gold))
        set_sentences(doc, gold)
        numbers = _number_ids(gold.spans[key] for key in groups)
        self._mark(doc, gold, groups, numbers)
        doc = self._component(doc)
        marked = self.sentences or gold.has_annotation("SENT_START")
        words = doc if marked else words_of(gold, 0, len(gold))
        made = doc._.deid_text, doc._.deid_offsets
        new = NewDoc(words, *made, vocab=self.vocab, tokenize=self.nlp.tokenizer)
        for key, group in gold.spans.items():
            _put(new.doc, key, group, _new_places(new, group, report), numbers)
        new.doc.cats = dict(gold.cats)
        return new.doc

    def _mark(
        self, doc: Doc, gold: Doc, groups: Sequence[str], numbers: dict[str, int]
    ) -> None:
        """Write what is annotated as detectors and risk scorer would."""
        typed: dict[Place, tuple[str, str]] = {}
        ids: dict[Place, int] = {}
        decisions: dict[Place, list[str]] = {}
        for key in groups:
            group = gold.spans[key]
            rows = zip(group, gold_subtypes(group), group_attr(group, "sources", ""))
            for span, subtype, source in rows:
                place = span.start, span.end
                ids.setdefault(place, numbers.get(span.id_, -1))
                if key == PII_KEY:
                    typed.setdefault(place, (span.label_, subtype_of(subtype, source)))
                else:
                    decisions.setdefault(place, []).append(span.label_)
        places = sorted(ids)
        candidates = [_typed(place, typed) for place in places]
        wanted = []
        for place in places:
            decision = strictest(decisions.get(place) or [QUASI])
            keeps = self.mask != "all" or decision != NO_MASK
            wanted.append(decision if keeps else QUASI)
        set_decided(doc, candidates, wanted, [ids[place] for place in places])


def _typed(place: Place, typed: dict[Place, tuple[str, str]]) -> Candidate:
    """A span with its type. What only another annotator has seen is part of a longer
    span, or of no type that is known."""
    if place in typed:
        return Candidate(*place, *typed[place])
    start, end = place
    around = (row[0] for p, row in typed.items() if p[0] < end and start < p[1])
    return Candidate(*place, min(around, default="MISC"), "")


def _number_ids(groups: Iterable[Iterable[Span]]) -> dict[str, int]:
    """Numbers for entity ids, which may tell what they stand for."""
    spans = sorted((span for group in groups for span in group), key=lambda s: s.start)
    ids = dict.fromkeys(span.id_ for span in spans if span.id_)
    return {id_: number for number, id_ in enumerate(ids, 1)}


def _new_places(new: NewDoc, group: SpanGroup, report: Report) -> Places:
    """Where the spans of a group stand in the new text; what has no place is counted."""
    places: Places = {}
    for i, span in enumerate(group):
        start, end = span.start_char, span.end_char
        if (place := new.place(start, end)) is None:
            report.add("vanished", label=span.label_, start=start, end=end)
            continue
        if not new.is_exact(start, end):
            if (inside := new.place_inside(start, end)) is None:
                report.add("widened", label=span.label_, start=start, end=end)
            place = inside or place
        places[i] = place
    return places


def _put(
    doc: Doc, key: str, group: SpanGroup, places: Places, numbers: dict[str, int]
) -> None:
    """Put spans of a group at their places in another document."""
    attrs = {name: group.attrs[name] for name in _GROUP_ATTRS if name in group.attrs}
    for name in _SPAN_ATTRS:
        if (values := group.attrs.get(name)) is not None and len(values) == len(group):
            attrs[name] = [values[i] for i in places]
    if "subtypes" in attrs:
        # A Wikidata item says who or what it was.
        attrs["subtypes"] = [subtype_of(value or "", "") for value in attrs["subtypes"]]
    spans = []
    for i, place in places.items():
        name = str(numbers.get(group[i].id_, ""))
        spans.append(Span(doc, *place, label=group[i].label_, span_id=name))
    doc.spans[key] = SpanGroup(doc, name=key, attrs=attrs, spans=spans)


def set_sentences(doc: Doc, gold: Doc) -> None:
    """Find the sentences of a document: those it has, else by punctuation and empty
    lines; none begins inside a span."""
    if gold.has_annotation("SENT_START"):
        for token, other in zip(doc, gold):
            token.is_sent_start = bool(other.is_sent_start)
    else:
        Sentencizer()(doc)
        for token in doc[:-1]:
            if token.is_space and _PARAGRAPH.search(token.text):
                doc[token.i + 1].is_sent_start = True
    for group in gold.spans.values():
        for span in group:
            for i in range(span.start + 1, span.end):
                doc[i].is_sent_start = False


def cut_sentences(doc: Doc) -> Iterator[Doc]:
    """Cut a reference document into its sentences."""
    for sent in doc.sents:
        # By the text: a vocab of its own knows no properties of words.
        if not (filled := [token.i for token in sent if not token.text.isspace()]):
            continue
        start, end = filled[0], filled[-1] + 1
        spaces = [bool(token.whitespace_) for token in doc[start : end - 1]]
        words = [token.text for token in doc[start:end]]
        new = Doc(doc.vocab, words=words, spaces=[*spaces, False])
        inside: dict[str, Places] = {
            key: {
                i: (max(s.start - start, 0), min(s.end - start, len(new)))
                for i, s in enumerate(group)
                if sent.start <= s.start < end and start < s.end <= sent.end
            }
            for key, group in doc.spans.items()
        }
        rows = inside.items()
        numbers = _number_ids([doc.spans[key][i] for i in own] for key, own in rows)
        for key, places in inside.items():
            _put(new, key, doc.spans[key], places, numbers)
        yield new


@registry.readers("spacy_deid.PseudonymizedCorpus.v1")
@dataclass
class PseudonymizedCorpus:
    """Corpus reader that puts surrogates in place of the gold spans of another reader,
    for `[corpora]` of a config. The pipeline trained with it never meets an original,
    its string store included.

    corpus (Callable): The reader of the original corpus.
    mask, scope, key_env, strategy, surrogates: See `GoldPseudonymizer`; without a key the
        surrogates are others whenever the corpus is read.
    shuffle_sentences (bool): Make a document of each sentence, and shuffle these.
    seed (int): Of the shuffle.
    """

    corpus: Callable[[Language], Iterable[Example]]
    mask: str = "all"
    scope: str = "document"
    key_env: str | None = None
    strategy: Callable | None = None
    surrogates: Callable | None = None
    shuffle_sentences: bool = False
    seed: int = 0

    def __call__(self, nlp: Language) -> Iterator[Example]:
        """Read the corpus."""
        # Originals are read into a vocab of their own: that of `nlp` is saved with it.
        config = {"nlp": {"tokenizer": nlp.config["nlp"]["tokenizer"]}}
        reader = spacy.blank(nlp.lang or "xx", config=config)
        reader.max_length = nlp.max_length
        replace = GoldPseudonymizer(
            reader, self.mask, self.scope, self.key_env, self.strategy, self.surrogates,
            self.shuffle_sentences, nlp.vocab,
        )  # fmt: skip
        docs: Iterable[Doc] = (replace(eg.reference) for eg in self.corpus(reader))
        if self.shuffle_sentences:
            docs = shuffle_sentences(docs, random.Random(self.seed))
        yield from (Example(nlp.make_doc(doc.text), doc) for doc in docs)


def shuffle_sentences(docs: Iterable[Doc], rng: random.Random) -> list[Doc]:
    """Cut all documents into sentences and shuffle these."""
    sentences = [sentence for doc in docs for sentence in cut_sentences(doc)]
    rng.shuffle(sentences)
    return sentences
