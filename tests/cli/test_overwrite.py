"""What is there is not written over, by any command, unless that is asked for."""

import pytest

from ..annotated import record
from ..cases import cases

GOLD = record("[Robert Murray](PERSON DIRECT 1) came to Leeds.", "1")
# What each writes to the last of its arguments, which is there.
COMMANDS = cases(__file__, "commands")


@pytest.fixture
def here(tmp_path, monkeypatch, write_jsonl):
    monkeypatch.chdir(tmp_path)
    write_jsonl(tmp_path / "gold.jsonl", [GOLD])
    (tmp_path / "terms.txt").write_text("Leeds\n")
    (tmp_path / "task.cfg").write_text("[utility]\n")
    return tmp_path


@pytest.mark.parametrize("order", COMMANDS)
def test_what_is_there_stays(order, deid, model, here):
    args = [str(model) if arg == "MODEL" else arg for arg in order.split()]
    old = here / args[-1]
    old.write_text("precious")
    result = deid(*args, overwrite=False, code=1)
    assert f"{old.name}: already there" in result.output.replace(f"{here}/", "")
    assert "use --overwrite" in result.output and old.read_text() == "precious"


def test_folders_are_never_replaced_and_files_that_may_be_are(deid, model, here):
    notes = here / "thesis" / "notes.txt"
    notes.parent.mkdir()
    notes.write_text("keep")
    train = ("adapt-mlm", "encoder", "thesis", "gold.jsonl")
    for order in (("calibrate", model, "gold.jsonl", "thesis"), train):
        for overwrite in (False, True):
            result = deid(*order, overwrite=overwrite, code=1)
            assert "it is not replaced" in result.output and notes.read_text() == "keep"
    folder, out = here / "in", here / "out"
    folder.mkdir()
    out.mkdir()
    (folder / "a.txt").write_text("Ann Lee", encoding="utf-8")
    (out / "a.txt").touch()
    deid("run", folder, out, overwrite=False)
    (out / "a.txt").write_bytes(b"mine")
    again = deid("run", folder, out, overwrite=False, code=1)
    assert f"{out / 'a.txt'}" in again.stderr and "--overwrite" in again.stderr
    assert (out / "a.txt").read_bytes() == b"mine"
    deid("run", folder, out, "--overwrite", overwrite=False)
    assert (out / "a.txt").read_bytes() != b"mine"
