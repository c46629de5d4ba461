"""`spacy deid convert`: annotated corpora to spaCy's binary format."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ._errors import CliError, clean_errors, say
from ._io import write_atomic
from ._vault import DEFAULT_KEY_ENV, read_key

if TYPE_CHECKING:
    from spacy.tokens import Doc

    from ..corpora.convert import Input
    from ..corpora.report import Report

FORMATS = "auto, jsonl, tab, essays, brat or conll"


def convert_cli(
    paths: Annotated[
        list[str],
        typer.Argument(
            metavar="INPUT... OUTPUT.spacy",
            help="Files or folders, each as PATH or SCHEME[*N][@FORMAT]:PATH",
        ),
    ],
    format: str = typer.Option("auto", "--format", "-f", help=FORMATS),
    scheme: str | None = typer.Option(
        None, "--scheme", "-s", help="Label scheme (default: the format's usual one)"
    ),
    lang: str = typer.Option("en", "--lang", "-l", help="Language of the tokenizer"),
    report: str | None = typer.Option(
        None, "--report", help="Write counts and places to this .json file"
    ),
    strict: bool = typer.Option(
        False, "--strict", help="Fail, and write nothing, if an annotation is lost"
    ),
    shuffle: bool = typer.Option(True, "--shuffle/--no-shuffle"),
    seed: int = typer.Option(0, "--seed", help="Of the shuffle and the split"),
    dev: str | None = typer.Option(
        None, "--dev", help="Hold documents back and write them to this .spacy file"
    ),
    dev_fraction: float = typer.Option(
        0.1, "--dev-fraction", min=0, max=1, help="Share held back for --dev"
    ),
    limit: int = typer.Option(
        0, "--limit", min=0, help="At most so many documents of each input"
    ),
    encoding: str = typer.Option("utf-8", "--encoding", help="Of the input files"),
    join: str = typer.Option(
        "auto", "--join", help="conll: a document is auto, sentences or documents"
    ),
    n_sents: int = typer.Option(
        1, "--n-sents", min=1, help="conll: sentences put together to a document"
    ),
    token_column: int | None = typer.Option(
        None, "--token-column", help="conll: column of the tokens from 0"
    ),
    tag_column: int | None = typer.Option(
        None, "--tag-column", help="conll: column of the tags from 0"
    ),
    quality_checked: bool = typer.Option(
        False, "--quality-checked", help="tab: only documents that were checked"
    ),
    pseudonymize: bool = typer.Option(
        False,
        "--pseudonymize",
        help="Put surrogates in place of the annotated spans; no original is written",
    ),
    strategy: str | None = typer.Option(
        None, "--strategy", help="With --pseudonymize: as in `run` (full_entity)"
    ),
    mask: str | None = typer.Option(
        None,
        "--mask",
        help="With --pseudonymize: all annotated spans (default) or risky",
    ),
    scope: str | None = typer.Option(
        None,
        "--scope",
        help="With --pseudonymize: where one entity has one surrogate: mention, sentence, "
        "document (default) or corpus",
    ),
    key_env: str | None = typer.Option(
        None,
        "--key-env",
        help="With --pseudonymize: environment variable with the secret key (default: "
        f"{DEFAULT_KEY_ENV} if it is set, else a random key for each document)",
    ),
    shuffle_sentences: bool = typer.Option(
        False,
        "--shuffle-sentences",
        help="Cut all documents into sentences and shuffle these by the seed",
    ),
) -> None:
    """Convert annotated corpora to .spacy files and report what was lost."""
    convert_command(
        paths,
        format=format,
        scheme=scheme,
        lang=lang,
        report_path=Path(report) if report else None,
        strict=strict,
        dev=Path(dev) if dev else None,
        dev_fraction=dev_fraction,
        shuffle=shuffle,
        seed=seed,
        limit=limit,
        encoding=encoding,
        join=join,
        n_sents=n_sents,
        token_column=token_column,
        tag_column=tag_column,
        quality_checked=quality_checked,
        pseudonymize=pseudonymize,
        choices={
            "--strategy": strategy,
            "--mask": mask,
            "--scope": scope,
            "--key-env": key_env,
        },
        cut_sentences=shuffle_sentences,
    )


@clean_errors
def convert_command(
    paths: list[str],
    *,
    format: str,
    scheme: str | None,
    report_path: Path | None,
    strict: bool,
    dev: Path | None,
    dev_fraction: float,
    encoding: str,
    pseudonymize: bool = False,
    choices: dict[str, str | None],
    **settings: Any,
) -> int:
    """Run the command.

    paths (List[str]): Inputs and, last, the output.
    format (str): Format of inputs that name none, or `auto`.
    scheme (str): Scheme of inputs that name none, or None.
    report_path (Path): Where the report goes as JSON, or None.
    strict (bool): Whether a loss is an error.
    dev (Path): Where held back documents go, or None.
    dev_fraction (float): Share of them.
    encoding (str): Encoding of the inputs.
    pseudonymize (bool): Whether surrogates stand in place of the annotated spans.
    choices (Dict[str, Optional[str]]): Options that need `pseudonymize`.
    **settings (Any): See `corpora.convert.convert`.
    RETURNS (int): Exit status.
    """
    from ..corpora.convert import convert, parse_input, write_docbins
    from ..corpora.files import CorpusError
    from ..corpora.report import Report

    *values, output = paths
    if not values:
        raise CliError("give one INPUT or more, and then OUTPUT.spacy")
    report = Report()
    replacing = _replacing(pseudonymize, choices)
    try:
        inputs = [parse_input(value, scheme, format, encoding) for value in values]
        outputs = _check_outputs(inputs, Path(output), dev, report_path)
        split = convert(
            inputs,
            dev_fraction=dev_fraction if dev is not None else 0.0,
            report=report,
            progress=_show_progress,
            encoding=encoding,
            pseudonymize=replacing,
            **settings,
        )
    except CorpusError as error:
        raise CliError(str(error)) from None
    say(report.table())
    if report_path is not None:
        _write_report(report, report_path)
    if strict and report.losses:
        raise CliError(f"--strict: {report.summary()}; nothing was written")
    written = dict(zip(outputs, (split.train, split.dev)))
    write_docbins(written)
    for path, docs in written.items():
        say(f"{path}: {len(docs)} documents")
    return 0


def _replacing(
    pseudonymize: bool, choices: dict[str, str | None]
) -> dict[str, Any] | None:
    """Settings of the `GoldPseudonymizer`; None without one."""
    if not pseudonymize:
        for option, value in choices.items():
            if value is not None:
                raise CliError(f"{option} needs --pseudonymize")
        return None
    strategy, scope, key_env = (
        choices[f"--{o}"] for o in ("strategy", "scope", "key-env")
    )
    name = key_env or DEFAULT_KEY_ENV
    if key_env is not None or scope == "corpus":
        read_key(name)
    if strategy is not None:
        from ..surrogates.strategies.base import get_strategy

        try:
            get_strategy(strategy)
        except ValueError as error:
            raise CliError(f"--strategy: {error}") from error
    return {
        "strategy": strategy,
        "mask": choices["--mask"] or "all",
        "scope": scope or "document",
        "key_env": name if os.environ.get(name) else None,
    }


def _check_outputs(
    inputs: list[Input], output: Path, dev: Path | None, report_path: Path | None
) -> list[Path]:
    outputs = [output] if dev is None else [output, dev]
    for path in outputs:
        if path.suffix != ".spacy":
            raise CliError(f"{path}: the name of an output must end in .spacy")
    everything = [*outputs, *([report_path] if report_path is not None else [])]
    taken = [path.resolve() for path in everything]
    taken += [source.path.resolve() for source in inputs]
    for i, path in enumerate(everything):
        if not path.parent.is_dir():
            raise CliError(f"{path}: the folder {path.parent} does not exist")
        if taken[i] in taken[:i] + taken[len(everything) :]:
            raise CliError(f"{path}: named twice; inputs and outputs must differ")
    return outputs


def _show_progress(docs: Iterable[Doc]) -> Iterable[Doc]:
    from tqdm import tqdm

    # Only where somebody looks on.
    return tqdm(docs, unit="doc", desc="convert", file=sys.stderr, disable=None)


def _write_report(report: Report, path: Path) -> None:
    data = json.dumps(report.to_json(), indent=2, ensure_ascii=False)
    write_atomic(path, data.encode("utf-8") + b"\n")
