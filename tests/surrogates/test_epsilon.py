import math
import random
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spacy_deid.surrogates.epsilon import capped, json_value, replacement_epsilon


def test_by_hand():
    assert replacement_epsilon(0.5, 0.5) == pytest.approx(math.log(3))
    assert replacement_epsilon(0.1, 0.9) == pytest.approx(math.log(0.19 / 0.09))
    # Paper 4, 4.3: p = 0.9 costs 6.75 on a vocabulary where the rarest token has
    # about 1 chance in 7,700.
    assert replacement_epsilon(0.1 / (0.9 * (math.exp(6.75) - 1)), 0.9) == (
        pytest.approx(6.75)
    )


def test_limits():
    assert replacement_epsilon(0.1, 1.0) == 0.0
    assert replacement_epsilon(0.0, 1.0) == 0.0
    assert replacement_epsilon(0.0, 0.99) == math.inf
    assert replacement_epsilon(0.1, 0.0) == math.inf
    assert replacement_epsilon(1.0, 0.5) == pytest.approx(math.log(2))


@pytest.mark.parametrize("least, p", [(-0.1, 0.5), (0.5, 1.1), (math.nan, 0.5)])
def test_no_probability(least, p):
    with pytest.raises(ValueError):
        replacement_epsilon(least, p)


@given(
    st.floats(0.001, 1.0),
    st.floats(0.01, 0.99),
    st.floats(0.001, 1.0),
    st.floats(0.01, 1),
)
def test_monotone(least, p, other_least, other_p):
    # Rarer tokens and less replacement both cost privacy.
    if other_least >= least and other_p >= p:
        assert replacement_epsilon(other_least, other_p) <= (
            replacement_epsilon(least, p) + 1e-9
        )


def test_the_likelihood_ratio_stays_below():
    rng = random.Random(0)
    tokens, weights, p, n = "abc", (0.5, 0.3, 0.2), 0.7, 60_000

    def output(token):
        return rng.choices(tokens, weights)[0] if rng.random() < p else token

    seen = {t: Counter(output(t) for _ in range(n)) for t in tokens}
    bound = replacement_epsilon(min(weights), p)
    ratios = [
        math.log(seen[a][t] / seen[b][t])
        for a in tokens
        for b in tokens
        for t in tokens
    ]
    assert max(ratios) == pytest.approx(bound, abs=0.05)


def test_capped():
    assert capped(1.0, None) == 1.0
    assert capped(1.0, 0.9) == 0.9
    assert capped(0.5, 0.9) == 0.5


def test_json_value():
    assert json_value(0.0) == 0.0
    assert json_value(1.5) == 1.5
    assert json_value(math.inf) is None
    assert json_value(None) is None
