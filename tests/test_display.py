"""What a notebook shows, read as HTML."""

import re
from html import unescape

import spacy
from spacy import displacy

from spacy_deid.display import COLORS

TEXT = "Mr Robert Murray (rob@murray.org) met <b>Ann</b> & co. in Leeds.\n\n\u05d0 Murray left."


def read(html):
    """Texts of the cells, and of the marks with cell and title."""
    cells = re.findall("<td[^>]*>(.*?)</td>", html, re.S)
    marks = [
        (number, unescape(title), unescape(text))
        for number, cell in enumerate(cells, 1)
        for title, text in re.findall(
            '<mark[^>]* title="(.*?)"[^>]*>(.*?)</mark>', cell, re.S
        )
    ]
    return [unescape(re.sub("<.*?>", "", cell)) for cell in cells], marks


def test_before_and_after(embedded):
    doc = embedded(TEXT)
    diff = doc._.deid_diff
    assert diff._repr_html_() == diff and isinstance(diff, str)
    cells, marks = read(diff)
    assert [*map(str.strip, cells)] == [doc.text, doc._.deid_text]
    assert {*re.findall(r"<(\w+)", diff)} == {"table", "tr", "th", "td", "mark"}
    assert (1, "Robert" in doc.text) in [(m[0], "Robert" in m[2]) for m in marks]
    email = next(m for m in marks if m[2] == "rob@murray.org")
    assert email[1].startswith("CODE EMAIL, DIRECT: ")
    assert not any("Murray" in text for cell, _, text in marks if cell == 2)
    # All that was put in a place of the text, and what it was.
    after = [text for cell, _, text in marks if cell == 2]
    assert after == doc.spans["deid"].attrs["surrogates"]
    assert {*map(str, doc.spans["deid"])} <= {m[2] for m in marks if m[0] == 1}


def test_what_is_not_replaced_and_colours_for_displacy(embedded):
    assert spacy.blank("en")("Ann")._.deid_diff is None
    doc = embedded("The surgeon operated in 2 hours. Ann Lee rested.")
    doc.spans["mask"] = [doc.char_span(4, 11, label="NO_MASK")]
    doc.spans["mask"].attrs.update(labels=["DEM"], reasons=["nobody's"])
    _, marks = read(doc._.deid_diff)
    assert (1, "DEM, NO_MASK: nobody's", "surgeon") in marks
    assert not [m for m in marks if m[0] == 2 and m[2] == "surgeon"]
    doc = embedded("Robert Murray, born on 6 May 1961.")
    settings = {"style": "span", "options": {"spans_key": "mask"}, "jupyter": False}
    html = displacy.render(doc, **settings)
    assert {span.label_ for span in doc.spans["mask"]} == {"DIRECT", "QUASI"}
    assert COLORS["DIRECT"] in html and COLORS["QUASI"] in html
