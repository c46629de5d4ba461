"""`spacy deid calibrate` and `spacy deid curve`: what a recognizer's probabilities are
worth, and what its threshold trades."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Annotated, Any

import typer

from ._errors import CliError, clean_errors, say
from ._gpu import GpuId, use_gpu
from ._io import write_atomic

Model = Annotated[
    str,
    typer.Argument(metavar="MODEL", help="Pipeline: embedded name, package or path"),
]
Component = Annotated[
    str, typer.Option("--component", help="Name of the recognizer in the pipeline")
]
Scheme = Annotated[
    str, typer.Option("--scheme", help="Label scheme of documents in JSON lines")
]
Plot = Annotated[
    Path | None,
    typer.Option("--plot", help="Draw a figure to this .svg or .png file"),
]


def calibrate_cli(
    model: Model,
    dev: Annotated[
        Path,
        typer.Argument(
            metavar="DEV",
            help="Annotated documents that were not trained on (.spacy or .jsonl)",
        ),
    ],
    out: Annotated[
        Path, typer.Argument(metavar="OUT", help="Folder for the calibrated pipeline")
    ],
    component: Component = "pii_ner",
    scheme: Scheme = "tab",
    bins: Annotated[
        int, typer.Option("--bins", min=1, help="Intervals of the reliability table")
    ] = 10,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="Write the report to this .json file"),
    ] = None,
    plot: Plot = None,
    keep: Annotated[
        list[str] | None,
        typer.Option(
            "--keep",
            help="vectors, lookups or tokenizer: known to hold no training text",
        ),
    ] = None,
    gpu_id: GpuId = -1,
) -> None:
    """Fit the temperature that makes a recognizer's probabilities hold."""
    calibrate_command(
        model, dev, out, component, scheme, bins, output, plot, keep or [], gpu_id
    )


@clean_errors
def calibrate_command(
    model: str,
    dev: Path,
    out: Path,
    component: str,
    scheme: str,
    bins: int,
    output: Path | None,
    plot: Path | None,
    keep: list[str],
    gpu_id: int = -1,
) -> int:
    """Run the command.

    model (str): As for `spacy_deid.load`.
    dev (Path): Gold documents.
    out (Path): Folder of the new pipeline.
    component (str): Name of the recognizer.
    scheme (str): Label scheme of JSON lines.
    bins (int): Intervals of the reliability table.
    output (Path): Where the report goes as JSON.
    plot (Path): Where the figure goes.
    keep (List[str]): See `assemble.clean`.
    gpu_id (int): GPU, -1 for none.
    RETURNS (int): Exit status.
    """
    from ..assemble import clean, configure, save
    from ..evaluation.calibration import calibrate, plot_reliability

    _check_outputs(output, plot)
    if out.is_file():
        raise CliError(f"{out}: is a file, and a pipeline needs a folder")
    use_gpu(gpu_id)
    nlp, predictions = _predict(model, dev, component, scheme)
    try:
        report = calibrate(predictions, bins)
        settings = {component: {"temperature": report["temperature"]}}
        configure(nlp, settings)
        # The documents' words stay behind.
        calibrated = clean(nlp, keep=keep)
    except ValueError as error:
        raise CliError(str(error)) from None
    print(format_calibration(report))
    # All that may fail comes before the first of the outputs.
    figure = _draw(plot_reliability, report, plot)
    save(calibrated, out)
    _write(report, output, figure, plot)
    say(f"{component}: temperature {report['temperature']}, pipeline in {out}")
    return 0


def curve_cli(
    model: Model,
    gold: Annotated[
        Path,
        typer.Argument(metavar="GOLD", help="Annotated documents (.spacy or .jsonl)"),
    ],
    component: Component = "pii_ner",
    scheme: Scheme = "tab",
    metric: Annotated[
        str,
        typer.Option("--metric", help="Column of the curve that is to be highest"),
    ] = "f5",
    recall: Annotated[
        float | None,
        typer.Option(
            "--recall",
            min=0,
            max=1,
            help="Instead of that, the lowest threshold with this recall of words",
        ),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="Write the curve to this .json file"),
    ] = None,
    plot: Plot = None,
    gpu_id: GpuId = -1,
) -> None:
    """Precision and recall at many O-thresholds, from one prediction."""
    curve_command(model, gold, component, scheme, metric, recall, output, plot, gpu_id)


@clean_errors
def curve_command(
    model: str,
    gold: Path,
    component: str,
    scheme: str,
    metric: str,
    recall: float | None,
    output: Path | None,
    plot: Path | None,
    gpu_id: int = -1,
) -> int:
    """Run the command.

    model (str): As for `spacy_deid.load`.
    gold (Path): Gold documents.
    component (str): Name of the recognizer.
    scheme (str): Label scheme of JSON lines.
    metric (str): Column of the curve that is to be highest.
    recall (float): Wanted recall of words, instead.
    output (Path): Where the curve goes as JSON.
    plot (Path): Where the figure goes.
    gpu_id (int): GPU, -1 for none.
    RETURNS (int): Exit status.
    """
    from ..evaluation.curve import (
        COLUMNS,
        choose_threshold,
        format_curve,
        plot_curve,
        threshold_curve,
    )

    if metric not in COLUMNS:
        raise CliError(f"--metric {metric}: use one of {', '.join(COLUMNS)}")
    _check_outputs(output, plot)
    use_gpu(gpu_id)
    _, predictions = _predict(model, gold, component, scheme)
    rows = threshold_curve(predictions)
    print(format_curve(rows))
    column = metric if recall is None else "recall"
    try:
        chosen = choose_threshold(rows, column, recall)
    except ValueError as error:
        raise CliError(str(error)) from None
    report = {"component": component, "curve": rows, "chosen": chosen}
    _write(report, output, _draw(plot_curve, rows, plot), plot)
    print(f"\no_threshold = {chosen['threshold']}  ({column} {chosen[column]:.3f})")
    return 0


def format_calibration(report: dict[str, Any]) -> str:
    """A table for people.

    report (dict): See `calibration.calibrate`.
    RETURNS (str): Several lines.
    """
    lines = [f"{'':<10}temperature  tag loss  span ECE     spans"]
    for when in ("before", "after", "held_out"):
        state = report[when]
        if state is None:
            continue
        ece = "-" if state["ece"] is None else f"{state['ece']:.4f}"
        lines.append(
            f"{when.replace('_', ' '):<10}{state['temperature']:>11.4f}"
            f"{state['tag_loss']:>10.4f}{ece:>10}{state['spans']:>10}"
        )
    lines += ["", "probability    spans  mean probability  share right"]
    for row in report["after"]["table"]:
        p, share = (
            "-" if row[name] is None else f"{row[name]:.3f}"
            for name in ("confidence", "accuracy")
        )
        lines.append(
            f"{row['low']:.2f} - {row['high']:.2f}{row['spans']:>9}{p:>18}{share:>13}"
        )
    return "\n".join(lines)


def _predict(model: str, path: Path, component: str, scheme: str) -> tuple[Any, Any]:
    from ..evaluation.calibration import predict_once
    from ._corpus import read_references
    from ._process import load_model

    nlp = load_model(model)
    references = read_references(path, nlp, scheme)
    try:
        return nlp, predict_once(nlp, references, component)
    except ValueError as error:
        raise CliError(f"{path}: {error}") from None


def _check_outputs(output: Path | None, plot: Path | None) -> None:
    """Before any work is done."""
    from ..evaluation.plots import check_plot

    for path in (output, plot):
        if path is not None and not path.parent.is_dir():
            raise CliError(f"{path}: the folder does not exist")
        if path is not None and path.is_dir():
            raise CliError(f"{path}: is a folder; name a file")
    if plot is None:
        return
    if output is not None and output.resolve() == plot.resolve():
        raise CliError(f"{plot}: named twice; --output and --plot must differ")
    try:
        check_plot(plot)
    except (ImportError, ValueError) as error:
        raise CliError(f"--plot {plot}: {error}") from None


def _draw(draw: Any, what: Any, plot: Path | None) -> bytes:
    """A figure as it is to be written; nothing if none is wanted."""
    if plot is None:
        return b""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / plot.name
        draw(what, path)
        return path.read_bytes()


def _write(
    report: dict[str, Any], output: Path | None, figure: bytes, plot: Path | None
) -> None:
    if output is not None:
        data = json.dumps(report, indent=2, ensure_ascii=False, allow_nan=False)
        write_atomic(output, data.encode("utf-8") + b"\n")
    if plot is not None:
        write_atomic(plot, figure)
