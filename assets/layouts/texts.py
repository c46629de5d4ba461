"""Raw texts: nothing is annotated."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

Record = dict[str, Any]
_BOM = "\ufeff"
_FRONT_MATTER = re.compile(r"\s*---\n(.*?\n)---\n", re.DOTALL)
_PICTURE = re.compile(r"!\[[^\]]*\]\([^)\s]*\)\n*")
_LINK = re.compile(r"\[([^\]]*)\]\([^)\s]*\)")
_TITLE = re.compile(r"^title:[ \t]*[\"']?(.*?)[\"']?[ \t]*$", re.MULTILINE)


def read_by_id(files: list[Path], but: str = "") -> Iterator[Record]:
    """JSON objects of texts by id.

    but (str): Beginning of the names of files whose ids are left out.
    """
    left_out: set[str] = set()
    for file in files:
        if but and file.name.startswith(but):
            left_out.update(_load(file))
    for file in files:
        if but and file.name.startswith(but):
            continue
        for doc_id, text in _load(file).items():
            if doc_id not in left_out:
                yield {"doc_id": doc_id, "text": text.removeprefix(_BOM)}


def _load(file: Path) -> dict[str, str]:
    texts: dict[str, str] = json.loads(file.read_text("utf8"))
    return texts


def read_articles(files: list[Path], url: str) -> Iterator[Record]:
    """Articles by title, as the index of the web search indicator reads them.

    url (str): What stands before the title in an article's address.
    """
    for file in files:
        for title, text in _load(file).items():
            if (text or "").strip():
                yield {
                    "doc_id": title,
                    "url": url + title,
                    "title": title,
                    "text": text,
                }


def read_plain(files: list[Path], prose: bool = False) -> Iterator[Record]:
    """Files as documents, without what Markdown has of metadata before the text.

    prose (bool): Whether the title of the metadata becomes the first line, and links and
        pictures are left out.
    """
    for file in sorted(files):
        text = file.read_text("utf8", errors="replace")
        if match := _FRONT_MATTER.match(text):
            text = text[match.end() :]
            found = _TITLE.search(match[1])
            if prose and found:
                text = f"{found[1]}\n\n{text.lstrip()}"
        if prose:
            text = _LINK.sub(r"\1", _PICTURE.sub("", text))
        yield {"doc_id": file.stem, "text": text}


def read_qmsum(files: list[Path]) -> Iterator[Record]:
    """QMSum: JSON lines of meetings, each with its turns. Marks of sounds are left out."""
    for file in files:
        for number, line in enumerate(file.read_text("utf8").split("\n")):
            if line.strip():
                turns = [
                    f"{turn['speaker']}: {_clean(turn['content'])}"
                    for turn in json.loads(line)["meeting_transcripts"]
                ]
                yield {"doc_id": f"{file.stem}-{number}", "text": "\n".join(turns)}


def _clean(turn: str) -> str:
    """A turn as it is usually written: no marks of sounds, no space before a comma."""
    turn = re.sub(r"\{\w+\}", " ", turn)
    return re.sub(r"\s+([,.?!;:])|\s+", r"\1 ", turn).replace("  ", " ").strip()


def _name(element: ElementTree.Element) -> str:
    """Name of an element without its namespace."""
    return str(element.tag).rpartition("}")[2]


def _text(element: ElementTree.Element) -> str:
    return " ".join("".join(element.itertext()).split())


def _lines(
    element: ElementTree.Element, names: tuple[str, ...], but: tuple[str, ...]
) -> Iterator[tuple[str, str]]:
    """Name and text of the outermost elements of these names, but not inside of others."""
    for child in element:
        if _name(child) in names:
            yield _name(child), _text(child)
        elif _name(child) not in but:
            yield from _lines(child, names, but)


def read_cnxml(files: list[Path]) -> Iterator[Record]:
    """Textbooks of OpenStax: titles and paragraphs of a module, a line each."""
    for file in sorted(files):
        root = ElementTree.parse(file).getroot()
        lines = _lines(root, ("title", "para", "item"), ("metadata",))
        text = "\n".join(line for _, line in lines if line)
        yield {"doc_id": file.parent.name, "text": text}


def read_dc_code(files: list[Path]) -> Iterator[Record]:
    """Sections of the Code of the District of Columbia, without their history."""
    for file in sorted(files):
        root = ElementTree.parse(file).getroot()
        found = list(_lines(root, ("num", "heading", "text"), ("annotations",)))
        text = ""
        for name, line in found:
            text += f"{'§ ' if not text else ''}{line}"
            text += " " if name == "num" else "\n"
        if any(name == "text" for name, _ in found):
            yield {"doc_id": file.stem, "text": text.rstrip()}


def read_medquad(files: list[Path]) -> Iterator[Record]:
    """MedQuAD: a question and its answer are a document."""
    for file in sorted(files):
        for pair in ElementTree.parse(file).getroot().iter("QAPair"):
            question, answer = pair.find("Question"), pair.find("Answer")
            if (
                question is not None
                and answer is not None
                and (answer.text or "").strip()
            ):
                text = f"{_text(question)}\n{_text(answer)}"
                yield {"doc_id": str(question.get("qid")), "text": text}
