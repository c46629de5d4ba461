"""Italian sentences, whose places, people and dates read as Italian ones afterwards."""

import re

import pytest

from spacy_deid.lang.base import pack_of

from .marked import read, rewritten

KEYS = (
    "a first key for Italian",
    "a second key for Italian",
    "a third key for Italian",
)
MONTHS = (
    "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre"
    " novembre dicembre"
).replace(" ", "|")
LIQUID = "[aeiouhAEIOUH]"


@pytest.fixture(params=KEYS)
def rewrite(request):
    return lambda marked, pattern: read(rewritten("it", marked, request.param), pattern)


def test_persons_keep_titles_particles_and_gender(rewrite):
    match = rewrite(
        "La [dott.ssa Elena Bonfanti|PERSON] ha visto [Marco De Luca|PERSON]; il"
        " [Sig. De Luca|PERSON] e la moglie [Chiara|PERSON] ringraziano la"
        " [Bonfanti|PERSON].",
        r"La dott\.ssa (\w+) (\w+) ha visto (\w+) De (\w+); il Sig\. De (\w+) e la"
        r" moglie (\w+) ringraziano la (\w+)\.",
    )
    woman, surname, man, family, again, wife, alone = match.groups()
    assert surname == alone and family == again
    assert woman[-1] in "aeiy" and wife[-1] in "aeiy" and man[-1] in "aeiokr"
    assert not {"Elena", "Bonfanti", "Marco", "Luca", "Chiara"}.intersection(
        match.groups()
    )


def test_dates_are_written_with_italian_months(rewrite):
    match = rewrite(
        "Ricoverato il [1° marzo 2019|DATETIME|DATE], dimesso il [5 marzo"
        " 2019|DATETIME|DATE]; dal [20 al 28 marzo 2019|DATETIME|DATE] in riabilitazione.",
        rf"Ricoverato il (\d+)°? (?:{MONTHS}) (\d{{4}}), dimesso il (\d+) (?:{MONTHS})"
        rf" \d{{4}}; dal \d+(?: (?:{MONTHS}))? al \d+ (?:{MONTHS}) \d{{4}} in riabilitazione\.",
    )
    # Only the first of a month is an ordinal.
    assert "°" not in match[0] or match[1] == "1"


def test_towns_take_their_post_codes_and_provinces_along(rewrite):
    match = rewrite(
        "Nato ad [Avellino|LOC|CITY], residente in [via della Libertà 12/B,"
        " 37121 Verona (VR)|LOC|ADDRESS].",
        r"Nato ad ([A-Z][\w' ]+), residente in via della (\w+) (\d+)/B,"
        r" (\d{5}) ([\w' ]+) \(([A-Z]{2})\)\.",
    )
    pack = pack_of("it")
    town, street, _, code, home, province = match.groups()
    assert re.match(LIQUID, town) and town in pack.postcodes
    assert street in pack.streets_after["della"]
    assert code.startswith(pack.postcodes[home]) and province == pack.provinces[home]


def test_words_agree_with_what_stands_around_them(rewrite):
    match = rewrite(
        "L'[ingegnere|DEM|OCCUPATION] e lo [psicologo|DEM|OCCUPATION] parlano con la"
        " [maestra|DEM|OCCUPATION], una donna [francese|DEM|NATIONALITY], e con gli"
        " [avvocati|DEM|OCCUPATION]. Vive in [Francia|LOC|COUNTRY], poi negli"
        " [Stati Uniti|LOC|COUNTRY].",
        r"L'(\w+) e lo (\w+) parlano con la (\w+), una donna (\w+), e con gli (\w+)\."
        r" Vive in ([\w ]+), poi negli ([\w ]+)\.",
    )
    engineer, doctor, teacher, people, lawyers, country, states = match.groups()
    assert re.match(LIQUID, engineer)
    assert re.match("s[^aeiou]|z|ps", doctor)
    assert teacher.endswith("a") and not re.match(LIQUID, teacher)
    assert re.match("[aeiou]|s[^aeiou]|z|ps", lawyers) and lawyers.endswith("i")
    assert people[-1] in "ae" and states == "Emirati Arabi Uniti"
    lexicon = pack_of("it").lexicon()
    (adjective,) = lexicon.at_home("adj", country)
    assert people == adjective.forms["f"]


def test_organisations_keep_what_they_are(rewrite):
    match = rewrite(
        "L'[Ospedale San Bortolo|ORG] di [Vicenza|LOC|CITY], la [Edilnord S.r.l.|ORG],"
        " il [Liceo Classico Giuseppe Parini|ORG], il [Comune di Cremona|ORG] e il"
        " [Ministero della Salute|ORG].",
        r"L'Ospedale ([\w' ]+) di ([\w' ]+), la ([\w ]+) S\.r\.l\., il Liceo Classico"
        r" ([\w' ]+), il Comune di ([\w' ]+) e il Ministero della (\w+)\.",
    )
    pack = pack_of("it")
    hospital, town, firm, school, municipality, subject = match.groups()
    assert {hospital, school} <= set(pack.patrons) and firm in pack.companies
    assert town in pack.postcodes and municipality in pack.postcodes
    assert subject in pack.subjects and subject != "Lavoro"


def test_ages_and_telephones_keep_their_form(rewrite):
    match = rewrite(
        "Uomo di anni [62|DEM|AGE], la figlia [34enne|DEM|AGE] chiama il"
        " [347 1234567|CODE|PHONE] e lo [045 8003412|CODE|PHONE].",
        r"Uomo di anni \d\d, la figlia \d\denne chiama il 3\d\d \d{7} e lo 0\d\d \d{7}\.",
    )
    assert not re.search("anni 62|34enne|1234567|8003412", match[0])


def test_what_is_generalized_stands_in_italian():
    marked = (
        "La [signora Anna Ferri|PERSON] lavora all'[Ospedale San Bortolo|ORG] e vive a"
        " [Vicenza|LOC|CITY]."
    )
    new = rewritten("it", marked, KEYS[0], "spacy_deid.generalize.v1")
    assert "ospedale" in new and "Italia" in new, new
