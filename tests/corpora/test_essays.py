import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spacy_deid.corpora.essays import read_essays
from spacy_deid.corpora.report import Report
from spacy_deid.corpora.tokens import find_spans

from ..cases import cases

(ESSAY,) = cases(__file__, "essay")
TOKENS, SPACES = ESSAY["tokens"], ESSAY["trailing_whitespace"]
LABELS, TEXT = ESSAY["labels"], ESSAY["full_text"]
GOLD = [("Ana Gil", "NAME_STUDENT"), ("ana@gil.org", "EMAIL")]
PARTS = st.tuples(st.integers(0, 2), st.integers(1, 3), st.sampled_from("XY"))


def put(path, *essays):
    path.write_text(json.dumps(essays), encoding="utf-8")
    return path


@pytest.fixture
def load(read):
    return lambda path, **options: read(read_essays, path, "essays", **options)


def test_offsets_come_from_tokens_and_white_space(load, found, tmp_path):
    (doc,), report = load(put(tmp_path / "train.json", ESSAY))
    assert doc.text == TEXT and found(doc) == GOLD
    assert report.issues == [] and doc.spans["pii"].attrs["scheme"] == "essays"
    (records,) = read_essays(tmp_path, Report())
    assert records[0]["doc_id"] == 7
    without = []
    for name in ("full_text", "trailing_whitespace", "document"):
        without.append({**ESSAY, "document": name})
        del without[-1][name]
    docs, report = load(put(tmp_path / "a.json", *without))
    assert [doc.text for doc in docs] == [TEXT] * 3
    assert [found(doc) for doc in docs] == [GOLD] * 3
    assert [i.kind for i in report.issues] == ["respaced"]
    text = TEXT.replace("\n\n", " \n ").replace("Ana Gil", "Ana\tGil")
    docs, report = load(put(tmp_path / "a.json", {**ESSAY, "full_text": text}))
    assert found(docs[0]) == [("Ana\tGil", "NAME_STUDENT"), GOLD[1]]
    assert [i.kind for i in report.issues] == ["respaced"] and not report.losses


@pytest.mark.parametrize(
    "change",
    [{"labels": LABELS[:-1]}, {"labels": [*LABELS, "O"]}, {"full_text": TEXT + " so"},
     {"tokens": TOKENS[:-1], "trailing_whitespace": SPACES[:-1]},
     {"full_text": TEXT.replace("Mail", "Post")}],
)  # fmt: skip
def test_essays_whose_parts_do_not_fit_are_left_out(load, found, tmp_path, change):
    docs, report = load(put(tmp_path / "a.json", {**ESSAY, **change}, ESSAY))
    assert [found(doc) for doc in docs] == [GOLD]
    counts = report.counts
    assert (counts["broken_document"], counts["text_mismatch"]) == (1, 2)
    assert report.issues[0].line == 1 and report.issues[0].doc_id == "7"
    assert counts["duplicate_id"] == 1 and "ana@" not in json.dumps(report.to_json())


@pytest.mark.parametrize("change, message", cases(__file__, "errors"))
def test_what_is_no_essay_is_named_by_line(load, tmp_path, change, message):
    path = tmp_path / "a.json"
    essay = change if "tokens" in change or change == [] else {**ESSAY, **change}
    path.write_text(f"[{json.dumps(ESSAY)},\n{json.dumps(essay)}]")
    with pytest.raises(ValueError, match=f"a.json, line 2: {message}"):
        load(path)


@given(st.lists(PARTS, max_size=6), st.sampled_from(["BIO", "BILUO", "IOBES"]))
def test_spans_come_back_from_their_tags(parts, notation):
    tags, gold = [], []
    for gap, length, label in parts:
        tags += ["O"] * gap
        gold.append((len(tags), len(tags) + length, label))
        places = ["B"] + ["I"] * (length - 1)
        if notation != "BIO":
            places[-1] = notation[2] if length > 1 else notation[3]
        if notation == "IOBES":
            places[-1] = "E" if length > 1 else "S"
        tags += [f"{place}-{label}" for place in places]
    assert find_spans(tags) == gold
