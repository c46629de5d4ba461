"""Compressed files and Parquet come out as plain ones do, interrupted or not."""

import csv
import datetime
import gzip
import json
import signal

import pytest

pytestmark = pytest.mark.usefixtures("key")
TEXT = "Robert Murray met Ann Lee in Leeds, case {}."
N = 40
ROWS = [
    {"doc_id": f"d{i}", "text": TEXT.format(i), "Leeds": "Leeds" if i % 2 else "home"}
    for i in range(N)
]
LINES = ["doc_id,text,Leeds", *('{doc_id},"{text}",{Leeds}'.format(**r) for r in ROWS)]
PLAIN = {
    "txt": b"\xef\xbb\xbfRobert Murray of Leeds",
    "csv": "".join(f"{line}\r\n" for line in LINES).encode(),
    "jsonl": b"".join(json.dumps(row).encode() + b"\n" for row in ROWS),
}


def packed(data, codec):
    if codec == "gz":
        return gzip.compress(data)
    return pytest.importorskip("zstandard").ZstdCompressor().compress(data)


def unpacked(data, codec):
    if codec == "gz":
        return gzip.decompress(data)
    zstandard = pytest.importorskip("zstandard")
    reader = zstandard.ZstdDecompressor().stream_reader(data, read_across_frames=True)
    return reader.read()


@pytest.fixture
def interrupted(stopped, deid):
    """A run that is interrupted after some chunks, and the same one again."""

    def run(*args, after=2):
        args = ("run", *args, "--batch-size", 8)
        code, said = stopped(*args, how=signal.SIGINT, after=after)
        assert code == 130, said
        return deid(*args).stderr

    return run


@pytest.mark.parametrize("kind,codec", [("txt", "gz"), ("csv", "zst"), ("jsonl", "gz")])
def test_compressed(deid, interrupted, tmp_path, kind, codec):
    plain, source = tmp_path / f"in.{kind}", tmp_path / f"in.{kind}.{codec}"
    plain.write_bytes(PLAIN[kind])
    source.write_bytes(packed(PLAIN[kind], codec))
    wanted, out = tmp_path / f"plain.{kind}", tmp_path / f"out.{kind}.{codec}"
    deid("run", plain, wanted, "--batch-size", 8)
    deid("run", source, out)
    assert unpacked(out.read_bytes(), codec) == wanted.read_bytes()
    assert b"Leeds" not in wanted.read_bytes()
    if kind != "txt":
        out.unlink()
        assert "Going on after 16" in interrupted(source, out)
        assert unpacked(out.read_bytes(), codec) == wanted.read_bytes()
    # A compressed file may become a plain one.
    deid("run", source, tmp_path / f"o.{kind}")
    assert (tmp_path / f"o.{kind}").read_bytes() == wanted.read_bytes()


def test_damaged(refused, tmp_path):
    pytest.importorskip("zstandard")
    cut = [(codec, packed(PLAIN["jsonl"], codec)[:-9]) for codec in ("gz", "zst")]
    for codec, data in (*cut, ("gz", b"Leeds"), ("zst", b"Leeds" * 20)):
        name = f"x.jsonl.{codec}"
        (tmp_path / name).write_bytes(data)
        assert "Leeds" not in refused(f"{name}: it is damaged", "run", name, "o.jsonl")


@pytest.fixture
def parquet():
    return pytest.importorskip("pyarrow.parquet")


@pytest.fixture
def write_parquet(parquet, tmp_path):
    def write(rows, name="in.parquet", group=16):
        import pyarrow

        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        parquet.write_table(pyarrow.Table.from_pylist(rows), path, row_group_size=group)
        return path

    return write


def test_parquet(deid, interrupted, tmp_path, parquet, write_parquet):
    source, out = write_parquet(ROWS), tmp_path / "out.parquet"
    (tmp_path / "in.csv").write_bytes(PLAIN["csv"])
    deid("run", tmp_path / "in.csv", tmp_path / "out.csv")
    with (tmp_path / "out.csv").open(newline="") as file:
        wanted = list(csv.DictReader(file))
    said = interrupted(source, out)
    assert "Going on after 16" in said and "Names of files" not in said
    assert parquet.read_table(out).to_pylist() == wanted
    meta = parquet.ParquetFile(out).metadata
    assert [meta.row_group(i).num_rows for i in range(3)] == [16, 16, 8]
    left = {p.name for p in tmp_path.iterdir() if "out" in p.name}
    assert left == {"out.csv", "out.parquet"}


def test_nested_columns_and_types(deid, tmp_path, parquet, write_parquet):
    import pyarrow

    nested = {"by": ["Robert Murray", None], "n": [{"of": "Ann Lee"}]}
    row = {"text": TEXT.format(1), "nested": nested, "day": datetime.date(1961, 5, 6)}
    row |= {"raw": b"Robert Murray", "size": 1.5, "kind": "Robert Murray"}
    rows = [row, dict.fromkeys(row)]
    source, out = write_parquet(rows), tmp_path / "out.parquet"
    table = parquet.read_table(source)
    kind = table.column("kind").dictionary_encode()
    table = table.set_column(table.column_names.index("kind"), "kind", kind)
    parquet.write_table(table.replace_schema_metadata({"a": "Robert Murray"}), source)
    deid("run", source, out)
    new = parquet.read_table(out)
    first, second = new.to_pylist()
    assert second == rows[1] and first["nested"]["n"] == [{"of": "[PERSON 2]"}]
    assert first["nested"]["by"] == ["[PERSON 1]", None] and first["raw"] is None
    assert (first["day"], first["size"]) == (row["day"], 1.5)
    assert b"Murray" not in out.read_bytes() and new.schema.metadata is None
    types = {f.name: f.type for f in new.schema}
    assert types["nested"] == table.schema.field("nested").type
    assert types["kind"] == pyarrow.string()
    # Values that JSON has not.
    deid("run", source, tmp_path / "o.jsonl")
    first = json.loads((tmp_path / "o.jsonl").read_text().splitlines()[0])
    assert first["day"] == "1961-05-06"


def test_partitions_of_mixed_size(interrupted, tmp_path, parquet, write_parquet):
    root, out = tmp_path / "in.parquet", tmp_path / "out.parquet"
    slices = ROWS[:30], ROWS[30:31], ROWS[31:]
    parts = dict(zip(("year=2020/a", "year=2021/b", "year=2022/c"), slices))
    for name, rows in parts.items():
        write_parquet(rows, f"in.parquet/{name}.parquet", 4)
    (root / "_SUCCESS").touch()
    assert "Going on after 3" in interrupted(root, out, after=5)
    new = {p.relative_to(out).as_posix(): p for p in out.rglob("*.parquet")}
    sizes = {name: len(parquet.read_table(path)) for name, path in new.items()}
    assert sizes == {f"{name}.parquet": len(rows) for name, rows in parts.items()}
    years = parquet.read_table(out).column("year").unique()
    assert years.to_pylist() == [2020, 2021, 2022]


def test_fields_of_parquet(deid, refused, tmp_path, parquet, write_parquet):
    rows = [{"note": "Ann Lee", "who": "Jo Wang", "Leeds": "Leeds", "x": 1}] * 2
    rows[0] = rows[0] | {"note": "In Leeds."}
    source, out = write_parquet(rows), tmp_path / "out.parquet"
    options = ("--text-field", "note", "--field", "who=PERSON")
    options += ("--strict-fields", "--keep-fields", "Leeds")
    deid("run", source, out, *options)
    new = parquet.read_table(out)
    assert new.column_names[:2] == ["note", "who"] and len(new.column_names) == 3
    assert new.column_names[2].startswith("column-")
    assert not any(v in str(new.to_pylist()) for v in ("Jo", "Wang", "Ann"))
    told = "no column 'notes' among the 4"
    refused(told, "run", source, out, "--text-field", "notes")
    source.write_bytes(b"PAR1 Leeds PAR1")
    refused("no Parquet file", "run", source, out)
    refused("knows no Parquet", "run", source, out, "--vault", "v")
