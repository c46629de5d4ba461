import json
import math
import os
import pickle
import stat
from collections import Counter
from itertools import product

import pytest
import spacy
from hypothesis import given, settings
from hypothesis import strategies as st

from spacy_deid.registries import registry
from spacy_deid.schema import Candidate, StrategyError, set_group
from spacy_deid.surrogates.base import Mention
from spacy_deid.surrogates.consistency import make_random_for
from spacy_deid.surrogates.strategies import policies
from spacy_deid.surrogates.strategies.base import Context
from spacy_deid.surrogates.strategies.random_replacement import RandomReplacement

from ..cases import cases

NLP = spacy.blank("en")
COUNTS = {("PERSON", "Anna"): 5, ("PERSON", "Bob"): 3, ("PERSON", "Eve"): 2}
COUNTS["LOC", "Oslo"] = 1


@pytest.fixture
def counts_file(tmp_path):
    path = tmp_path / "counts.jsonl"
    policies.write_frequencies(path, COUNTS)
    return str(path)


def context(key=b"k", forbidden=lambda text: False, document="d"):
    return Context(make_random_for(key), forbidden, None, "***", document)


def person(text, entity=0):
    return Mention(text, "PERSON", "", entity)


def run(strategy, texts, key, recall=None):
    """What the pseudonymizer does: keep, then replace the others."""
    mentions = [person(text, i) for i, text in enumerate(texts)]
    kept = strategy.keeps(mentions, make_random_for(key), "d", recall)
    others = [m for m, k in zip(mentions, kept) if not k]
    new = iter(strategy(others, context(key)))
    return tuple(m.text if k else next(new) for m, k in zip(mentions, kept))


def test_epsilon_by_hand(counts_file):
    policy = policies.CorpusPolicy(counts_file)
    # Rarest: Eve, 2 of 10. ln((.1 + .9·.2) / (.9·.2)) = ln(.28/.18)
    strategy = RandomReplacement(0.9, policy)
    assert strategy.epsilon(None) == pytest.approx(math.log(0.28 / 0.18))
    # p is capped: ln((.5 + .5·.2) / (.5·.2)) = ln 6
    assert strategy.epsilon(0.5) == pytest.approx(math.log(6))
    assert strategy.epsilon(0.95) == strategy.epsilon(None)
    assert RandomReplacement(1.0, policy).epsilon(None) == 0.0
    assert RandomReplacement(1.0, policy).epsilon(0.9) == strategy.epsilon(None)
    assert strategy.epsilon(0.0) == math.inf
    # The largest is Oslo's 1: whatever is drawn may be an original.
    assert [strategy.delta(n) for n in (0, 1)] == [0.0, 1.0]
    # Uniform over 1000 and p = 1: n²·2/1000.
    even = RandomReplacement(1.0, policies.LexiconPolicy())
    largest = even.policy.bounds()[1]
    assert even.delta(2) == pytest.approx(min(1.0, 2 * 4 * largest))


def test_the_likelihood_ratio_never_exceeds_the_bound(counts_file):
    """By simulation over keys: two documents that differ in one value."""
    strategy = RandomReplacement(0.7, policies.CorpusPolicy(counts_file))
    bound = strategy.epsilon(None)
    n = 10_000
    seen = {
        text: Counter(run(strategy, [text], i.to_bytes(4, "big"))[0] for i in range(n))
        for text in ("Anna", "Bob", "Eve", "Zoe")
    }
    # Zoe is never drawn: kept, she would stand out.
    assert all(set(c) <= {"Anna", "Bob", "Eve"} for c in seen.values())
    worst = 0.0
    for (a, first), (b, second) in product(seen.items(), repeat=2):
        for output in ("Anna", "Bob", "Eve"):
            ratio = math.log(first[output] / second[output])
            # Four standard deviations of the logarithm of a quotient of counts.
            noise = 4 * math.sqrt(1 / first[output] + 1 / second[output])
            assert ratio <= bound + noise, (a, b, output)
            worst = max(worst, ratio)
    # And the bound is reached, so that a larger one would tell too little.
    assert worst > bound - 0.1
    # P(Eve | Eve) = .3 + .7·.2
    assert seen["Eve"]["Eve"] / n == pytest.approx(0.44, abs=0.015)
    assert seen["Anna"]["Eve"] / n == pytest.approx(0.14, abs=0.015)


def test_the_detectors_misses_count_in(counts_file):
    """With recall r and a share p of all to be replaced, p/r of what is found is."""
    strategy = RandomReplacement(0.6, policies.CorpusPolicy(counts_file))
    keys = [i.to_bytes(4, "big") for i in range(8000)]
    kept = sum(run(strategy, ["Eve"], k, recall=0.8)[0] == "Eve" for k in keys)
    # 1 - .75 + .75·.2
    assert kept / len(keys) == pytest.approx(0.4, abs=0.03)
    assert all(run(strategy, ["Eve"], k, recall=0.5)[0] != "Eve" for k in keys[:200])


def test_values_are_independent(counts_file):
    strategy = RandomReplacement(0.5, policies.CorpusPolicy(counts_file))
    texts, keys = ("Anna", "Bob"), [i.to_bytes(4, "big") for i in range(8000)]
    kept = sum(run(strategy, texts, key) == texts for key in keys)
    # .5 + .5·.5 and .5 + .5·.3
    assert kept / len(keys) == pytest.approx(0.75 * 0.65, abs=0.03)


def test_a_value_shares_its_fate(counts_file):
    strategy = RandomReplacement(0.5, policies.CorpusPolicy(counts_file))
    texts = ["Anna", "Bob", "Anna"]
    outcomes = {run(strategy, texts, i.to_bytes(4, "big")) for i in range(100)}
    assert len(outcomes) > 4 and all(a == b for a, _, b in outcomes)
    # In capitals she would stand out, unless written as the policy writes her.
    assert run(strategy, ["Anna", "ANNA"], b"x")[1] != "ANNA"


def test_draws_avoid_originals(counts_file):
    strategy = RandomReplacement(1.0, policies.CorpusPolicy(counts_file))
    drawn = [
        strategy([person("Anna")], context(bytes([i]), "Bob".__eq__)) for i in range(60)
    ]
    assert all(new == ["Eve"] for new in drawn)
    assert strategy([person("Anna")], context(forbidden=bool)) == ["***"]
    assert strategy([person("ANNA")], context())[0] in ("BOB", "EVE")


def test_a_type_without_values_is_refused_without_text(counts_file):
    strategy = RandomReplacement(1.0, policies.CorpusPolicy(counts_file))
    with pytest.raises(StrategyError, match="'CODE'") as info:
        strategy([Mention("xyz-1", "CODE", "", 0)], context())
    assert "xyz" not in str(info.value)


@pytest.mark.parametrize("p", [0.0, -0.1, 1.1, math.nan])
def test_p_is_a_probability(p):
    with pytest.raises(ValueError, match="'p'"):
        RandomReplacement(p)


def test_registered(counts_file):
    policy = {"@deid_policies": "spacy_deid.corpus_policy.v1", "path": counts_file}
    name = "spacy_deid.random_replacement.v1"
    config = {"@deid_strategies": name, "p": 0.8, "policy": policy}
    strategy = registry.resolve({"s": config})["s"]
    assert strategy.config() == config
    assert strategy == pickle.loads(pickle.dumps(strategy))
    # Frequencies are originals: they travel with nothing.
    assert b"Anna" not in pickle.dumps(strategy)
    plain = registry.get("deid_strategies", name)()
    assert plain.policy == policies.LexiconPolicy()
    assert plain.config()["policy"]["@deid_policies"] == "spacy_deid.lexicon_policy.v1"
    assert registry.resolve({"s": plain.config()})["s"] == plain


# --- policies ---


@pytest.mark.parametrize("text, label, subtype", cases(__file__, "types"))
def test_the_built_in_lexicon_serves_every_type(text, label, subtype):
    policy = policies.LexiconPolicy()
    lexicon = policy.lexicon(Mention(text, label, subtype, 0))
    least, largest = policy.bounds()
    assert 0 < least <= lexicon.least <= lexicon.largest <= largest < 0.05
    drawn = {lexicon.draw(make_random_for(b"k")("x", str(i))) for i in range(50)}
    assert len(drawn) > 15
    assert all(lexicon.probability(value) == lexicon.least for value in drawn)
    assert lexicon.probability("no such value") == 0.0


@settings(max_examples=50)
@given(st.dictionaries(st.text(min_size=1), st.integers(1, 9), min_size=1, max_size=6))
def test_lexicons_draw_by_frequency(counts):
    lexicon = policies.Lexicon(tuple(counts), tuple(counts.values()))
    assert sum(map(lexicon.probability, counts)) == pytest.approx(1.0)
    assert lexicon.least == min(map(lexicon.probability, counts))
    seen = Counter(lexicon.draw(make_random_for(b"k")("x", str(i))) for i in range(600))
    assert set(seen) <= set(counts)
    for value in counts:
        assert seen[value] / 600 == pytest.approx(lexicon.probability(value), abs=0.12)


def test_frequencies_of_a_corpus(tmp_path):
    docs = [NLP.make_doc(text) for text in ("Anna met  Anna's son in Oslo", "Anna")]
    spans = [Candidate(0, 1, "PERSON"), Candidate(3, 5, "PERSON")]
    assert docs[0][3:5].text == "Anna's" and docs[0][-1].text == "Oslo"
    place = Candidate(len(docs[0]) - 1, len(docs[0]), "LOC", "CITY")
    set_group(docs[0], "pii", [*spans, place])
    set_group(docs[1], "pii", spans[:1])
    counts = policies.collect_frequencies(docs)
    assert counts == {("PERSON", "Anna"): 3, ("LOC", "Oslo"): 1}
    path = tmp_path / "counts.jsonl"
    policies.write_frequencies(path, counts)
    assert stat.S_IMODE(os.stat(path).st_mode) == 0o600
    assert [p.name for p in tmp_path.iterdir()] == ["counts.jsonl"]
    assert policies.read_lexicons(path)["PERSON"].probability("Anna") == 1.0
    # A mask group names the types in its attributes.
    mask = NLP.make_doc("Anna")
    set_group(mask, "mask", [Candidate(0, 1, "DIRECT")], labels=["PERSON"])
    assert policies.collect_frequencies([mask], "mask") == {("PERSON", "Anna"): 1}
    with pytest.raises(ValueError, match="span group"):
        policies.collect_frequencies([NLP.make_doc("Anna")])


@pytest.mark.parametrize("line", cases(__file__, "bad lines"))
def test_bad_files_are_named_by_line_and_not_quoted(tmp_path, line):
    path = tmp_path / "counts.jsonl"
    path.write_text(json.dumps({"label": "LOC", "text": "Oslo"}) + "\n" + line)
    with pytest.raises(ValueError, match=r"counts\.jsonl, line 2") as info:
        policies.read_lexicons(path)
    assert "Anna" not in str(info.value) and info.value.__suppress_context__


def test_missing_and_empty_files(tmp_path):
    path = tmp_path / "counts.jsonl"
    with pytest.raises(ValueError, match="write_frequencies"):
        policies.read_lexicons(path)
    for content, error in ((b"\n", "no values"), (b"\xff\xfe", "UTF-8")):
        path.write_bytes(content)
        with pytest.raises(ValueError, match=error):
            policies.read_lexicons(path)


def test_a_changed_file_is_read_again_and_a_failed_write_leaves_the_old_one(tmp_path):
    path = tmp_path / "counts.jsonl"
    policies.write_frequencies(path, {("PERSON", "Anna"): 1})
    assert policies.read_lexicons(path)["PERSON"].probability("Anna") == 1.0
    policies.write_frequencies(path, {("PERSON", "Anna"): 1, ("PERSON", "Bob"): 3})
    assert policies.read_lexicons(path)["PERSON"].probability("Anna") == 0.25
    with pytest.raises(TypeError):
        policies.write_frequencies(path, {("PERSON", "Bob"): object()})
    assert list(policies.read_lexicons(path)["PERSON"].values) == ["Anna", "Bob"]
    assert [p.name for p in tmp_path.iterdir()] == ["counts.jsonl"]
