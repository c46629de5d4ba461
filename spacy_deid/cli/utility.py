"""`spacy deid utility`: what de-identified texts are worth to a model that learns a task."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from spacy import util

from ..embedded import DEFAULT_PIPELINE
from ..evaluation.plots import check_plot, render
from ..evaluation.utility.deidentify import Deidentifier
from ..evaluation.utility.protocol import compare
from ..evaluation.utility.report import draw, markdown
from ..records.process import find_pseudonymizer, set_scope
from ..registries import registry
from ..surrogates.epsilon import json_value
from ..surrogates.strategies.by_chance import make_by_chance
from ..tokenizer import blank_pipeline
from ._errors import CliError, say, shown
from ._options import command, read_value
from ._process import load_model
from ._write import check_file, write_chunks, write_json

SECTION = "utility"
_KNOWN = frozenset(
    "title seeds model lang mask scope types p level task train test strategies".split()
)
# The texts are not released: the same surrogates whenever it is done.
_KEY = b"utility of de-identified texts"


@command
def utility_cli(
    config: Path,
    output: Path | None = None,
    report: Path | None = None,
    plot: Path | None = None,
    set_: list[str] = [],  # noqa: B006
    overwrite: bool = False,
) -> None:
    """Measure what de-identified texts are worth to a model that learns a task.

    A model learns from the original and one from the de-identified training texts, both are
    tried on original test texts, and the second on de-identified ones: at least three runs
    each. The config says which task, texts and strategies (docs/utility.md).
    """
    outputs = {"--output": output, "--report": report, "--plot": plot}
    given = [(option, path) for option, path in outputs.items() if path is not None]
    for i, (option, path) in enumerate(given):
        taken = [config, *(p for _, p in given[:i])]
        check_file(path, option, taken, overwrite=overwrite)
    if plot is not None:
        with shown(ValueError, ImportError, at="--plot"):
            check_plot(plot)
    found = run_setup(read_setup(config, set_))
    text = markdown(found)
    print(text, end="")
    if report is not None:
        write_chunks(report, [text.encode("utf-8")])
    if plot is not None:
        write_chunks(plot, [render(draw(found), plot)])
    write_json(output, found)


def read_setup(path: Path, overrides: Sequence[str] = ()) -> dict[str, Any]:
    """The section [utility] of a config, its functions called.

    RAISES (CliError): If it is not there, or something in it makes no sense.
    """
    if not path.is_file():
        raise CliError(f"{path}: there is no such file")
    changes: dict[str, Any] = {}
    for given in overrides:
        key, sign, value = given.partition("=")
        if not sign or "." not in key:
            raise CliError(f"--set {given}: should be like utility.task.epochs=5")
        changes[key] = read_value(value)
    try:
        read = util.load_config(path, overrides=changes, interpolate=True)
        if SECTION not in read:
            raise CliError(f"{path}: there is no section [{SECTION}]")
        if unknown := sorted(read[SECTION].keys() - _KNOWN):
            raise CliError(f"{path}: [{SECTION}] has no setting '{unknown[0]}'")
        if missing := [n for n in ("task", "train", "test") if n not in read[SECTION]]:
            raise CliError(f"{path}: there is no section [{SECTION}.{missing[0]}]")
        return registry.resolve({SECTION: read[SECTION]})[SECTION]
    except CliError:
        raise
    except (ValueError, OSError) as error:
        # Of a config, or of a file that it names: neither quotes a text.
        raise CliError(f"{path}: {' '.join(str(error).split())}") from None


def run_setup(setup: Mapping[str, Any]) -> dict[str, Any]:
    """The protocol with the settings of a config."""
    task, train, test = setup["task"], setup["train"], setup["test"]
    level, seeds = setup.get("level", 0.95), setup.get("seeds", [0, 1, 2])
    made = _deidentifiers(setup)
    ways = {f"{name}, p = {p:g}": way for name, p, way in made}
    with shown(ValueError, ImportError):
        rows = compare(task, train, test, ways, seeds, level, say)
    original = {"strategy": "original", "p": None, "epsilon": None}
    facts: dict[str, dict[str, Any]] = {"original": original}
    for key, (name, p, way) in zip(ways, made):
        epsilon = json_value(round(way.epsilon, 4))
        facts[key] = {"strategy": name, "p": p, "epsilon": epsilon}
    return {
        "title": setup.get("title", "Utility"),
        "metric": task.metric,
        "train": len(train),
        "test": len(test),
        "seeds": len(seeds),
        "level": level,
        "rows": [{**row, **facts[row["trained_on"]]} for row in rows],
    }


def _deidentifiers(setup: Mapping[str, Any]) -> list[tuple[str, float, Deidentifier]]:
    """Strategies with each probability, and what de-identifies by them."""
    types = setup.get("types")
    model = setup.get("model", DEFAULT_PIPELINE)
    lang = setup.get("lang", "en")
    nlp = load_model(model) if types is None else blank_pipeline(lang)
    pipe = find_pseudonymizer(nlp, setup.get("mask", "all"))
    with shown(ValueError, at="scope"):
        set_scope(nlp, setup.get("scope", "document"))
    out = []
    for name, strategy in setup.get("strategies", {}).items():
        for p in setup.get("p", [1.0]):
            with shown(ValueError, at="p"):
                made = strategy if p == 1 else make_by_chance(strategy, p)
            out.append((name, float(p), Deidentifier(nlp, pipe, types, made, _KEY)))
    if not out:
        raise CliError(f"there are no strategies in [{SECTION}.strategies]")
    return out
