"""What commands cannot do is one line that says why, quotes no text, and changes no
file."""

import gzip
import json
import shlex
import shutil
from pathlib import Path

import pytest

from spacy_deid.data import read_table

from ..gazetteers.world import entity, to_dump

ROWS = read_table(Path(__file__).with_name("refusals.tsv"))
# Of documents, of what may be one (keys, a first row), and of secrets.
CANARIES = ("Leeds", "Ann", "Lee", "44113", "Murray", "Robert", "Baker", "abc")
TASK = Path(__file__).with_name("utility.cfg")
DUMP = to_dump([json.dumps(entity("Q7"))])
MADE = {
    "d.gaz": b"spacy_deid gazetteer\n" + b"\0" * 50,
    "dump.json.gz": gzip.compress(DUMP),
    "same.jsonl": DUMP,
    "task.cfg": TASK.read_bytes().replace(b"TRAIN", b"kinds.jsonl"),
}


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["order"])
def test_what_is_refused(refused, tmp_path, model, monkeypatch, request, row):
    # The files in `refused`, some that are made, and a folder without any.
    shutil.copytree(Path(__file__).with_name("refused"), tmp_path, dirs_exist_ok=True)
    for name, content in MADE.items():
        (tmp_path / name).write_bytes(content)
    (tmp_path / "empty").mkdir()
    folders = {"MODEL": model}
    if "ENCODER" in row["order"]:
        folders["ENCODER"] = request.getfixturevalue("tiny_bert")
    args = [str(folders.get(x, x)) for x in shlex.split(row["order"])]
    if args[0] == "serve":
        pytest.importorskip("uvicorn")
    monkeypatch.setenv("SHORT", "abc")
    monkeypatch.setenv("LONG", "k3" * 20)
    for name in ("SPACY_DEID_KEY", "SPACY_DEID_TOKEN"):
        monkeypatch.delenv(name, raising=False)
    if row["content"]:
        name = next(arg for arg in args if arg.startswith("in."))
        raw = row["content"].removeprefix("''").encode().decode("unicode_escape")
        (tmp_path / name).write_bytes(raw.encode("latin-1"))
    said = refused(row["told"], *args)
    assert not any(text in said for text in CANARIES), said
