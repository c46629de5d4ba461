import pickle

import pytest
import srsly
from spacy import registry

from spacy_deid.corpora.readers import make_gold_doc
from spacy_deid.data import table
from spacy_deid.label_schemes import TABLE, gold_labels, make_label_scheme
from spacy_deid.schema import SEMANTIC_TYPES

from .annotated import record
from .cases import cases

SUBTYPES = sorted(
    {target[1] for labels in TABLE.values() for target in labels.values() if target}
    | {row["subtype"] for row in table("label_schemes_back")}
    | {"Q42", "COURT", "DISEASE", "DEGREE", "COORDINATES"}
)
ALL = [(type_, subtype) for type_ in SEMANTIC_TYPES for subtype in SUBTYPES]
# A scheme may file a thing under a label that is mostly of another type.
ELSEWHERE = {
    ("hipaa", "DEM", "AGE"), ("ontonotes", "DEM", "AGE"), ("conll", "DEM", "NATIONALITY"),
    ("conll", "DEM", "RELIGION"), *(("meddocan", "DEM", s) for s in SUBTYPES),
}  # fmt: skip


@pytest.mark.parametrize("name", TABLE)
def test_every_type_and_label_has_a_way_there_and_back(name):
    scheme = make_label_scheme(name)
    covered = set()
    for type_, subtype in ALL:
        label = scheme.from_tab(type_, subtype)
        if label is None:
            continue
        assert label in scheme.labels
        same = scheme.to_tab(label)[0] == type_
        assert same or (name, type_, subtype) in ELSEWHERE
        covered.update([type_] if same else [])
    assert covered == set(scheme.covers)
    tab = make_label_scheme("tab")
    for label in scheme.labels:
        target = scheme.to_tab(label)
        assert target is None or target[0] in SEMANTIC_TYPES
        # Of DEM without more, NORP and NRP are the smaller part.
        if target is not None and label not in ("NORP", "NRP"):
            assert scheme.to_tab(scheme.from_tab(*target))[0] == target[0]
        assert scheme.translate(label, scheme) == label
        assert scheme.translate(label, tab) == (target[0] if target else None)
        for other in map(make_label_scheme, TABLE):
            there = scheme.translate(label, other)
            if there is None or other.name == name:
                continue
            same = other.to_tab(there)[0] == target[0]
            assert same or (other.name, *target) in ELSEWHERE


def test_labels_are_translated_as_the_tables_have_it():
    for name, label, target in cases(__file__, "to_tab"):
        found = make_label_scheme(name).to_tab(label)
        assert found == (tuple(target) if target else None), label
    for name, type_, subtype, label in cases(__file__, "from_tab"):
        assert make_label_scheme(name).from_tab(type_, subtype) == label, type_


def test_label_map_adds_to_a_scheme_and_counts_for_more():
    labels = {"DRUG": "MISC", "MAIL": "CODE:EMAIL", "VERB": None, "NORP": "ORG"}
    scheme = make_label_scheme("ontonotes", labels)
    told = {"MAIL": ("CODE", "EMAIL"), "VERB": None, "NORP": ("ORG", "")}
    told["GPE"] = ("LOC", "")
    assert {label: scheme.to_tab(label) for label in told} == told
    assert set(scheme.labels) == {*make_label_scheme("ontonotes").labels, *labels}
    assert make_label_scheme("ontonotes").to_tab("NORP") == ("DEM", "")
    with pytest.raises(ValueError, match="'DRUG' can't be 'PILL'; .*MISC"):
        make_label_scheme("tab", {"DRUG": "PILL"})
    with pytest.raises(ValueError, match="unknown label 'X'"):
        scheme.to_tab("X")


def test_registered_frozen_and_picklable_and_unknown_names_raise():
    scheme = registry.misc.get("spacy_deid.label_scheme.v1")("conll")
    assert scheme == make_label_scheme("conll") != make_label_scheme("btc")
    assert pickle.loads(pickle.dumps(scheme)) == scheme
    with pytest.raises(AttributeError):
        scheme.name = "other"
    scheme = make_label_scheme("btc")
    for work in (scheme.to_tab, scheme.from_tab, lambda x: scheme.translate(x, scheme)):
        with pytest.raises(ValueError, match="'NOPE'.*'btc'"):
            work("NOPE")
    with pytest.raises(ValueError, match="'nope'"):
        make_label_scheme("nope")


@pytest.mark.parametrize("folder, name", cases(__file__, "corpora"))
def test_every_label_of_the_corpus_is_known(shared_data, folder, name):
    scheme, seen = make_label_scheme(name), set()
    for line in srsly.read_jsonl(shared_data / folder / "dev.jsonl"):
        seen.update(m["entity_type"] for m in line["entity_mentions"])
    assert seen and None not in map(scheme.to_tab, seen)


def test_gold_labels_are_native_or_by_the_table(nlp):
    row = record("[Ann](FEMALE) Lee, [ann@lee.org](EMAIL)")
    doc = make_gold_doc(nlp, [row], make_label_scheme("emails"))
    group = doc.spans["pii"]
    assert group.attrs["scheme"] == "emails"
    assert group.attrs["native"] == ["FEMALE", "EMAIL"]
    own = {"emails": ["FEMALE", "EMAIL"], "tab": ["PERSON", "CODE"]}
    for name, labels in {**own, "hipaa": ["NAME", "EMAIL"]}.items():
        assert gold_labels(group, make_label_scheme(name)) == labels
    assert gold_labels(group, make_label_scheme("btc"))[1] is None
    # Lists that no longer fit say nothing.
    group.attrs["native"], group.attrs["subtypes"] = ["FEMALE"], []
    assert gold_labels(group, make_label_scheme("emails")) == ["FAMILY", "UFID"]
    # Subtypes of gold in our own scheme choose the label.
    row = record("[10115](LOC) Berlin")
    row["entity_mentions"][0]["subtype"] = "POSTCODE"
    doc = make_gold_doc(nlp, [row], make_label_scheme("tab"))
    group = doc.spans["pii"]
    assert "scheme" not in group.attrs and "native" not in group.attrs
    assert gold_labels(group, make_label_scheme("emails")) == ["ZIP"]
    assert gold_labels(group, make_label_scheme("tab")) == ["LOC"]
