"""Dates of one subject move by one interval in all documents."""

import datetime
import re

import pytest
import spacy
from hypothesis import given, settings
from hypothesis import strategies as st

from spacy_deid.schema import Candidate, set_group

ISO = re.compile(r"\d{4}-\d{2}-\d{2}")
NLP = spacy.blank("en")
NLP.add_pipe("pseudonymizer", config={"mask": "all"})
PIPE = NLP.get_pipe("pseudonymizer")
DATE = st.dates(datetime.date(1950, 1, 1), datetime.date(2026, 1, 1))
DATES = st.lists(DATE, min_size=1, max_size=6, unique=True)
DAY = datetime.date(2019, 3, 3)


def moved(dates, subject=None, scope="document", key="secret " * 5, words=""):
    """Days between each date and what it became."""
    text = f"{words} on " + " and on ".join(d.isoformat() for d in dates)
    doc = NLP.make_doc(text)
    doc._.deid_subject = subject
    spans = [doc.char_span(*m.span()) for m in ISO.finditer(text)]
    found = [Candidate(s.start, s.end, "DATETIME", "DATE") for s in spans]
    set_group(doc, "pii", found)
    PIPE.scope = scope
    PIPE.set_key(key)
    new = [datetime.date.fromisoformat(d) for d in ISO.findall(PIPE(doc)._.deid_text)]
    assert len(new) == len(dates)
    return [(b - a).days for a, b in zip(dates, new)]


@settings(max_examples=40, deadline=None)
@given(DATES, DATES, st.sampled_from(["document", "corpus", "mention"]))
def test_all_documents_of_a_subject_agree(one, other, scope):
    """Whatever else they hold: an interval that hits another original of the document
    is left for that one date alone."""
    (shift,) = moved([DAY], "p1", scope)
    assert shift < 0
    for dates in (one, other):
        originals = set(dates)
        for date, days in zip(dates, moved(dates, "p1", scope)):
            hit = date + datetime.timedelta(shift) in originals
            assert days == shift or (hit and days != 0)


def test_who_shares_an_interval():
    (shift,) = moved([DAY], "p1")
    days = moved([DAY, DAY + datetime.timedelta(shift)], "p1")
    assert days[0] not in (0, shift) and days[1] == shift
    assert len({moved([DAY], subject)[0] for subject in ("p1", "p2", 3, "3a")}) == 4
    assert moved([DAY], 3) == moved([DAY], "3")
    assert moved([DAY], "p1", key="another " * 5) != moved([DAY], "p1")
    # Without a subject each document has its own, the same again, and a corpus one.
    seen = {moved([DAY], words=word)[0] for word in ("Seen", "Met", "Born", "Left")}
    assert len(seen) == 4 and moved([DAY], words="Seen") == moved([DAY], words="Seen")
    seen = {moved([DAY], None, "corpus", words=word)[0] for word in ("Seen", "Met")}
    assert len(seen) == 1
    assert seen == set(moved([DAY, datetime.date(1990, 5, 5)], None, "corpus"))


def test_what_is_no_subject():
    for subject in (["p1"], True, 1.5):
        with pytest.raises(ValueError, match="deid_subject should be"):
            moved([DAY], subject)
    # The id itself is in no message.
    with pytest.raises(ValueError, match="needs a secret key") as error:
        moved([DAY], "Ann Lee 1980", key=None)
    assert "Ann" not in str(error.value)
