"""Probabilities of tags that one recognizer leaves for another to learn from."""

from __future__ import annotations

from collections.abc import Sequence

import numpy
from spacy.tokens import SpanGroup

from .decoding import Tagset

# Attribute of a gold group.
TAGS = "tags"


def write_tags(group: SpanGroup, labels: Sequence[str], rows: numpy.ndarray) -> None:
    """Leave probabilities with a gold group.

    rows (ndarray): Shape (tokens, tags), columns as in `Tagset(labels)`.
    """
    rows = rows.astype("float16")
    group.attrs[TAGS] = {"labels": list(labels), "rows": rows.tobytes()}


def read_tags(group: SpanGroup, labels: Sequence[str]) -> numpy.ndarray | None:
    """Probabilities that were left with a gold group, in the columns of these labels.

    RETURNS (Optional[ndarray]): Shape (tokens, tags); None if there are none, or those
        of other labels.
    """
    tags = group.attrs.get(TAGS)
    if tags is None or sorted(tags["labels"]) != sorted(labels):
        return None
    theirs = Tagset(tags["labels"])
    rows = numpy.frombuffer(tags["rows"], dtype="float16").reshape(-1, len(theirs))
    return rows[:, theirs.order(labels)].astype("float32")
