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

from spacy_deid.data import entries, facts, table, word_lists
from spacy_deid.gazetteers.names import (
    FEMALE_BIT,
    LOCALES,
    MALE_BIT,
    all_lists,
    gender_bits,
    is_given_name,
    lists,
    lists_of,
    nicknames,
)
from spacy_deid.lang.base import LAND, pack_of
from spacy_deid.lang.es.persons import DEVOTIONS
from spacy_deid.lang.ru.name_lists import GRAMMAR, NAMES, WORDS, given_names
from spacy_deid.lang.ru.persons import patronymic
from spacy_deid.surrogates.base import MONTHS
from spacy_deid.surrogates.geography import saints_like
from spacy_deid.surrogates.phones import areas_of
from spacy_deid.surrogates.term_rows import (
    is_term,
    plural,
    row_of,
    rows_by_subtype,
    term_row,
)
from spacy_deid.surrogates.things import kinds
from spacy_deid.text.calendars import MONTHS as MONTHS_OF
from spacy_deid.text.countries import WITH_ARTICLE, demonym
from spacy_deid.text.countries import index as countries
from spacy_deid.text.date_layouts import is_feast
from spacy_deid.text.folding import written_out
from spacy_deid.text.localities import US, tables
from spacy_deid.text.names import fold
from spacy_deid.text.number_words import number_words, read_words
from spacy_deid.text.scripts import romanise
from spacy_deid.text.spoken import speech
from spacy_deid.text.towns import homes_of

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
    "{es}": "(?:(?<=[sxz])es|(?<=[cs]h)es|(?<![sxz])(?<![cs]h)s)",
    "{weekday}": r"(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day",
    "{month}": f"(?:{'|'.join(MONTHS)})",
    "{ordinal}": r"\d*(?:(?<!1)1st|(?<!1)2nd|(?<!1)3rd|1\dth|[04-9]th)",
    "{Name}": r"[A-ZÀ-ÖØ-ÞŁŚŠŽА-ЯЁ][^\W\d_'’]*(?:['’][^\W\d_]+)?",
    "{site}": r"example\.(?:com|org|net)",
    "{time}": r"(?:[01]\d|2[0-3])[0-5]\d",
}


def in_row(word, lang, kind):
    """Forms of words that a lexicon has in some rows."""
    kinds = (kind,) if isinstance(kind, str) else kind
    return pack_of(lang).lexicon().in_row(word, kinds)


@cache
def things():
    """Words for things that have no name, by row."""
    return [row["words"].split(",") for row in table("lang/en/objects")]


@cache
def folded(lang, part):
    """Names of a list without their marks, and given names that have short forms."""
    return {*map(fold, getattr(lists(lang), part)), *map(fold, nicknames(lang).full)}


def value(text, lang):
    """The number that words say."""
    (atom,) = (atom for run in speech(lang).runs(text) for atom in run.atoms)
    return int(atom.chars)


def is_acronymed(text, _):
    """Whether letters stand in a name in their order, the first at its beginning."""
    name, short = re.fullmatch(r"(.+) (?:¦ |\()(\w+)\)?", text).groups()
    letters = iter(name.upper())
    return all(letter in letters for letter in short) and (
        short[0] == name[0].upper() or not name[0].isupper()
    )


def has_area(text, lang):
    """Whether a town and a telephone number go together."""
    town, number = text.split(" ¦ ")
    digits = re.sub(r"\D", "", number)
    area = areas_of("34" if lang == "es" else "7")[fold(town)]
    return digits.removeprefix("" if lang == "es" else digits[0]).startswith(area)


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
    return alike(lang, mention.text, mention.subtype)


def alike(lang, term, subtype):
    """Forms of the words in the rows of a lexicon that have a term."""
    rows = in_row(term, lang, f"term:{subtype}")
    lexemes = (x for f in rows for x in pack_of(lang).lexicon().rows[f.lexeme.row])
    return {fold(form) for lexeme in lexemes for form in lexeme.forms.values()}


def is_postal(text, lang):
    """Whether post code, town and province go together."""
    pack = pack_of(lang)
    code, town, province = re.fullmatch(
        r"(\d+)\W+(?:г\. )?(.+?)(?: \((..)\))?", text
    ).groups()
    return code.startswith(pack.postcodes[town]) and (
        province in (None, pack.provinces.get(town))
    )


def is_street(word, words):
    """Whether streets are called so after small words: "de_l" is "de l'"."""
    words = words.replace("_", " ")
    rows = [pack_of(lang).streets_after for lang in ("de", "fr", "it")]
    return any(word in row.get(w, ()) for row in rows for w in (words, f"{words}'"))


def is_stated(text, _):
    """Whether the code of a state behind a town is that of its state."""
    town, code = text.split(", ")
    row = tables().town_in[US, fold(town)]
    return tables().codes[row.region] == code.replace(".", "")


def named(word, lang):
    """Lexemes of the lexicon that a word is a form of."""
    return [found.lexeme for found in pack_of(lang).lexicon().find(word)]


def homes(word, lang):
    """Countries that have what is called so."""
    if lang != "en":
        return {home for x in named(word, lang) for home in (x.home, x.name)}
    known = countries(), demonym(word)
    of = [known[0].by_name.get(fold(word)), known[0].by_region.get(fold(word))]
    of += known[1][:1] if known[1] else ()
    found = {country.name for country in of if country} | {*homes_of(fold(word))}
    found |= {x.name for x in known[0].by_name.values() if word in x.cities + x.regions}
    found |= {of for of, town in tables().town_in if town == fold(word)}
    return {*found, tables().country_of.get(word)}


# What all groups of these kinds of a row have in common.
TOGETHER = {
    "home": homes,
    "lexeme": lambda word, lang: {lexeme.name for lexeme in named(word, lang)},
    "friend": lambda word, lang: {
        fold(name) for name in (word, *nicknames(lang).full.get(fold(word), ()))
    },
    "figure": lambda word, lang: {
        *map(int, re.findall(r"\d+", word)),
        *(said.value for said in number_words(lang).find(word)),
    },
    "dial": lambda word, _: {re.sub(r"\D", "", word)[-7:]},
    "folded": lambda word, _: {word.casefold()},
    "plain": lambda word, lang: {
        fold(romanise(word) if lang == "ru" else written_out(word)).replace(" ", ".")
    },
    "namesake": lambda word, _: {f.lexeme.name for f in given_names().find(word)},
}
# Where to look for the form that stands before these kinds.
FOUND = {
    "form": lambda word, mention, lang: pack_of(lang).lexicon().find(word),
    "formed": lambda word, mention, lang: in_row(
        word, lang, f"term:{mention.subtype}:"
    ),
    "named": lambda word, *_: given_names().find(word),
    "short": lambda word, *_: given_names().in_row(word, ("m/short", "f/short")),
}


# Whether a word is of a kind, by what stands before the kind in the name of the group, a
# language if nothing does.
KINDS = {
    "female": lambda word, lang: word in lists(lang).female,
    "notfemale": lambda word, lang: word not in lists(lang).female,
    "male": lambda word, lang: word in lists(lang).male,
    "family": lambda word, lang: word in lists(lang).family,
    "m": lambda word, lang: fold(word) in folded(lang, "male"),
    "f": lambda word, lang: fold(word) in folded(lang, "female"),
    "s": lambda word, lang: fold(word) in folded(lang, "family"),
    "ownmale": lambda word, lang: word in lists_of(LOCALES[lang][0]).male,
    "ownfemale": lambda word, lang: word in lists_of(LOCALES[lang][0]).female,
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
    "ruby": lambda word, sex: any(
        found.lexeme.row in (sex, f"{sex}/{found.lexeme.row.partition('/')[2]}")
        for found in given_names().find(word)
    ),
    "people": lambda word, people: any(
        found.lexeme.row[2:] == people for found in given_names().find(word)
    ),
    "near": lambda word, people: any(
        word in NAMES[f"{of} family"]
        for of in next(
            (x for x in GRAMMAR["near"] if people in x.split()), people
        ).split()
    ),
    "rugiven": lambda word, people: any(
        word in NAMES[f"{people} {sex}"] for sex in "mf"
    ),
    "role": lambda word, role: (
        role
        == (
            "patronymic"
            if patronymic(word)
            else "given"
            if given_names().in_row(word, ("m", "f"))
            else "family"
        )
    ),
    "rum": lambda word, people: word in NAMES[f"{people} m"],
    "ruf": lambda word, people: word in NAMES[f"{people} f"],
    "rufamily": lambda word, people: (
        not ({word, word.removesuffix("а")}.isdisjoint(NAMES[f"{people} family"]))
    ),
    "saint": lambda word, _: (
        word.capitalize() in {*saints_like("Mary"), *saints_like("Luke")}
    ),
    "town": lambda word, lang: in_row(word, lang, "city"),
    "notown": lambda word, lang: (
        not in_row(word, lang, "city")
        or any(word in row for row in pack_of(lang).streets_after.values())
        or word in pack_of(lang).streets
    ),
    "place": lambda word, lang: in_row(word, lang, ("city", "region")),
    "inpart": lambda text, _: tables().by_town[fold(text.split(", ")[0])].part in text,
    "stated": is_stated,
    "nostate": lambda word, _: word not in tables().codes.values(),
    "neighbour": lambda word, lang: word in pack_of(lang).neighbours,
    "ofcity": lambda word, _: any(
        lexeme.forms["femn gent"].capitalize() == word
        for lexeme in pack_of("ru").lexicon().rows["ofcity"]
    ),
    "coded": lambda word, lang: word in pack_of(lang).postcodes,
    "behind": lambda word, article: f"{article} {word}" in pack_of("fr").postcodes,
    "postal": is_postal,
    "street": is_street,
    "company": lambda word, lang: word in pack_of(lang).companies,
    "patron": lambda word, lang: word in pack_of(lang).patrons,
    "subject": lambda word, lang: word in pack_of(lang).subjects,
    "land": lambda word, row: word in facts("lang/en/places")[row],
    "region": lambda word, _: word in tables().by_region,
    "country": lambda word, _: fold(word) in countries().by_name,
    "articled": lambda word, _: (
        fold(word) in countries().by_name and word in WITH_ARTICLE
    ),
    "bare": lambda word, _: (
        fold(word) in countries().by_name and word not in WITH_ARTICLE
    ),
    "countryform": lambda word, lang: any(
        word in lexeme.forms.values()
        for lexeme in pack_of(lang).lexicon().countries.values()
    ),
    "countryXf": lambda word, lang: in_row(word, lang, "country:f"),
    "countryXm": lambda word, lang: in_row(word, lang, "country:m"),
    "feast": lambda word, _: (
        is_feast(word.replace("’", "'")) or is_feast(word.replace("’", "'"), term=True)
    ),
    "neighbours": lambda text, _: (
        int(re.findall(r"\d+", text)[1]) - int(re.findall(r"\d+", text)[0]) == 1
    ),
    "rising": lambda text, _: (
        int(re.findall(r"\d+", text)[0]) <= int(re.findall(r"\d+", text)[1])
    ),
    "acronymed": is_acronymed,
    "area": has_area,
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
    "said": lambda word, label: in_row(word, "ru", f"term:{label}"),
    "anything": lambda word, _: any(
        not {word, word.removesuffix("s")}.isdisjoint(row) for row in things()
    ),
    "doing": lambda word, form: any(
        word == f"{row[form]} {row['rest']}" for row in table("lang/en/activities")
    ),
    "row": lambda word, term: word in row_of(term.replace("_", "."))[0].terms,
    "beside": lambda word, thing: any({word, thing} <= {*row} for row in things()),
    "kindof": lambda word, kind: (
        not (
            {word.lower(), word.lower().removesuffix("s")}.isdisjoint(
                name.lower() for name in kinds()[kind].names
            )
        )
    ),
    "code": lambda word, lang: word in entries(f"lang/{lang}/code_words"),
    "vague": lambda word, name: word in VAGUE[name],
    "thing": lambda word, _: any(word in row for row in things()),
}


def is_of_kind(group, word, lang, mention):
    of, _, kind = group.rstrip("0123456789").rpartition("_")
    if kind == "sibling":
        return fold(word) in siblings(lang, mention)
    if kind == "alike":
        heads = of.split("__")
        rows = [alike(lang, h.replace("_", " "), mention.subtype) for h in heads]
        return any(fold(word) in row for row in rows)
    if kind == "nature":
        old, new = (
            {(x.row, x.home) for x in named(w, lang)} for w in (mention.text, word)
        )
        return any(row.startswith(LAND) for row, _ in old & new)
    if kind == "reached":
        pack = pack_of(lang)
        row = pack.lexicon().rows[pack.behind_article(f"{of} ".replace("_", " "))]
        return any(lexeme.name == word for lexeme in row)
    if kind == "amount":
        old, new = value(mention.text, lang), value(word, lang)
        return old != new and 0.4 < new / old < 2.6
    if kind == "sex":
        return nicknames(lang).gender[word] == of
    if kind == "in":
        return of.replace("_", " ") in homes(word, lang)
    if kind in FOUND:
        found = FOUND[kind](word, mention, lang)
        return any(of.replace("_", " ") in f.keys for f in found)
    return kind in TOGETHER or KINDS[kind](word, of or lang)


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
            groups = {
                g: word for g, word in match.groupdict().items() if word is not None
            }
            for group, word in groups.items():
                known = is_of_kind(group, word, row["lang"], mentions[0])
                assert known, (group, new, row)
            for kind, of in TOGETHER.items():
                same = [
                    word for g, word in groups.items() if g.rstrip("0123456789") == kind
                ]
                common = [of(word, row["lang"]) for word in same]
                assert not common or set.intersection(*common), (kind, new, row)
