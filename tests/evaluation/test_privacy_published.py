"""The metrics against the benchmark's definitions, character by character, and against
what was published of masks that are known."""

import itertools
import re
from collections import Counter

import pytest
import spacy
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from spacy.training import Example

from spacy_deid.cli.evaluate import measure
from spacy_deid.corpora.readers import read_docs
from spacy_deid.corpora.report import Report
from spacy_deid.evaluation.gold import FUNCTION_WORDS, GoldDocument, Mention, read_golds
from spacy_deid.evaluation.privacy import PrivacyScorer
from spacy_deid.label_schemes import make_label_scheme

from ..cases import cases
from .test_privacy import annotated, evaluate_privacy

# Pieces of text; mentions and masks begin and end between them.
PIECES = ("Ann", "Lee's", "the", "of", "Mr", "no", ".", ",", "-", "£", "12", "45/02")
POSSESSIVE = "'s"


@st.composite
def documents(draw):
    pieces = draw(st.lists(st.sampled_from(PIECES), min_size=1, max_size=12))
    text, edges = "", [0]
    for piece in pieces:
        text += piece + draw(st.sampled_from(["", " "]))
        edges.append(len(text))
    return draw(annotated(text, st.sampled_from(edges), ids="xyz"))


def words(text, start, end):
    """Runs of letters and digits in a stretch of text."""
    runs = re.finditer(r"[^\W_]+", text[start:end])
    return [(start + run.start(), start + run.end()) for run in runs]


def needed(text, mention):
    """Characters of a mention that a mask has to cover: all but white space,
    punctuation, function words and the possessive."""
    start, end = mention[:2]
    left = {i for i in range(start, end) if text[i] not in " ,.-/'"}
    for a, b in words(text, start, end):
        possessive = text[a:b] == "s" and text[max(0, a - 1) : b] == POSSESSIVE
        if text[a:b].lower() in FUNCTION_WORDS or possessive:
            left -= set(range(a, b))
    return left


def oracle(gold, masks):
    """Counts by the definitions of the benchmark, with sets of characters."""
    covered = {i for start, end in masks for i in range(start, end)}
    counts = Counter()
    for layer in gold.annotators:
        entities = {}
        for m in layer:
            if m.identifier_type != "NO_MASK":
                entities.setdefault(m.entity_id, []).append(m)
        for mentions in entities.values():
            kinds = {m.identifier_type for m in mentions}
            kind = "direct" if "DIRECT" in kinds else "quasi"
            counts[kind] += 1
            left = any(needed(gold.text, m) - covered for m in mentions)
            counts[f"{kind}_masked"] += not left
        wanted = set()
        for m in itertools.chain(*entities.values()):
            wanted |= set(range(m.start_offset, m.end_offset))
        # Words of the text as far as they are covered.
        left = "".join(x if i in covered else " " for i, x in enumerate(gold.text))
        for a, b in words(left, 0, len(left)):
            counts["predicted_tokens"] += 1
            counts["predicted_tokens_right"] += set(range(a, b)) <= wanted
    return counts


@given(documents())
@settings(deadline=None, max_examples=120)
def test_counts_are_those_of_the_benchmarks_definitions(case):
    gold, masks = case
    # The benchmark takes a mention of nothing but function words and punctuation for
    # masked whatever is done; here its words have to be.
    assume(all(needed(gold.text, m) for layer in gold.annotators for m in layer))
    expected = oracle(gold, masks)
    counts = evaluate_privacy([gold], [masks])["counts"]
    names = "direct direct_masked quasi quasi_masked predicted_tokens"
    for name in (*names.split(), "predicted_tokens_right"):
        assert counts[name] == expected[name], name


def test_a_mention_of_function_words_alone_has_to_be_masked():
    gold = GoldDocument("Of the No.", [[Mention(0, 6, "ORG", "QUASI", "e")]])
    assert evaluate_privacy([gold], [[]])["entity_recall_quasi"] == 0
    assert evaluate_privacy([gold], [[(0, 6)]])["entity_recall_quasi"] == 1


def gold_documents(folder, parts=("train", "dev")):
    for part in parts:
        yield from read_golds(folder / f"{part}.jsonl", Report())


@pytest.mark.parametrize(
    "corpus, direct, quasi, clear, precision", cases(__file__, "shares")
)
def test_published_shares(shared_data, corpus, direct, quasi, clear, precision):
    golds = list(gold_documents(shared_data / corpus))
    layers = [layer for gold in golds for layer in gold.annotators]
    counts = Counter(m.identifier_type for layer in layers for m in layer)
    n = counts.total()
    assert counts["DIRECT"] / n == pytest.approx(direct, abs=0.02)
    assert counts["QUASI"] / n == pytest.approx(quasi, abs=0.04)
    assert counts["NO_MASK"] / n == pytest.approx(clear, abs=0.04)
    masked = [[m[:2] for layer in g.annotators for m in layer] for g in golds]
    scores = evaluate_privacy(golds, masked, bootstrap=200)
    assert scores["recall"] == scores["entity_recall"] == 1
    low, high = scores["confidence"]["precision"]
    if precision is not None:
        assert low < precision < high
    else:
        # Published is .52, of documents with several annotators, all of whose spans are
        # masked; with one annotator each there is less that others would leave.
        assert low > 0.52
    nothing = evaluate_privacy(golds, [[] for _ in golds])
    assert nothing["recall"] == nothing["entity_recall"] == 0
    assert nothing["precision"] is None and nothing["f1"] == 0


def test_both_commands_give_the_same(shared_data):
    """`spacy evaluate` by the scorer and `spacy deid evaluate` by what is replaced."""
    nlp = spacy.blank("en")
    folder = shared_data / "wiki_biographies"
    golds = list(gold_documents(folder, ("dev",)))[:6]
    tab, settings = make_label_scheme("tab"), {"limit": 6, "report": Report()}
    references = read_docs(nlp, folder / "dev.jsonl", tab, **settings)
    nlp.add_pipe("pii_gazetteer")
    nlp.add_pipe("pseudonymizer", config={"mask": "all"})
    measured = measure(nlp, golds)
    examples = []
    for reference in references:
        predicted = nlp(reference.text)
        # What is replaced, the pseudonymizer's own finds included.
        predicted.spans["pii"] = list(predicted.spans["deid"])
        examples.append(Example(predicted, reference))
    scored = PrivacyScorer(mask="all")(examples)
    assert measured["precision"] is not None
    for name in ("precision", "recall", "f1", "f5"):
        assert scored[f"deid_{name}"] == pytest.approx(measured[name], abs=0.02)
    for name in ("entity_recall_direct", "entity_recall_quasi", "docs_fully_masked"):
        assert scored[name] == pytest.approx(measured[name], abs=0.02)
