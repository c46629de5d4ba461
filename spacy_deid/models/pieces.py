"""Word pieces of a document, and which of them spell which token."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from typing import Any

import numpy
from spacy.attrs import LENGTH, SPACY
from spacy.tokens import Doc

# A tokenizer without a limit of its own gives an astronomic number as its maximum.
NO_LIMIT = 10**9


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


def read_pieces(doc: Doc, tokenizer: Any) -> Pieces:
    """Cut a document into word pieces, all of it at once.

    tokenizer (PreTrainedTokenizerBase): The encoder's own tokenizer.
    """
    if not getattr(tokenizer, "is_fast", False):
        return _token_by_token(doc, tokenizer)
    encoded = tokenizer(
        doc.text,
        add_special_tokens=False,
        return_offsets_mapping=True,
        return_attention_mask=False,
        return_token_type_ids=False,
        # Tokenizers may bring a length at which they cut: never here.
        truncation=False,
        padding=False,
        verbose=False,
    )
    offsets = numpy.asarray(encoded["offset_mapping"], dtype="int64").reshape((-1, 2))
    ids = numpy.asarray(encoded["input_ids"], dtype="int64")
    starts, ends = _characters(doc)
    first = numpy.searchsorted(offsets[:, 1], starts, side="right")
    end = numpy.searchsorted(offsets[:, 0], ends, side="left")
    return Pieces(ids, first, numpy.maximum(first, end))


def _characters(doc: Doc) -> tuple[numpy.ndarray, numpy.ndarray]:
    """First character of each token, and the one after its last."""
    table = doc.to_array([LENGTH, SPACY]).reshape((-1, 2)).astype("int64")
    after = numpy.cumsum(table.sum(axis=1))
    return after - table.sum(axis=1), after - table[:, 1]


def _token_by_token(doc: Doc, tokenizer: Any) -> Pieces:
    """For tokenizers that do not tell where their pieces stand in the text."""
    ids: list[int] = []
    lengths = []
    space = ""
    for token in doc:
        # Many vocabularies tell a piece after a space from one within a word.
        pieces = tokenizer.tokenize(space + token.text)
        ids.extend(tokenizer.convert_tokens_to_ids(pieces))
        lengths.append(len(pieces))
        space = token.whitespace_
    end = numpy.cumsum(numpy.asarray(lengths, dtype="int64"))
    return Pieces(
        numpy.asarray(ids, dtype="int64"), end - numpy.asarray(lengths, "int64"), end
    )


def at_most_pieces(doc: Doc) -> Pieces:
    """Pieces as many as any tokenizer can make of a document.

    A piece spells at least one byte of the text as the tokenizer normalizes it, of
    which the compatibility decomposition (NFKD) is the longest; vocabularies that
    mark the beginning of a word add one.

    RETURNS (Pieces): Its `ids` are all zero.
    """
    lengths = numpy.asarray([_bytes(token.text) + 1 for token in doc], dtype="int64")
    end = numpy.cumsum(lengths)
    total = int(end[-1]) if len(end) else 0
    return Pieces(numpy.zeros(total, dtype="int64"), end - lengths, end)


def _bytes(text: str) -> int:
    if text.isascii():
        return len(text)
    return len(unicodedata.normalize("NFKD", text).encode("utf8", "surrogatepass"))


def special_pieces(tokenizer: Any) -> tuple[list[int], list[int]]:
    """Pieces that the encoder wants before and after each window.

    tokenizer (PreTrainedTokenizerBase): The encoder's own tokenizer.
    RETURNS (Tuple[List[int], List[int]]): Numbers of the pieces before and after.
    RAISES (ValueError): If the tokenizer does not tell.
    """
    bare = tokenizer("a", add_special_tokens=False)["input_ids"]
    full = tokenizer("a", add_special_tokens=True)["input_ids"]
    n = len(bare)
    for i in range(len(full) - n + 1) if n else ():
        if full[i : i + n] == bare:
            return list(full[:i]), list(full[i + n :])
    raise ValueError("the tokenizer of the encoder does not frame its word pieces")
