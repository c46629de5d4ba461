"""Build the seed lists: `python projects/gazetteers/scripts/build_seed.py SOURCES`.

Not needed to use the package. Needs babel and pycountry, and a folder SOURCES with
the CC0 lists `corpora_lists/` (dariusk/corpora) and `wikidata/occupations.tsv`. What
is written by hand stands in `seed/written/`, what is left out in `seed/stop.tsv`.
"""

from __future__ import annotations

import importlib
import json
import pkgutil
import re
import sys
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from spacy_deid.gazetteers.readers import SEED, SEED_LISTS
from spacy_deid.gazetteers.terms import ANY, EXACT, NEVER, ROLE, TITLE
from spacy_deid.text.words import WORD, normalize_term

WRITTEN = SEED / "written"
_MARKS = {"": ANY, "!": TITLE, "!!": EXACT, "*": ROLE}
LABELS = {
    "phrases": ("MISC", ""),
    "nationalities": ("DEM", "NATIONALITY"),
    "ethnicities": ("DEM", "ETHNICITY"),
    "religions": ("DEM", "RELIGION"),
    "countries": ("LOC", "COUNTRY"),
    "cities": ("LOC", "CITY"),
    "regions": ("LOC", "REGION"),
    "languages": ("DEM", "LANGUAGE"),
    "degrees": ("DEM", "DEGREE"),
    "family": ("DEM", "FAMILY"),
    "gender": ("DEM", "GENDER"),
    "occupations": ("DEM", "OCCUPATION"),
    "diseases": ("DEM", "DISEASE"),
}
# Names of places and languages count with a capital letter only if they are words,
# or names of people, otherwise.
TITLE_LISTS = ("cities", "regions", "languages")

# What a person does, by the last word: this takes the people from Wikidata's list,
# which has activities, titles of one office and works too.
PERSON_WORD = re.compile(
    r"(?:er|or|ist|ian|man|woman|yst|ect|eer|ress|ant|ent|ogue|iff|"
    r"smith|wright|maid|monk|nun|chef|coach|pilot|guard|clerk|nurse|judge|poet|"
    r"cook|mason|diplomat|athlete|adviser|aide|critic|mechanic|scout|detective|"
    r"surgeon|warden|priest|rabbi|imam|bishop|pastor|mayor|senator|jockey|sailor|"
    r"captain|major|colonel|general|lieutenant|sergeant|corporal|spy|"
    r"executive|representative|official|magnate|star|model|host|guide|secretary)$"
)
NOT_A_PERSON = re.compile(r"(?:ment|center|computer|paper|weather|water|power|order)$")


def build(sources: Path) -> dict[str, list[tuple[str, str]]]:
    """Terms of each list with when they count."""
    raw: dict[str, dict[str, str]] = defaultdict(dict)
    for name in LABELS:
        for term, match in _written(name):
            raw[name][term] = match
    for name, terms in {
        "nationalities": _nationalities(sources),
        "languages": _languages(),
        "countries": _countries(),
        "cities": _cities(),
        "regions": _regions(),
        "occupations": _occupations(sources),
        "diseases": _diseases(sources),
        "religions": _religions(sources),
    }.items():
        for term in terms:
            raw[name].setdefault(term, TITLE if name in TITLE_LISTS else ANY)
    stop = _stop()
    # A list of one kind of words takes a term from all later ones.
    seen: set[str] = set()
    lists: dict[str, list[tuple[str, str]]] = {}
    for name in LABELS:
        kept = {}
        for term, match in raw[name].items():
            key = normalize_term(term)
            if not key or len(key) < 2 or key in stop[name] or key in stop["*"]:
                continue
            if key in seen:
                continue
            seen.add(key)
            kept[term] = match
        lists[name] = sorted(kept.items())
    return lists


def _written(name: str) -> Iterator[tuple[str, str]]:
    """Hand-written terms, comma-separated; `!` after a term: only with a capital,
    `!!`: exactly as written, `*`: only as a role."""
    path = WRITTEN / f"{name}.txt"
    if not path.exists():
        return
    for line in path.read_text("utf8").splitlines():
        for item in line.partition("#")[0].split(","):
            term = item.strip()
            bare = term.rstrip("!*")
            if bare:
                mark = term[len(bare) :]
                yield bare, NEVER if name == "phrases" else _MARKS[mark]


def _stop() -> dict[str, set[str]]:
    stop: dict[str, set[str]] = defaultdict(set)
    for line in (SEED / "stop.tsv").read_text("utf8").splitlines()[1:]:
        name, terms, _ = line.split("\t")
        stop[name].update(normalize_term(term) for term in terms.split(","))
    return stop


def _load(path: Path) -> Any:
    return json.loads(path.read_text("utf8"))


def _nationalities(sources: Path) -> Iterator[str]:
    path = sources / "corpora_lists" / "geography" / "nationalities.json"
    for name in _load(path)["nationalities"]:
        name = re.sub(r" \(.*\)", "", name)
        if not name.startswith("Citizen of") and not name.endswith("citizen"):
            yield name


def _languages() -> Iterator[str]:
    import pycountry
    from babel import Locale

    # Living languages with a two-letter code and those that have locale data.
    codes = {x.alpha_2 for x in pycountry.languages if hasattr(x, "alpha_2")}
    for code, name in Locale("en").languages.items():
        known = code in codes or (code.isalpha() and len(code) == 3)
        if known and "(" not in name and len(name) > 3:
            yield name


def _countries() -> Iterator[str]:
    import pycountry
    from babel import Locale

    for code, name in Locale("en").territories.items():
        if code.isalpha() and len(code) == 2 and code not in ("ZZ", "EZ", "XA", "XB"):
            yield from _spellings(name)
    for country in pycountry.countries:
        for attr in ("name", "common_name", "official_name"):
            name = getattr(country, attr, "")
            if name and "," not in name:
                yield from _spellings(name)
    for country in pycountry.historic_countries:
        if "," not in country.name and len(country.name) > 3:
            yield from _spellings(country.name)


def _spellings(name: str) -> Iterator[str]:
    """A name of a place with and without its parts in brackets, `&` and `St.`"""
    for text in {
        name,
        *re.findall(r"\(([^)]*)\)", name),
        re.sub(r" ?\(.*\)", "", name),
    }:
        text = re.sub(r"^the ", "", text.strip(), flags=re.I)
        if text and "(" not in text:
            yield text
            if "&" in text:
                yield text.replace("&", "and")
            if text.startswith("St. "):
                yield text.replace("St.", "Saint")
            plain = "".join(
                c
                for c in unicodedata.normalize("NFD", text)
                if not unicodedata.combining(c)
            )
            if plain != text:
                yield plain


def _cities() -> Iterator[str]:
    from babel import Locale

    zones = Locale("en").time_zones
    for zone in zones:
        yield from _spellings(zones[zone].get("city", ""))
    from babel.core import get_global

    for zone in get_global("zone_territories"):
        area, _, city = zone.rpartition("/")
        if area in ("Europe", "Asia", "Africa", "Australia"):
            yield city.replace("_", " ")


def _regions() -> Iterator[str]:
    import pycountry

    for code in (
        "US",
        "CA",
        "AU",
        "DE",
        "AT",
        "IN",
        "ES",
        "BR",
        "MX",
        "PL",
        "IT",
        "NL",
    ):
        for division in pycountry.subdivisions.get(country_code=code):
            if division.parent_code is None:
                yield from _spellings(re.split(r"[,/*]", division.name)[0])


def _combinations() -> Iterator[str]:
    """Occupations of two parts, each left part with each right part."""
    for line in (WRITTEN / "combinations.txt").read_text("utf8").splitlines():
        sides = [side.split(",") for side in line.partition("#")[0].split("|")]
        if len(sides) == 2:
            for left in sides[0]:
                for right in sides[1]:
                    yield f"{left.strip()} {right.strip()}"


def _occupations(sources: Path) -> Iterator[str]:
    yield from _combinations()
    humans = sources / "corpora_lists" / "humans"
    for name in _load(humans / "occupations.json")["occupations"]:
        yield name
    lines = (sources / "wikidata" / "occupations.tsv").read_text("utf8").splitlines()
    for line in lines[1:]:
        name = line.split("\t")[1].strip()
        plain = len(name.split()) <= 4 and name.isascii() and not name[0].isupper()
        if plain and _is_person(name):
            yield name
    from faker.providers.job.en_US import Provider

    for job in Provider.jobs:
        head, comma, rest = job.partition(", ")
        rest = rest.strip()
        if "/" in job or "(" in job:
            continue
        # "Engineer, civil" is a civil engineer.
        if comma and ("," in rest or len(rest.split()) > 2):
            continue
        name = f"{rest} {head}".strip().lower()
        if _is_person(name):
            yield name


def _is_person(name: str) -> bool:
    word = name.lower().split()[-1]
    return bool(PERSON_WORD.search(word) and not NOT_A_PERSON.search(word))


def _diseases(sources: Path) -> Iterator[str]:
    folder = sources / "corpora_lists" / "medicine"
    for chain in _load(folder / "diseases.json")["diseases"]:
        yield from chain
    yield from _load(folder / "infectious_diseases.json")["diseases"]
    for name in _load(folder / "cancer.json")["cancers"]:
        if len(name.split()) <= 3:
            yield name


def _religions(sources: Path) -> Iterator[str]:
    def walk(node: Any) -> Iterator[str]:
        if isinstance(node, dict):
            for key, value in node.items():
                yield key
                yield from walk(value)
        elif isinstance(node, list):
            for value in node:
                yield from walk(value)
        else:
            yield str(node)

    path = sources / "corpora_lists" / "religion" / "religions.json"
    for name in walk(_load(path)):
        for part in name.split(" / "):
            if WORD.search(part) and not re.search(
                r"groups|Other|Neo-|related|schools|revival", part, re.I
            ):
                yield part


def _names(sources: Path) -> tuple[dict[str, str], set[str]]:
    """Given names with "m", "f" or "" and surnames, in lower case."""
    import faker.providers.person

    male: set[str] = set()
    female: set[str] = set()
    given: set[str] = set()
    family: set[str] = set()
    package = faker.providers.person
    for info in pkgutil.iter_modules(package.__path__):
        provider = importlib.import_module(f"{package.__name__}.{info.name}").Provider
        for attr in dir(provider):
            if attr.startswith("_") or "_name" not in attr or "prefix" in attr:
                continue
            if "last" in attr:
                target = family
            elif "first" not in attr:
                continue
            elif "nonbinary" in attr or "unisex" in attr:
                target = given
            elif "female" in attr:
                target = female
            else:
                target = male if "male" in attr else given
            target.update(_clean(getattr(provider, attr)))
    humans = sources / "corpora_lists" / "humans"
    given.update(_clean(_load(humans / "firstNames.json")["firstNames"]))
    family.update(_clean(_load(humans / "lastNames.json")["lastNames"]))
    genders = dict.fromkeys(given, "")
    genders.update(dict.fromkeys(male - female, "m"))
    genders.update(dict.fromkeys(female - male, "f"))
    genders.update(dict.fromkeys(male & female, ""))
    return genders, family


def _clean(values: Any) -> Iterator[str]:
    if not isinstance(values, (dict, list, tuple, set)):
        return
    for value in values:
        name = unicodedata.normalize("NFC", str(value)).strip().casefold()
        if len(name) > 1 and re.fullmatch(r"[^\W\d_]+(?:[ '’\-][^\W\d_]+)*\.?", name):
            yield name


def _write(path: Path, header: str, rows: Iterable[str]) -> None:
    path.write_text("\n".join([header, *rows]) + "\n", "utf8")


def main(sources: Path) -> None:
    """Write all seed lists."""
    for name, terms in build(sources).items():
        if name not in SEED_LISTS:
            raise ValueError(f"'{name}' is missing from SEED_LISTS")
        label, id_ = LABELS[name]
        _write(
            SEED / f"{name}.tsv",
            "term\tlabel\tid\tmatch",
            (f"{term}\t{label}\t{id_}\t{match}" for term, match in terms),
        )
    given, family = _names(sources)
    _write(
        SEED / "given_names.tsv",
        "name\tgender",
        (f"{name}\t{gender}" for name, gender in sorted(given.items())),
    )
    _write(SEED / "family_names.tsv", "name", sorted(family))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
