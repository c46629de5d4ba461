"""`spacy deid convert`: annotated corpora to spaCy's binary format."""

from __future__ import annotations

import os
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

from tqdm import tqdm

from ..corpora.convert import Input, convert, parse_input, write_docbins
from ..corpora.report import Report
from ..surrogates.strategies.base import get_strategy
from ._errors import CliError, say, shown
from ._options import DEFAULT_KEY_ENV, command, read_key, read_label_map
from ._write import check_file, write_json


@dataclass(frozen=True)
class Reading:
    """How corpora are read and mixed; see `corpora.convert.convert`."""

    lang: str = "en"
    shuffle: bool = True
    seed: int = 0
    dev_fraction: float = 0.1
    leave_out: str = ""
    limit: int = 0
    encoding: str = "utf-8"
    join: str = "auto"
    n_sents: int = 1
    token_column: int | None = None
    tag_column: int | None = None
    quality_checked: bool = False
    spans_key: str | None = None


@dataclass(frozen=True)
class Replacing:
    """Whether and how surrogates stand in place of the annotated spans."""

    pseudonymize: bool = False
    strategy: str | None = None
    mask: str | None = None
    scope: str | None = None
    key_env: str | None = None

    def settings(self) -> dict[str, Any] | None:
        """Settings of the `GoldPseudonymizer`; None without one."""
        if not self.pseudonymize:
            for option, value in asdict(self).items():
                if value:
                    raise CliError(f"--{option.replace('_', '-')} needs --pseudonymize")
            return None
        name = self.key_env or DEFAULT_KEY_ENV
        if self.key_env or self.scope == "corpus" or os.environ.get(name):
            read_key(name)
        if self.strategy is not None:
            with shown(ValueError, at="--strategy"):
                get_strategy(self.strategy)
        return {
            "strategy": self.strategy,
            "mask": self.mask or "all",
            "scope": self.scope or "document",
            "key_env": name if os.environ.get(name) else None,
        }


@command
def convert_cli(
    paths: list[str],
    reading: Reading,
    replacing: Replacing,
    format: str = "auto",
    scheme: str | None = None,
    labels: Path | None = None,
    report: Path | None = None,
    strict: bool = False,
    dev: Path | None = None,
    shuffle_sentences: bool = False,
    overwrite: bool = False,
) -> None:
    """Convert annotated corpora to .spacy files and report what was lost."""
    *values, output = paths
    if not values:
        raise CliError("give one INPUT or more, and then OUTPUT.spacy")
    settings = asdict(reading) | {"pseudonymize": replacing.settings()}
    if dev is None:
        settings["dev_fraction"] = 0.0
    counts = Report()
    given = scheme, format, reading.encoding, read_label_map(labels)
    with shown(ValueError):
        inputs = [parse_input(value, *given) for value in values]
        outputs = [Path(output), *([dev] if dev is not None else [])]
        _check_outputs(inputs, outputs, report, overwrite)
        split = convert(
            inputs,
            report=counts,
            # Only where somebody looks on.
            progress=partial(tqdm, unit="doc", desc="convert", disable=None),
            cut_sentences=shuffle_sentences,
            **settings,
        )
    say(counts.table())
    write_json(report, counts.to_json())
    if strict and counts.losses:
        raise CliError(f"--strict: {counts.summary()}; nothing was written")
    written = dict(zip(outputs, (split.train, split.dev)))
    write_docbins(written)
    for path, docs in written.items():
        say(f"{path}: {len(docs)} documents")


def _check_outputs(
    inputs: list[Input], outputs: list[Path], report: Path | None, overwrite: bool
) -> None:
    for path in outputs:
        if path.suffix != ".spacy":
            raise CliError(f"{path}: the name of an output must end in .spacy")
    taken = [source.path.resolve() for source in inputs]
    for path in [*outputs, *([report] if report is not None else [])]:
        if path.resolve() in taken:
            raise CliError(f"{path}: named twice; inputs and outputs must differ")
        check_file(path, overwrite=overwrite)
        taken.append(path.resolve())
