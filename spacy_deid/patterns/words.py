"""The words just before an offset, which say what a value is."""

from __future__ import annotations

_GLUE = " \t\n:(\"'#.=<["
_EDGES = "([{<\"'.:#"


def words_before(text: str, start: int, most: int = 3, width: int = 40) -> list[str]:
    """The last words before an offset, in the same paragraph."""
    left = text[max(0, start - width) : start]
    left = left[left.rfind("\n\n") + 1 :].rstrip(_GLUE).lower()
    return [word.strip(_EDGES) for word in reversed(left.rsplit(None, most)[-most:])]
