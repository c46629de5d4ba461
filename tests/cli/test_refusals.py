"""What commands cannot do is one line that says why, quotes no text, and changes no
file."""

import gzip
import json
import shlex
from pathlib import Path

import pytest

from spacy_deid.data import read_table
from spacy_deid.registries import registry

from ..annotated import record
from ..gazetteers.world import entity, to_dump

ROWS = read_table(Path(__file__).with_name("refusals.tsv"))
# Of documents, of what may be one (keys, a first row), and of secrets.
CANARIES = ("Leeds", "Ann", "Lee", "44113", "Murray", "Robert", "Baker", "abc")
TERM = {"term": "nurse", "label": "DEM", "id": "Q1", "property": "P106", "count": 5}
GOLD = record("[Robert Murray](PERSON DIRECT e1) of Leeds")
TASK = Path(__file__).with_name("utility.cfg")
DUMP = to_dump([json.dumps(entity("Q7"))])
FILES = {
    "in.jsonl": '{"text": "Leeds"}\n',
    "row.jsonl": '{"doc_id": "a", "body": "Mr Baker", "name": "John Baker"}\n',
    "in.odt": "Leeds",
    "folder/a.txt": "Leeds",
    "damaged/config.cfg": "[nlp]\nlang = xx-nothing\n",
    "damaged/meta.json": "{}",
    "empty.jsonl": "\n",
    "blank.jsonl": '{"text": " "}\n',
    "gold.jsonl": json.dumps(GOLD) + "\n",
    "gold.txt": "Robert",
    "terms.jsonl": json.dumps(TERM) + "\n",
    # A list that is named last is not lost.
    "other.json": json.dumps(TERM) + "\n",
    "d.gaz": b"spacy_deid gazetteer\n" + b"\0" * 50,
    "dump.json.gz": gzip.compress(DUMP),
    "same.jsonl": DUMP,
    "taken": "",
    "kinds.jsonl": '{"text": "Leeds", "kind": "a"}\n{"text": "Lee", "kind": "b"}\n',
    "task.cfg": TASK.read_text("utf8").replace("TRAIN", "kinds.jsonl"),
    "out.jsonl": '{"doc_id": "d", "text": "Mr Baker", "spans": [], "epsilon": null}\n',
}


@registry.deid_weightings("test_refusals.length.v1")
def make_length(plus=0):
    return lambda text, spans: [float(end - start + plus) for start, end in spans]


@pytest.fixture
def files(tmp_path):
    (tmp_path / "empty").mkdir()
    for name, content in FILES.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return tmp_path


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["order"])
def test_what_is_refused(refused, files, model, monkeypatch, request, row):
    folders = {"MODEL": model}
    if "ENCODER" in row["order"]:
        folders["ENCODER"] = request.getfixturevalue("tiny_bert")
    args = [str(folders.get(x, x)) for x in shlex.split(row["order"])]
    if args[0] == "serve":
        pytest.importorskip("uvicorn")
    monkeypatch.setenv("SHORT", "abc")
    for name in ("SPACY_DEID_KEY", "SPACY_DEID_TOKEN"):
        monkeypatch.delenv(name, raising=False)
    if row["content"]:
        name = next(arg for arg in args if arg.startswith("in."))
        raw = row["content"].removeprefix("''").encode().decode("unicode_escape")
        (files / name).write_bytes(raw.encode("latin-1"))
    said = refused(row["told"], *args)
    assert not any(text in said for text in CANARIES), said
