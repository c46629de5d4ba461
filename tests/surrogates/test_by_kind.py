import math
import pickle

import pytest
import spacy

import spacy_deid
from spacy_deid.registries import registry
from spacy_deid.surrogates.base import Mention
from spacy_deid.surrogates.consistency import make_random_for
from spacy_deid.surrogates.strategies.base import Context, get_strategy
from spacy_deid.surrogates.strategies.by_kind import ChooseStrategy
from spacy_deid.surrogates.strategies.generalize import Generalize
from spacy_deid.surrogates.strategies.placeholders import Redact, TypedPlaceholder
from spacy_deid.surrogates.strategies.random_replacement import RandomReplacement

from ..cases import cases


def named(name, **settings):
    return {"@deid_strategies": f"spacy_deid.{name}.v1", **settings}


NUMBERED = named("typed_placeholder", numbered=True, brackets="[]")
BLOCK = named(
    "choose_strategy",
    default=named("redact", mark="***"),
    rules={
        "DIRECT": NUMBERED,
        "LOC": named("generalize", lang=None),
        "EMAIL": named("redact", mark="@@@"),
        "QUASI/PERSON": NUMBERED,
        "DIRECT/LOC": named("redact", mark="---"),
    },
)


def context():
    return Context(make_random_for(b"k"), lambda t: False, None, "***", "d")


def mention(text, label, decision, subtype="", entity=0):
    return Mention(text, label, subtype, entity, "in ", "", decision)


def test_the_most_specific_rule_counts():
    strategy = registry.resolve({"s": BLOCK})["s"]
    assert strategy.rules["LOC"] == Generalize()
    rows = cases(__file__, "rules")
    mentions = [mention(*row[:-1]) for row in rows]
    assert strategy(mentions, context()) == [row[-1] for row in rows]


def test_an_entity_has_its_strictest_decision():
    strategy = ChooseStrategy(Redact("Q"), {"DIRECT": Redact("D")})
    mentions = [
        mention("Anna", "PERSON", "QUASI", entity=1),
        mention("Anna Nowak", "PERSON", "DIRECT", entity=1),
        mention("Bob", "PERSON", "QUASI", entity=2),
    ]
    assert strategy(mentions, context()) == ["D", "D", "Q"]


def test_config_pickle_and_pipeline():
    strategy = registry.resolve({"s": BLOCK})["s"]
    assert strategy.config() == BLOCK
    assert strategy == pickle.loads(pickle.dumps(strategy))
    nlp = spacy.blank("en")
    nlp.add_pipe("pseudonymizer", config={"strategy": BLOCK})
    again = spacy.blank("en").from_config(nlp.config)
    assert again.get_pipe("pseudonymizer").strategy == strategy
    pipe = spacy.blank("en").add_pipe("pseudonymizer")
    pipe.from_bytes(spacy.blank("en").add_pipe("pseudonymizer").to_bytes())
    changed = spacy.blank("en").add_pipe("pseudonymizer")
    changed.strategy = strategy
    assert pipe.from_bytes(changed.to_bytes()).strategy == strategy
    # A function of one's own has no config; the strategy as a whole has none then.
    own = ChooseStrategy(lambda mentions, context: ["x"] * len(mentions))
    assert own.config() is None


def test_epsilon_is_that_of_the_costliest_part():
    redact, word = Redact(), get_strategy("word_by_word")
    for free in (redact, word):
        assert ChooseStrategy(redact, {"PERSON": free}).epsilon(None) == 0.0
    assert ChooseStrategy(word).epsilon(0.9) == word.epsilon(0.9)
    assert ChooseStrategy().epsilon(None) == math.inf
    for costly in (TypedPlaceholder(), lambda mentions, context: []):
        assert ChooseStrategy(redact, {"PERSON": costly}).epsilon(None) == math.inf
    assert ChooseStrategy(redact, {"PERSON": word}).random
    assert not ChooseStrategy(redact).random


def test_parts_keep_by_chance_and_give_a_text_each():
    strategy = ChooseStrategy(Redact(), {"QUANTITY": RandomReplacement(0.01)})
    mentions = [mention("Anna", "PERSON", ""), mention("12", "QUANTITY", "", "", 1)]
    kept = strategy.keeps(mentions, make_random_for(b"k"), "d", None)
    assert kept == [False, True]
    with pytest.raises(ValueError, match="0 texts for 1"):
        ChooseStrategy(lambda mentions, context: [])(mentions[:1], context())


def test_bad_rules():
    for key in ["NO_MASK", "", "MAYBE/PERSON", "DIRECT/", "/PERSON"]:
        with pytest.raises(ValueError, match="rule"):
            ChooseStrategy(Redact(), {key: Redact()})
    with pytest.raises(ValueError, match="strategy"):
        ChooseStrategy(Redact(), {"PERSON": "redact"})


def test_all_of_it_in_one_pipeline(tmp_path, monkeypatch):
    monkeypatch.setenv("DEID_TEST_KEY", "secret-secret")
    nlp = spacy.blank("en")
    known = {"PERSON": "Anna Nowak", "LOC": "Oslo", "DATETIME": "3 May 1990"}
    ruler = nlp.add_pipe("span_ruler", config={"spans_key": "pii"})
    ruler.add_patterns([{"label": k, "pattern": text} for k, text in known.items()])
    # Without a policy, and with one.
    policy = {"@deid_policies": "spacy_deid.lexicon_policy.v1"}
    rules = {"DATETIME": named("generalize"), "LOC": named("random_replacement")}
    rules["CODE"] = named("random_replacement", policy=policy)
    block = named("choose_strategy", default=named("full_entity"), rules=rules)
    config = {"scope": "corpus", "key_env": "DEID_TEST_KEY", "strategy": block}
    nlp.add_pipe("pseudonymizer", config=config)
    texts = ["Anna Nowak left Oslo on 3 May 1990.", "Oslo saw Anna Nowak."]
    new = [doc._.deid_text for doc in nlp.pipe(texts)]
    assert new[0].endswith(" on a day in 1990.")
    name = new[0].partition(" left ")[0]
    assert new[1].endswith(f" saw {name}.") and "Nowak" not in name
    assert [d._.deid_text for d in nlp.pipe(texts, n_process=2, batch_size=1)] == new
    nlp.to_disk(tmp_path)
    assert [d._.deid_text for d in spacy.load(tmp_path).pipe(texts)] == new


NAMED = {"PERSON": "named_placeholder", "QUASI/LOC": "redact"}
NAMED["default"] = "typed_placeholder"


def test_named_by_type(tmp_path):
    text = "Mrs Lee moved to Leeds. She wrote to a.lee@corp.com."
    line = ",".join(f"{k}={v}" for k, v in NAMED.items())
    nlp = spacy_deid.load()
    pipe = nlp.get_pipe("pseudonymizer")
    pipe.mask = "all"
    for pipe.strategy in (line, NAMED):
        new = nlp(text)._.deid_text
        assert new.endswith("[CODE 1].") and "***" in new and "PERSON" not in new, new
    nlp.to_disk(tmp_path)
    assert spacy_deid.load(tmp_path)(text)._.deid_text == new
    other = spacy.blank("en")
    other.add_pipe("pii_gazetteer")
    other.add_pipe("pseudonymizer", config={"strategy": NAMED})
    assert other(text)._.deid_text.endswith("[CODE 1].")
    other.to_disk(tmp_path / "other")
    assert spacy.load(tmp_path / "other")(text)._.deid_text.endswith("[CODE 1].")
    with pytest.raises(ValueError, match="no replacement strategy 'rot13'"):
        pipe.strategy = {"PERSON": "rot13"}
    made = spacy_deid.deidentify([text], strategy=line, mask="all").data
    assert made[0].endswith("[CODE 1].")
