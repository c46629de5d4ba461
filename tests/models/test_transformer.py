"""Encoders of the hub: tiny random ones, with tokenizers made here."""

import json
import os
import subprocess
import sys
from itertools import product
from pathlib import Path
from unittest.mock import Mock

import numpy
import pytest
import spacy
import srsly
from spacy.tokens import Doc, Span
from spacy.training import Example
from thinc.api import Adam, Config

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")
pytest.importorskip("spacy_transformers")

from spacy_deid.models import hf_encoder, span_getters  # noqa: E402
from spacy_deid.models.masked_lm import load_masked_lm  # noqa: E402
from spacy_deid.models.pieces import Pieces, most_pieces, read_pieces  # noqa: E402

from ..cases import cases  # noqa: E402
from .learning import named, overfit  # noqa: E402
from .tiny_encoders import KINDS, LONGEST, TEXT  # noqa: E402

TAGGER = named("TokenTagger")
LISTENER = {
    "@architectures": "spacy-transformers.TransformerListener.v1",
    "grad_factor": 1.0, "upstream": "*", "pooling": {"@layers": "reduce_mean.v1"},
}  # fmt: skip
NO_DROPOUT = {"hidden_dropout_prob": 0.0, "attention_probs_dropout_prob": 0.0}


@pytest.fixture(scope="module")
def nlp():
    return spacy.blank("en")


def encoder(architecture, path, getter="document"):
    spans = {"@span_getters": f"spacy_deid.{getter}_spans.v1"}
    return named(architecture, name=path, learn_rate_factor=0.5, get_spans=spans)


def build(path, getter=None, **settings):
    """An initialized `spacy_deid.Transformer.v1` in its default state."""
    make = spacy.registry.architectures.get("spacy_deid.Transformer.v1")
    model = make(path, getter, **settings)
    model.initialize()
    return model


def encoder_of(model):
    return model.layers[0].layers[0]


def states(encoder, ids, **settings):
    with torch.no_grad():
        out = encoder.transformer.eval()(torch.tensor([ids]), **settings)
    return out.last_hidden_state[0].numpy()


def equal(some, others, atol=2e-5):
    for a, b in zip(some, others, strict=True):
        numpy.testing.assert_allclose(a, b, atol=atol)


@pytest.fixture(scope="module")
def docs(nlp):
    """What users bring: everything that is odd about them."""
    rows = cases(__file__, "odd texts")
    texts = [before + text * times + after for before, text, times, after in rows]
    control = (["Anna", "\x00", "\x01\x02", "Smith"], ["\x00", "\x01"])
    made = [Doc(nlp.vocab, words=words) for words in control]
    return [*map(nlp.make_doc, (TEXT, *texts)), *made]


GETTERS = {
    "document": lambda: span_getters.DocumentSpans(overlap=6),
    "apart": lambda: span_getters.DocumentSpans(overlap=0),
    "context": lambda: span_getters.ContextSpans(context=5),
}


@pytest.mark.parametrize("kind", KINDS)
def test_pieces_belong_to_their_tokens_and_all_to_a_window(kind, encoders, nlp, docs):
    load = transformers.AutoTokenizer.from_pretrained
    tokenizer = load(encoders(kind), use_fast=kind != "slow")
    assert tokenizer.is_fast == (kind != "slow")
    doc = nlp.make_doc(TEXT)
    pieces = read_pieces(doc, tokenizer)
    whole = tokenizer(TEXT, add_special_tokens=False)["input_ids"]
    assert pieces.ids.tolist() == whole
    assert pieces.first[0] == 0 and pieces.end[-1] == len(whole)
    lower = getattr(tokenizer, "do_lower_case", False)
    last = 0
    for token, first, end in zip(doc, pieces.first, pieces.end):
        text = tokenizer.decode(whole[first:end]).strip()
        assert text == (token.lower_ if lower else token.text).strip()
        # Between two tokens there is white space alone.
        assert not tokenizer.decode(whole[last:first]).strip()
        last = end
    # No window is too long, and none is missing.
    tokenizer = load(encoders(kind))
    docs = [doc for doc in docs if len(doc)]
    pieces = [read_pieces(doc, tokenizer) for doc in docs]
    for getter, room in product(GETTERS.values(), (5, 30, 94)):
        found = span_getters.get_windows(getter(), docs, pieces, room)
        for own, windows in zip(pieces, found):
            check_windows(own, windows, room)


def test_a_tokenizer_that_cuts_at_a_length_does_not(encoders, nlp):
    tokenizer = transformers.AutoTokenizer.from_pretrained(encoders("bert"))
    doc = nlp.make_doc((TEXT + " ") * 10)
    expected = len(read_pieces(doc, tokenizer))
    tokenizer.backend_tokenizer.enable_truncation(8)
    tokenizer.backend_tokenizer.enable_padding(length=8)
    assert len(read_pieces(doc, tokenizer)) == expected > 100


def check_windows(pieces, windows, room):
    assert len(windows.owner) == len(pieces)
    assert all(0 < end - start <= room for start, end in windows.bounds)
    for place, owner in enumerate(windows.owner.tolist()):
        start, end = windows.bounds[owner]
        assert start <= place < end


def test_random_documents_are_covered_by_the_most_central_windows():
    rng = numpy.random.default_rng(0)
    for trial in range(300):
        lengths = rng.choice([0, 1, 2, 3, 9, 40], size=rng.integers(1, 60))
        end = numpy.cumsum([*lengths, 1])
        n = int(end[-1])
        pieces = Pieces(numpy.zeros(n, "int64"), end - [*lengths, 1], end)
        room, overlap = int(rng.integers(4, 50)), int(rng.integers(0, 20))
        bounds = span_getters.overlapping(pieces.cuts, 0, n, room, overlap)
        owner = span_getters.most_central(pieces, bounds)
        check_windows(pieces, span_getters.Windows(bounds, owner), room)
        if lengths.max() <= room // 4:
            assert {place for window in bounds for place in window} <= {*pieces.cuts}
            # One window for all pieces of a token.
            for first, last in zip(pieces.first, pieces.end):
                assert len({*owner[first:last]}) <= 1, trial
        assert len(bounds) <= 1 + 3 * n / max(1, room - min(overlap, room // 4))
    n = 30
    bounds = [(0, 16), (10, 26), (14, 30)]
    owner = span_getters.most_central(of_a_token_each(n), bounds)
    for place in range(n):
        margins = []
        for start, end in bounds:
            left, right = place - start, end - 1 - place
            inner = min(left if start else n, right if end < n else n)
            margins.append(inner if start <= place < end else -1)
        assert margins[owner[place]] == max(margins)
    # Neither the last of a window nor the first one where there is another.
    assert owner[15] != 0 and owner[14] != 2


def of_a_token_each(n):
    return Pieces(numpy.zeros(n, "int64"), numpy.arange(n), numpy.arange(1, n + 1))


def test_a_sentence_is_read_with_64_pieces_on_each_side(nlp):
    doc = nlp.make_doc(" . ".join(["word " * 30] * 20))
    n = len(doc)
    pieces = of_a_token_each(n)
    windows = span_getters.ContextSpans().windows(doc, pieces, 510)
    check_windows(pieces, windows, 510)
    starts = [*span_getters.sentence_starts(doc).tolist(), n]
    assert len(windows.bounds) == len(starts) - 1 == 20
    for i, (left, right) in enumerate(windows.bounds):
        assert left == max(0, starts[i] - 64) and right == min(n, starts[i + 1] + 64)
        assert set(windows.owner[starts[i] : starts[i + 1]].tolist()) == {i}
    # Sentences end at lines and punctuation.
    doc = nlp.make_doc('He said: "Go." Then he left!\nName\n\nMr. Smith\nLeeds')
    starts = [doc[i].text for i in span_getters.sentence_starts(doc).tolist()]
    assert starts == ["He", "Then", "Name", "Mr.", "Leeds"]
    assert span_getters.sentence_starts(nlp.make_doc("")).tolist() == []
    # Annotated ones are taken as they are.
    nlp = spacy.blank("en")
    nlp.add_pipe("sentencizer", config={"punct_chars": [";"]})
    doc = nlp("One. Two ; Three . Four")
    starts = span_getters.sentence_starts(doc).tolist()
    assert starts == [s.start for s in doc.sents] == [0, 4]


def test_getters_that_leave_out_or_cut_are_refused(nlp):
    class Bad(span_getters.SpanGetter):
        max_pieces, result = 512, None

        def windows(self, doc, pieces, room):
            return self.result

    getter, docs, pieces = Bad(), [nlp.make_doc("a b c")], [of_a_token_each(3)]
    for end, owner, message in (
        (3, [0, 0, -1], "leaves 1 word pieces out"),
        (3, [0, 0, 0], "window of 3 word pieces, but only 2"),
        (2, [0, 0, 0], "without them"),
    ):
        getter.result = span_getters.Windows([(0, end)], numpy.asarray(owner))
        with pytest.raises(ValueError, match=message):
            span_getters.get_windows(getter, docs, pieces, 2)


@pytest.mark.parametrize("kind", KINDS)
def test_the_longest_window_is_that_of_the_encoder(kind, encoders):
    model = build(encoders(kind), tokenizer_config={"use_fast": kind != "slow"})
    encoder = encoder_of(model)
    longest = LONGEST[kind]
    assert most_pieces(encoder.tokenizer, encoder.transformer) == longest
    # One more piece, and the encoder has no position for it.
    ids = numpy.full((1, longest + 1), 7)
    fits = hf_encoder.Batch(ids[:, 1:], numpy.ones(ids[:, 1:].shape, bool))
    assert encoder.shim.read([fits])[0].shape == (1, longest, 16)
    positions = getattr(encoder.transformer.embeddings, "position_embeddings", None)
    if positions and kind != "longformer":
        with pytest.raises((IndexError, RuntimeError)):
            encoder.shim.read([hf_encoder.Batch(ids, numpy.ones(ids.shape, bool))])


# The windows of a kind do not depend on who reads them: three kinds for each getter.
@pytest.mark.parametrize(("kind", "getter"), zip(sorted(KINDS), [*GETTERS] * 3))
def test_any_document_gets_one_vector_a_token(kind, getter, encoders, docs):
    settings = {"tokenizer_config": {"use_fast": kind != "slow"}, "batch_pieces": 300}
    model = build(encoders(kind), GETTERS[getter](), **settings)
    for doc, rows in zip(docs, model.predict(docs)):
        assert rows.shape == (len(doc), 16) and numpy.isfinite(rows).all(), doc.text
        equal([rows], model.predict([doc]))
    assert model.predict([]) == []


def test_vectors_are_those_of_the_encoder_itself(encoders, nlp):
    model = build(encoders("bert"))
    encoder = encoder_of(model)
    doc = nlp.make_doc("Anna lives in Leeds.")
    (rows,) = model.predict([doc])
    encoded = encoder.tokenizer(doc.text, return_offsets_mapping=True)
    hidden = states(encoder, encoded["input_ids"])
    for token, row in zip(doc, rows):
        end, places = token.idx + len(token), enumerate(encoded["offset_mapping"])
        own = [i for i, (a, b) in places if token.idx <= a < b <= end]
        assert own
        numpy.testing.assert_allclose(row, hidden[own].mean(axis=0), atol=1e-5)
    # Tokens without a piece take those beside them.
    (rows,) = model.predict([Doc(nlp.vocab, words=["a", "\n", "\x00", "b"])])
    numpy.testing.assert_allclose(rows[1], (rows[0] + rows[3]) / 2, atol=1e-5)
    numpy.testing.assert_allclose(rows[2], rows[1], atol=1e-6)


def test_only_the_sentence_itself_takes_vectors_from_its_window(encoders, nlp):
    doc = nlp.make_doc("Anna left. She lives in Leeds. He wrote.")
    contexts = build(encoders("bert"), span_getters.ContextSpans(context=3))
    encoder = encoder_of(contexts)
    reading = hf_encoder.read(encoder, [doc])
    starts = [*span_getters.sentence_starts(doc).tolist(), len(doc)]
    assert len(reading.bounds[0]) == 3
    (rows,) = contexts.predict([doc])
    for (a, b), start, end in zip(reading.bounds[0], starts, starts[1:]):
        # The window alone, through the encoder alone.
        own = encoder.tokenizer.convert_ids_to_tokens(reading.pieces[0].ids[a:b])
        ids = encoder.tokenizer.convert_tokens_to_ids(["[CLS]", *own, "[SEP]"])
        hidden = states(encoder, ids)
        for i in range(start, end):
            first, last = reading.pieces[0].first[i], reading.pieces[0].end[i]
            expected = hidden[1 + first - a : 1 + last - a].mean(axis=0)
            numpy.testing.assert_allclose(rows[i], expected, atol=1e-5)


def test_longformer_attends_everywhere_from_its_first_piece(encoders, nlp):
    model = build(encoders("longformer"))
    doc = nlp.make_doc(TEXT)
    (rows,) = model.predict([doc])
    encoder = encoder_of(model)
    reading = hf_encoder.read(encoder, [doc])
    (ids,), tokens = reading.sequences, reading.tokens
    assert len(ids) % 8, "this length needs padding to the attention window"
    everywhere = torch.tensor([[1] + [0] * (len(ids) - 1)])
    seen = states(encoder, ids.tolist(), global_attention_mask=everywhere)
    places = numpy.split(tokens.dataXd, numpy.cumsum(tokens.lengths)[:-1])
    equal(rows, [seen[place].mean(0) for place in places])
    assert not numpy.allclose(seen, states(encoder, ids.tolist()), atol=1e-5)


@pytest.mark.parametrize("getter", ["document", "context"])
def test_hidden_states_are_never_there_all_at_once(getter, encoders, docs, monkeypatch):
    """Nor those of one token of thousands of pieces."""
    model = build(encoders("roberta"), GETTERS[getter](), batch_pieces=64)
    encode = Mock(wraps=hf_encoder.encode)
    monkeypatch.setattr(hf_encoder, "encode", encode)
    whole = model.predict(docs)
    assert encode.call_count > 1
    monkeypatch.setattr(hf_encoder, "RUN_BATCHES", 1)
    encode.reset_mock()
    longest = max(len(read_pieces(d, encoder_of(model).tokenizer)) for d in docs)
    equal(whole, model.predict(docs))
    # More than the 64 pieces wanted: their windows have others, too.
    read = [sum(map(len, call.args[1])) for call in encode.call_args_list]
    assert longest > 600 and max(read) < longest / 2


def test_batches_hold_every_window_once_with_little_padding():
    rng = numpy.random.default_rng(1)
    sequences = [numpy.arange(n) for n in rng.integers(1, 60, size=200)]
    batches, order = hf_encoder.make_batches(sequences, 128, pad=9)
    assert sorted(order.tolist()) == list(range(200))
    found = [row[mask] for b in batches for row, mask in zip(b.ids, b.mask)]
    for window, row in zip(order, found):
        assert row.tolist() == sequences[window].tolist()
    assert all(b.ids.size <= 128 for b in batches)
    assert sum(b.mask.sum() for b in batches) > 0.8 * sum(b.ids.size for b in batches)


# The last layer normalizes: a gradient that is the same everywhere would vanish.
SLOPE = numpy.linspace(-1, 1, 16, dtype="f")
EMBEDDINGS = "embeddings.word_embeddings.weight"


def learn(model, docs, slope=SLOPE):
    rows, backprop = model(docs, is_train=True)
    backprop([slope * numpy.ones_like(r) for r in rows])
    return rows


def gradients(model, docs):
    """Gradients of all weights of the encoder for a fixed loss."""
    torch.manual_seed(0)
    rows = learn(model, docs)
    of = dict(encoder_of(model).transformer.named_parameters())
    out = {k: p.grad.clone().numpy() for k, p in of.items() if p.grad is not None}
    encoder_of(model).transformer.zero_grad()
    return rows, out


@pytest.mark.parametrize("kind", ["bert", "longformer"])
def test_gradients_are_the_same_however_little_is_kept(kind, encoders, nlp):
    """Batches that are calculated again on the way back see the same dropout."""
    docs = [nlp.make_doc((TEXT + " ") * n) for n in (1, 12, 3)]
    model = build(encoders(kind), batch_pieces=64)
    shim = encoder_of(model).shim
    rows, again = gradients(model, docs)
    kept = []
    begin = shim.begin_reading

    def begin_with_room(batches):
        kept.append(len(batches))
        shim.batch_pieces = 10**6
        return begin(batches)

    shim.begin_reading = begin_with_room
    same_rows, same = gradients(model, docs)
    assert kept[0] > 1
    for a, b in zip(rows, same_rows, strict=True):
        numpy.testing.assert_array_equal(a, b)
    assert again.keys() == same.keys()
    assert sum(numpy.abs(gradient).max() > 0 for gradient in again.values()) > 20
    for name, gradient in again.items():
        numpy.testing.assert_allclose(gradient, same[name], atol=1e-4, err_msg=name)


def test_gradient_agrees_with_differences(encoders, nlp):
    """Windows that overlap, tokens without pieces and documents without tokens."""
    docs = [nlp.make_doc("Anna \n lives. " * 6), nlp.make_doc(""), nlp.make_doc("b")]
    getter = span_getters.DocumentSpans(max_pieces=16, overlap=3)
    settings = {"transformer_config": NO_DROPOUT, "batch_pieces": 40}
    model = build(encoders("bert"), getter, **settings)
    assert len(hf_encoder.read(encoder_of(model), docs).bounds[0]) > 1
    _, found = gradients(model, docs)

    def loss():
        return sum(float((r * SLOPE).sum()) for r in model.predict(docs))

    parameters = dict(encoder_of(model).transformer.named_parameters())
    layers = "0.attention.self.value.weight", "1.output.dense.bias"
    for name in (EMBEDDINGS, *map("encoder.layer.{}".format, layers)):
        parameter, gradient = parameters[name], found[name]
        place = numpy.unravel_index(numpy.abs(gradient).argmax(), gradient.shape)
        values = []
        for step in (0.01, -0.01):
            parameter.data[place] += step
            values.append(loss())
            parameter.data[place] -= step
        difference = (values[0] - values[1]) / 0.02
        assert gradient[place] == pytest.approx(difference, rel=0.02)


def test_half_precision_learns_the_same_but_for_rounding(encoders, nlp, monkeypatch):
    # Any CPU can, if slowly.
    monkeypatch.setattr(hf_encoder, "_has_bfloat16", lambda: True)
    docs = [nlp.make_doc(TEXT * 3), nlp.make_doc("Anna")]
    results = []
    for half in (False, True):
        settings = {"mixed_precision": half, "transformer_config": NO_DROPOUT}
        results.append(gradients(build(encoders("bert"), **settings), docs))
    (rows, whole), (half_rows, half) = results
    assert {row.dtype for row in half_rows} == {numpy.dtype("float32")}
    equal(rows, half_rows, atol=0.1)
    assert whole.keys() == half.keys()
    scale = numpy.abs(whole[EMBEDDINGS]).max()
    equal([whole[EMBEDDINGS] / scale], [half[EMBEDDINGS] / scale], atol=0.1)


def test_averages_of_the_optimizer_and_factors_reach_the_encoder(encoders, nlp):
    docs = [nlp.make_doc(TEXT)]
    model = build(encoders("bert"))
    optimizer = Adam(0.01, use_averages=True)
    for _ in range(3):
        learn(model, docs)
        model.finish_update(optimizer)
    last = model.predict(docs)[0]
    with model.use_params(optimizer.averages):
        averaged = model.predict(docs)[0]
        saved = model.to_bytes()
    assert not numpy.allclose(last, averaged, atol=1e-4)
    numpy.testing.assert_array_equal(model.predict(docs)[0], last)
    fresh = spacy.registry.architectures.get("spacy_deid.Transformer.v1")("")
    equal(fresh.from_bytes(saved).predict(docs), [averaged], atol=1e-6)
    docs = [nlp.make_doc(TEXT)]
    for factor in (1.0, 0.1, 0.0):
        model = build(encoders("bert"), learn_rate_factor=factor)
        weights = encoder_of(model).transformer.state_dict()
        weight = weights["encoder.layer.0.output.dense.weight"]
        before = weight.clone()
        learn(model, docs)
        model.finish_update(Adam(0.01, L2=0.0, use_averages=False))
        step = float((weight - before).abs().max())
        assert step == pytest.approx(0.01 * factor, rel=0.05)
    _, whole = gradients(build(encoders("bert")), docs)
    _, half = gradients(build(encoders("bert"), grad_factor=0.5), docs)
    equal(half.values(), [gradient / 2 for gradient in whole.values()])


def test_scaled_gradients_of_several_batches_are_unscaled_once(encoders, nlp):
    """As in mixed precision, where each batch of an update adds to the same gradient."""
    docs = [nlp.make_doc((TEXT + " ") * 6)]

    class Scaler:
        found_inf = False

        def scale(self, tensor):
            return tensor * 8.0

        def unscale(self, tensors):
            for tensor in tensors:
                tensor /= 8.0
                self.found_inf |= not bool(torch.isfinite(tensor).all())

        def update(self):
            self.found_inf = False

    def steps(scaler, slope=SLOPE):
        settings, seen = {"transformer_config": NO_DROPOUT, "batch_pieces": 40}, {}
        model = build(encoders("bert"), **settings)
        shim = encoder_of(model).shim
        shim._grad_scaler = scaler or shim._grad_scaler
        for _ in range(2):  # gradients may come from several updates
            learn(model, docs, slope)

        def optimizer(key, weights, gradient, lr_scale=1.0):
            seen[key[1]] = gradient.copy()
            return weights, gradient

        model.finish_update(optimizer)
        return seen

    plain, scaled = steps(None), steps(Scaler())
    assert plain.keys() == scaled.keys() and len(plain) > 20
    for name, gradient in plain.items():
        numpy.testing.assert_allclose(scaled[name], gradient, atol=1e-4)
    # With an overflow no step is taken.
    assert steps(Scaler(), numpy.inf) == {}


LONGER = "The applicant lives here. " * 8 + TEXT
TEXTS = [TEXT, LONGER, "The court wrote to us.", ""]


def train(nlp):
    examples = []
    for text in TEXTS:
        doc = nlp.make_doc(text)
        at, end = len(doc) - 9, len(doc) - 1
        rows = [(at, at + 3, "PERSON"), (end - 1, end, "LOC")] if TEXT in text else []
        doc.spans["pii"] = [Span(doc, *row) for row in rows]
        examples.append(Example(nlp.make_doc(text), doc))
    return overfit(nlp, examples, steps=50, learn_rate=0.02)[-1]


def spans_of(doc):
    return [(s.text, s.label_) for s in doc.spans["pii_ner"]]


# A span ends with its line.
EXPECTED = [("Anna", "PERSON"), ("Smith", "PERSON"), ("Leeds", "LOC")]
CASES = {"bert": "document", "roberta": "context", "longformer": "document"}


@pytest.fixture(scope="module")
def trained(encoders):
    out = {}
    for kind, getter in CASES.items():
        tok2vec = encoder("Transformer", encoders(kind), getter)
        nlp = spacy.blank("en")
        nlp.add_pipe("pii_ner", config={"model": {**TAGGER, "tok2vec": tok2vec}})
        out[kind] = nlp, train(nlp)
    return out


@pytest.mark.parametrize("kind", CASES)
def test_encoders_learn(kind, trained):
    nlp, loss = trained[kind]
    assert loss < 1.0
    # Alone first: torch has its threads before the processes fork.
    alone = [spans_of(nlp(text)) for text in TEXTS]
    assert alone[:2] == [EXPECTED] * 2 and [*map(spans_of, nlp.pipe(TEXTS))] == alone
    docs = nlp.pipe([TEXT * 20, TEXT] * 2, n_process=2, batch_size=1)
    assert [spans_of(doc)[-len(EXPECTED) :] for doc in docs] == [EXPECTED] * 4


# What is to be known of a fresh process. Thinc imports torch where there is one, and
# spaCy the plug-ins that bring factories: what counts is what this package adds.
ELSEWHERE = """
import json, pathlib, sys, spacy
spacy.blank("en")
before = set(sys.modules)
import spacy_deid
spacy.blank("en").add_pipe("pii_ner")
import spacy_deid.models.transformer
added = {m.partition(".")[0] for m in set(sys.modules) - before}
out = {
    "added": [*added & {"torch", "transformers", "tokenizers", "spacy_transformers"}],
    "encoder": "spacy_deid.models.hf_encoder" in sys.modules,
}
import spacy_deid.models.span_getters
get = spacy.registry.span_getters.get
def sizes():
    context, document = map(get, ("spacy_deid.context_spans.v1", "spacy_deid.document_spans.v1"))
    return [context().context, document().max_pieces]
out["sizes"] = [sizes()]
import spacy_transformers
out["sizes"].append(sizes())
out["strided"] = get("spacy-transformers.strided_spans.v1").__name__
out["found"] = {
    path.name: [[s.text, s.label_] for s in doc.spans["pii_ner"]]
    for path in pathlib.Path(sys.argv[1]).iterdir()
    for doc in [spacy.load(path)(sys.argv[2])]
}
print(json.dumps(out))
"""


def test_a_fresh_process_imports_late_and_loads_without_the_hub(trained, tmp_path):
    """Nor is the folder there that encoders were made from."""
    for kind, (nlp, _) in trained.items():
        nlp.to_disk(tmp_path / kind)
        path = tmp_path / kind / "config.cfg"
        config = Config().from_disk(path, interpolate=False)
        config["components"]["pii_ner"]["model"]["tok2vec"]["name"] = "no/such/model"
        config.to_disk(path)
    # Unlike other tests' programs this one sees torch.
    paths = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    paths = [folder for folder in paths if Path(folder).name != "without_torch"]
    env = {**os.environ, "HF_HUB_OFFLINE": "1", "PYTHONPATH": os.pathsep.join(paths)}
    args = [sys.executable, "-c", ELSEWHERE, str(tmp_path), TEXT]
    found = json.loads(subprocess.check_output(args, env=env))
    assert {*found["found"]} == {*CASES}
    for spans in found["found"].values():
        assert [tuple(pair) for pair in spans] == EXPECTED
    # Nothing before an architecture is resolved.
    assert found["added"] == [] and found["encoder"] is False
    # Span getters are there before and after spacy_transformers is imported.
    assert found["sizes"] == [[64, 4096]] * 2
    assert found["strided"] == "configure_strided_spans"


def test_a_shared_encoder_feeds_its_listeners(encoders, docs, tmp_path):
    nlp = spacy.blank("en")
    model = encoder("TransformerModel", encoders("bert"))
    shared = nlp.add_pipe("transformer", config={"model": model})
    nlp.add_pipe("pii_ner", config={"model": {**TAGGER, "tok2vec": LISTENER}})
    assert train(nlp) < 1.0 and spans_of(nlp(TEXT)) == EXPECTED
    docs = [Doc(nlp.vocab).from_bytes(doc.to_bytes()) for doc in docs]
    vectors = nlp.get_pipe("pii_ner").model.get_ref("tok2vec")
    shared.set_annotations(docs, shared.predict(docs))
    listened = vectors.predict(docs)
    # The same vectors as without sharing, where tokens have pieces at all.
    alone = build(encoders("bert"))
    encoder_of(alone).shim._model.load_state_dict(shared.model.transformer.state_dict())
    assert [*map(len, listened)] == [*map(len, docs)]
    equal(filter(len, listened), filter(len, alone.predict(docs)))
    nlp.to_disk(tmp_path / "shared")
    assert spans_of(spacy.load(tmp_path / "shared")(TEXT)) == EXPECTED
    # A component that takes its own copy of the encoder can be saved, too.
    nlp.replace_listeners("transformer", "pii_ner", ["model.tok2vec"])
    nlp.remove_pipe("transformer")
    assert spans_of(nlp(TEXT)) == EXPECTED
    nlp.to_disk(tmp_path / "own")
    loaded = spacy.load(tmp_path / "own")
    assert spans_of(loaded(TEXT)) == EXPECTED
    model = loaded.config["components"]["pii_ner"]["model"]["tok2vec"]
    assert model["@architectures"] == "spacy_deid.Transformer.v1"


def test_a_missing_extra_is_named_for_tokenizers_too(encoders, monkeypatch):
    """Folders without tokenizer.json come with a SentencePiece model alone."""
    lacks = ImportError("\n requires the protobuf library\nbut it was not found")
    fail = Mock(side_effect=lacks)
    monkeypatch.setattr(transformers.AutoTokenizer, "from_pretrained", fail)
    for make in (build, lambda name: load_masked_lm(name).tokenizer):
        with pytest.raises(ValueError, match=r"spacy-deid\[transformers\]") as e:
            make(encoders("bert"))
        assert "\n" not in str(e.value) and "sentencepiece" in str(e.value)
    monkeypatch.delitem(sys.modules, "spacy_deid.models.hf_encoder")
    for name in ("torch", "transformers", "spacy_transformers"):
        monkeypatch.setitem(sys.modules, name, None)
    message = r"'torch': pip install spacy-deid\[transformers\]"
    with pytest.raises(ImportError, match=message) as e:
        build("any")
    assert "\n" not in str(e.value)


def test_impossible_settings_are_refused(monkeypatch, tmp_path, encoders):
    settings = {"grad_factor": -1.0, "learn_rate_factor": -0.1, "batch_pieces": 0}
    for name, value in settings.items():
        with pytest.raises(ValueError, match=name):
            build("x", **{name: value})
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    with pytest.raises(ValueError, match="cannot load the encoder '/no/such/f") as e:
        build("/no/such/folder")
    assert "\n" not in str(e.value)
    tokenizer = transformers.AutoTokenizer.from_pretrained(encoders("bert"))
    tokenizer.save_pretrained(tmp_path)
    sizes = {"layers": 1, "attention_heads": 1, "ffn_dim": 8}
    parts = product(("encoder", "decoder"), sizes.items())
    settings = {f"{part}_{key}": value for part, (key, value) in parts}
    config = transformers.BartConfig(vocab_size=50, d_model=8, **settings)
    transformers.BartModel(config).save_pretrained(tmp_path)
    with pytest.raises(ValueError, match="decoder"):
        build(str(tmp_path))
    one, other = build(encoders("bert")), build(encoders("roberta"))
    shim = encoder_of(one).shim
    message = srsly.msgpack_loads(shim.to_bytes())
    others = srsly.msgpack_loads(encoder_of(other).shim.to_bytes())
    with pytest.raises(ValueError, match="do not fit"):
        shim.from_bytes(srsly.msgpack_dumps({**message, "state": others["state"]}))
