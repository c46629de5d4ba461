"""The corpus report as a page of one file, with figures drawn as SVG."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ..schema import IDENTIFIER_TYPES
from .html import asset, filled, page

_TITLE = "Report of a de-identified corpus"


def report_page(report: Mapping[str, Any]) -> Iterator[bytes]:
    """The page of a report, with its `facts`.

    report (Mapping): `CorpusReport.to_json`, and `facts`: names and values.
    """
    looks, k, epsilon = report["looks"], report["k"], report["epsilon"]
    most = f", at most {epsilon['most']:.3g}" if epsilon["most"] else ""
    counts = {name: report[name] for name in ("documents", "characters", "spans")}
    counts["documents that need a look"] = looks["documents"]
    body = filled(
        "report.html",
        title=_TITLE,
        numbers={**{name: f"{n:,}" for name, n in counts.items()}, **report["facts"]},
        types={k: [n[d] for d in IDENTIFIER_TYPES] for k, n in report["types"].items()},
        decisions=IDENTIFIER_TYPES,
        figures={
            "Risk of spans, as decided": _bars(report["risk"]["spans"]),
            "Risk of what is left in a document": _bars(report["risk"]["documents"]),
            "People who share what was found (k), documents": _bars(k["deid_k"]),
            "People who share what is left (k), documents": _bars(k["deid_k_left"]),
            f"ε of a token, documents{most}": _bars(epsilon["documents"]),
            "What found the spans": _bars(report["sources"]),
        },
        reasons=_bars(looks["reasons"]),
        documents=[
            (r["doc_id"], r["risk"], "; ".join(r["why"])) for r in looks["first"]
        ],
        more=looks["documents"] - len(looks["first"]),
        spans={
            "Longest spans": map(_cells, report["longest"]),
            "Rarest spans": map(_cells, report["rarest"]),
        },
    )
    return page(_TITLE, asset("base.css", "report.css"), [body])


def _bars(counts: Mapping[str, int]) -> dict[str, list[int]]:
    """Counts as bars of a single part."""
    return {name: [n] for name, n in counts.items()}


def _cells(span: Mapping[str, Any]) -> list[Any]:
    own = f"{span['start']}–{span['end']} in the original, " if "start" in span else ""
    place = f"{own}{span['new_start']}–{span['new_end']} in the new text"
    return [*map(span.get, ("doc_id", "label", "subtype", "decision")), place]
