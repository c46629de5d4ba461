"""The report of the release gate as a page of one file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import groupby
from typing import Any

from ..evaluation.bootstrap import show_value
from .html import asset, filled, page

_TITLE = "Release gate"
_MARKS = {True: ("ok", "holds"), False: ("bad", "fails"), None: ("off", "not asked")}


def gate_page(found: Mapping[str, Any]) -> Iterator[bytes]:
    """The page of a verdict, without any text of the corpus.

    found (Mapping): What `spacy deid gate` writes as JSON.
    """
    rows = found["conditions"]
    groups = groupby(rows, key=lambda row: row["group"])
    read, confidence = f"{found['annotated']:,}", f"{100 * found['confidence']:g} %"
    facts = {"documents": f"{found['documents']:,}", "of these annotated": read}
    facts |= {"policy": found["policy"], "confidence": confidence, **found["facts"]}
    cells = found["detection"].items()
    metrics = {k: show_value(x["value"], x["interval"]) for k, x in cells}
    body = filled(
        "gate.html",
        title=_TITLE,
        found=found,
        facts=facts,
        asked=sum(row["limit"] is not None for row in rows),
        failed=sum(row["holds"] is False for row in rows),
        groups={name: [*own] for name, own in groups},
        metrics=metrics,
        marks=_MARKS,
        shown=shown,
        percent=_percent,
    )
    return page(_TITLE, asset("base.css", "report.css", "gate.css"), [body])


def shown(row: Mapping[str, Any]) -> str:
    """What was measured, in a line, and what would have to be done."""
    if not row["measured"]:
        text = f"not measured: {row['of']}"
    else:
        text = _number(row, row["value"])
        if row["interval"]:
            low, high = (_number(row, edge) for edge in row["interval"])
            text += f" [{low}, {high}]"
        text += f" ({row['of']})" if row["of"] else ""
    if row["holds"] is False and row["more_annotated_documents"] is not None:
        more = f"{row['more_annotated_documents']:,} more documents"
        text += f"; annotate about {more} (if they are like those that were read)"
    return text


def _number(row: Mapping[str, Any], value: Any) -> str:
    if isinstance(value, str):
        return value
    if row["unit"] == "share":
        return _percent(value)
    return f"{value:,.4g}" if row["unit"] == "number" else f"{value:,.0f}"


def _percent(value: float) -> str:
    return f"{100 * value:.1f} %"
