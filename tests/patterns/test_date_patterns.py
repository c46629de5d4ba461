import datetime

import pytest

from spacy_deid.patterns.base import normalize
from spacy_deid.patterns.numbers import last_word
from spacy_deid.patterns.time.dates import make_date_patterns
from spacy_deid.text.calendars import LANGUAGES, MONTHS, is_day, month_index, names_like

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
    # Figures in all orders and with all separators.
    "<<2003/5/16|DATE>>; <<5/16/03|DATE>>; <<16.05.03|DATE>>; <<16-05-2003|DATE>>",
    "<<16. 5. 2003|DATE>>, <<2003.05.16|DATE>>, <<99/12/31|DATE>>, <<2003:05:16|DATE>>",
    "on <<20030516|DATE>>, DOB: <<160503|DATE>>, born <<16 05 2003|DATE>>",
    "<<05/2003|DATE>> and since <<5/2003|DATE>>; valid thru <<05/26|DATE>>",
    "my birthday is on <<4/12|DATE>>",
    "on <<Fri 7/20|DATE>>; <<Wednesday 16/09/2020|DATE>>",
    # Names of months.
    "<<16-May-2003|DATE>>, <<16MAY03|DATE>>, <<16May2003|DATE>>, <<May-03|DATE>>",
    "<<2003 May 16|DATE>>, <<2003-May-16|DATE>>, <<16/May/2003|DATE>>",
    "<<16.May.2003|DATE>> or <<May/16/2003|DATE>>",
    "<<the 3rd of May|DATE>>, <<May 3rd|DATE>>, <<3rd May|DATE>>, <<May the 3rd|DATE>>",
    "<<16th day of May, 2003|DATE>>; <<May '03|DATE>>; <<May of 2003|DATE>>",
    "since <<Sep 2014|DATE>>, <<Sept. 3|DATE>>; the <<May 16, 03|DATE>>; on <<16 May 03|DATE>>.",
    "<<Fri 16 May|DATE>>, <<Friday, 16 May 2003|DATE>>, <<Tues., May 16|DATE>>",
    # Words.
    "<<the twenty-first of March nineteen ninety-nine|DATE>>",
    "<<March the twenty-first|DATE>>, in <<two thousand and one|YEAR>>",
    # Standards and logs.
    "<<2003-05-16T13:45:02.123+02:00|DATE>> and <<20030516T134502Z|DATE>>",
    "<<Fri, 16 May 2003|DATE>> <<13:45:02 +0200|TIME>>",
    "[<<10/Oct/2000:13:55:36 -0700|DATE>>] GET",
    "<<Fri May 16 13:45:02 2003|DATE>>; <<2003-W20-5|DATE>>; <<week 20 of 2003|DATE>>",
    "<<12.IV.1998|DATE>>",
    # Parts of years, years, feasts.
    "<<spring of 1990|DATE>>, <<Q3 2021|DATE>>, <<3Q21|DATE>>, <<H1 2020|DATE>>",
    "the <<nineties|YEAR>>, the mid-<<1980s|YEAR>>, class of <<'98|YEAR>>",
    "<<summer of '69|DATE>>, <<Christmas 1999|DATE>>, <<Easter Monday|DATE>>",
    "<<late 19th century|DATE>>, <<XIX century|DATE>>, <<twenty-first century|DATE>>",
    "<<1990/91 season|DATE_RANGE>>; b. <<1981|YEAR>>, (<<1950|YEAR>>-<<2006|YEAR>>)",
    "from <<3 to 7 May 2001|DATE_RANGE>>, <<3-7 May|DATE_RANGE>>",
    "<<May 16-18, 2003|DATE_RANGE>>; <<May|DATE>> and <<August 2001|DATE>>",
    "on the <<16th|DATE>>, by the <<3rd|DATE>> of next month",
    # Other languages.
    "<<Montag, 16. Mai 2003|DATE>>, am <<Montag|WEEKDAY>>, <<Mo. 16.05.2003|DATE>>",
    "<<16 de mayo de 2003|DATE>>, <<16 maggio 2003|DATE>>, le <<14 mars|DATE>>",
    "<<16 мая 2003 г.|DATE>> <<16 maja 2003|DATE>> <<16. května 2003|DATE>>",
    "<<2003年5月16日|DATE>> <<2003. május 16|DATE>>.",
    # Two stay two.
    "<<16/05/2003|DATE>>,<<17/05/2003|DATE>>",
    "<<16/05/2003|DATE>>/<<17/05/2003|DATE>>",
    "<<2003-05-16|DATE>>/<<2003-05-17|DATE>>",
    "<<16 May 2003|DATE>>,<<17 May 2003|DATE>> <<18 May 2003|DATE>>\n<<19 May|DATE>>",
    "<<May 16|DATE>>, <<17 May 2003|DATE>>",
    "<<April|DATE>>, <<May|DATE>> and <<June 2001|DATE>>; in <<May|DATE>> and <<August|DATE>>",
    "from <<30/04/24|DATE>> until <<9 february, 2002|DATE>>; <<friday 14 may|DATE>>",
    # Times.
    "<<15h30|TIME>>, <<quarter past three|TIME>>, at <<noon|TIME>>, <<9 o'clock|TIME>>",
    "<<0900 hrs|TIME>>, <<9 a.m. CET|TIME>>, <<13:45 UTC+2|TIME>>, <<23:59Z|TIME>>",
    "<<5 in the morning|TIME>>, <<17.30 Uhr|TIME>>, at <<three thirty|TIME>>",
    "from <<9am|TIME>> to <<5pm|TIME>>",
    # Durations.
    "<<18-month|DURATION>>, <<a fortnight|DURATION>>, <<6 wks|DURATION>>",
    "<<P3Y6M|DURATION>>, <<2h 30min|DURATION>>, <<half an hour|DURATION>>",
    "<<three days later|DURATION>>, <<two-and-a-half years|DURATION>>",
    "<<twelve (12) months|DURATION>>, <<1 1/2 years|DURATION>>",
    # Ages.
    "<<43 y/o|AGE>>, a <<43yo|AGE>> woman, in his <<forties|AGE>>, age: <<43|AGE>>",
    "<<3 months old|AGE>>, <<six-year-old|AGE>>, <<forty-three years old|AGE>>",
    "<<43M|AGE>> with chest pain",
    "Anna Kowalska, <<34|AGE>>, of Leeds; John Smith (<<45|AGE>>) was",
    "she was <<12|AGE>> when it happened; I'm <<34|AGE>>.",
    "<<43 Jahre alt|AGE>>, der <<43-jährige|AGE>>, âgé de <<43 ans|AGE>>",
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
    "version 1.2.2003, section 5/16, page 3/4, ratio 3:10, won 3-2, 1/2 and 12.50",
    "45/13/2003 and 31/02/2003, 31.04.2001",
    "2.3.38 Heading",
    "John 3:16 and a ratio of 10:15",
    "out in the open, to 3 people, so 5 set 4",
    "on the 3rd floor, the second of two",
    "two thousand and one ideas",
    "Rule 39, Article 34, of the Convention",
    "34, May Street",
    "sort code 20-03-16",
    "Channels 24/10/41",
    "May, Will and Mark, April or June",
    "at 1620 Vine Street",
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


@pytest.mark.parametrize("marked", FOUND)
def test_reasons(marked):
    text = marked.replace("<<", "").replace(">>", "")
    for h in make_date_patterns()(text):
        assert h.reason
        # Words of the text stand in no reason but as entries of our lists.
        assert not any(ch.isdigit() for ch in h.reason.replace("8601", ""))


def test_context_raises_scores():
    score = {h.score for h in make_date_patterns()("05/2003")}.pop()
    assert {h.score for h in make_date_patterns()("since 05/2003")}.pop() > score
    reasons = [h.reason for h in make_date_patterns()("DOB 03/04/81")]
    assert reasons[0].endswith("after 'dob'")


def test_languages():
    text = "am 12. März 2010"
    assert [h.subtype for h in make_date_patterns(languages=["de"])(text)] == ["DATE"]
    assert [h.subtype for h in make_date_patterns(languages=["fr"])(text)] == ["YEAR"]
    for wrong in (["xx"], "de"):
        with pytest.raises(ValueError, match="month|list"):
            make_date_patterns(languages=wrong)


FORMATS = (
    "%Y-%m-%d|%d/%m/%Y|%m/%d/%Y|%m/%d/%y|%d.%m.%Y|%d-%m-%Y|%Y/%m/%d|%Y.%m.%d|%d %B %Y"
    "|%d %b %Y|%B %d, %Y|%b %d, %Y|%b. %d, %Y|%B %d %Y|%d %B|%B %d|%d %b|%B %Y|%b %Y"
    "|%b-%y|%d-%b-%Y|%d-%b-%y|%d%b%Y|%d%b%y|%d %b %y|%A, %d %B %Y|%A, %B %d, %Y"
    "|%a, %d %b %Y|%a %d %b|%a %b %d %Y|%d of %B %Y|%d. %B %Y|%Y %B %d|%Y-%b-%d|%d/%b/%Y"
).split("|")
SENTENCES = (
    "my birthday is on {}",
    "since {}",
    "We met on {} in Paris.",
    "DOB: {}",
    "The invoice dated {} is overdue.",
    "{}",
    "Date: {}\nName: Bob",
    "({})",
)


@pytest.mark.parametrize("layout", FORMATS)
def test_layouts(layout):
    find = make_date_patterns()
    day = datetime.date(1931, 1, 2)
    for i in range(120):
        value = (day + datetime.timedelta(331 * i)).strftime(layout)
        text = SENTENCES[i % len(SENTENCES)].format(value)
        assert value in [text[h.start : h.end] for h in find(text)], text


def test_names_are_those_of_cldr():
    babel = pytest.importorskip("babel")
    for code in LANGUAGES:
        names = babel.Locale(code).months["format"]["wide"]
        known = month_index([code])
        for number, name in names.items():
            word = name.lower().replace("i̇", "i").split()[-1].split("’")[-1]
            word = word.removeprefix("d'")
            if code != "lt":
                assert known[word] == number


def test_calendar():
    assert is_day(29, 2) and is_day(29, 2, 2000) and not is_day(29, 2, 1900)
    assert not is_day(31, 4) and not is_day(0, 1) and not is_day(1, 13)
    assert names_like(MONTHS, "märz")[0] == "januar"
    assert names_like(MONTHS, "mai", capital=False)[0] == "janvier"
    assert names_like(MONTHS, "xyz") is None


@pytest.mark.parametrize(
    "fragment",
    ["5,", "hundred ", "two ", "May-", "1990 ", "05/16.", "to/16-", "12:30 "],
)
@pytest.mark.linear
def test_linear(fragment):
    find = make_date_patterns()
    text = fragment * (200_000 // len(fragment))
    assert all(end <= len(text) for _, end, *_ in find.match(normalize(text)))


@pytest.mark.parametrize("blank", ["\r", "\x0b", "\u2028", "\xa0"])
def test_no_word_stands_before(blank):
    """A blank of any kind alone is no word, and no error."""
    assert last_word(f"{blank} 1961", 2) == ("", "")
