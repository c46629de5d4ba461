"""Distillation: documents with what other recognizers think of each token."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy
from spacy.language import Language
from spacy.tokens import Doc, SpanGroup

from ..models.distillation import write_tags
from ..schema import PII_KEY


def find_teacher(nlp: Language) -> Any:
    """The recognizer of a pipeline: what tells the probabilities of tags.

    RAISES (ValueError): If there is none.
    """
    for _, pipe in nlp.pipeline:
        if hasattr(pipe, "tag_probabilities"):
            return pipe
    raise ValueError(f"the pipeline has no pii_ner: {', '.join(nlp.pipe_names)}")


class Teachers:
    """Recognizers that together say how probable each tag of a token is.

    teachers (Sequence[PIIRecognizer]): Of the same labels, in any order.
    RAISES (ValueError): If their labels differ.
    """

    def __init__(self, teachers: Sequence[Any]) -> None:
        self.teachers = teachers
        self.labels = teachers[0].labels
        for other in teachers:
            if sorted(other.labels) != sorted(self.labels):
                both = f"{', '.join(self.labels)}; {', '.join(other.labels)}"
                raise ValueError(f"teachers have different labels: {both}")

    def teach(self, docs: Iterable[Doc]) -> Iterator[Doc]:
        """Leave the mean of their probabilities with the gold of each document; without
        gold nothing of it is known.

        A recognizer learns from them what the gold leaves open."""
        docs = list(docs)
        thoughts = [teacher.tag_probabilities(docs) for teacher in self.teachers]
        columns = [teacher.tagset.order(self.labels) for teacher in self.teachers]
        for doc, *own in zip(docs, *thoughts):
            rows = numpy.mean([p[:, order] for p, order in zip(own, columns)], axis=0)
            if PII_KEY not in doc.spans:
                doc.spans[PII_KEY] = SpanGroup(doc, name=PII_KEY, attrs={"covers": []})
            write_tags(doc.spans[PII_KEY], self.labels, rows)
            yield doc
