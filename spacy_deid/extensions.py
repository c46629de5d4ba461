"""Extension attributes of Doc and Span: getters over the span groups of the schema."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from typing import Any

from spacy.tokens import Doc, Span

from .deid_doc import make_deid_doc
from .display import make_diff
from .schema import DEID_KEY, MASK_KEY, PII_KEY, group_attr, with_attrs
from .text.fields import FIELDS

_OFFSETS = "spacy_deid.deid_offsets"


def _lookup(span: Span, key: str, attr: str | None, make: type | None) -> Any:
    """Value of the span in `key` with the same offsets as `span`."""
    doc, default = span.doc, make and make()
    if key not in doc.spans:
        return default
    group = doc.spans[key]
    values = group_attr(group, attr, default) if attr else [s.label_ for s in group]
    for other, value in zip(group, values):
        if other.start == span.start and other.end == span.end:
            return value
    return default


def _get_pii(doc: Doc) -> list[dict[str, Any]]:
    if PII_KEY not in doc.spans:
        return []
    attrs = {"scores": 1.0, "sources": "", "reasons": "", "entity_ids": -1}
    rows = with_attrs(doc.spans[PII_KEY], **attrs)
    return [
        {
            "start": span.start_char,
            "end": span.end_char,
            "label": span.label_,
            "subtype": span.id_,
            "score": score,
            "source": source,
            "reason": reason,
            "entity_id": entity_id,
        }
        for span, score, source, reason, entity_id in rows
    ]


def _rows_of(doc: Doc, key: str) -> list[list[Any]] | None:
    rows = doc.user_data.get(key)
    # A DocBin gives lists back as tuples.
    return None if rows is None else [list(row) for row in rows]


def _set_rows(doc: Doc, rows: Iterable[Sequence[Any]] | None, key: str) -> None:
    doc.user_data[key] = None if rows is None else [list(row) for row in rows]


def _by_rows(key: str) -> dict[str, Any]:
    return {"getter": partial(_rows_of, key=key), "setter": partial(_set_rows, key=key)}


def _get_deid_doc(doc: Doc) -> Doc | None:
    return None if doc._.deid_text is None else make_deid_doc(doc)


DOC_EXTENSIONS: dict[str, dict[str, Any]] = {
    "deid_text": {"default": None},
    "deid_offsets": _by_rows(_OFFSETS),
    "deid_epsilon": {"default": None},
    # The new text as a Doc of its own, made anew by each access; see `make_deid_doc`.
    "deid_doc": {"getter": _get_deid_doc},
    # Before and after as HTML, which a notebook shows.
    "deid_diff": {"getter": make_diff},
    "deid_target": {"default": None},
    # Input: id of the person that a document is about; all documents with it have
    # their dates moved by the same interval.
    "deid_subject": {"default": None},
    # Input: where the fields of a record are, and what they are declared to be; see
    # `text/fields.py`.
    "deid_fields": _by_rows(FIELDS),
    # How many people are expected to share the quasi identifiers, all of them and those
    # left in clear; written by the indicator combination_risk.
    "deid_k": {"default": None},
    "deid_k_left": {"default": None},
    "pii": {"getter": _get_pii},
}
# Group, its attribute (None for the label), and what a span has that is not in it.
_OF_SPANS: dict[str, tuple[str, str | None, type | None]] = {
    "risk": (MASK_KEY, "risk", None),
    "identifier_type": (MASK_KEY, None, None),
    "risk_votes": (MASK_KEY, "votes", dict),
    "risk_reasons": (MASK_KEY, "reasons", str),
    "surrogate": (DEID_KEY, "surrogates", None),
}
SPAN_EXTENSIONS: dict[str, dict[str, Any]] = {
    name: {"getter": partial(_lookup, key=key, attr=attr, make=make)}
    for name, (key, attr, make) in _OF_SPANS.items()
}


def install_extensions() -> None:
    """Register the extension attributes. Idempotent: an attribute that exists,
    ours or the user's own, is left as it is."""
    for kind, extensions in ((Doc, DOC_EXTENSIONS), (Span, SPAN_EXTENSIONS)):
        for name, kwargs in extensions.items():
            if not kind.has_extension(name):
                kind.set_extension(name, **kwargs)
