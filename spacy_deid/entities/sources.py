"""Other recognizers: their entities as candidates, and a word where nothing reads them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from spacy.language import Language
from spacy.tokens import Doc, Span, SpanGroup

from ..label_schemes import LabelScheme, TypeAndSubtype, make_label_scheme
from ..registries import registry
from ..schema import ENTS, MASK_KEY, PII_KEY, Candidate, group_attr
from .trimming import trim_spans

Source = Callable[[Doc], list[Candidate]]
SCORE = 0.9


@dataclass(frozen=True)
class Entities:
    """See `make_entities`."""

    scheme: LabelScheme
    reads: str = ENTS
    score: float = SCORE
    detector: str = "ner"
    score_attr: str = ""

    def __call__(self, doc: Doc) -> list[Candidate]:
        source = f"{self.detector}:{self.reads}"
        rows = [(s.start, s.end, s.label_, score) for s, score in self._spans(doc)]
        out = []
        for start, end, label, score in trim_spans(doc, rows):
            if (target := self._target(label)) is not None:
                reason = f"{label} of another recognizer ('{self.reads}')"
                out.append(Candidate(start, end, *target, score, source, reason))
        return out

    def _spans(self, doc: Doc) -> Iterator[tuple[Span, float]]:
        if self.reads == ENTS:
            yield from ((span, self._score(span)) for span in doc.ents)
            return
        if self.reads not in doc.spans:
            groups = ", ".join(f"'{key}'" for key in doc.spans) or "none"
            raise ValueError(
                f"there is no span group '{self.reads}' to read: add the recognizer "
                f"that makes it before; the document's groups are: {groups}"
            )
        group = doc.spans[self.reads]
        for span, score in zip(group, group_attr(group, "scores", None)):
            yield span, self._score(span) if score is None else float(score)

    def _score(self, span: Span) -> float:
        return float(span._.get(self.score_attr)) if self.score_attr else self.score

    def _target(self, label: str) -> TypeAndSubtype | None:
        try:
            return self.scheme.to_tab(label)
        except ValueError as err:
            # What nobody has mapped may be somebody's name.
            raise ValueError(
                f"{err}; say in 'labels' what it is (null: nothing to mask)"
            ) from None


@registry.misc("spacy_deid.entities.v1")
def make_entities(
    scheme: str = "ontonotes",
    labels: dict[str, str | None] | None = None,
    spans_key: str = ENTS,
    score: float = SCORE,
    detector: str = "ner",
    score_attr: str = "",
) -> Entities:
    """What a recognizer before `pii_gazetteer` has found, as a source of candidates:
    spaCy's `ner`, `entity_ruler` and `spancat`, or any component that writes `doc.ents`
    or a span group.

    scheme (str): Label scheme of its labels, see `spacy_deid.label_schemes`.
    labels (Optional[dict[str, Optional[str]]]): What its other labels are, see
        `make_label_scheme`.
    spans_key (str): Span group to read, "ents" for `doc.ents`.
    score (float): Score of spans without a score of their own (attribute `scores`).
    detector (str): What its spans count as where spans are merged, one of the `priority`
        of `spacy_deid.merge_spans.v1`.
    score_attr (str): Extension attribute of spans that holds their score, as "score" of
        GLiNER-spaCy; "" for none.
    RETURNS (Callable): Function of a Doc, giving candidates.
    RAISES (ValueError): If a type or the scheme is unknown, or the score not from 0 to 1.
    """
    if not 0 <= score <= 1:
        raise ValueError(f"the score of a source should be from 0 to 1, not {score}")
    mapped = make_label_scheme(scheme, labels)
    return Entities(mapped, spans_key, score, detector, score_attr)


def note_reading(group: SpanGroup, sources: Iterable[Source]) -> None:
    """Write to a detector's own group (attribute `read`) what its sources have read; a
    source of one's own may read anything ("*")."""
    group.attrs["read"] = sorted({getattr(s, "reads", "*") for s in sources})


def unread_entities(doc: Doc, keys: Iterable[str]) -> Iterator[str]:
    """Which of `doc.ents` ("ents") and the given span groups have entities that no
    detector has read and no span of `doc.spans["pii"]` or `doc.spans["mask"]` covers."""
    groups = {ENTS: doc.ents} | {k: doc.spans[k] for k in keys if k in doc.spans}
    if not any(groups.values()):
        return
    read = {
        name for group in doc.spans.values() for name in group.attrs.get("read", ())
    }
    masked = [span for key in (PII_KEY, MASK_KEY) for span in doc.spans.get(key, ())]
    known = {i for span in masked for i in range(span.start, span.end)}
    for key, spans in groups.items():
        covered = (known.issuperset(range(s.start, s.end)) for s in spans)
        if read.isdisjoint((key, "*")) and not all(covered):
            yield key


def keys_of_recognizers(nlp: Language) -> list[str]:
    """Span groups that recognizers of a pipeline write, as spaCy's `spancat` has it."""
    return [
        pipe.key  # type: ignore[attr-defined]
        for name, pipe in nlp.pipeline
        if "doc.spans" in nlp.get_pipe_meta(name).assigns
        and isinstance(getattr(pipe, "key", None), str)
    ]
