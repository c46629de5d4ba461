"""Records through the embedded pipeline: fields come apart as they went in."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import spacy_deid
from spacy_deid.records.cleaning import Pseudonyms
from spacy_deid.records.declared import Declared
from spacy_deid.records.process import (
    Done,
    Failure,
    Record,
    find_pseudonymizer,
    process_records,
)

# What patterns and names would go on with in the next field.
pieces = st.sampled_from(
    "John Baker|Baker|Mr|Dr.|6 May|1961|born on|617-555|0123|12 Park|Lane, Leeds|a.lee@|"
    "corp.com|GB29 NWBK|6016 1331|,|-|\n|(|and|case no.|28045/02|J.|von|𓀀|Hope".split(
        "|"
    )
)
texts = st.lists(pieces, max_size=4).map(" ".join)
DECLARED = Declared(("a", "b"), {"name": "PERSON", "code": "CODE", "at": "DATETIME"})


@pytest.fixture(scope="module")
def nlp():
    nlp = spacy_deid.load()
    find_pseudonymizer(nlp).set_key(b"k" * 32)
    return nlp


@settings(max_examples=30, deadline=None)
@given(st.fixed_dictionaries(dict.fromkeys(DECLARED.names, texts)))
def test_any_record(nlp, record):
    (done,) = process_records(nlp, [Record(record, DECLARED)], Pseudonyms())
    assert isinstance(done, Done), done
    assert set(done.values) == set(record)
    for name, old in record.items():
        new = done.values[name]
        assert bool(old) == bool(new) and done.of(name)[:2] == (old, new)
        assert old.count("𓀀") >= new.count("𓀀")
    for span in done.spans:
        assert 0 <= span["start"] < span["end"] <= len(record[span["field"]])
        assert span["new_end"] <= len(done.values[span["field"]])
    for name in ("name", "code", "at"):
        if any(map(str.isalnum, record[name])):
            assert done.values[name] != record[name]


def test_one_that_fails_does_not_stop_the_others(nlp):
    good, bad = {"text": "Ann Lee left."}, {"text": "Ann \ud800"}
    records = [Record(fields, Declared()) for fields in (good, bad, good)]
    first, failure, last = process_records(nlp, records, Pseudonyms())
    assert first.values == last.values != good
    assert isinstance(failure, Failure) and failure.kind.startswith("Unicode")
    assert "Ann" not in failure.place
    alone = process_records(nlp, records[:1], Pseudonyms())[0]
    assert alone.values == first.values
