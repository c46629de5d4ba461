"""Ranks of canaries among candidates."""

import math
import random

import pytest
import spacy
from spacy.tokens import Span
from spacy.training import Example
from thinc.api import Config

from spacy_deid.evaluation.exposure import CHANCE, auc, auc_error, confidences, exposure
from spacy_deid.pii_ner import DEFAULT_MODEL


def test_exposure_by_hand():
    unseen = [float(i) for i in range(1023)]
    assert exposure(5000, unseen) == 10
    assert exposure(-1, unseen) == 0
    # 511 rank before it, so it is the 512th of 1,024.
    assert exposure(511.5, unseen) == pytest.approx(1)


def test_equal_scores_tell_nothing():
    assert exposure(0.5, [0.5] * 6) == pytest.approx(math.log2(7) - 2)


def test_chance_is_the_mean_of_uniform_ranks():
    rng = random.Random(0)
    unseen = [rng.random() for _ in range(2000)]
    drawn = [exposure(rng.random(), unseen) for _ in range(4000)]
    assert sum(drawn) / len(drawn) == pytest.approx(CHANCE, abs=0.1)


def test_auc_by_hand():
    assert auc([3, 2], [1, 2]) == pytest.approx((2 + 1.5) / 4)
    assert auc([1, 2, 3], [1, 2, 3]) == pytest.approx(0.5)
    assert auc([9], [1, 2]) == 1 and auc([0], [1, 2]) == 0
    # Of chance: sqrt((n + m + 1) / (12 n m)).
    assert auc_error(0.5, 50, 80) == pytest.approx(math.sqrt(131 / (12 * 4000)))


def test_what_was_learned_by_heart_is_exposed():
    spacy.util.fix_random_seed(0)
    nlp = spacy.blank("en")
    model = Config().from_str(DEFAULT_MODEL)["model"]
    model["tok2vec"].update(width=32, depth=1, embed_size=500)
    nlp.add_pipe("pii_ner", config={"model": model})
    planted = ["Velmora", "Tarsivo", "Quindel"]
    # The context says nothing: only the name itself tells the label.
    texts = [f"it says {name} here" for name in planted]
    texts += [f"it says {word} here" for word in ("Nothing", "Monday", "Twelve")]
    examples = []
    for text in texts:
        doc = nlp.make_doc(text)
        is_name = doc[2].text in planted
        doc.spans["pii"] = [Span(doc, 2, 3, label="PERSON")] if is_name else []
        examples.append(Example(nlp.make_doc(text), doc))
    optimizer = nlp.initialize(lambda: examples)
    for _ in range(40):
        nlp.update(examples, sgd=optimizer)
    unseen = ["Belvano", "Morsiti", "Landric", "Soveran", "Pelgano", "Dorvema", "Kast"]
    templates = ["it says {} here", "then {} came ."]
    seen_scores = confidences(nlp, planted, "PERSON", templates)
    unseen_scores = confidences(nlp, unseen, "PERSON", templates)
    assert auc(seen_scores, unseen_scores) > 0.9
    assert max(exposure(s, unseen_scores) for s in seen_scores) == 3
    with pytest.raises(ValueError, match="no recognizer"):
        confidences(nlp, planted, "LOC", templates)
