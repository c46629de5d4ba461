import functools
import gzip
import json
import signal

import pytest

from spacy_deid.gazetteers.wikidata import dump_file
from spacy_deid.gazetteers.wikidata.dump import DumpSource, Store
from spacy_deid.gazetteers.wikidata.dump_lines import CountJob

from ..cases import cases
from ..gazetteers.world import entity, statement, to_dump


def person(number, job, **claims):
    rows = {"P31": "Q5", "P106": job, **claims}
    return entity(f"Q{number}", claims=[statement(*row) for row in rows.items()])


JOB, COUNTRY = [statement("P31", "Q28640")], [statement("P31", "Q6256")]
ITEMS = [
    entity("Q7", {"en": ["nurse", "RN carer"], "de": ["Krankenpfleger"]}, JOB),
    entity("Q8", {"en": ["welder"], "de": ["Schweißer"]}, JOB),
    entity("Q9", {"en": ["Ruritania"], "de": ["Ruritanien"]}, COUNTRY),
    *(person(n, "Q7", P27="Q9") for n in range(100, 110)),
    person(110, "Q8", P140="Q7"),
]
DUMP = to_dump(map(json.dumps, ITEMS))


@pytest.fixture
def dump(tmp_path):
    path = tmp_path / "dump.json.gz"
    path.write_bytes(gzip.compress(DUMP))
    return path


@pytest.fixture
def out(tmp_path):
    return tmp_path / "terms.jsonl"


def read_terms(path):
    rows = map(json.loads, path.read_text().splitlines())
    return {(r["term"], r["property"], r["count"], r.get("lang")) for r in rows}


def manifest_of(path):
    return json.loads(path.with_name("terms.manifest.json").read_text())


@pytest.fixture(scope="module")
def run(deid):
    return functools.partial(deid, "gazetteer", "dump")


def test_terms_and_manifest(run, dump, out, tmp_path):
    result = run(dump, out, "--languages", "en,de", "--properties", "P106,P140")
    assert read_terms(out) >= {*cases(__file__, "terms")}
    manifest = manifest_of(out)
    told = {"source": "dump", "location": "dump.json.gz", "people": 11, "whole": True}
    told |= {"lines": len(ITEMS), "broken_lines": 0}
    assert {name: manifest[name] for name in told} == told
    assert set(manifest["properties"]) == {"P106", "P140"}
    assert "11 people on 14 lines, 0 broken lines" in result.output
    # The work folder was ours and is done with.
    left = {"dump.json.gz", "terms.jsonl", "terms.manifest.json"}
    assert {p.name for p in tmp_path.iterdir()} == left
    args = (dump, out, "--properties", "P106,P140", "--no-countries")
    run(*args, "--min-count", 2, "--no-aliases")
    assert read_terms(out) == {("nurse", "P106", 10, "en")}
    run(*args, "--exclude", "P106")
    assert {row[1] for row in read_terms(out)} == {"P140"}


def test_a_named_work_folder_is_used_again(run, dump, out, tmp_path, monkeypatch):
    args = (dump, out, "--work", tmp_path / "work")
    run(*args)
    assert (tmp_path / "work").is_dir()
    before = out.read_bytes()
    out.unlink()
    # Neither pass is done again.
    monkeypatch.setattr(CountJob, "read", lambda *args: 1 / 0)
    run(*args)
    assert out.read_bytes() == before
    result = run(*args, "--properties", "P106", code=1)
    assert "another choice of properties" in result.output


def test_a_bad_dump_is_one_line_and_leaves_the_output(run, dump, out):
    out.write_text("older\n")
    whole, damaged = dump.read_bytes(), "damaged after"
    for data, told in ((whole[:-9], "cut off after"), (whole[:-6] + bytes(6), damaged)):
        dump.write_bytes(data)
        said = run(dump, out, "--work", out.with_name(told), code=1).output
        (error,) = [line for line in said.splitlines() if line.startswith("Error")]
        assert told in error and dump.name in error and out.read_text() == "older\n"
        assert not out.with_name("terms.manifest.json").exists()


def test_damage_that_is_accepted_is_told(run, dump, out, tmp_path):
    dump.write_bytes(dump.read_bytes()[:-9])
    run(dump, out, code=1)
    # What the failed run has found is used.
    run(dump, out, "--accept-damage")
    assert ("nurse", "P106", 10, "en") in read_terms(out)
    assert manifest_of(out)["whole"] is False
    path = tmp_path / "dump.json"
    path.write_bytes(DUMP.replace(b"[\n", b"[\nwhat a secret\n{1},\n", 1))
    said = run(path, out).output
    assert "16 lines, 2 broken lines" in said and "secret" not in said
    assert manifest_of(out)["broken_lines"] == 2


@pytest.mark.parametrize("n_process", [1, 2])
def test_interrupted_it_goes_on(stopped, run, out, tmp_path, n_process):
    path = tmp_path / "dump.json"
    people = [person(n, "Q7") for n in range(200, 400)]
    path.write_bytes(to_dump(map(json.dumps, [*ITEMS, *people])))

    def save_often():
        dump_file.CHUNK = 300
        DumpSource.__init__.__kwdefaults__["checkpoint"] = 0

    order = ("gazetteer", "dump", path, out, "--n-process", n_process)
    how = {"how": signal.SIGINT, "at": (Store, "save"), "first": save_often}
    code, said = stopped(*order, **how)
    assert code == 130 and "Interrupted; run the same command to go on" in said
    assert not out.exists() and "goes on after" in run(path, out).output
    assert ("nurse", "P106", 210, "en") in read_terms(out)
