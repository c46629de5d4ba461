import re

import pytest

from spacy_deid.gazetteers.lexicon import is_coined
from spacy_deid.lang.base import pack_of
from spacy_deid.lang.ru.forms import multiword, named_forms

KEYS = [bytes([i]) for i in range(8)]


@pytest.mark.parametrize(
    "lang, text, before, shape",
    [
        # Well-known names of several words within longer ones, in their case.
        ("ru", "Международного Красного Креста", "", r"Международного (Гринписа|Мемориала)"),
        ("ru", "Голосе Америки", "на ", r"(Немецкой волне|Эхе Москвы|Радио Свобода|Русской службе новостей)"),
        # What follows its kind has its name in the nominative.
        ("ru", "футбольного клуба Челси", "", r"\w+ного клуба (Арсенал|Тоттенхэм|Эвертон|Фулхэм)"),
        # Letters, declined or not, become letters that everybody knows.
        ("ru", "японского МИДа", "", r"\w+ого (МВД|ФСБ|МЧС|ФСИН|ФНС)"),
        ("ru", "президентского совета ФИДЕ", "", r"президентского совета (ФИФА|УЕФА|МОК|ФИС)"),
        # Where nothing names it, what else it may be.
        ("ru", "Федеральному собранию", "", r"(Национальн|Государственн|Центральн|Общественн)ому собранию"),
        ("ru", "государственной Комиссии по атомной энергии", "", r"\w+ой Комиссии по атомной энергии"),
        ("ru", "министерстве финансов", "в ", r"министерстве (коммуникаций|природных ресурсов)"),
        # No plural in the nominative, and not twice the same.
        ("ru", "социальной сети", "в ", r"(организации|учреждении|ведомстве|структуре)"),
        ("ru", "сборной команды", "", r"(?!(\w+) \1$).+"),
        # "Частный корреспондент" is an adjective and a noun.
        ("ru", "Частного корреспондента", "статья ", r"\w+ого корреспондента"),
        ("ru", "Пресс-служба Федерации бобслея", "", r"Пресс-служба Федерации \w+"),
        ("ru", "infox.ru", "", r"[a-z]+\.ru"),
        # English names stay English, and keep what they are.
        ("ru", "World Fashion Channel", "", r"[A-Z]\w+ Fashion Channel"),
        ("ru", "организация Business NZ", "", r"организация Business [A-Z]{2}"),
        ("ru", "The European Registry of Domain Names", "", r"The \w+ Registry of [A-Z]\w+( [A-Z]\w+)*"),
        # No name of it stays, even if no other begins like it.
        ("es", "Panadería Los Arcos", "la ", r"(?!.*Arcos).+"),
        ("es", "Seguros La Ceja", "de ", r"(?!.*(La|Ceja)$).+"),
        ("de", "Air Council", "", r"[A-Z][a-z]+ Council"),
        ("de", "ZDF-Magazin", "", r"(ARD|RTL|Sat\.1|ProSieben)-Magazin"),
        ("de", "BMW", "bei ", r"[A-Z]\w+"),
        ("de", "Europäischen Union", "der ", r"Afrikanischen Union"),
        ("de", "Bayerischen Staatsministerium für Kultus", "im ", r"\w+ischen Staatsministerium für \w+"),
    ],
)  # fmt: skip
def test_organisations_stay_what_they_are(replace_in, lang, text, before, shape):
    for key in KEYS:
        after = " und er sagt nichts." if lang == "de" else " сообщили сегодня."
        row = (text, "ORG", "", 1, before, after)
        assert re.fullmatch(shape, new := replace_in(lang, [row], key=key)[0]), new


def test_a_sibling_that_the_document_has_is_another(replace_in):
    rows = [("клуба Челси", "ORG"), ("Арсенала", "ORG"), ("Эвертона", "ORG")]
    for key in KEYS:
        new = replace_in("ru", rows, key=key)[0]
        assert new in ("клуба Тоттенхэм", "клуба Фулхэм")


def test_letters_of_a_country_in_russian(replace_in):
    """The USA is no country of twenty that do not decline, and one in all its names."""
    names = ["США", "Соединёнными Штатами", "Америке"]
    for key in KEYS:
        new = replace_in("ru", [(name, "LOC") for name in names], key=key)
        assert re.fullmatch(r"[А-Я]{2,4}", new[0])
        assert len({new[0], *new}) == 3 or new[0] == new[1] == new[2]


def test_forms_of_names_of_several_words():
    assert named_forms("Голос Америки")["datv"] == "Голосу Америки"
    assert named_forms("Красный Крест")["ablt"] == "Красным Крестом"
    # Not of another participle of the verb.
    assert multiword("Соединённые Штаты")["gent"] == "Соединённых Штатов"


@pytest.mark.parametrize(
    "word, lang, coined",
    [
        ("ineos", "en", True),
        ("vodafone", "ru", True),
        # An English word in another language, and peoples.
        ("airlines", "ru", False),
        ("iranian", "en", False),
        ("european", "ru", False),
        ("murray", "en", False),
    ],
)
def test_coined_words(word, lang, coined):
    assert is_coined(word, lang) == coined


def test_rows_of_names_have_several():
    for lang in ("de", "ru"):
        for row, lexemes in pack_of(lang).lexicon().rows.items():
            if row.startswith("term:ORG:"):
                assert len({x.name for x in lexemes}) > 1, lexemes
