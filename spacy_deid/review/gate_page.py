"""The report of the release gate as a page of one file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from html import escape
from itertools import groupby
from typing import Any

from .html import asset, definitions, page

_TITLE = "Release gate"
_WIDTH, _HEIGHT = 220, 22
_MARKS = {True: ("ok", "holds"), False: ("bad", "fails"), None: ("off", "not asked")}


def gate_page(found: Mapping[str, Any]) -> Iterator[bytes]:
    """The page of a verdict, without any text of the corpus.

    found (Mapping): What `spacy deid gate` writes as JSON.
    """
    parts = ["<main>", f"<h1>{_TITLE}: {escape(found['corpus'])}</h1>", *_body(found)]
    body = "\n".join([*parts, "</main>\n"]).encode()
    return page(_TITLE, asset("base.css", "report.css", "gate.css"), [body])


def _body(found: Mapping[str, Any]) -> Iterator[str]:
    rows = found["conditions"]
    failed = [row for row in rows if row["holds"] is False]
    asked = sum(row["limit"] is not None for row in rows)
    kind, verdict = ("ok", "May be released") if found["passes"] else (
        "bad", "Must not be released"
    )  # fmt: skip
    what = "Every condition of the policy holds."
    if failed:
        what = f"{len(failed)} of {asked} conditions of the policy do not hold."
        if found["more_annotated_documents"] is not None:
            n = found["more_annotated_documents"]
            what += f" To pass, annotate about {n:,} more documents."
    yield f'<p class="verdict {kind}"><strong>{verdict}.</strong> {what}</p>'
    facts = {
        "documents": f"{found['documents']:,}",
        "of these annotated": f"{found['annotated']:,}",
        "policy": found["policy"],
        "confidence": f"{100 * found['confidence']:g} %",
        **found["facts"],
    }
    yield definitions(facts)
    for group, own in groupby(rows, key=lambda row: row["group"]):
        yield f"<section><h2>{escape(group.capitalize())}</h2>"
        yield "".join(map(_condition, own))
        yield "</section>"
    if found["detection"]:
        cells = {name: _metric(cell) for name, cell in found["detection"].items()}
        yield (
            "<section><h2>Detection metrics</h2><p>Of the annotated documents, as "
            "`evaluate` computes them, with bootstrap intervals; nothing is judged by "
            f"them.</p>{definitions(cells)}</section>"
        )
    yield (
        "<section><p>Estimates have an interval (the bar); each is judged by its worse "
        "end (the dark edge) against its limit (the line). Documents are named by their "
        "ids in the corpus.</p></section>"
    )


def _metric(cell: Mapping[str, Any]) -> str:
    value, edges = cell["value"], cell["interval"]
    text = "-" if value is None else f"{value:.3f}"
    return text + (f" [{edges[0]:.3f}, {edges[1]:.3f}]" if edges else "")


def _condition(row: Mapping[str, Any]) -> str:
    kind, mark = _MARKS[row["holds"]]
    parts = [
        f'<div class="condition {kind}"><span class="mark">{mark}</span>',
        f"<div><h3>{escape(row['measure'])}</h3>",
        f'<p class="rule">{escape(row["rule"])}</p>',
        f"<p>{escape(shown(row))}</p>",
        f'<p class="soft">{escape(row["meaning"])}.</p>',
    ]
    if row["documents"]:
        ids = ", ".join(row["documents"])
        parts.append(f"<p>Documents: {escape(ids)}</p>")
    chart = _chart(row) if row["unit"] == "share" and row["measured"] else ""
    return "".join([*parts, "</div>", chart, "</div>"])


def _chart(row: Mapping[str, Any]) -> str:
    """A share from 0 to 100 %: its interval, its worse end and its limit."""
    low, high = row["interval"] or (row["value"], row["value"])

    def x(share: float) -> float:
        return 4 + share * (_WIDTH - 8)

    bar = f'x="{x(low):.1f}" width="{max(x(high) - x(low), 1.5):.1f}"'
    limit = row["limit"]
    label = f"{shown(row)}; limit {'none' if limit is None else _percent(limit)}"
    line = f'x="{x(limit or 0.0) - 0.75:.1f}" width="{0 if limit is None else 1.5}"'
    return (
        f'<svg role="img" aria-label="{escape(label)}" viewBox="0 0 {_WIDTH} {_HEIGHT}">'
        f'<rect class="axis" x="4" y="10" width="{_WIDTH - 8}" height="2"/>'
        f'<rect class="pone" y="6" height="10" {bar}/>'
        f'<rect class="end" x="{x(row["judged_by"]) - 1.5:.1f}" y="3" width="3" height="16"/>'
        f'<rect class="limit" {line} y="0" height="22"/>'
        "</svg>"
    )


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
        text += (
            f"; annotate about {row['more_annotated_documents']:,} more documents "
            "(if they are like those that were read)"
        )
    return text


def _number(row: Mapping[str, Any], value: Any) -> str:
    if isinstance(value, str):
        return value
    if row["unit"] == "share":
        return _percent(value)
    return f"{value:,.4g}" if row["unit"] == "number" else f"{value:,.0f}"


def _percent(value: float) -> str:
    return f"{100 * value:.1f} %"
