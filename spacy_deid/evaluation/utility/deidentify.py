"""Samples of a task with surrogates: labels, slots and answers follow the text."""

from __future__ import annotations

import hmac
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from spacy.language import Language
from spacy.tokens import Doc, Token

from ...corpora.samples import Sample, documents
from ...entities.linking import link_entities
from ...registries import pipes_of
from ...schema import QUASI, Candidate, set_decided
from ...surrogates.strategies.base import Strategy
from ...text.fields import fields_in, join_fields
from ...text.offsets import to_new
from ...text.words import function_words

# Types of slots and entities in the texts of a task: what they are to be replaced as.
Types = Mapping[str, str]


@dataclass
class Deidentifier:
    """De-identifies samples: all texts of one document share their surrogates.

    nlp (Language): A pipeline; its detectors find what is replaced, unless `types` says
        that the labels of the task do.
    pseudonymizer (Pseudonymizer): Replaces it.
    types (Optional[Mapping[str, str]]): Semantic types of the task's own labels, as
        "PERSON" or "LOC:CITY"; what has none stays.
    strategy (Optional[Strategy]): Of the pseudonymizer; None for the one it has.
    key (bytes): What the keys of runs and documents are made of; b"" for the one that the
        pseudonymizer has.
    """

    nlp: Language
    pseudonymizer: Any
    types: Types | None = None
    strategy: Strategy | None = None
    key: bytes = b""
    epsilon: float = field(default=0.0, init=False)
    run: int = field(default=0, init=False)

    def __call__(self, samples: Iterable[Sample], run: int = 0) -> list[Sample]:
        """New samples, other ones in each run; `epsilon` is the largest of any."""
        self.run = run
        return [new for document in documents(samples) for new in self._one(document)]

    def _one(self, samples: list[Sample]) -> Iterator[Sample]:
        texts = [text for sample in samples for text in sample.texts]
        doc = join_fields(self.nlp.make_doc, [(text, "", "") for text in texts])
        fields = [(f.start, f.end) for f in fields_in(doc)] or [(0, len(texts[0]))]
        rest = iter(fields)
        places = [[*islice(rest, len(sample.texts))] for sample in samples]
        starts = [fields[0][0] for fields in places]
        if self.types is None:
            replacing = pipes_of(self.nlp, "pseudonymizer")
            for name, pipe in self.nlp.pipeline:
                doc = doc if name in replacing else pipe(doc)
        else:
            self._mark(doc, samples, starts)
        self._prepare(doc)
        doc = self.pseudonymizer(doc)
        self.epsilon = max(self.epsilon, doc._.deid_epsilon)
        text, rows = doc._.deid_text, doc._.deid_offsets
        for sample, fields, start in zip(samples, places, starts):
            new = (text[to_new(rows, a) : to_new(rows, b)] for a, b in fields)
            yield sample.rewritten(new, rows, start)

    def _prepare(self, doc: Doc) -> None:
        pipe = self.pseudonymizer
        if self.strategy is not None:
            pipe.strategy = self.strategy
        if self.key:
            # Documents do not share their surrogates, as in a run without a key.
            text = "" if pipe.scope == "corpus" else doc.text
            told = f"{self.run}:{text}".encode("utf8", "surrogatepass")
            pipe.set_key(hmac.digest(self.key, told, "sha256"))

    def _mark(self, doc: Doc, samples: list[Sample], starts: list[int]) -> None:
        """Write what is annotated as detectors and risk scorer would."""
        assert self.types is not None
        found: list[Candidate] = []
        own = ((at, row) for s, at in zip(samples, starts) for row in s.spans)
        spans = ((a + at, b + at, label, n) for at, (a, b, label, n) in own)
        for start, end, label, number in sorted(spans, key=lambda s: (s[0], -s[1])):
            kind, _, subtype = self.types.get(label, "").partition(":")
            span = doc.char_span(start, end, alignment_mode="expand")
            # "my", who owns a playlist: no name.
            if not kind or number or span is None or all(map(_is_grammar, span)):
                continue
            if not found or span.start >= found[-1].end:
                place = span.start, span.end
                found.append(Candidate(*place, kind, subtype, 1.0, "gold"))
        set_decided(doc, found, [QUASI] * len(found), link_entities(doc, found))


def _is_grammar(token: Token) -> bool:
    """Whether a token is a word of grammar, and neither a number nor an acronym."""
    acronym = token.is_upper and len(token) > 1
    small = token.lower_ in function_words(token.lang_)
    return small and not (acronym or token.like_num)
