from pathlib import Path

import pytest

from spacy_deid.corpora.conll import read_conll
from spacy_deid.corpora.report import Report
from spacy_deid.corpora.tokens import guess_spaces

from ..cases import cases

SAMPLE = Path(__file__).with_name("sample.conll")
GOLD = [("EU", "ORG"), ("German", "MISC"), ("Peter Blackburn", "PER")]


def put(tmp_path, text, name="a.conll"):
    path = tmp_path / name
    path.write_bytes(text.encode())
    return path


@pytest.fixture
def load(read):
    return lambda path, **options: read(read_conll, path, "conll", **options)


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize("separator", [" ", "\t"])
def test_documents_between_their_marks(load, found, tmp_path, newline, separator):
    text = SAMPLE.read_text("utf8").replace(" ", separator).replace("\n", newline)
    docs, report = load(put(tmp_path, text))
    texts = ["EU rejects German call. Peter Blackburn", "BRUSSELS 1996-08-22"]
    assert [doc.text for doc in docs] == texts
    assert [found(doc) for doc in docs] == [GOLD, [("BRUSSELS", "LOC")]]
    assert report.issues == []


def test_files_without_marks_and_white_space_that_the_file_gives(load, tmp_path, found):
    path = put(tmp_path, "Ann B-PER\n\nLeeds B-LOC\n\nwon O\n")
    assert [d.text for d in load(path)[0]] == ["Ann", "Leeds", "won"]
    assert [d.text for d in load(path, n_sents=2)[0]] == ["Ann Leeds", "won"]
    assert [d.text for d in load(path, join="documents")[0]] == ["Ann Leeds won"]
    ids = [r["doc_id"] for rs in read_conll(path, Report(), n_sents=2) for r in rs]
    assert ids == ["a-1", "a-2"]
    path = SAMPLE.with_suffix(".conllu")
    docs, report = load(path)
    assert [doc.text for doc in docs] == ["Ann's at \"Bo's\".", "Rain"]
    assert found(docs[0])[0] == ("Ann", "PER")
    assert report.counts["comment"] == 2 and not report.losses
    ids = [r["doc_id"] for rs in read_conll(path, Report()) for r in rs]
    assert ids == ["first", "second"]


def test_hash_tags_are_no_comments_and_broken_lines_are_told(load, found, tmp_path):
    text = "# a comment here\n#leeds B-LOC\n# O\n# some words O\nhi O\n"
    (doc,), report = load(put(tmp_path, text))
    assert doc.text == "#leeds #hi" and found(doc) == [("#leeds", "LOC")]
    assert report.counts["comment"] == 2 and not report.losses
    text = "Ann NNP B-PER\nLee\nwon VBD O\nin IN B-PLACE\nLeeds NNP B-LOC\n"
    (doc,), report = load(put(tmp_path, text))
    assert doc.text == "Ann won in Leeds"
    assert found(doc) == [("Ann", "PER"), ("Leeds", "LOC")]
    issues = {(i.kind, i.line) for i in report.issues}
    assert issues == {("broken_line", 2), ("unknown_label", 4)} and report.losses == 2


def test_notations_phrases_and_empty_columns(load, found, tmp_path):
    for text in cases(__file__, "notations"):
        (doc,), report = load(put(tmp_path, text))
        assert found(doc) == [("Ann Lee", "PER"), ("Bo", "PER"), ("Leeds", "LOC")]
        assert report.issues == [], text
    for columns, gold in cases(__file__, "columns"):
        rows = zip(["Ann", "left", "Leeds"], columns.split("|"))
        path = put(tmp_path, "".join(f"{word} {tags}\n" for word, tags in rows))
        (doc,), report = load(path)
        assert [label for _, label in found(doc)] == gold and not report.losses, columns


def test_columns(load, found, tmp_path):
    """Of nested entities the outer layer is read, unless another column is named."""
    text = "1\tIn\tO\tO\n2\tNew\tB-LOC\tO\n3\tYork\tI-LOC\tB-LOC\n4\t.\tO\tO\n"
    path = put(tmp_path, "# source 1\n" + text, "nested.tsv")
    whole = "New York"
    for column, gold in {None: whole, 2: whole, 3: "York", -1: "York"}.items():
        (doc,), report = load(path, tag_column=column)
        assert doc.text == "In New York." and found(doc) == [(gold, "LOC")]
        lost = [("other_column", 4, 7, 11)] if column is None else []
        assert [(i.kind, i.line, i.start, i.end) for i in report.issues] == lost
    (numbers,), _ = load(path, token_column=0)
    assert numbers.text == "1 2 3 4"


# The columns are told from the first 2000 lines.
@pytest.mark.parametrize("n_before", [0, 2000])
def test_a_malformed_tag_is_counted_wherever_it_stands(load, found, tmp_path, n_before):
    text = "and O\n" * n_before + "Ann B-PER\nx O\nBob b-per\n"
    (doc,), report = load(put(tmp_path, text))
    assert found(doc) == [("Ann", "PER")]
    (issue,) = (i for i in report.issues if i.kind == "unknown_label")
    assert issue.line == n_before + 3 and report.losses == 1


@pytest.mark.parametrize("text, options, message", cases(__file__, "errors"))
def test_what_cannot_be_read(load, tmp_path, text, options, message):
    with pytest.raises(ValueError, match=message) as e:
        load(put(tmp_path, text), **options)
    assert "Xy" not in str(e.value).partition(".conll")[2]


@pytest.mark.parametrize("tokens, text", cases(__file__, "spacing"))
def test_spacing_is_that_of_written_text(tokens, text):
    pairs = zip(tokens.split(), guess_spaces(tokens.split()))
    assert "".join(token + " " * space for token, space in pairs).strip() == text
