"""mkdocs hook: notebooks with what came out of their cells become pages."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files


def on_files(files: Files, config: MkDocsConfig) -> None:
    """A page for each notebook, under its name; the notebook itself can be taken along."""
    for file in [f for f in files if f.src_uri.endswith(".ipynb")]:
        cells = json.loads(Path(file.abs_src_path or "").read_text("utf8"))["cells"]
        text = "\n\n".join(part for cell in cells for part in _parts(cell))
        text += f"\n\n[This page as a notebook]({Path(file.src_uri).name})\n"
        page = f"{file.src_uri.removesuffix('.ipynb')}.md"
        files.append(File.generated(config, page, content=text))


def _parts(cell: dict[str, Any]) -> Iterator[str]:
    source = "".join(cell["source"])
    if cell["cell_type"] == "markdown":
        yield source.replace(".ipynb)", ".md)")
        return
    yield f"```python\n{source}\n```"
    for output in cell["outputs"]:
        data = output.get("data", {})
        text = "".join(output.get("text", data.get("text/plain", "")))
        if "text/html" in data:
            yield _in_one_line("".join(data["text/html"]))
        elif text.strip():
            yield f"```text\n{text.rstrip()}\n```"


def _in_one_line(markup: str) -> str:
    """As a block of HTML in Markdown may be; breaks of a text stay."""
    sign = "&#10;" if "spacy-deid-diff" in markup else " "
    return f"<div>{sign.join(markup.split(chr(10)))}</div>"
