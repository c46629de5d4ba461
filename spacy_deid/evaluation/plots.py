"""Figures, if matplotlib is there."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

FORMATS = (".svg", ".png")


def new_figure(rows: int, columns: int) -> tuple[Any, list[Any]]:
    """A figure with panels, without a display.

    rows (int): Rows of panels.
    columns (int): Columns of panels.
    RETURNS (Tuple[Figure, List[Axes]]): The figure and its panels.
    RAISES (ImportError): Without matplotlib.
    """
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise ImportError(
            "a plot needs matplotlib: pip install spacy-deid[benchmark]"
        ) from None
    figure = Figure(figsize=(4.5 * columns, 3.6 * rows), layout="constrained")
    return figure, list(figure.subplots(rows, columns, squeeze=False).flat)


def save_figure(figure: Any, path: str | Path) -> None:
    """Write a figure, the same bytes for the same figure.

    figure (Figure): The figure.
    path (Path): An .svg or .png file; what was there is replaced by the whole.
    RAISES (ValueError): For another ending.
    """
    import matplotlib

    path = Path(path)
    if path.suffix not in FORMATS:
        raise ValueError(f"{path.name}: a plot is an .svg or .png file")
    file = io.BytesIO()
    with matplotlib.rc_context({"svg.hashsalt": "spacy-deid"}):
        dates = {"Date": None} if path.suffix == ".svg" else None
        figure.savefig(file, format=path.suffix[1:], metadata=dates, dpi=150)
    part = path.with_name(path.name + ".part")
    part.write_bytes(file.getvalue())
    part.replace(path)
