"""Masked language models: how probable a stretch of text is, given what stands around.

The word pieces of a stretch are all replaced by the mask, and the model gives the
probability of each in its place (paper 3, 5.1). A pipeline keeps the name or path of
its model alone, never the weights: they have to be there wherever it is loaded.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from weakref import WeakValueDictionary

import numpy
from thinc.api import get_torch_default_device

from ..registries import registry
from .pieces import Cut, cannot_load, cut_text, most_pieces, special_pieces
from .torch_threads import import_torch

if TYPE_CHECKING:
    import torch

# Word pieces that the model reads at a time, special ones included.
WINDOW = 512
BATCH_PIECES = 4096
# Numbers in the table of a batch's masked pieces and the whole vocabulary (128 MB).
_MOST_LOGITS = 2**25


class Query(NamedTuple):
    """A stretch of a text whose probability is asked for.

    start (int): First character of the stretch.
    end (int): Character after its last.
    masked (Tuple[Tuple[int, int], ...]): Further stretches that the model does not see.
    """

    text: str
    start: int
    end: int
    masked: tuple[tuple[int, int], ...] = ()


class Loaded(NamedTuple):
    """A model of the hub and its tokenizer.

    model (PreTrainedModel): Encoder and masked-LM head.
    made (Tuple[str, ...]): Names of the head's weights that were not in the files, and
        were made at random; none of a model that was trained as a masked LM.
    """

    tokenizer: Any
    model: Any
    made: tuple[str, ...] = ()


def import_transformers() -> tuple[Any, Any]:
    """Torch and transformers."""
    try:
        torch = import_torch()
        import transformers
    except ImportError as error:
        raise ImportError(
            "a masked language model needs torch and transformers: install the extra, "
            "pip install 'spacy-deid[transformers]'"
        ) from error
    return torch, transformers


def load_masked_lm(name: str, make_head: bool = False) -> Loaded:
    """Load an encoder with its masked-LM head.

    make_head (bool): Whether to make a head, tied to the embeddings of the input,
        for an encoder without one.
    RAISES (ValueError): If there is no such model, if it is no masked LM, if its
        tokenizer has no mask, or if it has no head and none is to be made.
    RAISES (ImportError): If torch or transformers is not installed.
    """
    _, transformers = import_transformers()
    with _quiet(transformers):
        try:
            config = transformers.AutoConfig.from_pretrained(name)
            tokenizer = transformers.AutoTokenizer.from_pretrained(name)
        except (OSError, ValueError, KeyError, ImportError) as error:
            raise cannot_load("masked language model", name, error) from None
        kind = transformers.MODEL_FOR_MASKED_LM_MAPPING
        if type(config) not in kind or getattr(config, "is_encoder_decoder", False):
            raise ValueError(
                f"'{name}' is no masked language model and cannot become one: models "
                f"of type '{config.model_type}' read from left to right or have a "
                "decoder"
            )
        if tokenizer.mask_token_id is None:
            raise ValueError(f"the tokenizer of '{name}' has no mask token")
        try:
            found = _from_files(transformers, name, config)
            if found.made and make_head and not _tied(found.model):
                config.tie_word_embeddings = True
                found = _from_files(transformers, name, config)
        except (OSError, ValueError, KeyError, RuntimeError) as error:
            raise cannot_load("masked language model", name, error) from None
    prefix = f"{found.model.base_model_prefix}."
    if any(key.startswith(prefix) for key in found.made):
        raise ValueError(
            f"the files of '{name}' lack weights of the encoder that its config.json "
            "describes"
        )
    if found.made and not make_head:
        raise ValueError(
            f"'{name}' has no masked-LM head: 'spacy deid adapt-mlm' makes one by "
            "training on raw text"
        )
    if found.made and not _tied(found.model):
        raise ValueError(
            f"'{name}' has no masked-LM head, and one that shares the embeddings of the "
            f"input cannot be made for models of type '{config.model_type}'"
        )
    return found._replace(tokenizer=tokenizer)


def _from_files(transformers: Any, name: str, config: Any) -> Loaded:
    import torch

    # What the files do not have is random, and the same every time.
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        model, info = transformers.AutoModelForMaskedLM.from_pretrained(
            name, config=config, output_loading_info=True
        )
    if info["mismatched_keys"]:
        raise ValueError("weights of other shapes")
    weights = dict(model.named_parameters())
    unused = (f"{model.base_model_prefix}.pooler.",)
    made = [k for k in info["missing_keys"] if k in weights]
    made = sorted(k for k in made if not k.startswith(unused))
    return Loaded(None, model.eval(), tuple(made))


def _tied(model: Any) -> bool:
    output, own = model.get_output_embeddings(), model.get_input_embeddings()
    return output is not None and output.weight is own.weight


@contextmanager
def _quiet(transformers: Any) -> Iterator[None]:
    """Without its warnings about weights: what is missing is an error here."""
    logging = transformers.utils.logging
    before = logging.get_verbosity()
    logging.set_verbosity_error()
    try:
        yield
    finally:
        logging.set_verbosity(before)


def masked_logits(
    model: Any, ids: torch.Tensor, mask: torch.Tensor, rows: torch.Tensor
) -> torch.Tensor:
    """Scores of the vocabulary at some places alone."""

    def gather(module: Any, args: Any, output: Any) -> Any:
        hidden = output[0]
        output.last_hidden_state = hidden.reshape(-1, hidden.shape[-1])[rows][None]
        return output

    hook = model.base_model.register_forward_hook(gather)
    try:
        logits = model(input_ids=ids, attention_mask=mask, return_dict=True).logits
    finally:
        hook.remove()
    if logits.shape[:-1] != (1, len(rows)):
        raise ValueError(
            f"the head of '{type(model).__name__}' does not read place by place: "
            "use a masked language model of another architecture"
        )
    return logits[0]


class _Job(NamedTuple):
    """A window with masks, read once whoever asks for places of it."""

    text: int
    start: int
    end: int
    masked: bytes


@registry.deid_language_models("spacy_deid.masked_lm.v1")
class MaskedLM:
    """A masked language model of the Hugging Face hub, loaded when it is first used.

    The weights stay where they are: what is pickled or saved in a config is the name,
    and they have to be there wherever a pipeline is loaded. Objects of one process with
    the same name share them.

    name (str): Name on the Hugging Face hub, or path of a folder.
    window (int): Word pieces read at a time, special ones included; no more than the
        model takes.
    batch_pieces (int): Word pieces that go through the model together, with padding.
    RAISES (ValueError): If a setting is out of range.
    """

    def __init__(
        self, name: str, window: int = WINDOW, batch_pieces: int = BATCH_PIECES
    ) -> None:
        if not name or not isinstance(name, str):
            raise ValueError("masked_lm needs the name or path of a language model")
        if window < 4:
            raise ValueError(f"masked_lm: window must be at least 4, not {window}")
        if batch_pieces < 1:
            problem = f"masked_lm: batch_pieces must be at least 1, not {batch_pieces}"
            raise ValueError(problem)
        self.name = str(name)
        self.window = window
        self.batch_pieces = batch_pieces
        # Forward passes and word pieces so far, padding included: for benchmarks.
        self.passes = self.sequences = self.pieces = 0

    def __getstate__(self) -> dict[str, Any]:
        known = ("_holder", "_frame", "room")
        return {k: v for k, v in self.__dict__.items() if k not in known}

    @cached_property
    def _holder(self) -> _Holder:
        key = _stamps(self.name)
        if (holder := _HOLDERS.get(key)) is None:
            holder = _HOLDERS[key] = _Holder(load_masked_lm(self.name))
        return holder

    @property
    def loaded(self) -> Loaded:
        """The model and its tokenizer; loaded at the first call."""
        return self._holder.loaded

    @cached_property
    def _frame(self) -> tuple[list[int], list[int]]:
        return special_pieces(self.loaded.tokenizer)

    @cached_property
    def room(self) -> int:
        """Word pieces of a window beside the special ones."""
        before, after = self._frame
        most = most_pieces(self.loaded.tokenizer, self.loaded.model.base_model)
        most = min(self.window, most)
        room = most - len(before) - len(after)
        if room < 2:
            raise ValueError(f"masked_lm: no text fits in a window of {most} pieces")
        return room

    def log_probabilities(
        self, queries: Sequence[Query], shared: bool = False
    ) -> list[numpy.ndarray]:
        """Log-probabilities of stretches of text, given what stands around."""
        texts: dict[str, int] = {}
        pieces: list[Cut] = []
        jobs: dict[_Job, dict[int, int]] = {}
        plans: list[list[tuple[_Job, range]]] = []
        masks: dict[tuple[int, tuple[tuple[int, int], ...]], numpy.ndarray] = {}
        for query in queries:
            _check(query)
            number = texts.setdefault(query.text, len(texts))
            if number == len(pieces):
                pieces.append(cut_text(query.text, self.loaded.tokenizer))
            own = pieces[number]
            key = (number, query.masked)
            if key not in masks:
                masks[key] = _places(own, query.masked)
            first, end = own.touched(query.start, query.end)
            hidden = numpy.union1d(masks[key], numpy.arange(first, end))
            plan = []
            for a, b in self._parts(first, end, len(own.ids)):
                start, stop = self._window(a, b, len(own.ids), shared)
                low, high = numpy.searchsorted(hidden, (start, stop))
                inside = hidden[low:high] - start
                job = _Job(number, start, stop, inside.astype("int64").tobytes())
                wanted = jobs.setdefault(job, {})
                for place in range(a - start, b - start):
                    wanted.setdefault(place, len(wanted))
                plan.append((job, range(a - start, b - start)))
            plans.append(plan)
        found = self._read(jobs, pieces) if jobs else {}
        empty = numpy.zeros(0)
        parts = (
            [found[job][[jobs[job][p] for p in places]] for job, places in plan]
            for plan in plans
        )
        return [numpy.concatenate([empty, *own]) for own in parts]

    def windows(
        self, text: str, spans: Sequence[tuple[int, int]]
    ) -> list[tuple[int, int]]:
        """Where the windows stand in which stretches are read if `shared`."""
        own = cut_text(text, self.loaded.tokenizer)
        n, out = len(own.ids), []
        for start, end in spans:
            parts = self._parts(*own.touched(start, end), n)
            if not (bounds := [self._window(*part, n, True) for part in parts]):
                out.append((start, start))
                continue
            low, high = bounds[0][0], bounds[-1][1]
            out.append((int(own.starts[low]), int(own.ends[high - 1])))
        return out

    def _parts(self, first: int, end: int, total: int) -> list[tuple[int, int]]:
        """A stretch of pieces, in parts that leave half of a window to what stands
        around them if it is too long for one."""
        n = end - first
        if n == 0:
            return []
        if n <= self.room or total <= self.room:
            return [(first, end)]
        count = math.ceil(n / (self.room // 2))
        cuts = [first + n * i // count for i in range(count + 1)]
        return list(pairwise(cuts))

    def _window(self, first: int, end: int, size: int, shared: bool) -> tuple[int, int]:
        """The window in which a part is read: first piece, and the one after the last."""
        last = max(0, size - self.room)
        start = first - (self.room - (end - first)) // 2
        if shared and last:
            step = max(1, self.room // 2)
            # Those on the grid that hold all of it; the one nearest to its own.
            low = max(0, math.ceil((end - self.room) / step))
            grid = [min(s, last) for s in range(low * step, first + 1, step)]
            if first >= last:
                grid.append(last)
            start = min(grid, key=lambda s: abs(s - start), default=start)
        start = min(max(0, start), last)
        return start, min(size, start + self.room)

    def _read(
        self, jobs: dict[_Job, dict[int, int]], pieces: list[Cut]
    ) -> dict[_Job, numpy.ndarray]:
        """Log-probabilities of the wanted places of each window."""
        torch, _ = import_transformers()
        device = get_torch_default_device()
        model = self.loaded.model.to(device)
        out: dict[_Job, numpy.ndarray] = {}
        for batch in self._batches(jobs):
            padded = self._pad(batch, jobs, pieces)
            ids, mask, rows, gold = (torch.as_tensor(x, device=device) for x in padded)
            with torch.inference_mode():
                logits = masked_logits(model, ids, mask, rows).float()
                chosen = logits[torch.arange(len(rows), device=device), gold]
                logs = (chosen - logits.logsumexp(dim=1)).double().cpu().numpy()
            self.passes += 1
            self.sequences += len(batch)
            self.pieces += ids.numel()
            ends = numpy.cumsum([len(jobs[job]) for job in batch])
            out.update(zip(batch, numpy.split(logs, ends[:-1])))
        return out

    def _batches(self, jobs: dict[_Job, dict[int, int]]) -> Iterator[list[_Job]]:
        """Windows of like lengths, no more of them than allowed."""
        frame = len(self._frame[0]) + len(self._frame[1])
        most_rows = max(1, _MOST_LOGITS // self.loaded.model.config.vocab_size)
        batch: list[_Job] = []
        rows = 0
        # The longest first: what does not fit in memory fails at once.
        for job in sorted(jobs, key=lambda job: job.start - job.end):
            size = (batch or [job])[0].end - (batch or [job])[0].start + frame
            full = (len(batch) + 1) * size > self.batch_pieces
            if batch and (full or rows + len(jobs[job]) > most_rows):
                yield batch
                batch, rows = [], 0
            batch.append(job)
            rows += len(jobs[job])
        if batch:
            yield batch

    def _pad(
        self, batch: list[_Job], jobs: dict[_Job, dict[int, int]], pieces: list[Cut]
    ) -> tuple[numpy.ndarray, numpy.ndarray, numpy.ndarray, numpy.ndarray]:
        """Word pieces and whether there is one, shape (windows, longest); wanted places
        in the flattened table, and what stands there, shape (wanted,)."""
        tokenizer = self.loaded.tokenizer
        before, after = self._frame
        longest = max(job.end - job.start for job in batch) + len(before) + len(after)
        ids = numpy.full((len(batch), longest), tokenizer.pad_token_id or 0, "int64")
        mask = numpy.zeros(ids.shape, dtype="int64")
        rows, gold = [], []
        for i, job in enumerate(batch):
            text = pieces[job.text].ids[job.start : job.end]
            own = numpy.concatenate([before, text, after]).astype("int64")
            hidden = numpy.frombuffer(job.masked, "int64") + len(before)
            own[hidden] = tokenizer.mask_token_id
            ids[i, : len(own)] = own
            mask[i, : len(own)] = 1
            places = numpy.fromiter(jobs[job], "int64", len(jobs[job]))
            rows.append(i * longest + len(before) + places)
            gold.append(text[places])
        return ids, mask, numpy.concatenate(rows), numpy.concatenate(gold)


def _check(query: Query) -> None:
    for start, end in ((query.start, query.end), *query.masked):
        if not 0 <= start <= end <= len(query.text):
            raise ValueError(
                f"the stretch [{start}, {end}) lies outside the text of "
                f"{len(query.text)} characters"
            )


def _places(own: Cut, spans: Sequence[tuple[int, int]]) -> numpy.ndarray:
    ranges = [numpy.arange(*own.touched(*span)) for span in spans]
    return numpy.unique(numpy.concatenate([*ranges, numpy.zeros(0)])).astype("int64")


class _Holder:
    """A loaded model: unlike a tuple it can be referred to weakly."""

    def __init__(self, loaded: Loaded) -> None:
        self.loaded = loaded


# By name and state of the files, for as long as anybody uses them.
_HOLDERS: WeakValueDictionary[tuple[Any, ...], _Holder] = WeakValueDictionary()


def _stamps(name: str) -> tuple[Any, ...]:
    """What tells a folder's model from one that is put there later."""
    path = Path(name)
    if not path.is_dir():
        return (name,)
    files = [p for p in sorted(path.iterdir()) if p.is_file()]
    facts = [(p.name, p.stat().st_size, p.stat().st_mtime_ns) for p in files]
    return (str(path.resolve()), *facts)


@registry.deid_weightings("spacy_deid.masked_lm_weighting.v1")
class MaskedLMWeighting:
    """Information content of words, for `weighted_precision`: -log P(word | context) of
    a masked language model, in nats (paper 3, 6.1).

    A word of several pieces weighs as much as its least probable one, all of them
    masked.

    name (str): Name of the language model on the hub, or path of a folder.
    window (int): See `MaskedLM`.
    batch_pieces (int): See `MaskedLM`.
    together (bool): Mask all words that are asked for at once, as the Text
        Anonymization Benchmark does, rather than each by itself with the others in
        sight: a few passes for a document instead of one a word.
    RAISES (ValueError): If a setting is out of range.
    """

    def __init__(
        self,
        name: str,
        window: int = WINDOW,
        batch_pieces: int = BATCH_PIECES,
        together: bool = False,
    ) -> None:
        self.language_model = MaskedLM(name, window, batch_pieces)
        self.together = together

    def check(self) -> None:
        """Load the language model, before any text is read."""
        _ = self.language_model.loaded

    def __call__(self, text: str, words: Sequence[tuple[int, int]]) -> list[float]:
        """Information content of words."""
        masked = tuple(words) if self.together else ()
        queries = [Query(text, start, end, masked) for start, end in words]
        found = self.language_model.log_probabilities(queries, shared=self.together)
        return [max(0.0, float(-logs.min(initial=0.0))) for logs in found]
