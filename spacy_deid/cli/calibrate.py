"""`spacy deid calibrate` and `spacy deid curve`: what a recognizer's probabilities are
worth, and what its threshold trades."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ..assemble import clean, configure, save
from ..evaluation.bootstrap import show_value
from ..evaluation.calibration import calibrate, is_worse, plot_reliability, predict_once
from ..evaluation.curve import (
    COLUMNS,
    choose_threshold,
    format_curve,
    plot_curve,
    threshold_curve,
)
from ..evaluation.plots import check_plot, render
from ._corpus import read_references
from ._errors import CliError, say, shown
from ._options import command, use_gpu
from ._process import load_model
from ._write import check_file, check_folder, write_chunks, write_json


@command
def calibrate_cli(
    model: str,
    dev: Path,
    out: Path,
    component: str = "pii_ner",
    scheme: str = "tab",
    bins: int = 10,
    output: Path | None = None,
    plot: Path | None = None,
    keep: list[str] | None = None,
    or_keep: bool = False,
    gpu_id: int = -1,
    overwrite: bool = False,
) -> None:
    """Fit the temperature that makes a recognizer's probabilities hold.

    Where they hold no better in documents that the fit has not seen (each half at the
    temperature of the other), nothing is saved, or with --or-keep the pipeline with the
    temperature that it has.
    """
    _check_outputs(output, plot, overwrite)
    check_folder(out, "config.cfg", overwrite)
    use_gpu(gpu_id)
    nlp, predictions = _predict(model, dev, component, scheme)
    with shown(ValueError):
        report = calibrate(predictions, bins)
        if (worse := is_worse(report)) and not or_keep:
            print(format_calibration(report))
            note = "nothing was saved (--or-keep saves the pipeline as it was)"
            raise CliError(f"{component}: {worse}; {note}")
        chosen = report["before" if worse else "after"]["temperature"]
        configure(nlp, {component: {"temperature": chosen}})
        # The documents' words stay behind.
        calibrated = clean(nlp, keep=keep or ())
    print(format_calibration(report))
    # All that may fail comes before the first of the outputs.
    figure = render(plot_reliability(report), plot) if plot else b""
    save(calibrated, out)
    _write({**report, "kept": bool(worse)}, output, figure, plot)
    say(f"{component}: temperature {chosen}, pipeline in {out}")
    if worse:
        say(f"{component}: {worse}; its temperature is as it was")


@command
def curve_cli(
    model: str,
    gold: Path,
    component: str = "pii_ner",
    scheme: str = "tab",
    metric: str = "f5",
    recall: float | None = None,
    output: Path | None = None,
    plot: Path | None = None,
    gpu_id: int = -1,
    overwrite: bool = False,
) -> None:
    """Precision and recall at many O-thresholds, from one prediction."""
    if metric not in COLUMNS:
        raise CliError(f"--metric {metric}: use one of {', '.join(COLUMNS)}")
    _check_outputs(output, plot, overwrite)
    use_gpu(gpu_id)
    _, predictions = _predict(model, gold, component, scheme)
    rows = threshold_curve(predictions)
    print(format_curve(rows))
    column = metric if recall is None else "recall"
    with shown(ValueError):
        chosen = choose_threshold(rows, column, recall)
    report = {"component": component, "curve": rows, "chosen": chosen}
    _write(report, output, render(plot_curve(rows), plot) if plot else b"", plot)
    print(f"\no_threshold = {chosen['threshold']}  ({column} {chosen[column]:.3f})")


def format_calibration(report: dict[str, Any]) -> str:
    """A table for people."""
    lines = [f"{'':<10}temperature  tag loss  span ECE     spans"]
    for when in ("before", "after", "held_out"):
        if state := report[when]:
            ece = show_value(state["ece"], digits=4)
            fitted = f"{state['temperature']:>11.4f}{state['tag_loss']:>10.4f}"
            told = f"{when.replace('_', ' '):<10}{fitted}{ece:>10}"
            lines.append(f"{told}{state['spans']:>10}")
    lines += ["", "probability    spans  mean probability  share right"]
    for row in report["after"]["table"]:
        p, share = map(show_value, (row["confidence"], row["accuracy"]))
        interval = f"{row['low']:.2f} - {row['high']:.2f}"
        lines.append(f"{interval}{row['spans']:>9}{p:>18}{share:>13}")
    return "\n".join(lines)


def _predict(model: str, path: Path, component: str, scheme: str) -> tuple[Any, Any]:
    nlp = load_model(model)
    references = read_references(path, nlp, scheme)
    with shown(ValueError, at=str(path)):
        return nlp, predict_once(nlp, references, component)


def _check_outputs(output: Path | None, plot: Path | None, overwrite: bool) -> None:
    """Before any work is done."""
    check_file(output, overwrite=overwrite)
    if plot is not None:
        check_file(plot, overwrite=overwrite)
        if output is not None and output.resolve() == plot.resolve():
            raise CliError(f"{plot}: named twice; --output and --plot must differ")
        with shown(ImportError, ValueError, at=f"--plot {plot}"):
            check_plot(plot)


def _write(
    report: dict[str, Any], output: Path | None, figure: bytes, plot: Path | None
) -> None:
    write_json(output, report)
    if plot is not None:
        write_chunks(plot, [figure])
