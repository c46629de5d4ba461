import itertools
import json
from pathlib import Path

import pytest

from spacy_deid.corpora import samples
from spacy_deid.tokenizer import blank_pipeline

from ..cases import cases

SPANS = ((0, 7, "PER", 0), (13, 18, "LOC", 0))
SAMPLE = samples.Sample("a", ("Ann Lee left Leeds",), SPANS)
SQUAD = Path(__file__).with_name("squad.json")


def test_squad_there_and_back_and_mentions_that_go():
    (sample,) = samples.read_samples(SQUAD)
    assert sample.texts == ("Ann Lee left Leeds.", "Who left?", "Which town?")
    assert sample.spans == ((0, 7, samples.ANSWER, 1), (13, 18, samples.ANSWER, 2))
    assert samples.squad_json([sample]) == json.loads(SQUAD.read_text())
    texts = ("Bo left York.", *sample.texts[1:])
    spans = ((0, 2, samples.ANSWER, 1), (8, 12, samples.ANSWER, 2))
    moved = samples.squad_json([samples.Sample("0", texts, spans, (), sample.source)])
    (paragraph,) = moved["data"][0]["paragraphs"]
    first, second = (qa["answers"] for qa in paragraph["qas"])
    assert first == [{"text": "Bo", "answer_start": 0}]
    assert second == [{"text": "York", "answer_start": 8}]
    # A mention in one that was replaced as a whole goes.
    text = "Bank of York opens in York"
    names = ((0, 12, "ORG", 0), (8, 12, "LOC", 0), (22, 26, "LOC", 0))
    spans = (*names, (8, 12, samples.ANSWER, 1))
    # Start and end of each replacement, before and after.
    rows = [(0, 12, 0, 4), (22, 26, 14, 17)]
    new = samples.Sample("a", (text,), spans).rewritten(["Gelt opens in Rye"], rows)
    left = ((0, 4, "ORG", 0), (14, 17, "LOC", 0), (0, 4, samples.ANSWER, 1))
    assert new.spans == left
    # Two labels of the same words both stay.
    both = samples.Sample("a", (text,), (*spans[:1], (0, 12, "FIRM", 0)))
    assert len(both.rewritten(["Gelt opens in Rye"], rows).spans) == 2


def test_json_lines_conll_and_docbin_there_and_back(tmp_path):
    nlp = blank_pipeline("en")
    for name, data in (
        ("a.jsonl", json.dumps({**samples.json_record(SAMPLE), "topic": "x"}).encode()),
        ("a.conll", "\n".join(samples.conll_lines(SAMPLE, nlp)).encode()),
        ("a.spacy", samples.docbin([SAMPLE], nlp).to_bytes()),
    ):
        path = tmp_path / name
        path.write_bytes(data)
        (found,) = samples.read_samples(path)
        assert found.texts[0].strip() == SAMPLE.texts[0], name
        assert found.spans == SAMPLE.spans, name
    (found,) = samples.read_samples(tmp_path / "a.jsonl", label_field="topic")
    assert found.labels == ("x",)
    assert samples.json_record(found, "topic")["topic"] == "x"


@pytest.mark.parametrize("name, content, told", cases(__file__, "errors"))
def test_what_cannot_be_read_is_told_without_text(tmp_path, name, content, told):
    path = tmp_path / name
    path.write_text(content)
    with pytest.raises(ValueError, match=told) as error:
        samples.make_samples(str(path), label_field="topic")
    assert name in str(error.value) and "Ann" not in str(error.value)


def test_texts_of_one_document_are_drawn_together(tmp_path):
    path = tmp_path / "a.jsonl"
    numbers = itertools.product(range(9), range(4))
    rows = [{"doc_id": f"{i}-{n}", "talk": f"t{i}", "text": "Hi"} for i, n in numbers]
    path.write_text("\n".join(map(json.dumps, rows)))
    first = samples.make_samples(str(path), group_field="talk", limit=3)
    rest = samples.make_samples(str(path), group_field="talk", skip=3)
    assert (len(first), len(rest)) == (12, 24)
    assert not {s.group for s in first} & {s.group for s in rest}
    assert [s.id[-1] for s in first] == [*"0123"] * 3
