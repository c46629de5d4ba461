import itertools
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from spacy.tokens import Doc

from spacy_deid.entities.propagation import make_propagate_names
from spacy_deid.schema import Candidate

from ..annotated import places
from ..cases import cases
from .samples import LABELS, LINK, MERGE, NLP, PROPAGATE, documents, gold


def find(text, *entities, label="PERSON", source="ner:pii_ner", subtype=""):
    """Texts found when the first occurrence of each entity is known."""
    doc = NLP.make_doc(text)
    rows = places(doc, *((entity, label, subtype, 1.0, source) for entity in entities))
    candidates = [Candidate(*row) for row in rows]
    found = PROPAGATE(doc, candidates)
    assert found == sorted(found)
    assert subtype == "" or {c.label for c in found} <= {"PERSON"}
    return [doc[c.start : c.end].text for c in found]


@pytest.mark.parametrize("text, expected", cases(__file__, "persons"))
def test_propagate_persons(text, expected):
    name = text.split(" came")[0]
    assert find(text, name) == expected


@pytest.mark.parametrize("label, text, entity, expected", cases(__file__, "others"))
def test_propagate_others(label, text, entity, expected):
    assert find(text, entity, label=label) == expected


def test_propagated_candidates():
    doc = NLP.make_doc("Robert Murray came. Mr Murray left. Robert too.")
    given_one = Candidate(0, 2, "PERSON", "FULL_NAME", 0.5, "user:me")
    first, second = PROPAGATE(doc, [given_one])
    assert first[:4] == (4, 6, "PERSON", "FAMILY_NAME")
    assert second[:4] == (8, 9, "PERSON", "GIVEN_NAME")
    assert first.score == pytest.approx(0.45)
    assert first.source == "propagation:user"
    half = make_propagate_names(decay=0.5)(doc, [given_one])
    assert half[0].score == pytest.approx(0.25)
    whole = PROPAGATE(NLP.make_doc("Robert Murray, Robert Murray"), [given_one])
    assert whole[0][:4] == (3, 5, "PERSON", "FULL_NAME")

    # Twice adds nothing.
    merged = MERGE(doc, [given_one, first, second])
    assert len(merged) == 3 and PROPAGATE(doc, merged) == []


def test_a_longer_name_around_a_shorter_candidate():
    doc = NLP.make_doc("Robert Murray came. Robert Murray left.")
    partly = [Candidate(0, 2, "PERSON"), Candidate(5, 6, "PERSON", score=0.9)]
    merged = MERGE(doc, [*partly, *PROPAGATE(doc, partly)])
    assert [(c.start, c.end) for c in merged] == [(0, 2), (4, 6)]


def test_names_of_others_and_documents_in_lower_case():
    text = "Robert Murray met Anna Robert. Robert left. Anna Robert too."
    assert find(text, "Robert Murray", "Anna Robert") == ["Robert", "Anna Robert"]
    text = "hi i am anna lee and my friend is bob. later anna said to lee hi"
    assert find(text, "anna lee") == ["anna"]


def test_name_in_an_address():
    doc = NLP.make_doc("Robert Murray wrote from robert.murray@example.org yesterday")
    (found,) = PROPAGATE(doc, [Candidate(0, 2, "PERSON")])
    assert (found.label, found.id) == ("CODE", "EMAIL")
    assert "@" in doc[found.start : found.end].text


@given(documents())
def test_propagation_invariants(sample):
    doc, candidates = sample
    merged = MERGE(doc, candidates)
    found = PROPAGATE(doc, merged)
    assert found == PROPAGATE(doc, merged)
    assert all(a.end <= b.start for a, b in itertools.pairwise(found))
    for c in found:
        assert 0 <= c.start < c.end <= len(doc) and 0 <= c.score <= 1
        assert c.source.startswith("propagation:")
        for m in merged:
            # Beside what was found, or longer.
            apart = c.end <= m.start or m.end <= c.start
            assert apart or (c.start <= m.start and m.end <= c.end)
            assert not (m.start <= c.start and c.end <= m.end)


@given(
    st.lists(st.text(min_size=1, max_size=12), min_size=1, max_size=8),
    st.lists(st.tuples(st.integers(0, 7), st.integers(1, 4), LABELS), max_size=6),
)
def test_any_text(words, spans):
    doc = Doc(NLP.vocab, words=words)
    n = len(doc)
    spans = [(start, min(start + size, n), label) for start, size, label in spans]
    candidates = [Candidate(*span) for span in spans if span[0] < n]
    merged = MERGE(doc, candidates)
    for found in (merged, candidates):
        assert len(LINK(doc, found)) == len(found)
    for c in PROPAGATE(doc, merged):
        assert 0 <= c.start < c.end <= len(doc)


NAMES = "Kowalczyk Murray Szafrański Achleitner Öcalan Necatigil".split()
GIVEN = st.sampled_from("Robert Tomasz Gisela Józef Anna Mehmet".split())


CHANGES = st.sampled_from([str.upper, str.lower, str.title, str])


@given(GIVEN, st.sampled_from(NAMES), CHANGES)
def test_planted_repeats_are_found(first, last, change):
    whole = f"{first} {last}"
    for again in (change(last), change(whole)):
        text = f"{whole} was heard. The others saw {again} there, alone."
        assert find(text, whole) == [again]


def test_nothing_to_propagate():
    assert PROPAGATE(NLP.make_doc(""), []) == []
    assert PROPAGATE(NLP.make_doc("Robert Murray"), [Candidate(0, 2, "PERSON")]) == []
    assert PROPAGATE(NLP.make_doc("*** ***"), [Candidate(0, 1, "MISC")]) == []
    # Voiced sound marks fold to nothing.
    doc = NLP.make_doc("ﾟ･*:.｡. Robert, and ﾟ again")
    for i in range(len(doc)):
        assert isinstance(PROPAGATE(doc, [Candidate(0, i + 1, "PERSON")]), list)


def test_propagation_in_a_long_document():
    rnd = random.Random(0)
    words = rnd.choices(["alpha", "beta", "gamma"], k=200_000)
    candidates = []
    for i in range(0, 100_000, 50):
        name = "".join(rnd.choices("abcdefgh", k=6)).title()
        words[i : i + 2] = [name, "Murray"]
        words[i + 100_000] = name.upper()
        candidates.append(Candidate(i, i + 2, "PERSON"))
    found = PROPAGATE(Doc(NLP.vocab, words=words), candidates)
    assert len(found) == len(candidates)


def test_repetitive_document():
    doc = Doc(NLP.vocab, words=["a"] * 20_000)
    candidates = [Candidate(0, 10_000, "ORG"), Candidate(10_000, 10_020, "CODE")]
    assert LINK(doc, candidates) == [0, 1]
    assert isinstance(PROPAGATE(doc, candidates), list)


@pytest.mark.parametrize("corpus", ["tab", "wiki_biographies"])
def test_propagated_names_are_names(shared_data, corpus):
    right = total = 0
    for doc, candidates, entities in gold(shared_data, corpus):
        longest = {}
        for c, entity in zip(candidates, entities):
            if c.label == "PERSON":
                known = longest.get(entity, c)
                longest[entity] = max(known, c, key=lambda c: c.end - c.start)
        marked = {i for c in candidates for i in range(c.start, c.end)}
        for c in PROPAGATE(doc, list(longest.values())):
            total += 1
            right += not marked.isdisjoint(range(c.start, c.end))
    assert right >= 0.9 * total


@pytest.mark.parametrize("text, handle, expected", cases(__file__, "handles"))
def test_names_in_handles_are_found_elsewhere(text, handle, expected):
    subtype = "EMAIL" if "@" in handle else "USERNAME"
    found = find(text, handle, label="CODE", source="pattern:X", subtype=subtype)
    assert found == expected
