"""Write the names of `spacy_deid/data/lang/en/things.tsv`, kind by kind.

    python projects/gazetteers/scripts/build_things.py CORPORA

Not needed to use the package. CORPORA is a checkout of github.com/dariusk/corpora (CC0). What
tells a kind, and the names of kinds without lists, are written by hand and stay.
"""

import json
import random
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

TABLE = Path(__file__).parents[3] / "spacy_deid/data/lang/en/things.tsv"
MOST = 240
_PLAIN = re.compile(r"[A-Za-z0-9\u00c0-\u017f][A-Za-z0-9\u00c0-\u017f' .+-]{2,27}")
_NUMBERED = re.compile(r"\d+ ")
# Kind -> files below `data`, and the key that holds the names if it is not any.
LISTS = {
    "drug": ("medicine/drugs",),
    "species": ("plants/plants:species",),
    "animal": ("animals/common", "plants/flowers", "plants/plants:name"),
    "disease": ("medicine/diseases", "medicine/infectious_diseases"),
    "celestial": ("science/minor_planets", "science/planets:moons"),
    "aircraft": ("transportation/commercial-aircraft:",),
    "car": ("corporations/cars",),
    "software": ("technology/computer_sciences", "technology/programming_languages"),
    "god": (
        "mythology/greek_gods",
        "mythology/greek_titans",
        "mythology/norse_gods",
        "mythology/roman_deities",
        "mythology/egyptian_gods:",
    ),
    "food": (
        "foods/fruits",
        "foods/vegetables",
        "foods/breads_and_pastries",
        "foods/curds",
        "foods/sausages",
        "foods/tea",
        "foods/fish",
        "foods/iba_cocktails",
    ),
    "game": ("games/board_games",),
    "mineral": ("science/elements:name", "materials/gemstones"),
}


def strings(value: Any, key: str) -> Iterator[str]:
    """The strings in lists of a JSON value ("*"), what stands under a key, or the keys
    themselves ("")."""
    if isinstance(value, list):
        for item in value:
            if isinstance(item, str) and key == "*":
                yield item
            yield from strings(item, key)
    elif isinstance(value, dict):
        for name, item in value.items():
            if not key and not isinstance(item, str):
                yield name
            if name == key:
                yield from [item] if isinstance(item, str) else item
            yield from strings(item, key)


def names_of(folder: Path, kind: str) -> list[str]:
    """At most so many names of a kind, a share of each file, always the same ones."""
    out: set[str] = set()
    for entry in LISTS[kind]:
        path, colon, key = entry.partition(":")
        value = json.loads((folder / "data" / f"{path}.json").read_text("utf8"))
        found = strings(value, key if colon else "*")
        names = {_NUMBERED.sub("", part) for name in found for part in name.split(", ")}
        good = sorted(filter(_PLAIN.fullmatch, names))
        out.update(
            random.Random(0).sample(good, min(len(good), MOST // len(LISTS[kind])))
        )
    return sorted(out, key=str.lower)


def main(corpora: str) -> None:
    rows = []
    for line in TABLE.read_text("utf8").splitlines():
        cells = line.split("\t")
        if cells[0] in LISTS:
            cells[-1] = ",".join(names_of(Path(corpora), cells[0]))
        rows.append("\t".join(cells))
    TABLE.write_text("\n".join(rows) + "\n", "utf8")


if __name__ == "__main__":
    main(*sys.argv[1:])
