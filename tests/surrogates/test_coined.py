"""Surnames that are in no list."""

import random
from collections import Counter
from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spacy_deid.gazetteers.frequencies import everyday_words
from spacy_deid.gazetteers.names import drawn_names, surnames
from spacy_deid.surrogates.coined import LEAST_NAMES, SHARE, coined_names
from spacy_deid.text.names import fold

NAMES, NEVER = surnames(), frozenset().__contains__


@given(st.integers(0, 2**32))
def test_coined_names_are_joined_of_two_names_of_the_list(seed):
    found = list(coined_names(NAMES, random.Random(seed), NEVER))
    assert found == list(coined_names(NAMES, random.Random(seed), NEVER))
    for name in found:
        assert name[0].isupper() and 4 < len(name) < 12
        assert any(
            any(n.startswith(name[: cut + 3]) for n in NAMES)
            and any(name[cut:] in n[1:] for n in NAMES)
            for cut in range(1, len(name) - 2)
        )


def test_known_words_are_not_coined():
    rng = random.Random(1)
    known = {name.lower() for name in NAMES} | set(everyday_words("en"))
    found = {n for _ in range(50) for n in coined_names(NAMES, rng, known.__contains__)}
    assert len(found) > 300
    assert not {name.lower() for name in found} & known


@pytest.mark.parametrize("pool", [("Li", "Wu"), ("Abcdef",), ("Abcdef", "Uvwxyz")])
def test_lists_without_common_letters_give_nothing_new(pool):
    assert set(coined_names(pool, random.Random(1), NEVER)) <= set(pool)


def test_as_many_surnames_as_of_people_are_in_no_list(replace):
    """A list of names tells originals from surrogates no longer."""
    assert len(NAMES) >= LEAST_NAMES
    listed = drawn_names()
    rows = [(f"Helen {name}", "PERSON") for name in NAMES[:300]]
    new = [replace([row])[0].split()[-1] for row in rows]
    share = sum(name.lower() not in listed for name in new) / len(new)
    assert abs(share - SHARE) < 0.1
    assert len(set(new)) > 250


def test_short_lists_are_drawn_from_as_they_are(replace):
    """Of few names, the same ones would be coined again and again."""
    rows = [("Ayşe Yıldız", "PERSON"), ("Mehmet Kaya", "PERSON")]
    for i in range(20):
        for name in replace(rows, key=b"%d" % i):
            assert fold(name.split()[-1]) in drawn_names()


def test_what_looks_most_like_a_name_comes_first():
    def pieces(name):
        word = f"^{name.lower()}$"
        return [word[i : i + 4] for i in range(len(word) - 3)]

    counts = Counter(four for name in NAMES for four in pieces(name))

    def common(name):
        return sum(counts[four] for four in pieces(name)) / len(pieces(name))

    drawn = [
        list(islice(coined_names(NAMES, random.Random(i), NEVER), 4)) for i in range(50)
    ]
    first = sum(common(names[0]) for names in drawn)
    assert first > 1.5 * sum(common(names[-1]) for names in drawn)
