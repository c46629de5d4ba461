"""Records that name the person they are about."""

import json

import pytest

TEXTS = ["Seen on 3 March 2019.", "Back on 3 March 2019 for the last time."]
KEY = {"SPACY_DEID_KEY": "k" * 40}


@pytest.fixture
def run(monkeypatch, tmp_path, deid, write_jsonl):
    """Output texts, or the failed result, for records with these subjects."""
    monkeypatch.setenv(*next(iter(KEY.items())))

    def start(subjects, *args, code=0):
        source = tmp_path / "in.jsonl"
        rows = [
            {"doc_id": i, "text": text, **({} if who is None else {"patient": who})}
            for i, (text, who) in enumerate(zip(TEXTS, subjects))
        ]
        write_jsonl(source, rows)
        out = tmp_path / "out.jsonl"
        out.unlink(missing_ok=True)
        options = ["--model", "en_deid_sm", "--mask", "all", *args]
        options += ["--subject-field", "patient"]
        result = deid("run", source, out, *options, code=code)
        lines = out.read_text().splitlines() if out.exists() else []
        return result, [json.loads(line) for line in lines]

    return start


def dates(rows):
    return [row["text"][row["text"].index(" on ") + 4 :][:12] for row in rows]


def test_one_interval_a_subject(run):
    _, rows = run([7, 7], "--batch-size", 1, "--n-process", 2)
    assert len(set(dates(rows))) == 1 and "3 March 2019" not in str(rows)
    assert [row["patient"] for row in rows] == [7, 7]
    _, others = run([7, 8])
    assert dates(others)[0] == dates(rows)[0] != dates(others)[1]


@pytest.mark.parametrize("missing", [None, "", ["a"]])
def test_a_record_without_its_subject_is_left_out(run, missing):
    result, rows = run([7, missing], code=1)
    assert [row["doc_id"] for row in rows] == [0]
    assert "in.jsonl" in result.stderr and "--subject-field" in result.stderr


def test_without_a_key(run, monkeypatch):
    monkeypatch.delenv("SPACY_DEID_KEY")
    result, rows = run([7, 7], code=1)
    assert not rows
    assert "--subject-field needs the secret key: set SPACY_DEID_KEY" in result.stderr


def test_text_files_have_no_fields(deid, tmp_path, monkeypatch):
    monkeypatch.setenv(*next(iter(KEY.items())))
    (tmp_path / "a.txt").write_text(TEXTS[0])
    result = deid(
        "run", tmp_path / "a.txt", tmp_path / "b.txt", "--subject-field", "x", code=1
    )
    assert not (tmp_path / "b.txt").exists()
    assert "a.txt: a .txt file has no field 'x'" in result.stderr
