"""`spacy deid evaluate`: privacy metrics of a pipeline on annotated documents."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from ..schema import SEMANTIC_TYPES
from ._errors import CliError, clean_errors, describe, say
from ._io import JSONL, Reader, Source, kind_of, write_atomic
from ._process import find_pseudonymizer, load_model, make_chunks, pipe_batch

if TYPE_CHECKING:
    from spacy.language import Language

    from ..evaluation.privacy import GoldDocument


def evaluate_cli(
    model: str = typer.Argument(
        ..., metavar="MODEL", help="Pipeline: embedded name, package or path"
    ),
    gold: str = typer.Argument(
        ..., metavar="GOLD", help="Annotated documents as JSON lines"
    ),
    mask: str | None = typer.Option(
        None,
        "--mask",
        help="all: every span found; risky: those judged to identify someone "
        "(default: the pipeline's own)",
    ),
    output: str | None = typer.Option(
        None, "--output", "-o", help="Write the metrics to this .json file"
    ),
) -> None:
    """Measure how much of what annotators mask a pipeline masks."""
    evaluate_command(model, Path(gold), mask, Path(output) if output else None)


@clean_errors
def evaluate_command(
    model: str, gold: Path, mask: str | None, output: Path | None
) -> int:
    """Run the command.

    model (str): As for `spacy_deid.load`.
    gold (Path): JSON lines.
    mask (str): `all`, `risky` or None for the pipeline's own setting.
    output (Path): Where the metrics go as JSON.
    RETURNS (int): Exit status.
    """
    if mask not in (None, "all", "risky"):
        raise CliError(f"--mask {mask}: use all or risky")
    if output is not None and not output.parent.is_dir():
        raise CliError(f"--output {output}: the folder does not exist")
    golds = read_golds(gold)
    nlp = load_model(model)
    check_types(gold, golds, nlp)
    pipe = find_pseudonymizer(nlp)
    if mask is not None:
        pipe.mask = mask
    metrics = measure(nlp, golds)
    print(format_metrics(metrics))
    if output is not None:
        data = json.dumps(metrics, indent=2, ensure_ascii=False, allow_nan=False)
        write_atomic(output, data.encode("utf-8") + b"\n")
    return 0


def read_golds(path: Path) -> list[GoldDocument]:
    """Read and validate gold documents. Records with the same id and text are the
    annotations of several annotators.

    path (Path): JSON lines.
    RETURNS (list[GoldDocument]): The documents, in order.
    RAISES (CliError): If any record is wrong: a metric on a part would mislead.
    """
    from ..evaluation.privacy import read_gold

    if not path.is_file():
        raise CliError(f"no such file: {path}")
    if kind_of(path) != JSONL:
        raise CliError(f"{path}: gold documents are read from .jsonl files")
    golds: dict[Any, GoldDocument] = {}
    problems = []
    n = 0
    for item in Reader(Source(path, path.name, JSONL), 0, "text", "doc_id"):
        n += 1
        try:
            if item.error is not None:
                raise ValueError(item.error)
            gold = read_gold(item.fields)
            known = golds.get(item.doc_id)
            if known is None:
                golds[item.doc_id] = gold
            elif known.text != gold.text:
                raise ValueError("another document before has the same doc_id")
            else:
                known.annotators = [*known.annotators, *gold.annotators]
        except ValueError as error:
            problems.append(f"{item.where}: {error}")
    if problems:
        for problem in problems[:20]:
            say(problem)
        more = f" (the first 20 of {len(problems)} above)" if len(problems) > 20 else ""
        raise CliError(f"{path}: {len(problems)} of {n} records are wrong{more}")
    if not golds:
        raise CliError(f"{path}: there are no documents in it")
    return list(golds.values())


def check_types(path: Path, golds: list[GoldDocument], nlp: Language) -> None:
    """Refuse labels that nobody knows: most often the file is of another kind, or a
    label misspelled, and its row in `per_type` would be read for another's.

    path (Path): Where the documents are from.
    golds (list[GoldDocument]): The documents.
    nlp (Language): The pipeline, whose own labels are known too.
    RAISES (CliError): If there is any.
    """
    from ..label_schemes import TABLE

    found = {m.entity_type for g in golds for layer in g.annotators for m in layer}
    known = {label for scheme in TABLE.values() for label in scheme}
    known.update(*nlp.pipe_labels.values())
    unknown = sorted(found - known - {""})
    if unknown:
        shown = ", ".join(map(json.dumps, unknown[:10]))
        more = ", ..." if len(unknown) > 10 else ""
        raise CliError(
            f"{path}: unknown entity_type {shown}{more}; known are "
            f"{', '.join(SEMANTIC_TYPES)}, the labels of the schemes in "
            "spacy_deid/label_schemes.py and those of the pipeline"
        )


def measure(nlp: Any, golds: list[GoldDocument]) -> dict[str, Any]:
    """Metrics of what the pipeline replaces.

    nlp (Language): Pipeline with a pseudonymizer.
    golds (list[GoldDocument]): Annotated documents.
    RETURNS (dict): See `PrivacyCounts.metrics`.
    RAISES (CliError): If a document fails.
    """
    from tqdm import tqdm

    from ..evaluation.privacy import PrivacyCounts
    from ._io import Item
    from ._records import read_doc

    counts = PrivacyCounts()
    items = (Item(i, g.doc_id, text=g.text) for i, g in enumerate(golds))
    with tqdm(total=len(golds), unit="doc", desc="evaluate", file=sys.stderr) as bar:
        for chunk in make_chunks(items, 32):
            problem = None
            # Raised outside the zone only: it would stay open.
            with nlp.memory_zone():
                for item, doc in zip(chunk, pipe_batch(nlp, [i.text for i in chunk])):
                    try:
                        record = read_doc(doc if doc is not None else nlp(item.text))
                        spans = [r[:2] for r in record.replacements]
                        counts.add(golds[item.source], spans)
                    except Exception as error:
                        problem = f"document {json.dumps(item.where)}: "
                        problem += describe(error)
                        break
            if problem is not None:
                raise CliError(problem)
            bar.update(len(chunk))
    return counts.metrics()


def format_metrics(metrics: dict[str, Any]) -> str:
    """A table for people.

    metrics (dict): See `PrivacyCounts.metrics`.
    RETURNS (str): Several lines.
    """
    counts = metrics["counts"]
    beside = {
        "entity_recall_direct": f"{counts['direct_masked']} of {counts['direct']}",
        "entity_recall_quasi": f"{counts['quasi_masked']} of {counts['quasi']}",
        "docs_fully_masked": f"{counts['docs_fully_masked']} of {counts['docs']}",
        "docs_direct_fully_masked": (
            f"{counts['docs_direct_fully_masked']} of {counts['docs']}"
        ),
    }
    lines = []
    for name, value in metrics.items():
        if name not in ("per_type", "counts"):
            lines.append(f"{name:<26}{_share(value)}  {beside.get(name, '')}".rstrip())
    width = max([len(name) for name in metrics["per_type"]] + [4]) + 2
    lines.append("")
    lines.append(f"{'type':<{width}}entity recall          mention recall")
    for name, row in metrics["per_type"].items():
        entities = f"of {row['entities']}"
        lines.append(
            f"{name or '-':<{width}}{_share(row['entity_recall'])}  {entities:<15}"
            f"{_share(row['mention_recall'])}  of {row['mentions']}"
        )
    return "\n".join(lines)


def _share(value: float | None) -> str:
    return "   -" if value is None else f"{value:.3f}".rjust(5)
