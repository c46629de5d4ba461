"""`spacy deid adapt-mlm`: training, resuming, and what is left out."""

import functools
import json
import os

import numpy
import pytest

torch = pytest.importorskip("torch", reason="language models need torch")
pytest.importorskip("transformers", reason="language models need transformers")

from spacy_deid.models.masked_lm import MaskedLM, Query, load_masked_lm, masked_logits  # noqa: E402
from spacy_deid.risk import adapt_mlm as adaptation  # noqa: E402
from spacy_deid.risk.adapt_mlm import (  # noqa: E402
    Adapter,
    AdaptSettings,
    Text,
    cut_texts,
    split,
    windows_of,
)

PAIRS = {"paris": "france", "oslo": "norway", "rome": "italy"}
TEXTS = [
    f"{name} was born in {town} , {country} and is a {job}"
    for town, country in PAIRS.items()
    for name in ("anna", "john", "smith", "murray")
    for job in ("doctor", "teacher", "painter")
]


@pytest.fixture(scope="module")
def encoder(tiny_lm, tmp_path_factory):
    """A tiny encoder without masked-LM head."""
    folder = tmp_path_factory.mktemp("encoder")
    return tiny_lm.save_bert(folder, head=False, large=False)


@pytest.fixture
def texts(tmp_path):
    path = tmp_path / "raw" / "texts.jsonl"
    path.parent.mkdir()
    path.write_text("".join(json.dumps({"text": t}) + "\n" for t in TEXTS), "utf8")
    return path


@pytest.fixture(scope="module")
def run(deid):
    return functools.partial(deid, "adapt-mlm")


OPTIONS = (
    *("--length", 24, "--batch-pieces", 240, "--rate", 0.02, "--mask-rate", 0.3),
    *("--holdout", 0.1),
)


# --- parts ---


def ids(n, source="a", shift=0):
    return Text(source, numpy.arange(shift, shift + n), numpy.arange(n) // 2)


@pytest.mark.parametrize("seed", [None, 0, 1, 2])
def test_windows_hold_every_piece_once(seed):
    rng = None if seed is None else numpy.random.default_rng(seed)
    texts = [ids(n) for n in (1, 9, 10, 11, 57)]
    windows = windows_of(texts, 10, rng)
    for i, text in enumerate(texts):
        own = [range(a, b) for j, a, b in windows if j == i]
        assert [p for r in own for p in r] == list(range(len(text.ids)))
        assert all(1 <= len(r) <= 10 for r in own)


def test_split_keeps_equal_texts_on_one_side():
    texts = [ids(5, shift=i % 10) for i in range(40)]
    train, held_out = split(texts, 0.2, 0)
    assert len(train) == 8 and len(held_out) == 2
    assert not {t.ids[0] for t in train} & {t.ids[0] for t in held_out}
    assert len(split(texts[:3], 0.01, 0)[1]) == 1
    with pytest.raises(ValueError, match="at least two different texts"):
        split([ids(5), ids(5)], 0.5, 0)


def make_adapter(encoder, **settings):
    loaded = load_masked_lm(encoder, make_head=True)
    options = {"length": 24, "batch_pieces": 240, "mask_rate": 0.3, **settings}
    items = [("texts", text) for text in TEXTS]
    return Adapter(loaded, cut_texts(items, loaded.tokenizer), AdaptSettings(**options))


def test_words_are_masked_as_a_whole(encoder):
    loaded = load_masked_lm(encoder, make_head=True)
    # "zzyx" has four pieces, "(" one.
    (text,) = cut_texts([("s", "zzyx ( zzyx anna")], loaded.tokenizer)
    assert text.words.tolist() == [0, 0, 0, 0, 1, 2, 2, 2, 2, 3]
    adapter = make_adapter(encoder)
    seen = set()
    for number in range(60):
        batch = adapter.mask([text], [(0, 0, 10)], number)
        assert batch.ids.shape == (1, 12) and batch.mask.all()
        hidden = batch.ids[0] == loaded.tokenizer.mask_token_id
        places = numpy.flatnonzero(hidden)
        assert batch.rows.tolist() == places.tolist() and len(places)
        assert batch.gold.tolist() == text.ids[places - 1].tolist()
        assert (batch.ids[0, 1:-1][~hidden[1:-1]] == text.ids[~hidden[1:-1]]).all()
        for word in range(4):
            own = hidden[1:-1][text.words == word]
            assert own.all() or not own.any()
        seen.add(tuple(places))
    assert len(seen) > 5


def test_new_head_starts_at_the_frequencies(encoder):
    """What it gives an average place is how often each piece occurs."""
    adapter = make_adapter(encoder)
    before = adapter.perplexity()
    adapter.start_head()
    bias = adapter.model.get_output_embeddings().bias.detach().numpy()
    numpy.testing.assert_allclose(numpy.exp(bias).sum(), 1.0, atol=1e-4)
    piece = adapter.tokenizer.convert_tokens_to_ids("paris")
    counts = sum(int((t.ids == piece).sum()) for t in adapter.train) + 1
    total = sum(len(t.ids) for t in adapter.train) + len(bias)
    assert numpy.exp(bias[piece]) == pytest.approx(counts / total, rel=1e-4)
    assert before["unigram"] == adapter.perplexity()["unigram"]
    # A model with a head of its own keeps it.
    loaded = load_masked_lm(encoder, make_head=True)._replace(made=())
    items = [("texts", text) for text in TEXTS]
    kept = Adapter(loaded, cut_texts(items, loaded.tokenizer), AdaptSettings(length=24))
    state = {k: v.clone() for k, v in kept.model.state_dict().items()}
    kept.start_head()
    assert all((kept.model.state_dict()[k] == v).all() for k, v in state.items())


@pytest.mark.parametrize(
    "settings",
    [
        {"length": 4},
        {"mask_rate": 0},
        {"mask_rate": 1},
        {"rate": 0},
        {"warmup": 1},
        {"epochs": 0},
        {"batch_pieces": 100},
        {"holdout": 0},
        {"steps": -1},
        {"weight_decay": -1},
    ],
)
def test_settings_are_checked(settings):
    with pytest.raises(ValueError, match=next(iter(settings))):
        AdaptSettings(**settings)


# --- the command ---


def test_learns_what_the_texts_teach(run, encoder, texts, tmp_path):
    report = tmp_path / "mlm.json"
    out = tmp_path / "made"
    done = run(encoder, out, texts, *OPTIONS, "--steps", 60, "--report", report)
    metrics = json.loads(report.read_text())
    before, after = metrics["perplexity_before"], metrics["perplexity_after"]
    assert metrics["new_head"] and metrics["steps"] == 60
    assert metrics["texts"] == {"train": 32, "held_out": 4, "excluded": 0}
    assert set(after) == {"all", "unigram", "raw/texts.jsonl"}
    assert after["all"] < 0.5 * min(before["all"], after["unigram"])
    assert f"{after['all']:,.1f}" in done.output
    assert not out.with_name("made.part").exists()
    # It has learned what stands where, and what may stand there.
    lm = MaskedLM(str(out))
    text = "anna was born in paris , france and is a doctor"
    fixed, town = lm.log_probabilities([Query(text, 9, 13), Query(text, 17, 22)])
    assert numpy.exp(fixed[0]) > 0.9 and 0.15 < numpy.exp(town[0]) < 0.6
    # The head shares the embeddings of the input, after saving too.
    model = lm.loaded.model
    own, output = model.get_input_embeddings(), model.get_output_embeddings()
    assert own.weight is output.weight and not lm.loaded.made
    # A model that has a head goes on from there.
    run(out, tmp_path / "more", texts, *OPTIONS, "--steps", 1, "--report", report)
    metrics = json.loads(report.read_text())
    assert not metrics["new_head"]
    assert metrics["perplexity_before"]["all"] == pytest.approx(after["all"], rel=1e-3)


def stop_after(monkeypatch, step):
    """Interrupt the training once so many steps are done."""

    def get(self, i):
        if i == step + 1:  # the loader is one batch ahead
            raise KeyboardInterrupt
        return _get(self, i)

    monkeypatch.setattr(adaptation, "SAVE_EVERY", 2)
    monkeypatch.setattr(Adapter, "__getitem__", get)


_get = Adapter.__getitem__


def test_interrupted_goes_on_as_if_it_had_not_been(
    run, encoder, texts, tmp_path, monkeypatch
):
    options = (*OPTIONS, "--steps", 12)
    run(encoder, tmp_path / "whole", texts, *options)
    out, part = tmp_path / "parts", tmp_path / "parts.part"
    with monkeypatch.context() as patch:
        stop_after(patch, 7)
        first = run(encoder, out, texts, *options, code=130)
    assert "the same command goes on" in first.output
    assert not out.exists() and [*part.glob("checkpoint-*")] == [part / "checkpoint-6"]
    for path in part.rglob("*"):
        assert path.is_dir() or b"was born in" not in path.read_bytes()
    # Half written when the power failed.
    (part / "checkpoint-7").mkdir()
    second = run(encoder, out, texts, *options)
    assert "Going on after step 6 of 12" in second.output
    assert not part.exists()
    whole, parts = MaskedLM(str(tmp_path / "whole")), MaskedLM(str(out))
    for a, b in zip(
        whole.loaded.model.state_dict().values(),
        parts.loaded.model.state_dict().values(),
    ):
        torch.testing.assert_close(a, b)


def test_saved_steps_that_are_of_no_use(run, encoder, texts, tmp_path, monkeypatch):
    out, part = tmp_path / "out", tmp_path / "out.part"
    with monkeypatch.context() as patch:
        stop_after(patch, 3)
        run(encoder, out, texts, *OPTIONS, "--steps", 9, code=130)
    (part / "checkpoint-2" / "optimizer.pt").write_bytes(b"nothing")
    done = run(encoder, out, texts, *OPTIONS, "--steps", 9, code=1)
    assert "is damaged; remove it" in done.output
    done = run(encoder, out, texts, *OPTIONS, "--steps", 4)
    assert "training begins anew" in done.output


def test_a_loss_that_is_no_number_ends_the_training(run, encoder, texts, tmp_path):
    done = run(
        encoder, tmp_path / "o", texts, *OPTIONS, "--steps", 9, "--rate", 1e30, code=1
    )
    assert "lower the rate" in done.output


def test_evaluation_documents_are_left_out(run, encoder, texts, tmp_path):
    dev = tmp_path / "dev.jsonl"
    dev.write_text(json.dumps({"doc_id": "1", "text": TEXTS[3].title()}) + "\n", "utf8")
    report = tmp_path / "mlm.json"
    run(
        *(encoder, tmp_path / "out", texts, *OPTIONS, "--steps", 1),
        *("--exclude", dev, "--report", report),
    )
    metrics = json.loads(report.read_text())
    assert metrics["texts"]["excluded"] == 1
    assert metrics["texts"]["train"] + metrics["texts"]["held_out"] == 35


@pytest.mark.parametrize(
    "content,problem",
    [
        ('{"text": 5}\n', "bad.jsonl:1: field 'text' is not a string"),
        ('{"text": "a b"}\n{"tex\n', "bad.jsonl:2: not valid JSON"),
        ('{"text": "anna"}\n', "at least two different texts"),
        ('["text"]\n', "bad.jsonl:1"),
    ],
)
def test_bad_input_is_said_in_one_line(run, encoder, tmp_path, content, problem):
    path = tmp_path / "bad.jsonl"
    path.write_text(content, encoding="utf8")
    done = run(encoder, tmp_path / "out", path, *OPTIONS, code=1)
    assert problem in done.output
    assert not (tmp_path / "out").exists()


def test_what_cannot_be_done_is_said(run, encoder, texts, tmp_path):
    other = tmp_path / "notes"
    other.mkdir()
    (other / "notes.txt").write_text("mine")
    cases = [
        ((tmp_path / "none", tmp_path / "o", texts), "cannot load"),
        ((encoder, other, texts), "has no config.json: it is not replaced"),
        ((encoder, tmp_path / "o", tmp_path / "none", *OPTIONS), "no such file"),
        ((encoder, tmp_path / "o", texts, "--length", 100), "at most 64"),
        ((encoder, tmp_path / "o", texts, "--mask-rate", 2), "--mask-rate must lie"),
        ((encoder, tmp_path / "o", texts, "--report", "no/where.json"), "--report"),
        ((encoder, tmp_path / "o", texts, "--gpu-id", 99), "no such GPU"),
    ]
    for args, problem in cases:
        done = run(*args, code=1)
        assert problem in done.output, done.output
    assert os.listdir(other) == ["notes.txt"]


def test_head_that_mixes_places_is_refused(encoder):
    loaded = load_masked_lm(encoder, make_head=True)
    with torch.no_grad():
        logits = masked_logits(
            loaded.model,
            torch.tensor([[2, 10, 11, 3]]),
            torch.ones(1, 4, dtype=torch.long),
            torch.tensor([1, 2]),
        )
        whole = loaded.model(torch.tensor([[2, 10, 11, 3]])).logits[0]
    torch.testing.assert_close(logits, whole[1:3])

    class Odd(type(loaded.model)):
        def forward(self, **kwargs):
            out = super().forward(**kwargs)
            out.logits = out.logits.mean(1, keepdim=True)
            return out

    loaded.model.__class__ = Odd
    with pytest.raises(ValueError, match="does not read place by place"):
        masked_logits(
            loaded.model,
            torch.tensor([[2, 10, 11, 3]]),
            torch.ones(1, 4, dtype=torch.long),
            torch.tensor([1, 2]),
        )
    # The hook is gone.
    assert not loaded.model.base_model._forward_hooks
