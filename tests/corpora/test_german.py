import random
import re

import pytest

from spacy_deid.corpora.synthetic import german, german_words

from ..cases import cases


def pieces(name, n=40, kind="news"):
    for seed in range(n):
        yield german.GermanWorld(random.Random(seed), kind).expand(name)


def joined(name, n=40, kind="news"):
    return ["".join(p.text for p in found) for found in pieces(name, n, kind)]


def marked(found):
    return "".join(f"<{p.text}>" if p.label else p.text for p in found)


def test_words_noun_phrases_and_genitives():
    for name, form in cases(__file__, "genitives"):
        assert german_words.genitive(name) == form
    for town, expected in cases(__file__, "demonyms"):
        assert german_words.demonym(town) == expected
    for russian, expected in cases(__file__, "transliterated"):
        assert german.german_cyrillic(russian) == expected
    assert "Schewtschenko" in german.pools()["ru"].last
    for word, gender, plural, weak, *forms in cases(__file__, "nouns"):
        noun = german_words.Noun(word, gender, plural, weak)
        assert [noun.form(case) for case in ("nom", "acc", "dat", "gen")] == forms
    for form in ("gfirst", "glast"):
        for seed in range(40):
            world = german.GermanWorld(random.Random(seed), "news")
            (piece,) = world.expand(f"p1.{form}")
            person = world.person("p1")
            base = person.given if form == "gfirst" else person.last
            assert piece.label == "PERSON" and piece.text == german_words.genitive(base)
    # What follows an article of the dative singular has its endings.
    rng = random.Random(0)
    dative = [german_words.noun_phrase(rng, "dat") for _ in range(400)]
    assert {phrase.split()[0] for phrase in dative} >= {"dem", "der", "einem", "einer"}
    for phrase in dative:
        words = phrase.split()
        assert words[-1][0].isupper()
        if words[0] in ("dem", "der", "einem", "einer"):
            assert all(word.endswith("en") for word in words[1:-1])
    articles = {"nom": "der", "acc": "den", "dat": "dem", "gen": "des"}
    assert {case: german_words.article("m", case) for case in articles} == articles


@pytest.mark.parametrize("slot", ["in", "nach", "aus", "ortd", "orta", "ortg", "ortn"])
def test_places_with_their_articles(slot):
    articles = r"(der|die|das|den|dem|des) "
    for found in pieces(slot, 150):
        (labelled,) = [piece for piece in found if piece.label]
        assert labelled.label == "LOC" and not re.match(articles, labelled.text)
    text = " ".join(map(marked, pieces(slot, 300)))
    if slot == "in":
        assert re.search(r"\bin <", text)
        assert re.search(r"\b(im|am|in der|in den) <", text) and "in dem " not in text
    if slot == "ortg":
        assert re.search(r"<\w+s>", text) and re.search(r"\bder <", text)


def test_adjectives_of_countries_addresses_and_codes():
    found = set(joined("natr", 120))
    assert all(x.endswith("er") and x[0].islower() for x in found if "US" not in x)
    assert len(found) > 20 and {p.label for ps in pieces("cdem") for p in ps} == {"DEM"}
    towns = set(joined("city", 500))
    assert len(towns) > 300 and towns & set(german.geography()["stadt"])
    for (piece,) in pieces("s.addr", 80, "form"):
        assert {"POSTCODE", "CITY"} <= {part.kind for part in piece.parts}
        for part in piece.parts:
            inner = piece.text[part.start : part.end]
            assert inner == inner.strip() != ""
            if part.kind == "POSTCODE":
                assert re.fullmatch(r"([A-Z]+-)?\d{4,5}", inner)
    for slot, pattern in cases(__file__, "codes"):
        for (piece,) in pieces(slot, 60, "form"):
            assert piece.label == "CODE"
            if slot != "s.phone" or "x" not in piece.text:
                assert re.fullmatch(pattern, piece.text), slot


@pytest.mark.parametrize("slot, kind, pattern, labels, some", cases(__file__, "marked"))
def test_what_is_labelled(slot, kind, pattern, labels, some):
    found = [*pieces(slot, 80, kind)]
    texts = [*map(marked, found)]
    assert all(re.fullmatch(pattern, text, re.S) for text in texts)
    assert {p.label for ps in found for p in ps if p.label} == {*labels.split()}
    assert any(re.search(some, text) for text in texts)
