import random
import re
from dataclasses import replace

import numpy
import pytest
import spacy

from spacy_deid.corpora.samples import ANSWER, Sample
from spacy_deid.evaluation.utility.deidentify import Deidentifier
from spacy_deid.evaluation.utility.protocol import compare, delta_interval
from spacy_deid.evaluation.utility.reading import best_f1
from spacy_deid.evaluation.utility.tasks import AnswerTask, CategoryTask, EntityTask
from spacy_deid.surrogates.strategies.base import get_strategy
from spacy_deid.surrogates.strategies.by_chance import make_by_chance
from spacy_deid.tokenizer import blank_pipeline

from ..models.learning import PEOPLE, TOWNS, add_ruler


def paragraph(i):
    name, town = PEOPLE[i % 4], TOWNS[i % 4]
    text = f"{name} was born in {town}. Later {name} sold tea."
    rows = [(name, "name", 0), (town, "town", 0), (town, ANSWER, 1), ("tea", ANSWER, 2)]
    spans = []
    for part, *more in rows:
        at = text.index(part)
        spans.append((at, at + len(part), *more))
    questions = (f"Where was {name} born?", f"What did {name} sell?")
    return Sample(str(i), (text, *questions), tuple(spans))


def paragraphs(n=4):
    return [paragraph(i) for i in range(n)]


@pytest.fixture(scope="module")
def nlp():
    nlp = spacy.blank("en")
    add_ruler(nlp, "pii", {"PERSON": PEOPLE, "LOC": TOWNS})
    nlp.add_pipe("pseudonymizer")
    return nlp


def deidentifier(nlp, strategy, types=None):
    pipe = nlp.create_pipe("pseudonymizer")
    pipe.set_key(b"of a test")
    pipe.strategy = get_strategy(strategy) if isinstance(strategy, str) else strategy
    return Deidentifier(nlp, pipe, types)


@pytest.mark.parametrize("strategy", ["full_entity", "redact", "typed_placeholder"])
def test_answers_and_questions_follow_the_text(nlp, strategy):
    samples = paragraphs()
    for old, new in zip(samples, deidentifier(nlp, strategy)(samples)):
        context, born, sold = new.texts
        found = [(context[a:b], label, n) for a, b, label, n in new.spans]
        where, what = ([part for part, _, n in found if n == i] for i in (1, 2))
        # An answer that was not replaced is the same, elsewhere.
        assert what == ["tea"] and len(where) == 1 and where[0] in context
        name = next(part for part, label, _ in found if label == "name")
        # One mapping for the paragraph and its questions: they still ask for the same.
        assert born == f"Where was {name} born?" and sold == f"What did {name} sell?"
        assert context == f"{name} was born in {where[0]}. Later {name} sold tea."
        for original in (PEOPLE[int(old.id)], TOWNS[int(old.id)]):
            assert all(original not in text for text in new.texts)


def test_the_labels_of_the_task_say_what_is_replaced(nlp):
    blank = blank_pipeline("en")
    new = deidentifier(blank, "full_entity", {"name": "PERSON"})(paragraphs())
    for i, sample in enumerate(new):
        assert PEOPLE[i] not in sample.texts[0] and TOWNS[i] in sample.texts[0]
        # What is masked is masked in the questions as well.
        assert all(PEOPLE[i] not in text for text in sample.texts)
    # Words of grammar are nobody: whose list it is may be told by "my".
    text = "Put it on my list and on Ann's, from the US at six."
    spans = (10, 12, "owner", 0), (25, 28, "owner", 0)
    spans += (41, 43, "land", 0), (47, 50, "time", 0)
    types = {"owner": "PERSON", "land": "LOC", "time": "DATETIME"}
    [new] = deidentifier(nlp, "full_entity", types)([Sample("1", (text,), spans)])
    assert new.texts[0].startswith("Put it on my list and on ")
    assert not re.search(r"\b(?:Ann|US|six)\b", new.texts[0])


@pytest.mark.parametrize("types", [None, {"name": "PERSON", "town": "LOC"}])
def test_turns_of_a_dialogue_share_their_surrogates(nlp, types):
    turns = [replace(paragraph(i), group=g) for i, g in zip((0, 1, 0, 0, 4), "aaabb")]
    new = deidentifier(nlp, "full_entity", types)(turns)
    assert [s.group for s in new] == [*"aaabb"]
    named = [{s.texts[0][a:b] for a, b, x, _ in s.spans if x == "name"} for s in new]
    assert named[0] == named[2] != named[1] and named[3] == named[4]
    for old, sample, (name,) in zip(turns, new, named):
        assert len(sample.texts) == 3 and len(sample.spans) == len(old.spans)
        assert sample.texts[0].startswith(f"{name} was born in ")
        assert sample.texts[1] == f"Where was {name} born?"


def test_every_strategy_has_a_probability(nlp):
    samples = [Sample(s.id, (f"{s.id}: {s.texts[0]}",)) for s in paragraphs(40)]
    for name in ("redact", "named_placeholder", "word_by_word", "full_entity"):
        kept = {}
        for p in (0.0, 0.5, 1.0):
            made = deidentifier(nlp, make_by_chance(get_strategy(name), p))
            new = made(samples)
            kept[p] = sum(PEOPLE[i % 4] in s.texts[0] for i, s in enumerate(new))
            if name == "word_by_word":
                assert (made.epsilon == 0) == (p == 1)
                assert (made.epsilon < 20) == (p > 0)
        assert kept[0.0] == 40 and 8 < kept[0.5] < 32 and kept[1.0] == 0, name
    with pytest.raises(ValueError, match="from 0 to 1"):
        make_by_chance(None, 1.5)


class Guess:
    """A task whose models are right as often as their training texts say."""

    metric = "accuracy"

    def train(self, samples, seed):
        right = sum("good" in s.texts[0] for s in samples) / len(samples)

        def score(others):
            rng = random.Random(seed)
            return numpy.array([(float(rng.random() < right), 1.0) for _ in others])

        return score


def test_the_protocol_and_its_intervals():
    train = [Sample(str(i), ("good",)) for i in range(10)]
    test = [Sample(str(i), ("x",)) for i in range(200)]
    runs = []

    def spoil(samples, run):
        runs.append(run)
        spoilt = [replace(s, texts=("bad",)) for s in samples]
        return [(s, bad)[i % 2] for i, (s, bad) in enumerate(zip(samples, spoilt))]

    ways = {"same": lambda samples, run: [*samples], "half": spoil}
    first, same, half = compare(Guess(), train, test, ways, [0, 1, 2])
    assert first["on_original"]["mean"] == 1 and first["delta"] is None
    assert same["delta"] == 0 and same["interval"] == [0, 0]
    assert half["delta"] == pytest.approx(-0.5, abs=0.08)
    # Training and test samples are made anew in each run.
    assert runs == [0, 0, 1, 1, 2, 2]
    low, high = half["interval"]
    assert low < half["delta"] < high < -0.3
    original = half["on_original"]
    assert len(original["seeds"]) == 3 and original["deviation"] > 0
    for seeds, texts in (([0, 1], test), ([0, 0, 0], test), ([0, 1, 2], [])):
        with pytest.raises(ValueError, match="seeds|nothing"):
            compare(Guess(), train, texts, ways, seeds)
    rng = numpy.random.default_rng(4)
    held = 0
    for run in range(60):
        easy = rng.random(80)
        tables = []
        for quality in (0.9, 0.7):
            right = [rng.random(80) < easy * quality for _ in range(5)]
            tables.append([numpy.stack([x, numpy.ones(80)], axis=1) for x in right])
        low, high = delta_interval(*tables, seed=run)
        held += low <= (0.7 - 0.9) * 0.5 <= high
    # Of 60 at 95 %, 52 with all but a hundredth of the chance.
    assert held >= 52


def test_models_learn(tmp_path):
    ents = []
    for i in range(24):
        name = PEOPLE[i % 4]
        spans = ((0, len(name), "name", 0),)
        texts = (f"{name} left {TOWNS[i % 4]}",)
        ents.append(Sample(str(i), texts, spans, ("ab"[i % 2],)))
    settings = {"epochs": 8, "batch_size": 4, "learn_rate": 0.01}
    words = CategoryTask(exclusive=False, encoder="words", **settings)
    for task in (EntityTask(**settings), CategoryTask(**settings), words):
        sums = task.train(ents, 0)(ents).sum(axis=0)
        assert sums[0] / sums[1] > 0.9, task
    asked = paragraphs(12)
    task = AnswerTask(width=32, epochs=20, learn_rate=0.005)
    sums = task.train(asked, 0)(asked).sum(axis=0)
    assert sums[1] == 24 and sums[0] / sums[1] > 0.9
    with pytest.raises(ValueError, match="encoder: use one of"):
        EntityTask(encoder="magic").train(ents, 0)
    with pytest.raises(ValueError, match="no questions with answers"):
        task.train(ents, 0)
    assert best_f1("the tea", ["tea", "coffee"]) == 1
    assert best_f1("green tea", ["tea"]) == pytest.approx(2 / 3)
    assert best_f1("milk", ["tea"]) == 0
