"""A language is a folder of data and one line that registers it."""

import json

import pytest

from spacy_deid.lang.base import LanguagePack, pack_of
from spacy_deid.registries import registry
from spacy_deid.surrogates.base import Mention
from spacy_deid.surrogates.languages import make_language_surrogates

from ..surrogates.conftest import seeded
from ..surrogates.marked import fitted

WORDS = {
    "origin": "Made for this test.",
    "home": "Italia",
    "neighbours": ["Svizzera"],
    "streets": ["Garibaldi", "Verdi", "Rossini"],
    "companies": ["Aurora", "Fenice", "Girasole", "Levante"],
    "patrons": ["San Luca", "Santa Chiara"],
    "titles": ["Il giardino", "La strada lunga", "Voci nella pioggia"],
    "phrases": ["un altro fatto", "un caso simile", "un dettaglio"],
    "people": ["residente in zona", "di altra provenienza"],
    "lands": ["la zona", "la regione"],
    "patterns": {
        "postcode": r"\b\d{5}\b",
        "street": r"(?P<kind>\b[Vv]ia\s)(?P<name>[A-Z]\w+)",
        "ages": r"\d{1,3}(?:\sanni)?",
    },
}
COUNTRIES = """country\tadjective\ttowns
Italia\titaliano\t
Svizzera\tsvizzero\tLugano,Locarno,Bellinzona
Francia\tfrancese\tParigi,Lione,Nizza
Spagna\tspagnolo\tMadrid,Siviglia,Valenza
"""
TOWNS = {"Torino": "10", "Firenze": "50", "Bari": "70", "Palermo": "90", "Parma": "43"}
TERMS = "subtype\tendings\twords\nOCCUPATION\to a i e\tavvocat,cuoc,operai,maestr\n"


@pytest.fixture
def italian(tmp_path, monkeypatch):
    """What the package of somebody else would bring."""
    (tmp_path / "words.json").write_text(json.dumps(WORDS), "utf8")
    (tmp_path / "countries.tsv").write_text(COUNTRIES, "utf8")
    rows = "".join(f"{town}\t{code}\n" for town, code in TOWNS.items())
    (tmp_path / "towns.tsv").write_text(f"town\tpostcode\n{rows}", "utf8")
    (tmp_path / "terms.tsv").write_text(TERMS, "utf8")
    (tmp_path / "kept_words.txt").write_text("ospedale\nuniversità\ndi\n", "utf8")
    # Not as "it", which the package has itself.
    registry.deid_languages.register(
        "la", func=lambda: LanguagePack("la", str(tmp_path))
    )
    yield pack_of("la")
    del registry.deid_languages.functions["la"]


def test_surrogates_come_from_the_data_of_the_pack(italian):
    town, occupation, abroad = fitted(
        "Sta a <<Torino|LOC.CITY>> e lavora come <<avvocato|DEM.OCCUPATION>> da Rossi; "
        "abita in via Verdi 3 a <<Lione|LOC.CITY>>.",
        r"Sta a (\w+) e lavora come (\w+) da Rossi; abita in via Verdi 3 a (\w+)\.",
        "la",
    ).groups()
    assert town in TOWNS and town != "Torino"
    assert occupation in ("cuoco", "operaio", "maestro")
    towns = "Lugano Locarno Bellinzona Parigi Nizza Madrid Siviglia Valenza"
    assert abroad in towns.split()


def test_a_country_takes_its_people_with_it(italian):
    pairs = {"Italia": "italiano", "Svizzera": "svizzero", "Spagna": "spagnolo"}
    country, adjective = fitted(
        "Viene dalla <<Francia|LOC.COUNTRY>>, ha un passaporto <<francese|DEM>>.",
        r"Viene dalla (\w+), ha un passaporto (\w+)\.",
        "la",
    ).groups()
    assert pairs[country] == adjective


def test_what_a_pack_leaves_out_has_defaults():
    pack = LanguagePack("xy")
    assert pack.home == "" and pack.companies == () and not pack.postcodes
    assert not pack.kept.fullmatch("word") and pack.ages.fullmatch("42")
    assert pack.forms("Name") == {"-": "Name"} and pack.narrow(["a"], "") == ("a",)


def test_packs_of_the_package():
    for lang in ("de", "es", "fr", "ru"):
        pack = pack_of(f"{lang}-XX")
        assert pack is not None and pack.lang == lang and pack.lexicon is not None
        assert len(pack.postcodes) > 50 and len(pack.companies) > 30
    assert pack_of("en").lexicon is None
    assert pack_of("xx") is None


@pytest.mark.parametrize(
    "lang, marked, pattern",
    [
        ("de", "PLZ: <<73168|LOC.POSTCODE>>, Ort: <<Ulm|LOC>>", "PLZ: (?P<code>.+), Ort: (?P<town>.+)"),
        ("de", "in <<73168|LOC.POSTCODE>> <<Hückeswagen|LOC>>", r"in (?P<code>\S+) (?P<town>.+)"),
        ("es", "C. P.: <<28901|LOC.POSTCODE>> Localidad: <<Getafe|LOC>>", r"C\. P\.: (?P<code>.+) Localidad: (?P<town>.+)"),
        ("es", "Localidad: <<Getafe|LOC>>. Código postal: <<28901|LOC.POSTCODE>>", r"Localidad: (?P<town>.+)\. Código postal: (?P<code>.+)"),
        ("fr", "<<69003|LOC.POSTCODE>> <<Lyon|LOC>>", r"(?P<code>\S+) (?P<town>.+)"),
    ],
)  # fmt: skip
def test_post_codes_are_those_of_the_new_towns(lang, marked, pattern):
    for key in range(20):
        new = fitted(marked, pattern, lang, bytes([key]))
        start = pack_of(lang).postcodes.get(new["town"], "")
        assert start and new["code"].startswith(start), new


@pytest.mark.parametrize(
    "lang, long, short",
    [
        ("es", "Servicio de Infecciosas del Hospital Isabel Zendal", "Hospital Isabel Zendal"),
        ("it", "Reparto di Cardiologia dell'Ospedale Ferrini", "Ospedale Ferrini"),
    ],
)  # fmt: skip
def test_a_name_inside_another_is_one_name(lang, long, short):
    make = make_language_surrogates(lang)
    mentions = [Mention(x, "ORG", "", 0, "", ".", "QUASI", "") for x in (long, short)]
    for key in range(20):
        around, inner = make(mentions, seeded(bytes([key])), {long, short}.__contains__)
        assert around.endswith(inner) and len(inner.split()) > 1, (around, inner)
        assert inner.split()[0] == short.split()[0] and inner != short
