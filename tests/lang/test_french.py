"""French surrogates as a native reader sees them: relations, not fixed words."""

import re

import pytest

from spacy_deid.gazetteers.names import lists
from spacy_deid.lang.base import pack_of
from spacy_deid.text.calendars import MONTHS
from spacy_deid.text.dates import read_date

from .marked import read, rewritten

KEYS = ["the first of the keys", "the second of the keys", "the third of the keys"]
VOWEL = "[AEIOUYÀÂÉÈÊËÎÏÔŒH]"
MONTH = "|".join(MONTHS["fr"][0].split())


@pytest.fixture(params=KEYS)
def rewrite(request):
    return lambda marked, pattern: read(rewritten("fr", marked, request.param), pattern)


def test_persons_keep_their_gender_and_their_family(rewrite):
    match = rewrite(
        "M. [Jean-Pierre Lefèvre|PERSON] et sa sœur [Hélène|PERSON] ont écrit ; "
        "Mme [Lefèvre|PERSON] attend.",
        r"M\. ([\w-]+) (\w+) et sa sœur ([\w-]+) ont écrit ; Mme (\w+) attend\.",
    )
    man, family, woman, again = match.groups()
    assert family == again != "Lefèvre"
    assert set(man.split("-")) <= set(lists("fr").male)
    assert woman in lists("fr").female


def test_elided_words_stand_before_vowels(rewrite):
    match = rewrite(
        "L'équipe d'[Isabelle Garnier|PERSON] vient d'[Orléans|LOC], celle de "
        "[Paul Morin|PERSON] de [Lyon|LOC]. Il souffre d'[asthme|DEM|DISEASE].",
        r"L'équipe d'(\S+) \S+ vient d'(\S+), celle de (\S+) \S+ de (.+)\. "
        r"Il souffre d'(\w+)\.",
    )
    for word in match.group(1, 2, 5):
        assert re.match(VOWEL, word.upper()), match
    for word in match.group(3, 4):
        assert not re.match("[AEIOUÀÂÉÈÊËÎÏÔŒ]", word), match


def test_towns_keep_the_article_that_is_written_together(rewrite):
    match = rewrite(
        "Elle va au [Havre|LOC], puis à [Nantes|LOC].",
        r"Elle va au ([\w-]+), puis à (.+)\.",
    )
    towns = pack_of("fr").postcodes
    assert f"Le {match[1]}" in towns and match[2] in towns
    assert not match[2].startswith(("Le ", "Les "))


def test_dates_move_and_stay_dates(rewrite):
    match = rewrite(
        "Né le [12 mars 1961|DATETIME], vu le [1er avril 2024|DATETIME], "
        "opéré le [11/4/2024|DATETIME] puis en [mai 2024|DATETIME].",
        rf"Né le (\d+(?:er)? (?:{MONTH}) \d{{4}}), vu le (\d+(?:er)? (?:{MONTH}) \d{{4}}),"
        rf" opéré le (\d+/\d+/\d{{4}}) puis en (?:{MONTH}) (\d{{4}})\.",
    )
    born, seen, operated = (
        read_date(text, day_first=True) for text in match.groups()[:3]
    )
    assert (born.year, born.month, born.day) != (1961, 3, 12)
    assert seen < operated and 58 <= seen.year - born.year <= 66
    # Only the first day of a month has an ending.
    assert ("er" in match[2]) == (seen.day == 1)


def test_countries_take_their_small_words_and_their_people_with_them(rewrite):
    match = rewrite(
        "Venue du [Sénégal|LOC|COUNTRY], elle vit en [Italie|LOC|COUNTRY], son frère aux "
        "[États-Unis|LOC|COUNTRY] ; une patiente [italienne|DEM|NATIONALITY] et des "
        "[Sénégalais|DEM|NATIONALITY] la connaissent.",
        r"Venue du (.+), elle vit en (.+), son frère aux (.+) ; une patiente (.+) et des "
        r"(.+) la connaissent\.",
    )
    countries = pack_of("fr").lexicon().countries
    rows = [countries[name].row[-1] for name in match.group(1, 2, 3)]
    assert rows == ["m", "v", "p"]
    at_home = pack_of("fr").lexicon().at_home
    assert at_home("adj", match[2])[0].forms["f"] == match[4]
    assert at_home("adj", match[1])[0].forms["ms"] == match[5].lower()


def test_occupations_agree(rewrite):
    match = rewrite(
        "Sa mère est [infirmière|DEM|OCCUPATION], son père [boulanger|DEM|OCCUPATION], ses "
        "filles sont [avocates|DEM|OCCUPATION].",
        r"Sa mère est (\w+), son père (\w+), ses filles sont (\w+)\.",
    )
    assert match[1].endswith("ère") and match[2].endswith("er")
    assert match[3].endswith("es") and match[3] != "avocates"


def test_organisations_keep_what_they_are(rewrite):
    match = rewrite(
        "Admis au [CHU de Grenoble|ORG], il travaille chez [Bâtipro SARL|ORG] ; le "
        "[Tribunal judiciaire de Bordeaux|ORG] siège à [Bordeaux|LOC].",
        r"Admis au CHU de (.+), il travaille chez (.+) SARL ; le Tribunal judiciaire de "
        r"(.+) siège à (.+)\.",
    )
    pack = pack_of("fr")
    assert match[1] in pack.postcodes and match[2] in pack.companies
    assert match[3] == match[4] in pack.postcodes


@pytest.mark.parametrize(
    "street, kind",
    [
        ("rue de l'Église", "de l'"),
        ("rue d'Alsace", "d'"),
        ("place du Marché", "du"),
        ("avenue de la Gare", "de la"),
    ],
)
def test_streets_keep_their_small_words(rewrite, street, kind):
    start = street.rpartition(kind)[0] + kind
    match = rewrite(
        f"Elle habite [4 {street}, 67000 Strasbourg|LOC|ADDRESS].",
        rf"Elle habite \d+ {start} ?(.+), \d{{5}} .+\.",
    )
    assert match[1] in pack_of("fr").streets_after[kind]
    assert not street.endswith(match[1])


def test_addresses_and_telephones(rewrite):
    match = rewrite(
        "Il habite [12 bis, rue des Lilas, 69003 Lyon|LOC|ADDRESS], tél. "
        "[06 12 34 56 78|CODE|PHONE].",
        r"Il habite \d+ bis, rue des (\w+), (\d\d)\d{3} (.+), tél\. (06 39 98 \d\d \d\d)\.",
    )
    assert match[1] in pack_of("fr").streets_after["des"] and match[1] != "Lilas"
    assert pack_of("fr").postcodes[match[3]] == match[2]


@pytest.mark.parametrize(
    "marked, new",
    [
        ("Admis à l'[Hôpital Saint-Louis|ORG].", "Admis à l'hôpital."),
        ("Sortie du [CHU de Grenoble|ORG].", "Sortie du centre de soins."),
        ("Avocat de [Lyon|LOC].", "Avocat de cette ville en France."),
        ("Né le [3 mai 1961|DATETIME].", "Né le XX/XX/1961."),
        ("De nationalité [sénégalaise|DEM].", "De nationalité africaine."),
        ("Âgé de [62 ans|DATETIME|AGE].", "Âgé de 60 ans ou plus."),
    ],
)
def test_generalized(marked, new):
    assert rewritten("fr", marked, KEYS[0], "spacy_deid.generalize.v1") == new


def test_the_table_of_towns():
    towns = pack_of("fr").postcodes
    assert len(towns) >= 60 and all(re.fullmatch(r"\d\d", c) for c in towns.values())
    assert list(towns) == list(dict.fromkeys(towns))


def test_hours_stay_hours(rewrite):
    match = rewrite("Audience à [9h00|DATETIME].", r"Audience à (\d?\d)h(\d\d)\.")
    assert int(match[1]) < 24 and int(match[2]) < 60


def test_ages_fit_births(rewrite):
    match = rewrite(
        "Née le [14/08/1958|DATETIME]. La patiente, âgée de [65 ans|DEM|AGE], admise le "
        "[2 mai 2024|DATETIME].",
        rf"Née le (\S+)\. La patiente, âgée de (\d+) ans, admise le (\d\S* (?:{MONTH}) \d{{4}})\.",
    )
    born, then = (read_date(match[i], day_first=True) for i in (1, 3))
    before = (then.month, then.day) < (born.month, born.day)
    assert then.year - born.year - before == int(match[2])
