"""Strict precision, recall and F1 of a pipeline on annotated JSON lines.

    python benchmarks/strict.py PIPELINE assets/data/meddocan/dev.jsonl --scheme meddocan

A span is right if its first and last character and its label are those of the gold
file: offsets are compared in characters, so that a tokenizer which can't give a span
its gold offsets loses it. Beside that, by overlap: a span with the right label that
shares a character with gold, and, over all types, with any gold span. And by token,
punctuation left out: a token is right if it has the label of the gold span it lies in
(Papadopoulou et al. 2023, table 3, "with label match"). Scores are micro averages, and
per type.

Up to three layers are measured: the recognizer's own spans with the labels of the
scheme (if it was trained with it), the same as semantic types, and the spans of the
whole pipeline as semantic types. Types that the scheme does not annotate are left out.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from spacy.language import Language
from spacy.tokens import Doc, DocBin
from spacy.vocab import Vocab

import spacy_deid
from spacy_deid.corpora.readers import read_records
from spacy_deid.label_schemes import LabelScheme, make_label_scheme
from spacy_deid.schema import NER_KEY, PII_KEY


class LabelledSpan(NamedTuple):
    """A labelled stretch of text.

    start (int): First character.
    end (int): Character after the last.
    label (str): Label.
    """

    start: int
    end: int
    label: str


Relabel = Callable[[str], "str | None"]
# In tables of tokens: in no span.
OUTSIDE = "O"


def gold_spans(
    record: dict[str, Any], relabel: Relabel, outermost: bool = False
) -> set[LabelledSpan]:
    """Gold of a record.

    record (dict): With `entity_mentions`.
    relabel (Callable): Label to compare for a label of the file; None to leave out.
    outermost (bool): Leave out what lies inside a longer span.
    RETURNS (set[LabelledSpan]): The spans.
    """
    spans = {
        LabelledSpan(m["start_offset"], m["end_offset"], label)
        for m in record["entity_mentions"]
        if (label := relabel(m["entity_type"])) is not None
    }
    return drop_inner(spans) if outermost else spans


def drop_inner(spans: Iterable[LabelledSpan]) -> set[LabelledSpan]:
    """The spans that lie in no longer one.

    spans (Iterable[LabelledSpan]): Spans, overlapping or not.
    RETURNS (set[LabelledSpan]): Those left.
    """
    kept: set[LabelledSpan] = set()
    furthest, width = -1, 0
    for span in sorted(spans, key=lambda s: (s.start, -s.end)):
        if span.end > furthest or span.end - span.start == width:
            kept.add(span)
        if span.end > furthest:
            furthest, width = span.end, span.end - span.start
    return kept


def found_spans(doc: Doc, key: str, relabel: Relabel) -> set[LabelledSpan]:
    """What a pipeline found.

    doc (Doc): The document.
    key (str): Span group.
    relabel (Callable): Label to compare for a span's label; None to leave out.
    RETURNS (set[LabelledSpan]): The spans.
    """
    return {
        LabelledSpan(span.start_char, span.end_char, label)
        for span in doc.spans.get(key, [])
        if (label := relabel(span.label_)) is not None
    }


class Counts:
    """Spans by label: found, in gold, right; what overlaps."""

    def __init__(self) -> None:
        names = ("found", "gold", "right", "found_near", "gold_near")
        names += ("found_tokens", "gold_tokens", "right_tokens")
        self.by: dict[str, Counter[str]] = {name: Counter() for name in names}
        self.any: Counter[str] = Counter()
        # Of tokens: label in gold, label found.
        self.confusion: Counter[tuple[str, str]] = Counter()

    def add(self, found: set[LabelledSpan], gold: set[LabelledSpan]) -> None:
        """Count a document.

        found (set[LabelledSpan]): What was found.
        gold (set[LabelledSpan]): What is annotated.
        """
        self.by["found"].update(span.label for span in found)
        self.by["gold"].update(span.label for span in gold)
        self.by["right"].update(span.label for span in found & gold)
        for name, ours, others in (("found", found, gold), ("gold", gold, found)):
            for span in ours:
                near = {o.label for o in others if _touch(span, o)}
                self.by[f"{name}_near"][span.label] += span.label in near
                self.any[name] += bool(near)

    def add_tokens(
        self, doc: Doc, found: set[LabelledSpan], gold: set[LabelledSpan]
    ) -> None:
        """Count the tokens of a document.

        doc (Doc): The document.
        found (set[LabelledSpan]): What was found.
        gold (set[LabelledSpan]): What is annotated.
        """
        ours, others = token_labels(doc, found), token_labels(doc, gold)
        self.by["found_tokens"].update(ours.values())
        self.by["gold_tokens"].update(others.values())
        right = ours.items() & others.items()
        self.by["right_tokens"].update(label for _, label in right)
        self.confusion.update(
            (others.get(i, OUTSIDE), ours.get(i, OUTSIDE)) for i in ours | others
        )

    def scores(self) -> dict[str, Any]:
        """Strict and overlap scores, and those of tokens.

        RETURNS (dict): `strict`, `overlap` and `token`, each with `p`, `r`, `f`, and
            `per_type`; `any_label` for overlap whatever the label, and `token_any` for
            tokens; `confusion`, tokens by gold label and then by label found.
        """
        by = self.by
        tokens = by["found_tokens"].total(), by["gold_tokens"].total()
        both = sum(n for pair, n in self.confusion.items() if OUTSIDE not in pair)
        confusion: dict[str, dict[str, int]] = {}
        for (gold, found), n in sorted(self.confusion.items()):
            confusion.setdefault(gold, {})[found] = n
        n_found, n_gold = by["found"].total(), by["gold"].total()
        return {
            "found": n_found,
            "gold": n_gold,
            "strict": self._layer(by["right"], by["right"]),
            "overlap": self._layer(by["found_near"], by["gold_near"]),
            "token": self._layer(by["right_tokens"], by["right_tokens"], "_tokens"),
            "token_any": prf(both, tokens[0], both, tokens[1]),
            "any_label": prf(self.any["found"], n_found, self.any["gold"], n_gold),
            "confusion": confusion,
        }

    def _layer(
        self, right: Counter[str], reached: Counter[str], unit: str = ""
    ) -> dict[str, Any]:
        found, gold = self.by[f"found{unit}"], self.by[f"gold{unit}"]
        return {
            **prf(right.total(), found.total(), reached.total(), gold.total()),
            "per_type": {
                label: {
                    **prf(right[label], found[label], reached[label], gold[label]),
                    "gold": gold[label],
                }
                for label in sorted({*found, *gold})
            },
        }


def _touch(a: LabelledSpan, b: LabelledSpan) -> bool:
    return a.start < b.end and b.start < a.end


def token_labels(doc: Doc, spans: Iterable[LabelledSpan]) -> dict[int, str]:
    """The label of each token that lies in a span, at least in part, without
    punctuation and white space; of the longest span, if they overlap.

    doc (Doc): The document.
    spans (Iterable[LabelledSpan]): Spans of its text.
    RETURNS (dict[int, str]): By the token's place in the document.
    """
    labels: dict[int, str] = {}
    for start, end, label in sorted(spans, key=lambda s: s.end - s.start):
        span = doc.char_span(start, end, alignment_mode="expand")
        for token in span or ():
            if not token.is_punct and not token.is_space:
                labels[token.i] = label
    return labels


def prf(right: int, found: int, reached: int, gold: int) -> dict[str, float | None]:
    """Precision, recall and F1.

    right (int): Spans found that are right.
    found (int): Spans found.
    reached (int): Gold spans that were found.
    gold (int): Gold spans.
    RETURNS (dict[str, Optional[float]]): `p`, `r`, `f`; None where nothing was found
        or nothing is annotated.
    """
    p = right / found if found else None
    r = reached / gold if gold else None
    f = None if p is None or r is None else 2 * p * r / (p + r) if p + r else 0.0
    return {
        name: None if value is None else round(value, 4)
        for name, value in (("p", p), ("r", r), ("f", f))
    }


def recognizer_scheme(nlp: Language) -> LabelScheme | None:
    """The label scheme of a pipeline's recognizer.

    nlp (Language): The pipeline.
    RETURNS (Optional[LabelScheme]): Its scheme; None without a recognizer.
    """
    if not nlp.has_pipe("pii_ner"):
        return None
    return make_label_scheme(nlp.get_pipe_config("pii_ner").get("scheme", "tab"))


def measure(
    nlp: Language,
    records: Iterable[dict[str, Any]],
    scheme: LabelScheme,
    types: Sequence[str] = (),
    outermost: bool = False,
) -> dict[str, Any]:
    """Scores of a pipeline on annotated documents.

    nlp (Language): The pipeline.
    records (Iterable[dict]): The documents.
    scheme (LabelScheme): Scheme of their labels.
    types (Sequence[str]): Semantic types to compare; all that the scheme annotates
        if empty.
    outermost (bool): Leave out gold spans inside longer ones.
    RETURNS (dict): `documents`, and the scores of each layer (see `Counts.scores`) by
        its name, for example "pii, semantic".
    """
    records = list(records)
    wanted = set(types or scheme.covers)
    own = recognizer_scheme(nlp)

    def semantic(labels: LabelScheme) -> Relabel:
        def relabel(label: str) -> str | None:
            target = labels.to_tab(label)
            return target[0] if target is not None and target[0] in wanted else None

        return relabel

    def native(label: str) -> str | None:
        return label if semantic(scheme)(label) is not None else None

    layers: dict[str, tuple[str, Relabel, Relabel]] = {}
    if own == scheme and scheme.name != "tab":
        layers[f"{NER_KEY}, {scheme.name}"] = (NER_KEY, native, native)
    if own is not None:
        name = f"{NER_KEY}, semantic"
        layers[name] = (NER_KEY, semantic(own), semantic(scheme))
    tab = semantic(make_label_scheme("tab"))
    layers[f"{PII_KEY}, semantic"] = (PII_KEY, tab, semantic(scheme))
    counts = {name: Counts() for name in layers}
    masking = [p for p in nlp.pipe_names if p in ("risk_scorer", "pseudonymizer")]
    with nlp.select_pipes(disable=masking):
        for record, doc in zip(records, nlp.pipe(r["text"] for r in records)):
            for name, (key, relabel, relabel_gold) in layers.items():
                gold = gold_spans(record, relabel_gold, outermost)
                found = found_spans(doc, key, relabel)
                counts[name].add(found, gold)
                counts[name].add_tokens(doc, found, gold)
    scores = {name: c.scores() for name, c in counts.items()}
    return {"documents": len(records), **scores}


def by_type(scores: dict[str, Any]) -> str:
    """Token scores by type, and what types are taken for, as two tables in Markdown.

    scores (dict): Scores of one layer, as `Counts.scores` makes them.
    RETURNS (str): Precision, recall and F1 with label match, and recall whatever the
        label; then the share of each type's tokens that got each label.
    """
    rows = scores["token"]["per_type"]
    lines = [("type", "tokens", "P", "R", "F1", "R, any label")]
    for label, row in rows.items():
        values = (row["p"], row["r"], row["f"], reached(scores, label))
        lines.append((label, f"{row['gold']:,}", *map(rate, values)))
    return markdown(lines) + "\n" + confusion_table(scores)


def reached(scores: dict[str, Any], label: str) -> float | None:
    """Recall of a type's tokens whatever the label; None where none is annotated."""
    row = scores["confusion"].get(label, {})
    total = sum(row.values())
    return 1 - row.get(OUTSIDE, 0) / total if total else None


def confusion_table(scores: dict[str, Any]) -> str:
    """What types are taken for, in Markdown."""
    confusion = scores["confusion"]
    names = [*scores["token"]["per_type"], OUTSIDE]
    found = [("gold, down; found, across", *names)]
    for label in names:
        row = confusion.get(label, {})
        total = sum(row.values())
        shares = (rate(row.get(name, 0) / total if total else None) for name in names)
        found.append((label, *shares))
    return markdown(found)


def save(texts: dict[Path | None, str]) -> None:
    """Write texts to the files that are asked for."""
    for path, text in texts.items():
        if path is not None:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf8")


def rate(value: float | None) -> str:
    return "" if value is None else f"{value:.2f}"


def markdown(rows: Sequence[Sequence[str]]) -> str:
    head, *body = rows
    rule = ["---", *["---:"] * (len(head) - 1)]
    return "".join(f"| {' | '.join(row)} |\n" for row in (head, rule, *body))


def only_held_out(
    records: Iterable[dict[str, Any]], path: Path
) -> Iterator[dict[str, Any]]:
    """Records of the documents that were held back from training.

    records (Iterable[dict]): Records.
    path (Path): DocBin of the documents held back, as `convert --dev` writes it.
    YIELDS (dict): The records whose text is there, with the offsets of the gold file.
    RAISES (ValueError): If the file holds none of them.
    """
    held_out = {doc.text for doc in DocBin().from_disk(path).get_docs(Vocab())}
    n = 0
    for record in records:
        if record["text"] in held_out:
            n += 1
            yield record
    if not n:
        raise ValueError(f"{path}: none of the gold documents is in this file")


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("pipeline")
    parser.add_argument("gold", type=Path, help="JSON lines")
    parser.add_argument("--scheme", default="tab", help="label scheme of the file")
    parser.add_argument(
        "--types", nargs="+", default=[], metavar="TYPE", help="semantic types only"
    )
    parser.add_argument(
        "--outermost", action="store_true", help="without gold inside longer gold"
    )
    parser.add_argument(
        "--held-out",
        type=Path,
        metavar="FILE.spacy",
        help="only the documents of this file, which training did not see",
    )
    parser.add_argument("--by", metavar="FIELD", help="documents by a field's value")
    parser.add_argument("--output", type=Path)
    parser.add_argument("--tables", type=Path, help="scores by type, in Markdown")
    args = parser.parse_args(argv)
    try:
        scheme = make_label_scheme(args.scheme)
        unknown = set(args.types) - set(scheme.covers)
        if unknown:
            raise ValueError(
                f"scheme '{scheme.name}' annotates no {', '.join(sorted(unknown))}"
            )
        records: Iterable[dict[str, Any]] = read_records(args.gold)
        if args.held_out:
            records = only_held_out(records, args.held_out)
        nlp = spacy_deid.load(args.pipeline)
        groups: dict[str, list[dict[str, Any]]] = {}
        for record in records:
            groups.setdefault(str(record[args.by]) if args.by else "", []).append(
                record
            )
        results = {
            name: measure(nlp, group, scheme, args.types, args.outermost)
            for name, group in groups.items()
        }
    except (KeyError, ValueError, OSError) as e:
        print(f"strict: {e}", file=sys.stderr)
        return 1
    scores = results if args.by else results[""]
    text = json.dumps(scores, indent=2) + "\n"
    tables = "\n".join(
        f"### {' '.join(filter(None, (name, layer)))}\n\n{by_type(found)}"
        for name, layers in results.items()
        for layer, found in layers.items()
        if layer != "documents"
    )
    print(tables if args.tables else text, end="")
    save({args.output: text, args.tables: tables})
    return 0


if __name__ == "__main__":
    sys.exit(main())
