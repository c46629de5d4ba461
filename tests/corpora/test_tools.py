"""Exports of annotation tools, with what each does in its own way."""

import json
from pathlib import Path

import pytest

from spacy_deid.corpora import tools
from spacy_deid.corpora.files import InputError

EXPORTS = Path(__file__).with_name("tools")
GOLD = [("Ann Lee", "PERSON"), ("Leeds", "GPE")]


@pytest.fixture
def docs_of(read, found):
    """Texts and labels of an export by a reader, the report, and the documents."""

    def work(reader, path):
        docs, report = read(reader, path, "ontonotes")
        return [found(doc) for doc in docs], report, docs

    return work


def test_doccano(docs_of):
    """Three ways to write spans, none, no annotation, and what is broken."""
    found, report, _ = docs_of(tools.read_doccano, EXPORTS / "doccano.jsonl")
    assert found == [GOLD, GOLD, GOLD, [], []]
    assert report.counts["missing_annotation"] == 1
    assert report.counts["broken"] == 1 and report.counts["unknown_label"] == 1


@pytest.mark.parametrize("name", ["label_studio", "label_studio_browser"])
def test_label_studio(docs_of, name):
    """Offsets in characters, or as a browser counts them; annotators, one of whom
    cancelled; regions that are no spans; a document that nobody annotated."""
    found, report, docs = docs_of(tools.read_label_studio, EXPORTS / f"{name}.jsonl")
    assert found == [GOLD] * 3 and report.counts["missing_annotation"] == 1
    assert report.counts["annotators"] == 4
    told = "".join(str(doc.spans) + str(doc.user_data) for doc in docs)
    assert "example.org" not in told


def test_prodigy(docs_of):
    """Two annotators, answers other than to accept, and no spans."""
    found, report, _ = docs_of(tools.read_prodigy, EXPORTS / "prodigy.jsonl")
    assert found == [GOLD, []] and report.counts["annotators"] == 3
    assert report.counts["missing_annotation"] == 2


def test_formats_are_told_apart():
    for name, record in (
        ("doccano", {"text": "", "label": [[0, 1, "X"]]}),
        (None, {"text": "", "entity_mentions": [], "label": []}),
        (None, {"text": "", "spans": []}),
        ("prodigy", {"text": "", "spans": [], "answer": "accept"}),
        ("label_studio", {"data": {"text": ""}, "predictions": []}),
    ):
        assert tools.format_of(record) == name


def test_what_is_no_document_is_named(docs_of, tmp_path):
    for reader, record in (
        (tools.read_doccano, {"label": [[0, 1, "X"]]}),
        (tools.read_prodigy, {"spans": []}),
        (tools.read_label_studio, {"data": {"a": "x", "b": "y"}, "annotations": [{}]}),
        (tools.read_label_studio, [1]),
    ):
        (tmp_path / "in.jsonl").write_text(json.dumps(record))
        with pytest.raises(InputError, match=r"in\.jsonl, line 1"):
            docs_of(reader, tmp_path / "in.jsonl")
