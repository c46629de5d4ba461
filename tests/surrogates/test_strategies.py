import math
import pickle
import random
import re
from itertools import pairwise

import pytest

from spacy_deid.registries import registry
from spacy_deid.surrogates.base import Mention
from spacy_deid.surrogates.consistency import make_random_for
from spacy_deid.surrogates.strategies.base import SHORT_NAMES, Context, get_strategy
from spacy_deid.surrogates.strategies.full_entity import FullEntity
from spacy_deid.surrogates.strategies.placeholders import Redact, TypedPlaceholder
from spacy_deid.surrogates.strategies.words import word_lists

from ..cases import cases

MENTIONS = [Mention(*row) for row in cases(__file__, "mentions")]


def context(key=b"k", forbidden=lambda text: False, document="d"):
    def surrogates(mentions, random_for, forbidden):
        return [f"new {m.entity_id}" for m in mentions]

    return Context(make_random_for(key), forbidden, surrogates, "***", document)


@pytest.mark.parametrize("name", SHORT_NAMES)
def test_registered(name):
    strategy = get_strategy(name)
    full = f"spacy_deid.{name}.v1"
    assert strategy == registry.get("deid_strategies", full)()
    assert strategy.config()["@deid_strategies"] == full
    resolved = registry.resolve({"strategy": strategy.config()})["strategy"]
    assert resolved == strategy == pickle.loads(pickle.dumps(strategy))
    new = strategy(MENTIONS, context())
    assert len(new) == len(MENTIONS) and all(isinstance(text, str) for text in new)
    assert strategy([], context()) == []
    assert strategy([Mention("—", "MISC", "", 0)], context())[0] != "—"
    assert not math.isnan(strategy.epsilon(None))
    assert strategy.epsilon(0.5) >= strategy.epsilon(None)


def test_redact():
    assert set(get_strategy("redact")(MENTIONS, context())) == {"***"}
    assert Redact("XX")(MENTIONS[:1], context()) == ["XX"]
    assert Redact("XX")(MENTIONS[:1], context(forbidden=str.isalpha)) == ["***"]


def test_typed_placeholder():
    numbered = "PERSON 1|ORG 1|LOC 1|LOC 2|DATETIME 1|PERSON 1|PERSON 2".split("|")
    assert TypedPlaceholder()(MENTIONS, context()) == [*map("[{}]".format, numbered)]
    plain = TypedPlaceholder(numbered=False, brackets="")
    assert plain(MENTIONS, context())[0::5] == ["PERSON", "PERSON"]
    assert TypedPlaceholder(brackets="<>")(MENTIONS, context())[0] == "<PERSON 1>"
    assert plain.epsilon(None) == 0.0 and plain.epsilon(0.9) == math.inf
    assert TypedPlaceholder().epsilon(None) == math.inf
    for brackets in ("[", "ab", "[[]]"):
        with pytest.raises(ValueError):
            TypedPlaceholder(brackets=brackets)


def test_typed_placeholder_steps_aside():
    digits = re.compile(r"\d").search
    new = TypedPlaceholder()(MENTIONS, context(forbidden=digits))
    assert new[0] == new[6] == "[PERSON]"
    assert set(TypedPlaceholder()(MENTIONS, context(forbidden=bool))) == {"***"}


def test_named_placeholder():
    strategy = get_strategy("named_placeholder")
    new = strategy(MENTIONS, context())
    assert new[0] == new[5] == "Smith" and new[6] == "John Smith"
    assert new[2] == "London" and new[3] == "LONDON"
    new = strategy(MENTIONS, context(forbidden=lambda t: "smith" in t.lower()))
    assert new[0] == "Brown" and new[6] == "Mary Brown"


def test_word_by_word():
    strategy = get_strategy("word_by_word")
    rows, mentions = cases(__file__, "words"), []
    for i, (text, kind, _) in enumerate(rows):
        label, _, subtype = kind.partition(".")
        mentions.append(Mention(text, label, subtype, i, before="he is an "))
    new = strategy(mentions, context())
    assert new == strategy(mentions, context())
    assert new != strategy(mentions, context(key=b"other"))
    assert new != strategy(mentions, context(document="other"))
    for number in range(20):
        made = strategy(mentions, context(document=str(number)))
        for (old, _, shape), text in zip(rows, made):
            assert re.fullmatch(shape, text), (old, text)
            words = list(zip(old.split(), text.split()))
            assert len(words) == len(old.split()) == len(text.split())
            assert all(a != b for a, b in words if a != "of")


def test_word_by_word_draws_do_not_look_at_the_word():
    strategy = get_strategy("word_by_word")

    def one(word, key):
        return strategy([Mention(word, "PERSON", "", 0)], context(key=key))[0]

    keys = [random.Random(i).randbytes(8) for i in range(200)]
    assert [one("Anna", k) for k in keys] == [one("Piotr", k) for k in keys]
    assert len({one("Anna", k) for k in keys}) > 150


@pytest.mark.parametrize("name", ["named_placeholder", "word_by_word"])
def test_placeholders_are_in_the_language_of_the_text(name):
    strategy = get_strategy(name)
    for lang, (*texts, script) in cases(__file__, "languages"):
        rows = zip(texts, ("PERSON", "LOC", "DEM"))
        mentions = [Mention(*row, "", i) for i, row in enumerate(rows)]
        new = strategy(mentions, context()._replace(lang=lang))
        assert all(re.fullmatch(script, text) for text in new)
        assert not set(new) & set(strategy(mentions, context()))
    for lang, text, pattern in cases(__file__, "dates"):
        mention = Mention(text, "DATETIME", "DATE", 0)
        (new,) = strategy([mention], context()._replace(lang=lang))
        assert re.fullmatch(pattern, new)


def test_no_language_has_a_longer_list():
    # ε holds for all of them.
    longest = word_lists("en").longest
    assert all(word_lists(lang).longest <= longest for lang in ("de", "es", "ru"))


def test_word_by_word_epsilon_grows_as_recall_falls():
    strategy = get_strategy("word_by_word")
    values = [strategy.epsilon(recall) for recall in (1.0, 0.99, 0.9, 0.5)]
    assert values[0] == 0.0
    assert all(a < b < math.inf for a, b in pairwise(values))
    assert strategy.epsilon(0.0) == math.inf


def test_full_entity_checks_the_generator():
    with pytest.raises(ValueError):
        FullEntity()(MENTIONS, context()._replace(surrogates=lambda *_: []))
    new = FullEntity()([*MENTIONS, Mention("--", "MISC", "", 9)], context())
    assert new[0] == new[5] == "new 0" and new[-1] == "***"
