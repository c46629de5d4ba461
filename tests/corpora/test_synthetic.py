import csv
import json
import os
import random
import re
import subprocess
import sys
from collections import Counter
from datetime import date
from itertools import pairwise

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from spacy_deid.corpora import synthetic
from spacy_deid.corpora.synthetic import external, generate, make_person_records
from spacy_deid.corpora.synthetic import names as people
from spacy_deid.corpora.synthetic.grammar import Part, Piece, grammar, parse_template
from spacy_deid.corpora.synthetic.labels import Labeller, located_parts
from spacy_deid.corpora.synthetic.names import cultures, street_parts
from spacy_deid.corpora.synthetic.records import assemble, world_class
from spacy_deid.corpora.synthetic.world import NEGATIVE_KINDS, World
from spacy_deid.label_schemes import TABLE, make_label_scheme
from spacy_deid.schema import IDENTIFIER_TYPES, SEMANTIC_TYPES
from spacy_deid.text.spoken import speech

from ..cases import cases

SUBTYPES = {"", *cases(__file__, "subtypes")}
EVERY = [(lang, x) for lang in synthetic.LANGUAGES for x in world_class(lang).kinds]


def check(doc):
    text, mentions = doc["text"], doc["entity_mentions"]
    assert text.strip() and doc["kind"] in world_class(doc.get("lang", "en")).kinds
    decisions = {}
    for mention in mentions:
        decision = mention["identifier_type"]
        assert decisions.setdefault(mention["entity_id"], decision) == decision
        assert mention["entity_type"] in SEMANTIC_TYPES
        assert mention["subtype"] in SUBTYPES and decision in IDENTIFIER_TYPES
        covered = text[mention["start_offset"] : mention["end_offset"]]
        assert covered == covered.strip() != ""
    for left, right in pairwise(mentions):
        assert left["end_offset"] <= right["start_offset"]
    if doc["kind"] in NEGATIVE_KINDS:
        assert mentions == []


@settings(max_examples=8, deadline=None, suppress_health_check=list(HealthCheck))
@given(seed=st.integers(0, 2**40), n=st.integers(1, 12))
def test_any_seed(seed, n):
    made = list(generate(n, seed))
    assert len(made) == n and made == list(generate(n + 2, seed))[:n]
    for doc in made:
        check(doc)


def test_same_in_another_process():
    """And Faker is imported where it is needed alone."""
    code = (
        "import json, sys; from spacy_deid.corpora.synthetic import generate; "
        "print(json.dumps(['faker' in sys.modules, list(generate(20, 3))]))"
    )
    env = dict(os.environ, PYTHONHASHSEED="12345", PYTHONIOENCODING="utf8")
    out = subprocess.check_output([sys.executable, "-c", code], env=env)
    assert json.loads(out) == [False, list(generate(20, 3))]


@pytest.mark.parametrize("lang,kind", EVERY)
def test_kinds_and_all_their_expansions(lang, kind):
    made = list(generate(30, 11, kinds=[kind], langs=(lang,)))
    assert {doc["kind"] for doc in made} == {kind}
    for doc in made:
        check(doc)
    labels = {m["entity_type"] for doc in made for m in doc["entity_mentions"]}
    if kind not in NEGATIVE_KINDS:
        assert labels & {"CODE", "PERSON"} and len(labels) >= 2
    # No document is like another.
    assert len({doc["text"][:200] for doc in made}) > 0.8 * len(made)
    world = world_class(lang)
    names = [kind, *(["common"] if kind == next(iter(world.kinds)) else [])]
    for rules in (grammar(name, world.folder) for name in names):
        for rule in rules.values():
            for option in rule.options:
                pieces = world(random.Random(1), kind).render(option)
                doc = assemble("x", kind, [Piece("> "), *pieces], Labeller())
                check({**doc, "kind": next(iter(world.kinds)), "lang": lang})


def test_documents_and_forms_of_names():
    docs = list(generate(700, 7))
    assert len({doc["text"] for doc in docs}) == len(docs)
    types = Counter(m["entity_type"] for d in docs for m in d["entity_mentions"])
    assert set(types) == set(SEMANTIC_TYPES) and min(types.values()) > 50
    for doc in docs:
        check(doc)
    names = [name for doc in docs for name in covered(doc, "PERSON")]
    assert len(set(names)) > 0.3 * len(names)
    for form, least in {
        lambda name: name.isupper() and len(name) > 3: 0.06,
        str.islower: 0.06,
        lambda name: " " not in name: 0.25,
        lambda name: name.startswith(("Mr", "Ms", "Dr", "Mrs", "Prof")): 0.06,
        lambda name: ", " in name: 0.005,
        lambda name: "." in name: 0.04,
        lambda name: not name.isascii(): 0.06,
        lambda name: "\n" in name: 0.002,
    }.items():
        assert sum(map(form, names)) / len(names) > least


def test_spoken():
    """Numbers and names are said in many ways, their pieces are one entity; ordinary
    numbers are nobody's."""
    docs = list(generate(400, 2, kinds=["spoken"]))
    assert len({doc["text"] for doc in docs}) == len(docs)
    said, plain, pieces = Counter(), 0, 0
    for doc in docs:
        codes: dict[str, set[str]] = {}
        for m in doc["entity_mentions"]:
            run = speech("en").read(doc["text"][m["start_offset"] : m["end_offset"]])
            if run is not None and len(run.atoms) > 1:
                said.update(atom.form for atom in run.atoms)
                codes.setdefault(m["entity_id"], set()).add(run.compact)
        pieces += sum(len(texts) > 1 for texts in codes.values())
        plain += not codes
    assert set(said) >= {"digit", "number", "figures", "times", "letter", "alphabet"}
    assert pieces > 200 and plain > 20


def render(template, seed=0):
    pieces = World(random.Random(seed), "email").render(parse_template(template))
    return "".join(piece.text for piece in pieces), pieces


def test_modifiers_and_what_is_trimmed_or_empty():
    _, pieces = render("{^s.full} {_p1.plain} {-city}")
    first, second = (p.text for p in pieces if p.label == "PERSON")
    assert first.isupper() and second.islower()
    assert not any(p.label == "LOC" for p in pieces)
    for seed in range(20):
        text, pieces = render("{&p1.job}", seed)
        assert text.startswith("an " if pieces[1].text[0] in "aeiou" else "a ")
    for bad in ("[a|b", "{s.full", "{=ORG:abc", "{no good}"):
        with pytest.raises(ValueError, match="template"):
            parse_template(bad)
    pieces = [Piece("a "), Piece(" Bo ", "PERSON", "", "QUASI", "p:s")]
    pieces.append(Piece("–", "MISC", "", "QUASI", "m"))
    pieces.append(Piece("Bo", "PERSON", "", "DIRECT", "p:s"))
    doc = assemble("d", "email", pieces, Labeller())
    assert doc["text"] == "a  Bo –Bo"
    keys = ("start_offset", "end_offset", "identifier_type", "entity_id")
    rows = [tuple(m[key] for key in keys) for m in doc["entity_mentions"]]
    assert rows == [(3, 5, "DIRECT", "e1"), (7, 9, "DIRECT", "e1")]


def make_person(**kwargs):
    values = {
        "role": "s", "subject": True, "gender": "f", "given": "Maria", "middle": [],
        "last": "Meyer", "suffix": "", "title": "Dr.", "place": people.places()[0],
    }  # fmt: skip
    return people.Person(**{**values, **kwargs})


def parts_of(text, parts):
    return [[text[p.start : p.end], p.kind] for p in parts]


@pytest.mark.parametrize("text, expected", cases(__file__, "name_parts"))
def test_name_parts(text, expected):
    found = people.name_parts(make_person(), text, ("Dr.", "Prof.", "PhD"))
    assert parts_of(text, found) == expected
    # Titles are no names.
    piece = Piece(text, "PERSON", "FULL_NAME", "QUASI", "p:s", "s", tuple(found), text)
    if text == "Prof. Maria Meyer, PhD":
        for scheme in ("conll", "btc", "wnut17", "ontonotes", "germeval2014"):
            cuts = Labeller(scheme)(piece)
            assert [text[c.start : c.end] for c in cuts] == ["Maria Meyer"]


def test_parts_of_streets_and_of_damaged_names():
    for text, street, number in cases(__file__, "street_parts"):
        found = {kind: word for word, kind in parts_of(text, street_parts(text))}
        assert found["STREET"] == street and found.get("HOUSE_NUMBER") == number, text
    source = "Maria Großmann"
    parts = people.name_parts(make_person(last="Großmann"), source)
    for damaged in cases(__file__, "damaged"):
        piece = Piece(damaged, "PERSON", "", "QUASI", "p:s", "s", parts, source)
        first, last = re.split(r"\s", damaged)
        found = parts_of(damaged, located_parts(piece))
        assert found == [[first, "FEMALE"], [last, "FAMILY_NAME"]]


def test_every_scheme():
    """Only the labels differ: the text does not, and no mention is invented."""
    tabs = list(generate(60, 3))
    for scheme in TABLE:
        labels = make_label_scheme(scheme).labels
        for tab, doc in zip(tabs, generate(60, 3, scheme=scheme)):
            assert doc["text"] == tab["text"]
            spans = [
                (m["start_offset"], m["end_offset"]) for m in tab["entity_mentions"]
            ]
            for mention in doc["entity_mentions"]:
                assert (
                    mention["entity_type"] in labels and mention["subtype"] in SUBTYPES
                )
                start, end = mention["start_offset"], mention["end_offset"]
                assert any(a <= start < end <= b for a, b in spans)
            for left, right in pairwise(doc["entity_mentions"]):
                assert left["end_offset"] <= right["start_offset"]


def covered(doc, label):
    found = [m for m in doc["entity_mentions"] if m["entity_type"] == label]
    return [doc["text"][m["start_offset"] : m["end_offset"]] for m in found]


@pytest.mark.parametrize("lang, kinds", cases(__file__, "emails"))
def test_emails_have_all_fifteen_labels(lang, kinds):
    docs = list(generate(300, 2, kinds.split(), langs=(lang,), scheme="emails"))
    counts = Counter(m["entity_type"] for doc in docs for m in doc["entity_mentions"])
    assert set(counts) == set(make_label_scheme("emails").labels)
    assert min(counts["FEMALE"], counts["STREETNO"]) > 50
    for doc in docs:
        assert all(any(c.isdigit() for c in text) for text in covered(doc, "STREETNO"))
        for label in ("MALE", "FEMALE"):
            for name in covered(doc, label):
                assert not re.match(r"(mr|mrs|ms|dr|prof)\b", name.lower())


def mention(role, label="PERSON", subtype="FULL_NAME", text="Maria Meyer"):
    return Piece(text, label, subtype, "QUASI", f"p:{role}", role)


def test_roles_and_addresses_are_labelled_as_the_scheme_does():
    labeller = Labeller("essays")
    for role, labelled in (("s", 1), ("c2", 1), ("p9", 0), ("", 0)):
        assert len(labeller(mention(role))) == labelled
        link = mention(role, "CODE", "URL", "me.example/maria")
        assert len(labeller(link)) == labelled
    # Names in notes go by their role.
    for role, label in cases(__file__, "roles"):
        assert [cut.label for cut in Labeller("meddocan")(mention(role))] == [label]
    text = "5 Elm Way, 12345 York"
    parts = (*street_parts("5 Elm Way"), Part(11, 16, "POSTCODE"), Part(17, 21, "CITY"))
    piece = Piece(text, "LOC", "ADDRESS", "QUASI", "a", "s", parts, text)
    for scheme, labels in cases(__file__, "addresses"):
        cuts = Labeller(scheme)(piece)
        assert {text[c.start : c.end]: c.label for c in cuts} == labels


def test_mentions_share_an_entity_and_languages_do_not_depend_on_each_other():
    mixed = list(generate(60, 4, langs=["en", "de"]))
    english = [doc for doc in mixed if doc.pop("lang") == "en"]
    alone = {doc["doc_id"]: doc for doc in generate(60, 4)}
    assert 15 < len(english) < 45
    assert all(doc == alone[doc["doc_id"]] for doc in english)
    texts = {}
    for doc in generate(40, 5, kinds=["email"]):
        people = [m for m in doc["entity_mentions"] if m["entity_type"] == "PERSON"]
        for mention, text in zip(people, covered(doc, "PERSON"), strict=True):
            texts.setdefault((doc["doc_id"], mention["entity_id"]), set()).add(text)
    assert sum(len(several) > 1 for several in texts.values()) > 20


@pytest.mark.parametrize("locale", ["de_DE", "ru_RU", "ja_JP", "tr_TR", "pt_BR"])
def test_locales_give_names_and_places(locale):
    for seed in range(10):
        world = World(random.Random(seed), "email", [locale])
        person = world.person("p1")
        culture = person.memo["culture"]
        assert world.locale_cultures.get(locale, locale) == culture
        names = " ".join([*cultures()[culture].male, *cultures()[culture].female])
        assert re.split("[- ]", person.given)[0] in names
        assert world.expand("p1.city")[0].text in person.place.cities


def test_tables_have_as_many_cells_in_each_line():
    for seed in range(80):
        pieces = World(random.Random(seed), "table").slot_table()
        text = "".join(piece.text for piece in pieces)
        lines = text.split("\n")
        assert len(lines) >= 2 and sum(piece.label == "PERSON" for piece in pieces) >= 2
        if text.startswith("| "):
            assert len({line.count("|") for line in lines}) == 1
            continue
        for mark in ",;\t":
            widths = {len(row) for row in csv.reader(lines, delimiter=mark)}
            if len(widths) == 1 and widths != {1}:
                break
        else:
            assert len({len(line) for line in lines}) == 1


@pytest.mark.parametrize("field, value, text, expected", cases(__file__, "find_values"))
def test_find_values(field, value, text, expected):
    parts = {"name": people.name_parts(make_person(), value * (field == "name"))}
    parts["address"] = (*street_parts("5 Elm Way"), Part(17, 21, "CITY"))
    data = external.PersonData({field: value}, parts, date(1990, 3, 4))
    places, missing = external.find_values(text, data)
    if expected is None:
        assert missing == [field]
    else:
        assert [text[p.start : p.end] for p in places] == expected and missing == []


def test_person_records_are_complete_and_the_same():
    def make(seed):
        return list(make_person_records(20, ["de_DE"], seed, tuple(external.FIELDS)))

    records, same, other = map(make, (3, 3, 0))
    assert records == same != other
    for record in records:
        assert list(record) == list(external.FIELDS)
        assert all(value.strip() for value in record.values())
        assert "@" in record["email"]
    assert len({record["name"] for record in records}) == 20
    assert list(next(make_person_records(1))) == list(external.FIELDS)[:7]


@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_every_value_is_found_in_a_text_of_them(seed):
    made = external.make_person_data(0, seed, fields=tuple(external.FIELDS))
    text = "\n".join(f"{k}: {v}" for k, v in made.values.items())
    assert external.find_values(text, made)[1] == []
    assert external.find_values(text.upper(), made)[1] == []
