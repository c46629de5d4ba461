import copy
import pickle
import secrets
from collections import Counter
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spacy_deid.surrogates.base import Mention, normalise
from spacy_deid.surrogates.consistency import (
    DATE_SHIFT,
    KEY_BYTES,
    KeySource,
    bits_left,
    corpus_entities,
    has_fixed_interval,
    in_corpus,
    make_random_for,
    number_entities,
    salted,
    with_interval,
)
from spacy_deid.surrogates.languages import make_english_surrogates
from spacy_deid.text.offsets import span_to_new, span_to_old, splice, to_new, to_old

from ..cases import cases


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
    assert draw(pickle.loads(pickle.dumps(first))) == draw(first)
    state, expected = first.getstate(), draw(first)
    first.setstate(state)
    assert draw(first) == expected
    first.seed(3)
    assert first.random() == Random(3).random()


@given(st.text(), st.lists(st.integers(1, 10**30), min_size=1, max_size=12))
def test_ranges_are_drawn_as_usual(entity, sizes):
    rng = make_random_for(b"k")("kind", entity)
    same = make_random_for(b"k")("kind", entity)
    for n in sizes:
        # The methods of the base class on the same bits.
        assert rng.randrange(n) == Random.randrange(same, n)
        assert rng.randrange(-n, n) == Random.randrange(same, -n, n)
        assert rng.randrange(0, 3 * n, 3) == Random.randrange(same, 0, 3 * n, 3)
    for wrong in ((0,), (3, 3), (5, 1)):
        with pytest.raises(ValueError):
            rng.randrange(*wrong)


def test_what_a_generator_has_given_shows():
    rng = make_random_for(b"k")("kind", "entity")
    left = bits_left(rng)
    assert left == bits_left(rng) == 256
    rng.choice("ab")
    assert 0 < bits_left(rng) < left
    rng.getrandbits(1000)
    assert bits_left(rng) is None and bits_left(Random()) is None


def test_draws_are_even_and_differ():
    random_for = make_random_for(b"k")
    draws = Counter(random_for("x", str(i)).randrange(5) for i in range(5000))
    assert len(draws) == 5 and all(900 < n < 1100 for n in draws.values())
    draws = {
        make_random_for(key, salt)(kind, entity).random()
        for key in (b"k", b"l")
        for salt in ("", "1")
        for kind, entity in (("ab", "c"), ("a", "bc"), ("", "abc"), ("abc", ""))
    }
    assert len(draws) == 16
    # A lone surrogate may be part of a text.
    assert random_for("x", "\ud800").random()


def test_keys_without_a_source_and_from_the_environment(monkeypatch):
    source = KeySource()
    assert len(source.get()) == KEY_BYTES and source.get() != source.get()
    monkeypatch.setenv("DEID_TEST_KEY", "ключ" * 4)
    assert len(KeySource("DEID_TEST_KEY").get()) == 32
    monkeypatch.delenv("DEID_TEST_KEY")
    with pytest.raises(ValueError, match="DEID_TEST_KEY"):
        KeySource("DEID_TEST_KEY").get()


def test_given_keys():
    source = KeySource("DEID_TEST_KEY_THAT_IS_NOT_SET")
    source.set(b"abc")
    assert source.get() == b"abc"
    for text in ("abcdefghijkl", "0123456789abcdef" * 2, secrets.token_urlsafe(32)):
        source.set(text)
        stretched = source.get()
        source.set(lambda text=text: text)
        assert source.get() == stretched
        # Random keys are used as they are, passphrases through scrypt.
        assert (stretched == text.encode()) == (len(text) > 20)
    for key in (b"", "", 5, "1", "hunter2", "elevenchars"):
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


@st.composite
def replaced(draw):
    """A text, rows of offsets, and the new text; surrogates may be empty, and stand side
    by side."""
    text = draw(st.text(max_size=40))
    cuts = sorted({min(c, len(text)) for c in draw(st.lists(st.integers(0, 40)))})
    pairs = list(zip(cuts[::2], cuts[1::2]))
    if draw(st.booleans()):
        pairs = [pair for pair in pairwise(cuts) if draw(st.booleans())]
    pieces, rows, shift = [], [], 0
    for start, end in pairs:
        new = draw(st.text(max_size=4))
        pieces.append((start, end, new))
        rows.append([start, end, start + shift, start + shift + len(new)])
        shift += len(new) - (end - start)
    return text, rows, splice(text, pieces)


@given(replaced())
def test_offsets_map_both_ways(example):
    text, rows, output = example
    assert to_new(rows, len(text)) == len(output)
    assert to_old(rows, len(output)) == len(text)
    positions = [to_new(rows, i) for i in range(len(text) + 1)]
    assert positions == sorted(positions)
    for i, ch in enumerate(text):
        if not any(start <= i < end for start, end, *_ in rows):
            assert output[positions[i]] == ch
            assert to_old(rows, positions[i]) == i
    for start, end, new_start, new_end in rows:
        assert (to_new(rows, start), to_new(rows, end)) == (new_start, new_end)
        if new_start < new_end:
            assert to_old(rows, new_start) == start


@given(replaced(), st.data())
def test_spans_map_both_ways(example, data):
    text, rows, output = example
    back = [[c, d, a, b] for a, b, c, d in rows]
    for there, again, source, target, mapping in (
        (span_to_new, span_to_old, text, output, rows),
        (span_to_old, span_to_new, output, text, back),
    ):
        pair = [data.draw(st.integers(0, len(source))) for _ in range(2)]
        start, end = sorted(pair)
        new_start, new_end = there(rows, start, end)
        assert 0 <= new_start <= new_end <= len(target)
        old_start, old_end = again(rows, new_start, new_end)
        touched = [row for row in mapping if row[0] < end and start < row[1]]
        if start < end:
            if all(row[2] < row[3] for row in touched):
                assert old_start <= start < end <= old_end
            assert new_start <= min((row[2] for row in touched), default=new_start)
            assert new_end >= max((row[3] for row in touched), default=new_end)
        near = [r for r in mapping if r[0] <= end and start <= r[1]]
        if not near:
            assert target[new_start:new_end] == source[start:end]
            assert (old_start, old_end) == (start, end)
        # What has grown once does not grow again.
        assert again(rows, *there(rows, old_start, old_end)) == (old_start, old_end)
    for start, end, new_start, new_end in rows:
        assert span_to_new(rows, start, end) == (new_start, new_end)
        if new_start < new_end:
            assert span_to_old(rows, new_start, new_end) == (start, end)
    with pytest.raises(ValueError, match="before it begins"):
        span_to_new(rows, 2, 1)


# --- scope corpus ---


def corpus(rows, key=b"k", forbidden=lambda text: False, maker=None):
    mentions = [Mention(*row[:2], "", *row[2:]) for row in rows]
    make = in_corpus(maker or make_english_surrogates())
    return make(mentions, make_random_for(key), forbidden)


def test_salted_generators_differ():
    random_for = make_random_for(b"k")
    made = [random_for, *(salted(random_for, salt) for salt in "121")]
    draws = [draw("x", "y").random() for draw in made]
    assert len({*draws}) == 3 and draws[1] == draws[3]


def test_intervals_of_dates():
    random_for = make_random_for(b"k")

    def days(generators, kind=DATE_SHIFT):
        return generators(kind, "").random()

    one, other = with_interval(random_for, "1"), with_interval(random_for, "2")
    assert days(one) != days(other)
    assert days(one, "person") == days(other, "person") == days(random_for, "person")
    assert not has_fixed_interval(random_for) and not has_fixed_interval(one)
    # One that others rely on stays the same whatever is drawn again.
    again = make_random_for(b"k", "again")
    assert days(with_interval(again, "1")) != days(one)
    fixed = [with_interval(r, "1", random_for) for r in (random_for, again)]
    fixed.append(salted(fixed[0], "part"))
    assert {days(r) for r in fixed} == {days(one)}
    assert all(map(has_fixed_interval, fixed))


def test_entities_of_a_corpus_have_their_longest_form():
    texts = {"Nowak": 4, "the Anna NOWAK": 4, "anna nowak's": 9}
    mentions = [Mention(text, "PERSON", "", i) for text, i in texts.items()]
    found = corpus_entities([*mentions, Mention("Oslo", "LOC", "", 2)])
    assert found == {("LOC", "oslo"): [3], ("PERSON", "anna nowak"): [0, 1, 2]}


ROWS = cases(__file__, "rows")


def test_documents_agree_whatever_else_is_in_them():
    together = dict(zip([r[0] for r in ROWS], corpus(ROWS)))
    for text, label, _ in ROWS:
        # Alone, in another place, with another number and other text before.
        assert corpus([(text, label, 77, "his wife ")]) == [together[text]]
    assert corpus(ROWS[::-1]) == [together[r[0]] for r in ROWS[::-1]]
    assert corpus(ROWS, key=b"other") != corpus(ROWS)
    assert all(normalise(old) != normalise(new) for old, new in together.items())


def test_dates_of_a_corpus_share_one_shift(key):
    """A late date turns the shift of its own document around, not of a corpus."""
    rows = [("3 May 1990", "DATETIME", 0), ("3 May 2025", "DATETIME", 1)]
    assert corpus(rows, key) == [new for row in rows for new in corpus([row], key)]


FEW = st.sampled_from(["Ada", "Ben", "Cy", "Dot", "Eli"])


@given(st.lists(FEW, min_size=1, unique=True))
def test_collisions_are_resolved_alike_whatever_the_order(names):
    def maker(mentions, random_for, forbidden):
        out = []
        for m in mentions:
            rng = random_for("x", normalise(m.text))
            options = sorted("pqrstuv", key=lambda _: rng.random())
            out.append(next((o for o in options if not forbidden(o)), "?"))
        return out

    def made(names):
        rows = [(name, "PERSON", i) for i, name in enumerate(names)]
        return dict(zip(names, corpus(rows, maker=maker)))

    new = made(names)
    assert len(set(new.values())) == len(names) and new == made(sorted(names))


def test_a_forbidden_surrogate_of_a_corpus_is_drawn_again():
    row = ("Oslo", "LOC", 0)
    (usual,) = corpus([row])
    (other,) = corpus([row], forbidden=usual.__eq__)
    assert [other] == corpus([row], forbidden=usual.__eq__) and other != usual


def test_families_keep_a_common_surname_in_a_corpus(key):
    rows = [("Anna Brandt", "PERSON", 0), ("Peter Brandt", "PERSON", 1)]
    anna, peter = corpus(rows, key)
    assert anna != peter and anna.split()[1] == peter.split()[1]


def test_two_people_of_a_document_share_no_name(key):
    given = cases(__file__, "given names")
    families = ["Nowak", "Zielinski", "Brandt", "Olsen", "Rossi", "Meyer", "Silva"] * 3
    old = [f"{one} {other}" for one, other in zip(given, families, strict=True)]
    new = corpus([(name, "PERSON", i) for i, name in enumerate(old)], key)
    assert len(set(new)) == len(old)
    names = {(text.split()[1], name.split()[1]) for text, name in zip(new, old)}
    assert len({text for text, _ in names}) == len(names)


def test_a_generator_that_gives_too_little_is_found_out():
    with pytest.raises(ValueError, match="0 texts for 1"):
        corpus([("Anna", "PERSON", 0)], maker=lambda m, r, f: [])
