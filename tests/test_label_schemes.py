import pickle
from collections import Counter

import pytest
import srsly
from spacy import registry

from spacy_deid.label_schemes import TABLE, make_label_scheme
from spacy_deid.schema import SEMANTIC_TYPES

SIZES = {
    "tab": 8,
    "emails": 15,
    "essays": 7,
    "hipaa": 18,
    "ontonotes": 18,
    "meddocan": 22,
    "conll": 4,
    "btc": 3,
    "wnut17": 6,
    "germeval2014": 12,
    "factrueval2016": 6,
}


@pytest.mark.parametrize("name", TABLE)
def test_sizes(name):
    assert len(make_label_scheme(name).labels) == SIZES[name]


@pytest.mark.parametrize("name", TABLE)
def test_every_label_maps_to_a_type_of_the_package(name):
    scheme = make_label_scheme(name)
    for label in scheme.labels:
        target = scheme.to_tab(label)
        assert target is None or target[0] in SEMANTIC_TYPES


@pytest.mark.parametrize("name", TABLE)
def test_way_back_gives_labels_of_the_scheme(name):
    scheme = make_label_scheme(name)
    for type_ in SEMANTIC_TYPES:
        for subtype in ("", "EMAIL", "COUNTRY", "AGE", "ADDRESS", "Q42"):
            label = scheme.from_tab(type_, subtype)
            assert label is None or label in scheme.labels


@pytest.mark.parametrize("name", TABLE)
def test_there_and_back_keeps_the_type(name):
    scheme = make_label_scheme(name)
    for label in scheme.labels:
        target = scheme.to_tab(label)
        if target is None:
            continue
        back = scheme.from_tab(*target)
        if back is not None:
            again = scheme.to_tab(back)
            assert again is not None
            assert again[0] == target[0]


@pytest.mark.parametrize(
    "name,label,target",
    [
        ("tab", "DEM", ("DEM", "")),
        ("emails", "FEMALE", ("PERSON", "GIVEN_NAME")),
        ("emails", "FAMILY", ("PERSON", "FAMILY_NAME")),
        ("emails", "ZIP", ("LOC", "POSTCODE")),
        ("essays", "ID_NUM", ("CODE", "")),
        ("hipaa", "SSN", ("CODE", "NATIONAL_ID")),
        ("hipaa", "PHOTO", None),
        ("ontonotes", "NORP", ("DEM", "")),
        ("ontonotes", "MONEY", ("QUANTITY", "MONEY")),
        ("meddocan", "EDAD_SUJETO_ASISTENCIA", ("DEM", "AGE")),
        ("meddocan", "NUMERO_FAX", ("CODE", "PHONE")),
        ("conll", "PER", ("PERSON", "")),
        ("btc", "LOC", ("LOC", "")),
        ("wnut17", "creative-work", ("MISC", "")),
        ("germeval2014", "LOCderiv", ("DEM", "NATIONALITY")),
        ("germeval2014", "PERpart", ("PERSON", "")),
        ("factrueval2016", "LocOrg", ("LOC", "COUNTRY")),
    ],
)
def test_to_tab(name, label, target):
    assert make_label_scheme(name).to_tab(label) == target


@pytest.mark.parametrize(
    "name,type_,subtype,label",
    [
        ("tab", "CODE", "EMAIL", "CODE"),
        ("tab", "LOC", "Q64", "LOC"),
        ("emails", "PERSON", "GIVEN_NAME", "FEMALE"),
        ("emails", "PERSON", "", "FAMILY"),
        ("emails", "CODE", "IBAN", "UFID"),
        ("emails", "LOC", "COUNTRY", None),
        ("emails", "DEM", "", None),
        ("essays", "CODE", "PHONE", "PHONE_NUM"),
        ("essays", "DATETIME", "DATE", None),
        ("hipaa", "DEM", "AGE", "DATE"),
        ("hipaa", "DEM", "OCCUPATION", None),
        ("hipaa", "CODE", "PHONE", "PHONE"),
        ("hipaa", "ORG", "", None),
        ("ontonotes", "LOC", "", "GPE"),
        ("ontonotes", "DEM", "NATIONALITY", "NORP"),
        ("ontonotes", "DEM", "OCCUPATION", None),
        ("ontonotes", "CODE", "", None),
        ("meddocan", "LOC", "COUNTRY", "PAIS"),
        ("meddocan", "DATETIME", "YEAR", "FECHAS"),
        ("conll", "PERSON", "FULL_NAME", "PER"),
        ("btc", "MISC", "", None),
        ("wnut17", "ORG", "COMPANY", "corporation"),
        ("germeval2014", "LOC", "CITY", "LOC"),
        ("factrueval2016", "PERSON", "", "Person"),
    ],
)
def test_from_tab(name, type_, subtype, label):
    assert make_label_scheme(name).from_tab(type_, subtype) == label


@pytest.mark.parametrize(
    "name,covers",
    [
        ("tab", SEMANTIC_TYPES),
        ("btc", ("PERSON", "LOC", "ORG")),
        ("essays", ("PERSON", "CODE", "LOC")),
        ("hipaa", ("PERSON", "CODE", "LOC", "DATETIME")),
    ],
)
def test_covers(name, covers):
    assert make_label_scheme(name).covers == covers


def test_unknown_names_raise():
    scheme = make_label_scheme("btc")
    with pytest.raises(ValueError, match=r"'NOPE'.*'btc'"):
        scheme.to_tab("NOPE")
    with pytest.raises(ValueError, match=r"'PER'.*'btc'"):
        scheme.from_tab("PER")
    with pytest.raises(ValueError, match="'nope'"):
        make_label_scheme("nope")


def test_registered_frozen_and_picklable():
    scheme = registry.misc.get("spacy_deid.label_scheme.v1")("conll")
    assert scheme == make_label_scheme("conll")
    assert scheme != make_label_scheme("btc")
    assert pickle.loads(pickle.dumps(scheme)) == scheme
    with pytest.raises(AttributeError):
        scheme.name = "other"


@pytest.mark.parametrize(
    "folder,name",
    [
        ("tab", "tab"),
        ("wiki_biographies", "tab"),
        ("meddocan", "meddocan"),
        ("btc", "btc"),
        ("wnut17", "wnut17"),
        ("germeval2014", "germeval2014"),
        ("factrueval2016", "factrueval2016"),
    ],
)
def test_every_label_of_the_corpus_is_known(shared_data, folder, name):
    scheme = make_label_scheme(name)
    seen: Counter[str] = Counter()
    for line in srsly.read_jsonl(shared_data / folder / "dev.jsonl"):
        seen.update(m["entity_type"] for m in line["entity_mentions"])
    assert seen
    for label in seen:
        assert scheme.to_tab(label) is not None
