"""Trainable recognizer: BILUO tags over a token encoder."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any

import numpy
from spacy.language import Language
from spacy.tokens import Doc
from spacy.training import Example, validate_examples, validate_get_examples
from spacy.vocab import Vocab
from thinc.api import Config, Model
from thinc.types import Floats2d

from .entities import Linker, MergePolicy, Propagator, fold
from .models.decoding import Tagset, decode
from .models.ops import one_thread, use_blas
from .schema import NER_KEY, PII_KEY, Candidate, install_extensions, set_group
from .trainable import SpanPipe, align

DEFAULT_MODEL = """
[model]
@architectures = "spacy_deid.TokenTagger.v1"

[model.tok2vec]
@architectures = "spacy.HashEmbedCNN.v2"
pretrained_vectors = null
width = 96
depth = 4
embed_size = 2000
window_size = 1
maxout_pieces = 3
subword_features = true
"""


@Language.factory(
    "pii_ner",
    assigns=["doc.spans"],
    default_config={
        "model": Config().from_str(DEFAULT_MODEL)["model"],
        "spans_key": NER_KEY,
        "o_threshold": 0.5,
        "window": 20_000,
        "merge": {"@misc": "spacy_deid.merge_spans.v1"},
        "link": {"@misc": "spacy_deid.link_entities.v1"},
        "propagate": {"@misc": "spacy_deid.propagate_names.v1"},
        "scorer": {"@scorers": "spacy_deid.span_scorer.v1"},
    },
    default_score_weights={"pii_ner_f": 1.0, "pii_ner_p": 0.0, "pii_ner_r": 0.0},
)
def make_pii_ner(
    nlp: Language,
    name: str,
    model: Model[list[Doc], list[Floats2d]],
    spans_key: str,
    o_threshold: float,
    window: int,
    merge: MergePolicy,
    link: Linker | None,
    propagate: Propagator | None,
    scorer: Callable | None,
) -> PIIRecognizer:
    """Build the recognizer.

    model (Model[List[Doc], List[Floats2d]]): Tag probabilities for each token.
    spans_key (str): Span group for the recognizer's own spans.
    o_threshold (float): A token counts as outside only with at least this
        probability (paper 5): higher values find more and mask more.
    window (int): Tokens read at a time; longer documents are read in overlapping
        windows, so that memory stays bounded and nothing is cut.
    merge (Callable): Policy that folds the spans into `doc.spans["pii"]`.
    link (Callable): Links the mentions of one entity, or None.
    propagate (Callable): Finds further mentions of the entities, or None.
    scorer (Callable): Scorer for `spacy evaluate`, or None.
    RETURNS (PIIRecognizer): The component.
    """
    return PIIRecognizer(
        nlp.vocab,
        model,
        name,
        spans_key=spans_key,
        o_threshold=o_threshold,
        window=window,
        merge=merge,
        link=link,
        propagate=propagate,
        scorer=scorer,
    )


class PIIRecognizer(SpanPipe):
    """Tags tokens, decodes spans, folds them into `doc.spans["pii"]`."""

    # Tokens of context on each side of a window; well above what a convolution
    # of the usual depth sees.
    overlap = 64

    def __init__(
        self,
        vocab: Vocab,
        model: Model,
        name: str = "pii_ner",
        *,
        spans_key: str = NER_KEY,
        o_threshold: float = 0.5,
        window: int = 20_000,
        merge: MergePolicy,
        link: Linker | None = None,
        propagate: Propagator | None = None,
        scorer: Callable | None = None,
    ) -> None:
        if not 0.0 <= o_threshold <= 1.0:
            raise ValueError(f"o_threshold must lie in 0..1, not {o_threshold}")
        if window <= 2 * self.overlap:
            raise ValueError(
                f"window must be above {2 * self.overlap} tokens, not {window}"
            )
        install_extensions()
        self.vocab = vocab
        use_blas(model)
        self.model = model
        self.name = name
        self.cfg: dict = {
            "labels": [],
            "spans_key": spans_key,
            "o_threshold": o_threshold,
            "window": window,
        }
        self._configured = {**self.cfg, "labels": []}
        self.merge = merge
        self.link = link
        self.propagate = propagate
        self.scorer = scorer

    @property
    def labels(self) -> tuple[str, ...]:
        """Semantic types the recognizer knows, in the order of its output."""
        return tuple(self.cfg["labels"])

    @property
    def label_data(self) -> list[str]:
        """What `spacy init labels` saves."""
        return list(self.labels)

    @property
    def tagset(self) -> Tagset:
        return Tagset(self.labels)

    @property
    def spans_key(self) -> str:
        return self.cfg["spans_key"]

    @property
    def o_threshold(self) -> float:
        return self.cfg["o_threshold"]

    @o_threshold.setter
    def o_threshold(self, value: float) -> None:
        if not 0.0 <= value <= 1.0:
            raise ValueError(f"o_threshold must lie in 0..1, not {value}")
        self.cfg["o_threshold"] = value

    def add_label(self, label: str) -> int:
        """Add a label before the model is initialized.

        label (str): Semantic type.
        RETURNS (int): 1 if it was new, else 0.
        RAISES (ValueError): If the model's output can no longer be resized.
        """
        if not isinstance(label, str) or not label:
            raise ValueError("a label must be a non-empty string")
        if label in self.labels:
            return 0
        if self.model.has_dim("nO"):
            raise ValueError(
                f"cannot add label '{label}' to '{self.name}': its model is "
                f"initialized with {len(self.labels)} labels"
            )
        self.cfg["labels"].append(label)
        self.vocab.strings.add(label)
        return 1

    def predict(self, docs: Iterable[Doc]) -> list[Floats2d]:
        """Tag probabilities, without changing the docs.

        docs (Iterable[Doc]): The documents, empty ones included.
        RETURNS (List[Floats2d]): For each doc shape (tokens, tags).
        """
        docs = list(docs)
        self._require_labels()
        n_tags = len(self.tagset)
        pieces: list[Doc] = []
        counts: list[list[tuple[int, int]]] = []  # rows of each piece to keep
        for doc in docs:
            kept = []
            for piece, start, end in self._windows(doc):
                pieces.append(piece)
                kept.append((start, end))
            counts.append(kept)
        rows: list[Floats2d] = []
        with one_thread():
            for batch in _batches(pieces, self.cfg["window"]):
                rows.extend(self.model.predict(batch))
        out: list[Floats2d] = []
        i = 0
        for kept in counts:
            parts = []
            for start, end in kept:
                parts.append(self.model.ops.asarray2f(rows[i])[start:end])
                i += 1
            out.append(
                self.model.ops.xp.concatenate(parts)
                if parts
                else self.model.ops.alloc2f(0, n_tags)
            )
        return out

    def _windows(self, doc: Doc) -> Iterator[tuple[Doc, int, int]]:
        """Pieces of a document with the rows of each that count."""
        n, size, overlap = len(doc), self.cfg["window"], self.overlap
        if n == 0:
            return
        if n <= size:
            yield doc, 0, n
            return
        step = size - 2 * overlap
        for start in range(0, n, step):
            end = min(start + step, n)
            left, right = max(0, start - overlap), min(n, end + overlap)
            # A plain Doc of the words: copying the annotation would cost more.
            words = [token.text for token in doc[left:right]]
            spaces = [bool(token.whitespace_) for token in doc[left:right]]
            yield Doc(doc.vocab, words=words, spaces=spaces), start - left, end - left

    def set_annotations(self, docs: Iterable[Doc], scores: list[Floats2d]) -> None:
        """Decode the tags and write `doc.spans`.

        docs (Iterable[Doc]): The documents.
        scores (List[Floats2d]): What `predict` returned for them.
        """
        tagset = self.tagset
        source = f"ner:{self.name}"
        for doc, probs in zip(docs, scores):
            spans = decode(self.model.ops.to_numpy(probs), tagset, self.o_threshold)
            candidates = [
                # The last digits depend on what else was in the batch.
                Candidate(
                    start,
                    end,
                    label,
                    "",
                    round(score, 3),
                    source,
                    f"recognizer: probability {score:.2f}",
                )
                for start, end, label, score in _trimmed(doc, spans)
            ]
            set_group(doc, self.spans_key, candidates)
            fold(doc, self.spans_key, self.merge, self.link, self.propagate)

    def prepare(
        self, examples: list[Example]
    ) -> tuple[list[Doc], Callable[[Any], tuple[float, Any]]]:
        """Documents that are not empty, with gold in `reference.spans["pii"]`.

        examples (List[Example]): The batch.
        RETURNS (Tuple[List[Doc], Callable]): The documents and their loss.
        """
        examples = [eg for eg in examples if len(eg.predicted)]
        if examples:
            self._require_labels()
        return [eg.predicted for eg in examples], partial(self.get_loss, examples)

    def get_loss(
        self, examples: Iterable[Example], scores: list[Floats2d]
    ) -> tuple[float, list[Floats2d]]:
        """Cross-entropy of the gold tags and its gradient.

        A gold group whose attrs have `covers` (the types its annotators marked)
        says nothing of the other types: outside its spans a token may have any tag
        of those, and the loss is that of the whole set of tags allowed.

        examples (Iterable[Example]): The batch.
        scores (List[Floats2d]): Probabilities, shape (tokens, tags) a doc.
        RETURNS (Tuple[float, List[Floats2d]]): Summed loss and the gradients.
        """
        validate_examples(examples, "PIIRecognizer.get_loss")
        tagset = self.tagset
        loss, gradients = 0.0, []
        for eg, guess in zip(examples, scores):
            probs = self.model.ops.to_numpy(guess)
            gold = gold_spans(eg)
            if gold is None:
                gradients.append(self.model.ops.alloc2f(*guess.shape))
                continue
            allowed = numpy.zeros(probs.shape, dtype="f")
            allowed[:, 0] = 1.0
            covers = eg.reference.spans[PII_KEY].attrs.get("covers")
            if covers is not None:
                for label in self.labels:
                    if label not in covers:
                        allowed[:, tagset.columns(label)] = 1.0
            for start, end, label in gold:
                if label not in self.labels:
                    continue
                for i, column in zip(
                    range(start, end), tagset.span_tags(label, end - start)
                ):
                    allowed[i] = 0.0
                    allowed[i, column] = 1.0
            target = probs * allowed
            mass = target.sum(axis=1, keepdims=True).clip(1e-12)
            loss += float(-numpy.log(mass).sum())
            # Where a single tag is allowed the target is that tag, exactly.
            single = allowed.sum(axis=1) == 1
            target = numpy.where(single[:, None], allowed, target / mass)
            gradients.append(self.model.ops.asarray2f(probs - target))
        return loss, gradients

    def initialize(
        self,
        get_examples: Callable[[], Iterable[Example]],
        *,
        nlp: Language | None = None,
        labels: Iterable[str] | None = None,
    ) -> None:
        """Set the labels and the model's dimensions.

        get_examples (Callable[[], Iterable[Example]]): A sample of the training data.
        nlp (Language): The pipeline.
        labels (Iterable[str]): Semantic types; collected from the gold spans if None.
        RAISES (ValueError): If there are no labels at all.
        """
        validate_get_examples(get_examples, "PIIRecognizer.initialize")
        sample: list[Doc] = []
        found: set[str] = set()
        for eg in get_examples():
            if len(sample) < 10 and len(eg.predicted):
                sample.append(eg.predicted)
            if labels is None and PII_KEY in eg.reference.spans:
                found.update(span.label_ for span in eg.reference.spans[PII_KEY])
        for label in sorted(found) if labels is None else labels:
            self.add_label(label)
        self._require_labels()
        if not sample:
            raise ValueError(f"'{self.name}' needs an example that is not empty")
        self.set_output_size()
        n_tags = len(self.tagset)
        self.model.initialize(
            X=sample,
            Y=[self.model.ops.alloc2f(len(doc), n_tags) for doc in sample],
        )

    def _require_labels(self) -> None:
        if not self.labels:
            raise ValueError(
                f"'{self.name}' has no labels: train it, or name them in "
                f"[initialize.components.{self.name}]"
            )

    def output_size(self) -> int:
        """Number of tags; 0 without labels."""
        return len(self.tagset) if self.labels else 0

    def set_cfg(self, cfg: dict) -> None:
        """Take over saved settings, labels included."""
        super().set_cfg(cfg)
        for label in self.labels:
            self.vocab.strings.add(label)


def _batches(pieces: list[Doc], size: int) -> Iterator[list[Doc]]:
    """Pieces in groups of at most `size` tokens, or of one piece."""
    batch: list[Doc] = []
    total = 0
    for piece in pieces:
        if batch and total + len(piece) > size:
            yield batch
            batch, total = [], 0
        batch.append(piece)
        total += len(piece)
    if batch:
        yield batch


def _trimmed(
    doc: Doc, spans: Iterable[tuple[int, int, str, float]]
) -> Iterator[tuple[int, int, str, float]]:
    """Spans without white space or punctuation only, trimmed at both ends."""
    for start, end, label, score in spans:
        while start < end and doc[start].is_space:
            start += 1
        while end > start and doc[end - 1].is_space:
            end -= 1
        if any(ch.isalnum() for token in doc[start:end] for ch in token.text):
            yield start, end, label, score


def gold_spans(example: Example) -> list[tuple[int, int, str]] | None:
    """Gold spans as token offsets of the predicted doc, without overlaps.

    example (Example): Its reference has gold in `spans["pii"]`.
    RETURNS (List[Tuple[int, int, str]]): Start, end and label; None if the
        reference has no such group, that is, if nothing is known.
    """
    if PII_KEY not in example.reference.spans:
        return None
    taken: set[int] = set()
    out = []
    for span in sorted(
        example.reference.spans[PII_KEY],
        key=lambda s: (s.start - s.end, s.start, s.label_),
    ):
        aligned = align(example, span)
        if aligned is None:
            continue
        tokens = range(*aligned)
        if taken.isdisjoint(tokens):
            taken.update(tokens)
            out.append((*aligned, span.label_))
    return sorted(out)
