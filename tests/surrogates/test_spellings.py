"""Other strings for what is masked: found in the text, and replaced in their form."""

import re

import pytest
import spacy
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from spacy_deid.lang.ru import name_forms as russian
from spacy_deid.schema import Candidate, StrategyError, set_group
from spacy_deid.surrogates.sweep.name_words import has_umlauts
from spacy_deid.surrogates.sweep.runs import compact
from spacy_deid.surrogates.sweep.spellings import short_forms

PIPES: dict = {}


def deid(lang, text, *spans, strategy="full_entity", key=b"key"):
    """New text; spans as (text, label[, subtype]) that stand for their first
    occurrence."""
    if lang not in PIPES:
        PIPES[lang] = spacy.blank(lang)
        PIPES[lang].add_pipe("pseudonymizer")
    nlp = PIPES[lang]
    pipe = nlp.get_pipe("pseudonymizer")
    pipe.strategy = strategy
    pipe.set_key(key)
    doc = nlp.make_doc(text)
    found = []
    for core, *kind in spans:
        at = text.index(core)
        span = doc.char_span(at, at + len(core), alignment_mode="expand")
        found.append(Candidate(span.start, span.end, *kind))
    set_group(doc, "pii", found, entity_ids=list(range(len(found))))
    return pipe(doc)._.deid_text


RUSSIAN = [
    (
        ("Пётр Ильич Громов", "PERSON"),
        "Пётр Ильич Громов дома. Громову звонили, о Громове забыли. Петра нет. Громовы "
        "уехали с Петром Ильичом.",
        ["Громов", "Пётр", "Петр", "Ильич"],
    ),
    (
        ("Дарьи Марчук", "PERSON"),
        "Письмо Дарьи Марчук. Дарье написали, Дарью ждали. Марчукам тоже.",
        ["Дарь", "Марчук"],
    ),
    (
        ("Анну Белинскую", "PERSON"),
        "Видели Анну Белинскую. Белинской нет, Белинский был. Анне звонят.",
        ["Белинск", "Анн"],
    ),
    (
        ("Самара", "LOC", "CITY"),
        "Самара на Волге. В Самаре тепло, из Самары едут. САМАРУ видно.",
        ["Самар", "САМАР"],
    ),
    (
        ("Великий Устюг", "LOC", "CITY"),
        "Великий Устюг стар. В Великом Устюге снег, до Великого Устюга далеко.",
        ["Устюг"],
    ),
    (
        ("Роснефть", "ORG"),
        "Роснефть растёт. Акции Роснефти дороги, спор с Роснефтью окончен.",
        ["Роснефт"],
    ),
    (
        ("ЗАО «Калинка»", "ORG"),
        "ЗАО «Калинка» судится. Директор Калинки молчит. В «Калинке» пусто.",
        ["Калинк"],
    ),
]


@pytest.mark.parametrize("strategy", ["full_entity", "redact"])
@pytest.mark.parametrize("span, text, gone", RUSSIAN)
def test_russian_cases_are_swept(span, text, gone, strategy):
    pytest.importorskip("pymorphy3")
    new = deid("ru", text, span, strategy=strategy)
    assert not [stem for stem in gone if stem in new], new


def test_russian_surrogates_stand_in_the_same_case():
    pytest.importorskip("pymorphy3")
    text = "Олег Ершов пришёл. Ершову дали, Ершовым гордились, Ершовы рады."
    new = deid("ru", text, ("Олег Ершов", "PERSON"))
    words = new.replace(",", "").replace(".", "").split()
    stem = words[1]
    assert [words[i].removeprefix(stem) for i in (1, 3, 5, 7)] == ["", "у", "ым", "ы"]
    text = "Роснефть растёт. Глава Роснефти уехал."
    new = deid("ru", text, ("Роснефть", "ORG"))
    first, again = new.split()[0], new.split()[3]
    forms = russian.FORMS.of_phrase(first).values()
    assert again in forms or again == first


def test_russian_words_stay():
    pytest.importorskip("pymorphy3")
    text = "Вера Орлова поёт. Нет ни веры, ни орла."
    new = deid("ru", text, ("Вера Орлова", "PERSON"))
    assert new.endswith("Нет ни веры, ни орла.")
    # Titles name nobody.
    text = "Господин Ершов здесь. Тот господин ушёл."
    new = deid("ru", text, ("Господин Ершов", "PERSON"))
    assert "Тот господин ушёл." in new and "Ершов" not in new


def _no_dictionary(word):
    raise StrategyError("not installed")


def test_russian_without_a_dictionary(monkeypatch):
    monkeypatch.setattr(russian, "parses", _no_dictionary)
    caches = russian._parses, russian._word_forms, russian._phrase_forms
    for cached in caches:
        cached.cache_clear()
    try:
        text = "Олег Ершов тут. Ершову дали. Олегу тоже. Тула далеко, в Туле снег."
        new = deid(
            "ru", text, ("Олег Ершов", "PERSON"), ("Тула", "LOC"), strategy="redact"
        )
        assert "Ершов" not in new and "Олег" not in new
        assert "в Туле" in new
    finally:
        for cached in caches:
            cached.cache_clear()


@given(
    st.sampled_from(["Гром", "Ершик", "Полян", "Заруб", "Кожемяк"]),
    st.sampled_from(
        [
            "ов ова ову овым ове овой овы овых овыми".split(),
            "ин ина ину иным ине иной ины иных иными".split(),
            "ский ского скому ским ском ская скую ской ские ских скими".split(),
        ]
    ),
    st.data(),
)
def test_every_form_of_a_surname_gives_every_other(stem, endings, data):
    ending, other = (data.draw(st.sampled_from(endings)) for _ in range(2))
    forms = russian.FORMS.of_word(stem + ending)
    assert (stem + other).lower() in forms


@pytest.mark.parametrize(
    "text, gone",
    [
        ("Uwe Böhme rang. uwe.boehme@box, BOEHME, die Böhmes, Bohme.", "hme"),
        ("Kåre Hagås rang. kaare hagaas, Hagas and KAARE.", "hag kare kaare"),
        ("Jörg Weiß rang. Joerg Weiss, weiss.joerg", "weiss joerg"),
        ("Inge Moeller rang. Möller, MÖLLER and I. Möllers.", "ller"),
    ],
)
def test_umlauts_are_swept(text, gone):
    name = text.partition(" rang")[0]
    for strategy in ("full_entity", "redact"):
        new = deid("de", text, (name, "PERSON"), strategy=strategy).lower()
        assert not [stem for stem in gone.split() if stem in new], new


def test_written_out_names_keep_one_surrogate():
    text = "Uwe Böhme rang. Boehme rang again; BOEHME."
    for key in (b"a", b"b", b"c", b"d"):
        new = deid("de", text, ("Uwe Böhme", "PERSON"), key=key)
        family, again, capitals = re.findall(r"(?<!^)\b[A-ZÄÖÜ][\wß]+", new)
        assert compact(again) == compact(capitals) and capitals.isupper()
        assert has_umlauts(family) or compact(again) == compact(family)


@pytest.mark.parametrize("user", ["{0}{1}", "{1}{0}", "{2}{1}", "{1}{2}", "{2}{1}77"])
@pytest.mark.parametrize("first, last", [("Rosa", "Halloway"), ("Ed", "Pemberton")])
def test_user_names_are_swept(first, last, user):
    for change in (str.lower, str.upper):
        name = change(user.format(first, last, first[0]))
        text = f"{first} {last} logs in as {name} now."
        for strategy in ("full_entity", "redact"):
            new = deid("en", text, (f"{first} {last}", "PERSON"), strategy=strategy)
            assert last.lower() not in new.lower(), new


def test_words_that_look_like_user_names_stay():
    text = "Paul Layer met Paula Vison: a player, a bright Pvison."
    new = deid("en", text, ("Paul Layer", "PERSON"), ("Paula Vison", "PERSON"))
    assert "a player, a bright Pvison" in new


@given(
    st.from_regex("[B-DF-HJ-NP-TV-Z][aeiou][a-z]{3,7}[aeiou]q", fullmatch=True),
    st.sampled_from(["Ltd", "Inc.", "GmbH", "S.p.A.", "PLC", "& Co. KG"]),
)
@settings(suppress_health_check=[HealthCheck.too_slow], deadline=None, max_examples=25)
def test_firms_without_their_legal_form_are_swept(word, form):
    text = f"{word} Dynamics {form} won. {word} Dynamics' boss: {word} is glad."
    new = deid("en", text, (f"{word} Dynamics {form}", "ORG"), strategy="redact")
    assert word not in new


def test_short_forms():
    def shorts(name):
        return [form.text for form in short_forms(name)]

    assert shorts("Brelko Foods Ltd") == ["Brelko Foods", "Brelko"]
    assert shorts("Brelko GmbH & Co. KG") == ["Brelko"]
    assert shorts("Peach Inc.") == ["Peach"]
    assert shorts("Dublin Foods Ltd") == ["Dublin Foods"]
    assert shorts("Housing Company") == []
    assert shorts("Northern Housing Company") == ["Northern Housing"]
    assert shorts("Ministry of Justice") == []
    assert shorts("ООО «Рассвет»") == ["Рассвет"]
    # A word like others is the firm with a capital only.
    text = "Orange Inc. sells. Orange is glad of an orange."
    new = deid("en", text, ("Orange Inc.", "ORG"), strategy="redact")
    assert "Orange" not in new and "an orange." in new


@pytest.mark.parametrize(
    "lang, name, text, old",
    [
        (
            "en",
            "Anneke de Vries",
            "Anneke de Vries wrote. Login anneke.devries, Mail devries@x.org, DeVries.",
            "vries",
        ),
        (
            "es",
            "Marta García Torrelles",
            "Marta García Torrelles escribe. Usuario marta.garciatorrelles.",
            "torrelles",
        ),
    ],
)
def test_surnames_of_several_words_written_as_one(lang, name, text, old):
    new = deid(lang, text, (name, "PERSON"))
    assert old not in new.lower()
    # User names follow the new name.
    surname = "".join(re.findall(r"^\w+ (.*?) (?:wrote|escribe)", new)[0].split())
    given = new.split()[0]
    assert compact(f"{given}{surname}") in compact(new.partition(". ")[2])
