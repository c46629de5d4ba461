from pathlib import Path

import numpy
import pytest
import spacy
from spacy.tokens import Doc, DocBin, Span
from spacy.training import Example
from spacy.training.initialize import init_nlp
from spacy.util import load_config
from thinc.api import Adam, Model

from spacy_deid.models.span_risk import SpanContext
from spacy_deid.risk.gold import gold_decisions, span_targets, token_targets
from spacy_deid.risk.sequence_labelling import SequenceLabelling
from spacy_deid.schema import DIRECT, MASK_KEY, NO_MASK, QUASI, Candidate

from ..cases import cases
from ..models.learning import TOK2VEC, copies, judged, overfit

ROOT = Path(__file__).parents[2]
# Words, and (start, end, type, decision) of the spans.
TRAIN = cases(Path(__file__).parents[1] / "test_risk_scorer.py", "train")
INDICATOR = {"@deid_indicators": "spacy_deid.sequence_labelling.v1"}
ONLY = {"model": None, "indicators": {"known_direct": None, "sequence": INDICATOR}}
BOTH = {"indicators": {"sequence": INDICATOR},
        "combine": {"@deid_combinations": "spacy_deid.any.v1", "among": ["sequence"]}}  # fmt: skip
# Probabilities of DIRECT, QUASI and NO_MASK; the third word is white space.
ROWS = [[0.1, 0.1, 0.8], [0.7, 0.2, 0.1], [0.0, 0.0, 1.0], [0.1, 0.5, 0.4], [0.0, 0.1, 0.9]]  # fmt: skip
SPANS = [(0, 1), (1, 4), (3, 5), (1, 2)]


def make_examples(nlp, detected=True):
    out = []
    for words, spans in TRAIN:
        predicted = judged(nlp, words, spans if detected else [], gold=False)
        out.append(Example(predicted, judged(nlp, words, spans)))
    return out


def train(config, steps=40, detected=True):
    nlp = spacy.blank("en")
    nlp.add_pipe("risk_scorer", config=config)
    return nlp, overfit(nlp, make_examples(nlp, detected), steps)


def decide(nlp, words, spans):
    return nlp.get_pipe("risk_scorer")(judged(nlp, words, spans, gold=False))


def labels(doc):
    return [span.label_ for span in doc.spans[MASK_KEY]]


def check(nlp):
    for words, spans in TRAIN:
        assert labels(decide(nlp, words, spans)) == [d for *_, d in spans]


def test_tokens_outside_of_detected_spans_are_learnt_from_gold():
    # Nothing is detected in training: the gold of the tokens is there all the same.
    nlp, losses = train(ONLY, detected=False)
    assert losses[-1] < 0.05 * losses[0]
    check(nlp)


def test_round_trips(tmp_path):
    alone, _ = train(ONLY)
    docs = [judged(alone, *row, gold=False) for row in TRAIN]
    expected = [alone(doc.copy()).spans[MASK_KEY].attrs for doc in docs]
    assert [d.spans[MASK_KEY].attrs for d in alone.pipe(docs, n_process=2)] == expected
    for other in copies(alone, tmp_path):
        check(other)
        assert [decide(other, *row).spans[MASK_KEY].attrs for row in TRAIN] == expected
        # What was loaded can be trained on: spaCy finds the same weights.
        pipe = other.get_pipe("risk_scorer")
        assert list(pipe.model.walk())[1] is pipe.indicators["sequence"].model
    saved = (tmp_path / "risk_scorer" / "indicators" / "sequence").read_bytes()
    assert b"Murray" not in saved and b"Kowalska" not in saved
    assert labels(alone(judged(alone, "", [], gold=False))) == []
    pipe = alone.get_pipe("risk_scorer")
    assert list(pipe.pipe([])) == [] and pipe.indicators["sequence"].batch([]) == []


def test_classifier_and_indicator_learn_together(tmp_path):
    nlp, losses = train(BOTH, steps=60)
    assert losses[-1] < 0.1 * losses[0]
    check(nlp)
    pipe = nlp.get_pipe("risk_scorer")
    doc = decide(nlp, *TRAIN[0])
    vote = {"classifier": True, "known_direct": False, "sequence": True}
    assert doc.spans[MASK_KEY].attrs["votes"] == [vote] * 2
    # Each has its weights changed by the optimizer and by its averages.
    models = [pipe.classifier, pipe.indicators["sequence"].model]
    keys = [{(n.id, p) for n in m.walk() for p in n.param_names} for m in models]
    assert keys[0] and keys[1] and not keys[0] & keys[1]
    output = models[1].get_ref("output_layer")
    before = output.get_param("W").copy()
    with nlp.use_params({(output.id, "W"): numpy.zeros_like(before)}):
        assert not output.get_param("W").any()
        risks = decide(nlp, *TRAIN[0]).spans[MASK_KEY].attrs["risk"]
    assert (output.get_param("W") == before).all()
    assert risks != doc.spans[MASK_KEY].attrs["risk"]
    # An indicator can be switched off when loading.
    nlp.to_disk(tmp_path)
    combine = {"@deid_combinations": "spacy_deid.any.v1", "among": None}
    change = {"indicators": {"sequence": None}, "combine": combine}
    plain = spacy.load(tmp_path, config={"components": {"risk_scorer": change}})
    votes = decide(plain, *TRAIN[0]).spans[MASK_KEY].attrs["votes"]
    assert all(v.keys() == {"classifier", "known_direct"} for v in votes)


def of_tokens(rows):
    """A model that gives each token of a document its row, whatever it says."""

    def forward(model, docs, is_train):
        return [numpy.asarray(rows[: len(d)], dtype="f") for d in docs], lambda dY: docs

    output = Model("output", forward, dims={"nO": None}, params={"W": None})
    output.set_param("W", numpy.zeros((1, 1), dtype="f"))
    made = Model("by_hand", forward, layers=[output])
    made.set_ref("output_layer", output)
    return made


@pytest.mark.parametrize("match,expected", cases(__file__, "matches"))
@pytest.mark.parametrize("threshold", [0.3, 0.6, 0.61])
def test_strict_and_partial_match(match, expected, threshold, nlp):
    doc = Doc(nlp.vocab, words=["The", "Anna", "\n", "Smith", "."])
    settings = {"match": match, "source": "court judgments"}
    indicator = SequenceLabelling(of_tokens(ROWS), threshold, **settings)
    context = SpanContext(doc, [Candidate(*s, "PERSON") for s in SPANS], range(4))
    votes = indicator(context)
    assert [v.probability for v in votes] == expected
    masked = [p >= threshold for p in expected]
    assert [v.decision != NO_MASK for v in votes] == masked
    # Of the words of a span together: of the second .8 against .7.
    for vote, decision in zip(votes[1:], (DIRECT, QUASI, DIRECT)):
        assert vote.decision in (decision, NO_MASK)
    for vote, p, yes in zip(votes, expected, masked):
        assert f"masked in court judgments: {p:.2f}, " in vote.reason
        assert ("at least" in vote.reason.split(": ")[1]) == yes
    # White space alone counts with it.
    (vote,) = indicator(SpanContext(doc, [Candidate(2, 3, "PERSON")], [0]))
    assert vote.probability == 0.0


def test_the_mean_is_that_of_all_mentions_of_an_entity(nlp):
    # Two words of one entity in one mention, one in the other; and another entity.
    rows = [[0, 0.9, 0.1], [0, 0.6, 0.4], [0, 0, 1], [0.3, 0, 0.7], [0, 0.2, 0.8]]
    indicator = SequenceLabelling(of_tokens(rows), match="mean")
    doc = Doc(nlp.vocab, words=["Anna", "Smith", "and", "Anna", "Leeds"])
    rows = [(0, 2, "PERSON"), (3, 4, "PERSON"), (4, 5, "LOC")]
    votes = indicator(SpanContext(doc, [Candidate(*row) for row in rows], [5, 5, 3]))
    assert [v.probability for v in votes] == [0.6, 0.6, 0.2]
    assert [v.decision for v in votes] == [QUASI, QUASI, NO_MASK]


def two_annotators(nlp):
    """The second annotator masks the place, too, and the name as quasi identifier."""
    spans = [(0, 2, "PERSON", ""), (3, 4, "LOC", "")]
    reference = judged(nlp, "Anna Smith of Leeds", spans, gold=False)
    a, b = f"{MASK_KEY}:a", f"{MASK_KEY}:b"
    reference.spans[a] = [Span(reference, 0, 2, DIRECT)]
    reference.spans[b] = [Span(reference, i, j, QUASI) for i, j in ((0, 2), (3, 4))]
    words, spaces = ["Anna", "Smith", "of", "Lee", "ds"], [True] * 3 + [False] * 2
    return Example(Doc(nlp.vocab, words=words, spaces=spaces), reference)


def test_several_annotators_are_soft_targets(nlp):
    example = two_annotators(nlp)
    gold = gold_decisions(example)
    assert gold == [{0: DIRECT, 1: DIRECT}, {0: QUASI, 1: QUASI, 3: QUASI, 4: QUASI}]
    tokens = [[0.5, 0.5, 0], [0.5, 0.5, 0], [0, 0, 1], [0, 0.5, 0.5], [0, 0.5, 0.5]]
    numpy.testing.assert_allclose(token_targets(5, gold), tokens)
    spans = [Candidate(1, 4, "PERSON"), Candidate(2, 3, "MISC")]
    numpy.testing.assert_allclose(span_targets(spans, gold), [[0.5, 0.5, 0], [0, 0, 1]])
    indicator = SequenceLabelling()
    scores = [numpy.full((5, 3), 1 / 3, dtype="f")]
    docs, get_loss = indicator.prepare([example])
    assert docs == [example.predicted]
    loss, (gradient,) = get_loss(scores)
    assert loss == pytest.approx(5 * numpy.log(3), rel=1e-5)
    numpy.testing.assert_allclose(gradient, 1 / 3 - numpy.array(tokens), atol=1e-6)
    # Two labels: the share of those who mask.
    two = SequenceLabelling(labels="mask")
    _, (gradient,) = two.prepare([example])[1]([numpy.full((5, 2), 0.5, dtype="f")])
    numpy.testing.assert_allclose(gradient[:, 0], [-0.5, -0.5, 0.5, 0, 0])
    # What they disagree on is learnt as their share.
    pipe = nlp.add_pipe("risk_scorer", config=ONLY)
    examples = [two_annotators(nlp)]
    nlp.initialize(lambda: examples)
    optimizer = Adam(0.01)
    for _ in range(60):
        pipe.update(examples, sgd=optimizer)
    (probs,) = pipe.indicators["sequence"].probabilities([examples[0].predicted])
    expected = token_targets(5, gold_decisions(examples[0]))
    numpy.testing.assert_allclose(probs, expected, atol=0.1)


def test_documents_without_gold_teach_nothing(nlp):
    indicator = SequenceLabelling()
    plain = Example(Doc(nlp.vocab, words=["Anna"]), Doc(nlp.vocab, words=["Anna"]))
    empty = Example(Doc(nlp.vocab), Doc(nlp.vocab))
    assert indicator.prepare([plain, empty])[0] == []
    # Beside others they are read, for a shared encoder wants the whole batch.
    docs, get_loss = indicator.prepare([plain, empty, two_annotators(nlp)])
    assert [len(doc) for doc in docs] == [1, 5]
    scores = [numpy.full((n, 3), 1 / 3, dtype="f") for n in (1, 5)]
    assert not get_loss(scores)[1][0].any()
    pipe = nlp.add_pipe("risk_scorer", config=ONLY)
    optimizer = nlp.initialize(lambda: [plain, empty])
    assert pipe.update([plain, empty], sgd=optimizer) == {"risk_scorer": 0.0}
    assert pipe.update([], sgd=optimizer) == {"risk_scorer": 0.0}


def test_a_shared_encoder_serves_classifier_and_indicator(tmp_path):
    listener = {"@architectures": "spacy.Tok2VecListener.v1", "width": 32}
    config = {
        "model": {"@architectures": "spacy_deid.SpanEncoderRisk.v1", "tok2vec": listener,
                  "width": 4, "rows": 20, "hidden": 8},
        "indicators": {"sequence": {**INDICATOR, "model": {
            "@architectures": "spacy_deid.TokenTagger.v1", "tok2vec": listener}}},
        "combine": {"@deid_combinations": "spacy_deid.all.v1"},
    }  # fmt: skip
    nlp = spacy.blank("en")
    nlp.add_pipe("tok2vec", config={"model": {**TOK2VEC, "width": 32, "depth": 2}})
    nlp.add_pipe("risk_scorer", config=config)
    assert len(nlp.get_pipe("tok2vec").listener_map["risk_scorer"]) == 2
    # A document without gold in the batch, too.
    plain = judged(nlp, "Nobody", [], gold=False)
    overfit(nlp, [*make_examples(nlp), Example(plain, plain.copy())])
    nlp.to_disk(tmp_path)
    for made in (nlp, spacy.load(tmp_path)):
        for words, spans in TRAIN:
            doc = made(judged(made, words, spans, gold=False))
            assert labels(doc) == [d for *_, d in spans]


def test_errors_name_what_is_wrong(nlp):
    for settings, message in cases(__file__, "errors"):
        with pytest.raises(ValueError, match=message):
            SequenceLabelling(of_tokens([]), **settings)
    crf = {"@architectures": "spacy_deid.CRFTagger.v1", "tok2vec": TOK2VEC}
    made, full = spacy.registry.resolve({"model": crf})["model"], of_tokens([])
    full.get_ref("output_layer").set_dim("nO", 2)
    with pytest.raises(ValueError, match="needs probabilities of single tokens"):
        SequenceLabelling(made)
    with pytest.raises(ValueError, match="the model has 2 labels, but there are 3"):
        SequenceLabelling(full)
    nlp.add_pipe("risk_scorer", config=ONLY)
    with pytest.raises(ValueError, match="not initialized: train it first"):
        decide(nlp, *TRAIN[0])
    indicator = SequenceLabelling()
    indicator.initialize_model([])
    other = SequenceLabelling(labels="mask")
    for data in (other.to_bytes(), b"x", indicator.to_bytes()[:-9]):
        with pytest.raises(ValueError, match="damaged or does not fit"):
            SequenceLabelling().from_bytes(data)


def test_spacy_train_learns_from_the_configs(tmp_path):
    detectors = spacy.blank("en")
    docs = [judged(detectors, *row) for row in TRAIN] * 2
    DocBin(docs=docs).to_disk(tmp_path / "docs.spacy")
    detectors.add_pipe("pii_gazetteer")
    detectors.add_pipe("pii_ner")
    overfit(detectors, make_examples(detectors, detected=False), 40)
    detectors.to_disk(tmp_path / "detectors")
    overrides = dict.fromkeys(("train", "dev"), str(tmp_path / "docs.spacy"))
    overrides["detectors"] = str(tmp_path / "detectors")
    overrides = {f"paths.{name}": path for name, path in overrides.items()}
    training = {"max_steps": 40, "eval_frequency": 40, "dropout": 0.0}
    rate = {"warmup_steps": 5, "initial_rate": 0.01}
    training |= {f"optimizer.learn_rate.{name}": value for name, value in rate.items()}
    overrides |= {f"training.{name}": value for name, value in training.items()}
    for name in ("risk", "risk_sequence_tok2vec", "risk_span_tok2vec"):
        made = init_nlp(load_config(ROOT / "configs" / f"{name}.cfg", overrides))
        # Each evaluation would save a model, which takes as long as the training.
        trained, _ = spacy.training.loop.train(made)
        cleaning = {"clean": made.config["training"]["before_to_disk"]}
        spacy.registry.resolve(cleaning)["clean"](trained).to_disk(tmp_path / name)
        best = spacy.load(tmp_path / name)
        assert best.meta["performance"]["deid_f1"] > 0.8, name
        for doc in best.pipe(words for words, _ in TRAIN):
            masked = {s.text for s in doc.spans[MASK_KEY] if s.label_ != NO_MASK}
            assert doc.spans[MASK_KEY] and not {"Costa", "Weber"} & masked
