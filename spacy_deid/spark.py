"""De-identify DataFrames of Spark, in batch and in streams.

Nothing is shared between tasks: key and document alone decide the new text, so that
partitions, retries and a single machine agree. The key is in no plan: tasks find it in
the environment of their machine or in a secret of the session's configuration.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .embedded import DEFAULT_PIPELINE
from .records.declared import Declared
from .records.frames import SPAN_FIELDS
from .risk.profiles import Profile
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
    profile: str | Path | Profile | None = None,
    model: str = DEFAULT_PIPELINE,
    mask: str | None = None,
    strategy: str | None = None,
    scope: str | None = None,
    key_env: str = KEY_ENV,
    key_conf: str = KEY_CONF,
    partitions: int | None = None,
    batch_size: int = 64,
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
    profile, mask, strategy, scope: See `spacy_deid.tables.Setup`.
    model (str): Name of an embedded or installed pipeline, or a folder here, which is
        sent to the workers.
    key_env (str): Environment variable of the workers that holds the secret key.
    key_conf (str): Configuration that holds it, asked first. Its name has to hold
        "secret", so that Spark shows it nowhere.
    partitions (Optional[int]): Documents are spread over so many; 4 a core by default, 0
        to leave them where they are.
    batch_size (int): Documents processed together.
    RETURNS (DataFrame): The same columns, and `deid_spans`, `deid_epsilon`, `deid_error`.
    RAISES (ValueError): If a column is not there.
    """
    from pyspark.sql.functions import col

    texts = (text_col,) if isinstance(text_col, str) else tuple(text_col)
    plan = Plan(Declared(texts, dict(columns or {})), id_col, subject_col, salt=b"")
    plan.check(df.columns)
    if {SPANS, EPSILON, ERROR} & set(df.columns):
        raise ValueError(f"the columns {SPANS}, {EPSILON} and {ERROR} are added")
    if "secret" not in key_conf.lower():
        raise ValueError("key_conf: its name has to hold 'secret'")
    context = df.sparkSession.sparkContext
    late = df.sparkSession.conf.get(key_conf, None)
    if late is not None and not context.getConf().contains(key_conf):
        # Spark hides only what its context knows, and would log this with every job.
        raise ValueError(f"{key_conf} has to be set when the application starts")
    shared = Path(model).is_dir()
    if shared:
        context.addFile(str(Path(model).resolve()), recursive=True)
        model = Path(model).resolve().name
    if partitions is None:
        partitions = SPREAD * context.defaultParallelism
    if partitions:
        df = df.repartition(partitions)
    kinds = dict(df.dtypes)
    integers = [name for name in df.columns if kinds[name] in _INTEGERS]
    work = _Work(
        plan,
        Setup(model, profile, mask, strategy, scope),
        shared,
        (key_env, key_conf),
        batch_size,
        tuple(integers),
        tuple(n for n in df.columns if kinds[n].startswith("timestamp")),
    )
    # pandas has no integers beside nulls, and none of 64 bits in floats.
    as_texts = [
        col(f"`{n}`").cast("string").alias(n) if n in integers else col(f"`{n}`")
        for n in df.columns
    ]
    return df.select(as_texts).mapInPandas(work, _schema(df))  # type: ignore[arg-type]


def _schema(df: DataFrame) -> Any:
    from pyspark.sql import types as t

    kinds = {
        str: t.StringType(),
        int: t.LongType(),
        list: t.ArrayType(t.StringType()),
    }
    fields = [t.StructField(n, kinds[k]) for n, k in SPAN_FIELDS.items() if n != "text"]
    return t.StructType(
        [
            *(t.StructField(f.name, f.dataType) for f in df.schema),
            t.StructField(SPANS, t.ArrayType(t.StructType(fields))),
            t.StructField(EPSILON, t.DoubleType()),
            t.StructField(ERROR, t.StringType()),
        ]
    )


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
        raise RuntimeError(
            f"no secret key: neither the configuration {conf} nor the environment "
            f"variable {env} of the workers is set"
        )
    return key
