import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from thinc.api import NumpyOps

from spacy_deid.models import decoding
from spacy_deid.models.crf import Gradients, read_chain
from spacy_deid.models.decoding import CRFHead, SoftmaxHead, Tagset

from .paths import all_paths, random_crf, score

TAGS = Tagset(["PERSON", "LOC"])


def rows(*tags, p=0.9):
    probs = numpy.full((len(tags), len(TAGS)), (1 - p) / (len(TAGS) - 1))
    probs[range(len(tags)), tags] = p
    return probs


def decode(probs, tagset, o_threshold=0.0):
    return SoftmaxHead(tagset, NumpyOps()).decode([probs], o_threshold)[0]


def spans(probs, **kwargs):
    return [s[:3] for s in decode(probs, TAGS, **kwargs)]


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10_000))
def test_search_finds_the_best_valid_path_of_a_run(seed):
    rng = numpy.random.default_rng(seed)
    probs = rng.dirichlet(numpy.ones(len(TAGS)) * 0.5, size=3)
    probs[:, 0] = 1e-6  # one run: nothing outside
    probs /= probs.sum(axis=1, keepdims=True)
    logs, found = numpy.log(probs), decode(probs, TAGS)
    best = max(logs[range(3), path].sum() for path in all_paths(3, len(TAGS)))
    outside = set(range(3)) - covered(found)
    score = sum(numpy.log(s[3]) for s in found) + sum(logs[i, 0] for i in outside)
    assert score == pytest.approx(best)


SEEDS = st.integers(0, 10**6)
LENGTHS = st.lists(st.integers(0, 14), max_size=4)
THRESHOLDS = st.lists(st.floats(0, 1), min_size=2, max_size=4)
HEADS = ["softmax", "crf"]


def head_and_scores(kind, seed, lengths):
    """Scores that leave every kind of doubt: about O, about labels, about roles."""
    rng = numpy.random.default_rng(seed)
    scores = [rng.normal(size=(n, len(TAGS))).astype("f") * 2 for n in lengths]
    for rows in scores:
        rows[:, 0] += 2 * rng.random(len(rows))
    if kind == "crf":
        return CRFHead(TAGS, NumpyOps(), random_crf(rng, len(TAGS))), scores
    powers = [numpy.exp(rows) for rows in scores]
    scores = [p / p.sum(axis=1, keepdims=True) for p in powers]
    return SoftmaxHead(TAGS, NumpyOps()), scores


def covered(spans):
    return {i for start, end, *_ in spans for i in range(start, end)}


def without_scores(docs):
    return [[s[:3] for s in doc] for doc in docs]


@pytest.mark.parametrize("kind", HEADS)
@settings(max_examples=60, deadline=None)
@given(SEEDS, LENGTHS, THRESHOLDS, st.floats(0.2, 5))
def test_higher_thresholds_lose_no_token(kind, seed, lengths, thresholds, temperature):
    head, scores = head_and_scores(kind, seed, lengths)
    probabilities = head.probabilities(scores)
    before = [set() for _ in lengths]
    for threshold in sorted(thresholds):
        docs = head.decode(scores, threshold)
        for i, (probs, spans) in enumerate(zip(probabilities, docs, strict=True)):
            low = numpy.flatnonzero(probs[:, 0] < threshold - 1e-9).tolist()
            assert covered(spans) >= {*low, *before[i]}
            before[i] = covered(spans)
        tempered = head.decode(scores, threshold, temperature)
        for n, spans in [*zip(lengths, docs), *zip(lengths, tempered, strict=True)]:
            end_before = 0
            for start, end, label, p in spans:
                assert end_before <= start < end <= n
                assert label in TAGS.labels and 0 < p <= 1
                end_before = end


@pytest.mark.parametrize("kind", HEADS)
@settings(max_examples=40, deadline=None)
@given(SEEDS, LENGTHS, st.floats(0, 1), st.floats(0.2, 5))
def test_temperature_changes_no_span(kind, seed, lengths, threshold, temperature):
    head, scores = head_and_scores(kind, seed, lengths)
    plain = without_scores(head.decode(scores, 0.0))
    assert without_scores(head.decode(scores, 0.0, temperature)) == plain
    for rows, spans in zip(scores, head.decode(scores, threshold)):
        (alone,) = head.decode([rows], threshold)
        assert [s[:3] for s in alone] == [s[:3] for s in spans]
        assert [s[3] for s in alone] == pytest.approx([s[3] for s in spans])


def spans_of(path):
    """Spans that a valid path spells, read one tag after the other."""
    out, start = [], 0
    for i, tag in enumerate(path):
        label, role = divmod(tag - 1, 4) if tag else (0, -1)
        if role in (0, 3):
            start = i
        if role in (2, 3):
            out.append((start, i + 1, TAGS.labels[label]))
    return out


@pytest.mark.parametrize("seed", range(4))
def test_crf_finds_the_best_path_and_its_spans_probabilities(seed):
    head, (scores,) = head_and_scores("crf", seed, [4])
    chain = read_chain(head.node)
    # By trying them all.
    totals = {path: score(path, scores, chain) for path in all_paths(4, len(TAGS))}
    weights = numpy.exp(numpy.array([*totals.values()]))
    weights /= weights.sum()
    # All tokens wanted: the path is the best of those that have no O at all.
    for threshold, paths in ((0.0, totals), (1.0, [p for p in totals if all(p)])):
        found = without_scores(head.decode([scores], threshold))
        assert found == [spans_of(max(paths, key=totals.get))]
    for threshold in (0.0, 0.9, 1.0):
        for start, end, label, p in head.decode([scores], threshold)[0]:
            span, paths = (start, end, label), zip(weights, totals)
            exact = sum(weight for weight, path in paths if span in spans_of(path))
            assert p == pytest.approx(exact, rel=1e-4)


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("inside", [True, False])
def test_a_long_stretch_is_tagged_as_a_whole(seed, inside, monkeypatch):
    rng = numpy.random.default_rng(seed)
    probs = rng.dirichlet(numpy.ones(len(TAGS)) * 0.5, size=400)
    if inside:
        # One span over all, whatever the seams cut.
        probs[:, 2] += 5.0
    probs[:, 0] *= 0.01
    probs /= probs.sum(axis=1, keepdims=True)
    whole = spans(probs, o_threshold=0.5)
    assert whole[0][0] == 0 and whole[-1][1] == 400
    monkeypatch.setattr(decoding, "STRETCH", 40)
    monkeypatch.setattr(decoding, "MARGIN", 20)
    assert spans(probs, o_threshold=0.5) == whole
    # Without a view beyond the seams the tags don't fit, and all is done at once.
    monkeypatch.setattr(decoding, "MARGIN", 0)
    monkeypatch.setattr(decoding, "STRETCH", 3)
    assert [s[:2] for s in spans(probs, o_threshold=0.5)][-1][1] == 400


def test_a_token_takes_the_rest_of_its_span_along():
    """ "6 to 8": both numbers are probable, the word between them is not."""
    probs = rows(0, 1, 2, 3, 0)
    probs[2] = 0.001
    probs[2, 0], probs[2, 2] = 0.68, 0.31
    probs[1, 0], probs[1, 1] = 0.52, 0.45
    probs /= probs.sum(axis=1, keepdims=True)
    assert spans(probs, o_threshold=0.55) == [(1, 4, "PERSON")]


@pytest.mark.parametrize("kind", HEADS)
def test_loss_of_gold_alone_of_nothing_known_and_of_no_numbers(kind):
    head, scores = head_and_scores(kind, 3, [3, 0, 2, 4])
    masks = [numpy.zeros((len(rows), len(TAGS)), dtype=bool) for rows in scores]
    masks[0][range(3), [0, 1, 3]] = True
    masks[2] = None
    masks[3][:] = True
    loss, gradients = head.loss(scores, masks)
    assert loss > 0 and [g.shape for g in gradients] == [rows.shape for rows in scores]
    assert gradients[0].any() and not gradients[2].any()
    # For the CRF, too, of which only the valid sequences count.
    numpy.testing.assert_allclose(gradients[3], 0.0, atol=1e-6)
    if kind == "softmax":
        wanted = -numpy.log(scores[0][range(3), [0, 1, 3]]).sum()
        assert loss == pytest.approx(wanted, rel=1e-4)
    else:
        assert isinstance(gradients, Gradients)
    # What is no number never passes for nothing found.
    for bad in (numpy.nan, numpy.inf):
        scores[2][1, 2] = bad
        for read in (head.decode, head.probabilities):
            with pytest.raises(ValueError, match="not finite"):
                read(scores)
