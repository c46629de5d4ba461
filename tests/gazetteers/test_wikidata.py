import hashlib
import json
import random
from collections import Counter
from unittest.mock import Mock

import pytest
import spacy

import spacy_deid
from spacy_deid.gazetteers.wikidata import values as wikidata
from spacy_deid.gazetteers.wikidata.values import Origin, Property, Value

from ..cases import cases

VALUES = [Value(*row) for row in cases(__file__, "values")]


@pytest.fixture
def write(tmp_path):
    def write(values=VALUES, name="t.jsonl", **settings):
        path = tmp_path / name
        report = wikidata.write_terms(values, path, Origin("test", "here"), **settings)
        lines = path.read_text(encoding="utf8").splitlines()
        return [json.loads(line) for line in lines], report

    return write


def find(rows, term):
    keys = ("label", "id", "property", "count", "lang")
    return [tuple(map(row.get, keys)) for row in rows if row["term"] == term]


def terms_of(rows):
    return [row["term"] for row in rows]


def test_properties_of_the_paper():
    properties = wikidata.load_properties()
    assert Counter(p.type for p in properties) == {"DEM": 44, "MISC": 196}
    assert len({p.id for p in properties}) == 240
    assert Property("P106", "occupation", "DEM") in properties
    assert Property("P1399", "convicted of", "MISC") in properties
    numbers = [int(p.id[1:]) for p in properties]
    assert numbers == sorted(numbers)


def test_some_properties(tmp_path):
    assert len(wikidata.load_properties(exclude=["P106", "P99999"])) == 239
    chosen = wikidata.load_properties(ids=["P1449", "P106", "P27:DEM", "P21:MISC"])
    types = {"P21": "MISC", "P27": "DEM", "P106": "DEM", "P1449": "MISC"}
    assert [(p.id, p.type) for p in chosen] == [*types.items()]
    path = tmp_path / "mine.tsv"
    path.write_text("pid\tlabel\ttype\nP1\tone\tMISC\n", encoding="utf8")
    assert wikidata.load_properties(path) == [Property("P1", "one", "MISC")]
    for text in ("", "pid\tlabel\ttype\n", "id\tP1\n", "pid\tlabel\nP1\tx\n"):
        path.write_text(text, encoding="utf8")
        with pytest.raises(ValueError, match=r"mine\.tsv"):
            wikidata.load_properties(path)
    for settings, message in cases(__file__, "refused properties"):
        with pytest.raises(ValueError, match=message):
            wikidata.load_properties(**settings)


def test_languages():
    assert wikidata.parse_languages("en, de,en,pt_BR") == ("en", "de", "pt-br")
    assert wikidata.parse_languages(["zh-hans"]) == ("zh-hans",)
    assert wikidata.get_languages(["en", "mul"]) == ("en", "mul")
    for text in ("", ",", "english language", "e", "de;en"):
        with pytest.raises(ValueError, match="language"):
            wikidata.parse_languages(text)


def test_clean_and_hopeless_terms():
    for text, term in cases(__file__, "clean terms"):
        assert wikidata.clean_term(text) == term
    for term, reason in cases(__file__, "hopeless terms"):
        assert wikidata.why_hopeless(term) == reason, term


def test_only_the_languages_asked_for(write):
    rows, report = write(languages="de", countries=False)
    wanted = "Deutscher Deutschland Islam Jhon Nobel Politiker Politikerin"
    assert terms_of(rows) == wanted.split()
    assert find(rows, "Nobel") == [("MISC", "Q7191", "P166", 1, "mul")]
    # Strings have no language.
    assert find(rows, "Jhon") == [("MISC", "", "P1353", 8, None)]
    # Among them one without any label and one with an Austrian one only.
    unlabelled = ["Q36180", "Q30185", "Q9268", "Q99", "Q98", "Bob", "Bob", "Старик"]
    assert report["filters"]["without_label"] == len([*unlabelled, "German"])
    # A term of two languages is one term.
    for languages in (["en", "de"], ["de", "en"]):
        rows, _ = write(languages=languages)
        assert find(rows, "Islam") == [("DEM", "Q432", "P140", 9, languages[0])]


def test_a_term_of_two_values_is_two_terms(write):
    values = [
        Value("P106", "DEM", "Q1", 3, {"en": ["general"]}),
        Value("P410", "DEM", "Q1", 4, {"en": ["general"]}),
        Value("P410", "DEM", "Q2", 5, {"en": ["general", "General"]}),
    ]
    rows, _ = write(values, countries=False)
    assert terms_of(rows) == ["General", "general", "general", "general"]
    assert [(r["id"], r["property"], r["count"]) for r in rows] == [
        ("Q2", "P410", 5), ("Q1", "P106", 3), ("Q1", "P410", 4), ("Q2", "P410", 5),
    ]  # fmt: skip


def test_aliases_can_be_left_out(write):
    """None becomes a label where there is none; demonyms are no aliases."""
    terms = terms_of(write(aliases=False, countries=False)[0])
    assert {"politician", "German"} <= {*terms}
    assert not {"political leader", "Judaism"} & {*terms}


def test_order_does_not_matter(write, tmp_path):
    values = VALUES + [
        Value("P106", "DEM", f"Q{n}", n % 50 + 1, {"en": [f"job {n % 7}", f"task {n}"]})
        for n in range(10**6, 10**6 + 200)
    ]
    write(values, "a.jsonl")
    random.Random(1).shuffle(values)
    write(values, "b.jsonl")
    assert (tmp_path / "a.jsonl").read_bytes() == (tmp_path / "b.jsonl").read_bytes()
    assert len(list(tmp_path.iterdir())) == 4


def test_filters_and_what_they_took(write):
    values = [
        *VALUES,
        Value("P8", "MISC", "Q5000", 3, {"en": ["17", "x", "y" * 200]}),
        Value("P8", "MISC", "Q5001", 3, {"en": ["\u200e", "!?"]}),
    ]
    settings = {"min_count": 4, "exclude": ["P140", "P8888"], "countries": False}
    rows, report = write(values, **settings)
    assert {row["property"] for row in rows} == {"P106", "P27", "P1353"}
    wanted = {"excluded_properties": ["P140", "P8888"], "excluded_values": 2}
    assert report["filters"].items() >= {**wanted, "below_min_count": 8}.items()
    filters = write(values, countries=False)[1]["filters"]
    kinds = "empty no_letters number single_letter too_long".split()
    assert filters["unfit_terms"] == dict.fromkeys(kinds, 1)
    assert filters["duplicates"] == 1


def test_countries_pass_every_filter(write):
    nlp = make_finder([("GPE", "Germany")])
    rows, _ = write(min_count=50, drop_names=nlp)
    assert find(rows, "Germany") == [("DEM", "Q183", "P27", 7, "en")]
    rows, report = write(countries=False, drop_names=nlp)
    assert not find(rows, "Germany") and report["filters"]["names"] == 1
    rows, _ = write(exclude=["P27"])
    assert not [row for row in rows if row["property"] == "P27"]


def test_seed_countries_where_the_source_has_none(write):
    rows, report = write()
    for term in ("France", "French", "Kenyan"):
        assert find(rows, term) == [("DEM", "", "P27", 0, "en")]
    # The source has these.
    assert find(rows, "German") == [("DEM", "Q183", "P27", 7, "en")]
    added = [row for row in rows if not row["id"] and row["property"] == "P27"]
    assert len(added) == report["filters"]["seed_terms_added"] > 500
    rows, report = write(languages=["de"])
    assert not find(rows, "France") and not report["filters"]["seed_terms_added"]
    rows, _ = write(languages=["fr"])
    for term in ("Norvège", "norvégien", "grecque"):
        assert find(rows, term) == [("DEM", "", "P27", 0, "fr")]
    terms = {"de": ["norwegische", "Norweger", "norwegische"], "es": ["noruego"]}
    rows, report = write(languages=["de"], country_terms=terms)
    assert find(rows, "Norweger") == [("DEM", "", "P27", 0, "de")]
    assert not find(rows, "noruego") and report["filters"]["seed_terms_added"] == 2


def make_finder(labels, key=None):
    nlp = spacy.blank("en")
    name, config = ("span_ruler", {"spans_key": key}) if key else ("entity_ruler", {})
    ruler = nlp.add_pipe(name, config=config)
    ruler.add_patterns([{"label": k, "pattern": p} for k, p in labels])
    return nlp


@pytest.mark.parametrize("key", [None, "pii"])
def test_names_that_a_pipeline_finds_are_left_out(write, key):
    labels = cases(__file__, "names")
    finder = make_finder([row[:2] for row in labels], key)
    rows, report = write(countries=False, languages=["en", "ru"], drop_names=finder)
    terms = {*terms_of(rows)}
    assert terms.isdisjoint(term for _, term, is_left_out in labels if is_left_out)
    assert {"Nobel", "political leader", "Islam", "политик"} <= terms
    assert report["filters"]["names"] == 2
    assert report["filters"]["names_of"].startswith("en_pipeline")


def test_many_names_and_those_of_the_embedded_pipeline(write, monkeypatch):
    monkeypatch.setattr(wikidata, "_BATCH", 7)
    names = {n: f"prize number{n}" for n in range(1, 101)}
    values = [Value("P166", "MISC", f"Q{n}", 1, {"en": [t]}) for n, t in names.items()]
    finder = make_finder([("ORG", names[n]) for n in range(1, 101, 3)])
    rows, report = write(values, drop_names=finder, countries=False)
    assert {int(row["id"][1:]) for row in rows} == set(names) - set(range(1, 101, 3))
    assert report["filters"]["names"] == 34
    values = [Value("P800", "MISC", "Q1", 1, {"en": ["Barack Obama"]})]
    values.append(Value("P106", "DEM", "Q2", 1, {"en": ["beekeeper"]}))
    rows, report = write(values, drop_names=spacy_deid.load(), countries=False)
    assert terms_of(rows) == ["beekeeper"]
    assert report["filters"]["names_of"].startswith("en_deid_sm")


def test_the_pipeline_has_to_fit(write, tmp_path):
    with pytest.raises(ValueError, match="no component"):
        write(drop_names=spacy.blank("en"))
    with pytest.raises(ValueError, match="'en'"):
        write(drop_names=make_finder([]), languages=["de"])
    assert not list(tmp_path.iterdir())


def test_manifest(tmp_path):
    path = tmp_path / "terms.jsonl"
    origin = Origin("sparql", "https://example.org", "2026-11-21")

    def values():
        yield from VALUES
        # Known when the last value has come.
        origin.not_terms["quantity"] += 6
        origin.dropped.update({"other_language": 2, "below_min_count": 3})
        origin.details["queries"] = 12

    properties = wikidata.load_properties(ids=["P106", "P39"])
    settings = {"languages": ["en", "de"], "properties": properties}
    report = wikidata.write_terms(values(), path, origin, **settings)
    text = (tmp_path / "terms.manifest.json").read_text(encoding="utf8")
    assert json.loads(text) == report
    rows = [json.loads(line) for line in path.read_text(encoding="utf8").splitlines()]
    assert report["terms"] == len(rows)
    assert report["sha256"] == hashlib.sha256(path.read_bytes()).hexdigest()
    names = {"property": "property", "label": "label", "language": "lang"}
    for name, key in names.items():
        assert report["counts"][name] == Counter(row.get(key, "none") for row in rows)
    told = {"source": "sparql", "date": "2026-11-21", "languages": ["en", "de"]}
    assert report.items() >= {**told, "queries": 12}.items()
    assert report["properties"]["P106"] == ["DEM", "occupation"]
    left = {"not_terms": {"quantity": 6}, "below_min_count": 3}
    left["left_out_by_source"] = {"other_language": 2}
    assert report["filters"].items() >= left.items()


def test_a_failure_leaves_what_was_there(write, tmp_path, monkeypatch):
    write()
    # Files can be read like others.
    (tmp_path / "other").touch()
    assert len({path.stat().st_mode for path in tmp_path.iterdir()}) == 1
    before = {p.name: p.read_bytes() for p in tmp_path.iterdir()}

    def broken():
        yield from VALUES[:3]
        raise RuntimeError("lost")

    with pytest.raises(RuntimeError):
        write(broken())

    full = Mock(side_effect=OSError(28, "No space left on device"))
    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(OSError, match="No space"):
        write(VALUES[:3])
    assert {p.name: p.read_bytes() for p in tmp_path.iterdir()} == before
