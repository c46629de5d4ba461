"""`spacy deid gazetteer shipped`: the terms that come with the package."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from ..gazetteers.wikidata.shipped import shipped_origin, shipped_values
from ._gazetteer_options import TermOptions
from ._options import command


@dataclass(frozen=True)
class ShippedOptions(TermOptions):
    """Values that nobody in the sample bears are terms as well."""

    min_count: int = 0


@command
def shipped_cli(output: Path, options: ShippedOptions) -> None:
    """Write the terms that come with the package: a sample of what people bear on Wikidata,
    with how many of 97,000 people do. Dump and query service know far more.
    """
    terms = options.check(output)
    values = shipped_values(terms.properties, terms.countries)
    terms.write(values, shipped_origin())
