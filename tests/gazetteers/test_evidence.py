import json
import math
import pickle

import pytest

from spacy_deid.gazetteers import Compiler, Entry, Gazetteer, Words, frequencies
from spacy_deid.gazetteers.evidence import features, make_term_evidence
from spacy_deid.gazetteers.frequencies import count_words, everyday_words

from ..cases import cases

TERMS = cases(__file__, "terms of the evidence")


def compiled(*terms, **settings):
    compiler = Compiler(everyday_words("en"), **settings)
    for term in terms:
        compiler.add(Entry(*term))
    return Gazetteer(compiler.to_bytes())


@pytest.fixture(scope="module")
def gazetteer():
    return compiled(*TERMS)


@pytest.fixture(scope="module")
def probability(gazetteer):
    evidence = make_term_evidence()

    def judge(text, term):
        words = Words(text)
        for found in gazetteer.find(words):
            if text[slice(*words.extent(found.i, found.n))] == term:
                return evidence(gazetteer, words, found)

    return judge


@pytest.mark.parametrize("term,meant,other", cases(__file__, "words around"))
def test_words_around_decide(probability, term, meant, other):
    assert probability(meant, term) > 2 * probability(other, term)


@pytest.mark.parametrize("text,term,counts", cases(__file__, "everyday words"))
def test_everyday_words_do_not_count_and_rare_terms_do(probability, text, term, counts):
    found = probability(text, term)
    assert found > 0.2 if counts else found < 0.1


def test_people_are_evidence():
    found, words = [], Words("He met the guard, and left.")
    for people in (1, 50_000):
        gazetteer = compiled(("guard", "DEM", "Q1", "P106", people), humans=100_000)
        (match,) = gazetteer.find(words)
        found.append(make_term_evidence()(gazetteer, words, match))
    assert found[0] < found[1]


def test_probability_is_that_of_the_features():
    """The quick sum is the sum over the features."""
    evidence = make_term_evidence()
    (text,) = cases(__file__, "text")
    gazetteer = compiled(*TERMS, ("of the", "MISC"), ("time of day", "DEM"))
    words = Words(text)
    for found in gazetteer.find(words):
        values = features(gazetteer, words, found).items()
        total = sum(evidence.weights[name] * value for name, value in values)
        expected = 1 / (1 + math.exp(-total))
        if evidence(gazetteer, words, found):
            assert evidence(gazetteer, words, found) == pytest.approx(expected)


def test_own_weights(tmp_path, gazetteer):
    path = tmp_path / "w.json"
    path.write_text(json.dumps({"weights": {"bias": 9.0}}))
    evidence = pickle.loads(pickle.dumps(make_term_evidence(path)))
    words = Words("They nurse the baby.")
    (found,) = gazetteer.find(words)
    assert evidence(gazetteer, words, found) > 0.99


def test_frequencies_of_words(tmp_path):
    english, none = everyday_words("en"), everyday_words("xx-none")
    assert english["the"] > english["house"] > english.get("beekeeper", 0)
    assert everyday_words("de")["und"] > 4 and "и" in everyday_words("ru")
    assert none == {}
    table = count_words(["the cat the dog The END the"], min_count=2)
    assert table == {"the": pytest.approx(8.632, abs=0.001)}
    path = tmp_path / "f.tsv"
    path.write_text("# note\nund\t7.1\nHaus\t5\n", encoding="utf8")
    assert frequencies.read_frequencies(path) == {"und": 7.1, "haus": 5.0}
    path.write_text("und 7.1\n", encoding="utf8")
    with pytest.raises(ValueError, match=r"f\.tsv, line 1"):
        frequencies.read_frequencies(path)
