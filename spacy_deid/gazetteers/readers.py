"""Registered readers of term lists."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator
from pathlib import Path

import srsly

from ..data import read_table
from ..registries import registry
from .rows import read_rows
from .terms import Term

SEED = Path(__file__).parent / "seed"
# The order in which lists claim a term that stands in several.
SEED_LISTS = (
    "phrases nationalities ethnicities religions countries cities regions languages "
    "degrees family gender occupations diseases"
).split()


class SeedTerms(tuple[Term, ...]):
    """Terms that are known to be sound: a store of them can be built when needed."""


@registry.deid_gazetteers("spacy_deid.seed_terms.v1")
def make_seed_terms(lists: list[str] | None = None) -> SeedTerms:
    """The lists of English terms that come with the package.

    lists (Optional[List[str]]): Names of the lists to use; all if null.
    RETURNS (SeedTerms): The terms.
    RAISES (ValueError): If there is no list of that name.
    """
    if unknown := sorted(set(lists or ()) - set(SEED_LISTS)):
        raise ValueError(f"no seed list {unknown}; there are {', '.join(SEED_LISTS)}")
    names = [name for name in SEED_LISTS if lists is None or name in lists]
    return SeedTerms(term for name in names for term in _read_seed(name))


@functools.cache
def _read_seed(name: str) -> tuple[Term, ...]:
    return tuple(Term(**row, source=name) for row in read_table(SEED / f"{name}.tsv"))


@registry.deid_gazetteers("spacy_deid.term_file.v1")
def make_term_file(
    path: str | Path, label: str = "MISC", id: str = "", source: str = ""
) -> tuple[Term, ...]:
    """Terms of a file.

    path (Union[str, Path]): JSON lines with `term` and optionally `label`, `id`,
        `source` and `match`; or a term a line, these with tabs between.
    label (str): Semantic type of terms without one.
    id (str): Subtype of terms without one.
    source (str): Source of terms without one; the file's name by default.
    RETURNS (tuple[Term, ...]): The terms.
    """
    return tuple(read_terms(path, label, id, source))


def read_terms(
    path: str | Path, label: str = "MISC", id: str = "", source: str = ""
) -> Iterator[Term]:
    """Read terms from a file.

    path, label, id, source: See `make_term_file`.
    YIELDS (Term): The terms.
    RAISES (ValueError): If a line has no term or a field that is not known.
    """
    path = Path(path)
    defaults = {"label": label, "id": id, "source": source or path.stem}
    for n, row in _rows(path):
        fields = {key: str(value) for key, value in row.items() if value}
        if not fields.get("term", "").strip() or not set(fields) <= set(Term._fields):
            raise ValueError(
                f"{path.name}, term {n}: needs 'term' and may have "
                f"{', '.join(Term._fields[1:])}"
            )
        yield Term(**{**defaults, **fields})


def _rows(path: Path) -> Iterable[tuple[int, dict]]:
    if path.suffix != ".jsonl":
        yield from read_rows(path, Term._fields)
        return
    for n, row in enumerate(srsly.read_jsonl(path), 1):
        yield n, row if isinstance(row, dict) else {"term": str(row)}
