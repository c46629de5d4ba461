"""A language is a folder of data and one line that registers it."""

from pathlib import Path

import pytest

from spacy_deid.lang.base import LanguagePack, pack_of
from spacy_deid.registries import registry
from spacy_deid.surrogates.base import Mention
from spacy_deid.surrogates.languages import make_language_surrogates

from ..cases import cases
from ..surrogates.conftest import seeded
from ..surrogates.marked import fitted


@pytest.fixture
def italian():
    """What the package of somebody else would bring; not as "it", which this has."""
    pack = Path(__file__).with_name("pack")
    registry.deid_languages.register("la", func=lambda: LanguagePack("la", str(pack)))
    yield pack_of("la")
    del registry.deid_languages.functions["la"]


def test_surrogates_come_from_the_data_of_the_pack(italian):
    town, occupation, abroad = fitted(
        "Sta a <<Torino|LOC.CITY>> e lavora come <<avvocato|DEM.OCCUPATION>> da Rossi; "
        "abita in via Verdi 3 a <<Lione|LOC.CITY>>.",
        r"Sta a (\w+) e lavora come (\w+) da Rossi; abita in via Verdi 3 a (\w+)\.",
        "la",
    ).groups()
    assert town in italian.postcodes and town != "Torino"
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


@pytest.mark.parametrize("lang, marked, pattern", cases(__file__, "post codes"))
def test_post_codes_are_those_of_the_new_towns(lang, marked, pattern):
    for key in range(20):
        new = fitted(marked, pattern, lang, bytes([key]))
        start = pack_of(lang).postcodes.get(new["town"], "")
        assert start and new["code"].startswith(start), new


@pytest.mark.parametrize("lang, long, short", cases(__file__, "names inside others"))
def test_a_name_inside_another_is_one_name(lang, long, short):
    make = make_language_surrogates(lang)
    mentions = [Mention(x, "ORG", "", 0, "", ".", "QUASI", "") for x in (long, short)]
    for key in range(20):
        around, inner = make(mentions, seeded(bytes([key])), {long, short}.__contains__)
        assert around.endswith(inner) and len(inner.split()) > 1, (around, inner)
        assert inner.split()[0] == short.split()[0] and inner != short
