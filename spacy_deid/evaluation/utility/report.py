"""Results of the protocol as Markdown and as a figure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ..plots import new_figure


def markdown(found: Mapping[str, Any]) -> str:
    """A table of what models score, by what they have learnt from.

    found (Mapping): `title`, `metric`, `train`, `test` (numbers of texts), `level` and the
        `rows` of `compare`, with `strategy`, `p` and `epsilon`.
    """
    return "\n".join(_lines(found)) + "\n"


def _lines(found: Mapping[str, Any]) -> Iterator[str]:
    metric = found["metric"]
    yield f"## {found['title']}"
    yield ""
    yield (
        f"{metric[0].upper()}{metric[1:]} in %; {found['train']:,} texts to learn from, "
        f"{found['test']:,} to test on; ± is the deviation of {found['seeds']} runs, "
        f"[ ] the {100 * found['level']:g} % interval of Δ."
    )
    yield ""
    yield "| learnt from | p | ε | M'(V') | M'(V) | Δ |"
    yield "|---|---|---|---|---|---|"
    for row in found["rows"]:
        epsilon = row["epsilon"]
        cells = [
            row["strategy"],
            "-" if row["p"] is None else f"{row['p']:g}",
            "-" if row["p"] is None else "∞" if epsilon is None else f"{epsilon:.2f}",
            _mean(row["on_deidentified"]),
            _mean(row["on_original"]),
            _delta(row),
        ]
        yield f"| {' | '.join(cells)} |"


def _mean(cell: Mapping[str, Any]) -> str:
    around = cell["deviation"]
    shown = "" if around is None else f" ± {100 * around:.1f}"
    return f"{100 * cell['mean']:.1f}{shown}"


def _delta(row: Mapping[str, Any]) -> str:
    if row["delta"] is None:
        return "-"
    edges = row["interval"]
    shown = f" [{100 * edges[0]:+.1f}, {100 * edges[1]:+.1f}]" if edges else ""
    return f"{100 * row['delta']:+.1f}{shown}"


def draw(found: Mapping[str, Any]) -> Any:
    """A figure of scores on originals by p, a line a strategy, or bars where there is one
    p only.

    RAISES (ImportError): Without matplotlib.
    """
    figure, (panel,) = new_figure(1, 1)
    first, *rows = found["rows"]
    lines: dict[str, list[Mapping[str, Any]]] = {}
    for row in rows:
        lines.setdefault(row["strategy"], []).append(row)
    label = f"{found['metric']} on originals (%)"
    original = 100 * first["on_original"]["mean"]
    if max(map(len, lines.values()), default=0) > 1:
        for name, own in lines.items():
            points = sorted((row["p"], 100 * row["on_original"]["mean"]) for row in own)
            if not any(p == 0 for p, _ in points):
                points.insert(0, (0.0, original))
            panel.plot(*zip(*points), marker="o", label=name)
        panel.set_xlabel("p, probability of replacement")
        panel.set_ylabel(label)
        panel.legend(fontsize="small")
    else:
        cells = [row["on_original"] for row in found["rows"]]
        panel.barh(
            [row["strategy"] for row in found["rows"]],
            [100 * cell["mean"] for cell in cells],
            xerr=[100 * (cell["deviation"] or 0.0) for cell in cells],
        )
        panel.invert_yaxis()
        panel.set_xlabel(label)
    panel.set_title(found["title"], fontsize="medium")
    return figure
