import json
import sys

import pytest
import spacy
from spacy.tokens import DocBin

from spacy_deid.corpora.synthetic import generate
from spacy_deid.label_schemes import make_label_scheme
from spacy_deid.registries import registry


@pytest.fixture
def synth(deid, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return lambda *args, code=0: deid("synth", *args, code=code).output


GENERATORS = """
import os

def letter(record):
    lines = "\\n".join(f"{name}: {value}" for name, value in record.items())
    return f"Dear reader,\\n{lines}\\nYours, {record['name'].split()[0]}\\n"

def forgetful(record):
    return "My name is " + record["name"] + "."

def shy(record):
    return letter(record) if int(record["phone"][-1]) % 2 else "Nothing to say."

def broken(record):
    raise RuntimeError("cannot write about " + record["name"])

def wrong(record):
    return None

not_a_function = 3
"""


@pytest.fixture
def writers(tmp_path, monkeypatch):
    (tmp_path / "writers_of_test.py").write_text(GENERATORS, encoding="utf8")
    monkeypatch.syspath_prepend(str(tmp_path))
    yield "writers_of_test"
    sys.modules.pop("writers_of_test", None)


def test_json_lines(synth, tmp_path, read_jsonl):
    output = synth("out.jsonl", "--n", 12, "--seed", 4)
    assert read_jsonl(tmp_path / "out.jsonl") == list(generate(12, 4))
    assert "12 documents" in output
    assert [p.name for p in tmp_path.iterdir()] == ["out.jsonl"]


def test_processes_do_not_matter(synth, tmp_path):
    args = ("--n", 80, "--kinds", "email,chat", "--lang", "en,de", "--seed", 2)
    synth("one.jsonl", *args)
    synth("two.jsonl", *args, "--n-process", 2)
    one, two = ((tmp_path / f"{n}.jsonl").read_bytes() for n in ("one", "two"))
    assert one == two


def test_scheme_and_locales(synth, tmp_path, read_jsonl):
    synth("out.jsonl", "-n", 30, "--scheme", "emails", "--locales", "de_DE,de_AT")
    labels = {
        m["entity_type"]
        for r in read_jsonl(tmp_path / "out.jsonl")
        for m in r["entity_mentions"]
    }
    assert {"MALE", "FEMALE", "FAMILY", "CITY"} <= labels
    assert labels <= set(make_label_scheme("emails").labels)


@pytest.mark.parametrize("args", [("out.spacy",), ("out.bin", "--format", "spacy")])
def test_docbin(synth, tmp_path, args):
    synth(*args, "-n", 10, "--scheme", "emails", "--kinds", "email")
    docs = list(
        DocBin().from_disk(tmp_path / args[0]).get_docs(spacy.blank("en").vocab)
    )
    expected = list(generate(10, 0, ["email"], scheme="emails"))
    assert [doc.text for doc in docs] == [r["text"] for r in expected]
    group = docs[0].spans["pii"]
    assert group.attrs["scheme"] == "emails"
    assert group.attrs["native"] == [
        m["entity_type"] for m in expected[0]["entity_mentions"]
    ]


def test_standard_output(deid):
    lines = deid("synth", "-", "-n", 3).stdout.splitlines()
    assert [json.loads(line) for line in lines] == list(generate(3, 0))


def test_report(synth, tmp_path):
    synth("out.jsonl", "-n", 20, "--kinds", "court,log", "--report", "report.json")
    report = json.loads((tmp_path / "report.json").read_text(encoding="utf8"))
    records = list(generate(20, 0, ["court", "log"]))
    assert report["docs"] == 20
    assert report["mentions"] == sum(len(r["entity_mentions"]) for r in records)
    assert sum(report["kinds"].values()) == 20
    assert set(report["kinds"]) == {"court", "log"}
    assert sum(report["types"].values()) == report["mentions"]


# External generators


def test_generator(synth, tmp_path, writers, read_jsonl):
    args = ("-n", 6, "--generator", f"{writers}:letter", "--locales", "de_DE")
    output = synth("out.jsonl", *args)
    records = read_jsonl(tmp_path / "out.jsonl")
    assert len(records) == 6
    for record in records:
        types = {m["subtype"] for m in record["entity_mentions"]}
        assert {"FULL_NAME", "GIVEN_NAME", "EMAIL", "PHONE", "ADDRESS"} <= types
    assert "6 texts asked for, 0 left out" in output


def test_registered_generator(synth, tmp_path, read_jsonl):
    @registry.misc("spacy_deid.test_writer.v1")
    def make_writer():
        return lambda record: f"I am {record['name']}."

    synth("o.jsonl", "-n", 2, "--generator", "spacy_deid.test_writer.v1", "--fields",
          "name")  # fmt: skip
    assert all(r["text"].startswith("I am ") for r in read_jsonl(tmp_path / "o.jsonl"))


def test_documents_that_lack_a_value_are_left_out(synth, tmp_path, writers, read_jsonl):
    output = synth(
        "out.jsonl", "-n", 30, "--generator", f"{writers}:shy", "--retries", 1,
        "--report", "report.json",
    )  # fmt: skip
    report = json.loads((tmp_path / "report.json").read_text(encoding="utf8"))
    assert report["docs"] == len(read_jsonl(tmp_path / "out.jsonl"))
    assert report["left_out"] == 30 - report["docs"] > 0
    # Each of those left out was asked for twice.
    assert report["asked"] == 30 + report["left_out"]
    assert report["missing"]["phone"] == 2 * report["left_out"]
    assert f"{report['left_out']} left out" in output


def test_nothing_is_written_if_no_document_is_whole(synth, tmp_path, writers):
    output = synth("o.jsonl", "-n", 3, "--generator", f"{writers}:forgetful", code=1)
    line = next(x for x in output.splitlines() if x.startswith("Error"))
    assert "phone 9" in line
    assert not list(tmp_path.glob("o.jsonl*"))


@pytest.mark.parametrize("name", ["broken", "wrong"])
def test_errors_quote_nobody(synth, tmp_path, writers, name):
    (tmp_path / "old.jsonl").write_text("old\n", encoding="utf8")
    output = synth("old.jsonl", "--generator", f"{writers}:{name}", code=1)
    assert "document 0" in output
    problem = {"broken": "RuntimeError", "wrong": "must return a string, not NoneType"}
    assert problem[name] in output
    assert "cannot write about" not in output
    assert (tmp_path / "old.jsonl").read_text(encoding="utf8") == "old\n"
    assert not (tmp_path / "old.jsonl.part").exists()
