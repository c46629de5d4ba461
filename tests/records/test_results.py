import pytest
from spacy.tokens import Span

from spacy_deid.records.results import read_doc

TEXT = "Robert Murray, 62, of Leeds, no. 28045/02, born 6 May 1961, wrote to Ann."


def make_doc(nlp, offsets, new, masked):
    """A Doc as a pseudonymizer that goes wrong may leave it."""
    doc = nlp(TEXT)
    doc.spans["mask"] = [doc.char_span(*place, label="QUASI") for place in masked]
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
