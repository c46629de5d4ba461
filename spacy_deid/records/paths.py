"""Values inside the fields of a record, by paths: `patient.contacts.0.name`.

A dot within a name is written `\\.`; a field of the record itself has its plain name.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

_DOT = re.compile(r"(?<!\\)\.")


def step(path: str, key: Any) -> str:
    """The path one step further down."""
    return f"{path}.{str(key).replace('.', chr(92) + '.')}"


def parts_of_path(path: str) -> list[str]:
    """The names and numbers of a path."""
    return [part.replace("\\.", ".") for part in _DOT.split(path)]


def leaves(fields: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """The values of a record that hold no others, by their paths, in order."""
    # No recursion: what is nested deeply is to fail by itself, not its neighbours.
    stack = [*fields.items()][::-1]
    while stack:
        path, value = stack.pop()
        if isinstance(value, (list, tuple)):
            value = dict(enumerate(value))
        if not isinstance(value, Mapping):
            yield path, value
            continue
        stack += [(step(path, key), item) for key, item in value.items()][::-1]


def value_at(fields: Mapping[str, Any], path: str) -> Any:
    """The value at a path, None if there is nothing on the way to it.

    RAISES (KeyError): If the path leads elsewhere.
    """
    if path in fields:
        return fields[path]
    value: Any = fields
    for part in parts_of_path(path):
        if value is None:
            break
        if isinstance(value, Mapping):
            value = value[part]
        elif not isinstance(value, (list, tuple)) or not part.isdecimal():
            raise KeyError(path)
        elif int(part) < len(value):
            value = value[int(part)]
        else:
            raise KeyError(path)
    return value


def has_path(fields: Mapping[str, Any], path: str) -> bool:
    """Whether a record has a value, null or not, at a path."""
    try:
        value_at(fields, path)
    except KeyError:
        return False
    return True


def values_at(fields: Mapping[str, Any], paths: Iterable[str]) -> Iterator[Any]:
    """The values at those of some paths that lead to one."""
    return (value_at(fields, path) for path in paths if has_path(fields, path))


def starts_in(path: str, names: Collection[str]) -> bool:
    """Whether a path may lead somewhere in a table with these columns."""
    return path in names or parts_of_path(path)[0] in names


def is_below(path: str, names: Iterable[str]) -> bool:
    """Whether a path is one of some or leads on from one."""
    return any(path == name or path.startswith(f"{name}.") for name in names)


def is_plain(path: str) -> bool:
    """Whether it is made of identifiers in lower case, as programs name fields, and
    numbers: no text by chance."""
    names = [part for part in parts_of_path(path) if not part.isdecimal()]
    return all(name.isidentifier() and name.islower() for name in names)
