"""Exports of annotation tools, with what each does in its own way."""

import json

import pytest

from spacy_deid.corpora import tools
from spacy_deid.corpora.files import InputError

TEXT = "\N{PILE OF POO} Ann Lee \N{WAVING HAND SIGN} of Leeds"
PLACES = [(2, 9, "PERSON"), (15, 20, "GPE")]


@pytest.fixture
def docs_of(read, found, tmp_path):
    """Texts and labels of records by a reader, and the report."""

    def work(reader, *records):
        path = tmp_path / "in.jsonl"
        path.write_text("".join(json.dumps(r) + "\n" for r in records))
        docs, report = read(reader, path, "ontonotes")
        return [found(doc) for doc in docs], report, docs

    return work


GOLD = [("Ann Lee", "PERSON"), ("Leeds", "GPE")]


def test_doccano(docs_of):
    names = ("start_offset", "end_offset", "label")
    objects = [{"id": 7, **dict(zip(names, place))} for place in PLACES]
    spans = [[*place] for place in PLACES]
    found, report, _ = docs_of(
        tools.read_doccano,
        {"id": 1, "text": TEXT, "entities": objects, "relations": [], "Comments": []},
        {"id": 2, "text": TEXT, "labels": spans},
        {"id": 3, "data": TEXT, "label": spans, "Comments": ["x"]},
        {"id": 4, "text": TEXT, "label": []},
        {"id": 5, "text": TEXT},
        {"id": 6, "text": TEXT, "label": [[2, 9], [2, 900, "GPE"], [2, 9, "PET"]]},
    )
    assert found == [GOLD, GOLD, GOLD, [], []]
    assert report.counts["missing_annotation"] == 1
    assert report.counts["broken"] == 1 and report.counts["unknown_label"] == 1


def units(text, place):
    return len(text[:place].encode("utf-16-le")) // 2


@pytest.mark.parametrize("browser", [False, True])
def test_label_studio(docs_of, browser):
    """Offsets in characters, or as a browser counts them."""

    def value(start, end, label):
        said = (units(TEXT, start), units(TEXT, end)) if browser else (start, end)
        names = {"start": said[0], "end": said[1], "text": TEXT[start:end]}
        return {**names, "labels": [label]}

    regions = [{"type": "labels", "value": value(*place)} for place in PLACES]
    others = [{"type": "choices", "value": {"choices": ["x"]}}, {"type": "relation"}]
    second = {"completed_by": {"id": 2, "email": "b@example.org"}, "result": regions}
    found, report, docs = docs_of(
        tools.read_label_studio,
        {
            "id": 1,
            "data": {"body": TEXT, "page": 3},
            "annotations": [
                {"completed_by": 9, "result": [], "was_cancelled": True},
                {"completed_by": 1, "result": regions + others},
                second,
            ],
        },
        {"id": 2, "data": {"text": TEXT, "title": "A"}, "completions": [second]},
        {"id": 3, "text": TEXT, "who": [value(*place) for place in PLACES]},
        {"id": 4, "data": {"text": TEXT}, "annotations": []},
    )
    assert found == [GOLD] * 3
    assert report.counts["missing_annotation"] == 1
    assert report.counts["annotators"] == 4
    told = "".join(str(doc.spans) + str(doc.user_data) for doc in docs)
    assert "example.org" not in told


def test_prodigy(docs_of):
    spans = [{"start": s, "end": e, "label": n, "token_start": 1} for s, e, n in PLACES]
    task = {"text": TEXT, "_input_hash": 11, "spans": spans, "answer": "accept"}
    found, report, _ = docs_of(
        tools.read_prodigy,
        {**task, "_annotator_id": "set-a"},
        {**task, "_annotator_id": "set-b", "spans": []},
        {**task, "_input_hash": 12, "answer": "reject"},
        {**task, "_input_hash": 13, "answer": "ignore"},
        {"text": TEXT, "_input_hash": 14, "answer": "accept"},
    )
    assert found == [GOLD, []]
    assert report.counts["annotators"] == 3
    assert report.counts["missing_annotation"] == 2


def test_formats_are_told_apart():
    assert tools.format_of({"text": "", "label": [[0, 1, "X"]]}) == "doccano"
    assert tools.format_of({"text": "", "entity_mentions": [], "label": []}) is None
    assert tools.format_of({"text": "", "spans": []}) is None
    assert tools.format_of({"text": "", "spans": [], "answer": "accept"}) == "prodigy"
    assert tools.format_of({"data": {"text": ""}, "predictions": []}) == "label_studio"


def test_what_is_no_document_is_named(docs_of):
    for reader, record in (
        (tools.read_doccano, {"label": [[0, 1, "X"]]}),
        (tools.read_prodigy, {"spans": []}),
        (tools.read_label_studio, {"data": {"a": "x", "b": "y"}, "annotations": [{}]}),
        (tools.read_label_studio, [1]),
    ):
        with pytest.raises(InputError, match=r"in\.jsonl, line 1"):
            docs_of(reader, record)
