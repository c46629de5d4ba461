"""The notebooks of the documentation run as they are."""

from pathlib import Path

import pytest

nbformat = pytest.importorskip("nbformat", reason="notebooks need the extra test")
client = pytest.importorskip("nbclient", reason="notebooks need the extra test")
FOLDER = Path(__file__).parents[1] / "docs" / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))


@pytest.mark.parametrize(
    "numbers", ["134", pytest.param("2", marks=pytest.mark.slow)], ids="_".join
)
def test_notebook_runs(numbers, tmp_path):
    """In one kernel, whose start takes longer than most cells, and nothing is left to
    the next one. Another trains a pipeline, which takes a minute."""
    assert [path.stem[0] for path in NOTEBOOKS] == list("1234")
    cells = []
    for path in NOTEBOOKS:
        if path.stem[0] in numbers:
            notebook = nbformat.read(path, 4)
            nbformat.validate(notebook)
            cells += [*notebook.cells, nbformat.v4.new_code_cell("%reset -f")]
    notebook = nbformat.v4.new_notebook(cells=cells)
    resources = {"metadata": {"path": str(tmp_path)}}
    client.NotebookClient(notebook, timeout=300, resources=resources).execute()


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_outputs_are_shown_and_name_no_machine(path):
    """What is shown is what came out, without warnings and paths of whoever ran it."""
    text = path.read_text(encoding="utf-8")
    shown = [cell for cell in nbformat.reads(text, 4).cells if cell.get("outputs")]
    assert len(shown) > 2 and "site-packages" not in text and '"stderr"' not in text
