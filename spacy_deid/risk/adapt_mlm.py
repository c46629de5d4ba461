"""Continued training of an encoder as a masked language model, on raw text.

An encoder without a masked-LM head gets one whose output layer is the table of the
input's embeddings. Words are masked as a whole and always by the mask token, as
`MaskedLM` reads them; none is replaced at random or kept, unlike in BERT's own training
(Devlin et al. 2019, 3.1), as nothing but masked places is ever asked for.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple

import numpy
from thinc.api import get_torch_default_device

from ..models.masked_lm import Loaded, import_transformers, masked_logits, most_pieces
from ..models.pieces import special_pieces

# Batches that are shuffled together, windows of like lengths side by side.
_SHUFFLED = 50
# Texts that are cut into pieces at a time.
_TEXTS = 64


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
    weight_decay (float): AdamW's.
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
        checks = {
            "steps must not be negative": self.steps >= 0,
            "epochs must be above 0": self.steps > 0 or self.epochs > 0,
            "length must be at least 8": self.length >= 8,
            "batch_pieces must be at least length": self.batch_pieces >= self.length,
            "mask_rate must lie between 0 and 1": 0 < self.mask_rate < 1,
            "rate must be above 0": self.rate > 0,
            "warmup must be at least 0 and below 1": 0 <= self.warmup < 1,
            "weight_decay must not be negative": self.weight_decay >= 0,
            "holdout must lie between 0 and 1": 0 < self.holdout < 1,
        }
        for problem, fine in checks.items():
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
    batch: list[tuple[str, str]] = []
    for item in items:
        batch.append(item)
        if len(batch) == _TEXTS:
            yield from _cut(batch, tokenizer)
            batch = []
    yield from _cut(batch, tokenizer)


def _cut(batch: list[tuple[str, str]], tokenizer: Any) -> Iterator[Text]:
    if not batch:
        return
    encoded = tokenizer(
        [text for _, text in batch],
        add_special_tokens=False,
        return_attention_mask=False,
        return_token_type_ids=False,
        truncation=False,
        padding=False,
        verbose=False,
    )
    fast = getattr(tokenizer, "is_fast", False)
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
    return [unique[i] for i in sorted(order[n:])], [
        unique[i] for i in sorted(order[:n])
    ]


def windows_of(
    texts: Sequence[Text], room: int, rng: numpy.random.Generator | None = None
) -> list[Window]:
    """Windows of texts."""
    out = []
    for i, text in enumerate(texts):
        n = len(text.ids)
        first = 0 if rng is None or n <= room else int(rng.integers(room))
        cuts = [0, *range(first or room, n, room), n]
        out += [(i, a, b) for a, b in pairwise(cuts)]
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
    """Trains a masked language model."""

    def __init__(
        self, loaded: Loaded, texts: Iterable[Text], settings: AdaptSettings
    ) -> None:
        torch, _ = import_transformers()
        self.settings = settings
        self.tokenizer, self.model, self.made = loaded
        self.before, self.after = special_pieces(self.tokenizer)
        self.frame = len(self.before) + len(self.after)
        most = most_pieces(self.tokenizer, self.model)
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
        self.step = 0
        self.total = settings.steps or max(1, math.ceil(settings.epochs * self._n()))
        self.optimizer = self._optimizer(torch)

    def _n(self) -> int:
        """Batches of one pass."""
        return len(batches_of(self._epoch(0), self.settings.batch_pieces, self.frame))

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

    def _optimizer(self, torch: Any) -> Any:
        named = [(n, p) for n, p in self.model.named_parameters() if p.requires_grad]
        # Biases and normalisation have one dimension, and do not decay.
        groups = [
            {
                "params": [p for _, p in named if (p.ndim > 1) is decays],
                "weight_decay": self.settings.weight_decay if decays else 0.0,
            }
            for decays in (True, False)
        ]
        return torch.optim.AdamW(groups, lr=self.settings.rate, betas=(0.9, 0.98))

    def _epoch(self, number: int) -> list[Window]:
        """The windows of a pass: shuffled, those of like lengths together."""
        rng = numpy.random.default_rng([self.settings.seed, number])
        windows = windows_of(self.train, self.room, rng)
        order = [windows[i] for i in rng.permutation(len(windows))]
        size = _SHUFFLED * max(1, self.settings.batch_pieces // self.settings.length)
        out = []
        for i in range(0, len(order), size):
            out += sorted(order[i : i + size], key=lambda w: w[2] - w[1])
        return out

    def batches(self, first: int = 0) -> Iterator[Batch]:
        """The training batches, without end; the same whenever they are made."""
        number = epoch = 0
        while True:
            rng = numpy.random.default_rng([self.settings.seed, epoch, 1])
            windows = self._epoch(epoch)
            found = batches_of(windows, self.settings.batch_pieces, self.frame)
            for i in rng.permutation(len(found)):
                if number >= first:
                    yield self.mask(self.train, found[i], number)
                number += 1
            epoch += 1

    def mask(
        self, texts: Sequence[Text], windows: Sequence[Window], number: int
    ) -> Batch:
        """Windows with masked words."""
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

    def _losses(self, batch: Batch, exact: bool = False) -> Any:
        """Negative log-likelihood of each masked piece, in nats."""
        import torch

        from ..models.hf_encoder import _has_bfloat16

        device = self.device
        mixed = (not exact and self.settings.mixed_precision) and (
            torch.cuda.is_bf16_supported() if device.type == "cuda" else _has_bfloat16()
        )
        context = (
            torch.autocast(device.type, torch.bfloat16) if mixed else nullcontext()
        )
        with context:
            logits = masked_logits(
                self.model,
                torch.as_tensor(batch.ids, device=device),
                torch.as_tensor(batch.mask, device=device).long(),
                torch.as_tensor(batch.rows, device=device),
            )
        gold = torch.as_tensor(batch.gold, device=device)
        return torch.nn.functional.cross_entropy(logits.float(), gold, reduction="none")

    def learn(self, batch: Batch) -> float:
        """Learn from a batch."""
        import torch

        self.model.train()
        warm = max(1, round(self.settings.warmup * self.total))
        factor = min(1.0, (self.step + 1) / warm)
        if self.step >= warm:
            factor = (self.total - self.step) / max(1, self.total - warm)
        for group in self.optimizer.param_groups:
            group["lr"] = self.settings.rate * factor
        loss = self._losses(batch).mean()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.optimizer.step()
        self.optimizer.zero_grad(set_to_none=True)
        self.step += 1
        return float(loss.detach())

    def run(
        self,
        report: Callable[[float], None] = lambda loss: None,
        save: Callable[[], None] = lambda: None,
        every: int = 0,
    ) -> None:
        """Learn until all steps are done."""
        for batch in self.batches(self.step):
            if self.step >= self.total:
                return
            loss = self.learn(batch)
            if not math.isfinite(loss):
                raise ValueError(
                    f"the loss is {loss} after {self.step} steps: lower the rate"
                )
            report(loss)
            if every and self.step % every == 0 and self.step < self.total:
                save()

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
                with torch.inference_mode():
                    losses = self._losses(batch, exact=True).double().cpu().tolist()
                nats.setdefault(source, []).extend(losses)
                unigram += (-frequencies[batch.gold]).tolist()
        every = [x for own in nats.values() for x in own]
        out = {"all": _exp_mean(every), "unigram": _exp_mean(unigram)}
        return {**out, **{source: _exp_mean(own) for source, own in nats.items()}}

    def get_state(self) -> dict[str, Any]:
        """All that is needed to go on: tensors, numbers and names alone."""
        import torch

        return {
            "step": self.step,
            "model": self.model.state_dict(),
            "optimizer": self.optimizer.state_dict(),
            "random": torch.get_rng_state(),
        }

    def set_state(self, state: dict[str, Any]) -> None:
        """Go on from there."""
        import torch

        self.model.load_state_dict(state["model"])
        self.optimizer.load_state_dict(state["optimizer"])
        torch.set_rng_state(state["random"])
        self.step = state["step"]


def _exp_mean(nats: Sequence[float]) -> float:
    # Beyond any vocabulary's size, and still a number in JSON.
    return round(math.exp(min(700.0, float(numpy.mean(nats)))), 3)
