"""The corpus report as a page of one file, with figures drawn as SVG."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import Any

from ..schema import IDENTIFIER_TYPES
from .html import asset, definitions, page

_WIDTH, _NAME, _BAR, _STEP = 620, 150, 16, 24
_TITLE = "Report of a de-identified corpus"
_PLACES = ("doc_id", "label", "subtype", "decision", "place")


def report_page(report: Mapping[str, Any]) -> Iterator[bytes]:
    """The page of a report, with its `facts`.

    report (Mapping): `CorpusReport.to_json`, and `facts`: names and values.
    """
    body = "\n".join(["<main>", f"<h1>{_TITLE}</h1>", *_sections(report), "</main>\n"])
    return page(_TITLE, asset("base.css", "report.css"), [body.encode()])


def _sections(report: Mapping[str, Any]) -> Iterator[str]:
    numbers = {name: report[name] for name in ("documents", "characters", "spans")}
    looks = report["looks"]
    numbers["documents that need a look"] = looks["documents"]
    yield definitions({**{k: f"{v:,}" for k, v in numbers.items()}, **report["facts"]})
    types = {k: [n[d] for d in IDENTIFIER_TYPES] for k, n in report["types"].items()}
    yield _figure("Types and decisions", types, IDENTIFIER_TYPES)
    for title, counts in (
        ("Risk of spans, as decided", report["risk"]["spans"]),
        ("Risk of what is left in a document", report["risk"]["documents"]),
        ("People who share what was found (k), documents", report["k"]["deid_k"]),
        ("People who share what is left (k), documents", report["k"]["deid_k_left"]),
        (_epsilon_title(report["epsilon"]), report["epsilon"]["documents"]),
        ("What found the spans", report["sources"]),
    ):
        if counts:
            yield _figure(title, {name: [n] for name, n in counts.items()})
    yield "<section><h2>Documents that need a look</h2>"
    if looks["first"]:
        yield _figure("Why", {name: [n] for name, n in looks["reasons"].items()})
        first = looks["first"]
        rows = [[row["doc_id"], row["risk"], "; ".join(row["why"])] for row in first]
        yield _table(("document", "risk", "why"), rows)
        more = looks["documents"] - len(rows)
        yield f"<p>{more:,} more are not listed.</p>" if more else ""
    else:
        yield "<p>None, as far as the checks can tell.</p>"
    yield "</section>"
    for name, title in (("longest", "Longest spans"), ("rarest", "Rarest spans")):
        rows = [[_cell(row, column) for column in _PLACES] for row in report[name]]
        yield f"<section><h2>{title}</h2>{_table(_PLACES, rows)}</section>"


def _epsilon_title(epsilon: Mapping[str, Any]) -> str:
    most = f", at most {epsilon['most']:.3g}" if epsilon["most"] else ""
    return f"ε of a token, documents{most}"


def _cell(row: Mapping[str, Any], column: str) -> Any:
    if column != "place":
        return row[column]
    own = f"{row['start']}–{row['end']} in the original, " if "start" in row else ""
    return f"{own}{row['new_start']}–{row['new_end']} in the new text"


def _table(names: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    head = "".join(f'<th scope="col">{escape(name)}</th>' for name in names)
    cells = ("".join(f"<td>{escape(str(cell))}</td>" for cell in row) for row in rows)
    body = "".join(f"<tr>{row}</tr>" for row in cells)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _figure(
    title: str, rows: Mapping[str, Sequence[int]], parts: Sequence[str] = ()
) -> str:
    """A chart of bars, each of one part or of several, with their numbers beside.

    rows (Mapping): Sizes of its parts, by the name of a bar.
    parts (Sequence[str]): What the parts are called, if there are several.
    """
    most = max([sum(sizes) for sizes in rows.values()] + [1])
    scale = (_WIDTH - _NAME - 70) / most
    drawn = []
    for i, (name, sizes) in enumerate(rows.items()):
        y, x = i * _STEP + 4, float(_NAME)
        short = name if len(name) < 24 else f"{name[:22]}…"
        where = f'x="{_NAME - 8}" y="{y + 12}" text-anchor="end"'
        drawn.append(f"<text {where}>{escape(short)}</text>")
        for part, size in enumerate(sizes):
            drawn.append(
                f'<rect class="p{part if parts else "one"}" x="{x:.1f}" y="{y}" '
                f'width="{size * scale:.1f}" height="{_BAR}"/>'
            )
            x += size * scale
        shown = " + ".join(f"{n:,}" for n in sizes if n) or "0"
        drawn.append(f'<text x="{x + 6:.1f}" y="{y + 12}">{shown}</text>')
    label = "; ".join(f"{k}: {', '.join(map(str, sizes))}" for k, sizes in rows.items())
    marks = (f'<span class="p{i}"></span>{escape(p)} ' for i, p in enumerate(parts))
    legend = "".join(marks)
    return (
        f"<figure><figcaption>{escape(title)}</figcaption>"
        + (f'<p class="legend">{legend}</p>' if parts else "")
        + f'<svg role="img" aria-label="{escape(f"{title}. {label}")}" '
        f'viewBox="0 0 {_WIDTH} {len(rows) * _STEP + 6}">{"".join(drawn)}</svg></figure>'
    )
