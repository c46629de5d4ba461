from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spacy_deid.review.sampling import DESIGNS, draw

RISKS = [i / 40 for i in range(40)]


@given(
    st.lists(st.floats(0, 1), max_size=40),
    st.integers(1, 50),
    st.sampled_from(DESIGNS),
    st.integers(0, 9),
)
@settings(max_examples=60, deadline=None)
def test_as_many_as_asked_for_each_once_with_its_probability(risks, n, by, seed):
    drawn = draw(risks, n, by, seed)
    assert drawn == draw(risks, n, by, seed)
    numbers = [row.number for row in drawn]
    assert len({*numbers}) == len(numbers)
    assert abs(len(drawn) - min(n, len(risks))) <= (0, 1, 2)[DESIGNS.index(by)]
    strata = {row.stratum: row for row in drawn}
    assert sum(row.population for row in strata.values()) == len(risks) * bool(drawn)
    assert all(0 < row.probability <= 1 for row in drawn)


def test_no_sample_is_all_of_them_in_order():
    rows = draw(RISKS, 0)
    assert [row.number for row in rows] == [*range(40)]
    assert {(row.probability, row.population) for row in rows} == {(1.0, 40)}


@pytest.mark.parametrize("by", DESIGNS)
def test_documents_are_drawn_as_often_as_their_probability_says(by):
    n, often = 3000, Counter()
    chances = {}
    for seed in range(n):
        for row in draw(RISKS, 12, by, seed):
            often[row.number] += 1
            chances[row.number] = row.probability
    assert chances.keys() == {*range(40)}
    for number, chance in chances.items():
        error = (chance * (1 - chance) / n) ** 0.5
        assert abs(often[number] / n - chance) <= 4.5 * error + 1e-9
    if by == "risk":
        assert chances[39] > 3 * chances[0]


def test_strata_are_of_like_size():
    risks = [0.1] * 90 + [0.5] * 8 + [0.9] * 2
    drawn = Counter(row.stratum for row in draw(risks, 20, "stratified"))
    assert drawn == {"low": 10, "medium": 8, "high": 2}
