"""Silver corpora: raw text annotated by a recognizer and the gazetteers together.

The method of Papadopoulou et al. (2023), 4.2: a generic NER model finds named entities,
gazetteers find what has no name of its own, and the longest span wins.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from spacy.language import Language
from spacy.tokens import Doc

from ..entities.linking import link_entities
from ..entities.merging import make_merge_spans
from ..entities.propagation import make_propagate_names
from ..label_schemes import make_label_scheme
from ..registries import pipes_of
from ..schema import PII_KEY, Candidate, subtype_of, with_attrs
from ..text.offsets import trimmed
from .convert import training_tokenizer, write_docbin
from .readers import Record, Records, make_gold_doc, make_mention

ENTS = "ents"
# Made up; components that write a group write it for any text.
SAMPLE = "Anna Smith moved to London in 1999."
# Recognizers' memory grows with the text: longer ones are read piece by piece.
MAX_PIECE = 100_000
# The best places to cut come first; none of them is inside a name.
_CUTS = tuple(map(re.compile, (r"\n\s*\n", r"\n", r"[.!?]\s+", r"\s+")))
_WORD = re.compile(r"\w+")
# Components that find nothing, and need what is not there to be found.
_USELESS = ("risk_scorer", "pseudonymizer", "textcat", "textcat_multilabel")

# How far several detectors agree on a span, the best first.
AGREEMENT = ("same", "other_type", "overlap", "alone")


class Found(NamedTuple):
    """A span that the recognizer found, by characters; its label is of the recognizer's
    scheme, and `source` the detector as the recognizer names it, or ""."""

    start: int
    end: int
    label: str
    score: float
    source: str


class SilverCounts(dict):
    """Counts of a silver corpus by name of the table: `corpus` (documents, characters,
    tokens, spans), `types`, `subtypes` (`TYPE/SUBTYPE`), `sources`, `agreement`
    (`TYPE/` and one of AGREEMENT), `labels` (the recognizer's own), `unknown`
    (labels that the scheme does not have), `dropped` (why spans of the recognizer are
    not in the corpus) and `excluded` (documents, by reason).
    """

    TABLES = (
        "corpus types subtypes sources agreement labels unknown dropped excluded"
    ).split()

    def __init__(self) -> None:
        super().__init__((name, Counter()) for name in self.TABLES)

    def add(self, tables: dict[str, dict[str, int]]) -> None:
        """Add the counts of another part of the corpus."""
        for name, counts in tables.items():
            self[name].update(counts)

    def to_json(self) -> dict[str, dict[str, int]]:
        """All counts, the highest first."""
        tables = ((name, sorted(counts.items())) for name, counts in self.items())
        return {name: dict(sorted(rows, key=lambda x: -x[1])) for name, rows in tables}


class SilverAnnotator:
    """Annotates raw text with what a recognizer and the gazetteers find.

    nlp (Language): Any pipeline that finds entities.
    gazetteer (Optional[PIIGazetteer]): Patterns and terms, or None for the recognizer
        alone.
    scheme (Optional[str]): Label scheme of the recognizer; by default that of its
        `pii_ner`, the package's types for the group `pii`, else OntoNotes.
    spans_key (Optional[str]): Where the recognizer's spans are: `ents`, or a span
        group. By default the group of its `pii_ner` if it has one, else `ents`.
    propagate (bool): Take further mentions of what was found.
    min_score (float): Spans of the recognizer with a lower score are left out.
    max_piece (int): Characters that the recognizer reads at a time.
    RAISES (ValueError): If there is no such scheme.
    """

    def __init__(
        self,
        nlp: Language,
        gazetteer: Any = None,
        *,
        scheme: str | None = None,
        spans_key: str | None = None,
        propagate: bool = False,
        min_score: float = 0.0,
        max_piece: int = MAX_PIECE,
    ) -> None:
        self.nlp = nlp
        self.gazetteer = gazetteer
        self.spans_key = spans_key or find_spans_key(nlp)
        self.scheme = make_label_scheme(scheme or find_scheme(nlp, self.spans_key))
        self.merge = make_merge_spans()
        self.propagate = make_propagate_names() if propagate else None
        self.min_score = min_score
        self.max_piece = max_piece
        # Tokens of the recognizer to be trained, whatever those of this one.
        self.blank = training_tokenizer(nlp.lang or "xx")
        self.disabled = pipes_of(nlp, *_USELESS)

    def check_spans_key(self) -> None:
        """See on a sample whether the recognizer makes the span group."""
        problem = ""
        # Raised outside the zone only: it would stay open.
        with self.nlp.memory_zone():
            try:
                doc = self.nlp(SAMPLE, disable=self.disabled)
            except Exception:
                return  # What fails on every document is told with each.
            if self.spans_key != ENTS and self.spans_key not in doc.spans:
                groups = ", ".join(f"'{key}'" for key in doc.spans) or "none"
                problem = f"no span group '{self.spans_key}'; there are: {groups}"
        if problem:
            raise ValueError(f"{problem} (ents: the entities of `doc.ents`)")

    def annotate(self, texts: Sequence[str]) -> Iterator[tuple[Records, Any]]:
        """Annotate some texts."""
        pieces = [list(cut(text, self.max_piece)) for text in texts]
        pairs = zip(texts, pieces)
        parts = [text[a:b] for text, bounds in pairs for a, b in bounds]
        size = max(len(parts), 1)
        docs = self.nlp.pipe(parts, batch_size=size, disable=self.disabled)
        for text, bounds in zip(texts, pieces):
            rows = zip(bounds, docs)
            own = ((a, f) for (a, _), x in rows for f in read_spans(x, self.spans_key))
            found = [f._replace(start=a + f.start, end=a + f.end) for a, f in own]
            yield self._finish(text, found)

    def _finish(self, text: str, found: list[Found]) -> tuple[Records, SilverCounts]:
        counts = SilverCounts()
        doc = self.blank.make_doc(text)
        candidates = [*self._candidates(doc, text, found, counts)]
        if self.gazetteer is not None:
            candidates.extend(self.gazetteer.find(doc))
        merged = self.merge(doc, candidates)
        if self.propagate is not None:
            merged = self.merge(doc, [*merged, *self.propagate(doc, merged)])
        mentions = []
        rows = zip(merged, link_entities(doc, merged), agreements(merged, candidates))
        for c, entity, agreement in rows:
            span, subtype = doc[c.start : c.end], subtype_of(c.id, c.source)
            told = {"subtype": subtype, "score": round(float(c.score), 4)}
            more = {**told, "source": c.source, "entity_id": str(entity)}
            place = span.start_char, span.end_char
            mentions.append(make_mention(*place, c.label, **more))
            counts["types"][c.label] += 1
            if subtype:
                counts["subtypes"][f"{c.label}/{subtype}"] += 1
            counts["sources"][detector(c)] += 1
            counts["agreement"][f"{c.label}/{agreement}"] += 1
        sizes = {"characters": len(text), "tokens": len(doc), "spans": len(mentions)}
        counts["corpus"].update(documents=1, **sizes)
        return mentions, counts

    def _candidates(
        self, doc: Doc, text: str, found: Iterable[Found], counts: SilverCounts
    ) -> Iterator[Candidate]:
        """The recognizer's spans in the package's types and tokens."""
        for f in found:
            counts["labels"][f.label] += 1
            if f.label not in self.scheme.forward:
                counts["unknown"][f.label] += 1
                continue
            target = self.scheme.to_tab(f.label)
            start, end = trimmed(text, f.start, f.end)
            if target is None:
                counts["dropped"]["not_personal"] += 1
            elif f.score < self.min_score:
                counts["dropped"]["low_score"] += 1
            elif not any(map(str.isalnum, text[start:end])):
                counts["dropped"]["no_letter_or_digit"] += 1
            else:
                span = doc.char_span(start, end, alignment_mode="expand")
                assert span is not None
                source = f.source or f"ner:{f.label}"
                place = span.start, span.end
                yield Candidate(*place, target[0], target[1], f.score, source)


def make_gazetteer(
    nlp: Language,
    *,
    patterns: bool = True,
    seed_terms: bool = True,
    gazetteers: Iterable[str | Path] = (),
    term_threshold: float | None = None,
) -> Any:
    """The component that adds what no recognizer of names finds; None if it has
    nothing."""
    gazetteers = list(gazetteers)
    if not (patterns or seed_terms or gazetteers):
        return None
    config: dict[str, Any] = {}
    if not patterns:
        # Null switches a family off; an empty dict would leave the defaults.
        defaults = nlp.get_factory_meta("pii_gazetteer").default_config or {}
        config["patterns"] = dict.fromkeys(defaults["patterns"])
    if not seed_terms:
        config["terms"] = None
    if term_threshold is not None:
        config["term_threshold"] = term_threshold
    component: Any = nlp.create_pipe("pii_gazetteer", config=config)
    for path in gazetteers:
        component.add_gazetteer(path)
    return component


def _recognizers(nlp: Language) -> list[Any]:
    """The pipeline's `pii_ner` components, the last one first."""
    return [nlp.get_pipe(name) for name in reversed(pipes_of(nlp, "pii_ner"))]


def set_o_threshold(nlp: Language, value: float) -> None:
    """Let a pipeline's recognizers overlook less, or more, than is its own way.

    RAISES (ValueError): If it has none.
    """
    if not (recognizers := _recognizers(nlp)):
        raise ValueError("the pipeline has no pii_ner")
    for pipe in recognizers:
        pipe.o_threshold = value


def find_spans_key(nlp: Language) -> str:
    """Where a pipeline's entities are."""
    return next((pipe.spans_key for pipe in _recognizers(nlp)), ENTS)


def find_scheme(nlp: Language, spans_key: str) -> str:
    """Label scheme of a pipeline's entities, as far as it can be known."""
    if spans_key == PII_KEY:
        return "tab"
    own = (pipe for pipe in _recognizers(nlp) if pipe.spans_key == spans_key)
    return next((pipe.scheme.name for pipe in own), "ontonotes")


def read_spans(doc: Doc, spans_key: str) -> Iterator[Found]:
    """Entities of a processed Doc."""
    if spans_key == ENTS:
        rows: Iterable[Any] = ((ent, 1.0, "") for ent in doc.ents)
    else:
        rows = with_attrs(doc.spans[spans_key], scores=1.0, sources="")
    for span, score, source in rows:
        yield Found(span.start_char, span.end_char, span.label_, float(score), source)


def detector(candidate: Candidate) -> str:
    """Kind of detector of a candidate: `ner`, `pattern`, `term` ..."""
    return candidate.source.partition(":")[0]


def agreements(
    merged: Sequence[Candidate], candidates: Iterable[Candidate]
) -> list[str]:
    """How far other detectors agree with each merged span."""
    owners = {i: n for n, c in enumerate(merged) for i in range(c.start, c.end)}
    best = [len(AGREEMENT) - 1] * len(merged)
    for c in candidates:
        for n in {owners[i] for i in range(c.start, c.end) if i in owners}:
            winner = merged[n]
            rank = 0 if c.label == winner.label else 1
            if (c.start, c.end) != (winner.start, winner.end):
                rank = 2
            if detector(c) != detector(winner):
                best[n] = min(best[n], rank)
    return [AGREEMENT[rank] for rank in best]


def cut(text: str, size: int) -> Iterator[tuple[int, int]]:
    """Cut a long text where no entity is cut, as far as possible: between paragraphs,
    else lines, sentences, words."""
    start = 0
    while len(text) - start > size:
        # The second half only: a paragraph break near the start would make many pieces.
        end = start + size
        found = (pattern.finditer(text, end - size // 2, end) for pattern in _CUTS)
        ends = (max((m.end() for m in matches), default=0) for matches in found)
        end = next(filter(None, ends), end)
        yield start, end
        start = end
    yield start, len(text)


class Exclusion:
    """Tells raw text that is also in evaluation data: recognizers trained on it would
    be measured on what they have seen.

    A document is left out if it has a run of `n` words with just one evaluation
    document in common (runs that several have are formulas of the genre), or if half
    of its runs are in evaluation documents. Only hashes are kept.

    texts (Iterable[str]): Evaluation documents; equal texts count as one.
    n (int): Words of a run; texts with fewer words are compared as a whole.
    """

    def __init__(self, texts: Iterable[str], n: int = 13) -> None:
        if n < 1:
            raise ValueError("runs have at least 1 word")
        self.n = n
        self.documents = 0
        # Run -> whether only one document has it.
        self.runs: dict[int, bool] = {}
        seen: set[tuple[str, ...]] = set()
        for text in texts:
            if (words := tuple(_words(text))) in seen:
                continue
            seen.add(words)
            self.documents += 1
            for run in self._runs(words):
                self.runs[run] = run not in self.runs

    def _runs(self, words: Sequence[str]) -> set[int]:
        last = max(len(words) - self.n, 0)
        return {hash(tuple(words[i : i + self.n])) for i in range(last + 1) if words}

    def reason(self, text: str) -> str:
        """Why a document is to be left out."""
        runs = self._runs(_words(text))
        if any(shared := [self.runs[run] for run in runs if run in self.runs]):
            return "shared_run"
        return "half_shared" if runs and 2 * len(shared) >= len(runs) else ""


def _words(text: str) -> list[str]:
    return _WORD.findall(text.casefold())


def silver_doc(nlp: Language, record: Record) -> Doc:
    """A reference Doc of a silver record."""
    doc = make_gold_doc(nlp, [record], make_label_scheme())
    group = doc.spans[PII_KEY]
    if len(mentions := record["entity_mentions"]) == len(group):
        group.attrs["scores"] = [m["score"] for m in mentions]
        group.attrs["sources"] = [m["source"] for m in mentions]
    return doc


def write_silver_docbin(records: Iterable[Record], path: str | Path, lang: str) -> None:
    """Write silver records to a `.spacy` file, complete or not at all."""
    nlp = training_tokenizer(lang)
    write_docbin((silver_doc(nlp, record) for record in records), path)
