import csv
import json
import os
import random
import subprocess
import sys
import time
from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from spacy_deid.corpora import synthetic
from spacy_deid.corpora.synthetic import (
    KINDS,
    NEGATIVE_KINDS,
    Piece,
    World,
    ascii_fold,
    assemble,
    coin_name,
    generate,
    grammar,
    in_words,
    main,
    misspell,
    ordinal,
    parse_template,
    romanize,
)
from spacy_deid.schema import IDENTIFIER_TYPES, SEMANTIC_TYPES

SAMPLES = Path(__file__).parents[2] / "assets" / "samples"
SUBTYPES = set(
    "EMAIL URL DOMAIN PHONE IP MAC IBAN BIC CARD CRYPTO NATIONAL_ID TAX_ID PASSPORT "
    "DRIVER_LICENCE HEALTH_ID PLATE VIN CASE_NUMBER FILE_NUMBER RECORD_NUMBER ACCOUNT "
    "USERNAME PASSWORD ADDRESS POSTCODE CITY COUNTRY COORDINATES REGION DATE TIME "
    "DATE_RANGE YEAR DURATION WEEKDAY MONEY PERCENT MEASURE COUNT AGE NATIONALITY "
    "OCCUPATION RELIGION LANGUAGE DEGREE FAMILY ETHNICITY DISEASE GENDER COMPANY "
    "HOSPITAL COURT SCHOOL GOVERNMENT GIVEN_NAME FAMILY_NAME FULL_NAME".split()
) | {""}


@pytest.fixture(scope="module")
def docs():
    return list(generate(1500, 7))


def check(doc):
    text, mentions = doc["text"], doc["entity_mentions"]
    assert text.strip()
    assert doc["kind"] in KINDS
    for mention in mentions:
        assert mention["entity_type"] in SEMANTIC_TYPES
        assert mention["subtype"] in SUBTYPES
        assert mention["identifier_type"] in IDENTIFIER_TYPES
        covered = text[mention["start_offset"] : mention["end_offset"]]
        assert covered
        assert covered == covered.strip()
    for left, right in pairwise(mentions):
        assert left["end_offset"] <= right["start_offset"]
    if doc["kind"] in NEGATIVE_KINDS:
        assert mentions == []


def test_offsets_and_labels(docs):
    for doc in docs:
        check(doc)


@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
@given(seed=st.integers(0, 2**40), n=st.integers(1, 12))
def test_any_seed(seed, n):
    made = list(generate(n, seed))
    assert len(made) == n
    for doc in made:
        check(doc)


@settings(max_examples=10, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_deterministic_and_prefix_stable(seed):
    assert list(generate(8, seed)) == list(generate(8, seed))
    assert list(generate(12, seed))[:8] == list(generate(8, seed))


def test_same_in_another_process():
    code = (
        "import json; from spacy_deid.corpora.synthetic import generate; "
        "print(json.dumps(list(generate(20, 3))))"
    )
    env = dict(os.environ, PYTHONHASHSEED="12345", PYTHONIOENCODING="utf8")
    out = subprocess.run(
        [sys.executable, "-c", code], env=env, capture_output=True, check=True
    ).stdout
    assert json.loads(out) == list(generate(20, 3))


def test_seeds_differ():
    assert [d["text"] for d in generate(20, 1)] != [d["text"] for d in generate(20, 2)]


def test_no_duplicates(docs):
    assert len({doc["text"] for doc in docs}) == len(docs)
    assert len({doc["doc_id"] for doc in docs}) == len(docs)


def test_every_kind_in_the_mix(docs):
    counts = Counter(doc["kind"] for doc in docs)
    assert set(counts) == set(KINDS)


@pytest.mark.parametrize("kind", KINDS)
def test_kind(kind):
    made = list(generate(60, 11, kinds=[kind]))
    assert {doc["kind"] for doc in made} == {kind}
    for doc in made:
        check(doc)
    labels = {m["entity_type"] for doc in made for m in doc["entity_mentions"]}
    if kind in NEGATIVE_KINDS:
        assert labels == set()
    else:
        assert "CODE" in labels or "PERSON" in labels
        assert len(labels) >= 2
    # No document is like another.
    assert len({doc["text"][:200] for doc in made}) > 0.8 * len(made)


def test_all_types_occur(docs):
    labels = Counter(m["entity_type"] for d in docs for m in d["entity_mentions"])
    assert set(labels) == set(SEMANTIC_TYPES)
    assert min(labels.values()) > 100
    decisions = {m["identifier_type"] for d in docs for m in d["entity_mentions"]}
    assert decisions == set(IDENTIFIER_TYPES)


def test_one_decision_for_an_entity(docs):
    for doc in docs:
        seen = {}
        for mention in doc["entity_mentions"]:
            decision = seen.setdefault(mention["entity_id"], mention["identifier_type"])
            assert decision == mention["identifier_type"]


def test_mentions_of_a_person_share_an_entity():
    text_by_entity = {}
    for doc in generate(40, 5, kinds=["email"]):
        for mention in doc["entity_mentions"]:
            if mention["entity_type"] == "PERSON":
                key = doc["doc_id"], mention["entity_id"]
                covered = doc["text"][mention["start_offset"] : mention["end_offset"]]
                text_by_entity.setdefault(key, set()).add(covered)
    assert sum(len(texts) > 1 for texts in text_by_entity.values()) > 20


def test_name_forms(docs):
    names = [
        doc["text"][m["start_offset"] : m["end_offset"]]
        for doc in docs
        for m in doc["entity_mentions"]
        if m["entity_type"] == "PERSON"
    ]
    assert len(set(names)) > 0.3 * len(names)
    share = Counter()
    for name in names:
        share["caps"] += name.isupper() and len(name) > 3
        share["lower"] += name.islower()
        share["single"] += " " not in name
        share["title"] += name.startswith(("Mr", "Ms", "Dr", "Mrs", "Prof"))
        share["comma"] += ", " in name
        share["initial"] += "." in name
        share["foreign"] += not name.isascii()
        share["wrapped"] += "\n" in name
    for form, low in {
        "caps": 0.06,
        "lower": 0.06,
        "single": 0.25,
        "title": 0.06,
        "comma": 0.005,
        "initial": 0.04,
        "foreign": 0.06,
        "wrapped": 0.002,
    }.items():
        assert share[form] / len(names) > low, form


def test_lower_cased_documents(docs):
    lower = sum(doc["text"].islower() for doc in docs) / len(docs)
    assert 0.08 < lower < 0.25


def test_fast():
    start = time.perf_counter()
    for _ in generate(200, 99):
        pass
    assert time.perf_counter() - start < 6


def test_unknown_kind():
    with pytest.raises(ValueError, match="novel"):
        next(generate(1, 0, kinds=["novel"]))


def test_faker_imported_late():
    code = "import sys, spacy_deid.corpora.synthetic; sys.exit('faker' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.parametrize("kind", KINDS)
def test_every_expansion_renders(kind):
    """Each line of each grammar names only slots that exist."""
    for rules in (grammar(kind), grammar("common")):
        for rule in rules.values():
            for option in rule.options:
                for seed in range(3):
                    pieces = World(random.Random(seed), kind).render(option)
                    check(assemble("x", "email", [Piece("> "), *pieces]))


def test_templates_are_many():
    lines = sum(
        len(rule.options)
        for kind in KINDS
        for name, rule in grammar(kind).items()
        if not name.startswith("w_")
    )
    assert lines >= 500


def test_main_writes_jsonl(tmp_path, capsys):
    path = tmp_path / "sub" / "out.jsonl"
    main(["5", str(path), "--seed", "4"])
    lines = path.read_text(encoding="utf8").splitlines()
    assert [json.loads(line) for line in lines] == list(generate(5, 4))
    assert [p.name for p in path.parent.iterdir()] == ["out.jsonl"]
    main(["2", "-", "--seed", "4", "--kinds", "log"])
    lines = capsys.readouterr().out.splitlines()
    assert [json.loads(line)["kind"] for line in lines] == ["log", "log"]


# The grammar


def render(template, seed=0):
    pieces = World(random.Random(seed), "email").render(parse_template(template))
    return "".join(piece.text for piece in pieces), pieces


def test_alternatives_nest():
    seen = {render("[a|b[c|d]|]", seed)[0] for seed in range(60)}
    assert seen == {"a", "bc", "bd", ""}


def test_label_covers_nested_slots():
    text, pieces = render("in {=ORG.COURT/N:{city} [Court]}.")
    labelled = [piece for piece in pieces if piece.label]
    assert [(p.label, p.subtype, p.ident) for p in labelled] == [
        ("ORG", "COURT", "NO_MASK")
    ]
    assert text == f"in {labelled[0].text}."


def test_tag_repeats():
    text, _ = render("{city#a}|{city#a}|{money#a}|{money#a}")
    a, b, c, d = text.split("|")
    assert a == b
    assert c == d


def test_modifiers():
    text, pieces = render("{^s.full} {_p1.plain} {-city}")
    people = [p for p in pieces if p.label == "PERSON"]
    assert people[0].text.isupper()
    assert people[1].text.islower()
    assert not any(p.label == "LOC" for p in pieces)
    for seed in range(20):
        text, pieces = render("{&p1.job}", seed)
        assert text.startswith("an " if pieces[1].text[0] in "aeiou" else "a ")


@pytest.mark.parametrize("bad", ["[a|b", "{s.full", "{=ORG:abc", "{no good}"])
def test_bad_template(bad):
    with pytest.raises(ValueError, match="template"):
        parse_template(bad)


def test_unknown_slot():
    with pytest.raises(KeyError, match="nosuchthing"):
        render("{nosuchthing}")
    with pytest.raises(KeyError, match="nosuchform"):
        render("{s.nosuchform}")


def test_assemble_trims_and_skips_empty():
    pieces = [
        Piece("a "),
        Piece(" Bo ", "PERSON", "", "QUASI", "p:s"),
        Piece("–", "MISC", "", "QUASI", "m"),
        Piece("Bo", "PERSON", "", "DIRECT", "p:s"),
    ]
    doc = assemble("d", "email", pieces)
    assert doc["text"] == "a  Bo –Bo"
    assert [
        (m["start_offset"], m["end_offset"], m["identifier_type"], m["entity_id"])
        for m in doc["entity_mentions"]
    ] == [(3, 5, "DIRECT", "e1"), (7, 9, "DIRECT", "e1")]


# Small parts


def test_romanize_and_fold():
    assert romanize("Щукин Юрий") == "Shchukin Yuriy"
    assert romanize("Smith") == "Smith"
    assert ascii_fold("Şahin Łoś-Ørsted ß") == "sahinlosorstedss"


@pytest.mark.parametrize(
    "n,text", [(0, "zero"), (13, "thirteen"), (40, "forty"), (99, "ninety-nine")]
)
def test_in_words(n, text):
    assert in_words(n) == text


@pytest.mark.parametrize("n,text", [(1, "1st"), (12, "12th"), (22, "22nd"), (3, "3rd")])
def test_ordinal(n, text):
    assert ordinal(n) == text


@given(st.text("abcdefghijklmnop", min_size=4, max_size=12), st.integers(0, 1000))
def test_misspell(word, seed):
    wrong = misspell(random.Random(seed), word)
    assert abs(len(wrong) - len(word)) <= 1
    assert wrong[0] == word[0]


def test_coined_names_are_new():
    names = ["Abrahamson", "Kowalski", "Dimitriou", "Fernandez"]
    coined = {coin_name(random.Random(i), names) for i in range(50)}
    assert len(coined - set(names)) > 5
    assert all(name[0].isupper() for name in coined)


def test_pools_are_latin():
    for name, pool in synthetic.cultures().items():
        assert len(pool.last) >= 8, name
        for part in pool:
            for word in part:
                assert word == word.strip()
                assert not any("\u0400" <= c <= "\u04ff" for c in word), name


# Samples


SAMPLE_FILES = (
    "letter.txt",
    "email_thread.txt",
    "clinical_note.txt",
    "court_judgment.txt",
    "court_judgment_national.txt",
    "essay.txt",
    "chat_log.txt",
    "support_tickets.csv",
)


@pytest.mark.parametrize("name", SAMPLE_FILES)
def test_sample(name):
    text = (SAMPLES / name).read_text(encoding="utf8")
    assert len(text.split()) > 250
    assert any(char.isdigit() for char in text)


def test_sample_tickets():
    with (SAMPLES / "support_tickets.csv").open(encoding="utf8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) >= 8
    assert list(rows[0]) == ["ticket_id", "created", "subject", "text"]
    assert all(all(row.values()) for row in rows)
