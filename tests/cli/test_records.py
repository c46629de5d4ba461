import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from spacy.tokens import Span

from spacy_deid.cli._records import FieldCleaner, Replacement, make_record, read_doc

TEXT = "Robert Murray, 62, of Leeds, no. 28045/02, born 6 May 1961, wrote to Ann."


def replacement(part, new, label):
    start = TEXT.index(part)
    return Replacement(start, start + len(part), new, label)


@pytest.fixture
def cleaner():
    return FieldCleaner(
        TEXT,
        [
            replacement("Robert Murray", "John Smith", "PERSON"),
            replacement("Leeds", "York", "LOC"),
            replacement("28045/02", "11111/03", "CODE"),
            replacement("no", "xx", "MISC"),
            replacement("62", "64", "DEM"),
            replacement("6 May 1961", "7 June 1962", "DATETIME"),
        ],
    )


@pytest.mark.parametrize(
    "value,expected",
    [
        ("Robert Murray", "John Smith"),
        ("to ROBERT MURRAY, Leeds", "to John Smith, York"),
        ("Mrs Murray", "Mrs ***"),
        ("file 28045-02", "file 11111/03"),
        ("x28045/02x", "x11111/03x"),
        ("xRobert Murrayx", "***"),
        ("no", "xx"),
        ("no more", "no more"),
        ("murray", "***"),
        ("Robert &#77;urray", "John Smith"),
        ("R&D &amp; more", "R&D &amp; more"),
        ("", ""),
        (2804502, None),
        (2804502.0, None),
        (-2804502, None),
        (28045, 28045),
        (62, None),
        ("62", "64"),
        (6, 6),
        ("1961-05-06", "7 June 1962"),
        ("06.05.1961", "7 June 1962"),
        ("1961-05-07", "1961-05-07"),
        (True, True),
        (None, None),
        (
            ["Leeds", {"Leeds": "Leeds", "York": 1}],
            ["York", {"York": "York", "York.2": 1}],
        ),
        # What programs name fields is no name by chance.
        ({"leeds": "leeds", "no": 1}, {"leeds": "York", "no": 1}),
    ],
)
def test_clean(cleaner, value, expected):
    assert cleaner.clean(value) == expected


def test_make_record(cleaner):
    from spacy_deid.cli._records import DeidRecord

    record = DeidRecord("new", [], None, [])
    fields = {"doc_id": 2804502, "body": TEXT, "text": TEXT, "a": 1, "Leeds": "b"}
    out, changed = make_record(record, 2804502, fields, "body", cleaner)
    assert out == {
        "doc_id": "***",
        "text": "new",
        "spans": [],
        "epsilon": None,
        "a": 1,
        "York": "b",
    }
    assert changed == ["doc_id", "York"]


def make_doc(nlp, offsets, new, masked):
    """A Doc as a pseudonymizer that goes wrong may leave it."""
    doc = nlp(TEXT)
    doc.spans["mask"] = [
        doc.char_span(start, end, label="QUASI") for start, end in masked
    ]
    doc.spans["deid"] = [
        doc.char_span(min(o[:2]), max(o[:2]), label="LOC", alignment_mode="expand")
        for o in offsets
    ]
    doc._.deid_text, doc._.deid_offsets = new, offsets
    return doc


def test_read_doc_fails_closed(nlp):
    start = TEXT.index("Leeds")
    span = (start, start + 5)
    good = TEXT.replace("Leeds", "York")
    offsets = [[*span, start, start + 4]]
    record = read_doc(make_doc(nlp, offsets, good, [span]))
    assert record.replacements == [(*span, "York", "LOC")]
    wrong = [
        (offsets, good, [span, (0, 6)]),
        (offsets, TEXT, [span]),
        (offsets, good + "x", [span]),
        ([[*span, start, start + 3]], good, [span]),
        ([], TEXT, [span]),
        ([[span[1], span[0], start, start + 4]], good, [span]),
        ([*offsets, [0, 6, 0, 6]], good, [span]),
        (None, None, [span]),
    ]
    for case in wrong:
        with pytest.raises((ValueError, TypeError)):
            read_doc(make_doc(nlp, *case))
    doc = make_doc(nlp, offsets, good, [span])
    del doc.spans["mask"]
    with pytest.raises(ValueError, match="no detector"):
        read_doc(doc)
    with pytest.raises(ValueError, match="no result"):
        read_doc(nlp(TEXT))


def test_a_title_may_stay_a_name_may_not(nlp):
    text = "Mr Murray left."
    doc = nlp(text)
    doc.spans["mask"] = [Span(doc, 0, 2, label="DIRECT")]
    doc.spans["deid"] = [Span(doc, 1, 2, label="PERSON")]
    doc._.deid_text, doc._.deid_offsets = "Mr Smith left.", [[3, 9, 3, 8]]
    assert read_doc(doc).spans[0]["decision"] == "QUASI"
    doc.spans["deid"] = [Span(doc, 0, 1, label="PERSON")]
    doc._.deid_text, doc._.deid_offsets = "Ms Murray left.", [[0, 2, 0, 2]]
    with pytest.raises(ValueError, match="was to be masked"):
        read_doc(doc)


words = st.lists(
    st.sampled_from(
        "Robert robert Murray MURRAY Leeds a of 28045/02 28045 É é ß SS İ x - ' , \u2028".split(
            " "
        )
    ),
    max_size=6,
).map(" ".join)
values = st.recursive(
    st.one_of(words, st.integers(), st.booleans(), st.none()),
    lambda inner: st.one_of(st.lists(inner), st.dictionaries(words, inner)),
    max_leaves=8,
)


@given(words, values, st.data())
@settings(deadline=None)
def test_no_long_original_survives_in_any_field(text, value, data):
    offset = st.integers(0, len(text))
    pairs = data.draw(st.lists(st.tuples(offset, offset), max_size=4))
    labels = st.sampled_from(["PERSON", "LOC", "CODE"])
    replacements = [
        Replacement(min(p), max(p), "[new]", data.draw(labels))
        for p in pairs
        if p[0] != p[1]
    ]
    cleaned = FieldCleaner(text, replacements).clean(value)

    def strings(value):
        if isinstance(value, str):
            yield value
        elif isinstance(value, list):
            for item in value:
                yield from strings(item)
        elif isinstance(value, dict):
            for key, item in value.items():
                yield key
                yield from strings(item)

    for r in replacements:
        original = text[r.start : r.end]
        if len(original) >= 6:
            assert all(original not in string for string in strings(cleaned))
    json.dumps(cleaned)
    if not replacements:
        assert cleaned == value
