"""Russian surrogates as a native reader sees them: same case, same gender, same layout."""

import re
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

pytest.importorskip("pymorphy3", reason="pymorphy3 is not installed")

from spacy_deid.lang.inflection import key_of, pattern
from spacy_deid.lang.ru.forms import (
    CASES,
    GRAMMAR,
    fits_preposition,
    governed,
    multiword,
    paradigm,
    term_forms,
    verb_forms,
)
from spacy_deid.lang.ru.name_lists import NAMES, SHORT, father_stem, given_names
from spacy_deid.lang.ru.persons import patronymic
from spacy_deid.lang.ru.words import lexicon
from spacy_deid.surrogates.base import Draws, Mention
from spacy_deid.surrogates.persons import replace_persons

from .conftest import containing, seeded
from .properties import deid


@pytest.fixture(params=[b"one", b"two"])
def key(request):
    return request.param


def person(*texts):
    return [(text, "PERSON", "", i) for i, text in enumerate(texts)]


def cases_of(name, rows=("m", "f")):
    return {key for f in given_names().in_row(name, rows) for key in f.keys}


def gender_of(name):
    return {f.lexeme.row[0] for f in given_names().find(name)}


def test_one_person_in_all_cases(replace_in, key):
    forms = (
        "Иван Петрович Сидоров", "Ивана Петровича Сидорова", "Сидорову Ивану Петровичу",
        "Сидоровым", "Сидорове", "И. П. Сидоров", "Сидоров И.П.", "СИДОРОВ", "Иваном",
    )  # fmt: skip
    out = replace_in("ru", person(*forms), key)
    given, father, family = out[0].split()
    assert father.endswith(("ович", "евич"))
    assert family.endswith(("ов", "ев", "ин", "ын"))
    name = paradigm(given, ["Name", "masc"])
    assert out[1] == f"{name['gent']} {father}а {family}а"
    assert out[2] == f"{family}у {name['datv']} {father}у"
    assert out[3] == f"{family}ым"
    assert out[4] == f"{family}е"
    assert out[5] == f"{given[0]}. {father[0]}. {family}"
    assert out[6] == f"{family} {given[0]}.{father[0]}."
    assert out[7] == family.upper()
    assert out[8] == name["ablt"]


def test_a_woman_in_all_cases(replace_in, key):
    forms = (
        "Мария Ивановна Кузнецова",
        "Марии Ивановны",
        "Кузнецовой",
        "Кузнецову",
        "г-жа Кузнецова",
    )
    out = replace_in("ru", person(*forms), key)
    given, father, family = out[0].split()
    assert gender_of(given) == {"f"}
    assert father.endswith(("овна", "евна")) and family.endswith(("ова", "ева", "ина"))
    name = paradigm(given, ["Name", "femn"])
    assert out[1] == f"{name['gent']} {father[:-1]}ы"
    assert out[2] == f"{family[:-1]}ой"
    assert out[3] == f"{family[:-1]}у"
    assert out[4] == f"г-жа {family}"


def test_short_names_belong_to_full_ones(replace_in, key):

    out = replace_in("ru", person("Иван Громов", "Ваня", "Мария", "Машей"), key)
    assert SHORT["m"][out[0].split()[0]][0] == out[1]
    assert paradigm(SHORT["f"][out[2]][0], ["Name"])["ablt"] == out[3]


def test_foreign_names_stay_foreign(replace_in, key):
    forms = ("Джон Смит", "Джона Смита", "Юргену Клинсману", "Пегги Уитсон")
    out = replace_in("ru", person(*forms), key)
    assert all(
        any(f.lexeme.row[2:] == of for f in given_names().find(t.split()[0]))
        for t, of in zip(out, ("english", "english", "german", "english"))
    )
    surname = out[0].split()[1]
    assert surname in NAMES["english family"]
    assert out[1].split()[1] == f"{surname}а"
    assert out[2].split()[1].endswith("у")
    assert "f" in gender_of(out[3].split()[0])


@pytest.mark.parametrize(
    "old,people,sex",
    [
        ("Виторио Сандали", "italian", "m"), ("Николя Саркози", "french", "m"),
        ("Сэйдзи Маэхара", "japanese", "m"), ("Карлос Симон", "spanish", "m"),
        ("Реджеп Эрдоган", "turkish", "m"), ("Йоахим Лёв", "german", "m"),
        ("Кирсан Илюмжинов", "mongol", "m"), ("Хиллари Клинтон", "english", "f"),
    ],
)  # fmt: skip
def test_a_person_from_abroad_stays_of_one_people(replace_in, key, old, people, sex):
    first, family = replace_in("ru", person(old), key)[0].split()
    assert first in NAMES[f"{people} {sex}"]
    near = next((x for x in GRAMMAR["near"] if people in x.split()), people)
    assert any(family in NAMES[f"{of} family"] for of in near.split())


def test_directions_and_continents_stay_what_they_are(replace_in, key):
    rows = [("Северной Африки", "LOC", "", 0, "жители ", ""),
            ("Восточного побережья США", "LOC", "", 1, "у ", ""),
            ("Аризона", "LOC", "", 2, "в штате ", ""),
            ("Кабула", "LOC", "", 3, "из ", ""),
            ("Чёрного моря", "LOC", "", 4, "на берегу ", "")]  # fmt: skip
    out = replace_in("ru", rows, key)
    winds = [row.forms for row in lexicon().rows["placeadj:direction"]]
    assert out[0].split()[1] in ("Африки", "Америки", "Европы", "Азии")
    assert any(out[1].split()[0] == forms["neut gent"] for forms in winds)
    assert lexicon().find(out[2])[0].lexeme.row in ("region", "city")
    assert lexicon().find(out[3])[0].lexeme.home == "Афганистан"
    assert out[4].endswith(" моря")


def test_institutions_stay_of_their_kind(replace_in, key):
    rows = [("медколледже", "ORG", "", 0, "экзамен в ", ""),
            ("Госдепартамента США", "ORG", "", 1, "представитель ", "")]  # fmt: skip
    college, department = replace_in("ru", rows, key)
    assert lexicon().find(college)[0].lexeme.row.startswith("term:ORG")
    assert department.startswith("Госдепартамента ") and department != rows[1][0]


def test_one_town_in_many_cases(replace_in, key):
    rows = [
        ("Москва", "LOC", "", 0, "", ""),
        ("Москве", "LOC", "", 1, "в ", ""),
        ("Москвой", "LOC", "", 2, "под ", ""),
        ("московский", "DEM", "", 3, "", ""),
    ]
    nominative, locative, instrumental, adjective = replace_in("ru", rows, key)
    forms = multiword(nominative)
    assert (locative, instrumental) == (forms["loct"], forms["ablt"])
    assert adjective.endswith(("ский", "ской")) and adjective.islower()


def test_a_country_takes_its_people_along(replace_in, key):
    rows = [
        ("Германии", "LOC", "", 0, "из ", ""),
        ("немецкая", "DEM", "", 1, "", ""),
        ("немцам", "DEM", "", 2, "", ""),
        ("Мюнхене", "LOC", "", 3, "в ", ""),
    ]
    country, adjective, people, city = replace_in("ru", rows, key)
    found = lexicon().in_row(country, ["country"])[0]
    assert "gent" in found.keys
    home = found.lexeme.home
    found = lexicon().in_row(adjective, ["adj"])[0]
    assert found.lexeme.home == home and "femn nomn" in found.keys
    found = lexicon().in_row(people, ["man"])[0]
    assert found.lexeme.home == home and "plur datv" in found.keys
    assert home in [f.lexeme.home for f in lexicon().in_row(city, ["city"])]


@pytest.mark.parametrize("key", [bytes([i]) for i in range(20)])
def test_all_cases_of_a_country_give_one_country(replace_in, key):
    cases = {
        "nomn": "Украина",
        "gent": "Украины",
        "accs": "Украину",
        "ablt": "Украиной",
    }
    out = replace_in("ru", [(text, "LOC") for text in cases.values()], key)
    forms = multiword(out[0])
    assert out == [forms[case] for case in cases]


def test_prepositions_fit(replace_in, key):
    out = replace_in(
        "ru",
        [("Франции", "LOC", "", 0, "во ", ""), ("Германии", "LOC", "", 1, "в ", "")],
        key,
    )
    assert fits_preposition(out[0], "во ") and fits_preposition(out[1], "в ")


def test_mail_in_latin_letters_follows_the_name(replace_in, key):
    from spacy_deid.text.names import fold
    from spacy_deid.text.scripts import romanise

    rows = [
        ("Иван Сидоров", "PERSON", "", 0),
        ("ivan.sidorov@mail.ru", "CODE", "EMAIL", 1),
    ]
    name, mail = replace_in("ru", rows, key)
    given, family = (fold(romanise(w)) for w in name.split())
    assert mail.startswith(f"{given}.{family}@")


@pytest.mark.parametrize(
    "name, nominative, users",
    [
        (
            "Наталью Потапову",
            ("ю", "я", "у", "а"),
            ["natalia.potapova", "npotapova", "n.potapova"],
        ),
        (
            "Юлию Хорошевскую",
            ("ию", "ия", "ую", "ая"),
            ["julia.horoshevskaja", "yu.khoroshevskaya", "yuliya_khoroshevskaya"],
        ),
    ],
)
def test_user_names_are_of_the_nominative(replace_in, key, name, nominative, users):
    from spacy_deid.text.names import fold
    from spacy_deid.text.scripts import romanise

    rows = [(name, "PERSON", "", 0), *[(u, "CODE", "USERNAME") for u in users]]
    new, *made = replace_in("ru", rows, key)
    _, _, accusative, end = nominative
    family = new.split()[1].removesuffix(accusative) + end
    assert all(user.endswith(fold(romanise(family))) for user in made), (new, made)
    initial = fold(romanise(new[0]))
    assert all(user.startswith(initial) for user in made), (new, made)


def test_governed_cases():
    assert governed("живёт в ") == ("loct", "accs")
    assert governed("к ") == ("datv",)
    assert governed("мэр ") == governed("Гран-при ") == ()


def test_patterns_tell_which_cases_look_alike():
    assert pattern(paradigm("Сочи")) == (0,) * 6
    assert pattern(paradigm("Самара")) == pattern(paradigm("Уфа"))
    assert pattern(paradigm("Казань")) != pattern(paradigm("Уфа"))


def test_all_given_names_are_declined_or_foreign():
    for row, lexemes in given_names().rows.items():
        for lexeme in lexemes:
            if row in ("m", "f", "m/short", "f/short", "m/abroad"):
                # Women's foreign names and names such as "Хьюго" have one form.
                fixed = len(set(lexeme.forms.values())) == 1
                assert not fixed or lexeme.name[-1] in "иоыю", lexeme.name


_SURNAME = st.sampled_from(
    "Абрамов Громов Карпухин Соловьёв Толстых Бойко Кравчук Вишневский Лужков Ежов".split()
)
_GIVEN = st.sampled_from(sorted({n.name for r in "mf" for n in given_names().rows[r]}))


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.tuples(_GIVEN, _SURNAME), min_size=1, max_size=8), st.binary(max_size=4)
)
def test_different_people_never_share_a_name(pairs, key):
    pairs = list(dict.fromkeys(pairs))
    texts = [f"{given} {family}" for given, family in pairs]
    mentions = [Mention(t, "PERSON", "", i) for i, t in enumerate(texts)]
    forbid = containing([w for t in texts for w in t.split()])
    out = replace_persons(mentions, Draws(seeded(key), forbid, "ru"))
    assert len(set(out)) == len(texts)
    for (given_, _), new in zip(pairs, out):
        assert not forbid(new)
        assert gender_of(given_) & gender_of(new.split()[0])


@settings(max_examples=60, deadline=None)
@given(_GIVEN, st.sampled_from(CASES))
def test_given_names_keep_case_and_gender(name, case):
    lexeme = next(f.lexeme for f in given_names().find(name) if f.lexeme.name == name)
    texts = [name, lexeme.forms[case]]
    mentions = [Mention(t, "PERSON", "", i) for i, t in enumerate(texts)]
    out = replace_persons(mentions, Draws(seeded(), containing(texts), "ru"))
    new = next(f.lexeme for f in given_names().find(out[0]) if f.lexeme.name == out[0])
    alike = {c for c in CASES if lexeme.forms[c] == lexeme.forms[case]}
    assert out[1] in {new.forms[c] for c in alike}
    assert key_of(out[1]) != key_of(texts[1])


def test_patronymics_are_told_from_surnames():
    assert patronymic("Ивановичем") and patronymic("Петровны")
    assert not patronymic("Иванов")


@settings(max_examples=40, deadline=None)
@given(
    father=st.sampled_from(
        ["Никита", "Павел", "Лев", "Юрий", "Андрей", "Пётр", "Илья", "Михаил", "Фёдор"]
    ),
    key=st.binary(min_size=1, max_size=4),
    first=st.booleans(),
)
def test_children_are_called_after_the_new_father(replace_in, father, key, first):
    stem = {
        "Никита": "Никит", "Павел": "Павлов", "Лев": "Львов", "Юрий": "Юрьев",
        "Андрей": "Андреев", "Пётр": "Петров", "Илья": "Иль", "Михаил": "Михайлов",
        "Фёдор": "Фёдоров",
    }[father]  # fmt: skip
    daughter = stem + {"Никит": "ична", "Иль": "инична"}.get(stem, "на")
    rows = [
        (f"{father} Громов", "PERSON", "", 1),
        (f"Вера {daughter} Громова", "PERSON", "", 2),
        (daughter, "PERSON", "", 2),
    ]
    new = replace_in("ru", rows if first else rows[::-1], key)
    he, she, alone = new if first else new[::-1]
    child = she.split()[1]
    assert father_stem(he.split()[0]) == patronymic(child).father
    assert alone == child


@pytest.mark.parametrize("key", [b"a", b"b", b"c", b"d"])
def test_months_in_the_dative(replace_in, key):
    rows = [
        ("маю 2018 года", "DATETIME", "", 0, "к "),
        ("май 2018 года", "DATETIME", "", 1),
    ]
    dative, plain = replace_in("ru", rows, key)
    assert dative.split()[1:] == plain.split()[1:]
    assert dative.split()[0] in (plain[:3] + "ю", plain.split()[0][:-1] + "ю") or (
        dative.split()[0] == plain.split()[0] + "у"
    )


@pytest.mark.parametrize("key", [b"a", b"b", b"c", b"d"])
@pytest.mark.parametrize("before", ["ей было ", "в возрасте "])
def test_years_of_an_age_fit_the_number(replace_in, before, key):
    rows = [
        ("12 мая 1979 года", "DATETIME", "", 0, "родилась "),
        ("2 июня 2013 года", "DATETIME", "", 1, "осмотрена "),
        ("34 года" if "было" in before else "34 лет", "DEM", "AGE", 2, before),
    ]
    born, seen, age = replace_in("ru", rows, key)
    number, noun = age.split()
    assert int(number) == int(seen.split()[2]) - int(born.split()[2])
    if "возраст" in before:
        assert noun == ("года" if int(number) % 10 == 1 else "лет")
    else:
        assert (
            noun
            == ("лет", "год", "года", "года", "года", *["лет"] * 5)[int(number) % 10]
        )


@pytest.mark.parametrize("key", [b"a", b"b", b"c", b"d"])
def test_dates_of_birth_by_what_stands_behind_them(replace_in, key):
    rows = [
        ("03.05.1942", "DATETIME", "", 0, "Пахомова Галина, ", " г. р., "),
        ("77 лет", "DEM", "AGE", 1, " г. р., "),
        ("12.06.2019", "DATETIME", "", 2, "поступила "),
    ]
    born, age, seen = replace_in("ru", rows, key)
    (day, month, year), (d, m, y) = (map(int, t.split(".")) for t in (born, seen))
    assert int(age.split()[0]) == y - year - ((m, d) < (month, day))


@pytest.mark.parametrize("label", ["DEM", "LOC", "ORG", "PERSON"])
@pytest.mark.parametrize("strategy", ["generalize", "named_placeholder", "full_entity"])
def test_letters_without_a_name_are_no_words(label, strategy):
    made = {"@deid_strategies": f"spacy_deid.{strategy}.v1"}
    new = deid("ru", ["слово ", ("𗀀", label), " тут."], strategy=made).texts[0]
    assert new != "𗀀"


def test_words_beside_a_noun_agree_with_it_and_those_behind_it_stay():
    forms = term_forms("детский врач")
    assert forms["masc accs"] == "детского врача"
    assert forms["plur datv"] == "детским врачам"
    assert term_forms("рак лёгкого")["masc datv"] == "раку лёгкого"
    assert term_forms("заведующий складом")["masc gent"] == "заведующего складом"
    assert verb_forms("плохо видеть")["past sing femn"] == "плохо видела"


def test_terms_are_replaced_in_every_case():
    parts = ["Он был ", ("учителем", "DEM", "OCCUPATION"), ". Нет учителя. К учителю."]
    new, whole = deid("ru", parts)
    assert not re.search("учител", whole)
    stem = new[0].removesuffix("ем").removesuffix("ом")
    assert whole.count(stem) == 3 and whole.endswith(("у.", "ю."))


@pytest.mark.parametrize(
    ("before", "text", "label", "new"),
    [
        ("говорил с ", "врачом", "DEM", "учителем"),
        ("живёт в ", "Казани", "LOC", "Москве"),
        ("живёт ", "Казань", "LOC", "Москва"),
        ("пришёл к ", "Петру Кузнецову", "PERSON", "Ивану Иванову"),
    ],
)
def test_named_placeholders_stand_in_the_case_of_the_original(before, text, label, new):
    made = {"@deid_strategies": "spacy_deid.named_placeholder.v1"}
    assert deid("ru", [before, (text, label), "."], strategy=made).texts == [new]


def test_fond_forms_are_short_names_in_their_case(replace_in, key):
    for old, case in (("Лёнька", "nomn"), ("Ваньку", "accs"), ("Наташкой", "ablt")):
        (new,) = replace_in("ru", person(old), key)
        assert case in cases_of(new, ("m/short", "f/short")), new


def test_regions_are_called_after_towns(replace_in, key):
    (new,) = replace_in("ru", [("Псковской области", "LOC", "", 0)], key)
    adjective, noun = new.split()
    of_towns = {x.forms["femn gent"].capitalize() for x in lexicon().rows["ofcity"]}
    assert noun == "области" and adjective != "Псковской" and adjective in of_towns


@pytest.mark.parametrize(
    "old,origin",
    [
        ("Нурлан Оспанов", "kazakh"), ("Санджи Эрдниев", "mongol"), ("Хеда Магомедова", "caucasus"),
        ("Юлдашев Акмал", "uzbek"), ("Фридрих Циммерман", "german"), ("Цуркан Мирча", "moldovan"),
    ],
)  # fmt: skip
def test_people_stay_of_their_people_and_in_their_order(replace_in, key, old, origin):
    (new,) = replace_in("ru", person(old), key)
    lists = [
        {n for k in kinds for n in NAMES[f"{origin} {k}"]}
        for kinds in ("mf", ["family"])
    ]
    if old.split()[0].removesuffix("а") in lists[1] - lists[0]:
        lists.reverse()
    given, family = (word.removesuffix("а") for word in new.split())
    assert {given, new.split()[0]} & lists[0] and {family, new.split()[1]} & lists[1], (
        new
    )


@pytest.mark.parametrize(
    ("before", "old", "role"),
    [
        ("Отчество: ", "Исмаиловна", "patronymic"), ("Имя: ", "Бектур", "given"),
        ("внучка ", "Абрамова", "family"), ("мама ", "Давида", "given"), ("", "Нина Г.", "given"),
        ("", "Мальцева Н.", "family"), ("привет, я ", "Данька", "given"),
    ],
)  # fmt: skip
def test_names_without_surname_keep_their_role(replace_in, key, before, old, role):
    new = replace_in("ru", [(old, "PERSON", "", 0, before, "")], key)[0].split()[0]
    is_given = bool(given_names().in_row(new, ("m", "f")))
    found = "patronymic" if patronymic(new) else "given" if is_given else "family"
    assert found == role, new


def test_nobody_is_called_after_a_poet_or_a_word():
    drawn = {
        x.name
        for row, names in given_names().rows.items()
        if "rare" not in row
        for x in names
    }
    drawn |= {
        n for key, names in NAMES.items() if key.endswith("family") for n in names
    }
    assert drawn.isdisjoint(
        ("Гюго", "Алигьери", "Дюма", "Мир", "Рано", "Сон", "Творимир")
    )


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
