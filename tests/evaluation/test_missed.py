import json
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spacy_deid.evaluation.missed import Read, estimate, ratio, read_reviewed
from spacy_deid.review.sampling import DESIGNS, draw

from ..cases import cases

# The chance of each identifier of a document to be missed.
CHANCES = {
    "few": lambda rng, risk: 0.03,
    "by risk": lambda rng, risk: 0.15 * risk**2,
    "whole documents": lambda rng, risk: rng.random() < 0.05,
    "many": lambda rng, risk: 0.4,
    "none": lambda rng, risk: 0,
}
ROWS = st.tuples(st.integers(0, 9), st.integers(0, 9), st.floats(0.01, 1))


def read(direct, missed, quasi=0, **more):
    entities, gone = {"direct": direct, "quasi": quasi}, {"direct": missed, "quasi": 0}
    return Read(entities, gone, **more)


def sample(corpus, n, by, seed):
    """Documents (identifiers, missed, risk) drawn from a corpus, and read."""
    drawn = draw([risk for *_, risk in corpus], n, by, seed)
    names = ("stratum", "population", "probability")
    return [
        read(*corpus[row.number][:2], 0, **{k: getattr(row, k) for k in names}, by=by)
        for row in drawn
    ]


def make_corpus(rng, size, least, chance):
    corpus = []
    for _ in range(size):
        n, risk = rng.randint(least, 12), rng.random()
        p = CHANCES[chance](rng, risk)
        corpus.append((n, sum(rng.random() < p for _ in range(n)), risk))
    return corpus


@pytest.mark.parametrize("by", DESIGNS)
@pytest.mark.parametrize("chance", CHANCES)
def test_intervals_hold_the_truth_as_often_as_they_say(chance, by):
    rng, held, runs = random.Random(7), [0, 0, 0], 60
    for seed in range(runs):
        corpus = make_corpus(rng, 400, 0, chance)
        missed = sum(y for _, y, _ in corpus)
        truth = [missed / sum(x for x, *_ in corpus), missed / 400]
        truth.append(sum(y > 0 for _, y, _ in corpus) / 400)
        row = estimate(sample(corpus, 40, by, seed))["direct"]
        names = ("interval", "per_document_interval", "documents_interval")
        for i, name in enumerate(names):
            low, high = row[name]
            held[i] += low - 1e-9 <= truth[i] <= high + 1e-9
    # Of 60 runs at 95 %, 52 with all but a hundredth of the chance.
    assert min(held) >= 52, held


@pytest.mark.parametrize("by", DESIGNS)
def test_the_share_is_unbiased(by):
    corpus = make_corpus(random.Random(3), 300, 1, "by risk")
    truth = sum(y for _, y, _ in corpus) / sum(x for x, *_ in corpus)
    samples = (sample(corpus, 30, by, seed) for seed in range(300))
    shares = [estimate(drawn)["direct"]["share"] for drawn in samples]
    assert sum(shares) / len(shares) == pytest.approx(truth, rel=0.1)


@given(st.lists(ROWS, min_size=1))
@settings(max_examples=80, deadline=None)
def test_an_interval_holds_its_share(rows):
    whole = [x for x, *_ in rows]
    part = [min(x, y) for x, y, _ in rows]
    share, edges = ratio(part, whole, [1 / p for *_, p in rows], ["a"] * len(rows))
    if not sum(whole):
        assert share is edges is None
    else:
        assert 0 <= edges[0] <= share + 1e-9 and share - 1e-9 <= edges[1] <= 1


def test_estimates_by_hand():
    # A corpus that was read has no uncertainty.
    docs = [read(4, i % 2, population=10, drawn=10) for i in range(10)]
    found = estimate(docs)
    assert found["complete"] and found["population"] == 10
    assert found["direct"]["interval"] == [0.125, 0.125]
    assert found["direct"]["per_document"] == 0.5
    assert found["quasi"]["share"] is found["quasi"]["interval"] is None
    assert not estimate(docs[:9])["complete"]
    # Weights stand for the strata.
    low = read(10, 0, stratum="low", population=90, drawn=1, probability=1 / 90)
    high = read(10, 5, stratum="high", population=10, drawn=1, probability=0.1)
    assert estimate([low, high])["direct"]["share"] == pytest.approx(0.05)
    assert estimate([])["direct"]["share"] is None
    # Nothing missed in fifty documents may be seven percent.
    docs = [read(10, 0, population=100_000, drawn=50, probability=0.0005)] * 50
    row = estimate(docs)["direct"]
    assert row["share"] == 0 and row["interval"] == pytest.approx([0, 0.074], abs=1e-3)
    more = [read(10, 0, population=100_000, drawn=500, probability=0.005)] * 500
    assert estimate(more)["direct"]["interval"][1] < 0.01


def write_lines(path, rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))


def test_reviewed_documents_are_read(tmp_path):
    (reviewed,) = cases(__file__, "reviewed")
    path = tmp_path / "reviewed.jsonl"
    write_lines(path, [reviewed])
    (doc,) = read_reviewed(path)
    assert doc.entities == {"direct": 1, "quasi": 1}
    # A part of a name is masked: it is missed.
    assert doc.missed == {"direct": 1, "quasi": 0}
    assert (doc.by, doc.population, doc.drawn) == ("random", 9, 3)
    again = {**reviewed, "review": {**reviewed["review"], "document": 1, "done": False}}
    write_lines(path, [reviewed, again])
    assert read_reviewed(path) == [doc]
    again["review"]["done"] = True
    write_lines(path, [reviewed, again])
    assert len(read_reviewed(path)) == 2
    for other in ({"document": 0}, {"page": "q"}):
        write_lines(path, [reviewed, {**again, "review": {**again["review"], **other}}])
        with pytest.raises(ValueError, match="there twice, or of another page"):
            read_reviewed(path)


@pytest.mark.parametrize("change, told", cases(__file__, "refused"))
def test_other_files_are_refused_without_their_text(tmp_path, change, told):
    (reviewed,) = cases(__file__, "reviewed")
    write_lines(tmp_path / "other.jsonl", [{**reviewed, **change}])
    with pytest.raises(ValueError, match=told) as error:
        read_reviewed(tmp_path / "other.jsonl")
    assert "Ann" not in str(error.value) and "Leeds" not in str(error.value)
