import numpy
import pytest
import spacy
from spacy.tokens import Doc
from spacy.vectors import Vectors

from spacy_deid.models import embeddings
from spacy_deid.models.embeddings import build_static_embedding, ngram_hashes

from .learning import TOK2VEC, copies, gold_examples, named, overfit

PARTS = {
    "encoder": TOK2VEC,
    "static": named("StaticEmbedding", width=12),
    "subword": named("SubwordEmbedding", width=16, rows=500),
}
WORDS = "Anna Kowalska moved from Leeds to Gdynia .".split()
SPANS = [(0, 2, "PERSON"), (4, 5, "LOC"), (6, 7, "LOC")]
GOLD = [(" ".join(WORDS), SPANS)]


def tagger(parts):
    joined = named("ConcatEmbeddings", width=32, **{"*": parts})
    return {"model": named("TokenTagger", tok2vec=joined)}


@pytest.fixture
def vectors_nlp():
    nlp = spacy.blank("en")
    data = numpy.random.default_rng(0).normal(size=(len(WORDS), 7)).astype("f")
    keys = [nlp.vocab.strings.add(word) for word in WORDS]
    nlp.vocab.vectors = Vectors(strings=nlp.vocab.strings, data=data, keys=keys)
    return nlp


def gram_texts(word, min_n, max_n):
    text = f"<{word}>"
    sizes = range(min_n, max_n + 1)
    return [text, *(text[i : i + n] for n in sizes for i in range(len(text) - n + 1))]


@pytest.mark.parametrize("min_n,max_n", [(3, 6), (1, 1), (2, 9)])
def test_equal_ngrams_have_equal_hashes_wherever_they_stand(min_n, max_n):
    words = ["Murray", "Murrays", "rray", "a", "", "Ünïcode", "murray", "ab" * 20]
    words += ["\ud800", "😀", "\x00"]
    hashes, counts = ngram_hashes(words, min_n, max_n)
    known = {}
    place = 0
    for word, count in zip(words, counts):
        texts = gram_texts(word, min_n, max_n)
        assert len(texts) == count
        for i, (text, value) in enumerate(zip(texts, hashes[place:])):
            # The word as a whole has an embedding of its own.
            key = (text, 0 if i == 0 else len(text))
            assert known.setdefault(key, value) == value
        place += count
    assert place == len(hashes) and len(set(known.values())) == len(known)


def test_subword_embedding_is_the_mean_of_rows_and_learns_them(vectors_nlp):
    model = embeddings.build_subword_embedding(4, rows=50, min_n=2, max_n=3)
    model.initialize()
    docs = [Doc(vectors_nlp.vocab, words=w) for w in (["Anna", "x"], [], ["Anna"])]
    Y, backprop = model(docs, is_train=True)
    assert [y.shape for y in Y] == [(2, 4), (0, 4), (1, 4)]
    hashes, _ = ngram_hashes(["Anna"], 2, 3)
    E = model.get_param("E")
    rows = (hashes % numpy.uint64(50)).astype(int)
    numpy.testing.assert_allclose(Y[0][0], E[rows].mean(axis=0), atol=1e-6)
    numpy.testing.assert_allclose(Y[0][0], Y[2][0])
    dY = [numpy.random.default_rng(0).normal(size=y.shape).astype("f") for y in Y]
    backprop(dY)
    gradient = model.get_grad("E")
    for row in [*rows[:4], 0]:
        kept = E[row, 2]
        ends = []
        for change in (1.0, -1.0):
            E[row, 2] = kept + change
            ends.append(sum((y * d).sum() for y, d in zip(model.predict(docs), dY)))
        E[row, 2] = kept
        slope = (ends[0] - ends[1]) / 2
        assert gradient[row, 2] == pytest.approx(slope, abs=1e-4)


def test_case_counts_or_not_no_word_is_kept_and_hashes_last(vectors_nlp):
    for attr, same in (("ORTH", False), ("LOWER", True)):
        model = embeddings.build_subword_embedding(8, rows=5000, attr=attr).initialize()
        (rows,) = model.predict([Doc(vectors_nlp.vocab, words=["Anna", "ANNA"])])
        assert (rows[0] == rows[1]).all() == same
    model = embeddings.build_subword_embedding(8, rows=50).initialize()
    (Y,), backprop = model([Doc(vectors_nlp.vocab, words=["Xyzzy"])], is_train=True)
    backprop([Y])
    saved = model.to_bytes()
    assert b"Xyzzy" not in saved and b"xyzzy" not in saved
    # Saved models depend on them.
    hashes, _ = ngram_hashes(["Anna"], 3, 3)
    assert hashes.tolist() == [
        10917871075106901851, 16876223904750654168, 6418067099016417255,
        6134542536263485938, 17272501426835664010,
    ]  # fmt: skip


def test_static_embedding_projects_the_vectors(vectors_nlp):
    model = build_static_embedding(5)
    docs = [Doc(vectors_nlp.vocab, words=w) for w in (WORDS, [], ["unseen"])]
    model.initialize(X=docs)
    Y, backprop = model(docs, is_train=True)
    W = model.layers[0].get_param("W")
    for word, row in zip(WORDS, Y[0]):
        vector = vectors_nlp.vocab.get_vector(word)
        numpy.testing.assert_allclose(row, W @ vector, atol=1e-5)
    assert Y[1].shape == (0, 5) and not Y[2].any()
    backprop([numpy.ones_like(y) for y in Y])
    total = sum(vectors_nlp.vocab.get_vector(word) for word in WORDS)
    numpy.testing.assert_allclose(model.layers[0].get_grad("W")[0], total, atol=1e-4)
    assert model.predict(docs[1:2])[0].shape == (0, 5)


@pytest.mark.parametrize("width", [None, 6])
def test_parts_stand_side_by_side(vectors_nlp, width):
    parts = [build_static_embedding(5), embeddings.build_subword_embedding(3, rows=50)]
    model = embeddings.build_concat_embeddings(*parts, width=width)
    docs = [Doc(vectors_nlp.vocab, words=w) for w in (WORDS, [], ["Anna"])]
    model.initialize(X=docs)
    assert model.get_dim("nO") == (width or 8)
    Y, backprop = model(docs, is_train=True)
    assert [y.shape for y in Y] == [(8, width or 8), (0, width or 8), (1, width or 8)]
    backprop([numpy.ones_like(y) for y in Y])
    assert all(p.has_grad("E") for p in parts[1:])
    if width is None:
        for part, columns in zip(parts, (slice(0, 5), slice(5, 8))):
            for y, rows in zip(Y, part.predict(docs)):
                numpy.testing.assert_allclose(y[:, columns], rows, atol=1e-6)
        assert (parts[1].get_grad("E") >= 0).all() and model.predict([]) == []


def test_learns_through_a_shared_encoder(vectors_nlp):
    """The `tok2vec` component of spaCy learns through the listener."""
    nlp = vectors_nlp
    nlp.add_pipe("tok2vec", config={"model": {"width": 16, "depth": 1}})
    listener = {"@architectures": "spacy.Tok2VecListener.v1", "width": 16}
    parts = {**PARTS, "encoder": {**listener, "upstream": "tok2vec"}}
    nlp.add_pipe("pii_ner", config=tagger(parts))
    examples = gold_examples(nlp, GOLD)
    losses = overfit(nlp, examples, steps=40)
    assert losses[-1] < 0.1 * losses[0]
    weights = [p for p in nlp.get_pipe("tok2vec").model.walk() if p.has_param("E")]
    before = [p.get_param("E").copy() for p in weights]
    nlp.update(examples, sgd=nlp.resume_training())
    assert all((a != p.get_param("E")).any() for a, p in zip(before, weights))


def test_all_three_together_overfit_and_round_trip(vectors_nlp, tmp_path):
    nlp = vectors_nlp
    nlp.add_pipe("pii_ner", config=tagger(PARTS))
    losses = overfit(nlp, gold_examples(nlp, GOLD), steps=40)
    assert losses[-1] < 0.1 * losses[0]
    text = " ".join(WORDS)
    for other in (nlp, *copies(nlp, tmp_path)):
        doc = other(text)
        assert [(s.start, s.end, s.label_) for s in doc.spans["pii_ner"]] == SPANS
    docs = list(nlp.pipe([text, "", text], n_process=2, batch_size=1))
    assert [len(doc.spans["pii_ner"]) for doc in docs] == [3, 0, 3]


def test_bad_settings_are_one_clear_error(nlp):
    subwords, static = embeddings.build_subword_embedding, build_static_embedding()
    for make, settings, message in (
        (embeddings.build_concat_embeddings, {}, "one embedding or more"),
        (subwords, {"rows": 1}, "rows > 1"),
        (subwords, {"min_n": 4, "max_n": 3}, "min_n <= max_n"),
        (subwords, {"attr": "SHAPE"}, "unknown attr 'SHAPE'"),
        (static.initialize, {"X": [nlp.make_doc("a")]}, "needs word vectors"),
    ):
        with pytest.raises(ValueError, match=message):
            make(**settings)
