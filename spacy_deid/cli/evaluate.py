"""`spacy deid evaluate`: privacy metrics of a pipeline on annotated documents."""

from __future__ import annotations

import json
import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from spacy.language import Language

from ..corpora.convert import AUTO, check_format
from ..corpora.report import KINDS, Report
from ..evaluation.gold import GoldDocument, read_golds
from ..evaluation.privacy import SHARES, PrivacyCounts, PrivacyScorer, Weighting
from ..label_schemes import TABLE, make_label_scheme
from ..processes import progress_bar
from ..records.cleaning import Pseudonyms
from ..records.declared import TEXT, Declared
from ..records.process import Failure, Record, find_pseudonymizer, process_records
from ..registries import registry
from ..schema import SEMANTIC_TYPES
from ._corpus import some
from ._errors import CliError, say, shown
from ._options import Orders, check_mask, command, read_label_map, read_value, use_gpu
from ._process import load_model, make_chunks
from ._write import check_file, write_json


@dataclass(frozen=True)
class Annotation:
    """How the annotated documents are read; see `read_golds`."""

    scheme: str | None = None
    labels: Path | None = None
    format: str = AUTO
    spans_key: str | None = None


@command
def evaluate_cli(
    model: str,
    gold: Path,
    annotation: Annotation,
    orders: Orders,
    mask: str | None = None,
    output: Path | None = None,
    bootstrap: int = 1000,
    weighting: str | None = None,
    gpu_id: int = -1,
    overwrite: bool = False,
) -> None:
    """Measure how much of what annotators mask a pipeline masks."""
    check_mask(mask)
    check_file(output, "--output", [gold], overwrite=overwrite)
    use_gpu(gpu_id)
    golds = load_golds(gold, annotation)
    nlp = load_model(model)
    check_types(gold, golds, nlp)
    find_pseudonymizer(nlp, mask)
    orders.give(nlp)
    weigh = _own_weighting(nlp) if weighting is None else make_weighting(weighting)
    metrics = measure(nlp, golds, weigh, bootstrap)
    print(format_metrics(metrics))
    write_json(output, metrics)


def load_golds(path: Path, annotation: Annotation = Annotation()) -> list[GoldDocument]:
    """Read and validate gold documents. Records with the same id and text are the
    annotations of several annotators.

    RAISES (CliError): If anything is wrong: a metric on a part would mislead.
    """
    scheme = None
    if annotation.scheme is not None or annotation.labels is not None:
        labels = read_label_map(annotation.labels)
        with shown(ValueError, at="--scheme"):
            scheme = make_label_scheme(annotation.scheme or "tab", labels)
    report = Report()
    with shown(ValueError):
        format = check_format(annotation.format, path)
        golds = list(read_golds(path, report, scheme, format, annotation.spans_key))
    wrong = [issue for issue in report.issues if KINDS[issue.kind].loss]
    for issue in wrong[:20]:
        say(f"{issue}: {KINDS[issue.kind].text}")
    if wrong:
        more = f" (the first 20 of {len(wrong)} above)" if len(wrong) > 20 else ""
        raise CliError(f"{path}: {report.summary()}{more}")
    return some(golds, path)


def check_types(path: Path, golds: list[GoldDocument], nlp: Language) -> None:
    """Refuse labels that neither a scheme nor the pipeline knows: most often the file
    is of another kind, or a label misspelled, and its row in `per_type` would be read
    for another's."""
    found = {m.entity_type for g in golds for layer in g.annotators for m in layer}
    known = {label for scheme in TABLE.values() for label in scheme}
    known.update(*nlp.pipe_labels.values())
    if unknown := sorted(found - known - {""}):
        shown = ", ".join(map(json.dumps, unknown[:10]))
        more = ", ..." if len(unknown) > 10 else ""
        raise CliError(
            f"{path}: unknown entity_type {shown}{more}; known are "
            f"{', '.join(SEMANTIC_TYPES)}, the labels of the schemes in "
            "spacy_deid/label_schemes.py and those of the pipeline; say with --labels what others are"
        )


def make_weighting(text: str) -> Weighting:
    """The information content of words, by the name of a registered function.

    RAISES (CliError): If there is no such function, or it refuses the settings.
    """
    try:
        name, *parts = shlex.split(text) or [""]
    except ValueError as error:
        raise CliError(f"--weighting: {str(error).lower()}") from error
    if name not in (known := registry.deid_weightings.get_all()):
        names = ", ".join(sorted(known)) or "none"
        raise CliError(f"--weighting {name}: no such function; registered are {names}")
    settings = {}
    for part in parts:
        key, sign, value = part.partition("=")
        if not (key.isidentifier() and sign):
            raise CliError(f"--weighting {name}: '{part}' should be KEY=VALUE")
        settings[key] = read_value(value)
    try:
        weighting = known[name](**settings)
        # What it needs is there, before any document is read.
        if (check := getattr(weighting, "check", None)) is not None:
            check()
        return weighting
    except (TypeError, ValueError, OSError, ImportError) as error:
        raise CliError(f"--weighting {name}: {error}") from error


def _own_weighting(nlp: Language) -> Weighting | None:
    """The weighting of the pipeline's own privacy scorer."""
    for _, pipe in nlp.pipeline:
        scorer = getattr(pipe, "scorer", None)
        if isinstance(scorer, PrivacyScorer) and scorer.weighting is not None:
            return scorer.weighting
    return None


def measure(
    nlp: Any,
    golds: list[GoldDocument],
    weighting: Weighting | None = None,
    bootstrap: int = 0,
) -> dict[str, Any]:
    """Metrics of what a pipeline with a pseudonymizer replaces.

    RETURNS (dict): See `PrivacyCounts.scores`.
    RAISES (CliError): If a document fails.
    """
    counts = PrivacyCounts(weighting)
    with progress_bar("evaluate", len(golds), unit="doc") as bar:
        for chunk in make_chunks(golds, 32):
            records = [Record({TEXT: gold.text}, Declared()) for gold in chunk]
            for gold, done in zip(chunk, process_records(nlp, records, Pseudonyms())):
                if isinstance(done, Failure):
                    raise CliError(f"document {json.dumps(gold.doc_id)}: {done.place}")
                counts.add(gold, [r[:2] for r in done.result.replacements])
            bar.update(len(chunk))
    return counts.scores(bootstrap)


def format_metrics(metrics: dict[str, Any]) -> str:
    """A table for people."""
    n = metrics["counts"]
    sums = {f"entities{x}": n[f"direct{x}"] + n[f"quasi{x}"] for x in ("", "_masked")}
    n = {**n, **sums}
    confidence = metrics.get("confidence")

    def show(value: float | None, edges: Any) -> str:
        share = "   -" if value is None else f"{value:.3f}".rjust(5)
        # Without intervals their columns are left out.
        blank = " " * 15 if confidence else ""
        return share + (f" [{edges[0]:.3f}, {edges[1]:.3f}]" if edges else blank)

    around = confidence or {}
    lines = []
    for name, value in metrics.items():
        if name not in ("per_type", "counts", "confidence"):
            counted = name.startswith(("entity", "docs"))
            share = "{} of {}".format(*map(n.get, SHARES[name])) if counted else ""
            lines.append(f"{name:<26}{show(value, around.get(name))}  {share}".rstrip())
    width = max([len(name) for name in metrics["per_type"]] + [4]) + 2
    room = 37 if confidence else 22
    lines += ["", f"{'type':<{width}}{'entity recall':<{room}}mention recall"]
    for name, row in metrics["per_type"].items():
        entities = f"of {row['entities']}"
        own = around.get("per_type", {}).get(name, {})
        recall = show(row["entity_recall"], own.get("entity_recall"))
        mentions = show(row["mention_recall"], own.get("mention_recall"))
        told = f"{name or '-':<{width}}{recall}  {entities:<15}{mentions}"
        lines.append(f"{told}  of {row['mentions']}")
    if confidence:
        level, samples = 100 * confidence["level"], confidence["samples"]
        told = f"In brackets: {level:g} % of {samples} samples of the documents."
        lines += ["", told]
    return "\n".join(lines)
