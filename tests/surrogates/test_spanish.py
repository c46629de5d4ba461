"""Spanish surrogates as a native reader sees them: relations, not fixed words."""

import pytest

from spacy_deid.gazetteers.names import lists, nicknames
from spacy_deid.lang.base import pack_of
from spacy_deid.text.calendars import MONTHS
from spacy_deid.text.names import fold

KEYS = [b"one", b"two", b"three"]
MONTH_NAMES = MONTHS["es"][0].split()
NAME = r"[A-ZÁÉÍÓÚÑ][\wáéíóúñü]+"


TERMS = pack_of("es").rows("terms")


def row_of(word, subtype):
    """The words of the rows of a subtype that hold one, in all their forms."""
    found = pack_of("es").lexicon()
    rows = [f.lexeme.row for f in found.in_row(word, [f"term:{subtype}:"])]
    words = (lexeme for row in rows for lexeme in found.rows[row])
    return {form for lexeme in words for form in lexeme.forms.values()}


@pytest.mark.parametrize("subtype", sorted({row["subtype"] for row in TERMS}))
def test_every_term_is_read(subtype):
    for row in TERMS:
        words = row["words"].split(",") if row["subtype"] == subtype else []
        for word in words:
            for ending in row["endings"].split():
                assert row_of(word + ending.strip("-"), subtype) - {word}, word


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize(
    ("text", "subtype", "like"),
    [
        ("fractura de falange", "DISEASE", "fractura de tibia"),
        ("alergia al veneno", "DISEASE", "alergia al polen"),
        ("cáncer de timo", "DISEASE", "cáncer de pulmón"),
        ("vendía alpargatas", "OCCUPATION", "vendía flores"),
        ("técnica en prótesis", "DEGREE", "técnica en radiología"),
        ("camarera del vagón", "OCCUPATION", "camarera"),
    ],
)
def test_a_phrase_goes_by_its_first_word(replace_in, key, text, subtype, like):
    new = replace_in("es", [(text, "DEM", subtype)], key)[0]
    # Nothing is left of what says more of it.
    assert text.split()[-1] not in new
    rows = row_of(like, subtype) | row_of("camarera de pisos", subtype)
    assert new in rows and new not in text


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize(
    ("text", "before", "kinds"),
    [
        ("Yuliana", "", "f"),
        ("Keylor", "", "m"),
        ("Nekane", "le dice a ", "f"),
        ("Mamani", "", "s"),
        ("Goikoetxea", "a nombre de ", "s"),
        ("Luz", "hija de Blas y de ", "f"),
        ("Oriol", "su primo ", "m"),
        ("Qwexo", "los ", "s"),
        ("Yeison M.", "", "m."),
        ("Etxaniz Agirre Nagore", "", "ssf"),
        ("Brayan Stiven Caicedo Ortiz", "", "mmss"),
        ("Juan Pedro", "", "mm"),
        ("Mª Ángeles", "", ".f"),
        ("ANA DE LA VEGA Y GIL", "", "f....s"),
        ("Casals i Bosch, Meritxell", "", "s.sf"),
        ("Consuelo Plaza", "en nave de D.ª ", "fs"),
        ("Qwuxin Gil", "la abogada ", "fs"),
    ],
)
def test_every_word_keeps_its_kind(replace_in, key, text, before, kinds):
    new = replace_in("es", [(text, "PERSON", "", 0, before, "")], key)[0]
    pools = dict(zip("mfs", (set(map(fold, part)) for part in lists("es"))))
    words = new.replace(",", "").split()
    assert len(words) == len(kinds), new
    for word, old, kind in zip(words, text.replace(",", "").split(), kinds):
        if kind in pools:
            assert fold(word) in pools[kind] or fold(word) in map(
                fold, nicknames("es").full
            ), new
        else:
            assert word == old or (word != word.lower() and old != word), new


@pytest.mark.parametrize("key", KEYS)
def test_town_province_code_and_licence_fit(replace_in, key):
    fields = ".\nProvincia: Madrid.\nCP: "
    rows = [
        ("Torrelodones", "LOC", "", 0, "Localidad: ", fields),
        ("Madrid", "LOC", "", 1, "Provincia: ", ".\nCP: 28250"),
        ("28250", "LOC", "POSTCODE", 2, "Localidad: Torrelodones. CP: ", ""),
        ("28 28 33273", "CODE", "", 3, "NºCol: ", ""),
        ("Getafe", "LOC", "", 4, "", ""),
    ]
    town, province, code, licence, other = replace_in("es", rows, key)
    pack = pack_of("es")
    new = next(p for p in pack.divisions if province in p.names)
    assert town in new.towns or pack.postcodes[town].startswith(new.code)
    assert code.startswith(new.code) and licence.startswith(f"{new.code} {new.code} ")
    assert pack.postcodes[other].startswith(new.code)


@pytest.mark.parametrize("key", KEYS)
def test_the_capital_stands_for_the_capital_and_the_region_follows(replace_in, key):
    rows = [(x, "LOC", "", i) for i, x in enumerate(["Sevilla", "Jaén", "Andalucía"])]
    *towns, region = replace_in("es", rows, key)
    found = {p.capital[0]: p.region for p in pack_of("es").divisions}
    assert [found[town] for town in towns] == [region, region]


@pytest.mark.parametrize("key", KEYS)
def test_beginnings_of_names_in_addresses_follow_the_new_names(replace_in, key):
    rows = [
        ("Ramona Villar Puchero", "PERSON", "", 0),
        ("ravipuc@hotmail.com", "CODE", "EMAIL", 1),
    ]
    person, mail = replace_in("es", rows, key)
    first, second, third = (fold(name).lower() for name in person.split())
    assert mail.partition("@")[0] == first[:2] + second[:2] + third[:3]
