import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spacy_deid.gazetteers.name_letters import guess_language
from spacy_deid.gazetteers.names import (
    BITS,
    LOCALES,
    index,
    is_given_name,
    lists,
    lists_of,
    nicknames,
)
from spacy_deid.surrogates.base import Mention, match_case
from spacy_deid.surrogates.person_gender import gender_of
from spacy_deid.surrogates.term_rows import row_of
from spacy_deid.text.names import fold, is_postnominal


@pytest.fixture(params=[b"one", b"two"])
def key(request):
    return request.param


def person(*texts):
    return [(text, "PERSON", "", 1) for text in texts]


def gender(name):
    return index().gender.get(name.lower(), 0)


@pytest.mark.parametrize("text", ["Ζήνωνας Βέλλος", "Ουρανία Βέλλου"])
def test_names_in_another_script_keep_their_gender(replace, text, key):
    new = replace(person(text), key)[0].split()[0]
    names = lists_of("el_GR")
    assert new in (names.male if text.startswith("Ζ") else names.female)


def test_many_persons_get_different_names(replace):
    rows = [
        (f"Mr John Smith{chr(97 + i % 26)}{chr(97 + i // 26)}", "PERSON", "", i)
        for i in range(600)
    ]
    assert len(set(replace(rows, forbidden=lambda _: False))) == 600


@pytest.mark.parametrize(
    ("words", "language"),
    [
        (["Robert", "Murray"], "en"),
        (["Hasan", "Yağız"], "tr"),
        (["Sergey", "Ivanov"], "ru"),
        (["Κώστας"], "en"),
        (["Xq", "Wz"], "en"),
        (["Åsa", "Lindström"], "sv"),
        # In no list: by their letters.
        (["Abdulqadir", "Hassanein"], "ar"),
        (["Gurbachan", "Bhamber"], "pa"),
        (["Gijsbrecht", "Oosterhuis"], "nl"),
        (["Swatridge"], "en"),
        # In tables of ours; those whose names many have elsewhere stay English.
        (["Siân", "Pryce"], "cy"),
        (["Tevita", "Havea"], "to"),
        (["Tadesse"], "ti"),
        (["Gosia"], "pl"),
        (["Grace", "King"], "en"),
        (["Dave", "Powell"], "en"),
        (["Fenwick", "Penhallow"], "en"),
    ],
)
def test_language_of_names(words, language):
    assert guess_language(words) == language


@pytest.mark.parametrize("language", sorted(LOCALES))
def test_names_of_lists_have_a_capital(language):
    """Some of Faker's have none ("petek")."""
    for names in lists(language):
        assert not [name for name in names if name.islower()]


def test_given_names_are_told_from_surnames():
    assert is_given_name("Helen") and not is_given_name("Murray")


def test_forbidden_names_are_not_drawn(replace):
    first = replace(person("Robert Murray"))[0]
    given, family = first.split()
    again = replace(
        person("Robert Murray"), forbidden=lambda t: given in t or family in t
    )[0]
    assert given not in again and family not in again


@pytest.mark.parametrize(
    ("lang", "full", "short", "alone"),
    [
        ("en", "Robert Murray", "Bob Murray", "Bob"),
        ("en", "Margaret Murray", "Peggy Murray", "Peggy"),
        ("de", "Katharina Vogt", "Kathi Vogt", "Kathi"),
        ("es", "Francisco Ruiz", "Paco Ruiz", "Paco"),
    ],
)
def test_nicknames_belong_to_the_new_full_name(
    replace_in, key, lang, full, short, alone
):
    out = replace_in(lang, person(full, short, alone), key, forbidden=lambda _: False)
    given, family = out[0].split()
    called = out[2]
    assert called in nicknames(lang).short[given]
    assert out[1] == f"{called} {family}"
    assert given != full.split()[0]
    old = nicknames(lang).gender[full.split()[0]]
    assert nicknames(lang).gender[given] == old


INITIAL = st.sampled_from("ABCDEFGHJKLMNPRSTW")
GIVEN = st.sampled_from(("Robert", "Bob", "Mary", "Liz", "Anna", "Zorwen"))
FAMILY = st.sampled_from(("Murray", "Hill", "Li", "Smith-Jones", "Zorwenna"))
NAMES = st.one_of(
    INITIAL.map("{}.".format),
    INITIAL.map("Mr {}".format),
    st.tuples(INITIAL, INITIAL).map("{0[0]}.{0[1]}.".format),
    st.tuples(INITIAL, FAMILY).map("{0[0]}. {0[1]}".format),
    st.tuples(GIVEN, FAMILY).map("{0[0]} {0[1]}".format),
    st.tuples(GIVEN, INITIAL, FAMILY).map("{0[0]} {0[1]}. {0[2]}".format),
    GIVEN,
    FAMILY,
)


@settings(max_examples=150, deadline=None)
@given(st.lists(NAMES, min_size=2, max_size=10, unique=True), st.binary(max_size=4))
def test_two_persons_never_get_the_same_name(replace, texts, key):
    rows = [(text, "PERSON", "", i) for i, text in enumerate(texts)]
    out = replace(rows, key or b"0")
    assert len(set(out)) == len(texts), (texts, out)
    assert not set(out) & set(texts)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.sampled_from("ABCDEFGHIJKLMNOPQRSTUVWXYZ"), unique=True, max_size=13),
    st.binary(min_size=1, max_size=4),
)
def test_initials_are_exchanged_as_long_as_there_are_letters(replace, letters, key):
    rows = [(f"Mr {letter}", "PERSON", "", i) for i, letter in enumerate(letters)]
    out = replace(rows, key)
    assert len(set(out)) == len(out)
    assert all(re.fullmatch("Mr [A-Z]", new) for new in out)


@pytest.mark.parametrize(
    ("full", "short"),
    [
        ("Margaret Webb", ["Meg", "Maggie", "Peggy Webb"]),
        ("James Webb", ["Jim", "Jem"]),
    ],
)
def test_nicknames_of_one_name_are_those_of_one_other(replace, full, short, key):
    """Linked or not: whoever is called by a nickname of somebody named is that one."""
    rows = [(full, "PERSON", "", 0)]
    rows += [(name, "PERSON", "", i) for i, name in enumerate(short, 1)]
    new, *called = replace(rows, key)
    first, family = new.split()
    for name, old in zip(called, short):
        given, *rest = name.split()
        assert given in (*nicknames("en").short[first], first)
        assert rest == ([family] if " " in old else [])


def test_nicknames_in_addresses(replace, key):
    rows = [("James Webb", "PERSON", "", 0), ("jim.webb@corp.com", "CODE", "EMAIL", 1)]
    new, mail = replace(rows, key)
    first, family = new.split()
    nick, surname = mail.partition("@")[0].split(".")
    assert surname == family.lower()
    assert nick in [n.lower() for n in (*nicknames("en").short[first], first)]


@pytest.mark.parametrize(
    ("one", "other"),
    [("Petra Lindholm", "Lindholm, Petra"), ("Greg Marsh", "Marsh, Gregory")],
)
def test_the_order_of_a_name_does_not_choose_another(replace, one, other, key):
    """In documents that know nothing of each other."""
    given, family = replace(person(one), key)[0].split()
    again = replace(person(other), key)[0].split(", ")
    assert again[0] == family
    assert again[1] == given or given in nicknames("en").short[again[1]]


def languages_of(word, kind):
    bits = getattr(index(), kind).get(word.lower(), 0)
    return {language for language, bit in BITS.items() if bits & bit}


def test_english_names_are_drawn_from_english_lists_alone():
    names = lists("en")
    assert not {"Mohammed", "Fatima", "Zhang", "Garcia"} & {
        name for part in names for name in part
    }


@pytest.mark.parametrize("suffix", ["MD", "RN", "QC", "Ph.D.", "Esq."])
def test_what_stands_behind_a_name_is_no_name_by_itself(replace, suffix, key):
    rows = [
        ("Paul Reed", "PERSON", "", 0, "by ", f", {suffix}"),
        (suffix, "PERSON", "", 1, "by Paul Reed, ", " and"),
        (f"Paul Reed, {suffix}", "PERSON", "", 0, "by ", ""),
    ]
    name, alone, both = replace(rows, key)
    row, _ = row_of(suffix)
    assert is_postnominal(suffix) and fold(alone) in map(fold, row.terms)
    assert both == name


def unlinked(*texts):
    return [(text, "PERSON", "", i) for i, text in enumerate(texts)]


FAMILY_LABELS = ("ORG", "MISC", "LOC", "PERSON")


@pytest.mark.parametrize(
    "label, name, plural",
    [
        *((label, "Clevenger", "Clevengers") for label in FAMILY_LABELS),
        *((label, "Fox", "Foxes") for label in FAMILY_LABELS),
        *((label, "Jones", "Joneses") for label in FAMILY_LABELS),
        ("PERSON", "March", "MARCHES"),
    ],
)
def test_a_family_has_the_plural_of_its_new_name(replace, label, name, plural):
    person, family = replace(
        [
            (f"Anna {name}", "PERSON", "", 0),
            (plural, label, "", 1, "In 1930 the ", " owned"),
        ]
    )
    new = person.split()[-1]
    ending = "es" if new.endswith(("s", "x", "z", "ch", "sh")) else "s"
    assert family == match_case(new + ending, plural)


@pytest.mark.parametrize(
    ("name", "after", "female"),
    [
        ("Nii Armah", " (M) came", False), ("Siew Eng", ", F/63, seen", True),
        ("Kato Odongo", "  Sex: M", False), ("Tsion Bekele", ", 45F", True),
        ("Tsion", " signs here; the clerk waited long until she had read", True),
        ("Hattie", " is late, but she rang", True), ("Hope", ", his pen", False),
    ],
)  # fmt: skip
def test_sex_by_fields_and_pronouns_further_on(name, after, female):
    mention = Mention(name, "PERSON", "", 0, "", after[:30], around=after)
    assert gender_of([mention]) == ("f" if female else "m")
