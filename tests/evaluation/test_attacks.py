"""Attacks on de-identified documents: where the truth is known, they find it."""

import itertools
import math
import random

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st

from spacy_deid.corpora.convert import blank_pipeline
from spacy_deid.corpora.readers import make_gold_doc, read_records
from spacy_deid.corpora.report import Report
from spacy_deid.evaluation import attacks
from spacy_deid.evaluation.attacks import Name, Release, measure, release_often
from spacy_deid.evaluation.linkage import TfidfMatcher, chance, measure_linkage
from spacy_deid.label_schemes import make_label_scheme

from ..annotated import record

SCHEME = make_label_scheme("tab")
SYLLABLES = [a + b for a in "bdfgklmnprst" for b in "aeiou"]
row = st.lists(st.tuples(st.booleans(), st.integers(0, 4)), max_size=6)
rows = st.lists(row, max_size=6)


def auc(yes, no):
    """Share of pairs in which the first has the higher score; equal ones count half."""
    return sum((a > b) + (a == b) / 2 for a in yes for b in no) / len(yes) / len(no)


def make_gold(nlp, markup, doc_id="d"):
    return make_gold_doc(nlp, [record(markup, doc_id)], SCHEME, Report())


def make_names(n, ending, seed):
    rng = random.Random(seed)
    found = {}
    while len(found) < n:
        found["".join(rng.choices(SYLLABLES, k=3)).capitalize() + ending] = None
    return list(found)


def make_docs(nlp, n, names, seed):
    """Documents in which each of ten persons is named once or twice."""
    rng = random.Random(seed)
    docs = []
    for k in range(n):
        text = ""
        persons = rng.sample(names, 10)
        for name in rng.sample(persons + rng.sample(persons, 5), 15):
            text += rng.choice(["Then we saw ", "Nobody knew ", "It was said that "])
            text += f"[{name}](PERSON DIRECT {name})"
            text += rng.choice([" went home. ", " was late. "])
        docs.append(make_gold(nlp, text, str(k)))
    return docs


def draw_from(names):
    def strategy(mentions, context):
        drawn = {}
        for mention in mentions:
            if mention.entity_id not in drawn:
                rng = context.random_for("name", f"{context.document}{mention.text}")
                new = rng.choice(names)
                while context.forbidden(new) or new in drawn.values():
                    new = rng.choice(names)
                drawn[mention.entity_id] = new
        return [drawn[mention.entity_id] for mention in mentions]

    return strategy


@pytest.fixture(scope="module")
def blank():
    return blank_pipeline("en")


@pytest.fixture(scope="module")
def originals():
    return make_names(400, "n", 1)


@pytest.fixture(scope="module")
def train(blank, originals):
    return make_docs(blank, 40, originals, 2)


@pytest.fixture(scope="module")
def dev(blank, originals):
    return make_docs(blank, 40, originals, 3)


def pseudonymizer(blank, strategy, mask="all"):
    pipe = blank.create_pipe("pseudonymizer", config={"mask": mask})
    pipe.strategy = strategy
    return pipe


def test_attackers_tell_surrogates_of_a_list_of_its_own(blank, originals, train, dev):
    pytest.importorskip("sklearn", reason="the attack needs scikit-learn")
    marked = make_names(400, "th", 4)
    pipe = pseudonymizer(blank, draw_from(marked))
    releases, groups = release_often(dev, pipe, 2, seed=1)
    words = {word for name in marked for word in attacks.split_words(name)}
    matcher = attacks.lexicon_scorer([words])
    found = measure(releases, matcher, groups=groups, bootstrap=200)
    assert found["advantage"] == found["auc"] == found["precision"] == 1.0
    assert found["confidence"]["advantage"] == [1.0, 1.0]
    learnt, _ = release_often(train, pipe, 1, (0.2, 0.4), seed=2)
    attacker = attacks.train_attacker(learnt)
    found = measure(releases, attacker, groups=groups, bootstrap=200)
    assert found["advantage"] > 0.95 and found["auc"] > 0.99


def test_attackers_gain_nothing_if_all_is_of_one_list(blank, originals, train, dev):
    pytest.importorskip("sklearn", reason="the attack needs scikit-learn")
    pipe = pseudonymizer(blank, draw_from(originals))
    releases, groups = release_often(dev, pipe, 5, seed=1)
    learnt, _ = release_often(train, pipe, 2, (0.2, 0.4), seed=2)
    lexicon = attacks.lexicon_scorer([map(str.lower, originals)])
    for scorer in (lexicon, attacks.train_attacker(learnt)):
        found = measure(releases, scorer, groups=groups)
        assert found["originals"] > 150 and abs(found["advantage"]) < 0.15
        low, high = found["confidence"]["auc"]
        assert low < 0.55 and high > 0.45 and high - low < 0.25


def test_releases_tell_where_originals_and_surrogates_stand(blank, dev):
    pipe = pseudonymizer(blank, "full_entity")
    pipe.set_key(b"k")
    for i, doc in enumerate(dev[:10]):
        leaks = attacks.choose_leaks(doc, random.Random(i), (0.3, 0.5))
        assert leaks
        before = {key: len(group) for key, group in doc.spans.items()}
        out = attacks.release(doc, pipe, leaks)
        assert {key: len(group) for key, group in doc.spans.items()} == before
        texts = [out.text[n.start : n.end] for n in out.names]
        left = [t for t, n in zip(texts, out.names) if n.original]
        assert left == [s.text for s in doc.spans["pii"] if s.id_ in leaks]
        drawn = {t for t, n in zip(texts, out.names) if not n.original}
        assert drawn and not drawn & {span.text for span in doc.spans["pii"]}
        assert len(texts) == len(doc.spans["pii"])
    # Another mention of what is masked is replaced, whoever missed it.
    markup = "[Anna Kowalska](PERSON QUASI a) left. Mrs [Kowalska](PERSON QUASI b)"
    doc = make_gold(blank, f"{markup} came to [Leeds](LOC QUASI c).")
    out = attacks.release(doc, pseudonymizer(blank, "full_entity"), {"b", "c"})
    assert "Kowalska" not in out.text
    assert [n.original for n in out.names] == [False, False, True]
    assert out.text[out.names[-1].start : out.names[-1].end] == "Leeds"


def test_gold_is_masked_by_its_decisions(blank):
    doc = make_gold(blank, "[Anna](PERSON DIRECT a) met [Bert](PERSON NO_MASK b).")
    for mask, left in (("risky", True), ("all", False)):
        new = pseudonymizer(blank, "redact", mask)(attacks.mask_gold(doc))
        assert ("Bert" in new._.deid_text) is left and "Anna" not in new._.deid_text
    # What chance leaves as it is, is an original.
    risky = pseudonymizer(blank, "redact", "risky")
    found = attacks.find_names(risky(attacks.mask_gold(doc)), doc.spans["pii"])
    assert [(n.original, n.label) for n in found.names] == [(True, "PERSON")]


def test_the_attacker_does_not_see_the_answers(blank, dev):
    pipe = pseudonymizer(blank, "full_entity")
    leaks = attacks.choose_leaks(dev[0], random.Random(1), (0.5, 0.5))
    out = attacks.release(dev[0], pipe, leaks)
    flipped = [n._replace(original=not n.original) for n in out.names]
    assert attacks.describe(out) == attacks.describe(out._replace(names=flipped))
    # Features of text that is no surrogate's: the type's name is in most of them.
    assert all("bias" in row and len(row) > 20 for row in attacks.describe(out))
    pytest.importorskip("sklearn", reason="the attack needs scikit-learn")
    both = Release("Anna Bert", [Name(0, 4, "PERSON", True), Name(5, 9, "LOC", False)])
    attacker = attacks.train_attacker([both])
    empty = Release("nothing here", [])
    assert attacker(empty).shape == attacks.lexicon_scorer()(empty).shape == (0,)
    found = measure([empty], attacker)
    assert found["advantage"] is found["auc"] is None
    assert found["confidence"] == {"advantage": None, "auc": None}


@given(rows)
def test_measures_are_those_of_their_definitions(documents):
    names = ([Name(0, 0, "PERSON", told) for told, _ in d] for d in documents)
    releases = [Release("", own) for own in names]
    scores = {id(r): [s / 4 for _, s in d] for r, d in zip(releases, documents)}
    found = measure(releases, lambda r: numpy.asarray(scores[id(r)]), bootstrap=20)
    yes = [s / 4 for d in documents for original, s in d if original]
    no = [s / 4 for d in documents for original, s in d if not original]
    assert (found["originals"], found["surrogates"]) == (len(yes), len(no))
    if not yes or not no:
        assert found["advantage"] is found["auc"] is None
        return
    tpr, fpr = (sum(s > 0.5 for s in part) / len(part) for part in (yes, no))
    assert found["tpr"] == pytest.approx(tpr)
    assert found["advantage"] == pytest.approx(tpr - fpr)
    assert found["auc"] == pytest.approx(auc(yes, no))
    for low, high in filter(None, found["confidence"].values()):
        assert -1.0 <= low <= high <= 1.0


def test_intervals_are_of_documents():
    """One document with all the names tells nothing of others, however many it has."""
    names = [Name(0, 0, "PERSON", True)] * 50 + [Name(0, 0, "PERSON", False)] * 50
    right, wrong = numpy.repeat([1.0, 0.0], 50), numpy.repeat([0.0, 1.0], 50)
    releases = [Release(str(i), list(names)) for i in range(4)]

    def scorer(release):
        return right if int(release.text) % 2 else wrong

    found = measure(releases, scorer)
    assert found["advantage"] == 0.0 and found["confidence"]["advantage"] == [-1.0, 1.0]
    # Two and two are one document each.
    found = measure(releases, scorer, groups=[0, 0, 1, 1])
    assert found["confidence"]["advantage"] == [0.0, 0.0]


def biographies(n):
    """Leads and articles, each pair with words of its own."""
    rng = random.Random(7)
    known, leads, names = [], [], []
    for i in range(n):
        name = f"{rng.choice(SYLLABLES)}x{i}q".capitalize()
        town = f"{rng.choice(SYLLABLES)}v{i}w".capitalize()
        known.append(f"{name} came to {town} as a child and stayed there.")
        leads.append(f"{name} was a writer of {town} who wrote many books.")
        names.append((name, town))
    return known, leads, names


@pytest.fixture(scope="module")
def matchers(load_benchmark):
    pytest.importorskip("sklearn", reason="the matchers need scikit-learn")
    return load_benchmark("matchers")


def test_texts_are_linked_before_and_not_after_redaction_and_bm25_by_hand(matchers):
    known, leads, names = biographies(60)
    answers = list(range(60))
    half = [lead.replace(name, "***") for lead, (name, _) in zip(leads, names)]
    redacted = [lead.replace(town, "***") for lead, (_, town) in zip(half, names)]
    for matcher in (TfidfMatcher(known), matchers.Bm25Matcher(known)):
        before = measure_linkage(matcher(leads), answers)
        assert before["top1"] == before["mrr"] == 1.0
        assert before["confidence"]["top1"] == [1.0, 1.0]
        after = measure_linkage(matcher(redacted), answers)
        for key, value in chance(60).items():
            assert after[key] == pytest.approx(value, abs=0.02)
        # One of the two is enough.
        assert measure_linkage(matcher(half), answers)["top1"] == 1.0
    # idf · tf · (k1 + 1) / (tf + k1 · (1 - b + b · length / mean length)).
    matcher = matchers.Bm25Matcher(["lion lion zebra", "zebra", "giraffe"])
    scores = matcher(["lion", "zebra"])
    lion = math.log1p((3 - 1 + 0.5) / (1 + 0.5))
    zebra = math.log1p((3 - 2 + 0.5) / (2 + 0.5))
    long, short = (1.2 * (0.25 + 0.75 * n / (5 / 3)) for n in (3, 1))
    assert scores[0].tolist() == pytest.approx([lion * 2 * 2.2 / (2 + long), 0, 0])
    other = [zebra * 2.2 / (1 + long), zebra * 2.2 / (1 + short), 0]
    assert scores[1].tolist() == pytest.approx(other)


def test_an_encoder_links_by_the_nearest_windows(tiny_bert, matchers):
    """Equal texts have a cosine of 1; a long one is found by any of its windows."""
    known = ["the cat", "a dog and a cat " * 40 + "met a horse", "one two"]
    matcher = matchers.DenseMatcher(known, str(tiny_bert), window=16, batch=2)
    scores = matcher([*known, "met a horse"])
    assert scores.shape == (4, 3) and (scores <= 1 + 1e-5).all()
    assert scores.diagonal() == pytest.approx(numpy.ones(3), abs=1e-5)


def test_an_attribute_is_told_where_something_tells_it(load_benchmark):
    pytest.importorskip("sklearn", reason="the classifier needs scikit-learn")
    measure_inference = load_benchmark("attribute_inference").measure_inference
    rng = random.Random(5)
    values = [rng.choice("ab") for _ in range(80)]
    words = {"a": "harbour", "b": "orchard"}
    noise = [" ".join(rng.choices(SYLLABLES, k=8)) for _ in values]
    told = measure_inference([f"{n} {words[v]}" for n, v in zip(noise, values)], values)
    assert told["accuracy"] > 0.8 and told["confidence"]["advantage"][0] > 0.2
    low, high = measure_inference(noise, values)["confidence"]["advantage"]
    assert low < 0.1 and high > -0.25
    with pytest.raises(ValueError, match="two values"):
        measure_inference(["x", "y"], ["a", "a"])


@given(
    st.lists(st.lists(st.integers(0, 2), min_size=3, max_size=3), max_size=4),
    st.lists(st.integers(0, 2), min_size=4, max_size=4),
)
def test_equal_scores_are_taken_in_random_order(scores, answers):
    table = numpy.asarray(scores, dtype="float64").reshape(-1, 3)
    found = measure_linkage(table, answers[: len(table)], bootstrap=0)
    # As many of each document: the mean of all is that of the documents' means.
    ranks = [
        sorted(order, key=lambda i: -row[i]).index(answer) + 1
        for row, answer in zip(scores, answers)
        for order in itertools.permutations(range(3))
    ]
    if scores:
        assert found["top1"] == pytest.approx(numpy.mean([r == 1 for r in ranks]))
        assert found["mrr"] == pytest.approx(numpy.mean([1 / r for r in ranks]))
        assert found["top10"] == pytest.approx(1.0)
    else:
        assert found["top1"] is None


def test_surrogates_hide_names_better_than_placeholders(blank, shared_data):
    pytest.importorskip("sklearn", reason="the attack needs scikit-learn")
    paths = (shared_data / "wiki_biographies" / f"{n}.jsonl" for n in ("train", "dev"))
    train, dev = (
        [make_gold_doc(blank, [r], SCHEME, Report()) for r in read_records(path)]
        for path in paths
    )
    found = {}
    for strategy in ("named_placeholder", "full_entity"):
        pipe = pseudonymizer(blank, strategy)
        learnt, _ = release_often(train, pipe, 1, (0.2, 0.4), 1)
        attacker = attacks.train_attacker(learnt)
        releases, groups = release_often(dev, pipe, 2, seed=2)
        found[strategy] = measure(releases, attacker, groups=groups, bootstrap=200)
        assert found[strategy]["originals"] > 20
    assert found["named_placeholder"]["advantage"] > 0.7
    assert found["full_entity"]["auc"] < found["named_placeholder"]["auc"] - 0.05
