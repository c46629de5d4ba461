"""`spacy deid gazetteer shipped`: terms of the package, compiled and found."""

import json

import pytest
import spacy

from spacy_deid.data import table
from spacy_deid.gazetteers.wikidata.values import CITIZENSHIP, load_properties
from spacy_deid.text.words import normalize_term


def read(path):
    return [json.loads(line) for line in path.read_text("utf8").splitlines()]


def test_rows_are_values_of_the_papers_properties():
    rows = table("wikidata_terms")
    known = {p.id for p in load_properties()} | {CITIZENSHIP}
    assert {row["property"] for row in rows} <= known
    assert {row["lang"] for row in rows} == {"en", "de", "es", "ru", "fr"}
    for row in rows:
        assert row["id"][0] == "Q" and row["id"][1:].isdigit()
        assert not row["people"] or int(row["people"]) > 0
        assert all(term.strip() for term in row["terms"].split("|"))


@pytest.fixture(scope="module")
def terms(tmp_path_factory):
    from spacy.cli._util import app
    from typer.testing import CliRunner

    import spacy_deid.cli  # noqa: F401

    folder = tmp_path_factory.mktemp("terms")
    for name, *args in (
        ("shipped", "terms.jsonl"),
        ("compile", "terms.jsonl", "terms.gaz"),
    ):
        args = [arg if arg == name else str(folder / arg) for arg in args]
        result = CliRunner().invoke(app, ["deid", "gazetteer", name, *args])
        assert result.exit_code == 0, result.output
    return folder


def test_terms_manifest_and_counts(terms):
    rows = read(terms / "terms.jsonl")
    assert {row["lang"] for row in rows} == {"en"}
    writers = [r for r in rows if r["term"] == "writer" and r["property"] == "P106"]
    assert {row["label"] for row in writers} == {"DEM"}
    assert max(row["count"] for row in writers) > 1000
    manifest = json.loads((terms / "terms.manifest.json").read_text("utf8"))
    assert manifest["source"] == "shipped" and manifest["people"] == 97_000
    assert {"robbery", "assault", "tuberculosis"} <= {row["term"] for row in rows}


def test_five_thousand_terms_of_misc_can_be_found(terms):
    nlp = spacy.blank("en")
    pipe = nlp.add_pipe("pii_gazetteer", config={"terms": None})
    pipe.patterns.clear()
    pipe.add_gazetteer(str(terms / "terms.gaz"))
    wanted = {
        normalize_term(row["term"]): row["term"]
        for row in read(terms / "terms.jsonl")
        if row["label"] == "MISC"
    }
    texts = (
        (f"He was known for {term} at the time.", term) for term in wanted.values()
    )
    found = sum(
        any(span.text == term for span in doc.spans["pii"])
        for doc, term in nlp.pipe(texts, as_tuples=True)
    )
    assert found > 5000
