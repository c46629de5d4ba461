import math
import random
from collections import Counter
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spacy_deid.surrogates.epsilon import (
    Budget,
    capped,
    collision_delta,
    corpus_epsilon,
    document_epsilon,
    json_value,
    replacement_epsilon,
)


def test_by_hand():
    for least, p, epsilon in (
        (0.5, 0.5, math.log(3)), (0.1, 0.9, math.log(0.19 / 0.09)), (1.0, 0.5, math.log(2)),
        # Paper 4, 4.3: p = 0.9 costs 6.75 on a vocabulary where the rarest token has
        # about 1 chance in 7,700.
        (0.1 / (0.9 * (math.exp(6.75) - 1)), 0.9, 6.75),
        (0.1, 1.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.99, math.inf), (0.1, 0.0, math.inf),
    ):  # fmt: skip
        assert replacement_epsilon(least, p) == pytest.approx(epsilon)
    for least, p in ((-0.1, 0.5), (0.5, 1.1), (math.nan, 0.5)):
        with pytest.raises(ValueError):
            replacement_epsilon(least, p)


@given(*map(st.floats, (0.001, 0.01, 0.001, 0.01), (1.0, 0.99, 1.0, 1.0)))
def test_monotone(least, p, other_least, other_p):
    # Rarer tokens and less replacement both cost privacy.
    if other_least >= least and other_p >= p:
        other = replacement_epsilon(other_least, other_p)
        assert other <= replacement_epsilon(least, p) + 1e-9


def test_the_likelihood_ratio_stays_below():
    rng = random.Random(0)
    tokens, weights, p, n = "abc", (0.5, 0.3, 0.2), 0.7, 60_000

    def output(token):
        return rng.choices(tokens, weights)[0] if rng.random() < p else token

    seen = {t: Counter(output(t) for _ in range(n)) for t in tokens}
    bound = replacement_epsilon(min(weights), p)
    ratios = [seen[a][t] / seen[b][t] for a, b, t in product(tokens, repeat=3)]
    assert math.log(max(ratios)) == pytest.approx(bound, abs=0.05)


def test_caps_and_values_of_json():
    pairs = (1.0, None), (1.0, 0.9), (0.5, 0.9)
    assert [capped(*pair) for pair in pairs] == [1.0, 0.9, 0.5]
    values = (0.0, 1.5, math.inf, None)
    assert [*map(json_value, values)] == [0.0, 1.5, None, None]


def test_composition_by_hand():
    rows = (0.5, 4), (0.0, 4), (math.inf, 1), (math.inf, 0)
    assert [document_epsilon(*row) for row in rows] == [2.0, 0.0, math.inf, 0.0]
    assert corpus_epsilon([2.0, 0.5]) == 2.0
    assert corpus_epsilon([2.0, 0.5], one_person=True) == 2.5
    assert corpus_epsilon([]) == corpus_epsilon([], one_person=True) == 0.0
    for wrong in ((-1.0, 1), (1.0, -1), (math.nan, 1)):
        with pytest.raises(ValueError):
            document_epsilon(*wrong)


def test_composition_by_simulation():
    """The likelihood ratio of two values together stays below the sum."""
    rng = random.Random(1)
    p, n = 0.6, 40_000
    bound = document_epsilon(replacement_epsilon(0.5, p), 2)

    def output(pair):
        return tuple(rng.choice("ab") if rng.random() < p else t for t in pair)

    first = Counter(output("aa") for _ in range(n))
    second = Counter(output("bb") for _ in range(n))
    ratios = [math.log(first[o] / second[o]) for o in first]
    assert max(ratios) == pytest.approx(bound, abs=0.1)


def test_delta_by_hand():
    # tau = 2²·.01 and (1 + e^ln 2)·tau
    assert collision_delta(0.01, 2, math.log(2)) == pytest.approx(0.12)
    assert collision_delta(0.0, 5, 1.0) == collision_delta(0.5, 0, 1.0) == 0.0
    assert collision_delta(0.5, 3, 0.0) == collision_delta(0.1, 1, math.inf) == 1.0


def test_delta_by_simulation():
    """Drawing without the original: all that the bound leaves open happens."""
    values, n = [str(i) for i in range(20)], 50_000
    rng = random.Random(2)

    def output(own):
        return rng.choice([v for v in values if v != own])

    first, second = (Counter(output(own) for _ in range(n)) for own in ("0", "1"))
    worst = max(first[v] - second[v] for v in values) / n
    assert 0.04 < worst <= collision_delta(1 / 20, 1, 0.0)


def test_budget():
    def line(*values):
        budget = Budget()
        for value in values:
            budget.add(*value)
        return " ".join(budget.lines())

    assert line() == ""
    assert line((0.5, 4), (0.25, 2)) == (
        "Epsilon: at most 0.5 a value, 2 a document, 2.5 if all documents are about "
        "one person. Whoever sees the output may find one original of a value at most "
        "1.65 times as likely as another by it"
    )
    assert "promises nothing of use" in line((30.0, 1))
    assert "infinite" in line((0.5, 1), (None, 1))
    assert "infinite" in line((0.5, 1), (math.inf, 1))
    assert "at most 0 a value, 0 a document" in line((0.0, 10))
