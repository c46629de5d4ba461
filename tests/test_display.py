"""What a notebook shows, read as HTML."""

from html.parser import HTMLParser

import spacy
from spacy import displacy

from spacy_deid.display import COLORS

TEXT = "Mr Robert Murray (rob@murray.org) met <b>Ann</b> & co. in Leeds.\n\n\u05d0 Murray left."


class Cells(HTMLParser):
    """Texts of the cells, and of the marks with cell and title."""

    def __init__(self, html):
        super().__init__()
        self.cells, self.marks, self.tags, self.title = [], [], set(), None
        self.feed(html)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        self.cells += [""] * (tag == "td")
        self.title = dict(attrs)["title"] if tag == "mark" else None

    def handle_endtag(self, tag):
        self.title = None

    def handle_data(self, data):
        if self.cells:
            self.cells[-1] += data
        if self.title is not None:
            self.marks.append((len(self.cells), self.title, data))


def test_before_and_after(embedded):
    doc = embedded(TEXT)
    diff = doc._.deid_diff
    assert diff._repr_html_() == diff and isinstance(diff, str)
    found = Cells(diff)
    before, after = (cell.strip() for cell in found.cells)
    assert before == doc.text and after == doc._.deid_text
    assert found.tags == {"table", "tr", "th", "td", "mark"}
    marks = found.marks
    assert (1, "Robert" in doc.text) in [(m[0], "Robert" in m[2]) for m in marks]
    email = next(m for m in marks if m[2] == "rob@murray.org")
    assert email[1].startswith("CODE EMAIL, DIRECT: ")
    assert not any("Murray" in text for cell, _, text in marks if cell == 2)
    # As many as were replaced, and in both what they became.
    assert sum(m[0] == 2 for m in marks) == len(doc._.deid_offsets)


def test_what_is_not_replaced_is_shown_before_only(embedded):
    assert spacy.blank("en")("Ann")._.deid_diff is None
    doc = embedded("The surgeon operated in 2 hours. Ann Lee rested.")
    doc.spans["mask"] = [doc.char_span(4, 11, label="NO_MASK")]
    doc.spans["mask"].attrs.update(labels=["DEM"], reasons=["nobody's"])
    marks = Cells(doc._.deid_diff).marks
    assert (1, "DEM, NO_MASK: nobody's", "surgeon") in marks
    assert not [m for m in marks if m[0] == 2 and m[2] == "surgeon"]


def test_displacy_has_colours_for_decisions(embedded):
    doc = embedded("Robert Murray, born on 6 May 1961.")
    settings = {"style": "span", "options": {"spans_key": "mask"}, "jupyter": False}
    html = displacy.render(doc, **settings)
    assert {span.label_ for span in doc.spans["mask"]} == {"DIRECT", "QUASI"}
    assert COLORS["DIRECT"] in html and COLORS["QUASI"] in html
