import re

import pytest

KEYS = [b"1", b"2", b"3", b"4"]


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize(
    ("text", "shape"),
    [
        ("Nicosia District Court", r".+ District Court"),
        ("Royal Free Hospital", r"Royal \w+ Hospital"),
        ("Bank of America", r"Bank of .+"),
        ("Siemens AG", r"\w+ AG"),
        ("Murray & Sons Ltd.", r"\w+ & Sons Ltd\."),
        ("University of Oxford", r"University of .+"),
        ("Ministry of Health", r"Ministry of \w+"),
        (
            "7th Chamber of the Ankara Administrative Court",
            r"\d+(st|nd|rd|th) Chamber of the .+ Administrative Court",
        ),
        ("the Metropolitan Police", r"the \w+ Police"),
        ("WBA", r"[A-Z]{3}"),
        ("Court of Appeal", r".*Court.*"),
        ("Foote, Cone & Belding", r"\w+, \w+ & \w+"),
    ],
)
def test_form_of_organisations(replace, text, shape, key):
    out = replace([(text, "ORG")], key)[0]
    assert re.fullmatch(shape, out), out
    assert out != text


@pytest.mark.parametrize("key", KEYS)
def test_acronyms_follow_the_new_name(replace, key):
    full = "Northern Ferry Workers Association"
    out = replace([(full, "ORG", "", 1), ("NFWA", "ORG", "", 1)], key)
    assert out[1] == "".join(w[0] for w in out[0].split())


def test_parts_of_names_agree(replace):
    out = replace(
        [
            ("Viasat Broadcasting UK Ltd", "ORG", "", 1),
            ("Viasat AB", "ORG", "", 2),
            ("John Breen", "PERSON", "", 3),
            ("Breen Gym", "ORG", "", 4),
            ("Ankara", "LOC", "CITY", 5),
            ("Ankara Administrative Court", "ORG", "", 6),
        ]
    )
    assert out[0].split()[0] == out[1].split()[0]
    assert out[3] == f"{out[2].split()[1]} Gym"
    assert out[5] == f"{out[4]} Administrative Court"


def test_a_forbidden_kind_changes_too(replace):
    out = replace(
        [("Leeds District Court", "ORG"), ("District Court", "ORG"), ("Court", "ORG")]
    )
    assert not any(re.search(r"\bCourt\b", o) for o in out)
