import pytest

TEXTS = ["Seen on 3 March 2019.", "Back on 3 March 2019 for the last time."]
OPTIONS = ("--model", "en_deid_sm", "--mask", "all", "--subject-field", "patient")


@pytest.fixture
def run(run_rows, key):
    def run(one, other, *args, **settings):
        """The date of each record that comes out, the records, and what was said."""
        rows = [{"doc_id": 0, "text": TEXTS[0], "patient": one}]
        rows.append({"doc_id": 1, "text": TEXTS[1], **other})
        rows, said = run_rows(rows, *OPTIONS, *args, **settings)
        return [r["text"].partition(" on ")[2][:12] for r in rows], rows, said

    return run


def test_one_interval_a_subject(run):
    dates, rows, _ = run(7, {"patient": 7}, "--batch-size", 1, "--n-process", 2)
    assert dates[0] == dates[1] and "3 March 2019" not in str(rows)
    assert [row["patient"] for row in rows] == [7, 7]
    others, *_ = run(7, {"patient": 8})
    assert others[0] == dates[0] != others[1]


@pytest.mark.parametrize("missing", [{}, {"patient": ""}, {"patient": ["a"]}])
def test_a_record_without_its_subject_is_left_out(run, missing):
    _, rows, said = run(7, missing, code=1)
    assert [row["doc_id"] for row in rows] == [0]
    assert "in.jsonl" in said and "--subject-field" in said
