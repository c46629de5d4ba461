"""Other strings for what is masked: found in the text, and replaced in their form."""

import re
from unittest.mock import Mock

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from spacy_deid.lang.ru import name_forms as russian
from spacy_deid.schema import StrategyError
from spacy_deid.surrogates.sweep.name_words import has_umlauts
from spacy_deid.surrogates.sweep.runs import compact
from spacy_deid.surrogates.sweep.spellings import short_forms

from ..cases import cases
from .marked import table_of, with_pipeline

STRATEGIES = ("full_entity", "redact")
ROWS = table_of("swept.tsv")


@pytest.mark.parametrize("lang", sorted({row["lang"] for row in ROWS}))
def test_what_is_swept_and_what_stays(lang):
    """All other cases, spellings and short forms go; words that look like them stay."""
    if lang == "ru":
        pytest.importorskip("pymorphy3")
    for row in ROWS:
        for strategy in STRATEGIES if row["lang"] == lang else ():
            new = with_pipeline(row["marked"], lang, strategy)
            assert not row["gone"] or not re.search(row["gone"], new), new
            assert row["stays"] in new, new


def test_russian_surrogates_stand_in_the_same_case():
    pytest.importorskip("pymorphy3")
    text = "<<Олег Ершов|PERSON>> пришёл. Ершову дали, Ершовым гордились, Ершовы рады."
    words = re.findall(r"\w+", with_pipeline(text, "ru"))
    stem = words[1]
    assert [words[i].removeprefix(stem) for i in (1, 3, 5, 7)] == ["", "у", "ым", "ы"]
    new = with_pipeline("<<Роснефть|ORG>> растёт. Глава Роснефти уехал.", "ru").split()
    assert new[3] in (new[0], *russian.FORMS.of_phrase(new[0]).values())


def test_russian_without_a_dictionary(monkeypatch):
    missing = Mock(side_effect=StrategyError("not installed"))
    monkeypatch.setattr(russian, "parses", missing)
    caches = russian._parses, russian._word_forms, russian._phrase_forms
    for cached in caches:
        cached.cache_clear()
    try:
        text = "<<Олег Ершов|PERSON>> тут. Ершову дали. Олегу тоже. <<Тула|LOC>> далеко, в Туле снег."
        new = with_pipeline(text, "ru", "redact")
        assert "Ершов" not in new and "Олег" not in new
        assert "в Туле" in new
    finally:
        for cached in caches:
            cached.cache_clear()


ENDINGS = [
    "ов ова ову овым ове овой овы овых овыми",
    "ин ина ину иным ине иной ины иных иными",
    "ский ского скому ским ском ская скую ской ские ских скими",
]


@given(
    st.sampled_from(["Гром", "Ершик", "Полян", "Заруб", "Кожемяк"]),
    st.sampled_from(ENDINGS).map(str.split),
    st.data(),
)
def test_every_form_of_a_surname_gives_every_other(stem, endings, data):
    ending, other = (data.draw(st.sampled_from(endings)) for _ in range(2))
    forms = russian.FORMS.of_word(stem + ending)
    assert (stem + other).lower() in forms


def test_written_out_names_keep_one_surrogate():
    text = "<<Uwe Böhme|PERSON>> rang. Boehme rang again; BOEHME."
    for key in "abcd":
        new = with_pipeline(text, "de", key=f"key {key}")
        family, again, capitals = re.findall(r"(?<!^)\b[A-ZÄÖÜ][\wß]+", new)
        assert compact(again) == compact(capitals) and capitals.isupper()
        assert has_umlauts(family) or compact(again) == compact(family)


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("first, last", [("Rosa", "Halloway"), ("Ed", "Pemberton")])
def test_user_names_are_swept(first, last, strategy):
    for user in ("{0}{1}", "{1}{0}", "{2}{1}", "{1}{2}", "{2}{1}77"):
        for change in (str.lower, str.upper):
            name = change(user.format(first, last, first[0]))
            text = f"<<{first} {last}|PERSON>> logs in as {name} now."
            assert last.lower() not in with_pipeline(text, "en", strategy).lower()


@given(
    st.from_regex("[B-DF-HJ-NP-TV-Z][aeiou][a-z]{3,7}[aeiou]q", fullmatch=True),
    st.sampled_from(["Ltd", "Inc.", "GmbH", "S.p.A.", "PLC", "& Co. KG"]),
)
@settings(suppress_health_check=[HealthCheck.too_slow], deadline=None, max_examples=25)
def test_firms_without_their_legal_form_are_swept(word, form):
    firm = f"<<{word} Dynamics {form}|ORG>>"
    text = f"{firm} won. {word} Dynamics' boss: {word} is glad."
    assert word not in with_pipeline(text, "en", "redact")


def test_short_forms():
    for name, shorts in cases(__file__, "short forms"):
        assert [form.text for form in short_forms(name)] == shorts


@pytest.mark.parametrize("lang, text, old", cases(__file__, "as one"))
def test_surnames_of_several_words_written_as_one(lang, text, old):
    new = with_pipeline(text, lang)
    assert old not in new.lower()
    # User names follow the new name.
    given, surname = re.match(r"(\w+) (.*?) (?:wrote|escribe)", new).groups()
    assert compact(f"{given}{surname}") in compact(new.partition(". ")[2])
