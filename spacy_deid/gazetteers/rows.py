"""Lists of terms as people keep them: a term a line, or columns with tabs between."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path


def read_rows(
    path: str | Path, columns: Sequence[str]
) -> Iterator[tuple[int, dict[str, str]]]:
    """Rows of a list, with the numbers of their lines.

    path (Union[str, Path]): Text in UTF-8. Empty lines, and those that begin with "# ",
        are left out.
    columns (Sequence[str]): What the cells of a line are, the term first, unless the
        first line names them.
    YIELDS (Tuple[int, Dict[str, str]]): The cells that are not empty, by column.
    RAISES (OSError): If it cannot be read.
    RAISES (ValueError): If it is no text in UTF-8, or a line has no term or too many cells.
    """
    path, names = Path(path), columns
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except UnicodeDecodeError:
        raise ValueError(f"{path}: is not UTF-8 text") from None
    for n, line in enumerate(lines, 1):
        if not line.strip() or line.startswith("# "):
            continue
        cells = [cell.strip() for cell in line.split("\t")]
        if n == 1 and len(cells) > 1 and columns[0] in cells and {*cells} <= {*columns}:
            names = cells
            continue
        row = {name: cell for name, cell in zip(names, cells) if cell}
        if len(cells) > len(names) or columns[0] not in row:
            known = ", ".join(names)
            raise ValueError(
                f"{path}, line {n}: needs a term, and may have {known} in this order, "
                "with tabs between"
            )
        yield n, row
