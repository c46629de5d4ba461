from pathlib import Path

import numpy
import pytest
import spacy
from spacy.cli.train import train as spacy_train
from spacy.tokens import Doc, DocBin, Span, SpanGroup
from spacy.training import Example
from thinc.api import Config

from spacy_deid.entities.trimming import trim_spans
from spacy_deid.label_schemes import make_label_scheme
from spacy_deid.models.trainable import gold_spans
from spacy_deid.pii_ner import DEFAULT_MODEL
from spacy_deid.schema import NER_KEY, PII_KEY

from .cases import cases
from .models.learning import copies, gold_examples, overfit

VOCABS = {lang: spacy.blank(lang).vocab for lang in ("en", "de", "es", "ru")}


def read_gold(name):
    rows = cases(__file__, name)
    return [(words, [tuple(span) for span in spans]) for words, spans in rows]


TRAIN = read_gold("train")
TEXTS = [text for text, _ in TRAIN]
TINY = Config().from_str(DEFAULT_MODEL)["model"]
TINY["tok2vec"].update(width=32, depth=2, embed_size=200)


def make_examples(nlp, **attrs):
    examples = gold_examples(nlp, TRAIN)
    for example in examples:
        example.reference.spans[PII_KEY].attrs.update(attrs)
    return examples


def untrained(lang="xx", **config):
    nlp = spacy.blank(lang)
    return nlp, nlp.add_pipe("pii_ner", config={"model": TINY, **config})


def train(make=make_examples, lang="xx", **config):
    nlp, _ = untrained(lang, **config)
    return nlp, overfit(nlp, make(nlp), learn_rate=0.001)


def found(doc, key=NER_KEY):
    return [(s.start, s.end, s.label_) for s in doc.spans[key]]


@pytest.fixture(scope="module")
def learnt():
    return train()


@pytest.fixture(scope="module")
def trained(learnt):
    return learnt[0]


def test_overfits_to_exact_spans(learnt):
    nlp, losses = learnt
    assert losses[-1] < 0.05 * losses[0]
    for text, spans in TRAIN:
        doc = nlp(text)
        assert found(doc) == spans
        # Whatever it has learnt, a title is none of a name.
        names = [(a + (doc[a].text == "Mr"), b, label) for a, b, label in spans]
        assert found(doc, PII_KEY) == names
        assert all(0.5 < s <= 1.0 for s in doc.spans[NER_KEY].attrs["scores"])
        assert set(doc.spans[NER_KEY].attrs["sources"]) <= {"ner:pii_ner"}
    # The text is never changed, and to predict is not to annotate.
    doc = nlp.make_doc(TEXTS[0])
    nlp.get_pipe("pii_ner").predict([doc])
    assert not {PII_KEY, NER_KEY} & {*doc.spans} and nlp(doc).text == TEXTS[0]


# Each span stands in [ ]; what is left of it stands behind the text.
@pytest.mark.parametrize("lang,text,label,score,left", cases(__file__, "trimmed"))
def test_spans_are_trimmed(lang, text, label, score, left):
    before, inside, behind = (
        part.strip(" ").split(" ") if part.strip(" ") else []
        for part in text.replace(" ]", "[").split("[")
    )
    doc = Doc(VOCABS[lang], words=[*before, *inside, *behind])
    span = len(before), len(before) + len(inside), label, score
    found = [" ".join(t.text for t in doc[a:b]) for a, b, *_ in trim_spans(doc, [span])]
    assert found == ([left] if left else [])


@pytest.mark.parametrize("ending", ["’s", "'s", "'S"])
def test_a_possessive_ending_begins_no_span(ending):
    words = ["Ohio", ending, "5th", "District", "in", "'s", "Gravenhage"]
    spaces = [False, True, True, True, True, False, True]
    doc = Doc(VOCABS["en"], words=words, spaces=spaces)
    spans = [(1, 4, "LOC", 0.5), (5, 7, "LOC", 0.5), (1, 2, "LOC", 0.1)]
    assert [s[:2] for s in trim_spans(doc, spans)] == [(2, 4), (5, 7)]


def with_ents(vocab, names):
    """The documents with their gold in `doc.ents`, by other names of the labels."""
    for text, spans in TRAIN:
        doc = Doc(vocab, words=text.split())
        ents = [Span(doc, s, e, label=names.get(label, label)) for s, e, label in spans]
        doc.set_ents(ents, default="outside")
        yield doc


def test_what_is_not_trained_or_cannot_be_stops_with_one_clear_line():
    nlp, pipe = untrained()
    with pytest.raises(ValueError, match=r"no labels.*source=spacy_deid.load"):
        nlp("Mr Robert Murray")
    examples = [Example(nlp.make_doc(d.text), d) for d in with_ents(nlp.vocab, {})]
    for labels in (None, ["PERSON"]):
        with pytest.raises(ValueError, match="none of 5 examples has a gold") as error:
            pipe.initialize(lambda: examples, nlp=nlp, labels=labels)
        assert "spacy_deid.SpacyCorpus.v1" in str(error.value)
        assert "\n" not in str(error.value)


def test_gold_in_ents_trains_with_a_label_map(tmp_path):
    names = {"PERSON": "WHO", "LOC": "GPE", "DATETIME": "DATE"}
    path = tmp_path / "train.spacy"
    DocBin(docs=with_ents(VOCABS["en"], names)).to_disk(path)
    read = spacy.registry.readers.get("spacy_deid.SpacyCorpus.v1")
    corpus = read(path, scheme="ontonotes", labels={"WHO": "PERSON"})
    nlp, _ = train(lambda nlp: [*corpus(nlp)])
    # "It rains" is annotated: there is nothing in it.
    assert len(list(corpus(nlp))) == len(TRAIN)
    assert nlp.get_pipe("pii_ner").labels == ("DATETIME", "LOC", "PERSON")
    assert nlp.evaluate(list(corpus(nlp)))["pii_ner_f"] == 1


def test_labels_come_from_the_config_or_else_the_examples():
    for given in (None, ["PERSON"]):
        nlp, pipe = untrained()
        examples = make_examples(nlp)
        pipe.initialize(lambda: examples, nlp=nlp, labels=given)  # noqa: B023
        assert pipe.labels == tuple(given or ("DATETIME", "LOC", "PERSON"))
    with pytest.raises(ValueError, match="cannot add label 'ORG'"):
        pipe.add_label("ORG")
    _, pipe = untrained("es", scheme="meddocan")
    with pytest.raises(ValueError, match="unknown label 'PERSON' in label scheme"):
        pipe.add_label("PERSON")
    with pytest.raises(ValueError, match="unknown label scheme 'mine'"):
        spacy.blank("es").add_pipe("pii_ner", config={"scheme": "mine"})


def test_partial_annotation_is_no_evidence_against_other_types():
    """Gold that covers persons only must not teach that Leeds is outside."""
    nlp, pipe = untrained()
    full = make_examples(nlp)
    nlp.initialize(lambda: full)
    partial = make_examples(nlp, covers=["PERSON"])
    scores = pipe.predict([eg.predicted for eg in partial])
    _, gradients = pipe.get_loss(partial, scores)
    place, person = (pipe.tagset.columns(label)[3] for label in ("LOC", "PERSON"))
    # "It rains .", with nothing annotated: persons are pushed down, and no places.
    assert (gradients[3][:, place] <= 0).all() and (gradients[3][:, person] > 0).all()
    # Without annotation there is no gradient.
    doc = nlp.make_doc("Unknown land")
    eg = Example(nlp.make_doc(doc.text), doc)
    loss, gradients = pipe.get_loss([eg], pipe.predict([eg.predicted]))
    assert loss == 0.0 and not gradients[0].any()


def test_gold_with_other_tokenization_overlaps_and_schemes():
    words, spaces = "Anna - Lena Kow alska".split(), [False, False, True, False, False]
    reference = Doc(VOCABS["en"], words=words, spaces=spaces)
    spans = [Span(reference, 0, 5, "PERSON"), Span(reference, 3, 4, "ORG")]
    reference.spans[PII_KEY] = spans
    predicted = Doc(VOCABS["en"], words=["Anna-Lena", "Kowalska"])
    assert gold_spans(Example(predicted, reference)) == [(0, 2, "PERSON")]
    nlp = spacy.blank("es")
    scheme = make_label_scheme("conll")
    first = make_native(nlp)[0]
    assert gold_spans(first, scheme) == [(1, 3, "PER"), (4, 5, "LOC")]
    assert gold_spans(first) == [(1, 3, "PERSON"), (4, 5, "LOC")]
    assert gold_spans(first, make_label_scheme("meddocan")) == NOTES[0][1]
    # Without labels of its own the type alone counts.
    (plain, *_) = make_native(nlp, native=False)
    assert gold_spans(plain, scheme) == [(1, 3, "PER"), (4, 5, "LOC")]


NOTES = read_gold("notes")
# A scheme with a label that is no personal information.
COUNTED = [("Leeds has two parks .", [(0, 1, "GPE"), (2, 3, "ORDINAL")])]


def make_native(nlp, data=NOTES, scheme="meddocan", native=True):
    """Gold as readers write it: semantic types, with the scheme's own labels."""
    table, examples = make_label_scheme(scheme), []
    for text, spans in data:
        doc = Doc(nlp.vocab, words=text.split())
        known = [(s, e, label) for s, e, label in spans if table.to_tab(label)]
        attrs = {"covers": list(table.covers)}
        if native:
            attrs |= {"scheme": scheme, "native": [label for *_, label in known]}
        group = [Span(doc, s, e, table.to_tab(label)[0]) for s, e, label in known]
        doc.spans[PII_KEY] = SpanGroup(doc, spans=group, attrs=attrs)
        examples.append(Example(nlp.make_doc(doc.text), doc))
    return examples


def test_own_spans_have_the_schemes_labels_and_pii_the_packages_types(tmp_path):
    spanish, _ = train(make_native, "es", scheme="meddocan", propagate=None)
    table = make_label_scheme("meddocan")
    for text, spans in NOTES:
        doc = spanish(text)
        assert found(doc) == spans and doc.spans[NER_KEY].attrs["scheme"] == "meddocan"
        folded = [(s.start, s.end, s.label_, s.id_) for s in doc.spans[PII_KEY]]
        assert folded == [(s, e, *table.to_tab(label)) for s, e, label in spans]
    scores = spanish.evaluate(make_native(spanish))
    assert scores["pii_ner_f"] == 1.0
    assert scores["pii_ner_per_type"]["TERRITORIO"]["f"] == 1.0
    for other in copies(spanish, tmp_path):
        assert other.get_pipe("pii_ner").scheme.name == "meddocan"
        assert found(other(NOTES[0][0])) == NOTES[0][1]


def test_labels_that_are_no_personal_information_stay_out_of_pii():
    def examples(nlp):
        made = make_native(nlp, COUNTED, "ontonotes")
        # As no reader would keep them: gold of the very scheme.
        doc = made[0].reference
        group = [Span(doc, 0, 1, "LOC"), Span(doc, 2, 3, "QUANTITY")]
        attrs = {"scheme": "ontonotes", "native": ["GPE", "ORDINAL"]}
        doc.spans[PII_KEY] = SpanGroup(doc, spans=group, attrs=attrs)
        return made

    assert make_label_scheme("ontonotes").to_tab("ORDINAL") is None
    nlp, _ = train(examples, "es", scheme="ontonotes")
    doc = nlp(COUNTED[0][0])
    assert found(doc) == COUNTED[0][1] and found(doc, PII_KEY) == [(0, 1, "LOC")]


def allowed_tags(pipe, example):
    scores = pipe.predict([example.predicted])
    zero = pipe.get_loss([example], scores)[1][0]
    probs = pipe.probabilities(scores[0])
    # What may stay is never pushed down.
    return [set(numpy.flatnonzero(row <= p * 1e-3)) for row, p in zip(zero, probs)]


def test_what_is_unknown_under_a_scheme_may_be_anything():
    nlp, pipe = untrained("es", scheme="meddocan")
    examples = make_native(nlp)
    nlp.initialize(lambda: examples)
    *_, empty = make_native(nlp, native=False)
    empty.reference.spans[PII_KEY].attrs["covers"] = ["PERSON"]
    open_tags = allowed_tags(pipe, empty)[0]
    place = set(pipe.tagset.columns("TERRITORIO"))
    person = set(pipe.tagset.columns("NOMBRE_SUJETO_ASISTENCIA"))
    assert place <= open_tags and not person & open_tags and 0 in open_tags
    # A place is a city, a street or neither in the scheme for e-mails: not absent.
    nlp, pipe = untrained(scheme="emails")
    labels = ["FAMILY", "CITY", "STREET", "ORG"]
    examples = make_examples(nlp)
    pipe.initialize(lambda: examples, nlp=nlp, labels=labels)
    assert make_label_scheme("emails").from_tab("LOC") is None
    open_tags = allowed_tags(pipe, examples[2])  # "Leeds is wet ."
    places = set(pipe.tagset.columns("CITY")) | set(pipe.tagset.columns("STREET"))
    assert open_tags[0] == places | {0} and open_tags[1] == {0}


def test_scores_can_be_decoded_again_and_windows_give_the_same(trained, monkeypatch):
    pipe = trained.get_pipe("pii_ner")
    doc = trained.make_doc("Then Carla Bianchi and Rome met Leeds on 7 June 2010 .")
    (scores,) = pipe.predict([doc])
    spans = pipe.decode_scores(doc, scores)
    assert [s[:3] for s in spans] == found(trained(doc.text))
    wide = pipe.decode_scores(doc, scores, 0.99)
    tokens = [{i for s in x for i in range(s[0], s[1])} for x in (spans, wide)]
    assert tokens[0] < tokens[1]
    flat = pipe.decode_scores(doc, scores, 0.0, 3.0)
    sharp = pipe.decode_scores(doc, scores, 0.0)
    assert [s[:3] for s in flat] == [s[:3] for s in sharp]
    assert all(a[3] < b[3] for a, b in zip(flat, sharp)) and not doc.spans
    pipe, text = trained.get_pipe("pii_ner"), " ".join(TEXTS * 60)
    whole = found(trained(text))
    assert len(whole) == 8 * 60
    monkeypatch.setitem(pipe.cfg, "window", 2 * pipe.overlap + 41)
    assert found(trained(text)) == whole


def test_temperature_acts_on_probabilities_and_is_kept(trained, tmp_path, monkeypatch):
    pipe = trained.get_pipe("pii_ner")
    scores = pipe.predict([trained.make_doc(text) for text in [*TEXTS, ""]])
    plain = [pipe.probabilities(rows) for rows in scores]
    with monkeypatch.context() as patch:
        patch.setattr(pipe, "temperature", 2.0)
        for rows, before in zip(scores, plain):
            after = pipe.probabilities(rows)
            roots = numpy.sqrt(before.clip(1e-30))
            roots /= roots.sum(axis=1, keepdims=True)
            numpy.testing.assert_allclose(after, roots, rtol=1e-3)
            numpy.testing.assert_allclose(pipe.probabilities(rows, 1.0), before)
        low = trained(TEXTS[0]).spans[NER_KEY].attrs["scores"]
        trained.to_disk(tmp_path)
    assert max(low) < min(trained(TEXTS[0]).spans[NER_KEY].attrs["scores"])
    assert spacy.load(tmp_path).get_pipe("pii_ner").temperature == 2.0
    trained.to_disk(tmp_path / "plain")
    nlp = spacy.load(tmp_path / "plain", config={"components.pii_ner.temperature": 0.5})
    assert nlp.get_pipe("pii_ner").temperature == 0.5
    for bad in (0.0, -1.0, float("inf"), float("nan")):
        with pytest.raises(ValueError, match="above 0"):
            pipe.temperature = bad


@pytest.mark.parametrize("name", ["pii_ner_bilstm", "pii_ner_bilstm_crf"])
def test_spacy_train_learns_from_the_configs_of_the_other_heads(name, tmp_path):
    config = Path(__file__).parents[1] / "configs" / f"{name}.cfg"
    docs = [eg.reference for eg in make_examples(spacy.blank("en"))] * 4
    DocBin(docs=docs).to_disk(tmp_path / "train.spacy")
    path = str(tmp_path / "train.spacy")
    overrides = {"paths.train": path, "paths.dev": path}
    for place, settings in {
        "training": {"max_steps": 60, "eval_frequency": 30, "dropout": 0.0},
        "training.optimizer.learn_rate": {"warmup_steps": 5, "initial_rate": 0.01},
        "components.pii_ner.model": {"hidden": 16, "tok2vec.encode.width": 32},
        "components.pii_ner.model.tok2vec.embed": {"rows": [200] * 4, "width": 32},
    }.items():
        overrides |= {f"{place}.{name}": value for name, value in settings.items()}
    spacy_train(config, tmp_path / "out", overrides=overrides)
    best = spacy.load(tmp_path / "out" / "model-best")
    assert best.meta["performance"]["pii_ner_f"] > 0.9
    assert best.get_pipe("pii_ner").model.has_ref("crf") == name.endswith("crf")
