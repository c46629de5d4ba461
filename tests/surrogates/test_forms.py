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
from spacy_deid.gazetteers import names
from spacy_deid.lang.base import LAND, pack_of
from spacy_deid.lang.es.persons import DEVOTIONS
from spacy_deid.lang.ru.name_lists import GRAMMAR, NAMES, WORDS, given_names
from spacy_deid.lang.ru.patronymics import patronymic
from spacy_deid.surrogates import term_rows
from spacy_deid.surrogates.base import MONTHS
from spacy_deid.surrogates.geography import saints_like
from spacy_deid.surrogates.phones import areas_of
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

from ..cases import cases
from .marked import in_language, table_of

KEYS = [b"1", b"2", b"3", b"4"]
ROWS = defaultdict(list)
for path in sorted(Path(__file__).with_name("forms").glob("*.tsv")):
    for row in table_of(path):
        ROWS[f"{path.stem}: {row['about']}"].append(row)

VAGUE = word_lists("lang/en/vague")
MACROS = dict(cases(__file__, "macros"))
MACROS["{month}"] = f"(?:{'|'.join(MONTHS)})"


def in_row(word, lang, kind):
    """Forms of words that a lexicon has in some rows."""
    kinds = (kind,) if isinstance(kind, str) else kind
    return pack_of(lang).lexicon().in_row(word, kinds)


# Words for things that have no name.
THINGS = [row["words"].split(",") for row in table("lang/en/objects")]


@cache
def folded(lang, part):
    """Names of a list without their marks, and given names that have short forms."""
    return {
        *map(fold, getattr(names.lists(lang), part)),
        *map(fold, names.nicknames(lang).full),
    }


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


def given(lang):
    """Given names that are drawn in a language."""
    return {*names.lists(lang).male, *names.lists(lang).female}


def role(word):
    """What part of a Russian name a word is."""
    if patronymic(word):
        return "patronymic"
    return "given" if given_names().in_row(word, ("m", "f")) else "family"


def near(people):
    """Peoples whose surnames theirs may have."""
    groups = (group.split() for group in GRAMMAR["near"])
    return next((group for group in groups if people in group), [people])


def siblings(lang, mention):
    """What has a row with a term, in any form."""
    if lang == "en":
        rows = term_rows.rows_by_subtype()[mention.subtype]
        forms = [
            of for row in rows for of in (row.terms, map(term_rows.plural, row.terms))
        ]
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


def is_country(word):
    return fold(word) in countries().by_name


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
        fold(name) for name in (word, *names.nicknames(lang).full.get(fold(word), ()))
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
    "female": lambda word, lang: word in names.lists(lang).female,
    "notfemale": lambda word, lang: word not in names.lists(lang).female,
    "male": lambda word, lang: word in names.lists(lang).male,
    "family": lambda word, lang: word in names.lists(lang).family,
    "m": lambda word, lang: fold(word) in folded(lang, "male"),
    "f": lambda word, lang: fold(word) in folded(lang, "female"),
    "s": lambda word, lang: fold(word) in folded(lang, "family"),
    "ownmale": lambda word, lang: word in names.lists_of(names.LOCALES[lang][0]).male,
    "ownfemale": lambda word, lang: (
        word in names.lists_of(names.LOCALES[lang][0]).female
    ),
    "anyfemale": lambda word, lang: word in names.all_lists(lang).female,
    "anymale": lambda word, lang: word in names.all_lists(lang).male,
    # Surnames there are given names of fathers.
    "horn": lambda word, _: any(
        word in names.all_lists(of).male + names.all_lists(of).family
        for of in ("am", "so", "ti")
    ),
    "surname": lambda word, _: any(
        word in names.all_lists(key).family for key in names.LOCALES
    ),
    "village": lambda word, lang: any(
        lexeme.row.startswith(f"{LAND}village") for lexeme in named(word, lang)
    ),
    "given": names.is_given_name,
    "nogiven": lambda word, lang: not names.is_given_name(word, lang),
    "nodrawn": lambda word, lang: word not in given(lang),
    "called": lambda word, _: names.gender_bits(word),
    # Or what friends call those who have them.
    "bearer": lambda word, lang: (
        fold(word) in {*map(fold, {*given(lang), *names.nicknames(lang).short})}
    ),
    "woman": lambda word, _: names.gender_bits(word) & names.FEMALE_BIT,
    "man": lambda word, _: names.gender_bits(word) & names.MALE_BIT,
    "only": lambda word, lang: lang == "es" or word in names.lists(lang).family,
    "devotion": lambda word, _: any(word in row for row in DEVOTIONS.values()),
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
        word in NAMES[f"{of} family"] for of in near(people)
    ),
    "rugiven": lambda word, of: word in {*NAMES[f"{of} m"], *NAMES[f"{of} f"]},
    "role": lambda word, wanted: role(word) == wanted,
    "rum": lambda word, people: word in NAMES[f"{people} m"],
    "ruf": lambda word, people: word in NAMES[f"{people} f"],
    "rufamily": lambda word, people: (
        {word, word.removesuffix("а")} & {*NAMES[f"{people} family"]}
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
    "country": lambda word, _: is_country(word),
    "articled": lambda word, _: word in WITH_ARTICLE and is_country(word),
    "bare": lambda word, _: word not in WITH_ARTICLE and is_country(word),
    "countryform": lambda word, lang: any(
        word in x.forms.values() for x in pack_of(lang).lexicon().countries.values()
    ),
    "countryXf": lambda word, lang: in_row(word, lang, "country:f"),
    "countryXm": lambda word, lang: in_row(word, lang, "country:m"),
    "feast": lambda word, _: any(
        is_feast(word.replace("’", "'"), term=term) for term in (False, True)
    ),
    "neighbours": lambda text, _: (
        int.__sub__(*map(int, re.findall(r"\d+", text))) == -1
    ),
    "rising": lambda text, _: int.__le__(*map(int, re.findall(r"\d+", text)[:2])),
    "acronymed": is_acronymed,
    "area": has_area,
    "number": lambda word, _: read_words(word) is not None,
    "isbn": lambda word, _: isbn.is_valid(word),
    "nationality": lambda word, _: demonym(word),
    "language": lambda word, _: any(
        word in row.terms for row in term_rows.rows_by_subtype()["LANGUAGE"]
    ),
    "term": lambda word, _: term_rows.term_row(word.title()) or term_rows.is_term(word),
    "field": lambda word, kind: (
        re.sub("[ -]", "_", term_rows.row_of(word)[0].kind) == kind
    ),
    "sort": lambda word, subtype: term_rows.row_of(word)[0].subtype == subtype,
    "ailment": lambda word, _: (
        word in VAGUE["ailments"] or term_rows.row_of(word)[0].subtype == "DISEASE"
    ),
    "said": lambda word, label: in_row(word, "ru", f"term:{label}"),
    "anything": lambda word, _: any(
        {word, word.removesuffix("s")} & {*row} for row in THINGS
    ),
    "doing": lambda word, form: any(
        word == f"{row[form]} {row['rest']}" for row in table("lang/en/activities")
    ),
    "row": lambda word, term: word in term_rows.row_of(term.replace("_", "."))[0].terms,
    "beside": lambda word, thing: any({word, thing} <= {*row} for row in THINGS),
    "kindof": lambda word, kind: any(
        word.lower() in (name.lower(), f"{name.lower()}s")
        for name in kinds()[kind].names
    ),
    "code": lambda word, lang: word in entries(f"lang/{lang}/code_words"),
    "vague": lambda word, name: word in VAGUE[name],
    "thing": lambda word, _: any(word in row for row in THINGS),
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
        return names.nicknames(lang).gender[word] == of
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
            groups = [row for row in match.groupdict().items() if row[1] is not None]
            for group, word in groups:
                known = is_of_kind(group, word, row["lang"], mentions[0])
                assert known, (group, new, row)
            for kind, of in TOGETHER.items():
                same = [w for g, w in groups if g.rstrip("0123456789") == kind]
                common = [of(word, row["lang"]) for word in same]
                assert not common or set.intersection(*common), (kind, new, row)
