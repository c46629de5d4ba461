from pathlib import Path

import pytest

from spacy_deid.evaluation.gate import policy as policies
from spacy_deid.evaluation.gate.judge import Measure, how_many_more, judge, passes
from spacy_deid.evaluation.gate.policy import parse_condition, parse_policy

from ...cases import cases

DIRECT, PRECISION = "direct identifiers missed", "masked words that needed it"


def test_words_become_limits_or_are_named():
    policy = parse_policy(
        "# why\nconfidence = 90 %\n[group]\n"
        "Direct  identifiers missed = at most 2.5 %   # a remark\n"
        "documents left unmasked = none\n"
        "masked words that needed it = at least 80 %, if measured\n"
    )
    assert policy.confidence == 0.9
    direct, unmasked, precision = (row[:4] for row in policy.conditions)
    assert direct == (DIRECT, True, 0.025, False)
    assert unmasked == ("documents left unmasked", True, 0.0, False)
    assert precision == (PRECISION, False, 0.8, True)
    for text, told in cases(__file__, "errors"):
        with pytest.raises(policies.PolicyError, match=told):
            parse_policy(text)
    assert parse_condition(DIRECT, "none").limit == 0
    with pytest.raises(policies.PolicyError):
        parse_condition(DIRECT, "")


def test_the_policy_of_the_package_asks_for_what_there_is():
    policy = policies.read_policy()
    asked = {condition.measure for condition in policy.conditions}
    assert asked < policies.MEASURES.keys()
    required = {c.measure for c in policy.conditions if not c.optional}
    assert {DIRECT, "documents left unmasked"} < required
    page = Path(__file__).parents[3] / "docs" / "gate.md"
    if page.exists():
        text = page.read_text("utf8")
        assert all(f"`{name}`" in text for name in policies.MEASURES)
        for condition in policy.conditions:
            assert f"{condition.measure} = {condition.text}" in text


def test_the_worse_end_decides_and_what_is_not_measured_fails():
    policy = parse_policy(f"{DIRECT} = at most 5 %\n{PRECISION} = at least 80 %")
    for missed, right, holds in cases(__file__, "worse ends"):
        measures = {DIRECT: Measure(0.0, missed), PRECISION: Measure(1.0, right)}
        judged = judge(policy, measures)
        assert [row.holds for row in judged] == holds and passes(judged) == all(holds)
    only = f"{PRECISION} = at least 5 %, if measured"
    judged = judge(parse_policy(f"{DIRECT} = at most 5 %\n{only}"), {})
    assert [row.holds for row in judged] == [False, None] and not passes(judged)
    assert passes(judge(parse_policy(only), {})) and not passes([])
    unmasked, epsilon = "documents left unmasked", "largest epsilon of a token"
    measures = {unmasked: Measure(0), epsilon: Measure(float("inf"))}
    judged = judge(parse_policy(f"{unmasked} = none"), measures)
    rows = {row.condition.measure: row for row in judged}
    assert rows[epsilon].holds is None and passes(judged)
    assert rows[epsilon].to_json()["value"] == "not bounded"
    assert not passes(judge(parse_policy(f"{epsilon} = at most 10"), measures))


def test_the_most_documents_of_any_condition_have_to_be_annotated():
    policy = parse_policy(f"{DIRECT} = at most 5 %\nquasi identifiers missed = none")
    quasi = "quasi identifiers missed"

    def judged(*more):
        asked = (Measure(0.5, (0.1, 0.9), more=lambda c, n=n: n) for n in more)
        return judge(policy, dict(zip((DIRECT, quasi), asked)))

    assert how_many_more(judged(3, 8)) == 8 and how_many_more(judged(3, None)) is None
    passed = judge(policy, {DIRECT: Measure(0.0), quasi: Measure(0.0)})
    assert how_many_more(passed) == 0
