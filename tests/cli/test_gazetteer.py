import functools
import json

import pytest
import spacy

from spacy_deid.gazetteers import Gazetteer
from spacy_deid.gazetteers.wikidata.values import Origin, Value, write_terms

from ..cases import cases

ROWS = cases(__file__, "terms")


@pytest.fixture
def terms(tmp_path, write_jsonl):
    return write_jsonl(tmp_path / "terms.jsonl", ROWS)


@pytest.fixture
def run(deid):
    return functools.partial(deid, "gazetteer")


def test_compile_info_use(run, terms, tmp_path):
    out = tmp_path / "my.gaz"
    result = run("compile", terms, out)
    assert "3 terms" in result.stderr and result.stdout == ""
    info = json.loads(run("info", out, "--json").stdout)
    assert info["terms"] == info["entries"] == 3
    assert info["labels"] == {"DEM": 2, "MISC": 1}
    assert info["properties"] == {"P106": 2, "P166": 1}
    assert info["humans"] == 500 and info["languages"] == ["en"]
    assert "P106" in run("info", out).stdout
    assert json.loads(run("info", out, "--term", "NURSE", "--json").stdout) == ROWS[0]
    missing = run("info", out, "--term", "pilot", code=1)
    assert "'pilot' is not in my.gaz" in missing.stderr
    nlp = spacy.blank("en")
    nlp.add_pipe("pii_gazetteer").add_gazetteer(out)
    doc = nlp("She got the Order of Merit.")
    assert [(d["subtype"], d["source"]) for d in doc._.pii] == [("Q5", "term:P166")]


def test_options_and_manifest(tmp_path, write_jsonl, run, refused, terms):
    def compiled(*options):
        run("compile", terms, tmp_path / "my.gaz", *options)
        return Gazetteer.load(tmp_path / "my.gaz")

    table = tmp_path / "f.tsv"
    table.write_text("guard\t7\n", encoding="utf8")
    rows = [{"text": "nurse " * 50 + "and so on"}]
    corpus = write_jsonl(tmp_path / "raw.jsonl", rows)
    options = ("--languages", "de,en", "--min-count", "10")
    gazetteer = compiled(*options, "--frequencies", table, "--corpus", corpus)
    assert len(gazetteer) == 2 and not gazetteer.get("order of merit")
    zipfs = {e.term: gazetteer.zipf(i) for i, e in enumerate(gazetteer)}
    assert zipfs["guard"] == pytest.approx(7) and zipfs["nurse"] > 8
    manifest = terms.with_name("terms.manifest.json")
    told = {"source": "dump", "location": "x.json.gz", "date": "2026-01-01"}
    told |= {"languages": ["de", "en"], "people": 12345}
    manifest.write_text(json.dumps(told))
    gazetteer = compiled()
    assert set(gazetteer.languages) == {"de", "en"}
    assert gazetteer.header["humans"] == 12345
    assert "dump, x.json.gz, 2026-01-01" in run("info", tmp_path / "my.gaz").stdout
    # Terms of a dump are compiled with its people.
    origin = Origin("dump", "x.json", details={"people": 4321})
    value = Value("P106", "DEM", "Q186360", 12, {"en": ["nurse"]})
    write_terms([value], terms, origin, languages=["en"], countries=False)
    gazetteer = compiled()
    assert gazetteer.header["humans"] == 4321 and gazetteer.get("nurse")[0].people == 12
    manifest.write_text("{")
    told = "terms.manifest.json: not a manifest"
    refused(told, "gazetteer", "compile", terms, "my.gaz")
