"""`spacy deid convert`: annotated corpora to spaCy's binary format."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from spacy.tokens import Doc
from tqdm import tqdm

from ..corpora.convert import Input, convert, parse_input, write_docbins
from ..corpora.files import CorpusError
from ..corpora.report import Report
from ..surrogates.strategies.base import get_strategy
from ._errors import CliError, say, shown
from ._options import DEFAULT_KEY_ENV, command, read_key
from ._write import check_file, write_json

_WITH = "With --pseudonymize: "


@command
def convert_cli(
    paths: list[str],
    format: str = "auto",
    scheme: str | None = None,
    lang: str = "en",
    report: Path | None = None,
    strict: bool = False,
    shuffle: bool = True,
    seed: int = 0,
    dev: Path | None = None,
    dev_fraction: float = 0.1,
    limit: int = 0,
    encoding: str = "utf-8",
    join: str = "auto",
    n_sents: int = 1,
    token_column: int | None = None,
    tag_column: int | None = None,
    quality_checked: bool = False,
    pseudonymize: bool = False,
    strategy: str | None = None,
    mask: str | None = None,
    scope: str | None = None,
    key_env: str | None = None,
    shuffle_sentences: bool = False,
) -> None:
    """Convert annotated corpora to .spacy files and report what was lost."""
    settings: dict[str, Any] = dict(  # noqa: C408
        lang=lang,
        shuffle=shuffle,
        seed=seed,
        limit=limit,
        encoding=encoding,
        join=join,
        n_sents=n_sents,
        token_column=token_column,
        tag_column=tag_column,
        quality_checked=quality_checked,
        cut_sentences=shuffle_sentences,
        dev_fraction=dev_fraction if dev is not None else 0.0,
        pseudonymize=_replacing(pseudonymize, strategy, mask, scope, key_env),
    )
    with shown(CorpusError):
        inputs = [parse_input(path, scheme, format, encoding) for path in paths[:-1]]
    _convert(inputs, Path(paths[-1]), dev, report, strict, settings)


def _convert(
    inputs: list[Input],
    output: Path,
    dev: Path | None,
    report_path: Path | None,
    strict: bool,
    settings: dict[str, Any],
) -> None:
    if not inputs:
        raise CliError("give one INPUT or more, and then OUTPUT.spacy")
    outputs = [output] if dev is None else [output, dev]
    _check_outputs(inputs, outputs, report_path)
    report = Report()
    with shown(CorpusError):
        split = convert(inputs, report=report, progress=_show_progress, **settings)
    say(report.table())
    if report_path is not None:
        write_json(report_path, report.to_json())
    if strict and report.losses:
        raise CliError(f"--strict: {report.summary()}; nothing was written")
    written = dict(zip(outputs, (split.train, split.dev)))
    write_docbins(written)
    for path, docs in written.items():
        say(f"{path}: {len(docs)} documents")


def _replacing(
    pseudonymize: bool,
    strategy: str | None,
    mask: str | None,
    scope: str | None,
    key_env: str | None,
) -> dict[str, Any] | None:
    """Settings of the `GoldPseudonymizer`; None without one."""
    options = {"--strategy": strategy, "--mask": mask, "--scope": scope}
    options["--key-env"] = key_env
    if not pseudonymize:
        for option, value in options.items():
            if value is not None:
                raise CliError(f"{option} needs --pseudonymize")
        return None
    name = key_env or DEFAULT_KEY_ENV
    if key_env is not None or scope == "corpus":
        read_key(name)
    if strategy is not None:
        with shown(ValueError, at="--strategy"):
            get_strategy(strategy)
    return {
        "strategy": strategy,
        "mask": mask or "all",
        "scope": scope or "document",
        "key_env": name if os.environ.get(name) else None,
    }


def _check_outputs(
    inputs: list[Input], outputs: list[Path], report: Path | None
) -> None:
    for path in outputs:
        if path.suffix != ".spacy":
            raise CliError(f"{path}: the name of an output must end in .spacy")
    taken = [source.path.resolve() for source in inputs]
    for path in [*outputs, *([report] if report is not None else [])]:
        if path.resolve() in taken:
            raise CliError(f"{path}: named twice; inputs and outputs must differ")
        check_file(path)
        taken.append(path.resolve())


def _show_progress(docs: Iterable[Doc]) -> Iterable[Doc]:
    # Only where somebody looks on.
    return tqdm(docs, unit="doc", desc="convert", file=sys.stderr, disable=None)
