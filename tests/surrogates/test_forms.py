"""What surrogates keep: the rows of `forms/*.tsv`.

A row is a marked text (see `marked.py`) and an expression that the new text fits as a
whole. Named groups are words that lists have: "(?P<male>...)" is a given name of men in the
language of the text, "(?P<zh_family>...)" a Chinese surname; a figure behind the name
tells groups apart. "{Name}" is a word with a capital.
"""

import re
from collections import defaultdict
from functools import cache
from pathlib import Path

import pytest
from stdnum import isbn

from spacy_deid.data import facts, table, word_lists
from spacy_deid.gazetteers.names import (
    FEMALE_BIT,
    LOCALES,
    MALE_BIT,
    all_lists,
    gender_bits,
    is_given_name,
    lists,
    nicknames,
)
from spacy_deid.lang.base import LAND, pack_of
from spacy_deid.lang.es.persons import DEVOTIONS
from spacy_deid.lang.ru.name_lists import NAMES, WORDS
from spacy_deid.surrogates.base import MONTHS
from spacy_deid.surrogates.geography import saints_like
from spacy_deid.surrogates.term_rows import (
    is_term,
    plural,
    row_of,
    rows_by_subtype,
    term_row,
)
from spacy_deid.text.calendars import MONTHS as MONTHS_OF
from spacy_deid.text.countries import WITH_ARTICLE, demonym
from spacy_deid.text.countries import index as countries
from spacy_deid.text.date_layouts import is_feast
from spacy_deid.text.localities import tables
from spacy_deid.text.names import fold
from spacy_deid.text.number_words import read_words

from .marked import in_language, table_of

KEYS = [b"1", b"2", b"3", b"4"]
ROWS = defaultdict(list)
for path in sorted(Path(__file__).with_name("forms").glob("*.tsv")):
    for row in table_of(path):
        ROWS[f"{path.stem}: {row['about']}"].append(row)

VAGUE = word_lists("lang/en/vague")
MACROS = {
    "{s}": r"(?:(?<=[sßxz])’|(?<![sßxz])s)",
    "{vowel}": "[AEIOUYÀÂÉÈÊËÎÏÔŒH]",
    "{weekday}": r"(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day",
    "{month}": f"(?:{'|'.join(MONTHS)})",
    "{ordinal}": r"\d*(?:(?<!1)1st|(?<!1)2nd|(?<!1)3rd|1\dth|[04-9]th)",
    "{Name}": r"[A-ZÀ-ÖØ-ÞŁŚŠŽА-ЯЁ][^\W\d_'’]*(?:['’][^\W\d_]+)?",
    "{site}": r"example\.(?:com|org|net)",
    "{time}": r"(?:[01]\d|2[0-3])[0-5]\d",
}


def in_row(word, lang, kind):
    """Forms of words that a lexicon has in some rows."""
    return pack_of(lang).lexicon().in_row(word, (kind,))


@cache
def things():
    """Words for things that have no name."""
    rows = table("lang/en/objects")
    return {word for row in rows for word in row["words"].split(",")}


@cache
def patronymics():
    return {stem + end for stem in WORDS["father"] for end in ("ич", "на")}


def bearers(lang):
    """Given names of a language, and what friends call those who have them."""
    return {*lists(lang).male, *lists(lang).female, *nicknames(lang).short}


def siblings(lang, mention):
    """What has a row with a term, in any form."""
    if lang == "en":
        rows = rows_by_subtype()[mention.subtype]
        forms = [of for row in rows for of in (row.terms, map(plural, row.terms))]
        forms = [{fold(term) for term in of} for of in forms]
        return {f for of in forms if fold(mention.text) in of for f in of}
    found = pack_of(lang).lexicon()
    rows = found.in_row(mention.text, [f"term:{mention.subtype}:"])
    words = (lexeme for f in rows for lexeme in found.rows[f.lexeme.row])
    return {fold(form) for lexeme in words for form in lexeme.forms.values()}


def is_postal(text, lang):
    """Whether post code, town and province go together."""
    pack = pack_of(lang)
    code, town, province = re.fullmatch(r"(\d+) (.+?)(?: \((..)\))?", text).groups()
    return code.startswith(pack.postcodes[town]) and (
        province in (None, pack.provinces.get(town))
    )


def is_street(word, words):
    """Whether streets are called so after small words: "de_l" is "de l'"."""
    words = words.replace("_", " ")
    rows = [pack_of(lang).streets_after for lang in ("fr", "it")]
    return any(word in row.get(w, ()) for row in rows for w in (words, f"{words}'"))


# Whether a word is of a kind, by what stands before the kind in the name of the group, a
# language if nothing does.
KINDS = {
    "female": lambda word, lang: word in lists(lang).female,
    "notfemale": lambda word, lang: word not in lists(lang).female,
    "male": lambda word, lang: word in lists(lang).male,
    "family": lambda word, lang: word in lists(lang).family,
    "anyfemale": lambda word, lang: word in all_lists(lang).female,
    "anymale": lambda word, lang: word in all_lists(lang).male,
    # Surnames there are given names of fathers.
    "horn": lambda word, _: any(
        word in (*all_lists(of).male, *all_lists(of).family)
        for of in ("am", "so", "ti")
    ),
    "surname": lambda word, _: any(word in all_lists(key).family for key in LOCALES),
    "given": is_given_name,
    "nogiven": lambda word, lang: not is_given_name(word, lang),
    "nodrawn": lambda word, lang: word not in (*lists(lang).male, *lists(lang).female),
    "called": lambda word, _: gender_bits(word),
    "bearer": lambda word, lang: fold(word) in set(map(fold, bearers(lang))),
    "woman": lambda word, _: gender_bits(word) & FEMALE_BIT,
    "man": lambda word, _: gender_bits(word) & MALE_BIT,
    "only": lambda word, lang: lang == "es" or word in lists(lang).family,
    "devotion": lambda word, _: any(word in names for names in DEVOTIONS.values()),
    "nodevotion": lambda word, _: word not in DEVOTIONS["de la"],
    "patronymic": lambda word, _: word in patronymics(),
    "rum": lambda word, people: word in NAMES[f"{people} m"],
    "ruf": lambda word, people: word in NAMES[f"{people} f"],
    "rufamily": lambda word, people: word in NAMES[f"{people} family"],
    "saint": lambda word, _: (
        word.capitalize() in {*saints_like("Mary"), *saints_like("Luke")}
    ),
    "town": lambda word, lang: in_row(word, lang, "city"),
    "notown": lambda word, lang: not in_row(word, lang, "city"),
    "coded": lambda word, lang: word in pack_of(lang).postcodes,
    "behind": lambda word, article: f"{article} {word}" in pack_of("fr").postcodes,
    "postal": is_postal,
    "street": is_street,
    "company": lambda word, lang: word in pack_of(lang).companies,
    "patron": lambda word, lang: word in pack_of(lang).patrons,
    "subject": lambda word, lang: word in pack_of(lang).subjects,
    "nature": lambda word, lang: in_row(word, lang, LAND),
    "land": lambda word, row: word in facts("lang/en/places")[row],
    "region": lambda word, _: word in tables().by_region,
    "country": lambda word, _: fold(word) in countries().by_name,
    "articled": lambda word, _: (
        fold(word) in countries().by_name and word in WITH_ARTICLE
    ),
    "bare": lambda word, _: (
        fold(word) in countries().by_name and word not in WITH_ARTICLE
    ),
    "countryXf": lambda word, lang: in_row(word, lang, "country:f"),
    "countryXm": lambda word, lang: in_row(word, lang, "country:m"),
    "case": lambda word, case: any(case in f.keys for f in in_row(word, "ru", "city")),
    "feast": lambda word, _: (
        is_feast(word.replace("’", "'")) or is_feast(word.replace("’", "'"), term=True)
    ),
    "number": lambda word, _: read_words(word) is not None,
    "isbn": lambda word, _: isbn.is_valid(word),
    "nationality": lambda word, _: demonym(word),
    "language": lambda word, _: any(
        word in row.terms for row in rows_by_subtype()["LANGUAGE"]
    ),
    "term": lambda word, _: term_row(word.title()) or is_term(word),
    "field": lambda word, kind: re.sub("[ -]", "_", row_of(word)[0].kind) == kind,
    "sort": lambda word, subtype: row_of(word)[0].subtype == subtype,
    "ailment": lambda word, _: (
        word in VAGUE["ailments"] or row_of(word)[0].subtype == "DISEASE"
    ),
    "vague": lambda word, name: word in VAGUE[name],
    "thing": lambda word, _: word in things(),
}


def is_of_kind(group, word, lang, mention):
    of, _, kind = group.rstrip("0123456789").rpartition("_")
    if kind == "sibling":
        return fold(word) in siblings(lang, mention)
    if kind == "formed":
        found = in_row(word, lang, f"term:{mention.subtype}:")
        return any(of.replace("_", " ") in f.keys for f in found)
    return KINDS[kind](word, of or lang)


def pattern_of(row):
    months = f"(?:{'|'.join(MONTHS_OF[row['lang']][0].split())})"
    pattern = row["pattern"].replace("{months}", months)
    for name, expression in MACROS.items():
        pattern = pattern.replace(name, expression)
    return re.compile(pattern, re.DOTALL)


def left(mention, text, row):
    """Words of a name or place that the new text has and the pattern does not ask for."""
    if mention.label not in ("PERSON", "LOC"):
        return set()
    old, new, asked = (
        {word.lower() for word in re.findall(r"[^\W\d_]{4,}", of) if not word.islower()}
        for of in (mention.text, text, row["pattern"])
    )
    return (old & new) - asked


@pytest.mark.parametrize("about", ROWS)
def test_forms(about):
    for row in ROWS[about]:
        for key in KEYS:
            new, mentions, made = in_language(row["marked"], row["lang"], key)
            match = pattern_of(row).fullmatch(new)
            assert match is not None, (new, row)
            for mention, text in zip(mentions, made):
                assert text != mention.text and not left(mention, text, row), (new, row)
            for group, word in match.groupdict().items():
                if word is not None:
                    known = is_of_kind(group, word, row["lang"], mentions[0])
                    assert known, (group, new, row)
