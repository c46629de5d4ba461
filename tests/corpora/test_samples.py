import json

import pytest

from spacy_deid.corpora.samples import (
    ANSWER,
    Sample,
    conll_lines,
    docbin,
    json_record,
    make_samples,
    read_samples,
    squad_json,
)
from spacy_deid.tokenizer import blank_pipeline

from ..cases import cases

SAMPLE = Sample("a", ("Ann Lee left Leeds",), ((0, 7, "PER", 0), (13, 18, "LOC", 0)))
SQUAD = {
    "version": "1.1",
    "data": [
        {
            "title": "",
            "paragraphs": [
                {
                    "context": "Ann Lee left Leeds.",
                    "qas": [
                        {
                            "id": "q1",
                            "question": "Who left?",
                            "answers": [{"text": "Ann Lee", "answer_start": 0}],
                        },
                        {
                            "id": "q2",
                            "question": "Which town?",
                            "answers": [{"text": "Leeds", "answer_start": 13}],
                        },
                    ],
                }
            ],
        }
    ],
}


def test_squad_there_and_back(tmp_path):
    path = tmp_path / "squad.json"
    path.write_text(json.dumps(SQUAD))
    (sample,) = read_samples(path)
    assert sample.texts == ("Ann Lee left Leeds.", "Who left?", "Which town?")
    assert sample.spans == ((0, 7, ANSWER, 1), (13, 18, ANSWER, 2))
    assert squad_json([sample]) == SQUAD
    moved = Sample(
        "0",
        ("Bo left York.", *sample.texts[1:]),
        ((0, 2, ANSWER, 1), (8, 12, ANSWER, 2)),
        (),
        sample.source,
    )
    answers = [
        qa["answers"] for qa in squad_json([moved])["data"][0]["paragraphs"][0]["qas"]
    ]
    assert answers == [
        [{"text": "Bo", "answer_start": 0}],
        [{"text": "York", "answer_start": 8}],
    ]


def test_a_mention_in_one_that_was_replaced_as_a_whole_goes():
    text = "Bank of York opens in York"
    spans = (
        (0, 12, "ORG", 0),
        (8, 12, "LOC", 0),
        (22, 26, "LOC", 0),
        (8, 12, ANSWER, 1),
    )
    # Start and end of each replacement, before and after.
    rows = [(0, 12, 0, 4), (22, 26, 14, 17)]
    new = Sample("a", (text,), spans).rewritten(["Gelt opens in Rye"], rows)
    assert new.spans == ((0, 4, "ORG", 0), (14, 17, "LOC", 0), (0, 4, ANSWER, 1))
    # Two labels of the same words both stay.
    both = Sample("a", (text,), (*spans[:1], (0, 12, "FIRM", 0)))
    assert len(both.rewritten(["Gelt opens in Rye"], rows).spans) == 2


def test_json_lines_conll_and_docbin_there_and_back(tmp_path):
    nlp = blank_pipeline("en")
    for name, data in (
        ("a.jsonl", json.dumps({**json_record(SAMPLE), "topic": "x"}).encode()),
        ("a.conll", "\n".join(conll_lines(SAMPLE, nlp)).encode()),
        ("a.spacy", docbin([SAMPLE], nlp).to_bytes()),
    ):
        path = tmp_path / name
        path.write_bytes(data)
        (found,) = read_samples(path)
        assert found.texts[0].strip() == SAMPLE.texts[0], name
        assert found.spans == SAMPLE.spans, name
    (found,) = read_samples(tmp_path / "a.jsonl", label_field="topic")
    assert found.labels == ("x",) and json_record(found, "topic")["topic"] == "x"


@pytest.mark.parametrize("name, content, told", cases(__file__, "errors"))
def test_what_cannot_be_read_is_told_without_text(tmp_path, name, content, told):
    path = tmp_path / name
    path.write_text(content)
    with pytest.raises(ValueError, match=told) as error:
        make_samples(str(path), label_field="topic")
    assert name in str(error.value) and "Ann" not in str(error.value)


def test_texts_of_one_document_are_drawn_together(tmp_path):
    path = tmp_path / "a.jsonl"
    rows = [
        {"doc_id": f"{i}-{n}", "talk": f"t{i}", "text": "Hi"}
        for i in range(9)
        for n in range(4)
    ]
    path.write_text("\n".join(map(json.dumps, rows)))
    first = make_samples(str(path), group_field="talk", limit=3)
    rest = make_samples(str(path), group_field="talk", skip=3)
    assert (len(first), len(rest)) == (12, 24)
    assert not {s.group for s in first} & {s.group for s in rest}
    assert [s.id[-1] for s in first] == [*"0123"] * 3
