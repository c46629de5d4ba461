"""Masked language models: against one plain forward pass a stretch."""

import copy
import json
import pickle

import numpy
import pytest
import spacy
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from spacy_deid.models.masked_lm import (
    MaskedLM,
    MaskedLMWeighting,
    Query,
    load_masked_lm,
)
from spacy_deid.models.pieces import cut_text
from spacy_deid.registries import registry

TEXT = "Anna Smith was born in Paris in 1970, and is a painter from Leeds."
LONG = " ".join(f"{TEXT} He lodged case {i}/19." for i in range(8))


@pytest.fixture(scope="module")
def roberta(tiny_lm, tmp_path_factory):
    return tiny_lm.save_roberta(tmp_path_factory.mktemp("roberta"))


@pytest.fixture(scope="module")
def lm(tiny_bert):
    return MaskedLM(tiny_bert)


def spans_of(text, *words):
    return [(text.index(w), text.index(w) + len(w)) for w in words]


def plain(lm, query, window=None):
    """One forward pass for one stretch that a window holds, in the simplest way."""
    import torch

    tokenizer, model, _ = lm.loaded
    encoded = tokenizer(
        query.text, add_special_tokens=False, return_offsets_mapping=True
    )
    ids, offsets = encoded["input_ids"], encoded["offset_mapping"]

    def inside(start, end):
        return [
            i
            for i, (a, b) in enumerate(offsets)
            if start < end and a < end and b > start
        ]

    target = inside(query.start, query.end)
    masked = set(target).union(*(inside(*span) for span in query.masked))
    room = (window or 10**6) - 2
    first = target[0] - (room - len(target)) // 2
    first = max(0, min(first, len(ids) - room))
    kept = range(first, min(len(ids), first + room))
    row = [tokenizer.mask_token_id if i in masked else ids[i] for i in kept]
    row = tokenizer.build_inputs_with_special_tokens(row)
    with torch.no_grad():
        logits = model(torch.tensor([row])).logits[0]
    logs = torch.log_softmax(logits, dim=-1)
    return [float(logs[kept.index(i) + 1, ids[i]]) for i in target]


@pytest.mark.parametrize("kind", ["tiny_bert", "roberta"])
def test_is_what_a_plain_forward_pass_gives(kind, request):
    lm = MaskedLM(request.getfixturevalue(kind))
    name, town, year, job = spans_of(TEXT, "Anna Smith", "Paris", "1970", "painter")
    queries = [
        Query(TEXT, *name),
        Query(TEXT, *town),
        Query(TEXT, *town, (name, year)),
        Query(TEXT, *year, (town, job)),
        # In the middle of a word: all its pieces that are touched.
        Query(TEXT, town[0] + 1, town[1] - 1),
        Query("Leeds", 0, 5),
    ]
    found = lm.log_probabilities(queries)
    for query, logs in zip(queries, found):
        assert logs.dtype == numpy.float64
        numpy.testing.assert_allclose(logs, plain(lm, query), atol=1e-5)
    # What else is masked matters.
    assert abs(found[1] - found[2]).max() > 1e-4


def test_window_stands_around_the_stretch(tiny_bert):
    lm = MaskedLM(tiny_bert, window=20)
    starts = [i for i in range(len(LONG)) if LONG.startswith("Paris", i)]
    queries = [Query(LONG, i, i + 5) for i in starts]
    queries.append(Query(LONG, *spans_of(LONG, "1970, and is a")[0], ((0, 4),)))
    for query, logs in zip(queries, lm.log_probabilities(queries)):
        numpy.testing.assert_allclose(logs, plain(lm, query, 20), atol=1e-5)


def test_stretch_longer_than_a_window_is_read_in_parts(tiny_bert):
    import torch

    lm = MaskedLM(tiny_bert, window=12)
    (logs,) = lm.log_probabilities([Query(LONG, 10, len(LONG) - 10)])
    tokenizer, model, _ = lm.loaded
    encoded = tokenizer(LONG, add_special_tokens=False, return_offsets_mapping=True)
    ids = encoded["input_ids"]
    places = [
        i
        for i, (a, b) in enumerate(encoded["offset_mapping"])
        if b > 10 and a < len(LONG) - 10
    ]
    assert logs.shape == (len(places),) and numpy.isfinite(logs).all()
    # The first part: half a window of masks, with what stands before it.
    n = -(-len(places) // 5)
    part = places[: len(places) // n]
    first = max(0, part[0] - (10 - len(part)) // 2)
    row = [
        tokenizer.mask_token_id if i in places else ids[i]
        for i in range(first, first + 10)
    ]
    row = tokenizer.build_inputs_with_special_tokens(row)
    with torch.no_grad():
        found = torch.log_softmax(model(torch.tensor([row])).logits[0], -1)
    wanted = [float(found[i - first + 1, ids[i]]) for i in part]
    numpy.testing.assert_allclose(logs[: len(part)], wanted, atol=1e-5)


@given(
    queries=st.lists(
        st.tuples(
            st.sampled_from((TEXT, LONG, "anna", "\n", "")),
            st.integers(0, 90),
            st.integers(0, 90),
            st.lists(st.tuples(st.integers(0, 60), st.integers(0, 60)), max_size=2),
        ),
        max_size=6,
    ),
    window=st.integers(4, 40),
    batch_pieces=st.sampled_from((1, 60, 4096)),
    shared=st.booleans(),
)
@settings(
    max_examples=40,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
def test_no_piece_is_left_out_and_batches_make_no_difference(
    tiny_bert, queries, window, batch_pieces, shared
):
    def order(a, b, text):
        return min(a, b, len(text)), min(max(a, b), len(text))

    queries = [
        Query(t, *order(a, b, t), tuple(order(*m, t) for m in masked))
        for t, a, b, masked in queries
    ]
    lm = MaskedLM(tiny_bert, window, batch_pieces)
    tokenizer = lm.loaded.tokenizer
    found = lm.log_probabilities(queries, shared=shared)
    alone = [lm.log_probabilities([q], shared=shared)[0] for q in queries]
    assert len(found) == len(queries)
    for query, logs, own in zip(queries, found, alone):
        offsets = tokenizer(
            query.text, add_special_tokens=False, return_offsets_mapping=True
        )["offset_mapping"]
        n = sum(
            a < query.end and b > query.start and query.start < query.end
            for a, b in offsets
        )
        assert logs.shape == (n,)
        assert (logs <= 0).all() and numpy.isfinite(logs).all()
        numpy.testing.assert_allclose(logs, own, atol=1e-4)


def test_shared_windows_have_half_a_window_around_all(tiny_bert):
    lm = MaskedLM(tiny_bert, window=22)
    n = len(cut_text(LONG, lm.loaded.tokenizer).ids)
    for first in range(n - 2):
        start, stop = lm._window(first, first + 2, n, True)
        assert start <= first and first + 2 <= stop and stop - start == 20
        assert start % 10 == 0 or stop == n
        # Half of what a window of its own would have, where there is so much.
        assert first - start >= min(first, 4) and stop - first - 2 >= min(
            n - first - 2, 4
        )


def test_same_windows_with_the_same_masks_are_read_once(tiny_bert):
    lm = MaskedLM(tiny_bert)
    name, town, year = spans_of(TEXT, "Anna Smith", "Paris", "1970")
    lm.log_probabilities(
        [
            Query(TEXT, *name, (town,)),
            Query(TEXT, *town, (name,)),
            Query(TEXT, *town, (name, town)),
            Query(TEXT, *year),
        ]
    )
    assert (lm.sequences, lm.passes) == (2, 1)


def test_tokenizer_without_offsets(tiny_lm, tiny_bert, tmp_path):
    import transformers

    path = tiny_lm.save_bert(tmp_path)
    lm, fast = MaskedLM(path), MaskedLM(tiny_bert)
    slow = transformers.BertTokenizer(f"{path}/vocab.txt")
    lm._holder.loaded = lm.loaded._replace(tokenizer=slow)
    queries = [Query(TEXT, *span) for span in spans_of(TEXT, "Paris", "Anna Smith")]
    for a, b in zip(lm.log_probabilities(queries), fast.log_probabilities(queries)):
        numpy.testing.assert_allclose(a, b, atol=1e-5)


@pytest.mark.parametrize(
    "query", [Query("abc", 2, 4), Query("abc", 2, 1), Query("abc", 0, 1, ((1, 9),))]
)
def test_stretch_outside_its_text_is_an_error(lm, query):
    with pytest.raises(ValueError, match="outside the text of 3 characters"):
        lm.log_probabilities([query])


def test_encoder_without_head_is_an_error(tiny_lm, tmp_path):
    path = tiny_lm.save_bert(tmp_path, head=False)
    with pytest.raises(ValueError, match=r"has no masked-LM head.*adapt-mlm"):
        MaskedLM(path).log_probabilities([Query(TEXT, 0, 4)])
    made = load_masked_lm(path, make_head=True)
    assert made.made
    output, own = made.model.get_output_embeddings(), made.model.get_input_embeddings()
    assert output.weight is own.weight


def test_left_to_right_model_is_an_error(tmp_path, tiny_bert):
    import transformers

    config = transformers.GPT2Config(n_embd=8, n_layer=1, n_head=1, vocab_size=90)
    transformers.GPT2LMHeadModel(config).save_pretrained(tmp_path)
    transformers.AutoTokenizer.from_pretrained(tiny_bert).save_pretrained(tmp_path)
    with pytest.raises(ValueError, match="is no masked language model"):
        load_masked_lm(str(tmp_path))


def test_weights_that_are_missing_are_an_error(tiny_lm, tmp_path):
    from safetensors.torch import load_file, save_file

    path = tiny_lm.save_bert(tmp_path)
    weights = load_file(f"{path}/model.safetensors")
    del weights["bert.encoder.layer.1.output.dense.weight"]
    save_file(weights, f"{path}/model.safetensors", metadata={"format": "pt"})
    with pytest.raises(ValueError, match="lack weights of the encoder"):
        load_masked_lm(path)


def test_pickle_holds_no_weights(lm):
    before = lm.log_probabilities([Query(TEXT, 0, 4)])[0].sum()
    data = pickle.dumps(lm)
    assert len(data) < 1000
    for other in (pickle.loads(data), copy.deepcopy(lm)):
        assert other.log_probabilities([Query(TEXT, 0, 4)])[0].sum() == pytest.approx(
            before
        )


def test_in_a_forked_process(tiny_bert):
    """As in `nlp.pipe(n_process=2)`; one that is spawned gets a pickle."""
    import multiprocessing

    lm = MaskedLM(tiny_bert)
    wanted = lm.log_probabilities([Query(TEXT, 0, 4)])[0].sum()
    with multiprocessing.get_context("fork").Pool(1) as pool:
        (found,) = pool.apply(lm.log_probabilities, ([Query(TEXT, 0, 4)],))
    assert found.sum() == pytest.approx(wanted, abs=1e-5)


def test_missing_extra_is_named(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "torch", None)
    with pytest.raises(ImportError, match="transformers"):
        load_masked_lm("any")


# --- information content of words ---


def test_weighting_is_minus_log_of_the_least_probable_piece(tiny_bert, lm):
    weigh = MaskedLMWeighting(tiny_bert)
    words = spans_of(TEXT, "Anna", "painter", "Leeds")
    # Several pieces, and none at all.
    odd = "anna xyzé\n"
    found = weigh(TEXT, words)
    for word, weight in zip(words, found):
        assert weight == pytest.approx(-min(plain(lm, Query(TEXT, *word))), abs=1e-5)
    several = -min(plain(lm, Query(odd, 5, 9)))
    assert len(plain(lm, Query(odd, 5, 9))) > 1
    assert weigh(odd, [(5, 9), (9, 10)]) == [pytest.approx(several, abs=1e-5), 0.0]


def test_weighting_of_words_masked_together(tiny_bert, lm):
    weigh = registry.resolve(
        {
            "w": {
                "@deid_weightings": "spacy_deid.masked_lm_weighting.v1",
                "name": tiny_bert,
                "together": True,
            }
        }
    )["w"]
    words = spans_of(TEXT, "Anna", "Smith", "Leeds")
    found = weigh(TEXT, words)
    for word, weight in zip(words, found):
        wanted = -min(plain(lm, Query(TEXT, *word, tuple(words))))
        assert weight == pytest.approx(wanted, abs=1e-5)
    assert weigh.language_model.sequences == 1


def test_weighting_in_the_scorer_and_the_command(tiny_bert, tmp_path):
    from spacy.cli._util import app
    from spacy.tokens import Doc, Span
    from spacy.training import Example
    from typer.testing import CliRunner

    import spacy_deid.cli  # noqa: F401

    nlp = spacy.blank("en")
    config = {
        "@scorers": "spacy_deid.privacy_scorer.v1",
        "weighting": {
            "@deid_weightings": "spacy_deid.masked_lm_weighting.v1",
            "name": tiny_bert,
        },
    }
    score = registry.resolve({"s": config})["s"]
    doc = nlp.make_doc("Anna was born in Paris")
    gold = Doc(nlp.vocab, words=[t.text for t in doc])
    gold.spans["mask"] = [Span(gold, 0, 1, "DIRECT")]
    doc.spans["pii"] = [Span(doc, 0, 1, "PERSON"), Span(doc, 4, 5, "LOC")]
    doc.spans["mask"] = [Span(doc, 0, 1, "DIRECT"), Span(doc, 4, 5, "QUASI")]
    a, b = MaskedLMWeighting(tiny_bert)(doc.text, [(0, 4), (17, 22)])
    scores = score([Example(doc, gold)])
    assert scores["deid_weighted_precision"] == pytest.approx(a / (a + b))

    gold_file, metrics = tmp_path / "gold.jsonl", tmp_path / "metrics.json"
    mention = {"start_offset": 0, "end_offset": 4, "entity_type": "PERSON"}
    record = {
        "doc_id": "1",
        "text": "Anna: anna@mail.org",
        "entity_mentions": [mention],
    }
    gold_file.write_text(json.dumps(record) + "\n", encoding="utf8")
    done = CliRunner().invoke(
        app,
        [
            *("deid", "evaluate", "en_deid_sm", str(gold_file)),
            *("--output", str(metrics), "--bootstrap", "0", "--mask", "all"),
            *("--weighting", f"spacy_deid.masked_lm_weighting.v1 name={tiny_bert}"),
        ],
    )
    assert done.exit_code == 0, done.output
    assert 0 < json.loads(metrics.read_text())["weighted_precision"] < 1


def test_weighting_that_cannot_be_loaded_is_said_before_any_document(tmp_path):
    pytest.importorskip("transformers", reason="language models need torch")
    from spacy_deid.cli._errors import CliError
    from spacy_deid.cli.evaluate import make_weighting

    name = f"spacy_deid.masked_lm_weighting.v1 name={tmp_path}/none"
    with pytest.raises(CliError, match="cannot load the masked language model"):
        make_weighting(name)
    with pytest.raises(CliError, match="needs the name or path"):
        make_weighting("spacy_deid.masked_lm_weighting.v1 name=''")
