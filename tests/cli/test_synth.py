import json
import sys

import pytest
import spacy
from spacy.tokens import DocBin

from spacy_deid.corpora.synthetic import generate
from spacy_deid.label_schemes import make_label_scheme
from spacy_deid.registries import registry

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
def synth(deid, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return lambda *args, code=0: deid("synth", *args, code=code).output


@pytest.fixture
def made(synth, tmp_path, read_jsonl):
    def run(*args):
        said = synth("out.jsonl", *args, "--report", "report.json")
        report = json.loads((tmp_path / "report.json").read_text(encoding="utf8"))
        return read_jsonl(tmp_path / "out.jsonl"), report, said

    return run


@pytest.fixture
def writers(tmp_path, monkeypatch):
    (tmp_path / "writers_of_test.py").write_text(GENERATORS, encoding="utf8")
    monkeypatch.syspath_prepend(str(tmp_path))
    # What Python itself keeps of the module is no output of a command.
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    yield "writers_of_test"
    sys.modules.pop("writers_of_test", None)


def test_json_lines_in_any_number_of_processes(synth, deid, tmp_path, read_jsonl):
    assert "12 documents" in synth("out.jsonl", "--n", 12, "--seed", 4)
    assert read_jsonl(tmp_path / "out.jsonl") == list(generate(12, 4))
    assert [p.name for p in tmp_path.iterdir()] == ["out.jsonl"]
    lines = deid("synth", "-", "-n", 3).stdout.splitlines()
    assert [json.loads(line) for line in lines] == list(generate(3, 0))
    args = ("--n", 80, "--kinds", "email,chat", "--lang", "en,de", "--seed", 2)
    synth("one.jsonl", *args)
    synth("two.jsonl", *args, "--n-process", 2)
    one, two = ((tmp_path / f"{n}.jsonl").read_bytes() for n in ("one", "two"))
    assert one == two


def test_scheme_locales_and_report(made):
    records, *_ = made("-n", 30, "--scheme", "emails", "--locales", "de_DE,de_AT")
    labels = {m["entity_type"] for r in records for m in r["entity_mentions"]}
    assert {"MALE", "FEMALE", "FAMILY", "CITY"} <= labels
    assert labels <= set(make_label_scheme("emails").labels)
    records, report, _ = made("-n", 20, "--kinds", "court,log")
    assert records == list(generate(20, 0, ["court", "log"]))
    assert report["docs"] == 20 == sum(report["kinds"].values())
    assert report["mentions"] == sum(len(r["entity_mentions"]) for r in records)
    assert set(report["kinds"]) == {"court", "log"}
    assert sum(report["types"].values()) == report["mentions"]


@pytest.mark.parametrize("args", [("out.spacy",), ("out.bin", "--format", "spacy")])
def test_docbin(synth, tmp_path, args):
    synth(*args, "-n", 10, "--scheme", "emails", "--kinds", "email")
    vocab = spacy.blank("en").vocab
    docs = list(DocBin().from_disk(tmp_path / args[0]).get_docs(vocab))
    expected = list(generate(10, 0, ["email"], scheme="emails"))
    assert [doc.text for doc in docs] == [r["text"] for r in expected]
    attrs = docs[0].spans["pii"].attrs
    labels = [m["entity_type"] for m in expected[0]["entity_mentions"]]
    assert (attrs["scheme"], attrs["native"]) == ("emails", labels)


def test_external_generators_and_documents_that_lack_a_value(made, writers):
    options = ("--generator", f"{writers}:letter", "--locales", "de_DE")
    records, _, said = made("-n", 6, *options)
    assert len(records) == 6
    for record in records:
        types = {m["subtype"] for m in record["entity_mentions"]}
        assert {"FULL_NAME", "GIVEN_NAME", "EMAIL", "PHONE", "ADDRESS"} <= types
    assert "6 texts asked for, 0 left out" in said

    @registry.misc("spacy_deid.test_writer.v1")
    def make_writer():
        return lambda record: f"I am {record['name']}."

    options = ("--generator", "spacy_deid.test_writer.v1", "--fields", "name")
    assert all(r["text"].startswith("I am ") for r in made("-n", 2, *options)[0])
    options = ("--generator", f"{writers}:shy", "--retries", 1)
    records, report, said = made("-n", 30, *options)
    assert report["docs"] == len(records)
    assert report["left_out"] == 30 - report["docs"] > 0
    # Each of those left out was asked for twice.
    assert report["asked"] == 30 + report["left_out"]
    assert report["missing"]["phone"] == 2 * report["left_out"]
    assert f"{report['left_out']} left out" in said


def test_errors_quote_nobody_and_write_nothing(refused, writers, tmp_path):
    (tmp_path / "old.jsonl").write_text("old\n", encoding="utf8")
    order = ("synth", "old.jsonl", "-n", 3, "--generator")
    for name, told in (
        ("forgetful", "phone 9"),
        ("broken", "document 0 … RuntimeError"),
        ("wrong", "document 0 … must return a string, not NoneType"),
    ):
        said = refused(told, *order, f"{writers}:{name}")
        assert "cannot write about" not in said
