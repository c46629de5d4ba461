import json

import numpy
import pytest

torch = pytest.importorskip("torch", reason="language models need torch")
pytest.importorskip("transformers", reason="language models need transformers")

from spacy_deid.models.masked_lm import MaskedLM, Query, load_masked_lm, masked_logits  # noqa: E402
from spacy_deid.risk import adapt_mlm as adaptation  # noqa: E402
from spacy_deid.risk.adapt_mlm import Adapter, AdaptSettings, cut_texts, split  # noqa: E402

PAIRS = {"paris": "france", "oslo": "norway", "rome": "italy"}
TEXTS = [
    f"{name} was born in {town} , {country} and is a {job}"
    for town, country in PAIRS.items()
    for name in ("anna", "john", "smith", "murray")
    for job in ("doctor", "teacher", "painter")
]
OPTIONS = "--length 24 --batch-pieces 240 --rate 0.02 --mask-rate 0.3".split()
OPTIONS += ["--holdout", 0.1]
BAD = "length=4 mask_rate=0 mask_rate=1 rate=0 warmup=1 epochs=0 batch_pieces=100 holdout=0"


@pytest.fixture(scope="module")
def encoder(tiny_lm, tmp_path_factory):
    folder = tmp_path_factory.mktemp("encoder")
    return tiny_lm.save_bert(folder, head=False, large=False)


@pytest.fixture
def train(deid, encoder, tmp_path, write_jsonl):
    (tmp_path / "raw").mkdir()
    texts = write_jsonl(tmp_path / "raw" / "texts.jsonl", [{"text": t} for t in TEXTS])

    def run(out, *more, start=encoder, **settings):
        order = ("adapt-mlm", start, out, texts, *OPTIONS, *more)
        return deid(*order, **settings).output

    return run


def ids(n, source="a", shift=0):
    return adaptation.Text(source, numpy.arange(shift, shift + n), numpy.arange(n) // 2)


def test_settings_windows_with_every_piece_once_and_equal_texts_on_one_side():
    for setting in (*BAD.split(), "steps=-1", "weight_decay=-1"):
        name, _, value = setting.partition("=")
        with pytest.raises(ValueError, match=name):
            AdaptSettings(**{name: int(value)})
    texts = [ids(n) for n in (1, 9, 10, 11, 57)]
    for rng in (None, *map(numpy.random.default_rng, range(3))):
        windows = adaptation.windows_of(texts, 10, rng)
        for i, text in enumerate(texts):
            own = [range(a, b) for j, a, b in windows if j == i]
            assert [p for r in own for p in r] == list(range(len(text.ids)))
            assert all(1 <= len(r) <= 10 for r in own)
    texts = [ids(5, shift=i % 10) for i in range(40)]
    train, held_out = split(texts, 0.2, 0)
    assert len(train) == 8 and len(held_out) == 2
    assert not {t.ids[0] for t in train} & {t.ids[0] for t in held_out}
    assert len(split(texts[:3], 0.01, 0)[1]) == 1
    with pytest.raises(ValueError, match="at least two different texts"):
        split([ids(5), ids(5)], 0.5, 0)


@pytest.fixture
def adapter(encoder):
    def make(**changes):
        loaded = load_masked_lm(encoder, make_head=True)._replace(**changes)
        items = [("texts", text) for text in TEXTS]
        settings = AdaptSettings(length=24, batch_pieces=240, mask_rate=0.3)
        return Adapter(loaded, cut_texts(items, loaded.tokenizer), settings)

    return make


def test_words_are_masked_as_a_whole(adapter):
    adapter = adapter()
    # "zzyx" has four pieces, "(" one.
    (text,) = cut_texts([("s", "zzyx ( zzyx anna")], adapter.tokenizer)
    assert text.words.tolist() == [0, 0, 0, 0, 1, 2, 2, 2, 2, 3]
    seen = set()
    for number in range(60):
        batch = adapter.mask([text], [(0, 0, 10)], number)
        assert batch.ids.shape == (1, 12) and batch.mask.all()
        hidden = batch.ids[0] == adapter.tokenizer.mask_token_id
        places = numpy.flatnonzero(hidden)
        assert batch.rows.tolist() == places.tolist() and len(places)
        assert batch.gold.tolist() == text.ids[places - 1].tolist()
        assert (batch.ids[0, 1:-1][~hidden[1:-1]] == text.ids[~hidden[1:-1]]).all()
        for word in range(4):
            own = hidden[1:-1][text.words == word]
            assert own.all() or not own.any()
        seen.add(tuple(places))
    assert len(seen) > 5


def test_new_head_starts_at_the_frequencies(adapter):
    """What it gives an average place is how often each piece occurs."""
    new = adapter()
    before = new.perplexity()
    new.start_head()
    bias = new.model.get_output_embeddings().bias.detach().numpy()
    numpy.testing.assert_allclose(numpy.exp(bias).sum(), 1.0, atol=1e-4)
    piece = new.tokenizer.convert_tokens_to_ids("paris")
    counts = sum(int((t.ids == piece).sum()) for t in new.train) + 1
    total = sum(len(t.ids) for t in new.train) + len(bias)
    assert numpy.exp(bias[piece]) == pytest.approx(counts / total, rel=1e-4)
    assert before["unigram"] == new.perplexity()["unigram"]
    # A model with a head of its own keeps it.
    kept = adapter(made=())
    state = {k: v.clone() for k, v in kept.model.state_dict().items()}
    kept.start_head()
    assert all((kept.model.state_dict()[k] == v).all() for k, v in state.items())


def test_learns_what_the_texts_teach(train, tmp_path):
    report, out = tmp_path / "mlm.json", tmp_path / "made"
    shown = train(out, "--steps", 60, "--report", report)
    metrics = json.loads(report.read_text())
    before, after = metrics["perplexity_before"], metrics["perplexity_after"]
    assert metrics["new_head"] and metrics["steps"] == 60
    assert metrics["texts"] == {"train": 32, "held_out": 4, "excluded": 0}
    assert set(after) == {"all", "unigram", "raw/texts.jsonl"}
    assert after["all"] < 0.5 * min(before["all"], after["unigram"])
    assert f"{after['all']:,.1f}" in shown and not out.with_name("made.part").exists()
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
    train(tmp_path / "more", "--steps", 1, "--report", report, start=out)
    metrics = json.loads(report.read_text())
    assert not metrics["new_head"]
    assert metrics["perplexity_before"]["all"] == pytest.approx(after["all"], rel=1e-3)


@pytest.fixture
def interrupted(train, monkeypatch):
    get = Adapter.__getitem__

    def run(step, *args):
        def get_or_stop(self, i):
            if i == step + 1:  # the loader is one batch ahead
                raise KeyboardInterrupt
            return get(self, i)

        with monkeypatch.context() as patch:
            patch.setattr(adaptation, "SAVE_EVERY", 2)
            patch.setattr(Adapter, "__getitem__", get_or_stop)
            return train(*args, code=130)

    return run


def test_interrupted_goes_on_as_if_it_had_not_been(train, interrupted, tmp_path):
    out, part = tmp_path / "parts", tmp_path / "parts.part"
    train(tmp_path / "whole", "--steps", 12)
    assert "the same command goes on" in interrupted(7, out, "--steps", 12)
    assert not out.exists() and [*part.glob("checkpoint-*")] == [part / "checkpoint-6"]
    for path in part.rglob("*"):
        assert path.is_dir() or b"was born in" not in path.read_bytes()
    # Half written when the power failed.
    (part / "checkpoint-7").mkdir()
    assert "Going on after step 6 of 12" in train(out, "--steps", 12)
    assert not part.exists()
    models = [MaskedLM(str(p)).loaded.model for p in (tmp_path / "whole", out)]
    for a, b in zip(*(model.state_dict().values() for model in models), strict=True):
        torch.testing.assert_close(a, b)


def test_saved_steps_or_losses_of_no_use(train, interrupted, tmp_path, write_jsonl):
    out = tmp_path / "out"
    interrupted(3, out, "--steps", 9)
    (tmp_path / "out.part/checkpoint-2/optimizer.pt").write_bytes(b"nothing")
    assert "is damaged; remove it" in train(out, "--steps", 9, code=1)
    assert "training begins anew" in train(out, "--steps", 4)
    shown = train(tmp_path / "o", "--steps", 9, "--rate", 1e30, code=1)
    assert "lower the rate" in shown
    # Documents of an evaluation are left out.
    dev = write_jsonl(tmp_path / "dev.jsonl", [{"text": TEXTS[3].title()}])
    report = tmp_path / "mlm.json"
    train(tmp_path / "less", "--steps", 1, "--exclude", dev, "--report", report)
    texts = json.loads(report.read_text())["texts"]
    assert texts["excluded"] == 1 and texts["train"] + texts["held_out"] == 35


def test_head_that_mixes_places_is_refused(encoder):
    model = load_masked_lm(encoder, make_head=True).model
    ids = torch.tensor([[2, 10, 11, 3]])
    given = (ids, torch.ones(1, 4, dtype=torch.long), torch.tensor([1, 2]))
    with torch.no_grad():
        logits, whole = masked_logits(model, *given), model(ids).logits[0]
    torch.testing.assert_close(logits, whole[1:3])

    class Odd(type(model)):
        def forward(self, **kwargs):
            out = super().forward(**kwargs)
            out.logits = out.logits.mean(1, keepdim=True)
            return out

    model.__class__ = Odd
    with pytest.raises(ValueError, match="does not read place by place"):
        masked_logits(model, *given)
    # The hook is gone.
    assert not model.base_model._forward_hooks
