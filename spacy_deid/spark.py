"""De-identify DataFrames of Spark, in batch and in streams.

Nothing is shared between tasks: key and document alone decide the new text, so that
partitions, retries and a single machine agree. The key is in no plan: tasks find it in
the environment of their machine or in a secret of the session's configuration.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .records.declared import Declared
from .records.frames import SPAN_FIELDS
from .records.recognised import kind_of_name
from .tables import KEY_ENV, Plan, Setup, chunks_of

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

# Spark itself redacts what has "secret" in its name, in logs of events and on its pages.
KEY_CONF = "spark.spacy_deid.secret"
SPANS, EPSILON, ERROR = "deid_spans", "deid_epsilon", "deid_error"
# Partitions a core: a long document holds up a small part of the others.
SPREAD = 4
_INTEGERS = ("tinyint", "smallint", "int", "bigint")


def deidentify(
    df: DataFrame,
    text_col: str | Sequence[str],
    id_col: str | None = None,
    subject_col: str | None = None,
    *,
    columns: Mapping[str, str] | None = None,
    key_env: str = KEY_ENV,
    key_conf: str = KEY_CONF,
    partitions: int | None = None,
    batch_size: int = 64,
    keep: Sequence[str] = (),
    **settings: Any,
) -> DataFrame:
    """De-identify the documents of a DataFrame.

    A document that fails becomes a row with the class of its error, its id and nothing
    else. What is masked in a row is taken out of its other columns.

    df (DataFrame): In batch or streaming.
    text_col (Union[str, Sequence[str]]): Columns of text; several share surrogates.
    id_col, subject_col (Optional[str]): Columns with the id of a document, and of the
        person it is about.
    columns (Optional[Mapping[str, str]]): Columns whose value is one thing, and its type:
        `{"name": "PERSON"}`.
    key_env (str): Environment variable of the workers that holds the secret key.
    key_conf (str): Configuration that holds it, asked first. Its name has to hold
        "secret", so that Spark shows it nowhere.
    partitions (Optional[int]): Documents are spread over so many; 4 a core by default, 0
        to leave them where they are.
    batch_size (int): Documents processed together.
    keep (Sequence[str]): Columns that stay, whatever they seem to be.
    **settings: `profile`, `model`, `mask`, `strategy`, `scope`: see `Setup`. A model that
        is a folder here is sent to the workers.
    RETURNS (DataFrame): The same columns, and `deid_spans`, `deid_epsilon`, `deid_error`.
    RAISES (ValueError): If a column is not there, or the key would be shown.
    """
    texts = (text_col,) if isinstance(text_col, str) else tuple(text_col)
    declared = Declared(texts, dict(columns or {}), kept=tuple(keep))
    plan = Plan(replace(declared, id_field=id_col, subject=subject_col), salt=b"")
    _check(df, key_conf, plan)
    setup, context = Setup(**settings), df.sparkSession.sparkContext
    folder = Path(setup.model).resolve() if Path(setup.model).is_dir() else None
    if folder is not None:
        context.addFile(str(folder), recursive=True)
        setup = replace(setup, model=folder.name)
    if partitions is None:
        partitions = SPREAD * context.defaultParallelism
    kinds = dict(df.dtypes)
    integers = tuple(name for name, kind in kinds.items() if kind in _INTEGERS)
    times = tuple(k for k, kind in kinds.items() if kind.startswith("timestamp"))
    keys, shared = (key_env, key_conf), folder is not None
    work = _Work(plan, setup, shared, keys, batch_size, integers, times)
    spread = df.repartition(partitions) if partitions else df
    return _exact(spread, work.integers).mapInPandas(work, _schema(df))  # type: ignore[arg-type]


def _check(df: DataFrame, name: str, plan: Plan) -> None:
    """Refuse columns that are not there or would be there twice, and a configuration of
    the key that would be shown; warn of columns."""
    plan.check(df.columns)
    if {SPANS, EPSILON, ERROR} & set(df.columns):
        raise ValueError(f"the columns {SPANS}, {EPSILON} and {ERROR} are added")
    _warn_of_undeclared(df, plan)
    if "secret" not in name.lower():
        raise ValueError("key_conf: its name has to hold 'secret'")
    session = df.sparkSession
    late = session.conf.get(name, None) is not None
    if late and not session.sparkContext.getConf().contains(name):
        # Spark hides only what its context knows, and would log this with every job.
        raise ValueError(f"{name} has to be set when the application starts")


def _warn_of_undeclared(df: DataFrame, plan: Plan) -> None:
    """By types alone: a look at the values would be a job of its own."""
    known = {*plan.declared.known, *filter(kind_of_name, df.columns)}
    strings = [(i, k) for i, (k, kind) in enumerate(df.dtypes, 1) if kind == "string"]
    unknown = [(i, name) for i, name in strings if name not in known]
    if others := [k if k.isidentifier() else f"column {i}" for i, k in unknown]:
        what = "columns of strings that nobody declared, of which only what is"
        told = f"masked in the declared ones is taken out: {', '.join(others)}"
        warnings.warn(f"{what} {told}", stacklevel=4)


def _exact(df: DataFrame, integers: Sequence[str]) -> DataFrame:
    """The table with integers as strings: pandas has none beside nulls, and floats have
    no 64 bits."""
    from pyspark.sql.functions import col

    cells = ((name, col("`" + name.replace("`", "``") + "`")) for name in df.columns)
    return df.select(
        [cell.cast("string").alias(n) if n in integers else cell for n, cell in cells]
    )


def _schema(df: DataFrame) -> Any:
    from pyspark.sql import types as t

    kinds = {str: t.StringType(), int: t.LongType(), list: t.ArrayType(t.StringType())}
    fields = [t.StructField(n, kinds[k]) for n, k in SPAN_FIELDS.items() if n != "text"]
    every = [(f.name, f.dataType) for f in df.schema]
    every.append((SPANS, t.ArrayType(t.StructType(fields))))
    every += [(EPSILON, t.DoubleType()), (ERROR, t.StringType())]
    return t.StructType([t.StructField(*each) for each in every])


@dataclass(frozen=True)
class _Work:
    """What a task does with its part of the documents.

    shared (bool): Whether the pipeline is a folder that was sent to the workers.
    key_names (tuple[str, str]): Environment variable and configuration of the key.
    """

    plan: Plan
    setup: Setup
    shared: bool
    key_names: tuple[str, str]
    batch_size: int
    integers: tuple[str, ...]
    times: tuple[str, ...]

    def __call__(self, frames: Iterator[Any]) -> Iterator[Any]:
        setup = self.setup
        if self.shared:
            from pyspark import SparkFiles

            setup = replace(setup, model=SparkFiles.get(setup.model))
        nlp = setup.load(_find_key(*self.key_names))
        for frame in frames:
            records = [*map(self._read, frame.to_dict("records"))]
            chunks = chunks_of(records, self.plan.declared, self.batch_size)
            rows = [row for chunk in chunks for row in self.plan.process(nlp, chunk)]
            yield self._frame(rows, frame.columns)

    def _read(self, record: dict[str, Any]) -> dict[str, Any]:
        for name in self.integers:
            value = record[name]
            record[name] = int(value) if isinstance(value, str) else None
        return {name: _plain(value) for name, value in record.items()}

    def _frame(self, rows: list[Any], names: Sequence[str]) -> Any:
        import pandas

        cells = {name: [row.fields[name] for row in rows] for name in names}
        for key, name in ((SPANS, "spans"), (EPSILON, "epsilon"), (ERROR, "error")):
            cells[key] = [row.told[name] for row in rows]
        out = {n: pandas.Series(c, dtype="object") for n, c in cells.items()}
        for name in self.times:
            out[name] = pandas.to_datetime(out[name])
        return pandas.DataFrame(out)


def _plain(value: Any) -> Any:
    """A cell without arrays; what is missing is None."""
    if hasattr(value, "tolist"):
        return _plain(value.tolist())
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_plain(item) for item in value]
    missing = type(value).__name__ in ("NaTType", "NAType") or value != value  # noqa: PLR0124
    return None if missing else value


def _find_key(env: str, conf: str) -> str:
    from pyspark import TaskContext

    task = TaskContext.get()
    key = (task.getLocalProperty(conf) if task else None) or os.environ.get(env)
    if not key:
        unset = f"the configuration {conf} nor the environment variable {env}"
        raise RuntimeError(f"no secret key: neither {unset} of the workers is set")
    return key
