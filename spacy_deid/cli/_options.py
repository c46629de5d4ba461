"""Commands of functions: arguments, options and errors; what several options do."""

from __future__ import annotations

import contextlib
import csv
import functools
import inspect
import json
import os
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import MISSING, Field, astuple, dataclass, field, fields, is_dataclass
from pathlib import Path
from typing import Annotated, Any, TypeVar, get_type_hints

import spacy
import typer
from spacy.language import Language

from ..data import table
from ..embedded import give_orders
from ..patterns.own import read_pattern
from ..surrogates.consistency import check_key
from ._errors import CliError, clean_errors, shown

DEFAULT_KEY_ENV = "SPACY_DEID_KEY"
F = TypeVar("F", bound=Callable[..., Any])
# By COMMAND.NAME, or by NAME for all commands.
OPTIONS = {row["option"]: row for row in table("cli_options")}


def command(function: F) -> F:
    """Make a command of a function, NAME_cli, that returns its exit status (None for 0).

    Parameters without a default are arguments, others options unless the table says so; the fields of one that
    is a dataclass stand for it, if the table of options has them. What help says of them is in `data/cli_options.tsv`.
    Every error ends in one line on stderr.
    """
    name = function.__name__.removesuffix("_cli")
    owners = dict(_flat(function))

    @functools.wraps(function)
    def gathered(**values: Any) -> Any:
        groups: dict[str, dict[str, Any]] = defaultdict(dict)
        for key, (owner, _) in owners.items():
            groups[owner][key] = values[key]
        hints = get_type_hints(function)
        return function(**{k: _build(hints[k], k, g) for k, g in groups.items()})

    made = clean_errors(gathered)
    parameters = [_declare(name, parameter) for _, parameter in owners.values()]
    made.__annotations__ = {p.name: p.annotation for p in parameters}
    made.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    return made  # type: ignore[return-value]


def _flat(function: Callable) -> Iterator[tuple[str, tuple[str, inspect.Parameter]]]:
    """Name of an option, the function's parameter that it belongs to, and its own."""
    hints = get_type_hints(function)
    name = function.__name__.removesuffix("_cli")
    keyword = inspect.Parameter.KEYWORD_ONLY
    for owner, given in inspect.signature(function).parameters.items():
        options = {owner: (given.default, hints[owner])}
        if is_dataclass(hints[owner]):
            kinds = get_type_hints(hints[owner])
            own = {f.name: f for f in fields(hints[owner])}
            known = [k for k in own if k in OPTIONS or f"{name}.{k}" in OPTIONS]
            options = {k: (_default(own[k]), kinds[k]) for k in known}
        for key, (default, hint) in options.items():
            default = inspect.Parameter.empty if default is MISSING else default
            made = inspect.Parameter(key, keyword, default=default, annotation=hint)
            yield key, (owner, made)


def _default(own: Field) -> Any:
    return own.default if own.default_factory is MISSING else own.default_factory()


def _build(hint: Any, owner: str, values: dict[str, Any]) -> Any:
    """The value of a function's parameter, of those of its options."""
    if not is_dataclass(hint):
        return values[owner]
    try:
        return hint(**values)  # type: ignore[operator]
    except ValueError as error:
        # Its message begins with the field.
        name, _, problem = str(error).partition(" ")
        raise CliError(f"--{name.replace('_', '-')} {problem}") from None


def _declare(command: str, parameter: inspect.Parameter) -> inspect.Parameter:
    """A parameter as typer has it."""
    key = parameter.name.removesuffix("_")
    row = OPTIONS.get(f"{command}.{key}") or OPTIONS[key]
    settings: dict[str, Any] = {k: float(row[k]) for k in ("min", "max") if row[k]}
    settings |= {"help": row["help"], "metavar": row["metavar"] or None}
    flags = row["flags"].split()
    argument = parameter.default is parameter.empty and not flags
    if flags == ["argument"]:
        argument, flags = True, []
    kind: Any = typer.Argument if argument else typer.Option
    info = kind(..., *flags, **settings)
    return parameter.replace(annotation=Annotated[parameter.annotation, info])


@dataclass(frozen=True)
class Orders:
    """What a user orders: options of `run` and `evaluate`."""

    profile: str | None = None
    types: str = ""
    threshold: float | None = None
    allow: list[str] = field(default_factory=list)
    deny: list[str] = field(default_factory=list)
    pattern: list[str] = field(default_factory=list)

    def give(self, nlp: Language) -> None:
        """Give the orders to a pipeline.

        RAISES (CliError): If one makes no sense.
        """
        orders: dict[str, Any] = {
            "allow": [_term_or_file("--allow", term) for term in self.allow],
            "deny": [_term_or_file("--deny", term) for term in self.deny],
            "types": split(self.types),
            "threshold": self.threshold,
            "profile": self.profile,
        }
        with shown(ValueError, at="--pattern"):
            orders["patterns"] = [*map(read_pattern, self.pattern)]
        for name, value in orders.items():
            with shown(ValueError, at=f"--{name}"):
                give_orders(nlp, **{name: value})

    def facts(self) -> list[Any]:
        """What tells other orders apart, the contents of files included."""
        paths = [Path(p) for p in (self.profile or "", *self.allow, *self.deny)]
        return [*astuple(self), [p.read_bytes().hex() for p in paths if p.is_file()]]


def _term_or_file(option: str, value: str) -> str | Path:
    """A term, or the file that has it for its name."""
    path = Path(value)
    if path.suffix in (".txt", ".tsv") or path.is_file():
        # A list that is not there must not be taken for a term.
        if not path.is_file():
            raise CliError(f"{option} {value}: there is no such file")
        return path
    if not value.strip():
        raise CliError(f"{option}: a term is empty")
    return value


def check_mask(mask: str | None) -> None:
    if mask not in (None, "all", "risky"):
        raise CliError(f"--mask {mask}: use all or risky")


def check_n_process(n_process: int) -> None:
    if n_process < 1 and n_process != -1:
        raise CliError("--n-process has to be at least 1, or -1 for one a core")


def use_gpu(gpu_id: int, n_process: int = 1) -> None:
    """Compute on a GPU from here on (below 0: not), before a pipeline is loaded; check
    the number of processes."""
    check_n_process(n_process)
    if gpu_id < 0:
        return
    if n_process != 1:
        raise CliError("--gpu-id and --n-process: a GPU serves one process")
    try:
        spacy.require_gpu(gpu_id)
    except Exception as error:
        missing = "or a package for it is missing (CuPy, as in spacy[cuda12x])"
        problem = f"--gpu-id {gpu_id}: no such GPU, {missing}"
        raise CliError(f"{problem}; without --gpu-id the CPU is used") from error


def read_key(name: str) -> str:
    """The secret key in an environment variable."""
    if not (key := os.environ.get(name)):
        raise CliError(f"the environment variable {name} (the secret key) is not set")
    with shown(ValueError):
        check_key(key)
    return key


def split(values: str) -> tuple[str, ...]:
    """Values with commas between, each once."""
    return tuple(dict.fromkeys(x.strip() for x in values.split(",") if x.strip()))


def split_names(names: str) -> tuple[str, ...]:
    """Names with commas between; one that has a comma stands in quotes."""
    found = next(csv.reader([names], skipinitialspace=True), [])
    return tuple(name.strip() for name in found if name.strip())


def read_value(given: str) -> Any:
    """The value of a setting: JSON, or else the text itself."""
    with contextlib.suppress(ValueError):
        return json.loads(given)
    return given


def read_label_map(path: Path | None) -> dict[str, str | None] | None:
    """A label map of `--labels`, a JSON object; None without a file."""
    if path is None:
        return None
    try:
        labels = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise CliError(f"--labels {path}: {error.strerror}") from error
    except ValueError as error:
        line = f", line {error.lineno}" if hasattr(error, "lineno") else ""
        raise CliError(f"--labels {path}{line}: no JSON in UTF-8") from error
    targets = labels.values() if isinstance(labels, dict) else [0]
    if not all(isinstance(target, (str, type(None))) for target in targets):
        example = '{"DRUG": "MISC", "MAIL": "CODE:EMAIL", "VERB": null}'
        raise CliError(f"--labels {path}: should be like {example}")
    return labels
