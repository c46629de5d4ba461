"""The terms that come with the package: a sample of Wikidata, for whoever has neither
a dump nor the query service at hand."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from itertools import groupby

from ...data import table
from ..compiled import Compiler, Entry, Gazetteer
from .values import CITIZENSHIP, Origin, Property, Value, load_properties

# Of the public extracts in which the values were counted.
PEOPLE = 97_000
NAME = "wikidata_terms"


def shipped_values(properties: Iterable[Property], countries: bool) -> Iterator[Value]:
    """Values of the sample, with the number of its people who bear each (0: none seen).

    properties (Iterable[Property]): Properties wanted.
    countries (bool): Whether P27 is wanted as well.
    """
    types = {p.id: p.type for p in properties}
    if countries:
        types.setdefault(CITIZENSHIP, "DEM")
    rows = (row for row in table(NAME) if row["property"] in types)
    # What is no item stands on a row of its own.
    by_value = groupby(rows, lambda r: (r["property"], r["id"] or r["terms"]))
    for (property_, _), found in by_value:
        same = list(found)
        labels = {row["lang"]: row["terms"].split("|") for row in same}
        count = int(same[0]["people"] or 0)
        yield Value(property_, types[property_], same[0]["id"], count, labels)


def shipped_origin() -> Origin:
    """What a manifest says of the sample."""
    return Origin("shipped", f"{NAME}.tsv", details={"people": PEOPLE})


@cache
def shipped_counts(languages: tuple[str, ...]) -> Gazetteer:
    """The values of the sample that somebody bears, compiled when first asked for.

    languages (tuple[str, ...]): Languages of their terms.
    RETURNS (Gazetteer): Its terms with counts.
    RAISES (ValueError): If the sample has none in these languages.
    """
    compiler = Compiler(languages=languages, humans=PEOPLE)
    for value in shipped_values(load_properties(), countries=True):
        if value.count:
            for term in (t for code in languages for t in value.labels.get(code, ())):
                kind = (value.type, value.id, value.property)
                compiler.add(Entry(term, *kind, value.count))
    if not len(compiler):
        raise ValueError(
            "no values with counts of people come with the package in "
            f"{', '.join(languages)}: give a compiled gazetteer that has them"
        )
    return Gazetteer(compiler.to_bytes(), NAME)
