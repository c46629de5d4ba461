"""Facts, as tables and word lists that a person can read and correct.

A table is a file `NAME.tsv`: lines that begin with "# " say where the facts come from and
under which licence; the first other line names the columns. A list is `NAME.txt`, one
entry a line, with the same header; a file `NAME.json` has it under the key `"origin"`.
`wheel_init.txt` and `wheel_readme.txt` are templates of a wheel's `__init__.py` and
README, `dump_store.sql` and `vault.sql` are schemas.
What belongs to one language lies under `lang/CODE/`. Everything is read when it is first
asked for, and once.
"""

from __future__ import annotations

import json
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent


def _lines(path: Path) -> list[str]:
    text = path.read_text(encoding="utf8")
    return [line for line in text.split("\n") if line and not line.startswith("# ")]


def read_table(path: Path) -> tuple[dict[str, str], ...]:
    """The rows of a table in any file; see `table`."""
    first, *rows = (line.split("\t") for line in _lines(path) or [""])
    out = []
    for row in rows:
        if len(row) > len(first):
            raise ValueError(f"{path.name}: a row has {len(row)} cells: {row[0]!r}")
        out.append(dict(zip(first, row + [""] * (len(first) - len(row)))))
    return tuple(out)


@cache
def table(name: str) -> tuple[dict[str, str], ...]:
    """The rows of a table; cells that are missing at the end of a line are empty.

    name (str): Path under this folder without its suffix, for example
        "lang/de/streets".
    RETURNS (tuple[dict[str, str], ...]): One dict of column and cell a row. It is
        shared: do not change it.
    RAISES (ValueError): If a row has more cells than there are columns.
    """
    return read_table(ROOT / f"{name}.tsv")


@cache
def entries(name: str) -> tuple[str, ...]:
    """The entries of a list, in the order of the file.

    name (str): Path under this folder without its suffix.
    RETURNS (tuple[str, ...]): The entries.
    """
    return tuple(_lines(ROOT / f"{name}.txt"))


@cache
def facts(name: str) -> Any:
    """What a JSON file holds, without its origin.

    name (str): Path under this folder without its suffix.
    RETURNS (Any): The object. It is shared: do not change it.
    """
    made = json.loads((ROOT / f"{name}.json").read_text(encoding="utf8"))
    if isinstance(made, dict):
        made.pop("origin", None)
    return made


@cache
def has_own(lang: str, file: str) -> bool:
    """Whether a language has a file of its own.

    lang (str): Code of a language, or "".
    file (str): Name of the file under `lang/CODE/`: "feasts.tsv".
    """
    return lang.isalpha() and (ROOT / f"lang/{lang}/{file}").exists()


@cache
def language_with(name: str, lang: str) -> str:
    """A language if it has a JSON file of its own, else English.

    name (str): The file under `lang/CODE/` without its suffix.
    lang (str): Code of a language, or ""; what follows a hyphen does not count.
    RETURNS (str): Its code in two letters.
    """
    code = lang[:2]
    return code if has_own(code, f"{name}.json") else "en"


@cache
def word_lists(name: str) -> dict[str, tuple[str, ...]]:
    """Lists of words of one table with the columns `list` and `words`.

    name (str): Path under this folder without its suffix.
    RETURNS (dict[str, tuple[str, ...]]): The words of each list, which may have several
        rows, in the order of the file; `_` stands for a blank. It is shared: do not
        change it.
    """
    found: dict[str, list[str]] = {}
    for row in table(name):
        words = (word.replace("_", " ") for word in row["words"].split())
        found.setdefault(row["list"], []).extend(words)
    return {key: tuple(words) for key, words in found.items()}


def faker_lists(name: str) -> Any:
    """A provider of Faker, for the lists that it has: "person.en", "geo".

    Faker takes a tenth of the start of a program, and many never ask for its lists.
    """
    return import_module(f"faker.providers.{name}").Provider
