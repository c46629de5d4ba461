import copy
import pickle
from collections import Counter
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spacy_deid.surrogates.consistency import (
    KEY_BYTES,
    KeySource,
    make_random_for,
    number_entities,
)
from spacy_deid.surrogates.offsets import splice, to_new, to_old


@given(st.binary(min_size=1), st.text(), st.text())
def test_same_key_same_draw(key, kind, entity):
    first, second = make_random_for(key), make_random_for(key)
    assert first(kind, entity).random() == second(kind, entity).random()


@given(st.text(), st.lists(st.integers(0, 300), max_size=40))
def test_generators_are_like_any_other(entity, sizes):
    def draw(rng):
        return [*map(rng.getrandbits, sizes), *(rng.random() for _ in range(20))]

    random_for = make_random_for(b"k")
    draws = draw(random_for("x", entity))
    assert draw(random_for("x", entity)) == draws
    assert all(0 <= bits < 2**k for bits, k in zip(draws, sizes))
    assert all(0.0 <= x < 1.0 for x in draws[len(sizes) :])
    first = random_for("x", entity)
    second = pickle.loads(pickle.dumps(first))
    assert draw(first) == draw(second)
    state = first.getstate()
    expected = draw(first)
    first.setstate(state)
    assert draw(first) == expected
    first.seed(3)
    assert first.random() == Random(3).random()


def test_draws_are_even():
    random_for = make_random_for(b"k")
    draws = Counter(random_for("x", str(i)).randrange(5) for i in range(5000))
    assert len(draws) == 5 and all(900 < n < 1100 for n in draws.values())
    later = Counter(random_for("x", "").randrange(5) for _ in range(10))
    assert len(later) == 1


def test_draws_differ():
    draws = {
        make_random_for(key, salt)(kind, entity).random()
        for key in (b"k", b"l")
        for salt in ("", "1")
        for kind, entity in (("ab", "c"), ("a", "bc"), ("", "abc"), ("abc", ""))
    }
    assert len(draws) == 16
    # A lone surrogate may be part of a text.
    assert make_random_for(b"k")("x", "\ud800").random()


def test_fresh_keys_without_a_source():
    source = KeySource()
    assert len(source.get()) == KEY_BYTES
    assert source.get() != source.get()


def test_key_from_the_environment(monkeypatch):
    monkeypatch.setenv("DEID_TEST_KEY", "ключ")
    assert KeySource("DEID_TEST_KEY").get() == "ключ".encode()
    monkeypatch.delenv("DEID_TEST_KEY")
    with pytest.raises(ValueError, match="DEID_TEST_KEY"):
        KeySource("DEID_TEST_KEY").get()


def test_given_keys():
    source = KeySource("DEID_TEST_KEY_THAT_IS_NOT_SET")
    source.set(b"abc")
    assert source.get() == b"abc"
    source.set("abc")
    assert source.get() == b"abc"
    source.set(lambda: "abc")
    assert source.get() == b"abc"
    for key in (b"", "", 5):
        with pytest.raises(ValueError):
            source.set(key)
    source.set(lambda: b"")
    with pytest.raises(ValueError, match="empty"):
        source.get()
    source.set(None)
    with pytest.raises(ValueError, match="not"):
        source.get()


def test_keys_are_not_copied():
    source = KeySource()
    source.set(b"hunter2")
    assert "hunter2" not in repr(source)
    assert b"hunter2" not in pickle.dumps(source)
    for other in (pickle.loads(pickle.dumps(source)), copy.deepcopy(source)):
        with pytest.raises(ValueError, match="set_key"):
            other.get()
        # Nor does a copy of the copy fall back to random keys.
        with pytest.raises(ValueError, match="set_key"):
            pickle.loads(pickle.dumps(other)).get()
        other.set(b"hunter2")
        assert other.get() == b"hunter2"


def test_number_entities():
    texts = ["Anna", "anna ", "Anna", "Bob", "Anna", "Bob"]
    labels = ["PERSON", "PERSON", "LOC", "PERSON", "PERSON", "PERSON"]
    assert number_entities(texts, labels, [-1] * 6) == [0, 0, 1, 2, 0, 2]
    assert number_entities(texts, labels, [5, -1, -1, 3, 4, -1]) == [5, 5, 6, 3, 4, 3]
    assert number_entities([], [], []) == []


@given(
    st.text(max_size=40),
    st.lists(st.integers(0, 40), max_size=8),
    st.lists(st.text(max_size=6), min_size=4, max_size=4),
)
def test_offsets_map_both_ways(text, cuts, new_texts):
    cuts = sorted({min(cut, len(text)) for cut in cuts})
    pairs = list(zip(cuts[::2], cuts[1::2]))
    rows, shift = [], 0
    for (start, end), new in zip(pairs, new_texts):
        rows.append([start, end, start + shift, start + shift + len(new)])
        shift += len(new) - (end - start)
    output = splice(text, rows, new_texts)
    assert to_new(rows, len(text)) == len(output)
    assert to_old(rows, len(output)) == len(text)
    positions = [to_new(rows, i) for i in range(len(text) + 1)]
    assert positions == sorted(positions)
    for i, ch in enumerate(text):
        if not any(start <= i < end for start, end, *_ in rows):
            assert output[positions[i]] == ch
            assert to_old(rows, positions[i]) == i
    for start, end, new_start, new_end in rows:
        assert to_new(rows, start) == new_start
        assert to_new(rows, end) == new_end
        if new_start < new_end:
            assert to_old(rows, new_start) == start
