import re
from itertools import accumulate

import pytest
import spacy

from spacy_deid.entities.trimming import titles_around, trim_spans
from spacy_deid.tokenizer import blank_pipeline

from ..cases import cases

EN = blank_pipeline("en").make_doc


def left(doc, *spans):
    """What is left of some spans."""
    return [doc[start:end].text for start, end, *_ in trim_spans(doc, spans)]


def test_spans_end_at_cells_of_rows():
    text = "id,name,town,n\n1,Ann,Leeds,3\n2,Ben,York,4\n"
    doc = EN(text)
    start = next(t.i for t in doc if t.text == "Ann")
    assert left(doc, (start, start + 3, "PERSON", 0.9)) == ["Ann", "Leeds"]


@pytest.mark.parametrize("marked, label, score, kept", cases(__file__, "spans"))
def test_what_is_left_of_spans(marked, label, score, kept):
    parts = re.split(r"[\[\]]", marked)
    doc, ends = EN("".join(parts)), [0, *accumulate(map(len, parts))]
    spans = [doc.char_span(*ends[i : i + 2]) for i in range(1, len(parts), 2)]
    assert left(doc, *((s.start, s.end, label, score) for s in spans)) == kept


@pytest.mark.parametrize("lang, text, names", cases(__file__, "names"))
def test_where_the_names_of_persons_end(lang, text, names):
    doc = (spacy.blank(lang) if lang == "en" else blank_pipeline(lang)).make_doc(text)
    assert lang == "en" or "." in [token.text for token in doc]
    assert left(doc, (0, len(doc), "PERSON", 0.9)) == names


@pytest.mark.parametrize("text, date", cases(__file__, "dates"))
def test_what_begins_behind_a_date_is_none_of_it(text, date):
    doc = EN(text)
    assert left(doc, (0, len(doc), "DATETIME", 0.5)) == [date]


@pytest.mark.parametrize("lang, text, name", cases(__file__, "titles"))
def test_titles_around_a_name_are_none_of_it(lang, text, name):
    doc = spacy.blank(lang).make_doc(text)
    before, behind = titles_around([token.text for token in doc])
    assert doc[before : len(doc) - behind].text == name
