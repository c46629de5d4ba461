from itertools import pairwise, product

import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spacy_deid.models import crf

from .paths import N_TAGS, all_paths, random_crf, score, valid

SEEDS, SCALES = st.integers(0, 10**6), st.sampled_from([1.0, 60.0, 400.0])


def random_case(seed, lengths, n_tags=N_TAGS, scale=1.5):
    rng = numpy.random.default_rng(seed)
    emissions = [rng.normal(size=(n, n_tags)) * scale for n in lengths]
    return emissions, crf.read_chain(random_crf(rng, n_tags, scale))


def log_total(scores):
    scores = numpy.array(scores)
    return scores.max() + numpy.log(numpy.exp(scores - scores.max()).sum())


@pytest.mark.parametrize("n_tags", [1, 5, 9])
def test_only_sequences_that_spell_spans_are_valid(n_tags):
    between, first, last = crf.valid_transitions(n_tags)
    for path in product(range(n_tags), repeat=3):
        by_table = first[path[0]] and last[path[-1]]
        by_table = by_table and all(between[i, j] for i, j in pairwise(path))
        assert by_table == valid(path)


@settings(max_examples=20, deadline=None)
@given(SEEDS, st.lists(st.integers(0, 4), min_size=1, max_size=4), SCALES)
def test_sums_marginals_best_and_spans_equal_those_of_all_paths(seed, lengths, scale):
    """Scores of 60 and 400 go beyond what sums by matrix product can hold."""
    emissions, chain = random_case(seed, lengths, scale=scale)
    lattice = crf.Lattice(emissions, chain)
    sums, best = lattice.sums(), lattice.best()
    marginals = lattice.split(sums.marginals)
    expected = numpy.zeros((N_TAGS, N_TAGS))
    by_doc = dict(zip(lattice.order.order.tolist(), sums.log_z))
    for doc, rows in enumerate(emissions):
        if not len(rows):
            assert len(best[doc]) == len(marginals[doc]) == 0
            continue
        paths = all_paths(len(rows))
        scores = numpy.array([score(path, rows, chain) for path in paths])
        log_z = log_total(scores)
        assert by_doc[doc] == pytest.approx(log_z)
        p = numpy.exp(scores - log_z)
        wanted = numpy.zeros_like(rows)
        for path, weight in zip(paths, p):
            wanted[range(len(rows)), path] += weight
            for i, j in pairwise(path):
                expected[i, j] += weight
        numpy.testing.assert_allclose(marginals[doc], wanted, atol=1e-9)
        assert score(best[doc], rows, chain) == pytest.approx(scores.max())
        assert tuple(best[doc]) in paths
        for start in range(len(rows)):
            for tags in ([4], [1, 3], [1, 2, 3]):
                end = start + len(tags)
                if end <= len(rows):
                    own = [w for path, w in zip(paths, p) if [*path[start:end]] == tags]
                    found = sums.span_probability(doc, start, tags)
                    assert found == pytest.approx(sum(own), abs=1e-9)
    numpy.testing.assert_allclose(sums.expected().between, expected, atol=1e-8)


def random_mask(rng, n):
    """A valid path and further tags, so that something is always allowed."""
    paths = all_paths(n)
    mask = rng.random((n, N_TAGS)) < 0.4
    mask[range(n), paths[rng.integers(len(paths))]] = True
    return mask


@settings(max_examples=20, deadline=None)
@given(SEEDS, st.lists(st.integers(1, 4), min_size=1, max_size=3))
def test_loss_of_partly_known_tags_equals_that_of_the_paths_allowed(seed, lengths):
    emissions, chain = random_case(seed, lengths)
    rng = numpy.random.default_rng(seed)
    masks = [random_mask(rng, n) for n in lengths]
    wanted = 0.0
    for rows, mask in zip(emissions, masks):
        paths = all_paths(len(rows))
        fits = [p for p in paths if all(mask[t, tag] for t, tag in enumerate(p))]
        wanted += log_total([score(p, rows, chain) for p in paths])
        wanted -= log_total([score(p, rows, chain) for p in fits])
    loss, _, _ = crf.likelihood(emissions, masks, chain)
    assert loss == pytest.approx(wanted)


@pytest.mark.parametrize("scale", [1.0, 60.0])
def test_gradients_are_those_of_the_loss(scale):
    emissions, chain = random_case(0, [4, 0, 1, 3], scale=scale)
    rng = numpy.random.default_rng(1)
    masks = [random_mask(rng, len(e)) if len(e) else e > 0 for e in emissions]
    _, gradients, of_chain = crf.likelihood(emissions, masks, chain)
    step = 1e-5

    def slope(array, index):
        kept = array[index]
        array[index] = kept + step
        above = crf.likelihood(emissions, masks, chain)[0]
        array[index] = kept - step
        below = crf.likelihood(emissions, masks, chain)[0]
        array[index] = kept
        return (above - below) / (2 * step)

    for rows, gradient in zip(emissions, gradients):
        for index in numpy.ndindex(rows.shape):
            assert gradient[index] == pytest.approx(slope(rows, index), abs=1e-5)
    for scores, gradient in zip(chain, of_chain):
        for index in numpy.ndindex(scores.shape):
            if scores[index] > -numpy.inf:
                assert gradient[index] == pytest.approx(slope(scores, index), abs=1e-5)
            else:
                assert gradient[index] == 0.0


def test_no_tokens_very_many_and_gold_that_spells_no_spans():
    emissions, chain = random_case(7, [20_000, 3])
    for none in ([], [numpy.zeros((0, N_TAGS))] * 2):
        best = crf.Lattice(none, chain).best()
        assert [*map(len, best)] == [0] * len(none)
        loss, gradients, _ = crf.likelihood(none, none, chain)
        assert loss == 0.0 and len(gradients) == len(none)
    lattice = crf.Lattice(emissions, chain)
    sums = lattice.sums()
    assert numpy.isfinite(sums.log_z).all()
    numpy.testing.assert_allclose(sums.marginals.sum(axis=1), 1.0)
    assert valid(lattice.best()[0].tolist())
    emissions, chain = random_case(0, [2])
    mask = numpy.zeros((2, N_TAGS), dtype=bool)
    mask[:, 2] = True  # I, I
    with pytest.raises(ValueError, match="spell no spans"):
        crf.likelihood(emissions, [mask], chain)
