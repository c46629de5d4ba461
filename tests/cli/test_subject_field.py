"""Records that name the person they are about."""

import pytest

TEXTS = ["Seen on 3 March 2019.", "Back on 3 March 2019 for the last time."]
KEY = {"SPACY_DEID_KEY": "k" * 40}


@pytest.fixture
def run(monkeypatch, run_rows):
    monkeypatch.setenv(*next(iter(KEY.items())))

    def start(subjects, *args, **settings):
        rows = [
            {"doc_id": i, "text": text, **({} if who is None else {"patient": who})}
            for i, (text, who) in enumerate(zip(TEXTS, subjects))
        ]
        options = ["--model", "en_deid_sm", "--mask", "all", *args]
        return run_rows(rows, *options, "--subject-field", "patient", **settings)

    return start


def dates(rows):
    return [row["text"][row["text"].index(" on ") + 4 :][:12] for row in rows]


def test_one_interval_a_subject(run):
    rows, _ = run([7, 7], "--batch-size", 1, "--n-process", 2)
    assert len(set(dates(rows))) == 1 and "3 March 2019" not in str(rows)
    assert [row["patient"] for row in rows] == [7, 7]
    others, _ = run([7, 8])
    assert dates(others)[0] == dates(rows)[0] != dates(others)[1]


@pytest.mark.parametrize("missing", [None, "", ["a"]])
def test_a_record_without_its_subject_is_left_out(run, missing):
    rows, said = run([7, missing], code=1)
    assert [row["doc_id"] for row in rows] == [0]
    assert "in.jsonl" in said and "--subject-field" in said
