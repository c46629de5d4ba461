"""Russian surrogates as a native reader sees them: same case, same gender, same layout."""

import datetime
import re
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

pytest.importorskip("pymorphy3", reason="pymorphy3 is not installed")

from spacy_deid.lang.inflection import key_of, pattern
from spacy_deid.lang.ru import forms as russian
from spacy_deid.lang.ru.name_lists import NAMES, SHORT, father_stem, given_names
from spacy_deid.lang.ru.patronymics import patronymic
from spacy_deid.surrogates.base import Draws, Mention
from spacy_deid.surrogates.persons import replace_persons
from spacy_deid.text.names import fold
from spacy_deid.text.scripts import romanise

from ..cases import cases
from .conftest import containing, seeded
from .properties import age_at, deid


def test_short_names_belong_to_full_ones(replace_in, key):
    names = "Иван Громов", "Ваня", "Мария", "Машей"
    out = replace_in("ru", [(n, "PERSON", "", i) for i, n in enumerate(names)], key)
    assert SHORT["m"][out[0].split()[0]][0] == out[1]
    assert russian.paradigm(SHORT["f"][out[2]][0], ["Name"])["ablt"] == out[3]


def test_prepositions_fit(replace_in, key):
    rows = [("Франции", "LOC", "", 0, "во "), ("Германии", "LOC", "", 1, "в ")]
    france, germany = replace_in("ru", rows, key)
    assert russian.fits_preposition(france, "во ") and russian.fits_preposition(
        germany, "в "
    )


@pytest.mark.parametrize("name, ending, nominative, users", cases(__file__, "users"))
def test_user_names_are_of_the_nominative(
    replace_in, key, name, ending, nominative, users
):
    rows = [(name, "PERSON"), *((user, "CODE", "USERNAME") for user in users)]
    new, *made = replace_in("ru", rows, key)
    family = new.split()[1].removesuffix(ending) + nominative
    for user in made:
        assert user.endswith(fold(romanise(family))), (new, made)
        assert user.startswith(fold(romanise(new[0]))), (new, made)


def test_cases_that_prepositions_ask_for_and_that_look_alike():
    assert russian.governed("живёт в ") == ("loct", "accs")
    assert russian.governed("к ") == ("datv",)
    assert russian.governed("мэр ") == russian.governed("Гран-при ") == ()
    # Which cases look alike.
    assert pattern(russian.paradigm("Сочи")) == (0,) * 6
    assert pattern(russian.paradigm("Самара")) == pattern(russian.paradigm("Уфа"))
    assert pattern(russian.paradigm("Казань")) != pattern(russian.paradigm("Уфа"))


def test_all_given_names_are_declined_or_foreign():
    for row, lexemes in given_names().rows.items():
        for lexeme in lexemes:
            if row in ("m", "f", "m/short", "f/short", "m/abroad"):
                # Women's foreign names and names such as "Хьюго" have one form.
                fixed = len(set(lexeme.forms.values())) == 1
                assert not fixed or lexeme.name[-1] in "иоыю", lexeme.name


_GIVEN = st.sampled_from(sorted({n.name for r in "mf" for n in given_names().rows[r]}))


@settings(max_examples=60, deadline=None)
@given(_GIVEN, st.sampled_from(russian.CASES))
def test_given_names_keep_case_and_gender(name, case):
    lexeme = next(f.lexeme for f in given_names().find(name) if f.lexeme.name == name)
    texts = [name, lexeme.forms[case]]
    mentions = [Mention(t, "PERSON", "", i) for i, t in enumerate(texts)]
    out = replace_persons(mentions, Draws(seeded(), containing(texts), "ru"))
    new = next(f.lexeme for f in given_names().find(out[0]) if f.lexeme.name == out[0])
    alike = {c for c in russian.CASES if lexeme.forms[c] == lexeme.forms[case]}
    assert out[1] in {new.forms[c] for c in alike}
    assert key_of(out[1]) != key_of(texts[1])


def test_patronymics_are_told_from_surnames():
    assert patronymic("Ивановичем") and patronymic("Петровны")
    assert not patronymic("Иванов")


FATHERS = dict(cases(__file__, "fathers"))


@settings(max_examples=40, deadline=None)
@given(
    father=st.sampled_from(sorted(FATHERS)),
    key=st.binary(min_size=1, max_size=4),
    first=st.booleans(),
)
def test_children_are_called_after_the_new_father(replace_in, father, key, first):
    daughter = FATHERS[father]
    rows = [
        (f"{father} Громов", "PERSON", "", 1),
        (f"Вера {daughter} Громова", "PERSON", "", 2),
        (daughter, "PERSON", "", 2),
    ]
    new = replace_in("ru", rows if first else rows[::-1], key)
    he, she, alone = new if first else new[::-1]
    assert father_stem(he.split()[0]) == patronymic(alone).father
    assert alone == she.split()[1]


def test_years_of_an_age_in_the_genitive_fit_the_number(replace_in, key):
    rows = [("12 мая 1979 года", "DATETIME", "", 0, "родилась ")]
    rows.append(("2 июня 2013 года", "DATETIME", "", 1, "осмотрена "))
    rows.append(("34 лет", "DEM", "AGE", 2, "в возрасте "))
    born, seen, age = replace_in("ru", rows, key)
    number, noun = age.split()
    assert int(number) == int(seen.split()[2]) - int(born.split()[2])
    assert noun == ("года" if number[-1] == "1" and number != "11" else "лет")


def test_dates_of_birth_by_what_stands_behind_them(replace_in, key):
    rows = [
        ("03.05.1942", "DATETIME", "", 0, "Пахомова Галина, ", " г. р., "),
        ("77 лет", "DEM", "AGE", 1, " г. р., "),
        ("12.06.2019", "DATETIME", "", 2, "поступила "),
    ]
    born, age, seen = replace_in("ru", rows, key)
    days = (datetime.datetime.strptime(text, "%d.%m.%Y") for text in (born, seen))
    assert int(age.split()[0]) == age_at(*days)


def test_letters_without_a_name_are_no_words():
    for strategy in ("generalize", "named_placeholder", "full_entity"):
        made = {"@deid_strategies": f"spacy_deid.{strategy}.v1"}
        for label in ("DEM", "LOC", "ORG", "PERSON"):
            (new,) = deid("ru", ["слово ", ("𗀀", label), " тут."], strategy=made).texts
            assert new != "𗀀"


def test_words_beside_a_noun_agree_with_it_and_those_behind_it_stay():
    forms = russian.term_forms("детский врач")
    assert forms["masc accs"] == "детского врача"
    assert forms["plur datv"] == "детским врачам"
    assert russian.term_forms("рак лёгкого")["masc datv"] == "раку лёгкого"
    assert (
        russian.term_forms("заведующий складом")["masc gent"] == "заведующего складом"
    )
    assert russian.verb_forms("плохо видеть")["past sing femn impf"] == "плохо видела"


def test_terms_are_replaced_in_every_case():
    parts = ["Он был ", ("учителем", "DEM", "OCCUPATION"), ". Нет учителя. К учителю."]
    new, whole = deid("ru", parts)
    assert not re.search("учител", whole)
    stem = new[0].removesuffix("ем").removesuffix("ом")
    assert whole.count(stem) == 3 and whole.endswith(("у.", "ю."))


def test_named_placeholders_stand_in_the_case_of_the_original():
    made = {"@deid_strategies": "spacy_deid.named_placeholder.v1"}
    for before, text, label, new in cases(__file__, "placeholders"):
        assert deid("ru", [before, (text, label), "."], strategy=made).texts == [new]


def test_nobody_is_called_after_a_poet_or_a_word():
    given = (row for row in given_names().rows if "rare" not in row)
    drawn = {x.name for row in given for x in given_names().rows[row]}
    drawn.update(*(NAMES[key] for key in NAMES if key.endswith("family")))
    assert drawn.isdisjoint("Гюго Алигьери Дюма Мир Рано Сон Творимир".split())


def countries_drawn(replace_in, rows, n=60):
    made = (replace_in("ru", rows, str(i).encode()) for i in range(n))
    return Counter(new[0] for new in made)


def test_countries_are_drawn_as_often_as_texts_name_them(replace_in):
    """Nothing else moves to Russia where something is at home there."""
    abroad = countries_drawn(replace_in, [("Турция", "LOC")])
    assert abroad["Россия"] + abroad["Украина"] + abroad["Германия"] > 10
    assert max(abroad.values()) < 30
    for row in (("Казань", "LOC"), ("россиянин", "DEM"), ("Россия", "LOC")):
        assert not countries_drawn(replace_in, [("Турция", "LOC"), row])["Россия"]
