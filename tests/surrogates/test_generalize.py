import math
import pickle
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spacy_deid.registries import registry
from spacy_deid.schema import SEMANTIC_TYPES
from spacy_deid.surrogates.base import Mention, starts_with_vowel_sound
from spacy_deid.surrogates.consistency import make_random_for
from spacy_deid.surrogates.strategies.base import Context, get_strategy, has_content
from spacy_deid.surrogates.strategies.generalize import Generalize
from spacy_deid.surrogates.strategies.phrases import rounded
from spacy_deid.surrogates.world import read_place, world
from spacy_deid.text.numbers import in_figures
from spacy_deid.text.subdivisions import subdivisions

from ..cases import cases
from .conftest import containing
from .marked import rewritten, table_of

ROWS = table_of("generalized.tsv")


def context(originals, lang="en"):
    forbidden = containing(originals)
    return Context(make_random_for(b"k"), forbidden, None, "***", "d", "document", lang)


def generalized(marked, lang="en", strategy=None):
    def make(mentions):
        strategy_ = strategy or get_strategy("generalize")
        return strategy_(mentions, context([m.text for m in mentions], lang))

    return rewritten(marked, make)


@pytest.mark.parametrize("lang", sorted({row["lang"] for row in ROWS}))
def test_examples(lang):
    """None leaves an original, and articles agree."""
    for row in ROWS:
        if row["lang"] == lang:
            new = generalized(row["marked"], lang)
            assert new == row["generalized"], row
            if lang == "en":
                for article, noun in re.findall(r"\b(an?) (\w+)", new):
                    assert (article == "an") == starts_with_vowel_sound(noun), row
            else:
                # The setting overrides the language of the document.
                assert generalized(row["marked"], "en", Generalize(lang)) == new


@given(st.data())
def test_the_state_behind_a_town_tells_its_country(data):
    parts = subdivisions()
    town = data.draw(st.sampled_from(sorted(world().cities)))
    names = {n: c for n, c in parts.names.items() if n not in world().countries}
    names.update(parts.letters)
    part = data.draw(st.sampled_from(sorted(names)))
    mention = Mention(f"{town.title()}, {part}", "LOC", "", 0)
    assert read_place(mention).home.country == names[part]


def test_registered():
    strategy = registry.get("deid_strategies", "spacy_deid.generalize.v1")("de")
    assert strategy == Generalize("de") == pickle.loads(pickle.dumps(strategy))
    assert registry.resolve({"s": strategy.config()})["s"] == strategy
    assert strategy.epsilon(None) == math.inf
    assert generalized("with <<Anna|PERSON>>", "nl") == "with a woman"


WORDS = st.sampled_from(cases(__file__, "words")) | st.text(max_size=4)


@settings(max_examples=120, deadline=None)
@given(
    words=st.lists(WORDS, max_size=6),
    label=st.sampled_from([*SEMANTIC_TYPES, "WHATEVER"]),
    before=st.sampled_from(["", "the ", "an ", "on ", "in ", "He said. ", "Dr. "]),
    after=st.sampled_from(["", " office", "'s", "s came", ", then"]),
    lang=st.sampled_from(["en", "de", "es", "ru", "xx"]),
)
def test_any_mention(words, label, before, after, lang):
    text = " ".join(words)
    mention = Mention(text, label, "", 0, before, after)
    (new,) = get_strategy("generalize")([mention], context([text], lang))
    assert new
    # "*" tells nothing, and is a part of the mark of `redact`.
    told = has_content(text) and re.search(rf"(?<!\w){re.escape(text)}(?!\w)", new)
    assert not told
    if lang == "en" and before:
        assert not re.match(r"(?:a|an|the) ", new) or before not in ("the ", "an ")


def test_figures_are_rounded():
    assert [rounded(v) for v in (4684, 0.023, 0, 95)] == [5000, 0.02, 0, 100]
    assert in_figures(5000) == "5,000" and in_figures(0.02) == "0.02"
