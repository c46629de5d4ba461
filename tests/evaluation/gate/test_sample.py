import random
from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st

from spacy_deid.evaluation.gate import sample
from spacy_deid.evaluation.gate.policy import parse_condition
from spacy_deid.evaluation.gate.sample import Draw, measure_sample, share_of

NAME = "direct identifiers missed"
pairs = st.tuples(st.integers(0, 9), st.integers(0, 9)).map(lambda t: (min(t), max(t)))
docs = st.lists(pairs, min_size=1, max_size=40)


def draws(n, population):
    return [Draw("", population, n / population)] * n


@given(docs, st.integers(0, 200), st.sampled_from([0.8, 0.95, 0.99]))
@settings(max_examples=200, deadline=None)
def test_an_interval_holds_its_estimate_wider_if_surer(pairs, more, level):
    n = len(pairs)
    share, edges = share_of(pairs, draws(n, n + more), level)
    if not any(whole for _, whole in pairs):
        assert share is None and edges is None
        return
    low, high = edges
    assert 0 <= low <= share <= high <= 1
    if more == 0:
        # Who has read everything knows.
        assert low == share == high
    else:
        assert high > low
        wider = share_of(pairs, draws(n, n + more), level + (1 - level) / 2)[1]
        assert wider[0] <= low + 1e-9 and wider[1] >= high - 1e-9


@given(docs, st.integers(1, 100))
@settings(max_examples=100, deadline=None)
def test_nothing_missed_in_few_documents_is_not_nothing(pairs, more):
    none = [(0, whole + 1) for _, whole in pairs]
    n = len(none)
    high = share_of(none, draws(n, 2 * n + more), 0.95)[1][1]
    assert high > 0
    assert share_of(none * 2, draws(2 * n, 2 * n + more), 0.95)[1][1] < high


@given(docs, st.integers(1, 30))
@settings(max_examples=100, deadline=None)
def test_one_more_miss_never_looks_better(pairs, more):
    n = len(pairs)
    pairs = [(part, whole + 1) for part, whole in pairs]
    known = draws(n, n + more)
    part, whole = pairs[0]
    worse = [(part + 1, whole), *pairs[1:]]
    assert share_of(worse, known, 0.95)[0] > share_of(pairs, known, 0.95)[0]


def test_a_corpus_that_is_too_bad_seldom_passes_by_luck():
    """A tenth of the identifiers missed, a limit of a tenth less a little: at 95 % no more
    than a fortieth of the samples may pass."""
    rng = random.Random(5)
    corpus = []
    for _ in range(400):
        whole = rng.randint(1, 6)
        corpus.append((sum(rng.random() < 0.1 for _ in range(whole)), whole))
    truth = sum(p for p, _ in corpus) / sum(w for _, w in corpus)
    condition = parse_condition(NAME, f"at most {100 * truth - 0.01:.4f} %")
    for n in (5, 20, 60):
        passed = 0
        for _ in range(400):
            high = share_of(rng.sample(corpus, n), draws(n, 400), 0.95)[1][1]
            passed += high <= condition.limit
        # 10 of 400 are expected at most, and 20 have a chance of three in a thousand.
        assert passed <= 20, n


@given(docs, st.integers(1, 300), st.integers(1, 60))
@settings(max_examples=60, deadline=None)
def test_as_many_more_documents_as_are_named_are_enough(pairs, more, limit):
    n, population = len(pairs), len(pairs) + more
    condition = parse_condition(NAME, f"at most {limit} %")

    def holds(k):
        rows = [pairs[i % n] for i in range(n + k)]
        share, edges = share_of(rows, draws(n + k, population), 0.95)
        return share is not None and edges[1] <= condition.limit

    drawn = draws(n, population)
    needed = sample.how_many_more(pairs, drawn, population, condition, 0.95, n)
    if needed is None:
        # Not even all of them would do.
        assert not holds(more)
    else:
        assert 0 < needed <= more and holds(needed)
        assert needed == 1 or not holds(needed - 1)


def test_measures_of_a_sample():
    count = Counter(
        docs=1, direct=4, direct_masked=3, quasi=2, quasi_masked=2, predicted_tokens=10,
        predicted_tokens_right=9,
    )  # fmt: skip
    found = measure_sample([count] * 5, draws(5, 50), 50)
    assert found.keys() == {*sample.SHARES, "annotated documents"}
    assert found[NAME].value == 0.25
    assert found[NAME].of == "5 of 20 in 5 of 50 documents"
    assert found["documents with a direct identifier missed"].value == 1
    assert found["masked words that needed it"].value == 0.9
    assert found["quasi identifiers missed"].interval[1] > 0
    # That there is nothing to miss is known only when all was read.
    empty = Counter(docs=1)
    assert measure_sample([empty] * 3, draws(3, 9), 9)[NAME].value is None
    assert measure_sample([empty] * 9, draws(9, 9), 9)[NAME].value == 0
    # Nobody has read anything yet.
    found = measure_sample([], [], 500)[NAME]
    assert found.value is None
    strict = found.more(parse_condition(NAME, "at most 1 %"))
    assert 0 < found.more(parse_condition(NAME, "at most 20 %")) < strict <= 500
    # Everything would have to be read where nothing may be missed.
    assert found.more(parse_condition(NAME, "none")) == 500
