import pytest

from spacy_deid.patterns.dates import make_date_patterns

FOUND = [
    "on <<1 March 2001|DATE>> he",
    "<<March 1st, 2001|DATE>>.",
    "<<01/03/2001|DATE>> <<2001-03-01|DATE>>, <<1.3.2001|DATE>>",
    "until <<6 May|DATE>> and since <<May 2001|DATE>>; in <<June|DATE>>",
    "in the <<summer of 1999|DATE>>",
    "between <<1990|YEAR>> and <<1995|YEAR>>",
    "from <<1990|YEAR>> to <<1995|YEAR>>, <<1990|YEAR>>-<<1995|YEAR>>; <<1990/91|DATE_RANGE>>",
    "the <<1990s|YEAR>>; born in <<1974|YEAR>>",
    "<<the second of May|DATE>>",
    "<<Monday, 3 March 2001|DATE>> and on <<Tuesday|WEEKDAY>>",
    "<<15 and 22 May 2001|DATE_RANGE>>",
    "<<12 May|DATE>>, on <<9 June|DATE>> and on <<22 July 2001|DATE>>",
    "<<12. März 2010|DATE>>, le <<1er mars 2010|DATE>>, el <<3 de marzo de 2010|DATE>>",
    "<<19th century|DATE>>",
    "at <<3.30 p.m.|TIME>>, <<15:40|TIME>> or <<half past nine|TIME>>",
    "<<9 a.m.|TIME>> to <<12 noon|TIME>>, <<3pm|TIME>>",
    "<<2024-01-05T10:11:12Z|DATE>>",
    "<<2001-03-01|DATE>> <<12:30:45,123|TIME>> INFO",
    "for <<two months|DURATION>>, a <<ten-day|DURATION>> stay",
    "<<three years and nine months|DURATION>>' imprisonment",
    "<<36 years old|AGE>>, aged <<12|AGE>>, the <<age of 35|AGE>>, a <<15-year-old|AGE>>",
    "aged between <<12 and 14|AGE>>, in his mid-<<40s|AGE>>",
    "aged <<22 years|AGE>>",
    "no. 17584/04, §§ 22-23, <<4 August 2006|DATE>>",
    "<<8 February|DATE>>, lower-case: on <<5 may|DATE>>",
]
NOT_FOUND = [
    "Article 5 may apply and section 12 of the Act",
    "you may march on",
    "version 1.2.03 and 1.2.3.4",
    "2000 people paid 1999 euros",
    "no. 2004, Article 1998, § 2001",
    "the Theft Act 1968 and the 1998 Act",
    "[2001] 3 WLR 206",
    "31/31/2001 and 99/99/9999",
    "a ratio of 12:345",
    "28045/02",
]


@pytest.mark.parametrize("marked", FOUND)
def test_found(check, marked):
    check("date", marked)


@pytest.mark.parametrize("text", NOT_FOUND)
def test_not_found(check, text):
    check("date", text)


def test_labels_and_settings():
    text = "15:40, two months, 36 years old, 1 March 2001"
    assert {h.label for h in make_date_patterns()(text)} == {"DATETIME", "DEM"}
    only = make_date_patterns(times=False, durations=False, ages=False)
    assert [h.subtype for h in only(text)] == ["DATE"]
