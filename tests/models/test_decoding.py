from itertools import product

import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spacy_deid.models.decoding import Tagset, decode

TAGS = Tagset(["PERSON", "LOC"])


def rows(*tags, p=0.9):
    probs = numpy.full((len(tags), len(TAGS)), (1 - p) / (len(TAGS) - 1))
    probs[range(len(tags)), tags] = p
    return probs


def spans(probs, **kwargs):
    return [s[:3] for s in decode(probs, TAGS, **kwargs)]


@pytest.mark.parametrize(
    "tags,expected",
    [
        ((0, 0), []),
        ((4,), [(0, 1, "PERSON")]),
        ((0, 1, 2, 3, 0), [(1, 4, "PERSON")]),
        ((4, 4), [(0, 1, "PERSON"), (1, 2, "PERSON")]),
        ((1, 3, 5, 7), [(0, 2, "PERSON"), (2, 4, "LOC")]),
    ],
)
def test_valid_sequences_are_taken_as_they_are(tags, expected):
    assert spans(rows(*tags)) == expected


def test_score_is_the_geometric_mean_of_the_chosen_tags():
    probs = rows(1, 3)
    probs[1, 3] = 0.4
    assert decode(probs, TAGS)[0][3] == pytest.approx((0.9 * 0.4) ** 0.5)


def brute_force(probs):
    """Best valid path of all, by trying them."""
    logs, best, answer = numpy.log(probs), -1e9, None
    for path in product(range(len(TAGS)), repeat=len(probs)):
        state = None
        for tag in path:
            label, role = divmod(tag - 1, 4) if tag else (None, "O")
            if state is None and role in ("O", 3):
                continue
            if state is None and role == 0:
                state = label
            elif state is not None and label == state and role in (1, 2):
                state = label if role == 1 else None
            else:
                break
        else:
            score = sum(logs[i, tag] for i, tag in enumerate(path))
            if state is None and score > best:
                best, answer = score, path
    return best, answer


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10_000))
def test_search_finds_the_best_valid_path_of_a_run(seed):
    rng = numpy.random.default_rng(seed)
    probs = rng.dirichlet(numpy.ones(len(TAGS)) * 0.5, size=3)
    probs[:, 0] = 1e-6  # one run: nothing outside
    probs /= probs.sum(axis=1, keepdims=True)
    best, _ = brute_force(probs)
    score = sum(numpy.log(s[3]) * (s[1] - s[0]) for s in decode(probs, TAGS)) + sum(
        numpy.log(probs[i, 0])
        for i in range(3)
        if not any(s[0] <= i < s[1] for s in decode(probs, TAGS))
    )
    assert score == pytest.approx(best)


@settings(max_examples=200, deadline=None)
@given(
    st.integers(0, 10**6), st.integers(0, 40), st.sampled_from([0.0, 0.5, 0.85, 1.0])
)
def test_spans_never_overlap_and_stay_inside(seed, n, threshold):
    probs = numpy.random.default_rng(seed).dirichlet(numpy.ones(len(TAGS)), size=n)
    out = decode(probs.reshape(n, len(TAGS)), TAGS, threshold)
    end = 0
    for s in out:
        assert end <= s[0] < s[1] <= n and s[2] in TAGS.labels and 0 < s[3] <= 1
        end = s[1]


def test_threshold_leaves_the_probabilities_alone():
    probs = rows(0, 0, p=0.6)
    before = probs.copy()
    assert len(spans(probs, o_threshold=0.7)) >= 1
    assert (probs == before).all()
