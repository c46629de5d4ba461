import logging
import math
import re

import numpy
import pytest
import spacy
from spacy.tokens import Doc, Span
from spacy.training import Example

from spacy_deid.models.masked_lm import MaskedLM, Query
from spacy_deid.models.pieces import cut_text
from spacy_deid.registries import registry
from spacy_deid.risk import perturbations
from spacy_deid.risk.gold import read_context as _context
from spacy_deid.risk.lm_probabilities import nats
from spacy_deid.risk.perturbations import Effect, Gold, Perturbations, fit_threshold
from spacy_deid.schema import DIRECT, NO_MASK, QUASI

from ..cases import cases
from ..models.learning import copies

TEXT = "anna smith was born in paris . smith is a painter from oslo and paris"
SPANS = cases(__file__, "spans")


def with_spans(nlp, text=TEXT, spans=SPANS):
    doc = nlp.make_doc(text)
    doc.spans["pii"] = [Span(doc, a, b, t) for a, b, t, _ in spans]
    doc.spans["pii"].attrs["entity_ids"] = [e for *_, e in spans]
    return doc


def context(nlp, text=TEXT, spans=SPANS):
    return _context(with_spans(nlp, text, spans))


def characters(nlp, text=TEXT, spans=SPANS):
    doc = nlp.make_doc(text)
    return [(doc[a:b].start_char, doc[a:b].end_char, t, e) for a, b, t, e in spans]


def by_hand(nlp, lm, text=TEXT, spans=SPANS):
    """The largest effect of each entity, one query after the other."""
    found = characters(nlp, text, spans)
    mentions = {}
    for a, b, _, entity in found:
        mentions.setdefault(entity, []).append((a, b))

    def total(start, end, *entities):
        masked = tuple(m for e in entities for m in mentions[e])
        return lm.log_probabilities([Query(text, start, end, masked)])[0].sum()

    out = {}
    for start, end, label, own in found:
        for other in set(mentions) - {own}:
            drop = total(start, end, own) - total(start, end, own, other)
            if other not in out or drop > out[other].drop:
                out[other] = Effect(drop, label)
    return out


def test_effects_by_hand(nlp, tiny_bert):
    (found,) = Perturbations(MaskedLM(tiny_bert)).effects([context(nlp)])
    wanted = by_hand(nlp, MaskedLM(tiny_bert))
    assert set(found) == set(wanted) == {0, 1, 2, 3}
    for entity, effect in wanted.items():
        assert found[entity].drop == pytest.approx(effect.drop, abs=1e-3)
        assert found[entity].label == effect.label


def test_only_entities_in_the_window_are_masked(nlp, tiny_bert):
    lm = MaskedLM(tiny_bert, window=14)
    words = "anna was a painter in paris and he was from the court of italy"
    text = f"{words} {'the ' * 30}{words}"
    spans = [(0, 1, "PERSON", 0), (3, 4, "DEM", 1), (5, 6, "LOC", 2)]
    spans += [(47, 48, "DEM", 3), (49, 50, "LOC", 4)]
    (found,) = Perturbations(lm).effects([context(nlp, text, spans)])
    # Three near each other, and two far away.
    assert lm.sequences == 3 + 3 + 2 + 1 and set(found) == {0, 1, 2, 3, 4}
    for low, high in lm.windows(text, [c[:2] for c in characters(nlp, text, spans)]):
        assert len(cut_text(text[low:high], lm.loaded.tokenizer).ids) == 12
    lonely = [(0, 1, "PERSON", 0), (44, 45, "PERSON", 3)]
    assert Perturbations(lm).effects([context(nlp, text, lonely)]) == [{}]


def test_documents_are_read_together(nlp, tiny_bert):
    lm = MaskedLM(tiny_bert)
    indicator = Perturbations(lm, threshold=0.1)
    contexts = [context(nlp, text) for text in (TEXT, TEXT + " .")]
    contexts.append(context(nlp, "anna", []))
    alone = [indicator(c) for c in contexts]
    before = lm.passes
    assert indicator.batch(contexts) == alone and lm.passes == before + 1
    assert indicator.batch([]) == []


def config_of(tiny_bert):
    lm = {"@deid_language_models": "spacy_deid.masked_lm.v1", "name": tiny_bert}
    return {"@deid_indicators": "spacy_deid.perturbations.v1", "language_model": lm}


def test_votes_reasons_and_abstentions(nlp, tiny_bert):
    effects = Perturbations(MaskedLM(tiny_bert)).effects([context(nlp)])[0]
    limit = sorted(e.drop for e in effects.values())[1]
    assert limit > 0
    config = {**config_of(tiny_bert), "threshold": limit}
    votes = registry.resolve({"i": config})["i"](context(nlp))
    for (*_, entity), vote in zip(SPANS, votes):
        effect = effects[entity]
        assert vote.decision == (QUASI if effect.drop > limit else NO_MASK)
        # Even odds at the threshold.
        odds = 1 / (1 + math.exp(limit - effect.drop))
        assert vote.probability == pytest.approx(odds, abs=1e-3)
        if vote.decision == QUASI:
            wanted = (
                rf"masking it makes a span of type {effect.label} harder to predict, "
                rf"by {nats(effect.drop)}; more than {nats(limit)}"
            )
        else:
            wanted = (
                rf"masking it makes no other span harder to predict by more than "
                rf"{nats(limit)} \((none at all|[\d.]+ nats at most)\)"
            )
        assert re.fullmatch(wanted, vote.reason), vote.reason
    assert {v.decision for v in votes} == {QUASI, NO_MASK}
    indicator = Perturbations(MaskedLM(tiny_bert), threshold=1.0)
    (vote,) = indicator(context(nlp, TEXT, SPANS[:1]))
    assert vote.abstains and vote.reason == "no vote, no other entity stands near it"
    # A line break has no word piece, so nothing can be said of it; it has no effect.
    doc = Doc(nlp.vocab, words=["anna", "\n", "smith"])
    doc.spans["pii"] = [Span(doc, 1, 2, "LOC"), Span(doc, 2, 3, "PERSON")]
    votes = indicator(_context(doc))
    assert [v.abstains for v in votes] == [False, True]
    assert "none at all" in votes[0].reason


def test_threshold_and_gold_of_entities_by_hand(nlp):
    first = [Gold(5.0, 1.0, 0.0, 2, 2.0), Gold(4.0, 0.0, 1.0, 1, 1.0)]
    more = [Gold(drop, 0.0, 1.0, 1, 1.0) for drop in (0.5, -2.0, None)]
    gold = [*first, Gold(1.0, 0.0, 0.0, 3, 0.0), *more]
    # After each: 1 + 1 + 0; 1 + 1 + 1/4; 3/6 + 1 + 1/4; 4/7 + 1 + 2/4.
    assert fit_threshold(gold) == 2.5
    # The last one of direct identifiers is worth the tokens beside it.
    direct = [*gold[1:4], Gold(0.4, 1.0, 0.0, 1, 1.0)]
    assert fit_threshold(direct) == pytest.approx(0.2)
    # Nothing helps to predict anything.
    assert fit_threshold(gold[4:]) == 0.0
    made = context(nlp, TEXT, SPANS[:4])
    targets = numpy.array([[0.5, 0.5, 0], [0, 0, 1], [0, 0.5, 0.5], [0, 0.25, 0.75]])
    effects = {0: Effect(1.5, "LOC"), 2: Effect(-1.0, "LOC")}
    found = perturbations.read_gold(made, targets, effects)
    # "anna smith" is masked by all and half of them say DIRECT; "smith" by half.
    rows = (1.5, 0.5, 0.5, 3, 2.5), (None, 0.0, 0.0, 1, 0.0), (-1.0, 0.0, 0.25, 1, 0.25)
    assert found == [Gold(*row) for row in rows]


def example(nlp, text, spans, masked):
    gold = nlp.make_doc(text)
    gold.spans["pii"] = [Span(gold, a, b, t, span_id=f"e{e}") for a, b, t, e in spans]
    decided = [Span(gold, a, b, masked.get(e, NO_MASK)) for a, b, _, e in spans]
    gold.spans["mask"] = decided
    return Example(nlp.make_doc(text), gold)


def pipeline(tiny_bert):
    nlp = spacy.blank("en")
    combine = {"@deid_combinations": "spacy_deid.any.v1", "among": ["others"]}
    config = {"indicators": {"others": config_of(tiny_bert)}, "combine": combine}
    nlp.add_pipe("risk_scorer", config=config)
    return nlp


def decisions(nlp, n_process=1):
    docs = list(nlp.pipe([with_spans(nlp) for _ in range(3)], n_process=n_process))
    (found,) = {tuple(s.label_ != NO_MASK for s in doc.spans["mask"]) for doc in docs}
    return found


def test_is_fitted_saved_and_loaded(tiny_bert, tmp_path):
    nlp = pipeline(tiny_bert)
    effects = by_hand(nlp, MaskedLM(tiny_bert))
    ranked = sorted(effects, key=lambda e: -effects[e].drop)
    assert effects[ranked[1]].drop > max(0, effects[ranked[2]].drop)
    masked = {ranked[0]: DIRECT, ranked[1]: QUASI}
    nlp.initialize(lambda: [example(nlp, TEXT, SPANS, masked)])
    fitted = nlp.get_pipe("risk_scorer").indicators["others"]
    assert effects[ranked[2]].drop < fitted.threshold < effects[ranked[1]].drop
    assert fitted.slope >= 0
    wanted = tuple(e in masked for *_, e in SPANS)
    assert decisions(nlp) == decisions(nlp, n_process=2) == wanted
    for other in copies(nlp, tmp_path):
        assert decisions(other) == wanted
    # A threshold of the config is not overwritten by a saved one.
    fixed = Perturbations(None, 1.0)
    assert fixed.from_bytes(fitted.to_bytes()).threshold == 1.0
    assert Perturbations(None).from_bytes(fixed.to_bytes()).threshold is None


def test_documents_without_gold_or_left_out_are_said(tiny_bert, caplog):
    nlp = pipeline(tiny_bert)
    settings = {"indicators": {"others": {"max_documents": 1}}}
    nlp.config["initialize"]["components"]["risk_scorer"] = settings
    made = [example(nlp, TEXT + end, SPANS, {0: QUASI}) for end in ("", " .", " ..")]
    lm = nlp.get_pipe("risk_scorer").indicators["others"].language_model
    with caplog.at_level(logging.INFO, "spacy"):
        nlp.initialize(lambda: made)
    assert "fitted on 1 of 3" in caplog.text and lm.sequences == 10
    nlp = pipeline(tiny_bert)
    with pytest.raises(ValueError, match="no document has both spans and gold"):
        nlp.initialize(lambda: [Example(nlp.make_doc(TEXT), nlp.make_doc(TEXT))])
    fixed = Perturbations(MaskedLM(tiny_bert), 2.0)
    fixed.initialize(lambda: iter(()))
    assert fixed.threshold == 2.0
