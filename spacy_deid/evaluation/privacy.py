"""Privacy metrics: how much of what should be masked is masked (paper 3, section 6).

Texts are compared by characters and by words that a regular expression finds, never
by a pipeline's own tokens, so systems with different tokenizers are comparable. A word
is a run of letters, digits and underscores; currency and other symbols count as words
of their own for recall, punctuation never does.
"""

from __future__ import annotations

import math
import re
import unicodedata
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import zip_longest
from typing import Any, NamedTuple

import numpy
from spacy.tokens import Doc, Span
from spacy.training import Example
from spacy.util import registry

from ..label_schemes import gold_labels, make_label_scheme
from ..schema import (
    DIRECT,
    IDENTIFIER_TYPES,
    MASK_KEY,
    NER_KEY,
    NO_MASK,
    PII_KEY,
    QUASI,
    strictest,
)

# Words and titles that annotators include or leave out at will. A mention whose other
# words are all masked is masked; English, like the benchmark this list is taken from.
_FUNCTION_WORDS = (
    "a about after an and as at before between by during for from in into mr mrs ms no "
    "nr of on or over since the to until with"
)
FUNCTION_WORDS = frozenset(_FUNCTION_WORDS.split())
_PIECE = re.compile(r"\w+|[^\w\s]")
_WORD = re.compile(r"\w+")
_APOSTROPHES = "'’"

CharSpan = tuple[int, int]
# Of a text and spans of it, the information content of each: -log P(span | context).
# Registered in `deid_weightings`; that of a masked language model takes, for a word of
# several pieces, the least probable one.
Weighting = Callable[[str, Sequence[CharSpan]], Sequence[float]]
Scorer = Callable[..., dict[str, Any]]


class Mention(NamedTuple):
    """One gold mention.

    start_offset (int): First character.
    end_offset (int): Character after the last.
    entity_type (str): Semantic type.
    identifier_type (str): `DIRECT`, `QUASI` or `NO_MASK`.
    entity_id (str): Mentions of one entity share it; a mention without one ("") is an
        entity of its own.
    """

    start_offset: int
    end_offset: int
    entity_type: str = ""
    identifier_type: str = QUASI
    entity_id: str = ""


@dataclass
class GoldDocument:
    """An annotated text.

    text (str): The text.
    annotators (Sequence[Sequence[Mention]]): The mentions of each annotator.
    doc_id (str): Identifier, for messages.
    """

    text: str
    annotators: Sequence[Sequence[Mention]]
    doc_id: str = ""


def read_mention(record: Any, n_chars: int) -> Mention:
    """Validate one gold mention.

    record (Any): A dict with `start_offset`, `end_offset` and, when known,
        `entity_type`, `identifier_type` (QUASI when absent or null) and `entity_id`.
    n_chars (int): Length of the text.
    RETURNS (Mention): The mention.
    RAISES (ValueError): If something is missing or impossible; never quotes text.
    """
    if not isinstance(record, Mapping):
        raise ValueError(f"a mention is a {type(record).__name__}, not an object")
    start, end = record.get("start_offset"), record.get("end_offset")
    for name, value in (("start_offset", start), ("end_offset", end)):
        if not isinstance(value, int) or isinstance(value, bool):
            raise ValueError(f"'{name}' of a mention is missing or not an integer")
    assert isinstance(start, int) and isinstance(end, int)
    if not 0 <= start < end <= n_chars:
        raise ValueError(
            f"mention [{start}, {end}) is empty or outside the text of {n_chars} "
            "characters"
        )
    identifier_type = record.get("identifier_type")
    if identifier_type is None:
        identifier_type = QUASI
    if identifier_type not in IDENTIFIER_TYPES:
        raise ValueError(
            f"mention [{start}, {end}) has an unknown identifier_type; known are "
            + ", ".join(IDENTIFIER_TYPES)
        )
    entity_id = record.get("entity_id")
    return Mention(
        start,
        end,
        str(record.get("entity_type") or ""),
        identifier_type,
        "" if entity_id is None else str(entity_id),
    )


def read_gold(record: Any, text_field: str = "text") -> GoldDocument:
    """Validate one gold record.

    record (Any): A dict with the text and `entity_mentions`, or `annotations` by
        annotator ({name: {"entity_mentions": [...]}}) as in the published benchmark.
    text_field (str): Name of the field with the text.
    RETURNS (GoldDocument): The annotated text.
    RAISES (ValueError): If something is missing or impossible; never quotes text.
    """
    if not isinstance(record, Mapping):
        raise ValueError(f"the record is a {type(record).__name__}, not an object")
    text = record.get(text_field)
    if not isinstance(text, str):
        raise ValueError(f"field '{text_field}' is missing or not a string")
    layers: list[Any]
    if "entity_mentions" in record:
        layers = [record["entity_mentions"]]
    elif isinstance(record.get("annotations"), Mapping) and record["annotations"]:
        layers = [
            layer.get("entity_mentions") if isinstance(layer, Mapping) else None
            for layer in record["annotations"].values()
        ]
    else:
        raise ValueError("field 'entity_mentions' is missing")
    annotators = []
    for layer in layers:
        if not isinstance(layer, list):
            raise ValueError("'entity_mentions' is missing or not a list")
        mentions = []
        for raw in layer:
            mention = read_mention(raw, len(text))
            quoted = raw.get("span_text")
            if (
                isinstance(quoted, str)
                and quoted != text[mention.start_offset : mention.end_offset]
            ):
                raise ValueError(
                    f"mention [{mention.start_offset}, {mention.end_offset}): its "
                    "'span_text' is not what the text has at these offsets"
                )
            mentions.append(mention)
        annotators.append(mentions)
    return GoldDocument(text, annotators, str(record.get("doc_id", "")))


class _Cover:
    """Merged character intervals that answer whether a span lies inside one."""

    def __init__(self, spans: Iterable[CharSpan]) -> None:
        self.starts: list[int] = []
        self.ends: list[int] = []
        for start, end in sorted(spans):
            if start >= end:
                continue
            if self.ends and start <= self.ends[-1]:
                self.ends[-1] = max(self.ends[-1], end)
            else:
                self.starts.append(start)
                self.ends.append(end)

    def covers(self, start: int, end: int) -> bool:
        i = bisect_right(self.starts, start) - 1
        return i >= 0 and end <= self.ends[i]

    def words(self, text: str) -> Iterable[CharSpan]:
        for start, end in zip(self.starts, self.ends):
            for match in _WORD.finditer(text, start, end):
                yield match.span()


def content_tokens(text: str, start: int, end: int) -> list[CharSpan]:
    """The tokens of a mention that have to be masked.

    text (str): The text.
    start (int): First character of the mention.
    end (int): Character after its last.
    RETURNS (list[CharSpan]): Offsets of its words and symbols without punctuation,
        function words, titles and the possessive "s". A mention that has nothing else
        gives its words, or all its characters.
    """
    words: list[CharSpan] = []
    content: list[CharSpan] = []
    rest: list[CharSpan] = []
    for match in _PIECE.finditer(text, start, end):
        piece, span = match.group(), match.span()
        if _WORD.match(piece) is None:
            if unicodedata.category(piece).startswith("S"):
                content.append(span)
            rest.append(span)
            continue
        words.append(span)
        possessive = (
            piece in ("s", "S") and span[0] > 0 and text[span[0] - 1] in _APOSTROPHES
        )
        if not possessive and piece.lower() not in FUNCTION_WORDS:
            content.append(span)
    return content or words or rest or [(start, end)]


def f_score(
    precision: float | None, recall: float | None, beta: float = 1.0
) -> float | None:
    """(1 + β²)PR / (β²P + R).

    precision (float): Precision; None if nothing was predicted.
    recall (float): Recall; None if there is nothing to find.
    beta (float): Weight of recall against precision.
    RETURNS (float): None if neither is defined, 0 if only one is.
    """
    if precision is None and recall is None:
        return None
    if not precision or not recall:
        return 0.0
    square = beta * beta
    return (1 + square) * precision * recall / (square * precision + recall)


def _ratio(part: float, whole: float) -> float | None:
    return part / whole if whole else None


@dataclass
class _TypeCounts:
    entities: int = 0
    entities_masked: int = 0
    mentions: int = 0
    mentions_masked: int = 0

    def as_dict(self) -> dict[str, Any]:
        return {
            "entity_recall": _ratio(self.entities_masked, self.entities),
            "entities": self.entities,
            "mention_recall": _ratio(self.mentions_masked, self.mentions),
            "mentions": self.mentions,
        }


@dataclass
class PrivacyCounts:
    """Counts over documents, added one at a time, and the metrics they give.

    weighting (Weighting): Information content of words; `weighted_precision` is None
        without.
    """

    weighting: Weighting | None = None
    entities: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    entities_masked: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    tokens: int = 0
    tokens_masked: int = 0
    predicted: int = 0
    predicted_right: int = 0
    weight: float = 0.0
    weight_right: float = 0.0
    docs: int = 0
    docs_full: int = 0
    docs_direct_full: int = 0
    types: dict[str, _TypeCounts] = field(
        default_factory=lambda: defaultdict(_TypeCounts)
    )
    # What each document added, by the names of `_totals`.
    rows: list[dict[str, float]] = field(default_factory=list)

    def add(self, gold: GoldDocument, masked: Iterable[Sequence[Any]]) -> None:
        """Add one document.

        gold (GoldDocument): The annotated text.
        masked (Iterable[Sequence]): Character spans (start, end) or (start, end,
            label); those labelled NO_MASK are left out.
        RAISES (ValueError): If a span lies outside the text.
        """
        spans = []
        for item in masked:
            start, end = int(item[0]), int(item[1])
            if not 0 <= start <= end <= len(gold.text):
                raise ValueError(
                    f"masked span [{start}, {end}) lies outside the text of "
                    f"{len(gold.text)} characters"
                )
            if len(item) < 3 or item[2] != NO_MASK:
                spans.append((start, end))
        before = self._totals()
        cover = _Cover(spans)
        # Several annotators: nothing that any of them wants masked may be left.
        missed = {DIRECT: False, QUASI: False}
        for mentions in gold.annotators:
            self._add_recall(gold.text, mentions, cover, missed)
        self._add_precision(gold, cover)
        self.docs += 1
        self.docs_full += not (missed[DIRECT] or missed[QUASI])
        self.docs_direct_full += not missed[DIRECT]
        self.rows.append(
            {
                name: value - before.get(name, 0)
                for name, value in self._totals().items()
                if value != before.get(name, 0)
            }
        )

    def _totals(self) -> dict[str, float]:
        """All counts by name."""
        out: dict[str, float] = {
            "tokens": self.tokens,
            "tokens_masked": self.tokens_masked,
            "predicted": self.predicted,
            "predicted_right": self.predicted_right,
            "weight": self.weight,
            "weight_right": self.weight_right,
            "docs": self.docs,
            "docs_full": self.docs_full,
            "docs_direct_full": self.docs_direct_full,
            "direct": self.entities[DIRECT],
            "direct_masked": self.entities_masked[DIRECT],
            "quasi": self.entities[QUASI],
            "quasi_masked": self.entities_masked[QUASI],
        }
        for label, counts in self.types.items():
            for name, value in vars(counts).items():
                out[f"{name}:{label}"] = value
        return out

    def _add_recall(
        self,
        text: str,
        mentions: Sequence[Mention],
        cover: _Cover,
        missed: dict[str, bool],
    ) -> None:
        entities: dict[Any, list[Mention]] = defaultdict(list)
        for i, m in enumerate(mentions):
            # Of an entity annotated both ways, only what is to be masked counts.
            if m.identifier_type != NO_MASK:
                entities[m.entity_id or i].append(m)
        seen: set[CharSpan] = set()
        for group in entities.values():
            whole = True
            for m in group:
                tokens = content_tokens(text, m.start_offset, m.end_offset)
                hits = [cover.covers(*token) for token in tokens]
                for token, hit in zip(tokens, hits):
                    if token not in seen:
                        seen.add(token)
                        self.tokens += 1
                        self.tokens_masked += hit
                self.types[m.entity_type].mentions += 1
                self.types[m.entity_type].mentions_masked += all(hits)
                whole = whole and all(hits)
            kind = strictest(m.identifier_type for m in group)
            self.entities[kind] += 1
            self.entities_masked[kind] += whole
            self.types[group[0].entity_type].entities += 1
            self.types[group[0].entity_type].entities_masked += whole
            missed[kind] = missed[kind] or not whole

    def _add_precision(self, gold: GoldDocument, cover: _Cover) -> None:
        words = list(cover.words(gold.text))
        wanted = [
            _Cover(
                (m.start_offset, m.end_offset)
                for m in mentions
                if m.identifier_type != NO_MASK
            )
            for mentions in gold.annotators
        ]
        right = [sum(layer.covers(*word) for layer in wanted) for word in words]
        self.predicted += len(words) * len(wanted)
        self.predicted_right += sum(right)
        if self.weighting is None or not words:
            return
        weights = list(self.weighting(gold.text, words))
        if len(weights) != len(words):
            raise ValueError(
                f"the weighting gave {len(weights)} weights for {len(words)} words"
            )
        if not all(math.isfinite(w) and w >= 0 for w in weights):
            raise ValueError("the weighting gave a negative or infinite weight")
        self.weight += sum(weights) * len(wanted)
        self.weight_right += sum(w * n for w, n in zip(weights, right))

    def metrics(self) -> dict[str, Any]:
        """The metrics.

        RETURNS (dict): The keys of metrics.json. Shares of 0..1, or None where there
            is nothing to take a share of; beside them the counts they stand on.
        """
        precision = _ratio(self.predicted_right, self.predicted)
        recall = _ratio(self.tokens_masked, self.tokens)
        direct = _ratio(self.entities_masked[DIRECT], self.entities[DIRECT])
        quasi = _ratio(self.entities_masked[QUASI], self.entities[QUASI])
        both = _ratio(
            self.entities_masked[DIRECT] + self.entities_masked[QUASI],
            self.entities[DIRECT] + self.entities[QUASI],
        )
        return {
            "entity_recall_direct": direct,
            "entity_recall_quasi": quasi,
            "entity_recall": both,
            "precision": precision,
            "weighted_precision": _ratio(self.weight_right, self.weight),
            "recall": recall,
            "f1": f_score(precision, recall),
            "f5": f_score(precision, recall, 5),
            "docs_fully_masked": _ratio(self.docs_full, self.docs),
            "docs_direct_fully_masked": _ratio(self.docs_direct_full, self.docs),
            "per_type": {
                label: counts.as_dict() for label, counts in sorted(self.types.items())
            },
            "counts": {
                "docs": self.docs,
                "docs_fully_masked": self.docs_full,
                "docs_direct_fully_masked": self.docs_direct_full,
                "direct": self.entities[DIRECT],
                "direct_masked": self.entities_masked[DIRECT],
                "quasi": self.entities[QUASI],
                "quasi_masked": self.entities_masked[QUASI],
                "tokens": self.tokens,
                "tokens_masked": self.tokens_masked,
                "predicted_tokens": self.predicted,
                "predicted_tokens_right": self.predicted_right,
            },
        }

    def confidence(
        self, samples: int = 1000, level: float = 0.95, seed: int = 0
    ) -> dict[str, Any]:
        """Confidence intervals of the metrics by bootstrap over documents.

        Documents are drawn with replacement, as many as there are, each with all its
        annotators; the interval lies between the percentiles of the metric over the
        samples (Efron and Tibshirani, An Introduction to the Bootstrap, 1993, 13.3).

        samples (int): How many times; at least 1.
        level (float): Share of the samples inside the interval, between 0 and 1.
        seed (int): Of the random numbers: equal counts give equal intervals.
        RETURNS (dict): For each metric of `metrics` its (low, high), or None where it
            is not defined for any sample; for each type its two recalls in
            `per_type`; and `samples`, `level` and `seed`.
        RAISES (ValueError): If a setting is out of range.
        """
        if samples < 1:
            raise ValueError(f"a bootstrap needs at least 1 sample, not {samples}")
        if not 0 < level < 1:
            raise ValueError(f"level must lie between 0 and 1, not {level}")
        names = list(self._totals())
        column = {name: i for i, name in enumerate(names)}
        table = numpy.zeros((len(self.rows), len(names)))
        for row, counts in zip(table, self.rows):
            for name, value in counts.items():
                row[column[name]] = value
        sums = resample(table, samples, seed)

        def rounded(values: numpy.ndarray) -> list[float] | None:
            edges = interval(values, level)
            return None if edges is None else [round(x, 6) for x in edges]

        def share(part: str, whole: str) -> numpy.ndarray:
            return _shares(sums[:, column[part]], sums[:, column[whole]])

        precision = share("predicted_right", "predicted")
        recall = share("tokens_masked", "tokens")
        entities = sums[:, column["direct"]] + sums[:, column["quasi"]]
        hits = sums[:, column["direct_masked"]] + sums[:, column["quasi_masked"]]
        values = {
            "entity_recall_direct": share("direct_masked", "direct"),
            "entity_recall_quasi": share("quasi_masked", "quasi"),
            "entity_recall": _shares(hits, entities),
            "precision": precision,
            "weighted_precision": share("weight_right", "weight"),
            "recall": recall,
            "f1": _f_scores(precision, recall, 1),
            "f5": _f_scores(precision, recall, 5),
            "docs_fully_masked": share("docs_full", "docs"),
            "docs_direct_fully_masked": share("docs_direct_full", "docs"),
        }
        per_type = {
            label: {
                f"{what}_recall": rounded(
                    share(f"{plural}_masked:{label}", f"{plural}:{label}")
                )
                for what, plural in (("entity", "entities"), ("mention", "mentions"))
            }
            for label in sorted(self.types)
        }
        return {
            "samples": samples,
            "level": level,
            "seed": seed,
            **{name: rounded(v) for name, v in values.items()},
            "per_type": per_type,
        }


# Documents times samples at a time: about 80 MB.
_BLOCK = 10_000_000


def interval(values: numpy.ndarray, level: float = 0.95) -> list[float] | None:
    """The middle of bootstrap samples.

    values (ndarray): One a sample; NaN where it could not be computed.
    level (float): Share of the samples inside, between 0 and 1.
    RETURNS (Optional[List[float]]): Low and high; None if all are NaN.
    """
    known = values[~numpy.isnan(values)]
    if not len(known):
        return None
    return numpy.percentile(known, [50 * (1 - level), 50 * (1 + level)]).tolist()


def resample(table: numpy.ndarray, samples: int, seed: int) -> numpy.ndarray:
    """Sums of rows that are drawn with replacement, as many as there are.

    table (ndarray): Shape (rows, columns).
    samples (int): How many times.
    seed (int): Of the random numbers.
    RETURNS (ndarray): Shape (samples, columns).
    """
    n = len(table)
    if not n:
        return numpy.zeros((samples, table.shape[1]))
    rng = numpy.random.default_rng(seed)
    step = max(1, _BLOCK // n)
    blocks = []
    for start in range(0, samples, step):
        size = min(step, samples - start)
        # How often each document was drawn.
        drawn = rng.multinomial(n, numpy.full(n, 1.0 / n), size=size)
        blocks.append(drawn @ table)
    return numpy.concatenate(blocks)


def _shares(part: numpy.ndarray, whole: numpy.ndarray) -> numpy.ndarray:
    out = numpy.full(len(part), numpy.nan)
    return numpy.divide(part, whole, out=out, where=whole > 0)


def _f_scores(
    precision: numpy.ndarray, recall: numpy.ndarray, beta: float
) -> numpy.ndarray:
    """`f_score` of arrays, where NaN stands for None."""
    p, r = numpy.nan_to_num(precision), numpy.nan_to_num(recall)
    square = beta * beta
    out = numpy.zeros(len(p))
    numpy.divide((1 + square) * p * r, square * p + r, out=out, where=(p > 0) & (r > 0))
    out[numpy.isnan(precision) & numpy.isnan(recall)] = numpy.nan
    return out


def evaluate_privacy(
    golds: Iterable[GoldDocument],
    masked: Iterable[Iterable[Sequence[Any]]],
    weighting: Weighting | None = None,
    bootstrap: int = 0,
) -> dict[str, Any]:
    """Compare masked spans with gold annotations (paper 3, section 6.3).

    An entity is masked when all its mentions are, a mention when all its content
    tokens are. Entities, tokens and masked tokens are counted once for each annotator
    (micro-average). Precision is the share of the words masked that lie inside a
    DIRECT or QUASI mention; a document counts as fully masked when nothing is missed
    of what any of its annotators marks.

    golds (Iterable[GoldDocument]): Annotated texts.
    masked (Iterable[Iterable[Sequence]]): For each text, in the same order, character
        spans (start, end) or (start, end, label).
    weighting (Weighting): Function of a text and word offsets, giving each word's
        information content, for `weighted_precision`.
    bootstrap (int): Samples for the confidence intervals; 0 for none.
    RETURNS (dict): See `PrivacyCounts.metrics`; with `confidence`, see
        `PrivacyCounts.confidence`, if there are samples.
    RAISES (ValueError): If there are more texts than span lists or the reverse.
    """
    counts = PrivacyCounts(weighting)
    missing = object()
    for gold, spans in zip_longest(golds, masked, fillvalue=missing):
        if gold is missing or spans is missing:
            raise ValueError("as many span lists are needed as gold documents")
        counts.add(gold, spans)  # type: ignore[arg-type]
    return _with_confidence(counts, bootstrap)


def _with_confidence(counts: PrivacyCounts, bootstrap: int) -> dict[str, Any]:
    metrics = counts.metrics()
    if bootstrap:
        metrics["confidence"] = counts.confidence(bootstrap)
    return metrics


def gold_from_doc(
    doc: Doc, mask_key: str = MASK_KEY, pii_key: str = PII_KEY
) -> GoldDocument | None:
    """Gold annotation of a reference Doc.

    doc (Doc): With `spans[mask_key]`, `spans[mask_key + ":NAME"]` for several
        annotators, or else `spans[pii_key]`, all of which is taken as QUASI.
    mask_key (str): Span group of the identifier types.
    pii_key (str): Span group of the semantic types.
    RETURNS (GoldDocument): None if the Doc has none of these groups.
    """
    named = [key for key in doc.spans if key.startswith(f"{mask_key}:")]
    keys = named or [key for key in (mask_key,) if key in doc.spans]
    types = {}
    for key in [key for key in doc.spans if key.partition(":")[0] == pii_key]:
        for span in doc.spans[key]:
            types[(span.start, span.end)] = span.label_
    layers = []
    if keys:
        for key in keys:
            layers.append(
                [_mention(s, types.get((s.start, s.end), "")) for s in doc.spans[key]]
            )
    elif pii_key in doc.spans:
        layers.append([_mention(s, s.label_, QUASI) for s in doc.spans[pii_key]])
    else:
        return None
    return GoldDocument(doc.text, layers)


def _mention(span: Span, entity_type: str, identifier_type: str = "") -> Mention:
    identifier_type = identifier_type or span.label_
    if identifier_type not in IDENTIFIER_TYPES:
        raise ValueError(
            f"gold span [{span.start_char}, {span.end_char}) has label "
            f"'{identifier_type}'; known are {', '.join(IDENTIFIER_TYPES)}"
        )
    return Mention(
        span.start_char, span.end_char, entity_type, identifier_type, span.id_
    )


def masked_spans(doc: Doc, mask: str = "risky") -> list[CharSpan]:
    """Character spans that a pipeline masks.

    doc (Doc): With `spans["mask"]`, or `spans["pii"]` when no risk scorer ran.
    mask (str): `risky` for what is DIRECT or QUASI, `all` for every span.
    RETURNS (list[CharSpan]): The spans.
    RAISES (ValueError): If the Doc has neither group, or `mask` is unknown.
    """
    if mask not in ("risky", "all"):
        raise ValueError(f"mask has to be 'risky' or 'all', not '{mask}'")
    for key in (MASK_KEY, PII_KEY):
        if key in doc.spans:
            return [
                (span.start_char, span.end_char)
                for span in doc.spans[key]
                if mask == "all" or span.label_ != NO_MASK
            ]
    raise ValueError(
        f"the pipeline wrote neither doc.spans['{MASK_KEY}'] nor "
        f"doc.spans['{PII_KEY}']; has it a detector?"
    )


@registry.scorers("spacy_deid.privacy_scorer.v1")
def make_privacy_scorer(
    mask: str = "risky", weighting: Weighting | None = None, bootstrap: int = 0
) -> Scorer:
    """Privacy metrics for `spacy train` and `spacy evaluate`.

    mask (str): `risky` scores what the risk scorer masks, `all` every span found.
    weighting (Weighting): Information content of words, for
        `deid_weighted_precision`: a function of the registry `deid_weightings`.
    bootstrap (int): Samples for confidence intervals, in `deid_confidence`; 0 for
        none, as is best during training.
    RETURNS (Callable): Function of examples that gives `deid_f5`, `deid_f1`,
        `deid_precision`, `deid_weighted_precision`, `deid_recall`, `entity_recall`,
        `entity_recall_direct`, `entity_recall_quasi`, `docs_fully_masked`,
        `docs_direct_fully_masked` and `deid_per_type`; None where nothing is
        annotated.
    """
    if mask not in ("risky", "all"):
        raise ValueError(f"mask has to be 'risky' or 'all', not '{mask}'")
    if bootstrap < 0:
        raise ValueError(f"bootstrap must not be negative: {bootstrap}")

    # A partial of a module's function pickles; a closure would not.
    return partial(privacy_scorer, mask=mask, weighting=weighting, bootstrap=bootstrap)


def privacy_scorer(
    examples: Iterable[Example],
    *,
    mask: str,
    weighting: Weighting | None,
    bootstrap: int = 0,
    **kwargs: Any,
) -> dict[str, Any]:
    """Scores of examples; see `make_privacy_scorer`."""
    counts = PrivacyCounts(weighting)
    for example in examples:
        gold = gold_from_doc(example.reference)
        if gold is not None:
            counts.add(gold, masked_spans(example.predicted, mask))
    scores = _with_confidence(counts, bootstrap)
    out = {
        "deid_f5": scores["f5"],
        "deid_f1": scores["f1"],
        "deid_precision": scores["precision"],
        "deid_weighted_precision": scores["weighted_precision"],
        "deid_recall": scores["recall"],
        "entity_recall": scores["entity_recall"],
        "entity_recall_direct": scores["entity_recall_direct"],
        "entity_recall_quasi": scores["entity_recall_quasi"],
        "docs_fully_masked": scores["docs_fully_masked"],
        "docs_direct_fully_masked": scores["docs_direct_fully_masked"],
        "deid_per_type": scores["per_type"],
    }
    if bootstrap:
        out["deid_confidence"] = scores["confidence"]
    return out


class _PRF:
    """Predicted, gold and matching spans; what matches a prediction and what matches
    a gold span differ when spans overlap instead of being equal."""

    def __init__(self) -> None:
        self.predicted = self.gold = self.right = self.found = 0

    def as_dict(self) -> dict[str, float | None]:
        p = _ratio(self.right, self.predicted)
        r = _ratio(self.found, self.gold)
        return {"p": p, "r": r, "f": f_score(p, r), "f5": f_score(p, r, 5)}


def _count(
    predicted: Iterable[tuple[int, int, str]],
    gold: Iterable[tuple[int, int, str]],
    prf: dict[str, _PRF],
    overlap: bool,
) -> None:
    sides: tuple[dict[str, set[CharSpan]], ...] = (defaultdict(set), defaultdict(set))
    for side, spans in zip(sides, (predicted, gold)):
        for start, end, label in spans:
            side[label].add((start, end))
    for label in {*sides[0], *sides[1]}:
        p, g = sides[0][label], sides[1][label]
        counts = prf[label]
        counts.predicted += len(p)
        counts.gold += len(g)
        if overlap:
            counts.right += _touching(p, g)
            counts.found += _touching(g, p)
        else:
            counts.right += len(p & g)
            counts.found += len(p & g)


def _touching(spans: set[CharSpan], others: set[CharSpan]) -> int:
    """How many spans share a character with one of the others."""
    cover = _Cover(others)
    n = 0
    for start, end in spans:
        i = bisect_right(cover.starts, end - 1) - 1
        n += i >= 0 and cover.ends[i] > start
    return n


@registry.scorers("spacy_deid.span_scorer.v1")
def make_span_scorer(
    spans_key: str = NER_KEY, gold_key: str = PII_KEY, attr: str | None = None
) -> Scorer:
    """Precision, recall and F of labelled spans, exact and by overlap.

    Predicted spans whose group names a label scheme (attrs `scheme`) are compared
    with the gold labels in that scheme.

    spans_key (str): Span group of the prediction.
    gold_key (str): Span group of the reference.
    attr (str): Prefix of the scores; the prediction's key if None.
    RETURNS (Callable): Function of examples that gives `{attr}_p`, `{attr}_r`,
        `{attr}_f`, `{attr}_f5` and `{attr}_per_type` for equal spans,
        `{attr}_overlap_p` and so on where sharing a character is enough (the label
        still counts), and `{attr}_any_p` and so on for overlap whatever the label.
    """
    prefix = attr or spans_key

    return partial(span_scorer, spans_key=spans_key, gold_key=gold_key, prefix=prefix)


def span_scorer(
    examples: Iterable[Example],
    *,
    spans_key: str,
    gold_key: str,
    prefix: str,
    **kwargs: Any,
) -> dict[str, Any]:
    """Scores of examples; see `make_span_scorer`."""
    layers: list[dict[str, _PRF]] = [defaultdict(_PRF) for _ in range(3)]
    for example in examples:
        if gold_key not in example.reference.spans:
            continue
        found, gold = example.predicted.spans, example.reference.spans[gold_key]
        sides: list[list[tuple[int, int, str]]] = [[], []]
        labels: list[str | None] = [span.label_ for span in gold]
        if spans_key in found:
            group = found[spans_key]
            sides[0] = [(s.start_char, s.end_char, s.label_) for s in group]
            # A recognizer's own spans have the labels of its scheme.
            if "scheme" in group.attrs:
                labels = gold_labels(gold, make_label_scheme(group.attrs["scheme"]))
        sides[1] = [
            (span.start_char, span.end_char, label)
            for span, label in zip(gold, labels)
            if label is not None
        ]
        flat = [[(start, end, "") for start, end, _ in side] for side in sides]
        _count(sides[0], sides[1], layers[0], overlap=False)
        _count(sides[0], sides[1], layers[1], overlap=True)
        _count(flat[0], flat[1], layers[2], overlap=True)
    scores: dict[str, Any] = {}
    for name, prf in zip(("", "_overlap", "_any"), layers):
        total = _PRF()
        for counts in prf.values():
            for key, value in vars(counts).items():
                setattr(total, key, getattr(total, key) + value)
        for key, score in total.as_dict().items():
            scores[f"{prefix}{name}_{key}"] = score
        if name != "_any":
            scores[f"{prefix}{name}_per_type"] = {
                label: counts.as_dict() for label, counts in sorted(prf.items())
            }
    return scores
