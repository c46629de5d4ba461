"""Embeddings that know words: names never seen are read as those seen, speed-ups change
nothing, texts of another kind are told apart."""

import numpy
import pytest
import spacy
from hypothesis import given
from hypothesis import strategies as st

from spacy_deid.gazetteers import lexicon
from spacy_deid.gazetteers.lexicon import load_lexicon
from spacy_deid.models.ops import embed_words_once
from spacy_deid.models.word_knowledge import build_word_knowledge_embed, text_kinds

from ..cases import cases

NLP = spacy.blank("en")


@pytest.fixture(scope="module")
def model():
    model = build_word_knowledge_embed(width=16, rows=200, affix_rows=100)
    model.initialize(X=[NLP.make_doc("one two")])
    return model


def features(model, words, nlp=NLP):
    (rows,) = model.layers[0].predict([nlp.make_doc(words)])
    return rows


def test_names_and_unseen_words_share_a_row_and_the_kind_of_a_text_is_seen(model):
    rows = features(model, "Xyqqa Zhqqa the hope Qwvvf")
    words = rows[:, 0]
    assert words[0] == words[1] == words[4] and len({words[0], words[2], words[3]}) == 3
    # The case of a word tells them apart all the same.
    lower = features(model, "xyqqa the")
    assert lower[0, 4] != rows[0, 4] and lower[1, 0] == rows[2, 0]
    # No given name that is no word has a row of its own.
    assert features(model, "Kwame Anneliese Bartosz Priyanka")[:, 0].max() <= 256
    texts = ("NO PAIN TODAY AT ALL", "no pain today at all", "1 2 3 4 no")
    docs = [NLP.make_doc(text) for text in ("", *texts)]
    empty, *kinds = text_kinds(docs).tolist()
    assert len({*kinds}) == 3 and [empty] == text_kinds(docs[:1]).tolist() == [64]
    assert [features(model, text)[0, 5] for text in texts] == kinds


def test_words_used_alike_are_read_alike(model):
    with_groups = build_word_knowledge_embed(16, 200, 100, groups=True)
    words = "metformin ibuprofen Manchester Liverpool nurse Xyqqa"
    rows, plain = features(with_groups, words), features(model, words)
    assert numpy.array_equal(rows[:, : plain.shape[1]], plain)
    fine, *_, coarse = rows[:, plain.shape[1] :].T.tolist()
    assert coarse[0] == coarse[1] and fine[2] == fine[3]
    assert len({coarse[0], coarse[2], coarse[4]}) == 3 and fine[5] == coarse[5] == 0
    # A language without groups has no columns for them.
    german = build_word_knowledge_embed(16, 200, 100, lexicon="de", groups=True)
    assert len(german.layers[2].layers[0].layers) == plain.shape[1]
    # Words of Russian news are grouped.
    russian = build_word_knowledge_embed(16, 200, 100, "ru", groups=True)
    alike = "Саратове Самаре врачом|инсулин аспирин Ивановна|Петровна Ивановна Самаре"
    for words in alike.split("|"):
        rows = features(russian, words, spacy.blank("ru"))
        shared = (rows[:, -8:] == rows[0, -8:]).sum(axis=1)
        # Of eight grains more with the like than with the unlike.
        assert shared[1] > 2 and shared[1] > shared[2] + 1


@given(st.lists(st.text(max_size=40), max_size=5))
def test_any_text_has_a_row_a_token_and_is_read_the_same_once(model, texts):
    docs = [NLP.make_doc(text) for text in texts]
    plain = model.predict(docs)
    assert [rows.shape for rows in plain] == [(len(doc), 16) for doc in docs]
    once = model.copy()
    embed_words_once(once)
    for first, second in zip(plain, once.predict(docs)):
        numpy.testing.assert_allclose(first, second, rtol=1e-4, atol=1e-5)


def test_what_the_lexica_know():
    """Names are told from words, in Russian in all cases."""
    for lang, words, flag, other in cases(__file__, "classes"):
        known = load_lexicon(lang)
        assert len(known) > 100_000
        for word in words.split():
            flags = known.class_of(word)
            assert flags & getattr(lexicon, flag), word
            assert not (other and flags & getattr(lexicon, other)), word
    assert load_lexicon("en").class_of("xyqqazh") == 0
    assert not load_lexicon(None).class_of("hope")
    with pytest.raises(ValueError, match="no lexicon of 'tlh'"):
        load_lexicon("tlh")


def test_learns_and_comes_back():
    model = build_word_knowledge_embed(width=8, rows=50, affix_rows=40, lexicon=None)
    doc = NLP.make_doc("Anna met Bert")
    model.initialize(X=[doc])
    (Y,), backprop = model([doc], is_train=True)
    backprop([numpy.ones_like(Y)])
    assert any(node.has_grad("E") for node in model.walk() if node.has_param("E"))
    again = build_word_knowledge_embed(width=8, rows=50, affix_rows=40, lexicon=None)
    assert (again.from_bytes(model.to_bytes()).predict([doc])[0] == Y).all()
    # Without a lexicon each word has its own row.
    assert len(set(features(model, doc.text)[:, 0].tolist())) == 3
