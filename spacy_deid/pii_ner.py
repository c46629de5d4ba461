"""Trainable recognizer: BILUO tags over a token encoder."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

import numpy
from spacy.language import Language
from spacy.tokens import Doc
from spacy.training import Example, validate_examples, validate_get_examples
from spacy.vocab import Vocab
from thinc.api import Config, Model
from thinc.types import Floats2d

from .entities.linking import Linker
from .entities.merging import MergePolicy, fold_into_pii, write_ents
from .entities.propagation import Propagator
from .entities.trimming import trim_spans
from .extensions import install_extensions
from .label_schemes import LabelScheme, make_label_scheme
from .models.decoding import Found, Head, Tagset, make_head
from .models.distillation import read_tags
from .models.doc_windows import OVERLAP, predict_in_windows
from .models.ops import embed_words_once, one_thread, use_blas
from .models.trainable import TAB, TAGGER, SpanPipe, aligned_gold, native_labels
from .processes import reads_documents
from .schema import NER_KEY, PII_KEY, Candidate, set_group
from .settings import Setting, Share

DEFAULT_MODEL = TAGGER.format(width=96, depth=4, rows=2000)


@Language.factory(
    "pii_ner",
    assigns=["doc.spans"],
    default_config={
        "model": Config().from_str(DEFAULT_MODEL)["model"],
        "spans_key": NER_KEY,
        "scheme": TAB,
        "o_threshold": 0.5,
        "temperature": 1.0,
        "window": 20_000,
        "write_ents": False,
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
    scheme: str,
    o_threshold: float,
    temperature: float,
    window: int,
    write_ents: bool,
    merge: MergePolicy,
    link: Linker | None,
    propagate: Propagator | None,
    scorer: Callable | None,
) -> PIIRecognizer:
    """Build the recognizer.

    model (Model[List[Doc], List[Floats2d]]): Tag probabilities of each token, or
        emission scores where the model has a node `crf`.
    spans_key (str): Span group for the recognizer's own spans.
    scheme (str): Label scheme of the model's labels and of the recognizer's own
        spans; `doc.spans["pii"]` has semantic types and subtypes whatever it is.
    o_threshold (float): A token counts as outside only with at least this
        probability (paper 5, .85 there): higher values find more and mask more.
    temperature (float): Log-probabilities of tags are divided by it. Fitted on
        development data it makes the probabilities of spans honest.
    window (int): Tokens read at a time; longer documents are read in overlapping
        windows, so that memory stays bounded and nothing is cut.
    write_ents (bool): Whether `doc.spans["pii"]` is also written to `doc.ents`.
    merge (Callable): Policy that folds the spans into `doc.spans["pii"]`.
    link (Callable): Links the mentions of one entity, or None.
    propagate (Callable): Finds further mentions of the entities, or None.
    scorer (Callable): Scorer for `spacy evaluate`, or None.
    """
    return PIIRecognizer(
        nlp.vocab, model, name, spans_key=spans_key, scheme=scheme,
        o_threshold=o_threshold, temperature=temperature, window=window,
        write_ents=write_ents, merge=merge, link=link, propagate=propagate,
        scorer=scorer,
    )  # fmt: skip


def _checked_temperature(value: float) -> float:
    if not 0.0 < value < math.inf:
        raise ValueError(f"temperature must be a number above 0, not {value}")
    return value


class PIIRecognizer(SpanPipe):
    """Tags tokens, decodes spans, folds them into `doc.spans["pii"]`."""

    # Tokens of context on each side of a window.
    overlap = OVERLAP
    spans_key = Setting()
    o_threshold = Share()
    temperature = Setting(_checked_temperature)
    # Whether `doc.spans["pii"]` is also written to `doc.ents`.
    write_ents = Setting(bool)

    def __init__(
        self,
        vocab: Vocab,
        model: Model,
        name: str = "pii_ner",
        *,
        spans_key: str = NER_KEY,
        scheme: str = TAB,
        o_threshold: float = 0.5,
        temperature: float = 1.0,
        window: int = 20_000,
        write_ents: bool = False,
        merge: MergePolicy,
        link: Linker | None = None,
        propagate: Propagator | None = None,
        scorer: Callable | None = None,
    ) -> None:
        if window <= 2 * self.overlap:
            problem = f"window must be above {2 * self.overlap} tokens, not {window}"
            raise ValueError(problem)
        install_extensions()
        self.vocab = vocab
        use_blas(model)
        embed_words_once(model)
        self.model = model
        self.name = name
        own = {"scheme": make_label_scheme(scheme).name, "window": window}
        self.cfg: dict = {"labels": [], "spans_key": spans_key, **own}
        self.o_threshold = o_threshold
        self.temperature = temperature
        self.write_ents = write_ents
        self._configured = {**self.cfg, "labels": []}
        self.merge = merge
        self.link = link
        self.propagate = propagate
        self.scorer = scorer

    @property
    def labels(self) -> tuple[str, ...]:
        """Labels of its scheme that the recognizer knows, in the order of its output."""
        return tuple(self.cfg["labels"])

    @property
    def label_data(self) -> list[str]:
        """What `spacy init labels` saves."""
        return list(self.labels)

    @property
    def tagset(self) -> Tagset:
        return Tagset(self.labels)

    @property
    def head(self) -> Head:
        """Reads the model's scores."""
        return make_head(self.model, self.tagset)

    @property
    def scheme(self) -> LabelScheme:
        """Scheme of the labels."""
        return make_label_scheme(self.cfg["scheme"])

    def add_label(self, label: str) -> int:
        """Add a label before the model is initialized.

        RAISES (ValueError): If the scheme has no such label, or if the model's output
            can no longer be resized.
        """
        if not isinstance(label, str) or not label:
            raise ValueError("a label must be a non-empty string")
        if label in self.labels:
            return 0
        self._type_of(label)
        if self.model.has_dim("nO"):
            problem = f"its model is initialized with {len(self.labels)} labels"
            raise ValueError(f"cannot add label '{label}' to '{self.name}': {problem}")
        self.cfg["labels"].append(label)
        self.vocab.strings.add(label)
        return 1

    def _type_of(self, label: str) -> tuple[str, str] | None:
        """Semantic type and subtype of one of the recognizer's labels."""
        # Under the package's own scheme a user may have types of their own.
        return (label, "") if self.cfg["scheme"] == TAB else self.scheme.to_tab(label)

    @reads_documents
    def predict(self, docs: Iterable[Doc]) -> list[Floats2d]:
        """Scores of the tags, without changing the docs.

        RETURNS (List[Floats2d]): What the model gives: for each doc shape (tokens,
            tags). `probabilities` and `decode_scores` read it.
        """
        docs = list(docs)
        self._require_labels()
        with one_thread():
            size = self.cfg["window"]
            rows = predict_in_windows(self.model, docs, size, self.overlap)
        nothing = self.model.ops.alloc2f(0, len(self.tagset))
        return [own if len(doc) else nothing for doc, own in zip(docs, rows)]

    def probabilities(
        self, scores: Floats2d, temperature: float | None = None
    ) -> numpy.ndarray:
        """Probabilities of the tags of one document.

        scores (Floats2d): Its scores from `predict`, shape (tokens, tags).
        RETURNS (ndarray): Of the same shape, rows sum to one; columns as in
            `self.tagset`.
        """
        return self.head.probabilities([scores], self._temperature(temperature))[0]

    def tag_probabilities(self, docs: Iterable[Doc]) -> list[numpy.ndarray]:
        """Probabilities of the tags, for each doc of shape (tokens, tags); the docs are
        not changed."""
        return self.head.probabilities(self.predict(docs), self.temperature)

    def decode_scores(
        self,
        doc: Doc,
        scores: Floats2d,
        o_threshold: float | None = None,
        temperature: float | None = None,
    ) -> list[Found]:
        """Spans of one document, which is not changed.

        scores (Floats2d): Its scores from `predict`, shape (tokens, tags).
        """
        if o_threshold is None:
            o_threshold = self.o_threshold
        temperature = self._temperature(temperature)
        (found,) = self.head.decode([scores], o_threshold, temperature)
        return list(trim_spans(doc, found))

    def _temperature(self, value: float | None) -> float:
        return self.temperature if value is None else _checked_temperature(value)

    @reads_documents
    def set_annotations(self, docs: Iterable[Doc], scores: list[Floats2d]) -> None:
        """Decode the tags and write `doc.spans`."""
        source = f"ner:{self.name}"
        types = {label: self._type_of(label) for label in self.labels}
        found = self.head.decode(scores, self.o_threshold, self.temperature)
        for doc, spans in zip(docs, found):
            own, folded = [], []
            for start, end, label, score in trim_spans(doc, spans):
                target = types[label]
                candidate = Candidate(
                    start,
                    end,
                    label,
                    target[1] if target else "",
                    # The last digits depend on what else was in the batch.
                    round(score, 3),
                    source,
                    f"recognizer (probability {score:.2f})",
                )
                own.append(candidate)
                if target is not None:
                    folded.append(candidate._replace(label=target[0]))
            group = set_group(doc, self.spans_key, own)
            if self.cfg["scheme"] != TAB:
                group.attrs["scheme"] = self.cfg["scheme"]
                doc.spans[self.spans_key] = group
            ways = self.merge, self.link, self.propagate
            fold_into_pii(doc, self.spans_key, *ways, candidates=folded)
            if self.write_ents:
                write_ents(doc)

    def prepare(
        self, examples: list[Example]
    ) -> tuple[list[Doc], Callable[[Any], tuple[float, Any]]]:
        """Documents that are not empty, with gold in `reference.spans["pii"]`."""
        if examples := [eg for eg in examples if len(eg.predicted)]:
            self._require_labels()
        return [eg.predicted for eg in examples], partial(self.get_loss, examples)

    def get_loss(
        self, examples: Iterable[Example], scores: list[Floats2d]
    ) -> tuple[float, list[Floats2d]]:
        """Negative log-likelihood of the gold tags and its gradient.

        A gold group whose attrs have `covers` (the types its annotators marked)
        says nothing of the other types: outside its spans a token may have any tag
        of those, and the loss is that of the whole set of tags allowed; or, where the
        group has another recognizer's `tags` (see `corpora.distil`), that recognizer's
        probabilities of these.

        scores (List[Floats2d]): What the model gave, shape (tokens, tags) a doc.
        """
        validate_examples(examples, "PIIRecognizer.get_loss")
        head = self.head
        allowed = [self._allowed(eg) for eg in examples]
        if head.is_soft:
            allowed = [self._taught(*pair) for pair in zip(examples, allowed)]
        return head.loss(scores, allowed)

    def _taught(
        self, example: Example, allowed: numpy.ndarray | None
    ) -> numpy.ndarray | None:
        """What a teacher thinks of the tags that the gold leaves open."""
        if allowed is None:
            return None
        taught = read_tags(example.reference.spans[PII_KEY], self.labels)
        if taught is None or taught.shape != allowed.shape:
            return allowed
        taught = numpy.where(allowed, taught.clip(1e-6), 0.0)
        return taught / taught.sum(axis=1, keepdims=True)

    def _allowed(self, example: Example) -> numpy.ndarray | None:
        """Tags that the gold leaves open, shape (tokens, tags); None without gold."""
        if (gold := aligned_gold(example, self.scheme)) is None:
            return None
        tagset = self.tagset
        allowed = numpy.zeros((len(example.predicted), len(tagset)), dtype=bool)
        allowed[:, 0] = True
        columns: dict[str, list[int]] = {}  # of each semantic type
        for label in self.labels:
            if (target := self._type_of(label)) is not None:
                columns.setdefault(target[0], []).extend(tagset.columns(label))
        if (covers := example.reference.spans[PII_KEY].attrs.get("covers")) is not None:
            for type_, of_type in columns.items():
                if type_ not in covers:
                    allowed[:, of_type] = True
        for start, end, gold_label, type_ in gold:
            if gold_label is None:
                # Of this type, but which label of the scheme nobody knows.
                allowed[start:end, columns.get(type_, [])] = True
            elif gold_label in self.labels:
                allowed[start:end] = False
                tags = tagset.span_tags(gold_label, end - start)
                allowed[range(start, end), tags] = True
        return allowed

    def initialize(
        self,
        get_examples: Callable[[], Iterable[Example]],
        *,
        nlp: Language | None = None,
        labels: Iterable[str] | None = None,
    ) -> None:
        """Set the labels and the model's dimensions.

        labels (Iterable[str]): Labels of the recognizer's scheme; collected from the
            gold spans if None.
        RAISES (ValueError): If there are no labels at all, or several examples and no
            gold in any.
        """
        validate_get_examples(get_examples, "PIIRecognizer.initialize")
        sample: list[Doc] = []
        found: set[str] = set()
        n = 0
        for eg in get_examples():
            n += 1
            if len(sample) < 10 and len(eg.predicted):
                sample.append(eg.predicted)
            if PII_KEY in eg.reference.spans:
                natives = native_labels(eg.reference.spans[PII_KEY], self.scheme)
                found.update(label for label in natives if label is not None)
            if labels is not None and found and len(sample) == 10:
                break
        # spaCy itself makes one example where it is given none.
        if not found and (n > 1 or (labels is None and not self.labels)):
            raise ValueError(
                f"'{self.name}' can't learn: none of {n} examples has a gold span of its "
                f"scheme in reference.spans['{PII_KEY}']. Gold in `doc.ents` is read with "
                '@readers = "spacy_deid.SpacyCorpus.v1" or `python -m spacy deid convert`'
            )
        for label in sorted(found) if labels is None else labels:
            self.add_label(label)
        self._require_labels()
        if not sample:
            raise ValueError(f"'{self.name}' needs an example that is not empty")
        self.set_output_size()
        alloc, n_tags = self.model.ops.alloc2f, len(self.tagset)
        self.model.initialize(X=sample, Y=[alloc(len(doc), n_tags) for doc in sample])

    def _require_labels(self) -> None:
        if not self.labels:
            raise ValueError(
                f"'{self.name}' has no labels: train it, name them in "
                f"[initialize.components.{self.name}], or add one that is trained: "
                f"nlp.add_pipe('pii_ner', source=spacy_deid.load())"
            )

    def output_size(self) -> int:
        """Number of tags; 0 without labels."""
        return len(self.tagset) if self.labels else 0

    def set_cfg(self, cfg: dict) -> None:
        """Take over saved settings, labels included."""
        super().set_cfg(cfg)
        for label in self.labels:
            self.vocab.strings.add(label)
