"""What the two trainable components share: learning, saving and loading."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import srsly
from spacy.pipeline import TrainablePipe
from spacy.tokens import Span, SpanGroup
from spacy.training import Example, validate_examples
from thinc.api import Model, Optimizer, set_dropout_rate

from ..label_schemes import LabelScheme, gold_labels, make_label_scheme
from ..schema import PII_KEY
from ..settings import Part, Saved, in_bytes
from .ops import set_precision

# Where the parts of a component are saved.
_PARTS = "indicators"
# The package's own label scheme.
TAB = "tab"
# Config of a tagger of tokens on a small convolutional encoder.
TAGGER = """
[model]
@architectures = "spacy_deid.TokenTagger.v1"

[model.tok2vec]
@architectures = "spacy.HashEmbedCNN.v2"
pretrained_vectors = null
width = {width}
depth = {depth}
embed_size = {rows}
window_size = 1
maxout_pieces = 3
subword_features = true
"""


def align(example: Example, span: Span) -> tuple[int, int] | None:
    """Where a span of the reference stands in the predicted doc.

    RETURNS (Optional[Tuple[int, int]]): Start and end token; misaligned spans grow to
        whole tokens. None if there is no token at all.
    """
    place = span.start_char, span.end_char
    x = example.predicted.char_span(*place, alignment_mode="expand")
    return (x.start, x.end) if x is not None and len(x) else None


def native_labels(group: SpanGroup, scheme: LabelScheme) -> list[str | None]:
    """Labels that a scheme has for the gold spans of a group.

    RETURNS (List[Optional[str]]): One a span; None where the scheme has no label.
    """
    if scheme.name == TAB:
        return [span.label_ for span in group]
    return gold_labels(group, scheme)


def gold_spans(
    example: Example, scheme: LabelScheme | None = None
) -> list[tuple[int, int, str]] | None:
    """Gold spans as token offsets of the predicted doc, without overlaps.

    scheme (LabelScheme): Whose labels are wanted; the package's types if None.
    RETURNS (List[Tuple[int, int, str]]): Start, end and label of the spans that the
        scheme has a label for; None if the reference has no such group, that is, if
        nothing is known.
    """
    if (gold := aligned_gold(example, scheme or make_label_scheme(TAB))) is None:
        return None
    return [(start, end, label) for start, end, label, _ in gold if label is not None]


def aligned_gold(
    example: Example, scheme: LabelScheme
) -> list[tuple[int, int, str | None, str]] | None:
    """Gold spans as token offsets of the predicted doc, without overlaps.

    RETURNS (List[Tuple]): Start, end, the scheme's label (None where it has none) and
        semantic type; None if the reference has no such group.
    """
    if PII_KEY not in example.reference.spans:
        return None
    group = example.reference.spans[PII_KEY]
    taken: set[int] = set()
    out = []
    for span, label in sorted(
        zip(group, native_labels(group, scheme)),
        key=lambda s: (s[0].start - s[0].end, s[0].start, s[0].label_),
    ):
        if (aligned := align(example, span)) is None:
            continue
        tokens = range(*aligned)
        if taken.isdisjoint(tokens):
            taken.update(tokens)
            out.append((*aligned, label, span.label_))
    return sorted(out, key=lambda s: s[:2])


class SpanPipe(Saved, TrainablePipe):
    """A component with settings in `self.cfg` and a model with an `output_layer`."""

    cfg: dict[str, Any]
    # Settings as the config gave them.
    _configured: dict[str, Any]

    def prepare(
        self, examples: list[Example]
    ) -> tuple[list[Any], Callable[[Any], tuple[float, Any]]]:
        """What the model learns from a batch."""
        raise NotImplementedError

    def update(
        self,
        examples: Iterable[Example],
        *,
        drop: float = 0.0,
        sgd: Optimizer | None = None,
        losses: dict[str, float] | None = None,
    ) -> dict[str, float]:
        """Learn from a batch of examples.

        sgd (Optimizer): Optimizer; without it gradients are only accumulated.
        """
        losses = {} if losses is None else losses
        losses.setdefault(self.name, 0.0)
        examples = list(examples)
        validate_examples(examples, f"{type(self).__name__}.update")
        set_dropout_rate(self.model, drop)
        learnt = False
        for model, prepare in self.learners():
            inputs, get_loss = prepare(examples)
            if not inputs:
                continue
            scores, backprop = model.begin_update(inputs)
            loss, gradient = get_loss(scores)
            backprop(gradient)
            losses[self.name] += loss
            learnt = True
        if learnt and sgd is not None:
            self.finish_update(sgd)
        return losses

    def learners(self) -> list[tuple[Model, Callable]]:
        """Models that learn, each with its `prepare`."""
        return [(self.model, self.prepare)]

    def output_size(self) -> int:
        """Width of the model's output; 0 while it is not known."""
        raise NotImplementedError

    def set_output_size(self) -> None:
        """Fix the width of the output layer before weights are made or loaded."""
        for name in ("output_layer", "crf"):
            if self.model.has_ref(name) and self.output_size():
                layer = self.model.get_ref(name)
                if not layer.has_dim("nO"):
                    layer.set_dim("nO", self.output_size())

    def changed_cfg(self) -> dict[str, Any]:
        """What is saved: the settings that the config does not give already, so that
        a user who loads the pipeline can still override those."""
        return {k: v for k, v in self.cfg.items() if v != self._configured.get(k)}

    def set_cfg(self, cfg: dict[str, Any]) -> None:
        """Take over saved settings."""
        self.cfg.update(cfg)

    def saved_parts(self) -> dict[str, Any]:
        """What is saved beside the model, by name; each has `to_bytes` and
        `from_bytes`."""
        return {}

    def _load_parts(self, saved: Mapping[str, bytes]) -> None:
        for name, part in self.saved_parts().items():
            if name in saved:
                part.from_bytes(saved[name])

    def parts(self, exclude: Iterable[str]) -> dict[str, Part]:
        """See `Saved.parts`."""
        self._validate_serialization_attrs()
        parts = {
            "cfg": Part(
                lambda: srsly.json_dumps(self.changed_cfg()),
                lambda data: self.set_cfg(srsly.json_loads(data)),
                lambda path: srsly.write_json(path, self.changed_cfg()),
                lambda path: self.set_cfg(srsly.read_json(path)),
            ),
            "model": in_bytes(self._model_to_bytes, self._load_model),
            "vocab": Part(
                lambda: self.vocab.to_bytes(exclude=exclude),
                lambda data: self.vocab.from_bytes(data, exclude=exclude),
                lambda path: self.vocab.to_disk(path, exclude=exclude),
                lambda path: self.vocab.from_disk(path, exclude=exclude),
            ),
        }
        if own := self.saved_parts():
            parts[_PARTS] = Part(
                lambda: {name: part.to_bytes() for name, part in own.items()},
                self._load_parts,
                self._write_parts,
                lambda folder: self._load_parts(
                    {f.name: f.read_bytes() for f in folder.glob("*") if f.name in own}
                ),
            )
        return parts

    def _write_parts(self, folder: Path) -> None:
        folder.mkdir(exist_ok=True)
        for name, part in self.saved_parts().items():
            (folder / name).write_bytes(part.to_bytes())

    def _model_to_bytes(self) -> bytes:
        return self.model.to_bytes()

    def _load_model(self, data: bytes) -> None:
        self._load(self.model, data)

    def _load(self, model: Model, data: bytes) -> None:
        self.set_output_size()
        try:
            model.from_bytes(data)
            set_precision(model, "float16", "float32")
        except (AttributeError, KeyError, TypeError, ValueError):
            raise ValueError(
                f"the saved model of '{self.name}' is damaged or does not fit the "
                "architecture in its config"
            ) from None
