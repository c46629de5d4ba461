import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spacy_deid.documents.pieces import DocumentError, LeakError, Tools
from spacy_deid.documents.web import HtmlDocument

from ..cases import cases

PAGE = Path(__file__).with_name("page.html").read_text("utf8")
TAGS = st.sampled_from(["", "", "", "<b>", "</b>", "<i class=y>", "<!-- -->"])
CODED = dict(cases(__file__, "coded"))


def test_a_page(write, text):
    old, new = write("html", PAGE.encode(), r"Ann\sLee|Leeds")
    new = new.decode()
    assert old.startswith("Ann Lee & Co\n\nDear Ann Lee of\xa0Leeds,\nhello €\n\n")
    assert "\n\nName\tAnn Lee\nx\n\n" in old and old.count("Ann Lee") == 7
    assert "2 1 , 6th" in old  # a footnote's number is no part of a word
    assert old.endswith("\n\nAnn Lee\n\nto Ann Lee")
    assert not re.search(r"canary|ann|lee\b|leeds", new, re.IGNORECASE)
    assert "<HTML lang=en>" in new
    line = "<p class='a'>Dear <b>[X]</b><i></i> of&nbsp;[X],<br>   hello &#8364;"
    assert line in new.replace("\n  ", "")
    assert '<a href="mailto:[X]" title="to [X]">mail</a>' in new
    assert '<a href="#x">up</a>\n<a>run</a><h2 id="x">[X]</h2>' in new
    assert "<pre>[X]</pre>" in new
    assert text("html", new.encode()) == re.sub(r"Ann\sLee|Leeds", "[X]", old)


def test_a_page_of_libreoffice(write, rich):
    old, new = write("html", rich["html"])
    assert "\n\nName\tRobert Murray\nTown\tLeeds\n\ninner Ann Lee\n\n" in old
    # Texts that a reader sees are those of the pipeline, and so are names of places.
    assert set(re.findall(r"(?i)[\w/.]*canary[\w@]* ?[A-Z]?[a-z]*", new.decode())) == {
        *("Canary Properties", "Canary Deletedsettled", "Canary_Bookmark"),
        *("ann.canary@leeds", "/home/canary", "Canary Frame", "Canary Photo"),
    }
    assert new.decode().count("<meta") == 1 and "your meeting with Ann Lee 1 is" in old
    assert "\n\n1 Ann Lee said so." in old
    assert not re.search("Robert|Murray|Ann Lee|Leeds", new.decode())


@pytest.mark.parametrize("page, pattern, old, new", cases(__file__, "pages"))
def test_what_else_is_there_stays(write, page, pattern, old, new):
    text, written = write("html", page.encode(), pattern)
    assert old in (None, text) and written.decode() == new


def test_what_is_left_out_or_cannot_be_is_named():
    kept = HtmlDocument(PAGE.encode(), keep_images=True)
    assert HtmlDocument(PAGE.encode()).notes == [
        "left out: attributes for programs 2, broken tags 1, comments 1, "
        "links to files and programs 1, meta data 1, pictures 1, scripts 2"
    ]
    assert b"base64,Canary" in kept.write([[] for _ in kept.pieces], Tools([], str))
    page = HtmlDocument(b"<!DOCTYPE html 'Ann Lee'><p>Ann")
    with pytest.raises(LeakError):
        page.write([[] for _ in page.pieces], Tools([("Ann Lee", "PERSON")], str))


def test_encodings(write):
    cafe = "<meta charset=iso-8859-1><p>Caf\xe9 \u20ac Ann Lee"
    texts = ("\ufeff<p>Ann Lee", "\ufeff<p>[X]")
    wide = [text.encode("utf-16-le") for text in texts]
    assert write("html", wide[0]) == ("Ann Lee", wide[1])
    old, new = write("html", cafe.encode("cp1252"), mark="\u0160\u6f22")
    assert old == "Caf\xe9 \u20ac Ann Lee"
    assert new.decode("cp1252").endswith("Caf\xe9 \u20ac \u0160&#28450;")
    for data, problem in (
        (b"<p>Caf\xe9", "not utf-8, as it says, at byte 6"),
        (b"<meta charset=klingon>", "encoding 'klingon' is not known"),
    ):
        with pytest.raises(DocumentError, match=problem):
            HtmlDocument(data)


@given(st.data())
@settings(max_examples=25, deadline=None)
def test_tags_anywhere(write, text, data):
    """Tags, entities and line breaks within a text hide no part of a name."""
    words = "Dear Ann Lee, Robert Murray of Leeds & <Hull> met Ann Lee."
    source = "<p>"
    for char in words:
        coded = CODED.get(char, [char, f"&#{ord(char)};"])
        source += data.draw(st.sampled_from(coded)) + data.draw(TAGS)
    source = f"{source}</p>".encode()
    old, new = write("html", source)
    assert old == words
    assert text("html", new) == "Dear [X], [X] of [X] & <Hull> met [X]."
    tags = re.compile(rb"</?[bip][^>]*>")
    assert tags.findall(new) == tags.findall(source)
