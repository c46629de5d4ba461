"""De-identify strings, Series and DataFrames: pandas, Polars and Arrow tables."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

from spacy.language import Language

from .embedded import DEFAULT_PIPELINE, load_pipeline
from .extensions import install_extensions
from .processes import count_workers, in_groups, map_ordered
from .records.cleaning import Pseudonyms
from .records.declared import TEXT, Declared
from .records.frames import SPAN_FIELDS, Deidentified, Frame, Row, open_frame
from .records.output import make_row, show_spans
from .records.paths import starts_in, values_at
from .records.process import (
    Done,
    Failure,
    Record,
    find_in_records,
    find_pseudonymizer,
    process_records,
    set_scope,
)
from .records.undeclared import Undeclared, warning_of
from .risk.profiles import Profile
from .surrogates.consistency import KeyLike, check_key

KEY_ENV = "SPACY_DEID_KEY"
MAX_CHARS = 300_000
Records = Sequence[dict[str, Any]]
Columns = str | Sequence[str] | Mapping[str, str | None]


@dataclass(frozen=True)
class Setup:
    """How a pipeline is set up.

    model (str): Embedded name, package or path.
    profile, mask, strategy, scope: As in the pipeline's config; its own if None.
    """

    model: str = DEFAULT_PIPELINE
    profile: str | Path | Profile | None = None
    mask: str | None = None
    strategy: str | Mapping[str, str] | None = None
    scope: str | None = None

    def __post_init__(self) -> None:
        if isinstance(self.strategy, Mapping):
            rules = ",".join(f"{kind}={name}" for kind, name in self.strategy.items())
            object.__setattr__(self, "strategy", rules)

    def load(self, key: KeyLike | None = None) -> Language:
        """The pipeline, loaded once a process, which now uses this key."""
        if isinstance(key, str):
            check_key(key)
        nlp = _load(self)
        find_pseudonymizer(nlp).set_key(key)
        return nlp


@lru_cache(maxsize=2)
def _load(setup: Setup) -> Language:
    nlp = load_pipeline(setup.model, profile=setup.profile)
    install_extensions()
    pipe = find_pseudonymizer(nlp, setup.mask)
    if setup.strategy is not None:
        pipe.strategy = setup.strategy
    if setup.scope is not None:
        set_scope(nlp, setup.scope)
    return nlp


@dataclass(frozen=True)
class Plan:
    """What is done with the records of a table.

    declared (Declared): What is said of their fields.
    originals (bool): Whether spans have their original text.
    """

    declared: Declared
    originals: bool = False
    salt: bytes = field(default_factory=lambda: os.urandom(16), repr=False)

    def check(self, names: Sequence[str]) -> None:
        """Refuse a table that lacks a field, or has one twice.

        RAISES (ValueError): Then.
        """
        for name in (*self.declared.names, *self.declared.id_fields):
            if not starts_in(name, names):
                raise ValueError(f"there is no column {name!r}")
        if len(set(names)) < len(names):
            raise ValueError("two columns have the same name")

    def process(self, nlp: Language, rows: Records) -> list[Row]:
        """De-identify some records. One that fails does not stop the others."""
        return [*map(self._row, rows, self.run(nlp, rows))]

    def run(self, nlp: Language, rows: Records) -> list[Done | Failure]:
        """What comes of some records, before it is written anywhere."""
        ids = Pseudonyms(find_pseudonymizer(nlp).derive_secret("ids") or self.salt)
        return self._good(rows, lambda r: process_records(nlp, r, ids))

    def find(self, nlp: Language, rows: Records) -> list[list[dict] | Failure]:
        """What is found in some records, and how it is judged; nothing is replaced."""
        return self._good(rows, partial(find_in_records, nlp))

    def _good(self, rows: Records, work: Callable[[list], Iterable[Any]]) -> list[Any]:
        """Work on the records with which nothing is wrong."""
        problems = [self._problem(fields) for fields in rows]
        good = [fields for fields, problem in zip(rows, problems) if not problem]
        done = iter(work([Record(fields, self.declared) for fields in good]))
        return [Failure(problem, "") if problem else next(done) for problem in problems]

    def _problem(self, fields: Mapping[str, Any]) -> str:
        has_all = self.declared.missing(fields) is None
        return "" if has_all and not self.declared.check(fields) else "ValueError"

    def _failed(self, fields: Mapping[str, Any], kind: str) -> Row:
        """A record of which nothing is shown but its id, by which it can be found."""
        declared = self.declared
        kept = {n: v if n == declared.id_field else None for n, v in fields.items()}
        told = {"doc_id": declared.id_of(fields), "spans": [], "epsilon": None}
        return Row(kept, {**told, "error": kind})

    def _row(self, fields: Mapping[str, Any], done: Done | Failure) -> Row:
        if isinstance(done, Failure):
            return self._failed(fields, done.kind)
        try:
            names = {name: done.cleaner.clean_column(name) for name in fields}
            new = make_row(done, fields, names)
            told = {"doc_id": self.declared.id_of(new), "spans": [*self._spans(done)]}
            told |= {"epsilon": done.result.epsilon, "error": None}
        except Exception as error:
            return self._failed(fields, type(error).__name__)
        return Row(new, told, {old: n for old, n in names.items() if n != old})

    def _spans(self, done: Done) -> Iterator[dict[str, Any]]:
        name = self.declared.names[0]
        joined = show_spans(done, joined=True)
        for span, place in zip(show_spans(done), joined, strict=True):
            row = {"field": name} | {k: span.get(k) for k in SPAN_FIELDS if k in span}
            if self.originals:
                row["text"] = done.text[place["start"] : place["end"]]
            yield row


def chunks_of(
    records: Iterable[dict[str, Any]], declared: Declared, max_records: int
) -> Iterator[list[dict[str, Any]]]:
    """Records in groups, by number and length, so that memory stays bounded."""

    def length(record: dict[str, Any]) -> int:
        return sum(len(str(value)) for value in values_at(record, declared.names))

    return in_groups(records, length, MAX_CHARS, max_records)


def read_columns(columns: Columns, **others: Any) -> Declared:
    """What `columns` declares: names of columns of text, or for each column its type,
    None for text; and what is said of `others`, see `Declared`."""
    if isinstance(columns, str):
        return Declared((columns,), **others)
    if not isinstance(columns, Mapping):
        return Declared(tuple(columns), **others)
    texts = tuple(name for name, kind in columns.items() if kind is None)
    types = {n: k for n, k in columns.items() if k is not None}
    return Declared(texts, types, **others)


def deidentify(
    data: Any,
    columns: Columns | None = None,
    *,
    ids: Any = None,
    subjects: Any = None,
    key: KeyLike | None = None,
    n_process: int = 1,
    batch_size: int = 64,
    originals: bool = False,
    errors: str = "raise",
    keep: Sequence[str] = (),
    **settings: Any,
) -> Deidentified:
    """De-identify texts or tables.

    The columns of a record share their surrogates. What is masked in them is taken out
    of its other columns and of an index of names, too; other columns that are personal by
    name and value are replaced as well; that the rest holds more is warned of.

    data (Any): A string, a sequence of strings, a Series, a DataFrame of pandas or
        Polars, or an Arrow table.
    columns (Union[str, Sequence[str], Mapping[str, Optional[str]]]): Of a table the
        columns of text; or a dict with the type of columns whose value is one thing
        (`{"notes": None, "name": "PERSON", "mail": "EMAIL"}`), None for text.
    ids (Any): Of a table the column with the id of a record, else the ids.
    subjects (Any): The same for the id of the person that a record is about: the dates of
        one person move by the same interval.
    key (Union[bytes, str, Callable, None]): The secret key; by default that of the
        environment variable SPACY_DEID_KEY, else a fresh one for each record.
    n_process, batch_size (int): Processes, -1 for one a core; records in a batch.
    originals (bool): Whether spans have their original text: the result then is as
        personal as the input.
    errors (str): "raise", or "null" to go on after a record that fails, which has no
        cells then.
    keep (Sequence[str]): Columns that stay, whatever they seem to be.
    **settings: `profile`, `model`, `mask`, `strategy`, `scope`: see `Setup`.
    RETURNS (Deidentified): The same shape, empty cells kept; and a second frame.
    RAISES (ValueError): If columns are not there or a record fails, without its text.
    """
    if errors not in ("raise", "null"):
        raise ValueError("errors should be 'raise' or 'null'")
    frame = open_frame(data)
    plan = _plan(frame, columns, ids, subjects, originals, tuple(keep))
    key = key if key is not None else os.environ.get(KEY_ENV) or None
    if plan.declared.subject and key is None:
        raise ValueError("subjects need a secret key that lasts")
    load = partial(Setup(**settings).load, key)
    nlp, seen = load(), Undeclared(plan.declared.known)
    chunks = chunks_of(seen.watch(frame.records(), dict), plan.declared, batch_size)
    work: Any = plan.process
    done = map_ordered(work, chunks, nlp, count_workers(n_process), load=load)
    rows = [row for chunk in done for row in chunk]
    if errors == "raise":
        _raise_failed(rows)
    if warning := warning_of(seen.find(nlp)):
        warnings.warn(warning, stacklevel=2)
    return frame.build(rows)


def _plan(
    frame: Frame,
    columns: Columns | None,
    ids: Any,
    subjects: Any,
    originals: bool,
    keep: tuple[str, ...],
) -> Plan:
    if columns is None and frame.whole:
        raise ValueError("columns: which columns of the table are text?")
    id_field, subject = frame.add("ids", ids), frame.add("subjects", subjects)
    columns = TEXT if columns is None else columns
    declared = read_columns(columns, id_field=id_field, subject=subject, kept=keep)
    plan = Plan(declared, originals)
    plan.check(frame.names)
    return plan


def _raise_failed(rows: Sequence[Row]) -> None:
    if failed := [i for i, row in enumerate(rows) if row.told["error"]]:
        kinds = sorted({rows[i].told["error"] for i in failed})
        told = f"({', '.join(kinds)}), the first at {failed[0]}"
        problem = f"{len(failed)} records could not be de-identified {told}"
        raise ValueError(f"{problem}; errors='null' gives the others")
