import copy
import json
import multiprocessing
import pickle
import sys

import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from spacy.training import Example

from spacy_deid.cli._errors import CliError
from spacy_deid.cli.evaluate import make_weighting
from spacy_deid.models.masked_lm import MaskedLM, MaskedLMWeighting, Query
from spacy_deid.models.masked_lm import load_masked_lm as load
from spacy_deid.models.pieces import cut_text
from spacy_deid.registries import registry

from ..annotated import record
from ..models.learning import make_doc

TEXT = "Anna Smith was born in Paris in 1970, and is a painter from Leeds."
LONG = " ".join(f"{TEXT} He lodged case {i}/19." for i in range(8))
texts = st.sampled_from((TEXT, LONG, "anna", "\n", ""))
stretches = st.tuples(st.integers(0, 90), st.integers(0, 90))
queries = st.tuples(texts, stretches, st.lists(stretches, max_size=2))
WEIGHTING = "spacy_deid.masked_lm_weighting.v1"


@pytest.fixture(scope="module")
def roberta(tiny_lm, tmp_path_factory):
    from ..models import tiny_encoders

    return tiny_encoders.save("roberta", tmp_path_factory.mktemp("roberta"), 64)


@pytest.fixture(scope="module")
def lm(tiny_bert):
    return MaskedLM(tiny_bert)


def spans_of(text, *words):
    return [(text.index(w), text.index(w) + len(w)) for w in words]


def places(lm, text, *spans):
    """The ids of all pieces, and the places of those that the spans touch."""
    settings = {"add_special_tokens": False, "return_offsets_mapping": True}
    encoded = lm.loaded.tokenizer(text, **settings)
    return encoded["input_ids"], [
        i
        for i, (a, b) in enumerate(encoded["offset_mapping"])
        if any(start < end and a < end and b > start for start, end in spans)
    ]


def one_pass(lm, ids, kept, masked, wanted):
    """Log-probabilities of the wanted pieces in a window with masks."""
    import torch

    tokenizer, model, _ = lm.loaded
    row = [tokenizer.mask_token_id if i in masked else ids[i] for i in kept]
    row = tokenizer.build_inputs_with_special_tokens(row)
    with torch.no_grad():
        logs = torch.log_softmax(model(torch.tensor([row])).logits[0], dim=-1)
    return [float(logs[kept.index(i) + 1, ids[i]]) for i in wanted]


def plain(lm, query, window=10**6):
    """One forward pass for one stretch that a window holds, in the simplest way."""
    own = (query.start, query.end)
    ids, target = places(lm, query.text, own)
    _, masked = places(lm, query.text, own, *query.masked)
    room = window - 2
    first = target[0] - (room - len(target)) // 2
    first = max(0, min(first, len(ids) - room))
    return one_pass(lm, ids, range(first, min(len(ids), first + room)), masked, target)


@pytest.mark.parametrize("kind", ["tiny_bert", "roberta"])
def test_is_what_a_plain_forward_pass_gives(kind, request):
    lm = MaskedLM(request.getfixturevalue(kind))
    name, town, year, job = spans_of(TEXT, "Anna Smith", "Paris", "1970", "painter")
    queries = [Query(TEXT, *name), Query(TEXT, *town)]
    queries += [Query(TEXT, *town, (name, year)), Query(TEXT, *year, (town, job))]
    # In the middle of a word: all its pieces that are touched.
    queries += [Query(TEXT, town[0] + 1, town[1] - 1), Query("Leeds", 0, 5)]
    found = lm.log_probabilities(queries)
    for query, logs in zip(queries, found):
        assert logs.dtype == numpy.float64
        numpy.testing.assert_allclose(logs, plain(lm, query), atol=1e-5)
    # What else is masked matters.
    assert abs(found[1] - found[2]).max() > 1e-4


def test_window_stands_around_the_stretch_or_a_part_of_it(tiny_bert):
    lm = MaskedLM(tiny_bert, window=20)
    starts = [i for i in range(len(LONG)) if LONG.startswith("Paris", i)]
    queries = [Query(LONG, i, i + 5) for i in starts]
    queries.append(Query(LONG, *spans_of(LONG, "1970, and is a")[0], ((0, 4),)))
    for query, logs in zip(queries, lm.log_probabilities(queries)):
        numpy.testing.assert_allclose(logs, plain(lm, query, 20), atol=1e-5)
    # One that is longer than a window is read in parts.
    lm = MaskedLM(tiny_bert, window=12)
    stretch = (10, len(LONG) - 10)
    (logs,) = lm.log_probabilities([Query(LONG, *stretch)])
    ids, target = places(lm, LONG, stretch)
    assert logs.shape == (len(target),) and numpy.isfinite(logs).all()
    # The first part: half a window of masks, with what stands before it.
    part = target[: len(target) // -(-len(target) // 5)]
    first = max(0, part[0] - (10 - len(part)) // 2)
    wanted = one_pass(lm, ids, range(first, first + 10), target, part)
    numpy.testing.assert_allclose(logs[: len(part)], wanted, atol=1e-5)


@given(
    queries=st.lists(queries, max_size=6),
    window=st.integers(4, 40),
    batch_pieces=st.sampled_from((1, 60, 4096)),
    shared=st.booleans(),
)
@settings(max_examples=40, deadline=None)
def test_batches_make_no_difference(tiny_bert, queries, window, batch_pieces, shared):
    def query(text, *spans):
        first, *masked = (sorted(min(x, len(text)) for x in span) for span in spans)
        return Query(text, *first, tuple(map(tuple, masked)))

    queries = [query(text, span, *masked) for text, span, masked in queries]
    lm = MaskedLM(tiny_bert, window, batch_pieces)
    found = lm.log_probabilities(queries, shared=shared)
    alone = [lm.log_probabilities([q], shared=shared)[0] for q in queries]
    assert len(found) == len(queries)
    for query, logs, own in zip(queries, found, alone):
        _, touched = places(lm, query.text, (query.start, query.end))
        assert logs.shape == (len(touched),)
        assert (logs <= 0).all() and numpy.isfinite(logs).all()
        numpy.testing.assert_allclose(logs, own, atol=1e-4)


def test_shared_windows_have_half_a_window_around_all_and_are_read_once(tiny_bert):
    lm = MaskedLM(tiny_bert, window=22)
    own = cut_text(LONG, lm.loaded.tokenizer)
    pairs, n = [*zip(own.starts, own.ends[1:])], len(own.ids)
    for first, (low, high) in enumerate(lm.windows(LONG, pairs)):
        start, stop = own.touched(low, high)
        assert start <= first and first + 2 <= stop and stop - start == 20
        # Half of what a window of its own would have, where there is so much.
        assert first - start >= min(first, 4) and stop - first >= min(n - first, 6)
    lm = MaskedLM(tiny_bert)
    name, town, year = spans_of(TEXT, "Anna Smith", "Paris", "1970")
    asked = [(name, (town,)), (town, (name,)), (town, (name, town)), (year, ())]
    lm.log_probabilities([Query(TEXT, *span, masked) for span, masked in asked])
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


def test_models_that_cannot_be_read_are_an_error(tiny_lm, tiny_bert, tmp_path):
    import transformers
    from safetensors.torch import load_file, save_file

    folders = [tmp_path / name for name in ("headless", "gpt", "damaged")]
    for folder in folders:
        folder.mkdir()
    path = tiny_lm.save_bert(folders[0], head=False)
    with pytest.raises(ValueError, match=r"has no masked-LM head.*adapt-mlm"):
        MaskedLM(path).log_probabilities([Query(TEXT, 0, 4)])
    made = load(path, make_head=True)
    output, own = made.model.get_output_embeddings(), made.model.get_input_embeddings()
    assert made.made and output.weight is own.weight
    # One that reads from left to right.
    config = transformers.GPT2Config(n_embd=8, n_layer=1, n_head=1, vocab_size=90)
    transformers.GPT2LMHeadModel(config).save_pretrained(folders[1])
    transformers.AutoTokenizer.from_pretrained(tiny_bert).save_pretrained(folders[1])
    with pytest.raises(ValueError, match="is no masked language model"):
        load(str(folders[1]))
    path = tiny_lm.save_bert(folders[2])
    weights = load_file(f"{path}/model.safetensors")
    del weights["bert.encoder.layer.1.output.dense.weight"]
    save_file(weights, f"{path}/model.safetensors", metadata={"format": "pt"})
    with pytest.raises(ValueError, match="lack weights of the encoder"):
        load(path)


def test_pickle_holds_no_weights_and_wrong_stretches_are_errors(lm):
    queries = [Query(TEXT, 0, 4)]
    (before,) = lm.log_probabilities(queries)
    data = pickle.dumps(lm)
    assert len(data) < 1000
    for other in (pickle.loads(data), copy.deepcopy(lm)):
        assert other.log_probabilities(queries)[0] == pytest.approx(before)
    # As in `nlp.pipe(n_process=2)`; a process that is spawned gets the pickle.
    with multiprocessing.get_context("fork").Pool(1) as pool:
        (found,) = pool.apply(lm.log_probabilities, (queries,))
    assert found == pytest.approx(before, abs=1e-5)
    for stretch in ((2, 4), (2, 1), (0, 1, ((1, 9),))):
        with pytest.raises(ValueError, match="outside the text of 3 characters"):
            lm.log_probabilities([Query("abc", *stretch)])


@pytest.mark.parametrize("together", [False, True])
def test_weighting_is_minus_log_of_the_least_probable_piece(tiny_bert, lm, together):
    config = {"@deid_weightings": WEIGHTING, "name": tiny_bert, "together": together}
    weigh = registry.resolve({"w": config})["w"]
    words = spans_of(TEXT, "Anna", "Smith", "painter", "Leeds")
    for word, weight in zip(words, weigh(TEXT, words)):
        least = min(plain(lm, Query(TEXT, *word, tuple(words) * together)))
        assert weight == pytest.approx(-least, abs=1e-5)
    if together:
        assert weigh.language_model.sequences == 1
        return
    # Several pieces, and none at all.
    odd = "anna xyzé\n"
    several = plain(lm, Query(odd, 5, 9))
    weights = [pytest.approx(-min(several), abs=1e-5), 0.0]
    assert len(several) > 1 and weigh(odd, [(5, 9), (9, 10)]) == weights


def test_weighting_in_the_scorer_and_the_command(nlp, tiny_bert, command, tmp_path):
    weighting = {"@deid_weightings": WEIGHTING, "name": tiny_bert}
    config = {"@scorers": "spacy_deid.privacy_scorer.v1", "weighting": weighting}
    score = registry.resolve({"s": config})["s"]
    words, masked = "Anna was born in Paris", [(0, 1, "DIRECT"), (4, 5, "QUASI")]
    doc = make_doc(nlp, words, pii=[(0, 1, "PERSON"), (4, 5, "LOC")], mask=masked)
    gold = make_doc(nlp, words, mask=masked[:1])
    a, b = MaskedLMWeighting(tiny_bert)(doc.text, [(0, 4), (17, 22)])
    scores = score([Example(doc, gold)])
    assert scores["deid_weighted_precision"] == pytest.approx(a / (a + b))
    gold_file, metrics = tmp_path / "gold.jsonl", tmp_path / "metrics.json"
    gold_file.write_text(json.dumps(record("[Anna](PERSON): anna@mail.org")))
    args = ("evaluate", "en_deid_sm", gold_file, "--output", metrics, "--mask", "all")
    weighting = f"{WEIGHTING} name={tiny_bert}"
    command("deid", *args, "--bootstrap", "0", "--weighting", weighting)
    assert 0 < json.loads(metrics.read_text())["weighted_precision"] < 1


def test_a_missing_extra_or_model_is_said_before_any_document(tmp_path, monkeypatch):
    pytest.importorskip("transformers", reason="language models need torch")
    with pytest.raises(CliError, match="cannot load the masked language model"):
        make_weighting(f"{WEIGHTING} name={tmp_path}/none")
    with pytest.raises(CliError, match="needs the name or path"):
        make_weighting(f"{WEIGHTING} name=''")
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(ImportError, match="transformers"):
        load("any")
