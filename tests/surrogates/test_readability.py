"""What a reader of the output would stumble over."""

import datetime
import random
import re

import pytest

from spacy_deid.gazetteers.names import gender_bits, lists
from spacy_deid.surrogates.base import WEEKDAYS
from spacy_deid.surrogates.term_rows import is_term, rows_by_subtype, term_row
from spacy_deid.surrogates.things import coined
from spacy_deid.text.countries import demonym

from .properties import deid

KEYS = [b"a", b"b", b"c", b"d", b"e", b"f"]
LANGUAGES = {term for row in rows_by_subtype()["LANGUAGE"] for term in row.terms}


@pytest.mark.parametrize("box", ["P.O. Box", "PO Box", "P. O. Box"])
@pytest.mark.parametrize("key", ["a", "b", "c"])
def test_a_post_box_stays_one(box, key):
    """Its words are no street that must not be left."""
    address = f"{box} 118, Leeds LS1 9XX"
    parts = ["Write to ", (address, "LOC", "ADDRESS"), f" or to {box} 77."]
    new = deid("en", parts, key)
    match = re.fullmatch(
        rf"{re.escape(box)} \d+, (.+) ([A-Z]{{1,2}}\d\w? \d[A-Z]{{2}})", new.texts[0]
    )
    assert match and match[1] != "Leeds" and match[2] != "LS1 9XX"
    assert new.whole.endswith(f" or to {box} 77.")


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("label", ["PERSON", "ORG", "LOC", "DEM", "MISC"])
def test_acronyms_stay_acronyms(replace, key, label):
    row = ("BIBA", label, "", 0, "the patient was ", " on Monday")
    new = replace([row], key)[0]
    assert re.fullmatch("[A-Z]{4}", new)
    assert new != "BIBA"


def test_an_acronym_is_replaced_alike_whatever_it_was_taken_for(replace):
    rows = [
        ("GDPR", "PERSON", "", 0, "", " request from us"),
        ("GDPR", "ORG", "", 1, "under the ", ", I ask"),
        ("GDPR", "MISC", "", 2, "see the ", " again"),
    ]
    assert len(set(replace(rows))) == 1


@pytest.mark.parametrize("key", KEYS)
def test_capitals_of_a_heading_are_names(replace, key):
    rows = [("STEC", "PERSON", "", 0, "CASE OF ", " v. THE UNITED KINGDOM")]
    rows.append(("GRANT", "PERSON", "", 1, "case of ", " v. the state"))
    out = replace(rows, key)
    assert all(name.isupper() and re.search("[AEIOUY]", name) for name in out)
    assert len(out[0]) > 2


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize(
    "before,female",
    [
        ("belongs to his wife ", True),
        ("his sister, ", True),
        ("her husband ", False),
        ("my son ", False),
        ("our daughter called ", True),
    ],
)
def test_relations_are_called_by_given_names(replace, key, before, female):
    new = replace([("Zorwenna", "PERSON", "", 0, before, " came")], key)[0]
    names = lists("en")
    assert new in (names.female if female else names.male)


@pytest.mark.parametrize("key", KEYS)
def test_a_name_cut_at_a_line_end_stays_given_and_family(replace, key):
    rows = [
        ("Kwabuna", "PERSON", "", 0, "our neighbour ", "\nOsei-Tutu. The"),
        ("Osei-Tutu", "PERSON", "", 1, "our neighbour Kwabuna\n", ". The"),
    ]
    given, family = replace(rows, key)
    assert gender_bits(given)
    assert "-" in family and "-" not in given


def test_a_name_taken_for_a_place_follows_the_person(replace):
    rows = [
        ("Tilda Marlowe", "PERSON", "", 0, "my daughter "),
        ("Tilda", "LOC", "", 1, "Yesterday ", " and I"),
    ]
    full, short = replace(rows)
    assert short == full.split()[0]


@pytest.mark.parametrize("key", KEYS)
def test_weekdays_and_feasts_of_any_label(replace, key):
    out = replace(
        [
            ("Tuesdays", "DEM", "", 0, "at home on "),
            ("Valentine's Day", "MISC", "", 1, "on "),
        ],
        key,
    )
    assert out[0] in {f"{d}s" for d in WEEKDAYS}
    assert "Day" in out[1] or out[1].endswith(("Eve", "Monday", "day"))


@pytest.mark.parametrize("key", KEYS)
def test_illnesses_and_occupations_keep_their_kind(replace, key):
    rows = [
        ("type 2 diabetes", "DEM", "", 0, "treated for "),
        ("anorexia nervosa", "PERSON", "", 1, "suffers from "),
        ("ballet dancers", "DEM", "", 2, "of the "),
        ("marine engineer", "DEM", "", 3, "is a "),
    ]
    out = replace(rows, key)
    assert out[0].islower() and out[1].islower()
    assert out[2].endswith(("s", "en")) and out[2].islower()
    assert term_row(out[3].title()) or is_term(out[3])


@pytest.mark.parametrize("key", KEYS)
def test_languages_are_spoken(replace, key):
    new = replace([("English", "DEM", "", 0, "She speaks no ", ", so")], key)[0]
    assert new in LANGUAGES


@pytest.mark.parametrize("key", KEYS)
def test_names_of_languages_alone_are_languages(replace, key):
    rows = [
        ("Hebrew", "DEM", "", 0, "Omer Tal (", ": "),
        ("Japanese", "DEM", "", 1, "Yuji (", ": "),
        ("health problems", "DEM", "", 2, "a series of "),
    ]
    out = replace(rows, key)
    assert LANGUAGES.issuperset(out[:2])
    assert out[2].endswith("s")


@pytest.mark.parametrize("key", KEYS)
def test_nationalities_of_no_list_become_nationalities(replace, key):
    new = replace([("Ruritanian", "DEM", "", 0, "a ")], key)[0]
    assert demonym(new)


def test_a_time_taken_for_a_code(replace):
    new = replace([("0415", "CODE", "", 0, "on Monday at ", " after")])[0]
    assert re.fullmatch(r"(?:[01]\d|2[0-3])[0-5]\d", new)


def test_addresses_keep_their_parts(replace):
    out = replace(
        [
            ("12 Mill Road, Elmsford, ME 04999", "LOC", "ADDRESS", 0),
            ("P.O. Box 118\nElmsford CC1 9XX", "LOC", "ADDRESS", 1),
            ("16 Rue des Tanneurs, 67999 Vieux-Pont", "LOC", "ADDRESS", 2),
            ("Lindenhofweg 14", "LOC", "ADDRESS", 3),
            ("Famagusta, Kennedy Avenue", "LOC", "", 4),
        ]
    )
    assert re.search(r"^\d+ \w+ Road, .*, [A-Z]{2} \d{5}$", out[0])
    assert re.match(r"P\.O\. Box \d+\n", out[1])
    assert re.match(r"\d+ Rue des \w+, \d{5} \w", out[2])
    assert re.fullmatch(r"\w+weg \d+", out[3])
    assert re.fullmatch(r"[^,]+, \w+ Avenue", out[4])


@pytest.mark.parametrize("key", KEYS)
def test_headers_of_messages_stay_possible(replace, key):
    rows = [
        ("Tue, 18 Jun 2024 16:42:07 +0200", "DATETIME", "", 0, "Date: "),
        ("48801,2024-02-05T08:14:00", "DATETIME", "", 1, ""),
    ]
    out = replace(rows, key)
    new = datetime.datetime.strptime(out[0], "%a, %d %b %Y %H:%M:%S %z")
    assert out[0].startswith(new.strftime("%a, "))
    stamp = re.search(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d", out[1])
    assert datetime.datetime.fromisoformat(stamp.group())


def test_particles_and_suffixes(replace):
    rows = [
        ("Ludwig van der Meer", "PERSON", "", 0),
        ("van der Meer", "PERSON", "", 0),
        ("Edon Júnior Viegas", "PERSON", "", 1),
        ("Edinho Júnior", "PERSON", "", 1),
    ]
    out = replace(rows)
    assert " van der " in out[0]
    assert out[1] == "van der " + out[0].split()[-1]
    assert "Júnior" not in out[3]


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("before", ["in the ", "and The ", "saw a "])
@pytest.mark.parametrize("text", ["Watergate Scandal", "Care Bears Movie", "epic"])
def test_no_article_follows_another(replace, key, before, text):
    new = replace([(text, "MISC", "", 0, before, " and more")], key)[0]
    assert not re.match(r"(?:the|an?)\s", new, re.I), new
    # Without one before it, a title may have its own.
    assert replace([(text, "MISC", "", 0, "saw ", "")], key)[0]


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize(
    "text, shape",
    [
        ("Morgan Lewis", r"\w+ \w+"),
        ("Lewis Silkin", r"\w+ \w+"),
        ("Morgan", r"\w+"),
        ("Harrison & Cole LLP", r"\w+ & \w+ LLP"),
    ],
)
def test_firms_named_after_people_stay_firms(replace, key, text, shape):
    new = replace([(text, "ORG", "", 0, "represented by her husband, ", ", in")], key)[
        0
    ]
    assert re.fullmatch(shape, new)
    names = lists("en")
    given = {*names.male, *names.female}
    assert new.split()[0] not in given


@pytest.mark.parametrize("key", KEYS)
def test_a_firm_follows_a_person_of_its_name(replace, key):
    rows = [("John Breen", "PERSON", "", 0), ("Breen", "ORG", "", 1, "at ", " then")]
    person, firm = replace(rows, key)
    assert firm == person.split()[-1]


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize(
    "before, text, after",
    [
        ("we watched ", "Friday", " Night Lights together"),
        ("the song “", "Monday", " Monday”"),
        ("a Black ", "Friday", " sale"),
        ("for Sheffield ", "Wednesday", " again"),
    ],
)
def test_a_weekday_in_a_title_is_no_date(replace, key, before, text, after):
    rows = [
        (text, "DATETIME", "WEEKDAY", 0, before, after),
        ("3 May 1990", "DATETIME", "DATE", 1, "on ", ","),
    ]
    new, date = replace(rows, key)
    assert new not in WEEKDAYS and new.isalpha() and new[0].isupper()
    # The dates beside it are what they would be without it.
    assert date == replace(rows[1:], key)[0]


@pytest.mark.parametrize(
    "before, after",
    [
        ("On ", " Mr Smith"), ("on ", " Anna Nowak"), ("he said ", " Mr Smith Jones"),
        ("", " Anna Nowak left"), ("last ", ", Anna"), ("came ", " and left"),
    ],
)  # fmt: skip
def test_other_weekdays_are_dates(replace, before, after):
    new = replace([("Friday", "DATETIME", "WEEKDAY", 0, before, after)])[0]
    assert new in WEEKDAYS and new != "Friday"


def test_a_coined_name_has_no_word_of_the_old_one():
    rng = random.Random(3)
    assert not any("jar" in coined("Night-jar", rng).lower() for _ in range(2000))
    # What a text has of all words can't be left out.
    assert coined(" ".join(coined("", rng) for _ in range(9999)), rng)
