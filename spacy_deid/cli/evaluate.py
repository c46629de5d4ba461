"""`spacy deid evaluate`: privacy metrics of a pipeline on annotated documents."""

from __future__ import annotations

import json
import shlex
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from ..schema import SEMANTIC_TYPES
from ._errors import CliError, clean_errors, describe, say
from ._gpu import GpuId, use_gpu
from ._io import JSONL, Reader, Source, kind_of, write_atomic
from ._process import find_pseudonymizer, load_model, make_chunks, pipe_batch

if TYPE_CHECKING:
    from spacy.language import Language

    from ..evaluation.privacy import GoldDocument, Weighting


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
    bootstrap: int = typer.Option(
        1000,
        "--bootstrap",
        metavar="N",
        min=0,
        help="Samples for the 95 % confidence intervals, over documents; 0: none",
    ),
    weighting: str | None = typer.Option(
        None,
        "--weighting",
        metavar='"NAME KEY=VALUE ..."',
        help="Information content of words, for weighted_precision: a function of the "
        "registry deid_weightings and its settings (default: that of the pipeline's "
        "scorer, if it has one)",
    ),
    gpu_id: GpuId = -1,
) -> None:
    """Measure how much of what annotators mask a pipeline masks."""
    out = Path(output) if output else None
    evaluate_command(model, Path(gold), mask, out, bootstrap, weighting, gpu_id)


@clean_errors
def evaluate_command(
    model: str,
    gold: Path,
    mask: str | None,
    output: Path | None,
    bootstrap: int = 0,
    weighting: str | None = None,
    gpu_id: int = -1,
) -> int:
    """Run the command.

    model (str): As for `spacy_deid.load`.
    gold (Path): JSON lines.
    mask (str): `all`, `risky` or None for the pipeline's own setting.
    output (Path): Where the metrics go as JSON.
    bootstrap (int): Samples for the confidence intervals; 0 for none.
    weighting (str): Name and settings of a function of `deid_weightings`.
    gpu_id (int): GPU, -1 for none.
    RETURNS (int): Exit status.
    """
    if mask not in (None, "all", "risky"):
        raise CliError(f"--mask {mask}: use all or risky")
    if output is not None and not output.parent.is_dir():
        raise CliError(f"--output {output}: the folder does not exist")
    use_gpu(gpu_id)
    golds = read_golds(gold)
    nlp = load_model(model)
    check_types(gold, golds, nlp)
    pipe = find_pseudonymizer(nlp)
    if mask is not None:
        pipe.mask = mask
    weigh = _own_weighting(nlp) if weighting is None else make_weighting(weighting)
    metrics = measure(nlp, golds, weigh, bootstrap)
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


def make_weighting(text: str) -> Weighting:
    """The information content of words, by the name of a registered function.

    text (str): Name and settings, as on the command line: "NAME KEY=VALUE ...". Values
        are JSON where they can be read so, else strings.
    RETURNS (Callable): The weighting.
    RAISES (CliError): If there is no such function, or it refuses the settings.
    """
    from ..registries import registry

    try:
        name, *parts = shlex.split(text) or [""]
    except ValueError as error:
        raise CliError(f"--weighting: {str(error).lower()}") from error
    known = registry.deid_weightings.get_all()
    if name not in known:
        names = ", ".join(sorted(known)) or "none"
        raise CliError(f"--weighting {name}: no such function; registered are {names}")
    settings = {}
    for part in parts:
        key, sign, value = part.partition("=")
        if not (key.isidentifier() and sign):
            raise CliError(f"--weighting {name}: '{part}' should be KEY=VALUE")
        try:
            settings[key] = json.loads(value)
        except ValueError:
            settings[key] = value
    try:
        weighting = known[name](**settings)
        # What it needs is there, before any document is read.
        check = getattr(weighting, "check", None)
        if check is not None:
            check()
        return weighting
    except (TypeError, ValueError, OSError, ImportError) as error:
        raise CliError(f"--weighting {name}: {error}") from error


def _own_weighting(nlp: Language) -> Weighting | None:
    """The weighting of the pipeline's own privacy scorer."""
    from ..evaluation.privacy import privacy_scorer

    for _, pipe in nlp.pipeline:
        scorer = getattr(pipe, "scorer", None)
        if isinstance(scorer, partial) and scorer.func is privacy_scorer:
            weighting = scorer.keywords.get("weighting")
            if weighting is not None:
                return weighting
    return None


def measure(
    nlp: Any,
    golds: list[GoldDocument],
    weighting: Weighting | None = None,
    bootstrap: int = 0,
) -> dict[str, Any]:
    """Metrics of what the pipeline replaces.

    nlp (Language): Pipeline with a pseudonymizer.
    golds (list[GoldDocument]): Annotated documents.
    weighting (Weighting): Information content of words, for `weighted_precision`.
    bootstrap (int): Samples for the confidence intervals; 0 for none.
    RETURNS (dict): See `PrivacyCounts.metrics`; with `confidence`, see
        `PrivacyCounts.confidence`, if there are samples.
    RAISES (CliError): If a document fails.
    """
    from tqdm import tqdm

    from ..evaluation.privacy import PrivacyCounts
    from ._io import Item
    from ._records import read_doc

    counts = PrivacyCounts(weighting)
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
    metrics = counts.metrics()
    if bootstrap:
        metrics["confidence"] = counts.confidence(bootstrap)
    return metrics


def format_metrics(metrics: dict[str, Any]) -> str:
    """A table for people.

    metrics (dict): See `PrivacyCounts.metrics`.
    RETURNS (str): Several lines.
    """
    counts = metrics["counts"]
    whole, part = counts["direct"] + counts["quasi"], counts["direct_masked"]
    beside = {
        "entity_recall": f"{part + counts['quasi_masked']} of {whole}",
        "entity_recall_direct": f"{counts['direct_masked']} of {counts['direct']}",
        "entity_recall_quasi": f"{counts['quasi_masked']} of {counts['quasi']}",
        "docs_fully_masked": f"{counts['docs_fully_masked']} of {counts['docs']}",
        "docs_direct_fully_masked": (
            f"{counts['docs_direct_fully_masked']} of {counts['docs']}"
        ),
    }
    confidence = metrics.get("confidence")
    # Without intervals their columns are left out.
    margin = partial(_interval, confidence) if confidence else lambda *path: ""
    lines = []
    for name, value in metrics.items():
        if name not in ("per_type", "counts", "confidence"):
            shares = f"{name:<26}{_share(value)}{margin(name)}"
            lines.append(f"{shares}  {beside.get(name, '')}".rstrip())
    width = max([len(name) for name in metrics["per_type"]] + [4]) + 2
    lines.append("")
    room = 22 + len(margin(""))
    lines.append(f"{'type':<{width}}{'entity recall':<{room}}mention recall")
    for name, row in metrics["per_type"].items():
        entities = f"of {row['entities']}"
        lines.append(
            f"{name or '-':<{width}}{_share(row['entity_recall'])}"
            f"{margin('per_type', name, 'entity_recall')}  {entities:<15}"
            f"{_share(row['mention_recall'])}"
            f"{margin('per_type', name, 'mention_recall')}  of {row['mentions']}"
        )
    if confidence:
        lines.append("")
        lines.append(
            f"In brackets: {100 * confidence['level']:g} % of {confidence['samples']} "
            "samples of the documents."
        )
    return "\n".join(lines)


def _interval(confidence: dict[str, Any], *path: str) -> str:
    """An interval of `PrivacyCounts.confidence`, or as many blanks."""
    value: Any = confidence
    for name in path:
        value = value.get(name) if isinstance(value, dict) else None
    return f" [{value[0]:.3f}, {value[1]:.3f}]" if isinstance(value, list) else " " * 15


def _share(value: float | None) -> str:
    return "   -" if value is None else f"{value:.3f}".rjust(5)
