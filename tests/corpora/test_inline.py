import runpy
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spacy_deid.corpora.corpus import detect_format
from spacy_deid.corpora.files import InputError
from spacy_deid.corpora.inline import read_inline
from spacy_deid.corpora.report import Report

from ..cases import cases

OWN = Path(__file__).parents[2] / "assets" / "corpora"
letters = {"blacklist_characters": "⟦⟧|=\r\n", "blacklist_categories": ["Cs"]}
words = st.text(st.characters(**letters))


def read(path: Path) -> list[dict]:
    return [record for [record] in read_inline(path, Report())]


def test_text_and_offsets(tmp_path):
    file = tmp_path / "note.txt"
    file.write_text("".join(cases(__file__, "notes")), encoding="utf-8")
    first, second = read(file)
    assert first["text"] == "Pt Okonjo, tel.\n 0770"
    assert (first["doc_id"], first["kind"], second["text"]) == ("note-1", "note", "")
    one, two = first["entity_mentions"]
    for m, wanted in (one, ("Okonjo", "PERSON", "")), (two, ("0770", "CODE", "PHONE")):
        said = first["text"][m["start_offset"] : m["end_offset"]]
        assert (said, m["entity_type"], m["subtype"]) == wanted
    assert [m["identifier_type"] for m in first["entity_mentions"]] == ["DIRECT"] * 2
    assert detect_format(file) == detect_format(tmp_path) == "inline"


@given(st.lists(st.tuples(words, words.filter(bool)), max_size=5))
def test_spans_are_where_they_were_written(tmp_path_factory, parts):
    file = tmp_path_factory.mktemp("inline") / "x.txt"
    body = "".join(f"{a}⟦{b}|PERSON Q {i}⟧" for i, (a, b) in enumerate(parts))
    file.write_text(f"=== x\n.{body}", encoding="utf-8", newline="")
    [record] = read(file)
    assert record["text"] == "." + "".join(a + b for a, b in parts)
    for mention, (_, text) in zip(record["entity_mentions"], parts):
        assert record["text"][mention["start_offset"] : mention["end_offset"]] == text


@pytest.mark.parametrize("text, line", cases(__file__, "broken"))
def test_what_cannot_be_read_is_named_by_line(tmp_path, text, line):
    file = tmp_path / "x.txt"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=f"line {line}:") as error:
        read(file)
    assert "Ann" not in str(error.value)


@pytest.fixture(scope="module")
def problems():
    return runpy.run_path(str(OWN / "check.py"))["problems"]


def test_own_documents_contradict_nothing_and_dev_kinds_are_not_trained_on(problems):
    records = read(OWN)
    assert len({r["doc_id"] for r in records}) == len(records)
    assert [(r["doc_id"], p) for r in records for p in problems(r)[0]] == []
    train, dev = (OWN.glob(f"*/{part}/*.txt") for part in ("train", "dev"))
    kinds = {(path.parents[1].name, path.stem) for path in train}
    assert not kinds & {(path.parents[1].name, path.stem) for path in dev}
    english = [r for r in records if "/en/" in r["file"]]
    decided = [[m["identifier_type"] for m in r["entity_mentions"]] for r in english]
    masked = [len(row) - row.count("NO_MASK") for row in decided]
    assert len(english) >= 600 and len({r["kind"] for r in english}) >= 30
    assert sum(n <= 1 for n in masked) >= len(english) / 4


@pytest.mark.parametrize("text, wrong, look", cases(__file__, "check"))
def test_check(tmp_path, problems, text, wrong, look):
    (tmp_path / "x.txt").write_text(f"=== x\n{text}", encoding="utf-8")
    (record,) = read(tmp_path)
    assert tuple(map(len, problems(record))) == (wrong, look)
