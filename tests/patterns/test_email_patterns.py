import html
from urllib.parse import quote

import pytest

from spacy_deid.patterns.contact.emails import make_email_patterns

FIND = make_email_patterns()
TWO = ("anna.k@example.org", "bob@mail.example.com")


def test_two_stay_two_and_invisible_characters_hide_nothing():
    for gap in ",;/|\n\t\u200b\u2060 ":
        text = gap.join(TWO)
        assert [text[h.start : h.end] for h in FIND(text)] == list(TWO), gap
    for hidden in "\u200b\u00ad\u2060":
        address = hidden.join(TWO[0])
        (hit,) = FIND(f"to {address}.")
        assert (hit.start, hit.end) == (3, 3 + len(address))


@pytest.mark.parametrize(
    "encode",
    [
        lambda s: s.replace("@", "&#64;"),
        lambda s: s.replace("@", "&commat;").replace(".", "&period;"),
        lambda s: "".join(f"&#{ord(c)};" for c in s),
        lambda s: "".join(f"&#x{ord(c):x};" for c in s),
        lambda s: quote(s, safe=""),
    ],
)
def test_encoded(encode):
    value = encode(TWO[0])
    text = f"write to {value} today"
    assert TWO[0] in html.unescape(text) or "%40" in text
    (hit,) = FIND(text)
    assert text[hit.start : hit.end].rstrip(";") == value.rstrip(";")
    assert "disguised" in hit.reason
