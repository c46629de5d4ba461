"""Word pieces of a document, and which of them spell which token."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy
from spacy.attrs import LENGTH, SPACY
from spacy.tokens import Doc

# A tokenizer without a limit of its own gives an astronomic number as its maximum.
NO_LIMIT = 10**9
# Tokenizers may bring a length at which they cut: never here.
WHOLE: dict[str, Any] = dict.fromkeys(
    "add_special_tokens return_attention_mask return_token_type_ids truncation padding "
    "verbose".split(),
    False,
)
_WORD = re.compile(r"\w+|[^\w\s]")


@dataclass(frozen=True)
class Pieces:
    """The word pieces of one document, without special ones.

    ids (ndarray): Number of each piece in the vocabulary, shape (pieces,).
    first (ndarray): First piece of each token, shape (tokens,).
    end (ndarray): Piece after the last one of each token, shape (tokens,). Equal to
        `first` for tokens that have no piece, such as control characters.
    """

    ids: numpy.ndarray
    first: numpy.ndarray
    end: numpy.ndarray

    def __len__(self) -> int:
        return len(self.ids)

    @property
    def cuts(self) -> numpy.ndarray:
        """Places where a window may begin or end without cutting a token, in order;
        the beginning and the end of the document are the outermost."""
        inner = self.first[(self.first > 0) & (self.first < len(self))]
        return numpy.unique(numpy.concatenate([[0], inner, [len(self)]]))

    def rows_read(self) -> tuple[numpy.ndarray, numpy.ndarray]:
        """First piece, and piece after the last, that a token's vector is made of.

        A token that has no piece stands between two that do: it takes the piece on
        its left and the one on its right, so that a line break within a name looks
        unlike one between two sentences.

        RETURNS (Tuple[ndarray, ndarray]): Both of shape (tokens,).
        """
        blank = self.end <= self.first
        low = numpy.where(blank, numpy.maximum(self.first - 1, 0), self.first)
        high = numpy.where(blank, numpy.minimum(self.first + 1, len(self)), self.end)
        return low, high


class Cut(NamedTuple):
    """Word pieces of a text, without special ones, and where each stands."""

    ids: numpy.ndarray
    starts: numpy.ndarray
    ends: numpy.ndarray

    def touched(self, start: int, end: int) -> tuple[int, int]:
        """First piece with a character in a stretch, and the one after the last."""
        if end <= start:
            return 0, 0
        first = int(numpy.searchsorted(self.ends, start, side="right"))
        last = int(numpy.searchsorted(self.starts, end, side="left"))
        return first, max(first, last)


def cut_text(
    text: str, tokenizer: Any, words: Iterable[tuple[int, int]] | None = None
) -> Cut:
    """Cut a text into word pieces, all of it at once.

    words (Iterable[Tuple[int, int]]): First character and the one after the last of each
        word, for tokenizers that do not tell where their pieces stand: a piece stands
        for all of its word there. Runs of letters and single signs if None.
    """
    if getattr(tokenizer, "is_fast", False):
        encoded = tokenizer(text, return_offsets_mapping=True, **WHOLE)
        ids, bounds = encoded["input_ids"], encoded["offset_mapping"]
    else:
        ids, bounds = [], []
        for start, end in words or [m.span() for m in _WORD.finditer(text)]:
            # Many vocabularies tell a piece after a space from one within a word.
            space = " " if start and text[start - 1].isspace() else ""
            own = tokenizer.tokenize(space + text[start:end])
            ids += tokenizer.convert_tokens_to_ids(own)
            bounds += [(start, end)] * len(own)
    table = numpy.asarray(bounds, dtype="int64").reshape((-1, 2))
    return Cut(numpy.asarray(ids, dtype="int64"), table[:, 0], table[:, 1])


def read_pieces(doc: Doc, tokenizer: Any) -> Pieces:
    """Cut a document into word pieces."""
    lengths = doc.to_array([LENGTH, SPACY]).reshape((-1, 2)).astype("int64")
    after = numpy.cumsum(lengths.sum(axis=1))
    starts, ends = after - lengths.sum(axis=1), after - lengths[:, 1]
    cut = cut_text(doc.text, tokenizer, zip(starts.tolist(), ends.tolist()))
    first = numpy.searchsorted(cut.ends, starts, side="right")
    end = numpy.searchsorted(cut.starts, ends, side="left")
    return Pieces(cut.ids, first, numpy.maximum(first, end))


def most_pieces(tokenizer: Any, encoder: Any) -> int:
    """Word pieces that an encoder takes at a time, special ones included: the least
    that its tokenizer and its table of positions allow."""
    limits = [NO_LIMIT, int(min(tokenizer.model_max_length, NO_LIMIT))]
    table = getattr(getattr(encoder, "embeddings", None), "position_embeddings", None)
    weight = getattr(table, "weight", None)
    if weight is not None:
        # RoBERTa's family counts from the place after the padding's: 514 rows for 512.
        padding = getattr(table, "padding_idx", None)
        limits.append(len(weight) - (0 if padding is None else padding + 1))
    else:
        stated = getattr(encoder.config, "max_position_embeddings", 0) or 0
        limits.append(stated if stated > 0 else NO_LIMIT)
    return min(limits)


def special_pieces(tokenizer: Any) -> tuple[list[int], list[int]]:
    """Pieces that the encoder wants before and after each window.

    RAISES (ValueError): If the tokenizer does not tell.
    """
    bare = tokenizer("a", add_special_tokens=False)["input_ids"]
    full = tokenizer("a", add_special_tokens=True)["input_ids"]
    n = len(bare)
    for i in range(len(full) - n + 1) if n else ():
        if full[i : i + n] == bare:
            return list(full[:i]), list(full[i + n :])
    raise ValueError("the tokenizer of the encoder does not frame its word pieces")


def cannot_load(what: str, name: str, error: Exception) -> ValueError:
    """What to say of a model that is not there, damaged, or needs another package."""
    if isinstance(error, ImportError):
        return ValueError(
            f"the tokenizer of the {what} '{name}' needs a package that is not installed: "
            "without tokenizer.json sentencepiece and protobuf, of the extra, "
            "pip install 'spacy-deid[transformers]'"
        )
    return ValueError(
        f"cannot load the {what} '{name}' ({type(error).__name__}): give the path of a "
        "folder with its config.json, weights and tokenizer, or the name of a model of "
        "the Hugging Face hub that this machine has or can reach"
    )
