"""Continued training of an encoder as a masked language model, on raw text.

An encoder without a masked-LM head gets one whose output layer is the table of the
input's embeddings. Words are masked as a whole and always by the mask token, as
`MaskedLM` reads them; none is replaced at random or kept, unlike in BERT's own training
(Devlin et al. 2019, 3.1), as nothing but masked places is ever asked for.
"""

from __future__ import annotations

import hashlib
import json
import math
import shutil
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numpy
from spacy.util import minibatch
from thinc.api import get_torch_default_device

from ..about import __version__
from ..models.masked_lm import Loaded, import_transformers, masked_logits
from ..models.pieces import WHOLE, most_pieces, special_pieces

# Batches that are shuffled together, windows of like lengths side by side.
_SHUFFLED = 50
# Texts that are cut into pieces at a time.
_TEXTS = 64
# Steps after which an interrupted training can go on.
SAVE_EVERY = 100


@dataclass(frozen=True)
class AdaptSettings:
    """How to train.

    steps (int): Batches to learn from; 0 for `epochs` instead.
    epochs (float): Passes over the training texts.
    length (int): Word pieces of a window, special ones included.
    batch_pieces (int): Word pieces of a batch, padding included.
    mask_rate (float): Share of the words that are masked.
    rate (float): Highest learning rate: of AdamW, after a linear warm-up, with linear
        decay to zero.
    warmup (float): Share of the steps that warms up.
    holdout (float): Share of the texts that is kept out, to measure perplexity on.
    seed (int): Of every random choice.
    mixed_precision (bool): Compute in bfloat16 where the hardware multiplies it.
    """

    steps: int = 0
    epochs: float = 1.0
    length: int = 256
    batch_pieces: int = 4096
    mask_rate: float = 0.15
    rate: float = 5e-4
    warmup: float = 0.06
    weight_decay: float = 0.01
    holdout: float = 0.05
    seed: int = 0
    mixed_precision: bool = True

    def __post_init__(self) -> None:
        for problem, fine in {
            "steps must not be negative": self.steps >= 0,
            "epochs must be above 0": self.steps > 0 or self.epochs > 0,
            "length must be at least 8": self.length >= 8,
            "batch_pieces must be at least length": self.batch_pieces >= self.length,
            "mask_rate must lie between 0 and 1": 0 < self.mask_rate < 1,
            "rate must be above 0": self.rate > 0,
            "warmup must be at least 0 and below 1": 0 <= self.warmup < 1,
            "weight_decay must not be negative": self.weight_decay >= 0,
            "holdout must lie between 0 and 1": 0 < self.holdout < 1,
        }.items():
            if not fine:
                raise ValueError(problem)


class Text(NamedTuple):
    """A text as word pieces."""

    source: str
    ids: numpy.ndarray
    words: numpy.ndarray


class Batch(NamedTuple):
    """Windows with masked words."""

    ids: numpy.ndarray
    mask: numpy.ndarray
    rows: numpy.ndarray
    gold: numpy.ndarray


# A stretch of a text: its number, first piece, and the one after the last.
Window = tuple[int, int, int]


def cut_texts(items: Iterable[tuple[str, str]], tokenizer: Any) -> Iterator[Text]:
    """Word pieces of texts; those that have none are left out."""
    fast = getattr(tokenizer, "is_fast", False)
    for batch in minibatch(items, _TEXTS):
        encoded = tokenizer([text for _, text in batch], **WHOLE)
        for i, (source, _) in enumerate(batch):
            ids = numpy.asarray(encoded["input_ids"][i], dtype="int32")
            # Other tokenizers do not tell: each piece counts as a word.
            words = encoded.word_ids(i) if fast else range(len(ids))
            if len(ids):
                numbers = [-1 if w is None else w for w in words]
                yield Text(source, ids, numpy.asarray(numbers, dtype="int32"))


def split(texts: Sequence[Text], share: float, seed: int) -> tuple[list, list]:
    """Texts to learn from, and those to measure on; of equal ones only the first is
    kept."""
    unique = list({hashlib.sha256(t.ids.tobytes()).digest(): t for t in texts}.values())
    if len(unique) < 2:
        raise ValueError("at least two different texts are needed, one to measure on")
    order = numpy.random.default_rng(seed).permutation(len(unique)).tolist()
    n = min(max(1, round(share * len(unique))), len(unique) - 1)
    train, held_out = sorted(order[n:]), sorted(order[:n])
    return [unique[i] for i in train], [unique[i] for i in held_out]


def windows_of(
    texts: Sequence[Text], room: int, rng: numpy.random.Generator | None = None
) -> list[Window]:
    """Windows of texts."""
    out = []
    for i, text in enumerate(texts):
        n = len(text.ids)
        first = 0 if rng is None or n <= room else int(rng.integers(room))
        out += [(i, a, b) for a, b in pairwise([0, *range(first or room, n, room), n])]
    return out


def batches_of(windows: Sequence[Window], most: int, frame: int) -> list[list[Window]]:
    """Windows side by side, as long as they make no more pieces than allowed."""
    out: list[list[Window]] = []
    longest = 0
    for window in windows:
        size = window[2] - window[1] + frame
        if not out or max(longest, size) * (len(out[-1]) + 1) > most:
            out.append([])
            longest = 0
        out[-1].append(window)
        longest = max(longest, size)
    return out


class Adapter:
    """Trains a masked language model, with the `Trainer` of transformers.

    It is the trainer's data set too: item `i` is the batch of step `i`, which depends on
    the settings and the texts alone, so that a training can go on after any step."""

    def __init__(
        self, loaded: Loaded, texts: Iterable[Text], settings: AdaptSettings
    ) -> None:
        torch, _ = import_transformers()
        self.settings = settings
        self.tokenizer, self.model, self.made = loaded
        self.before, self.after = special_pieces(self.tokenizer)
        self.frame = len(self.before) + len(self.after)
        most = most_pieces(self.tokenizer, self.model.base_model)
        if settings.length > most:
            raise ValueError(f"length must be at most {most}, the encoder's own")
        self.room = settings.length - self.frame
        self.train, self.held_out = split(list(texts), settings.holdout, settings.seed)
        # A piece that never comes up is as likely as if it came up once.
        self.counts = numpy.ones(self.model.config.vocab_size)
        for text in self.train:
            numpy.add.at(self.counts, text.ids, 1)
        self.device = get_torch_default_device()
        self.model.to(self.device)
        # The model's dropout.
        torch.manual_seed(settings.seed)
        first = self._epoch(0)
        total = settings.steps or max(1, math.ceil(settings.epochs * len(first)))
        self.plan = list(first)
        while len(self.plan) < total:
            self.plan += self._epoch(len(self.plan) // len(first))
        del self.plan[total:]

    def start_head(self) -> None:
        """Give a new head what is known before: linear layers that keep the width pass
        on what they get, and each piece is as likely as in the training texts."""
        import torch

        weights = dict(self.model.named_parameters())
        with torch.no_grad():
            for name in self.made:
                weight = weights[name]
                if weight.ndim == 2 and weight.shape[0] == weight.shape[1]:
                    torch.nn.init.eye_(weight)
            bias = self.model.get_output_embeddings().bias
            if self.made and bias is not None:
                bias.copy_(torch.as_tensor(numpy.log(self.counts / self.counts.sum())))

    def _epoch(self, number: int) -> list[list[Window]]:
        """The batches of a pass: shuffled, windows of like lengths together."""
        rng = numpy.random.default_rng([self.settings.seed, number])
        windows = windows_of(self.train, self.room, rng)
        order = [windows[i] for i in rng.permutation(len(windows))]
        size = _SHUFFLED * max(1, self.settings.batch_pieces // self.settings.length)
        out = []
        for i in range(0, len(order), size):
            out += sorted(order[i : i + size], key=lambda w: w[2] - w[1])
        found = batches_of(out, self.settings.batch_pieces, self.frame)
        return [found[i] for i in rng.permutation(len(found))]

    def __len__(self) -> int:
        return len(self.plan)

    def __getitem__(self, step: int) -> dict[str, Any]:
        return self._tensors(self.mask(self.train, self.plan[step], step))

    def mask(
        self, texts: Sequence[Text], windows: Sequence[Window], number: int
    ) -> Batch:
        """Windows with masked words; the same for the same number."""
        rng = numpy.random.default_rng([self.settings.seed, number, 2])
        longest = max(b - a for _, a, b in windows) + self.frame
        ids = numpy.full((len(windows), longest), self.tokenizer.pad_token_id or 0)
        mask = numpy.zeros(ids.shape, dtype=bool)
        hidden = numpy.zeros(ids.shape, dtype=bool)
        for row, (i, a, b) in enumerate(windows):
            own = [*self.before, *texts[i].ids[a:b].tolist(), *self.after]
            ids[row, : len(own)] = own
            mask[row, : len(own)] = True
            _, words = numpy.unique(texts[i].words[a:b], return_inverse=True)
            n = int(words.max()) + 1
            chosen = rng.random(n) < self.settings.mask_rate
            chosen[rng.integers(n)] |= not chosen.any()
            start = len(self.before)
            hidden[row, start : start + b - a] = chosen[words]
        gold = ids[hidden]
        ids[hidden] = self.tokenizer.mask_token_id
        return Batch(ids, mask, numpy.flatnonzero(hidden), gold)

    def _tensors(self, batch: Batch) -> dict[str, Any]:
        import torch

        found = zip(("ids", "mask", "rows", "gold"), batch)
        return {name: torch.as_tensor(array).long() for name, array in found}

    def fingerprint(self, encoder: str) -> str:
        """Equal for two trainings that learn the same."""
        digest = hashlib.sha256()
        facts = [__version__, encoder, asdict(self.settings), len(self)]
        digest.update(json.dumps(facts).encode())
        for weight in self.model.state_dict().values():
            digest.update(weight.detach().double().sum().cpu().numpy().tobytes())
        for text in (*self.train, *self.held_out):
            digest.update(text.ids.tobytes())
        return digest.hexdigest()

    def run(self, folder: Path) -> None:
        """Learn until all steps are done, from the last saved step on.

        RAISES (ValueError): If the loss is no number any more.
        """
        _, transformers = import_transformers()
        trainer = _trainer(transformers)(
            model=self.model,
            args=self._arguments(transformers, folder),
            train_dataset=self,
            data_collator=lambda batches: batches[0],
        )
        trainer.remove_callback(transformers.trainer_callback.ProgressCallback)
        trainer.add_callback(_bar(transformers))
        saved = last_saved(folder)
        trainer.train(resume_from_checkpoint=str(saved) if saved else None)
        # What is measured and saved computes in full precision.
        unwrap = trainer.accelerator.unwrap_model
        self.model = unwrap(trainer.model, keep_fp32_wrapper=False)

    def _arguments(self, transformers: Any, folder: Path) -> Any:
        import torch

        from ..models.hf_encoder import _has_bfloat16

        cpu = self.device.type != "cuda"
        has_bfloat16 = _has_bfloat16 if cpu else torch.cuda.is_bf16_supported
        arguments = transformers.TrainingArguments(
            output_dir=str(folder),
            max_steps=len(self),
            # An item of the data is a batch.
            per_device_train_batch_size=1,
            learning_rate=self.settings.rate,
            warmup_steps=max(1, round(self.settings.warmup * len(self))),
            weight_decay=self.settings.weight_decay,
            adam_beta2=0.98,
            max_grad_norm=1.0,
            bf16=self.settings.mixed_precision and has_bfloat16(),
            use_cpu=cpu,
            seed=self.settings.seed,
            save_steps=SAVE_EVERY,
            save_total_limit=1,
            logging_strategy="no",
            report_to="none",
            remove_unused_columns=False,
        )
        # One GPU, however many there are.
        arguments._n_gpu = min(arguments.n_gpu, 1)
        return arguments

    def perplexity(self) -> dict[str, float]:
        """Perplexity of masked pieces in the texts that are kept out, e to the mean
        negative log-likelihood, with the same masks whenever it is measured."""
        import torch

        self.model.eval()
        frequencies = numpy.log(self.counts / self.counts.sum())
        nats: dict[str, list[float]] = {}
        unigram: list[float] = []
        for source in sorted({t.source for t in self.held_out}):
            texts = [t for t in self.held_out if t.source == source]
            windows = windows_of(texts, self.room)
            found = batches_of(windows, self.settings.batch_pieces, self.frame)
            for number, windows in enumerate(found):
                batch = self.mask(texts, windows, number)
                named = self._tensors(batch).items()
                tensors = {k: v.to(self.device) for k, v in named}
                with torch.inference_mode():
                    losses = _losses(self.model, tensors).double().cpu().tolist()
                nats.setdefault(source, []).extend(losses)
                unigram += (-frequencies[batch.gold]).tolist()
        every = [x for own in nats.values() for x in own]
        out = {"all": _exp_mean(every), "unigram": _exp_mean(unigram)}
        return {**out, **{source: _exp_mean(own) for source, own in nats.items()}}


def _losses(model: Any, batch: dict[str, Any]) -> Any:
    """Negative log-likelihood of each masked piece, in nats."""
    import torch

    logits = masked_logits(model, batch["ids"], batch["mask"], batch["rows"]).float()
    return torch.nn.functional.cross_entropy(logits, batch["gold"], reduction="none")


def _trainer(transformers: Any) -> Any:
    import torch

    class Trainer(transformers.Trainer):
        """Learns from the masked places alone, batch after batch as they are given."""

        def compute_loss(self, model: Any, inputs: Any, **kwargs: Any) -> Any:
            loss = _losses(model, inputs).mean()
            if not torch.isfinite(loss):
                step = self.state.global_step
                found = f"{float(loss.detach())} after {step} steps"
                raise ValueError(f"the loss is {found}: lower the rate")
            return loss

        def _get_train_sampler(self, *args: Any) -> Any:
            return torch.utils.data.SequentialSampler(self.train_dataset)

    return Trainer


def _bar(transformers: Any) -> Any:
    class Bar(transformers.trainer_callback.ProgressCallback):
        def on_log(self, *args: Any, **kwargs: Any) -> None:
            """Without the records of times among the output."""

    return Bar


def last_saved(folder: Path) -> Path | None:
    """The last step that was saved as a whole, without those that were not.

    RETURNS (Optional[Path]): None if there is none.
    """
    saved = []
    for path in folder.glob("checkpoint-*"):
        # What is written last.
        if (path / "trainer_state.json").is_file():
            saved.append(path)
        else:
            shutil.rmtree(path)
    return max(saved, key=lambda p: int(p.name.rpartition("-")[2]), default=None)


def _exp_mean(nats: Sequence[float]) -> float:
    # Beyond any vocabulary's size, and still a number in JSON.
    return round(math.exp(min(700.0, float(numpy.mean(nats)))), 3)
