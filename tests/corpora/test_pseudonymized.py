"""Corpora with surrogates: no original in them, and as good for training."""

import functools
import itertools
import json
import zlib
from pathlib import Path

import pytest
import spacy
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from spacy.tokens import DocBin, Span, SpanGroup
from spacy.training import Corpus, Example
from spacy.training.initialize import init_nlp
from spacy.training.loop import train
from spacy.util import load_config

from spacy_deid.corpora import pseudonymized
from spacy_deid.corpora.convert import convert, parse_input, write_docbin
from spacy_deid.corpora.corpus import JsonlCorpus
from spacy_deid.corpora.files import CorpusError
from spacy_deid.corpora.pseudonymized import GoldPseudonymizer, cut_sentences
from spacy_deid.corpora.report import Report
from spacy_deid.registries import registry
from spacy_deid.schema import DIRECT, IDENTIFIER_TYPES, NO_MASK, SEMANTIC_TYPES
from spacy_deid.tokenizer import blank_pipeline

from ..annotated import record
from ..cases import cases

# Words that no lexicon has: whatever is left of them is a leak.
CANARIES = ["Zyxelbert", "Quorvandt", "Wrzebnitz", "Plomgard", "zq-91-kanary"]
KEY = "a secret key that lasts"
CONFIG = Path(__file__).with_name("pseudonymized.cfg")
VOCAB = spacy.blank("en").vocab
(MARKUP,) = cases(__file__, "marked")
NLP = blank_pipeline("en")
WORDS = st.sampled_from(cases(__file__, "words"))
GAPS = st.sampled_from([" ", " ", " ", "", "\n", "  ", "\n\n", ", "])


@pytest.fixture(scope="module")
def source(tmp_path_factory):
    path = tmp_path_factory.mktemp("gold") / "gold.jsonl"
    rows = [record(MARKUP.format(i), f"Plomgard-{i}") for i in range(6)]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


@pytest.fixture
def run(run):
    def without_canaries(*args, code=0):
        result = run(*args, code=code)
        assert not any(canary in result.output for canary in CANARIES)
        return result

    return without_canaries


@pytest.fixture(autouse=True)
def key(monkeypatch):
    monkeypatch.setenv("SPACY_DEID_KEY", KEY)


def load(path):
    return list(DocBin().from_disk(path).get_docs(VOCAB))


def leaks(raw, packed=True):
    """What is in bytes, and in a DocBin without its compression."""
    raw += zlib.decompress(raw) if packed else b""
    folded = raw.decode("utf-8", "replace").casefold()
    return [canary for canary in CANARIES if canary.casefold() in folded]


def labels(docs, key="pii"):
    return sorted(span.label_ for doc in docs for span in doc.spans[key])


@pytest.fixture(scope="module")
def plain(source, tmp_path_factory):
    path = tmp_path_factory.mktemp("plain") / "plain.spacy"
    write_docbin(convert([parse_input(str(source))]).train, path)
    return path


@pytest.mark.parametrize("strategy, scope", cases(__file__, "strategies"))
def test_no_original_is_in_the_file(source, plain, run, tmp_path, strategy, scope):
    out = tmp_path / "out.spacy"
    more = ["--strategy", strategy] if strategy else []
    run(source, out, "--pseudonymize", "--scope", scope, *more, "--strict")
    # The search finds what is there.
    assert leaks(plain.read_bytes()) == CANARIES and leaks(out.read_bytes()) == []
    old, new = load(plain), load(out)
    assert len(new) == len(old) == 6
    for key in ("pii", "mask"):
        assert labels(new, key) == labels(old, key)
        for doc in new:
            ids = [span.id_ for span in doc.spans[key]]
            assert [ids[i] == ids[0] for i in (0, 2, 5)] == [True] * 3
            assert len(set(ids)) == 5 and all(id_.isdigit() for id_ in ids)
    assert all(doc.text.endswith(".") and "lives in" in doc.text for doc in new)
    assert not any(doc.has_annotation("SENT_START") for doc in new)


def test_dev_file_and_report_hold_none_either(source, run, tmp_path):
    out, dev, report = (tmp_path / n for n in ("o.spacy", "d.spacy", "r.json"))
    options = ("--dev", dev, "--dev-fraction", 0.5, "--report", report)
    run(source, out, "--pseudonymize", "--shuffle-sentences", *options)
    for path in (out, dev):
        assert leaks(path.read_bytes()) == [] and load(path)
    # Nine sentences of three documents each.
    assert len(load(out)) == len(load(dev)) == 9
    told = json.loads(report.read_text())
    assert told["counts"]["kept"] == 42 and told["losses"] == 0


@pytest.fixture
def made(source, run, tmp_path):
    def made(*options, pseudonymize=True):
        options = ("--pseudonymize", *options) if pseudonymize else options
        run(source, tmp_path / "out.spacy", *options)
        return load(tmp_path / "out.spacy")

    return made


def test_masks_scopes_and_keys(made, monkeypatch):
    assert all("Oslo" in doc.text for doc in made("--mask", "risky"))
    docs = made()
    assert not any("Oslo" in doc.text for doc in docs)
    assert labels(docs, "mask").count(NO_MASK) == 6
    for doc in made("--no-shuffle"):
        first, second, third = persons(doc)
        assert first == second and third.casefold() in first.casefold()
    for doc in made("--scope", "sentence"):
        assert len({name.split()[-1].casefold() for name in persons(doc)}) > 1
    assert len({tuple(persons(doc)) for doc in made("--scope", "corpus")}) == 1

    def texts(*options):
        return [doc.text for doc in made(*options)]

    first = texts()
    assert texts() == first
    monkeypatch.setenv("OTHER", "another key of tests")
    assert texts("--key-env", "OTHER") != first
    monkeypatch.delenv("SPACY_DEID_KEY")
    assert texts() != texts()


def persons(doc):
    return [s.text for s in doc.spans["pii"] if s.label_ == "PERSON"]


def test_shuffled_sentences(made, plain):
    def shuffled(*options):
        return made("--shuffle-sentences", *options, pseudonymize=False)

    cut = shuffled()
    assert len(cut) == 18 and labels(cut) == labels(load(plain))
    assert sorted(doc.text for doc in cut)[:6] == ["He met ZYXELBERT near Oslo."] * 6
    assert all(s.id_ in {"1", "2", "3"} for doc in cut for s in doc.spans["pii"])
    # Neighbours of a document are neighbours no more.
    order = [doc.text[:8] for doc in cut]
    assert order != order[:3] * 6
    same, other = shuffled(), shuffled("--seed", 1)
    texts, others = [d.text for d in cut], [d.text for d in other]
    assert [d.text for d in same] == texts != others and sorted(texts) == sorted(others)


def make_gold(nlp, text, *spans, mask=()):
    doc = nlp.make_doc(text)

    def place(said, label, id_):
        start = text.index(said)
        span = doc.char_span(start, start + len(said))
        return Span(doc, span.start, span.end, label=label, span_id=id_)

    doc.spans["pii"] = SpanGroup(doc, name="pii", spans=[place(*row) for row in spans])
    for key, rows in dict(mask).items():
        doc.spans[key] = SpanGroup(doc, name=key, spans=[place(*row) for row in rows])
    return doc


def test_overlapping_spans_and_further_annotators():
    """All that any annotator has seen is replaced, and each layer keeps its spans."""
    nlp = blank_pipeline("en")
    ((text, spans, mask),) = cases(__file__, "overlapping")
    gold = make_gold(nlp, text, *spans, mask=mask)
    report = Report()
    new = GoldPseudonymizer(nlp)(gold, report=report)
    assert "Zyxelbert" not in new.text and "Wrzebnitz" not in new.text
    assert "Plomgard" in new.text  # nobody annotated it
    outer, inner = new.spans["pii"]
    assert (outer.label_, inner.label_) == ("ORG", "LOC")
    assert outer.text == f"{inner.text} Hospital"
    assert [s.label_ for s in new.spans["mask:two"]] == [DIRECT, NO_MASK]
    assert [s.id_ for s in new.spans["mask:two"]] == ["3", inner.id_]
    assert report.counts["widened"] == 0 and not report.losses
    assert not any(c in new.vocab.strings for c in ("Zyxelbert", "Wrzebnitz"))


@registry.deid_strategies("test.half.v1")
def make_half():
    def change(text):
        return text.replace("Wrzebnitz", "Bath").replace("Zyxelbert", "Zoe")

    return lambda mentions, context: [change(m.text) for m in mentions]


def test_spans_inside_of_others_and_spans_that_are_lost():
    nlp = blank_pipeline("en")
    ((text, spans),) = cases(__file__, "nested")
    gold = make_gold(nlp, text, *spans)
    report = Report()
    new = GoldPseudonymizer(nlp, strategy="test.half.v1")(gold, report=report)
    # What stood behind "Zoe" has changed.
    texts = ["New Bath Hospital", "Bath", *["Zoe House of Bath"] * 3]
    assert [s.text for s in new.spans["pii"]] == texts and report.counts["widened"] == 2
    nlp = blank_pipeline("en")
    gold = make_gold(nlp, "Ask Zyxelbert now.", ("Zyxelbert", "PERSON", ""))
    report = Report()
    new = GoldPseudonymizer(nlp, strategy="test.silence.v1")(gold, report=report)
    assert len(new.spans["pii"]) == 0 and report.summary() == "vanished 1"
    with pytest.raises(CorpusError, match="without annotation"):
        GoldPseudonymizer(nlp)(nlp.make_doc("Zyxelbert"))


@functools.cache
def make_replace(scope):
    return GoldPseudonymizer(NLP, scope=scope, sentences=True)


@pytest.mark.parametrize("scope", ["document", "sentence"])
@settings(max_examples=80, deadline=None, suppress_health_check=list(HealthCheck))
@given(words=st.lists(st.tuples(WORDS, GAPS), min_size=1, max_size=14), data=st.data())
def test_any_annotation_keeps_its_spans(scope, words, data):
    """Nested, crossing and equal spans, several annotators, entities or none."""
    gold = NLP.make_doc("".join(word + gap for word, gap in words))
    places = st.integers(0, len(gold) - 1)
    for key in ("pii", "mask", "mask:b"):
        kinds = SEMANTIC_TYPES if key == "pii" else IDENTIFIER_TYPES
        ids = st.sampled_from(["", "a", "b"])
        row = st.tuples(places, st.integers(1, 4), st.sampled_from(kinds), ids)
        rows = [
            Span(gold, start, min(start + size, len(gold)), label, span_id=id_)
            for start, size, label, id_ in data.draw(st.lists(row, max_size=4))
        ]
        rows = [span for span in rows if span.text.strip()]
        gold.spans[key] = SpanGroup(gold, name=key, spans=rows)
    before = gold.to_bytes()
    report = Report()
    new = make_replace(scope)(gold, report=report)
    assert gold.to_bytes() == before and report.counts["vanished"] == 0
    cut = list(cut_sentences(new))
    assert "".join("".join(d.text.split()) for d in cut) == "".join(new.text.split())
    for key, group in gold.spans.items():
        names = [span.label_ for span in group]
        assert [span.label_ for span in new.spans[key]] == names
        assert sorted(s.label_ for d in cut for s in d.spans[key]) == sorted(names)
        assert all(span.text.strip() for span in new.spans[key])
        known = {a.id_: b.id_ for a, b in zip(group, new.spans[key])}
        assert all(known[a.id_] == b.id_ for a, b in zip(group, new.spans[key]))
        assert all(bool(old) == bool(id_) for old, id_ in known.items())


@registry.deid_strategies("test.silence.v1")
def make_silence():
    return lambda mentions, context: ["" for _ in mentions]


def test_documents_that_fail_are_left_out(source, run, tmp_path, monkeypatch):
    call, numbers = GoldPseudonymizer.__call__, itertools.count()

    def fail(*args):
        if next(numbers) % 6 == 1:
            raise RuntimeError("masked text would survive at 3-9")
        return call(*args)

    monkeypatch.setattr(GoldPseudonymizer, "__call__", fail)
    out = tmp_path / "out.spacy"
    result = run(source, out, "--pseudonymize")
    assert len(load(out)) == 5 and "document 2." in result.output
    result = run(source, out, "--pseudonymize", "--strict", code=1)
    assert "not pseudonymized 1" in result.output


def test_spacy_train_learns_and_keeps_no_original(source, run, tmp_path):
    """Trained by the reader, measured on the file of the converter."""
    dev = tmp_path / "dev.spacy"
    run(source, dev, "--pseudonymize", "--scope", "sentence", "--shuffle-sentences")
    paths = {"paths.gold": str(source), "paths.dev": str(dev)}
    nlp = init_nlp(spacy.blank("en").config.merge(load_config(CONFIG, overrides=paths)))
    (tmp_path / "model").mkdir()
    trained, _ = train(nlp, tmp_path / "model")
    scores = trained.evaluate(list(Corpus(dev)(trained)))
    assert scores["pii_ner_f"] > 0.8, scores
    for path in (tmp_path / "model").rglob("*"):
        if path.is_file():
            assert leaks(path.read_bytes(), packed=False) == [], path


def test_the_reader(source):
    nlp = spacy.blank("en")
    corpus = JsonlCorpus(source)
    examples = list(pseudonymized.PseudonymizedCorpus(corpus, scope="document")(nlp))
    assert len(examples) == 6 and all(isinstance(eg, Example) for eg in examples)
    assert all(eg.reference.vocab is nlp.vocab for eg in examples)
    assert not any(c in nlp.vocab.strings for c in CANARIES)
    gold = [eg.reference for eg in corpus(spacy.blank("en"))]
    assert labels(eg.reference for eg in examples) == labels(gold)
    # A DocBin of originals is as good a source.
    assert registry.readers.get("spacy_deid.PseudonymizedCorpus.v1")(corpus)(nlp)


def test_other_languages_and_schemes(run, tmp_path):
    path, out = tmp_path / "mail.jsonl", tmp_path / "out.spacy"
    markup = "Lieber Herr [Quorvandt](FAMILY),\nmorgen in [Wrzebnitz](CITY)?"
    path.write_text(json.dumps(record(markup)))
    run(path, out, "--scheme", "emails", "--lang", "de", "--pseudonymize")
    assert leaks(out.read_bytes()) == []
    (doc,) = load(out)
    assert doc.spans["pii"].attrs["native"] == ["FAMILY", "CITY"]
    assert doc.spans["pii"].attrs["scheme"] == "emails"
    assert [s.label_ for s in doc.spans["pii"]] == ["PERSON", "LOC"]
