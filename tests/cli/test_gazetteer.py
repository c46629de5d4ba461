import functools
import json

import pytest
import spacy

from spacy_deid.gazetteers import Gazetteer


@pytest.fixture
def run(deid):
    return functools.partial(deid, "gazetteer")


ROWS = [
    {"term": "nurse", "label": "DEM", "id": "Q186360", "property": "P106", "count": 500},
    {"term": "Order of Merit", "label": "MISC", "id": "Q5", "property": "P166", "count": 2},
    {"term": "guard", "label": "DEM", "id": "Q7", "property": "P106", "count": 40},
]  # fmt: skip


@pytest.fixture
def terms(tmp_path):
    path = tmp_path / "terms.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in ROWS), encoding="utf8")
    return path


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
    shown = run("info", out, "--term", "NURSE", "--json")
    assert json.loads(shown.stdout) == ROWS[0]
    missing = run("info", out, "--term", "pilot", code=1)
    assert "'pilot' is not in my.gaz" in missing.stderr
    nlp = spacy.blank("en")
    nlp.add_pipe("pii_gazetteer").add_gazetteer(out)
    doc = nlp("She got the Order of Merit.")
    assert [(d["subtype"], d["source"]) for d in doc._.pii] == [("Q5", "term:P166")]


def test_manifest_gives_languages_and_people(run, terms, tmp_path):
    manifest = {"source": "dump", "location": "x.json.gz", "date": "2026-01-01",
                "languages": ["de", "en"], "people": 12345}  # fmt: skip
    terms.with_name("terms.manifest.json").write_text(json.dumps(manifest))
    out = tmp_path / "my.gaz"
    run("compile", terms, out)
    gazetteer = Gazetteer.load(out)
    assert set(gazetteer.languages) == {"de", "en"}
    assert gazetteer.header["humans"] == 12345
    assert "dump, x.json.gz, 2026-01-01" in run("info", out).stdout
    terms.with_name("terms.manifest.json").write_text("{")
    result = run("compile", terms, out, code=1)
    assert "terms.manifest.json: not a manifest" in result.stderr


def test_options(run, terms, tmp_path):
    table = tmp_path / "f.tsv"
    table.write_text("guard\t7\n", encoding="utf8")
    corpus = tmp_path / "raw.jsonl"
    corpus.write_text(json.dumps({"text": "nurse " * 50 + "and so on"}) + "\n")
    out = tmp_path / "my.gaz"
    run("compile", terms, out, "--languages", "de,en", "--min-count", "10",
                 "--frequencies", table, "--corpus", corpus)  # fmt: skip
    gazetteer = Gazetteer.load(out)
    assert len(gazetteer) == 2 and not gazetteer.get("order of merit")
    zipfs = {e.term: gazetteer.zipf(i) for i, e in enumerate(gazetteer)}
    assert zipfs["guard"] == pytest.approx(7) and zipfs["nurse"] > 8


def test_terms_of_the_dump_are_compiled_with_its_people(run, tmp_path):
    from spacy_deid.gazetteers.wikidata.values import Origin, Value, write_terms

    path = tmp_path / "terms.jsonl"
    origin = Origin("dump", "x.json", details={"people": 4321})
    value = Value("P106", "DEM", "Q186360", 12, {"en": ["nurse"]})
    write_terms([value], path, origin, languages=["en"], countries=False)
    run("compile", path, tmp_path / "x.gaz")
    gazetteer = Gazetteer.load(tmp_path / "x.gaz")
    assert gazetteer.header["humans"] == 4321
    assert gazetteer.get("nurse")[0].people == 12
