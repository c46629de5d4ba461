"""The terms of Wikidata that come with the package, from files of terms by property.

    python scripts/build_terms.py FOLDER ../../spacy_deid/data/wikidata_terms.tsv [NAMES]

FOLDER has `P106.jsonl` and so on: lines with `term`, `label`, `id`, `property`, `count`
(how many of a sample of people bear the value, where known) and `lang`. NAMES has further
names by language, `fr.txt` and so on: lines of an item and its names with tabs between,
as in the folder `data/alias` of X-FACTR (Jiang et al., 2020). Names of languages and
countries come from the CLDR (Unicode licence; `pip install babel`), those that are
missing then from `labels`, beside the crimes that nobody in the extracts was convicted
of; who comes from a country and what is called after it, from the package's tables.
"""

from __future__ import annotations

import json
import sys
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

from babel import Locale

from spacy_deid.data import read_table, table
from spacy_deid.gazetteers.wikidata.values import CITIZENSHIP, load_properties
from spacy_deid.lang.base import pack_of, split_list
from spacy_deid.schema import PROPERTY_SUBTYPES
from spacy_deid.text.words import normalize_term

HEAD = """\
# What people bear on Wikidata: values of the properties of Papadopoulou et al. (2023),
# appendix A, and of P27, with labels and aliases. people: how many of about 97,000
# people in public extracts bear it; nothing: it stands here for its class. terms: the
# label where it is known, then other names. CC0; names of languages and countries: CLDR
# (Unicode licence), too. Made by projects/gazetteers/scripts/build_terms.py.
property\tid\tpeople\tlang\tterms
"""
LABELS = Path(__file__).parent.parent / "labels"
LANGUAGES = ("en", "de", "es", "ru", "fr")
QUOTES = " '\"“”«»"
# Letters of a name at least: shorter ones are codes.
SHORTEST = 3


class Terms:
    """Terms by property, item and language, and how many people bear an item."""

    def __init__(self) -> None:
        self.rows: dict[tuple[str, str, str], list[str]] = defaultdict(list)
        self.people: dict[tuple[str, str], int] = {}
        # Those of no item, each on a row of its own.
        self.others: list[tuple[str, str, str, str, str]] = []

    def add(self, property_: str, id_: str, lang: str, names: Iterable[str]) -> None:
        """Add names that are not there."""
        terms = self.rows[property_, id_, lang]
        known = {term.casefold() for term in terms}
        for name in names:
            text = " ".join(name.replace("|", " ").split()).strip(QUOTES)
            if text and text.casefold() not in known:
                known.add(text.casefold())
                terms.append(text)

    def read(self, folder: Path) -> None:
        """Values with labels, aliases and counts."""
        wanted = {p.id for p in load_properties()} | {CITIZENSHIP}
        for path in sorted(folder.glob("P*.jsonl")):
            for line in path.read_text("utf-8").splitlines():
                record = json.loads(line)
                if record["property"] not in wanted or not record.get("id"):
                    continue
                value = record["property"], record["id"]
                count = record.get("count") or 0
                self.people[value] = max(self.people.get(value, 0), count)
                self.add(*value, record["lang"], (record["label"], record["term"]))

    def name(self, lang: str, names: dict[str, list[str]]) -> None:
        """Names of items in a language."""
        for property_, id_ in self.people:
            self.add(property_, id_, lang, names.get(id_, ()))

    def translate(self, properties: Iterable[str], names: dict[str, dict]) -> None:
        """Names by English ones, in other languages."""
        english = {k: v for k, v in self.rows.items() if k[2] == "en"}
        for (property_, id_, _), terms in english.items():
            known = [names[t.casefold()] for t in terms if t.casefold() in names]
            if property_ in properties and known:
                for lang, name in known[0].items():
                    self.add(property_, id_, lang, [name])

    def find(self, property_: str, name: str) -> str:
        """The item of a name in English: that which most people bear, those of an alias
        counted for a tenth."""
        best: tuple[float, str] = (0.0, "")
        for (p, id_, lang), terms in self.rows.items():
            if p == property_ and lang == "en":
                keys = [normalize_term(term) for term in terms]
                if normalize_term(name) in keys:
                    weight = 1.0 if keys[0] == normalize_term(name) else 0.1
                    best = max(best, (weight * (1 + self.people[p, id_]), id_))
        return best[1]

    def write(self, path: Path) -> None:
        """Write the table."""
        with path.open("w", encoding="utf-8") as file:
            file.write(HEAD)
            rows = [
                (*key[:2], str(self.people[key[:2]] or ""), key[2], "|".join(terms))
                for key, terms in self.rows.items()
                if terms
            ]
            for cells in sorted([*rows, *self.others]):
                file.write("\t".join(cells) + "\n")


def read_names(path: Path) -> dict[str, list[str]]:
    """Names by item; first what is likest a label."""
    out = {}
    for line in path.read_text("utf-8").splitlines():
        id_, *names = line.split("\t")
        names = [n for n in names if sum(map(str.isalpha, n)) >= SHORTEST]
        out[id_] = sorted(names, key=lambda n: (n.isupper(), len(n)))
    return out


def read_cldr(kind: str) -> dict[str, dict[str, str]]:
    """Names of languages or countries in all languages by the English one."""
    locales = {lang: getattr(Locale(lang), kind) for lang in LANGUAGES}
    return {
        name.casefold(): {
            lang: known[code] for lang, known in locales.items() if code in known
        }
        for code, name in locales["en"].items()
        if code.isalpha()
    }


def nationals() -> Iterable[tuple[str, str, list[str]]]:
    """English names of countries, languages, and what comes from there."""
    packs = {lang: pack_of(lang) for lang in ("de", "es", "ru")}
    for row in table("countries"):
        yield row["country"], "en", [row["adjective"], row["noun"]]
        for lang, pack in packs.items():
            rows = pack.lexicon().rows
            words = [row[lang]]
            for lexeme in (x for r in ("adj", "man", "woman") for x in rows.get(r, ())):
                if lexeme.home == row[lang]:
                    words += [lexeme.name, lexeme.forms.get("f", "")]
            yield row["country"], lang, words
    for row in table("nationalities"):
        for lang in LANGUAGES:
            yield row["country"], lang, list(split_list(row[lang]))


def main(folder: Path, output: Path, names: Path | None = None) -> None:
    terms = Terms()
    terms.read(folder)
    for path in sorted(names.glob("??.txt")) if names else ():
        if path.stem in LANGUAGES:
            terms.name(path.stem, read_names(path))
    for path in sorted(LABELS.glob("??.tsv")):
        found = {row["id"]: row["terms"].split("|") for row in read_table(path)}
        terms.name(path.stem, found)
    spoken = {p for p, subtype in PROPERTY_SUBTYPES.items() if subtype == "LANGUAGE"}
    terms.translate(spoken, read_cldr("languages"))
    terms.translate({CITIZENSHIP}, read_cldr("territories"))
    for country, lang, words in nationals():
        if id_ := terms.find(CITIZENSHIP, country):
            terms.add(CITIZENSHIP, id_, lang, words)
    for row in read_table(LABELS / "values.tsv"):
        for lang in LANGUAGES:
            cells = ("", "", lang, row[lang].replace(",", "|"))
            terms.others.append((row["property"], *cells))
    terms.write(output)


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:4]))
