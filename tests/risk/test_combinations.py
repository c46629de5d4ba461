import itertools
import json
import math

import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spacy_deid.registries import registry
from spacy_deid.risk.base import Vote
from spacy_deid.risk.combinations import EntityVotes, recall_threshold
from spacy_deid.risk.logistic import fit_logistic
from spacy_deid.schema import DIRECT, NO_MASK, QUASI

from ..cases import cases

NAMES = ("a", "b", "c")
lengths = st.tuples(st.integers(1, 99), st.integers(1, 40))
ps = st.floats(0.01, 0.99)


def make(name, **kwargs):
    return registry.deid_combinations.get(f"spacy_deid.{name}.v1")(**kwargs)


def vote(p, decision=None):
    decision = decision or (QUASI if p >= 0.5 else NO_MASK)
    return Vote(decision=decision, probability=p, reason="because")


def entity(direct=0.0, **ps):
    votes = {n: None if p is None else vote(p) for n, p in ps.items()}
    return EntityVotes(votes, direct)


def masks(combine, entities):
    return [d.decision != NO_MASK for d in combine(entities)]


# Four entities: three, two, one and no vote for a mask; the second has an abstention.
PS = (0.9, 0.8, 0.7), (0.9, 0.6, None), (0.2, 0.1, 0.7), (0.2, 0.1, 0.3)
FOUR = [entity(**dict(zip(NAMES, ps))) for ps in PS]


def test_votes_are_counted_and_settings_no_vote_can_meet_refused():
    for name, config, expected, risks in cases(__file__, "counted votes"):
        combine = make(name, **config)
        assert masks(combine, FOUR) == expected, (name, config)
        assert [d.risk for d in combine(FOUR)] == risks, (name, config)
    # The strictest of the votes for a mask names it.
    votes = {"a": vote(0.9, QUASI), "b": vote(0.9, DIRECT), "c": vote(0.1)}
    for name, config in (("any", {}), ("at_least", {"k": 2})):
        (decision,) = make(name, **config)([EntityVotes(votes)])
        assert decision.decision == DIRECT
    for name, config, message in cases(__file__, "refused combinations"):
        with pytest.raises(ValueError, match=message):
            make(name, **config).check(NAMES)


def test_facts_are_not_outvoted():
    others = entity(a=0.1, b=0.1, c=0.1).votes
    known = EntityVotes({**others, "known_direct": vote(1.0, DIRECT)})
    entities = [known, entity(a=0.9, b=0.9, c=0.9)]
    threes = {"at_least": {"k": 3}, "all": {}, "weighted": {"threshold": 1.0}}
    for name, config in {**threes, "policy": {"target": 0.01}}.items():
        decision = make(name, **config)(entities)[0]
        assert decision.decision == DIRECT and decision.risk == 1.0
        if name != "policy":
            # By choice they are.
            assert make(name, decisive=[], **config)(entities)[0].decision == NO_MASK


def test_weighted_probability_by_hand():
    # Odds 4 and 1/4, weights 1 and 2, intercept ln 2: 2 · 4 · 1/16 = 1/2.
    config = {"weights": {"a": 1, "b": 2}, "intercept": math.log(2)}
    combine = make("weighted", threshold=0.3, **config)
    (decision,) = combine([entity(a=0.8, b=0.2)])
    assert decision.risk == pytest.approx(1 / 3, abs=5e-4)
    # The indicator that votes for a mask does not make it; the probability does.
    assert decision.decision == QUASI
    assert "weighted probability 0.33, at least 0.3" in decision.reason
    # Who has nothing to say adds nothing: odds 2 · 4.
    assert combine([entity(a=0.8, b=None)])[0].risk == pytest.approx(8 / 9, abs=5e-4)
    with pytest.raises(ValueError, match="no weight for c: fit it again"):
        combine([entity(a=0.8, c=0.5)])


def of_words(n, **ps):
    return entity(**ps)._replace(words=n)


def test_many_words_and_nobody_ask_for_more_certainty():
    # Odds 1/4 for one word: 1/2 for two, 1 for four, 9/4 for nine.
    for n, least in ((1, 0.2), (2, 1 / 3), (4, 0.5), (9, 9 / 13)):
        combine = make("weighted", threshold=0.2, word_cost=1.0, certain=1.0)
        below, above = round(least - 0.002, 3), round(least + 0.002, 3)
        assert masks(combine, [of_words(n, a=below), of_words(n, a=above)]) == [0, 1]
    assert masks(combine, [of_words(4, a=0.5)]) == [1]
    # Half of the logarithm: odds 1/2 for four words.
    half = make("weighted", threshold=0.2, word_cost=0.5)
    assert masks(half, [of_words(4, a=0.33), of_words(4, a=0.34)]) == [0, 1]
    # However many they are, what is as good as certain goes; other risks stay theirs.
    long = make("weighted", threshold=0.2, word_cost=1.0)
    decisions = long([of_words(10**6, a=0.59), of_words(10**6, a=0.6)])
    assert [d.decision for d in decisions] == [NO_MASK, QUASI]
    assert [d.risk for d in decisions] == [0.59, 0.6]
    said = "(weighted probability 0.59, below 0.6, as it has 1000000 words in the text)"
    assert decisions[0].reason == f"all votes together {said}"
    # `certain` never asks for less than the threshold, and by default length is nothing.
    strict = make("weighted", threshold=0.8, word_cost=1.0)
    assert masks(strict, [of_words(9, a=0.79), of_words(9, a=0.8)]) == [0, 1]
    assert masks(make("weighted"), [of_words(9, a=0.5)]) == [1]
    # The probability counts as often as somebody is in the text.
    alone = [entity(a=0.8)._replace(presence=presence) for presence in (1.0, 0.5, 0.1)]
    decisions = make("weighted", threshold=0.2, somebody=2.0)(alone)
    assert [d.decision for d in decisions] == [QUASI, QUASI, NO_MASK]
    assert [d.risk for d in decisions] == pytest.approx([0.8, 0.2, 0.008])
    said = [d.reason.endswith(", as the text may be about nobody") for d in decisions]
    assert said == [False, True, True]
    assert masks(make("weighted", threshold=0.2), alone) == [1, 1, 1]
    # What decides alone does so in any text.
    known = make("weighted", threshold=0.2, somebody=2.0, decisive=["a"])
    assert masks(known, alone) == [1, 1, 1]


@settings(max_examples=150, deadline=None)
@given(st.lists(lengths, min_size=1, max_size=8), st.floats(0.05, 1))
def test_no_other_choice_with_the_recall_masks_fewer_words_in_vain(rows, target):
    entities = [of_words(n, a=p / 100) for p, n in rows]
    masked = masks(make("policy", target=target, scope="document"), entities)

    def recall(choice):
        return sum(p for (p, _), hit in zip(rows, choice) if hit)

    def vain(choice):
        return sum((100 - p) * n for (p, n), hit in zip(rows, choice) if hit)

    assert recall(masked) >= target * recall([1] * len(rows)) - 1e-3
    # All other choices, by brute force.
    for choice in itertools.product((0, 1), repeat=len(rows)):
        if recall(choice) >= recall(masked):
            assert vain(choice) >= vain(masked) * (1 - 1e-3)


def test_a_policy_fitted_before_words_counted_still_decides_as_it_did():
    entities, gold, _ = sample(300)
    fitted = make("policy", target=0.8, word_cost=0.0)
    fitted.fit(entities, gold, numpy.zeros(300))
    state = fitted.get_state()
    state["sample"] = [row[1:] for row in state["sample"]]
    loaded = make("policy", target=0.8)
    loaded.set_state(json.loads(json.dumps(state)))
    many = [e._replace(words=1 + i % 7) for i, e in enumerate(entities)]
    assert masks(loaded, many) == masks(fitted, entities)
    # Fitted with them, it leaves more of the long ones.
    now = make("policy", target=0.8)
    now.fit(many, gold, numpy.zeros(300))
    left = [e.words for e, hit in zip(many, masks(now, many)) if not hit]
    assert numpy.mean(left) > numpy.mean([e.words for e in many]) + 0.3


def sample(n=4000, seed=0):
    """Entities whose true log-odds are logit(a) + 0.5 · logit(b) - 1; c is noise."""
    rng = numpy.random.default_rng(seed)
    a, b, c = rng.uniform(0.02, 0.98, (3, n))
    score = numpy.log(a / (1 - a)) + 0.5 * numpy.log(b / (1 - b)) - 1
    truth = 1 / (1 + numpy.exp(-score))
    gold = (rng.uniform(size=n) < truth).astype("f")
    return [entity(a=x, b=y, c=z) for x, y, z in zip(a, b, c)], gold, truth


def test_the_fit_finds_the_weights_and_is_calibrated():
    entities, gold, truth = sample()
    combine = make("weighted")
    report = combine.fit(entities, gold, numpy.zeros(len(gold)))
    assert report["entities"] == len(entities)
    assert report["weights"]["a"] == pytest.approx(1, abs=0.12)
    assert report["weights"]["b"] == pytest.approx(0.5, abs=0.12)
    assert 0 <= report["weights"]["c"] < 0.1
    assert report["intercept"] == pytest.approx(-1, abs=0.15)
    others, _, truth = sample(seed=1)
    assert abs(numpy.array([d.risk for d in combine(others)]) - truth).mean() < 0.02


def test_logistic_regression_is_at_its_optimum_without_negative_weights():
    entities, gold, _ = sample(300)
    X = numpy.array([[math.log(e.votes[n].probability / (1 - e.votes[n].probability))
                      for n in "ab"] for e in entities])  # fmt: skip
    w, b = fit_logistic(X, gold, penalty=2.0)
    residual = 1 / (1 + numpy.exp(-(X @ w + b))) - gold
    assert X.T @ residual + 2.0 * w == pytest.approx([0, 0], abs=1e-3)
    assert residual.sum() + 1e-3 * b == pytest.approx(0, abs=1e-3)
    # Equal targets, and shares of annotators, have a finite answer too.
    for y in (numpy.zeros(300), numpy.ones(300), numpy.full(300, 0.5)):
        w, b = fit_logistic(X, y)
        assert numpy.isfinite(w).all() and math.isfinite(b)
    for name in ("weighted", "policy"):
        with pytest.raises(ValueError, match="nothing to fit"):
            make(name).fit([], [], [])
    # An alarm never speaks for safety.
    X = numpy.array([[2.0, 1.0], [1.0, -2.0], [-1.0, 2.0], [-2.0, -1.0]] * 10)
    # The second feature is higher where nothing is to be masked.
    y = (X[:, 0] - 0.9 * X[:, 1] > 0).astype("f")
    weights, intercept = fit_logistic(X, y)
    assert weights[0] > 0 and weights[1] == 0
    # The same as without it.
    alone, b = fit_logistic(X[:, :1], y)
    assert weights[0] == pytest.approx(alone[0]) and intercept == pytest.approx(b)


def test_recall_threshold_by_hand():
    # Of 2 expected, 0.9 at least 0.9, 1.5 at least 0.6, 1.9 at least 0.4.
    wanted = {0.45: 0.9, 0.46: 0.6, 0.75: 0.6, 0.95: 0.4, 1.0: 0.1}
    for target, threshold in wanted.items():
        rows = [(p, p, 1) for p in (0.9, 0.1, 0.6, 0.4)]
        assert recall_threshold(rows, target) == threshold
    # Ten of one value are ten entities.
    assert recall_threshold([(0.9, 0.9, 1), (0.1, 0.1, 10)], 0.9) == 0.1
    assert recall_threshold([], 0.9) == 0.0
    assert recall_threshold([(0.0, 0.0, 1)], 0.9) == 0.0


@given(st.lists(st.tuples(ps, ps), min_size=1, max_size=30), st.floats(0.05, 1.0))
@settings(deadline=None)
def test_policy_meets_its_target_with_the_least(rows, target):
    combine = make("policy", target=target, scope="document")
    entities = [entity(a=x, b=y) for x, y in rows]
    probability = [combine.probability(e) for e in entities]
    masked, whole = masks(combine, entities), sum(probability)
    assert sum(p for p, hit in zip(probability, masked) if hit) >= target * whole - 1e-6
    # Without the least likely value that is masked it would fall short.
    least = min(p for p, hit in zip(probability, masked) if hit)
    assert sum(p for p in probability if p > least) < target * whole + 1e-6
    # Nothing left in clear is more likely than what is masked.
    assert all(p < least for p, hit in zip(probability, masked) if not hit)


def test_policy_masks_every_direct_identifier():
    # The classifier's probabilities of DIRECT; the gold's direct ones come last.
    # One in five of those that it holds for safe is direct.
    rows = [(0.9, 0.01), (0.8, 0.01), *[(0.1, 0.02)] * 8, (0.1, 0.2), (0.1, 0.3)] * 20
    entities = [entity(a=p, direct=d) for p, d in rows]
    direct = [0, 0, *[0] * 8, 1, 1] * 20
    gold = [1, 1, *[0] * 8, 1, 1] * 20
    combine = make("policy", target=0.3)
    report = combine.fit(entities, gold, direct)
    assert (report["recall_direct"], report["direct_threshold"]) == (1, 0.2)
    # Nobody else but the likely ones.
    assert report["masked"] == pytest.approx(4 / 12)
    decisions = combine([entity(a=0.02, direct=0.25), entity(a=0.02, direct=0.02)])
    assert [d.decision for d in decisions] == [DIRECT, NO_MASK]
    assert "direct identifier" in decisions[0].reason
    # Half of the 40 direct ones may be given up: those with 0.2.
    for target, threshold, recall in ((0.5, 0.3, 0.5), (0.51, 0.2, 1)):
        lax = make("policy", target=0.3, direct_target=target)
        report = lax.fit(entities, gold, direct)
        found = report["direct_threshold"], report["recall_direct"]
        assert found == (threshold, recall)
    # An indicator's word is enough.
    told = EntityVotes({"a": vote(0.6, DIRECT)})
    assert make("policy", target=0.01)([told, entity(a=0.99)])[0].decision == DIRECT


def test_another_target_needs_no_new_fit():
    entities, gold, _ = sample(500)
    first, second = make("policy", target=0.7), make("policy", target=0.95)
    first.fit(entities, gold, numpy.zeros(500))
    second.fit(entities, gold, numpy.zeros(500))
    changed = make("policy", target=0.95)
    changed.set_state(json.loads(json.dumps(first.get_state())))
    assert changed(entities) == second(entities) != first(entities)
    # Weights alone, as `weighted` saves them, leave the threshold to each document.
    plain = make("weighted")
    plain.fit(entities, gold, numpy.zeros(500))
    changed = make("policy", target=0.7)
    changed.set_state(plain.get_state())
    by_document = make("policy", target=0.7, scope="document")
    by_document.set_state(first.get_state())
    assert masks(changed, entities[:9]) == masks(by_document, entities[:9])
