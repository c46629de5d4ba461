"""Real Spark, two workers: the same text for every document as on one machine."""

import csv
import datetime
import os
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import spacy_deid.spark
from spacy_deid.tables import deidentify

from .cases import cases

pyspark = pytest.importorskip("pyspark")
pandas = pytest.importorskip("pandas")
pyarrow = pytest.importorskip("pyarrow")
parquet = pytest.importorskip("pyarrow.parquet")

pytestmark = [
    pytest.mark.skipif(
        not (shutil.which("java") or os.environ.get("JAVA_HOME")), reason="needs Java"
    ),
    pytest.mark.filterwarnings("ignore:columns of strings that nobody declared"),
]
CONF = "spark.test.secret.key"
KEY, OTHER = "k3" * 20, "secret-of-the-conf-0123456789"
NOTES = cases(__file__, "notes")
ROWS = [
    {
        "id": f"d{i}",
        "note": NOTES[i % 4] or None,
        "name": ("John Baker", None)[i % 2],
        "born": (datetime.date(1961, 5, 6), None)[i % 3 == 2],
        "memo": ("he is John Baker of Leeds", "x")[i % 2],
        "n": (2**60 + i, None)[i % 5 == 4],
    }
    for i in range(24)
]
TABLE = pyarrow.Table.from_pylist(ROWS)
COLUMNS = {"name": "PERSON", "born": "DATETIME"}
SCHEMA = "id string, note string, name string, born date, memo string, n bigint"


@pytest.fixture(scope="module")
def spark(tmp_path_factory):
    """A session whose tasks are tried three times, and that logs all events."""
    folder = tmp_path_factory.mktemp("spark")
    (folder / "events").mkdir()
    settings = dict(cases(__file__, "settings"))
    settings["spark.eventLog.dir"] = f"file://{folder / 'events'}"
    settings |= {CONF: OTHER, "spark.sql.warehouse.dir": str(folder / "warehouse")}
    builder = pyspark.sql.SparkSession.builder.master("local[2, 3]")
    for name, value in settings.items():
        builder = builder.config(name, value)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SPACY_DEID_KEY", KEY)
        patch.setenv("PYSPARK_PYTHON", sys.executable)
        session = builder.getOrCreate()
        session.sparkContext.setLogLevel("OFF")
        session.events = folder / "events"
        yield session
        session.stop()


@pytest.fixture(scope="module")
def alone():
    """What a single machine makes of the rows, by their ids."""
    settings = {"ids": "id", "scope": "corpus"}
    columns = {"note": None, **COLUMNS}
    with pytest.warns(UserWarning, match="nobody declared"):
        new = deidentify(TABLE, columns, key=KEY, **settings)
    rows = new.data.to_pylist()
    return {a["id"]: b for a, b in zip(ROWS, rows)}, new.spans.to_pylist()


def make(spark, rows=ROWS, schema=SCHEMA):
    return spark.createDataFrame([tuple(r.values()) for r in rows], schema).coalesce(1)


def deid(df, **settings):
    settings = {"columns": COLUMNS, "scope": "corpus", "partitions": 4, **settings}
    return spacy_deid.spark.deidentify(df, "note", "id", **settings)


def plain(rows):
    own = ("deid_spans", "deid_epsilon", "deid_error", "part")
    rows = (r.asDict() for r in rows)
    return {r["id"]: {k: v for k, v in r.items() if k not in own} for r in rows}


def test_one_text_everywhere(spark, alone, tmp_path, monkeypatch, command):
    """Spark, Arrow, Parquet and CSV: one key, one output; that of pandas is that of Arrow
    in test_tables.py, that of a service that of files in tests/cli/test_serve.py."""
    wanted, spans = alone
    df = make(spark)
    assert df.rdd.getNumPartitions() == 1
    with pytest.warns(UserWarning, match="nobody declared.*: memo$"):
        new = deid(df)
    assert new.columns == [*df.columns, "deid_spans", "deid_epsilon", "deid_error"]
    rows = new.selectExpr("*", "spark_partition_id() as part").collect()
    # Skew is spread.
    assert len({r["part"] for r in rows}) > 1
    assert plain(rows) == wanted and len(rows) == len(ROWS)
    found = {r["id"]: [s.asDict() for s in r["deid_spans"]] for r in rows}
    assert found == {r["id"]: told["spans"] for r, told in zip(ROWS, spans)}
    # The scope of files is that of the pipeline: a document.
    monkeypatch.setenv("SPACY_DEID_KEY", KEY)
    rows = deid(df, scope=None, partitions=2).collect()
    wanted = [plain(rows)[r["id"]] for r in ROWS]
    parquet.write_table(TABLE, tmp_path / "in.parquet")
    with (tmp_path / "in.csv").open("w", newline="") as file:
        writer = csv.DictWriter(file, list(ROWS[0]))
        writer.writeheader()
        writer.writerows(ROWS)
    options = ["--text-field", "note", "--id-field", "id"]
    options += ["--field", "name=PERSON", "--field", "born=DATETIME"]
    for suffix in ("parquet", "csv"):
        files = (tmp_path / f"{name}.{suffix}" for name in ("in", "out"))
        command("deid", "run", *files, *options)
    assert parquet.read_table(tmp_path / "out.parquet").to_pylist() == wanted
    with (tmp_path / "out.csv").open(newline="") as file:
        cells = [*csv.DictReader(file)]
    shown = [{n: "" if v is None else str(v) for n, v in r.items()} for r in wanted]
    assert cells == shown


def test_a_failing_document_is_a_row_without_text(spark):
    rows = [{"id": "a", "who": "p", "note": "Ann Lee"}]
    rows.append({"id": "b", "who": "", "note": "Bo"})
    df = make(spark, rows, "id string, who string, note string")
    good, bad = deid(df, columns={}, subject_col="who", partitions=0).collect()
    assert good["deid_error"] is None and good["note"] not in (None, "Ann Lee")
    assert (bad["id"], bad["who"], bad["note"]) == ("b", None, None)
    assert bad["deid_error"] == "ValueError" and bad["deid_spans"] == []


def test_retries_write_nothing_twice(spark, alone, tmp_path):
    """Every task fails once, or its worker is killed, after it has made all its rows."""
    flag = str(tmp_path)

    def fail_once(frames):
        task = pyspark.TaskContext.get()
        yield from frames
        if task.attemptNumber() == 0:
            open(f"{flag}/failed-{task.partitionId()}", "w").close()
            if task.partitionId() % 2:
                os.kill(os.getpid(), signal.SIGKILL)
            raise RuntimeError

    new = deid(make(spark), partitions=2)
    new.mapInArrow(fail_once, new.schema).write.parquet(str(tmp_path / "out"))
    assert len(list(tmp_path.glob("failed-*"))) == 2
    rows = spark.read.parquet(str(tmp_path / "out")).collect()
    assert len(rows) == len(ROWS) and plain(rows) == alone[0]


def test_a_job_that_is_submitted(alone, tmp_path):
    parquet.write_table(TABLE, tmp_path / "in.parquet")
    job = Path(__file__).parents[1] / "assets" / "spark_job.py"
    options = ["--text", "note", "--id", "id", "--scope", "corpus"]
    options += ["--field", "name=PERSON", "--field", "born=DATETIME"]
    submit = Path(pyspark.__file__).parent / "bin" / "spark-submit"
    conf = ["--master", "local[2]", "--conf", "spark.ui.enabled=false"]
    paths = [str(tmp_path / "in.parquet"), str(tmp_path / "out")]
    command = [str(submit), *conf, str(job), *paths, *options]
    env = {**os.environ, "SPACY_DEID_KEY": KEY, "PYSPARK_PYTHON": sys.executable}
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    # What a job writes to stderr is part of what spark-submit writes to stdout.
    assert f"{len(ROWS)} documents, of which 0 failed" in done.stdout + done.stderr
    assert KEY not in done.stdout + done.stderr
    rows = parquet.read_table(tmp_path / "out").to_pylist()
    assert {r["id"]: {n: r[n] for n in ROWS[0]} for r in rows} == alone[0]


def test_streaming(spark, alone, tmp_path):
    (tmp_path / "in").mkdir()
    for i in range(2):
        table = pyarrow.Table.from_pylist(ROWS[i::2], TABLE.schema)
        parquet.write_table(table, tmp_path / "in" / f"{i}.parquet")
    stream = spark.readStream.schema(SCHEMA).option("maxFilesPerTrigger", 1)
    query = deid(stream.parquet(str(tmp_path / "in")), partitions=2).writeStream
    query = query.format("parquet").option("checkpointLocation", str(tmp_path / "at"))
    query.trigger(availableNow=True).start(str(tmp_path / "out")).awaitTermination()
    rows = spark.read.parquet(str(tmp_path / "out")).collect()
    assert len(rows) == len(ROWS) and plain(rows) == alone[0]


def test_the_key_is_nowhere(spark, capfd):
    """Neither in the plan nor in the lineage, the event log or any output."""
    df = deid(make(spark, ROWS[:4]), key_conf=CONF)
    rows = plain(df.collect())
    df.explain("formatted")
    plans = df._jdf.queryExecution().toString() + df.rdd.toDebugString().decode()
    out = capfd.readouterr()
    (log,) = spark.events.iterdir()
    events = log.read_text()
    assert "SparkListenerJobStart" in events and CONF in events
    for text in (plans, out.out, out.err, events):
        assert OTHER not in text and KEY not in text
    # It was this key nevertheless.
    columns = {"note": None, **COLUMNS}
    table = pandas.DataFrame({n: [r[n] for r in ROWS[:4]] for n in columns})
    new = deidentify(table, columns, key=OTHER, scope="corpus").data
    new = [note if isinstance(note, str) else None for note in new["note"]]
    assert [rows[r["id"]]["note"] for r in ROWS[:4]] == new


def test_a_folder_is_sent_and_loaded_once(spark, tmp_path, monkeypatch):
    import spacy

    nlp = spacy.blank("en")
    nlp.add_pipe("pii_gazetteer")
    nlp.to_disk(tmp_path / "rules")
    rows = [{"id": "a", "note": "Mail a.lee@corp.com."}]
    df = make(spark, rows, "id string, note string")
    settings = {"columns": {}, "strategy": "typed_placeholder", "partitions": 0}
    new = deid(df, model=str(tmp_path / "rules"), scope=None, **settings)

    def count(frames):
        from spacy_deid import tables

        yield from frames
        assert tables._load.cache_info().misses <= 2

    assert new.mapInPandas(count, new.schema).collect()[0]["note"] == "Mail [CODE 1]."


def test_the_guide(spark):
    guide = Path(__file__).parents[1] / "docs" / "tables.md"
    text = guide.read_text("utf-8")
    (block,) = re.findall(r"```python spark\n(.*?)```", text, re.S)
    exec(block, {"spark": spark})


def test_what_is_refused(spark, monkeypatch):
    df = make(spark, ROWS[:1])
    with pytest.raises(ValueError, match="is no type"):
        deid(df, columns={"name": "PERSONS"})
    with pytest.raises(ValueError, match="secret"):
        deid(df, key_conf="spark.key")
    with pytest.raises(ValueError, match="are added"):
        deid(df.withColumnRenamed("memo", "deid_error"))
    # Spark would write down what is set in a session that runs.
    spark.conf.set("spark.late.secret", OTHER)
    with pytest.raises(ValueError, match="when the application starts"):
        deid(df, key_conf="spark.late.secret")
    spark.conf.unset("spark.late.secret")
    with pytest.raises(Exception, match="no secret key"):
        deid(df, key_env="NOT_SET", partitions=1).collect()
