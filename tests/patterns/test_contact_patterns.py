import pytest

from spacy_deid.patterns.contact.contact import make_contact_patterns

FOUND = [
    "Write to <<anna.k@example.org|EMAIL>>.",
    "<<jürgen@müller.de|EMAIL>>, <<o'neil+tag@mail.example.co.uk|EMAIL>>",
    "<<a@b.org|EMAIL>>,<<c@d.com|EMAIL>>;<<e@f.net|EMAIL>>",
    "From: Anna (<<anna@example.org|EMAIL>>) to=<<bob@example.org|EMAIL>>",
    "<<john at example dot org|EMAIL>> or <<jane [at] example [dot] com|EMAIL>>",
    "<<me(at)example.org|EMAIL>>, <<john dot doe at gmail dot com|EMAIL>>",
    "see <<https://example.org/a?b=c#d|URL>>).",
    "(<<http://example.org/wiki/A_(b)|URL>>), <<www.example.com/x|URL>>!",
    "visit <<example.com|DOMAIN>>. Also <<news.example.co.uk|DOMAIN>>,",
    "<<example.org/login|URL>> is down",
    "call <<+44 20 7946 0958|PHONE>> or <<(212) 555-0123|PHONE>>",
    "<<001-539-328-7302x512|PHONE>> <<(539)328-7302|PHONE>> <<539.328.7302x12345|PHONE>>",
    "<<+1-539-328-7302|PHONE>>, <<539-328-7302|PHONE>>",
    "my phone is <<5393287302|PHONE>>",
    "Tel. <<030 1234567|PHONE>>, Fax: <<+49 30 1234568|PHONE>>",
    "<<06 12 34 56 78|PHONE>> <<06 12 34 56 79|PHONE>>",
    "Tel: <<555-1234|PHONE>>, <<555-9876|PHONE>> (home)",
    "mobile <<07700 900123|PHONE>>; <<0049 30 1234567|PHONE>>",
    "teléfono <<912 345 678|PHONE>>",
]
NOT_FOUND = [
    "e.g. this, i.e. that. The end.The start",
    "open file.py and main.rs, version 2.0.1",
    "It was.it is",
    "a @ b",
    "2020-01-01 12:00:01,123 INFO 1234567 [pid 23423] 0.0012345 3.14159265",
    "version 10.2.3.4, build 1588888888",
    "$1,234,567 or 12 345 678 euros",
    "application no. 28045/02, case no. 1996/302 and 45/1998",
    "ISBN 978-3-16-148410-0",
    "from 1990-1995 and 2001-03-01",
    "call me on 2024-01-01 at 10",
    "order number 1234567890",
    "the years 1990 1991 1992 1993",
]


@pytest.mark.parametrize("marked", FOUND)
def test_found(check, marked):
    check("contact", marked)


@pytest.mark.parametrize("text", NOT_FOUND)
def test_not_found(check, text):
    check("contact", text)


def test_unknown_country():
    with pytest.raises(ValueError, match="XX"):
        make_contact_patterns(countries=["XX"])


def test_settings():
    text = "call 030 1234567 or visit example.com"
    assert not list(make_contact_patterns(phones=False, domains=False)(text))
