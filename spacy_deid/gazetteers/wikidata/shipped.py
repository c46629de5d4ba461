"""The terms that come with the package: a sample of Wikidata, for whoever has neither
a dump nor the query service at hand."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby

from ...data import table
from .values import CITIZENSHIP, Origin, Property, Value

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
    for (property_, id_), found in groupby(rows, lambda r: (r["property"], r["id"])):
        same = list(found)
        labels = {row["lang"]: row["terms"].split("|") for row in same}
        count = int(same[0]["people"] or 0)
        yield Value(property_, types[property_], id_, count, labels)


def shipped_origin() -> Origin:
    """What a manifest says of the sample."""
    return Origin("shipped", f"{NAME}.tsv", details={"people": PEOPLE})
