"""Tables as people have them: sequences of strings, pandas, Polars, Arrow.

None of these libraries is imported before a table of it is there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from .declared import TEXT

Columns = dict[str, list[Any]]
# Columns by their old names, whose names hold masked strings.
Names = Mapping[str, str]
# What the second frame says of a span; `text` only if originals are asked for.
SPAN_FIELDS: dict[str, type] = {
    **{"field": str, "start": int, "end": int, "new_start": int, "new_end": int},
    **dict.fromkeys(("label", "subtype", "decision", "risk"), str),
    **{"sources": list, "text": str},
}
# Columns that are not the table's: no name of a column begins so.
IDS, SUBJECTS, INDEX = "\0ids", "\0subjects", "\0index"


class Deidentified(NamedTuple):
    """What `deidentify` gives.

    data (Any): As the input, de-identified.
    spans (Any): For each record its `doc_id`, `spans` and `epsilon`, and the class of the
        `error` if nothing came of it: a frame, or a list of dicts.
    """

    data: Any
    spans: Any


@dataclass
class Row:
    """What came of a record: its fields, its row of the second frame, and what columns
    whose names hold masked strings are called instead."""

    fields: dict[str, Any]
    told: dict[str, Any]
    columns: dict[str, str] = field(default_factory=dict)


class Frame:
    """A table by its columns; here a sequence of strings.

    whole (bool): Whether it has columns of its own.
    """

    whole = False

    def __init__(self, data: Any) -> None:
        self.data = data
        self.columns: dict[str, Sequence[Any]] = {}
        self.read()
        self.n = len(next(iter(self.columns.values()), ()))

    def read(self) -> None:
        """Fill in the columns."""
        one = self.data is None or isinstance(self.data, str)
        self.columns[TEXT] = [self.data] if one else list(self.data)
        self.one = one

    @property
    def names(self) -> list[str]:
        return list(self.columns)

    def add(self, what: str, given: Any) -> str | None:
        """The name of the column with `ids` or `subjects`, which may be given beside the
        table."""
        if given is None or (self.whole and isinstance(given, str)):
            return given
        values = [given] if isinstance(given, str | int) else list(given)
        if len(values) != self.n:
            raise ValueError(f"{len(values)} {what} for {self.n} records")
        self.columns[f"\0{what}"] = values
        return f"\0{what}"

    def records(self) -> Iterator[dict[str, Any]]:
        names = self.names
        for values in zip(*self.columns.values()):
            yield dict(zip(names, map(_plain, values)))

    def build(self, rows: Sequence[Row]) -> Deidentified:
        """The table and the second one, of the records as they are now."""
        renamed = {old: new for row in rows for old, new in row.columns.items()}
        names = [name for name in self.columns if name not in (IDS, SUBJECTS)]
        columns = {name: [row.fields[name] for row in rows] for name in names}
        names = ["doc_id", "spans", "epsilon", "error"]
        told = {name: [row.told[name] for row in rows] for name in names}
        return self.made(columns, renamed, told)

    def made(self, columns: Columns, renamed: Names, told: Columns) -> Deidentified:
        """The table and the second one, of lists."""
        rows = [dict(zip(told, values)) for values in zip(*told.values())]
        texts = columns[TEXT]
        if self.one:
            return Deidentified(texts[0], rows[0])
        return Deidentified(texts, rows)

    def changed(self, name: str, values: list[Any]) -> bool:
        """Whether a column is to be written anew."""
        pairs = zip(map(_plain, self.columns[name]), values)
        # NaN is no other value than NaN.
        return any(
            type(a) is not type(b) or not (a is b or bool(a == b) or a != a)  # noqa: PLR0124
            for a, b in pairs
        )


def _plain(value: Any) -> Any:
    """A cell without arrays."""
    return value.tolist() if hasattr(value, "tolist") else value


class PandasFrame(Frame):
    """A DataFrame or Series of pandas. An index that is no numbers is a column, too."""

    def read(self) -> None:
        data = self.data
        self.whole = data.ndim == 2
        self.labels = {str(name): name for name in data.columns} if self.whole else {}
        if len(self.labels) < (len(data.columns) if self.whole else 0):
            raise ValueError("two columns have the same name")
        for name, label in self.labels.items():
            self.columns[name] = data[label].tolist()
        if not self.whole:
            self.columns[TEXT] = data.tolist()
        for i in range(data.index.nlevels):
            if (level := data.index.get_level_values(i)).dtype.kind not in "iuf":
                self.columns[f"{INDEX}{i}"] = level.tolist()

    def made(self, columns: Columns, renamed: Names, told: Columns) -> Deidentified:
        import pandas

        def series(name: str, old: Any) -> Any:
            values = columns[name]
            if not self.changed(name, values):
                return old
            if isinstance(old.dtype, pandas.CategoricalDtype):
                # The old categories are all originals.
                new = pandas.Series(values, old.index, name=old.name)
                return new.astype("category")
            try:
                return pandas.Series(values, old.index, old.dtype, old.name)
            except (ValueError, TypeError, OverflowError):
                return pandas.Series(values, old.index, name=old.name)

        if self.whole:
            new = self.data.copy()
            for name, label in self.labels.items():
                new[label] = series(name, self.data[label])
            new = new.rename(columns={self.labels[o]: n for o, n in renamed.items()})
        else:
            new = series(TEXT, self.data).copy()
        # Attributes and whatever else a table carries are nobody's to check.
        new.attrs = {}
        new.index = self._index(columns, pandas)
        return Deidentified(new, pandas.DataFrame(told, index=new.index))

    def _index(self, columns: dict[str, list[Any]], pandas: Any) -> Any:
        index = self.data.index
        if not any(n[:1] == "\0" and self.changed(n, columns[n]) for n in columns):
            return index
        old = map(index.get_level_values, range(index.nlevels))
        levels = [columns.get(f"{INDEX}{i}", level) for i, level in enumerate(old)]
        if len(levels) == 1:
            return pandas.Index(levels[0], name=index.name)
        return pandas.MultiIndex.from_arrays(levels, names=index.names)


class PolarsFrame(Frame):
    """A DataFrame or Series of Polars."""

    def read(self) -> None:
        self.whole = hasattr(self.data, "columns")
        given = self.data.get_columns() if self.whole else [self.data.alias(TEXT)]
        self.given = {series.name: series for series in given}
        self.columns = {name: series.to_list() for name, series in self.given.items()}

    def made(self, columns: Columns, renamed: Names, told: Columns) -> Deidentified:
        import polars

        types: dict[type, Any] = {str: polars.String, int: polars.Int64}
        types[list] = polars.List(polars.String)
        spans = polars.Struct({n: types[kind] for n, kind in _spans(told).items()})
        schema: dict[str, Any] = {"spans": polars.List(spans)}
        schema |= {"epsilon": polars.Float64, "error": polars.String}

        def series(name: str, old: Any) -> Any:
            values, kind = columns[name], old.dtype
            if not self.changed(name, values):
                return old
            # The old categories are all originals.
            kind = polars.String if kind in (polars.Categorical, polars.Enum) else kind
            return polars.Series(name, values, kind, strict=False)

        new = [series(name, old) for name, old in self.given.items()]
        second = polars.DataFrame(told, schema_overrides=schema, strict=False)
        if not self.whole:
            return Deidentified(new[0].alias(self.data.name), second)
        return Deidentified(polars.DataFrame(new).rename(dict(renamed)), second)


class ArrowFrame(Frame):
    """A table of Arrow."""

    whole = True

    def read(self) -> None:
        names = self.data.column_names
        if len(set(names)) < len(names):
            raise ValueError("two columns have the same name")
        self.columns = {n: self.data.column(n).to_pylist() for n in names}

    def made(self, columns: Columns, renamed: Names, told: Columns) -> Deidentified:
        import pyarrow

        text = pyarrow.string()
        types = {str: text, int: pyarrow.int64(), list: pyarrow.list_(text)}
        struct = pyarrow.struct([(n, types[kind]) for n, kind in _spans(told).items()])
        spans = pyarrow.array(told["spans"], pyarrow.list_(struct))
        schema = plain_schema(self.data.schema)
        arrays = [as_array(columns[item.name], item.type) for item in schema]
        table = pyarrow.table(arrays, schema=schema)
        names = [renamed.get(name, name) for name in table.column_names]
        epsilons = pyarrow.array(told["epsilon"], pyarrow.float64())
        others = {"epsilon": epsilons, "error": pyarrow.array(told["error"], text)}
        second = pyarrow.table({"doc_id": told["doc_id"], "spans": spans, **others})
        return Deidentified(table.rename_columns(names), second)


def _spans(told: Mapping[str, list[Any]]) -> dict[str, type]:
    """The fields of spans that a second frame has."""
    if any("text" in span for spans in told["spans"] for span in spans):
        return SPAN_FIELDS
    return {name: kind for name, kind in SPAN_FIELDS.items() if name != "text"}


def plain_schema(schema: Any) -> Any:
    """The schema without dictionaries, whose values are all originals, without metadata
    of other programs (pandas keeps names of the index there), and nulls allowed."""
    import pyarrow

    def plain(item: Any) -> Any:
        kind = item.type
        if pyarrow.types.is_dictionary(kind):
            kind = kind.value_type
        return pyarrow.field(item.name, kind, nullable=True)

    return pyarrow.schema([plain(item) for item in schema])


def as_array(values: Sequence[Any], kind: Any) -> Any:
    """Cells as an array of a type; what does not fit is null."""
    import pyarrow

    try:
        return pyarrow.array(values, kind)
    except (pyarrow.ArrowInvalid, pyarrow.ArrowTypeError, OverflowError):
        if len(values) == 1:
            return pyarrow.nulls(1, kind)
    half = len(values) // 2
    parts = as_array(values[:half], kind), as_array(values[half:], kind)
    return pyarrow.concat_arrays(parts)


KINDS = {"pandas": PandasFrame, "polars": PolarsFrame, "pyarrow": ArrowFrame}


def open_frame(data: Any) -> Frame:
    """A table of any kind.

    RAISES (ValueError): If it is of no kind that is known.
    """
    kind = KINDS.get(type(data).__module__.partition(".")[0])
    if kind is not None and type(data).__name__ in ("DataFrame", "Series", "Table"):
        return kind(data)
    texts = isinstance(data, Iterable) and not isinstance(data, Mapping | bytes)
    if kind is not None or not (texts or data is None):
        raise ValueError(f"no table or texts: {type(data).__name__}")
    return Frame(data)
