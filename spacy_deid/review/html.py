"""Pages of one file that asks nobody for anything: what they may do says their policy."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader

ASSETS = Path(__file__).parent / "assets"
# In JSON these stand in strings only, where an escape is the same.
_ESCAPES = {c.encode(): f"\\u{ord(c):04x}".encode() for c in "<>&"}
_TEMPLATES = Environment(
    loader=FileSystemLoader(ASSETS),
    autoescape=True,
    trim_blocks=True,
    lstrip_blocks=True,
)
_TEMPLATES.filters["grouped"] = "{:,}".format


def asset(*names: str) -> str:
    """Files of the page, one after the other."""
    return "".join((ASSETS / name).read_text(encoding="utf8") for name in names)


def filled(template: str, **values: Any) -> bytes:
    """HTML of a template of ours, the text of the values escaped."""
    return _TEMPLATES.get_template(template).render(values).encode()


def as_data(line: bytes) -> bytes:
    """JSON that no element of a page ends in, of a line by `json_line`."""
    for char, code in _ESCAPES.items():
        line = line.replace(char, code)
    return line


def page(
    title: str, style: str, body: Iterable[bytes], script: str = ""
) -> Iterator[bytes]:
    """A whole page, of its parts; nothing in it is run, shown or asked for but these.

    title (str): Plain text.
    body (Iterable[bytes]): HTML.
    """
    hashes = {"style_hash": _hash(style), "script_hash": _hash(script)}
    yield filled("head.html", title=title, style=style, **hashes)
    yield from body
    if script:
        yield f"<script>{script}</script>\n".encode()
    yield b"</body>\n</html>\n"


def _hash(source: str) -> str:
    if not source:
        return "'none'"
    digest = base64.b64encode(hashlib.sha256(source.encode()).digest())
    return f"'sha256-{digest.decode()}'"
