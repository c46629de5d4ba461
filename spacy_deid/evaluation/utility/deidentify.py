"""Samples of a task with surrogates: labels, slots and answers follow the text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from spacy.language import Language
from spacy.tokens import Doc

from ...corpora.samples import Sample
from ...entities.linking import link_entities
from ...schema import QUASI, Candidate, set_decided
from ...text.fields import fields_in, join_fields
from ...text.offsets import Offsets, to_new

# Types of slots and entities in the texts of a task: what they are to be replaced as.
Types = Mapping[str, str]


@dataclass
class Deidentifier:
    """De-identifies samples: all texts of one share their surrogates.

    nlp (Language): A pipeline; its detectors find what is replaced, unless `types` says
        that the labels of the task do.
    pseudonymizer (Pseudonymizer): Replaces it.
    types (Optional[Mapping[str, str]]): Semantic types of the task's own labels, as
        "PERSON" or "LOC:CITY"; what has none stays.
    """

    nlp: Language
    pseudonymizer: Any
    types: Types | None = None
    epsilon: float = field(default=0.0, init=False)

    def __call__(self, samples: Iterable[Sample]) -> list[Sample]:
        """New samples; `epsilon` is the largest of any."""
        self.epsilon = 0.0
        return [self._one(sample) for sample in samples]

    def _one(self, sample: Sample) -> Sample:
        doc = join_fields(self.nlp.make_doc, [(t, "", "") for t in sample.texts])
        if self.types is None:
            for name, pipe in self.nlp.pipeline:
                if self.nlp.get_pipe_meta(name).factory != "pseudonymizer":
                    doc = pipe(doc)
        else:
            self._mark(doc, sample)
        doc = self.pseudonymizer(doc)
        self.epsilon = max(self.epsilon, doc._.deid_epsilon)
        return moved(sample, doc, doc._.deid_text, doc._.deid_offsets)

    def _mark(self, doc: Doc, sample: Sample) -> None:
        """Write what is annotated as detectors and risk scorer would."""
        assert self.types is not None
        found: list[Candidate] = []
        for start, end, label, number in sorted(
            sample.spans, key=lambda s: (s[0], -s[1])
        ):
            kind, _, subtype = self.types.get(label, "").partition(":")
            span = doc.char_span(start, end, alignment_mode="expand")
            if not kind or number or span is None:
                continue
            if not found or span.start >= found[-1].end:
                found.append(
                    Candidate(span.start, span.end, kind, subtype, 1.0, "gold")
                )
        set_decided(doc, found, [QUASI] * len(found), link_entities(doc, found))


def moved(sample: Sample, doc: Doc, text: str, rows: Offsets) -> Sample:
    """A sample with new texts, its spans at their new places.

    doc (Doc): Of its texts, joined.
    text (str): The new one, of the replacements `rows`.
    """
    fields = [(f.start, f.end) for f in fields_in(doc)]
    fields = fields or [(0, len(sample.texts[0]))]
    texts = (text[to_new(rows, a) : to_new(rows, b)] for a, b in fields)
    return sample.rewritten(texts, rows)
