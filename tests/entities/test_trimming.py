import pytest
import spacy

from spacy_deid.entities.trimming import titles_before, trim_spans

from ..cases import cases

EN = spacy.blank("en").make_doc
TOKENIZER = {"nlp": {"tokenizer": {"@tokenizers": "spacy_deid.tokenizer.v1"}}}


def left(doc, *spans):
    """What is left of some spans."""
    return [doc[start:end].text for start, end, *_ in trim_spans(doc, spans)]


def test_spans_end_at_cells_of_rows():
    text = "id,name,town,n\n1,Ann,Leeds,3\n2,Ben,York,4\n"
    doc = spacy.blank("en", config=TOKENIZER).make_doc(text)
    start = next(t.i for t in doc if t.text == "Ann")
    assert left(doc, (start, start + 3, "PERSON", 0.9)) == ["Ann", "Leeds"]


def test_no_span_ends_with_the_title_of_the_next_name():
    doc = EN("The Court Of Ms. Bharti Garg")
    assert left(doc, (0, 4, "ORG", 0.9)) == ["The Court Of"]


def test_what_stands_between_two_parties_is_no_entity():
    doc = EN("Case of Hill v. France and Hill vs. France")
    spans = [(i, i + 1, "CODE", 0.001) for i, t in enumerate(doc) if t.text[0] == "v"]
    assert len(spans) == 2 and not left(doc, *spans)


def test_fields_that_machines_read_are_no_names():
    words = "FirstName postalCode OriginDNSTimeMs WAFRuleID MacDonald JohnBaxter DJHope"
    doc = EN(words)
    spans = [(i, i + 1, "ORG", 0.2) for i in range(len(doc))]
    assert left(doc, *spans) == ["MacDonald", "JohnBaxter", "DJHope"]
    # What is hardly doubtful stays, and so do user names.
    assert left(doc, (0, 1, "ORG", 0.9), (1, 2, "CODE", 0.2))


def test_provisions_are_no_entities():
    doc = EN("under Articles 125 and 168 of Law 40 , route 168")
    spans = [(1, 5, "CODE", 0.3), (4, 5, "CODE", 0.3), (10, 11, "CODE", 0.3)]
    assert left(doc, *spans) == ["168"]
    # What the recognizer is sure of stays.
    assert left(doc, (1, 5, "CODE", 0.9))
    # The point of an abbreviation is a token of its own.
    doc = EN("Article 43 (art. 43) of the Convention")
    at = [i for i, t in enumerate(doc) if t.text == "43"]
    assert not left(doc, *((i, i + 1, "DEM", 0.2) for i in at))


def test_the_ending_of_a_word_is_no_entity():
    doc = EN("I haven't seen they'll; in 's-Hertogenbosch")
    spans = [(i, i + 1, "PERSON", 0.9) for i, t in enumerate(doc) if "'" in t.text]
    (kept,) = left(doc, *spans)
    assert len(spans) == 3 and kept.startswith("'s")


@pytest.mark.parametrize("lang, text, names", cases(__file__, "names"))
def test_where_the_names_of_persons_end(lang, text, names):
    doc = spacy.blank(lang, config={} if lang == "en" else TOKENIZER).make_doc(text)
    assert lang == "en" or "." in [token.text for token in doc]
    assert left(doc, (0, len(doc), "PERSON", 0.9)) == names


@pytest.mark.parametrize("text, date", cases(__file__, "dates"))
def test_what_begins_behind_a_date_is_none_of_it(text, date):
    doc = EN(text)
    assert left(doc, (0, len(doc), "DATETIME", 0.5)) == [date]


@pytest.mark.parametrize("lang, text, name", cases(__file__, "titles"))
def test_titles_before_a_name_are_none_of_it(lang, text, name):
    doc = spacy.blank(lang).make_doc(text)
    first = titles_before([token.text for token in doc], lang)
    assert doc[first:].text == name


def test_a_legal_form_alone_is_no_name():
    for label in ("ORG", "PERSON"):
        doc = EN("the LLC agreement of Acme LLC")
        assert left(doc, (1, 2, label, 0.9), (4, 6, label, 0.9)) == ["Acme LLC"]
