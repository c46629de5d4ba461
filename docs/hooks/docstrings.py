"""griffe extension: reads our docstrings (`name (type): text`, `RETURNS (type): text`) as
those of the Google style, which mkdocstrings knows."""

from __future__ import annotations

import re
from typing import Any

from griffe import Class, Docstring, Extension, Function, Module

HEADINGS = {"RETURNS": "Returns", "YIELDS": "Yields", "RAISES": "Raises"}
ITEM = re.compile(
    r"(?P<names>\*{0,2}\w+(?:, \*{0,2}\w+)*)(?: \((?P<type>.+?)\))?: (?P<text>.*)"
)


class ExplosionStyle(Extension):
    """Rewrites the docstrings of a package once it has been read."""

    def on_package(self, *, pkg: Module, **kwargs: Any) -> None:
        _rewrite_all(pkg)


def _rewrite_all(parent: Module | Class) -> None:
    for member in parent.members.values():
        if member.is_alias:
            continue
        if isinstance(member, Module | Class):
            _rewrite_all(member)
        if isinstance(member, Class | Function) and member.docstring:
            _rewrite(member.docstring, _parameters(member))


def _parameters(member: Class | Function) -> set[str]:
    if isinstance(member, Function):
        return {p.name.lstrip("*") for p in member.parameters}
    init = member.members.get("__init__")
    own = _parameters(init) if isinstance(init, Function) else set()
    return own | {n for n, m in member.members.items() if m.is_attribute}


def _rewrite(docstring: Docstring, parameters: set[str]) -> None:
    """Move what the docstring says of arguments and results into sections."""
    free: list[str] = []
    sections: dict[str, list[str]] = {}
    item: list[str] | None = None
    for line in docstring.lines:
        found = ITEM.match(line)
        if found:
            names = found["names"].split(", ")
            known = all(n.lstrip("*") in parameters for n in names)
            heading = HEADINGS.get(names[0], "Args" if known else "")
            if heading:
                item = sections.setdefault(heading, [])
                if heading == "Args":
                    # The types are those of the signature.
                    item += [f"    {name}: {found['text']}" for name in names]
                else:
                    kind = f"{found['type']}: " if found["type"] else ""
                    item.append(f"    {kind}{found['text']}")
                continue
        if item is not None and line.startswith("    "):
            item.append(f"    {line}")
        else:
            item = None
            free.append(line)
    for heading, lines in sections.items():
        free += ["", f"{heading}:", *lines]
    docstring.value = "\n".join(free).strip()
