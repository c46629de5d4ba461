import pickle
import random
import re
import sys
from pathlib import Path

import pytest
import spacy
from hypothesis import given
from hypothesis import strategies as st

from spacy_deid.corpora.report import Report
from spacy_deid.evaluation.gold import read_golds
from spacy_deid.lang.base import pack_of
from spacy_deid.lang.inflection import Lexeme, Lexicon, in_form
from spacy_deid.lang.ru import forms as russian_forms
from spacy_deid.registries import registry
from spacy_deid.schema import SEMANTIC_TYPES, StrategyError
from spacy_deid.surrogates.base import MONTHS, Mention, in_order, normalise
from spacy_deid.surrogates.languages import in_language, make_language_surrogates
from spacy_deid.surrogates.numbers import count_form, same_form
from spacy_deid.text.names import fold
from spacy_deid.text.towns import homes_of

from ..cases import cases
from .conftest import containing, seeded

LANGS = ["de", "es", "ru"]
CORPORA = Path(__file__).parents[2] / "assets" / "corpora"
# Originals of every type.
SAMPLES = dict(cases(__file__, "samples"))


def test_registered_by_name():
    maker = registry.deid_surrogates.get("spacy_deid.language_surrogates.v1")()
    assert maker == make_language_surrogates()
    assert pickle.loads(pickle.dumps(maker)) == maker


def test_the_language_decides():
    def new(maker, text, label="DATETIME", subtype=""):
        return maker([Mention(text, label, subtype, 0)], seeded(), containing([text]))

    maker = make_language_surrogates()
    (english,) = new(maker.for_language("en"), "6 January 2022")
    assert english.split()[1] in MONTHS
    assert new(maker.for_language("sv"), "6 January 2022") == [english]
    german = new(maker.for_language("de"), "6. Januar 2022")
    assert german == new(make_language_surrogates("de"), "6. Januar 2022")
    # A setting counts more than the document.
    fixed = make_language_surrogates("es").for_language("de")
    assert new(fixed, "mujer", "DEM", "GENDER") == ["varón"]
    # Other generators serve all languages.
    assert in_language(len, "ru") is len


def test_unknown_languages_are_refused():
    with pytest.raises(ValueError, match="de, en, es, "):
        make_language_surrogates("tlh")


@pytest.mark.parametrize("lang", LANGS)
def test_all_is_new_by_key_and_in_the_language(replace_in, lang):
    rows = SAMPLES[lang]
    forbid = containing([text for text, _ in rows])
    english = re.compile(
        r"\b(?:the|of|and|some|another|certain|amount|street|years?|january|march|may)\b",
        re.I,
    )
    outs = [replace_in(lang, rows, key) for key in (b"one", b"two", b"three")]
    for out, key in zip(outs, (b"one", b"two", b"three")):
        assert out == replace_in(lang, rows, key)
        assert len(set(map(normalise, out))) == len(rows)
        for (text, label), new in zip(rows, out):
            assert not forbid(new) and normalise(new) != normalise(text), label
            assert not english.search(new)
            assert lang != "ru" or not re.search("[a-zA-Z]", new)
    assert sum(a != b for a, b in zip(*outs[:2])) > len(rows) // 2


def test_russian_without_its_dictionaries_stops(monkeypatch):
    monkeypatch.setitem(sys.modules, "pymorphy3", None)
    russian_forms.morphology.cache_clear()
    try:
        with pytest.raises(StrategyError, match=r"spacy-deid\[russian\]"):
            russian_forms.morphology()
    finally:
        russian_forms.morphology.cache_clear()


def test_a_sibling_has_one_form_for_all_that_were_meant():
    def word(name, a, b):
        return Lexeme(name, "row", {"a": a, "b": b})

    words = ("x", "xo", "xo"), ("y", "yi", "yo"), ("z", "z", "z")
    lexicon = Lexicon([word(*row) for row in words])
    found = lexicon.find("XO")[0]
    assert set(found.keys) == {"a", "b"}
    others = [w for w in lexicon.rows["row"] if w.name != "x"]
    # The one that needs no guess comes first, whatever the order.
    assert list(in_form(others, found.keys, "XO")) == ["Z", "YI"]


def test_words_of_a_country():
    rows = "A country:s A A|A country:x Ä A|a city a A|b city b B".split("|")
    rows = [row.split() for row in rows]
    lexicon = Lexicon([Lexeme(a, row, {"-": x}, home) for a, row, x, home in rows])
    assert lexicon.countries["A"].row == "country:s"
    assert [town.name for town in lexicon.at_home("city", "B")] == ["b"]
    assert not lexicon.at_home("city", "C") and not lexicon.at_home("region", "A")


@given(st.integers(1, 10**6), st.sampled_from(["de", "es", "ru"]), st.randoms())
def test_numbers_keep_the_form_of_their_noun(value, lang, rng):
    new = same_form(value, rng, lang)
    assert new != value
    if value != 1:
        assert count_form(new, lang) == count_form(value, lang)


@given(
    st.integers(1, 999), st.integers(0, 500), st.integers(1, 999), st.integers(1, 999)
)
def test_ranges_rise(first, more, a, b):
    old, new = f"§§ {first}-{first + more}", f"§§ {a}-{b}"
    low, high = map(int, re.findall(r"\d+", in_order(new, old)))
    widths = {len(str(number)) for number in (first, first + more, a, a + more, b)}
    # Neighbours stay neighbours.
    near = more <= 20 and widths == {3}
    assert low <= high and (high - low == more if near else {low, high} == {a, b})


@pytest.mark.parametrize("name", ["language_surrogates", "english_surrogates"])
def test_settings_survive_a_round_trip(name, tmp_path):
    surrogates = {"@deid_surrogates": f"spacy_deid.{name}.v1"}
    surrogates |= {"weekdays": True, "same_country": True}
    nlp = spacy.blank("en")
    nlp.add_pipe("pseudonymizer", config={"surrogates": surrogates})
    nlp.to_disk(tmp_path)
    again = spacy.load(tmp_path)
    saved = again.config["components"]["pseudonymizer"]["surrogates"]
    assert saved.items() >= surrogates.items()
    outs = []
    for pipe in (nlp, again):
        pipe.get_pipe("pseudonymizer").set_key(b"a key")
        doc = pipe.make_doc("Tuesday, 12 May 2015 in Lyon")
        spans = [(0, 20, "DATETIME"), (24, 28, "LOC")]
        doc.spans["pii"] = [doc.char_span(a, b, label) for a, b, label in spans]
        outs.append(pipe.get_pipe("pseudonymizer")(doc)._.deid_text)
    assert outs[0] == outs[1] and outs[0].startswith("Tuesday, ")
    assert homes_of(fold(outs[0].rpartition(" in ")[2])).keys() >= {"France"}


@pytest.mark.parametrize("lang, town, country", cases(__file__, "abroad"))
def test_towns_abroad_stay_there_if_asked(lang, town, country, key):
    make = make_language_surrogates(lang, same_country=True)
    (new,) = make([Mention(town, "LOC", "CITY", 0)], seeded(key), town.__eq__)
    homes = {f.lexeme.home for f in pack_of(lang).lexicon().in_row(new, ("city",))}
    assert country in homes and new != town


@pytest.fixture(scope="module")
def golds():
    paths = sorted(CORPORA.glob("*/train/*.txt"))
    return [g for p in paths for g in read_golds(p, Report(), format="inline")]


@pytest.mark.parametrize("lang", ["en", *LANGS])
def test_whatever_a_recognizer_takes_for_something(lang, golds):
    """Documents of other languages, and mentions of wrong types: there are surrogates."""
    make = make_language_surrogates(lang)
    # Each language has others.
    for number in range(["en", *LANGS].index(lang), len(golds), 25):
        gold, draw = golds[number], random.Random(number)
        mentions = [
            Mention(
                gold.text[start:end], draw.choice([label, *SEMANTIC_TYPES]), "", i,
                gold.text[max(0, start - 30) : start], gold.text[end : end + 30],
            )
            for i, (start, end, label, *_) in enumerate(gold.annotators[0])
        ]  # fmt: skip
        made = make(mentions, seeded(), lambda text: False)
        assert len(made) == len(mentions) and all(map(str.strip, made)), gold.text
