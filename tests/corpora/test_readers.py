import json
from collections import Counter

import pytest
import spacy
from spacy.tokens import DocBin
from spacy.training import Example

from spacy_deid.corpora.convert import main, parse_input
from spacy_deid.corpora.readers import (
    create_jsonl_corpus,
    make_gold_doc,
    read_docs,
    read_records,
)
from spacy_deid.label_schemes import make_label_scheme

TEXT = "Mr Robert Murray was born in Leeds."
MENTIONS = [
    {"start_offset": 0, "end_offset": 16, "entity_type": "PERSON",
     "identifier_type": "DIRECT", "entity_id": "e1"},
    {"start_offset": 29, "end_offset": 34, "entity_type": "LOC",
     "identifier_type": "QUASI", "entity_id": "e2"},
]  # fmt: skip
TAB = make_label_scheme("tab")


def write(path, *records):
    path.write_text("".join(json.dumps(r) + "\n" for r in records), encoding="utf8")
    return path


def spans(doc, key):
    return [(s.start_char, s.end_char, s.label_, s.id_) for s in doc.spans[key]]


def test_gold_stands_in_the_same_keys_as_predictions(nlp, tmp_path):
    path = write(
        tmp_path / "a.jsonl", {"doc_id": "a", "text": TEXT, "entity_mentions": MENTIONS}
    )
    (doc,) = read_docs(nlp, path, TAB)
    assert spans(doc, "pii") == [(0, 16, "PERSON", "e1"), (29, 34, "LOC", "e2")]
    assert spans(doc, "mask") == [(0, 16, "DIRECT", "e1"), (29, 34, "QUASI", "e2")]
    assert "covers" not in doc.spans["pii"].attrs


def test_several_annotators_become_groups_of_one_doc(nlp, tmp_path):
    other = [{**MENTIONS[0], "identifier_type": "QUASI"}]
    path = write(
        tmp_path / "a.jsonl",
        {"doc_id": "a", "text": TEXT, "annotator": "x", "entity_mentions": MENTIONS},
        {"doc_id": "b", "text": "It rains.", "entity_mentions": []},
        {"doc_id": "a", "text": TEXT, "annotator": "y", "entity_mentions": other},
    )
    docs = list(read_docs(nlp, path, TAB))
    assert len(docs) == 2
    assert spans(docs[0], "mask:y") == [(0, 16, "QUASI", "e1")]
    assert spans(docs[1], "pii") == []


def test_published_form_with_annotations_by_name(nlp):
    record = {"doc_id": "a", "text": TEXT, "annotations": {
        "x": {"entity_mentions": MENTIONS}, "y": {"entity_mentions": MENTIONS[:1]}}}  # fmt: skip
    doc = make_gold_doc(nlp, [record], TAB)
    assert spans(doc, "pii") == [(0, 16, "PERSON", "e1"), (29, 34, "LOC", "e2")]
    assert spans(doc, "mask:y") == [(0, 16, "DIRECT", "e1")]


def test_partial_schemes_say_what_they_cover(nlp):
    mention = {"start_offset": 3, "end_offset": 16, "entity_type": "PER"}
    doc = make_gold_doc(
        nlp, [{"text": TEXT, "entity_mentions": [mention]}], make_label_scheme("btc")
    )
    assert doc.spans["pii"].attrs["covers"] == ["PERSON", "LOC", "ORG"]
    assert "mask" not in doc.spans


def test_misaligned_spans_grow_and_are_counted(nlp):
    mention = {"start_offset": 5, "end_offset": 16, "entity_type": "PERSON"}
    counts = Counter()
    doc = make_gold_doc(
        nlp, [{"text": TEXT, "entity_mentions": [mention]}], TAB, counts
    )
    assert spans(doc, "pii") == [(3, 16, "PERSON", "")]
    assert counts == {"spans": 1, "misaligned": 1}


@pytest.mark.parametrize(
    "line,message",
    [
        ("{", "a.jsonl, line 2: not valid JSON"),
        ('["x"]', "a.jsonl, line 2: expected an object"),
        ('{"doc_id": "b"}', "a.jsonl, line 2: expected an object with a 'text'"),
    ],
)
def test_broken_lines_are_named(tmp_path, line, message):
    path = tmp_path / "a.jsonl"
    path.write_text(f'{{"text": "x"}}\n{line}\n', encoding="utf8")
    with pytest.raises(ValueError, match=message):
        list(read_records(path))


def test_one_array_reads_like_lines(tmp_path):
    path = tmp_path / "a.json"
    path.write_text(json.dumps([{"text": "x"}, {"text": "y"}], indent=1))
    assert [r["text"] for r in read_records(path)] == ["x", "y"]


def test_unknown_labels_are_errors_without_text(nlp):
    bad = {"start_offset": 0, "end_offset": 9, "entity_type": "NOSUCH"}
    with pytest.raises(ValueError, match="NOSUCH") as e:
        make_gold_doc(nlp, [{"text": TEXT, "entity_mentions": [bad]}], TAB)
    assert "Robert" not in str(e.value)
    bad = {**MENTIONS[0], "identifier_type": "SECRET"}
    with pytest.raises(ValueError, match="unknown identifier type at 0-16"):
        make_gold_doc(nlp, [{"text": TEXT, "entity_mentions": [bad]}], TAB)


def test_corpus_reader_gives_examples_with_bare_predictions(nlp, tmp_path):
    path = write(
        tmp_path / "a.jsonl",
        *({"doc_id": i, "text": TEXT, "entity_mentions": MENTIONS} for i in range(3)),
    )
    reader = spacy.registry.readers.get("spacy_deid.JsonlCorpus.v1")
    assert reader is create_jsonl_corpus
    examples = list(reader(path, limit=2)(nlp))
    assert len(examples) == 2 and isinstance(examples[0], Example)
    assert "pii" not in examples[0].predicted.spans
    assert len(examples[0].reference.spans["pii"]) == 2


def test_convert_writes_a_docbin_that_keeps_everything(tmp_path, capsys):
    path = write(
        tmp_path / "a.jsonl", {"doc_id": "a", "text": TEXT, "entity_mentions": MENTIONS}
    )
    out = tmp_path / "out" / "train.spacy"
    assert main([str(out), f"tab*3:{path}"]) == 0
    assert "docs 3" in capsys.readouterr().err
    docs = list(DocBin().from_disk(out).get_docs(spacy.blank("en").vocab))
    assert len(docs) == 3
    assert spans(docs[0], "mask") == [(0, 16, "DIRECT", "e1"), (29, 34, "QUASI", "e2")]


def test_convert_fails_with_one_line_and_writes_nothing(tmp_path, capsys):
    out = tmp_path / "train.spacy"
    assert main([str(out), f"tab:{tmp_path / 'missing.jsonl'}"]) == 1
    assert capsys.readouterr().err.count("\n") == 1
    assert not out.exists()
    with pytest.raises(ValueError, match="SCHEME:PATH"):
        parse_input("train.jsonl")


def test_real_documents_align(shared_data, nlp):
    counts = Counter()
    docs = list(read_docs(nlp, shared_data / "tab" / "dev.jsonl", TAB, counts=counts))
    assert len(docs) == 21
    assert counts["dropped"] == 0 and counts["misaligned"] < 0.02 * counts["spans"]


def test_a_mark_alone_joins_the_mention_after_it(nlp):
    text = "RT @ rob_m : hi @"
    mentions = [
        {"start_offset": 3, "end_offset": 4, "entity_type": "PER"},
        {"start_offset": 5, "end_offset": 10, "entity_type": "PER"},
        {"start_offset": 16, "end_offset": 17, "entity_type": "PER"},
    ]
    doc = make_gold_doc(
        nlp, [{"text": text, "entity_mentions": mentions}], make_label_scheme("btc")
    )
    assert [s.text for s in doc.spans["pii"]] == ["@ rob_m", "@"]
