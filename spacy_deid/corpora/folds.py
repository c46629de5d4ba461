"""Cross-fitting: what learns from the output of a trained component sees, of each
training document, the output of one that was not trained on it.

A recognizer finds nearly all in the documents that it learnt from, and nothing else. A
risk scorer that is trained on such spans never meets a false one (stacking; Wolpert,
1992, "Stacked generalization").
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path

import spacy
from spacy.language import Language
from spacy.training import Example

from ..registries import registry
from .files import CorpusError


def fold_of(text: str, n: int) -> int:
    """The fold that a document belongs to, the same for copies of it.

    text (str): Its text.
    n (int): Number of folds.
    RETURNS (int): 0 to n - 1.
    """
    return zlib.crc32(text.encode("utf8")) % n


def parse_fold(value: str) -> tuple[int, int]:
    """A fold and the number of folds from "K/N", K from 0 on.

    RAISES (CorpusError): If it is none.
    """
    k, slash, n = value.partition("/")
    if not (slash and k.isdecimal() and n.isdecimal() and int(k) < int(n) > 1):
        raise CorpusError(f"expected K/N, K from 0 to N - 1, not '{value}'")
    return int(k), int(n)


@registry.augmenters("spacy_deid.cross_fitted.v1")
class CrossFitted:
    """Annotate the training documents by detectors that were trained without them.

    The component that learns from these needs no `annotating_components` then.

    detectors (Sequence[str]): Folders of pipelines, one a fold, number k trained with
        `convert --leave-out k/N`. Without any, the documents stay as they are.
    """

    def __init__(self, detectors: Sequence[str] = ()) -> None:
        self.paths = [Path(path) for path in detectors]
        self._loaded: dict[int, Language] = {}

    def __call__(self, nlp: Language, example: Example) -> Iterator[Example]:
        if not self.paths:
            yield example
            return
        text = example.reference.text
        if (k := fold_of(text, len(self.paths))) not in self._loaded:
            self._loaded[k] = spacy.load(self.paths[k], vocab=nlp.vocab)
            self._loaded[k].max_length = nlp.max_length
        yield Example(self._loaded[k](text), example.reference)
