"""Names that stand in no list are told by their letters, better than by chance."""

import random

import pytest

from spacy_deid.gazetteers import name_letters
from spacy_deid.gazetteers.names import lists


def test_held_out_names_are_told_apart():
    languages, rng = ("en", "pl", "yo", "in", "fi"), random.Random(0)
    known, held = {}, []
    for language in languages:
        names = sorted({n for part in lists(language) for n in part if len(n) > 4})
        rng.shuffle(names)
        held += [(name, language) for name in names[:60]]
        known[language] = names[60:]
    letters = name_letters.Letters(known)
    told = [(letters.likely([name], {}), language) for name, language in held]
    assert sum(found == truth for (found, _), truth in told) > 0.7 * len(told)
    sure = [found == truth for (found, chance), truth in told if chance > 0.95]
    assert len(sure) > 0.3 * len(told) and sum(sure) > 0.8 * len(sure)


def test_probabilities_add_up():
    letters = name_letters.Letters({"a": ["anna", "hannah"], "o": ["otto", "toto"]})
    one, other = letters.likely(["otta"], {"a": 0.5, "o": 0.5}), letters.likely([], {})
    assert one[0] in ("a", "o") and 0.5 <= one[1] <= 1
    assert other[1] == pytest.approx(0.5)
    # More letters of a kind are surer, and so is who expects it.
    assert letters.likely(["ottotto"], {})[1] > letters.likely(["otta"], {"o": 0.5})[1]


@pytest.mark.parametrize("names", [[], ["Xu"], ["李"], ["O'B"]])
def test_short_names_and_other_scripts_tell_nothing(names):
    assert name_letters.language_by_letters(names, "en") == ("en", 1.0)


@pytest.mark.parametrize("name,gender", [("Hetty", "f"), ("Abdirahman", "m")])
def test_gender_of_a_given_name(name, gender):
    found, chance = name_letters.gender_by_letters(name)
    assert found == gender and chance > 0.8
