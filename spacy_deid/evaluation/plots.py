"""Figures, if matplotlib is there."""

from __future__ import annotations

import io
from importlib.util import find_spec
from pathlib import Path
from typing import Any

FORMATS = (".svg", ".png")
_MISSING = "a plot needs matplotlib: pip install spacy-deid[plots]"


def check_plot(path: Path) -> None:
    """See whether a figure can be drawn to a file.

    RAISES (ValueError): If its name ends otherwise than in FORMATS.
    RAISES (ImportError): Without matplotlib.
    """
    if path.suffix not in FORMATS:
        raise ValueError(f"{path.name}: a plot is an .svg or .png file")
    if find_spec("matplotlib") is None:
        raise ImportError(_MISSING)


def new_figure(rows: int, columns: int) -> tuple[Any, list[Any]]:
    """A figure with panels, without a display, and the panels.

    RAISES (ImportError): Without matplotlib.
    """
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise ImportError(_MISSING) from None
    figure = Figure(figsize=(4.5 * columns, 3.6 * rows), layout="constrained")
    return figure, list(figure.subplots(rows, columns, squeeze=False).flat)


def render(figure: Any, path: Path) -> bytes:
    """The file of a figure, the same bytes for the same figure."""
    import matplotlib

    file = io.BytesIO()
    with matplotlib.rc_context({"svg.hashsalt": "spacy-deid"}):
        dates = {"Date": None} if path.suffix == ".svg" else None
        figure.savefig(file, format=path.suffix[1:], metadata=dates, dpi=150)
    return file.getvalue()


def save_figure(figure: Any, path: str | Path) -> None:
    """Write a figure to an .svg or .png file, complete or not at all."""
    path = Path(path)
    check_plot(path)
    part = path.with_name(path.name + ".part")
    part.write_bytes(render(figure, path))
    part.replace(path)
