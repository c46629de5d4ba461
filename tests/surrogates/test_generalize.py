import math
import pickle
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spacy_deid.registries import registry
from spacy_deid.schema import SEMANTIC_TYPES
from spacy_deid.surrogates.base import Mention, starts_with_vowel_sound
from spacy_deid.surrogates.consistency import make_random_for
from spacy_deid.surrogates.strategies.base import Context, get_strategy, has_content
from spacy_deid.surrogates.strategies.generalize import Generalize
from spacy_deid.surrogates.strategies.phrases import rounded
from spacy_deid.surrogates.world import read_place, world
from spacy_deid.text.dates import years_in
from spacy_deid.text.numbers import in_figures, read_figure, read_numbers
from spacy_deid.text.subdivisions import subdivisions

MARKED = re.compile(r"\[\[(.*?)\]\]")


def context(originals, lang="en"):
    patterns = [
        re.compile(rf"(?<!\w){re.escape(t)}(?!\w)", re.I)
        for t in originals
        if t.strip()
    ]

    def forbidden(text):
        return any(p.search(text) for p in patterns)

    return Context(make_random_for(b"k"), forbidden, None, "***", "d", "document", lang)


def generalized(marked, lang="en", strategy=None):
    """A text with [[text|TYPE]] or [[text|TYPE|SUBTYPE]] in it, generalized."""
    plain, spans = "", []
    for i, part in enumerate(MARKED.split(marked)):
        if i % 2:
            text, label, subtype = [*part.split("|"), ""][:3]
            spans.append((len(plain), text, label, subtype))
            plain += text
        else:
            plain += part
    entities = {}
    mentions = [
        Mention(
            text,
            label,
            subtype,
            entities.setdefault(text, len(entities)),
            plain[max(0, start - 30) : start],
            plain[start + len(text) : start + len(text) + 30],
        )
        for start, text, label, subtype in spans
    ]
    strategy = strategy or get_strategy("generalize")
    new = strategy(mentions, context([m.text for m in mentions], lang))
    out, position = "", 0
    for (start, text, *_), surrogate in zip(spans, new):
        out += plain[position:start] + surrogate
        position = start + len(text)
    return out + plain[position:]


ENGLISH = [
    ("She lives in [[Oslo|LOC|CITY]].", "She lives in a city in Norway."),
    ("[[Oslo|LOC]] is cold.", "A city in Norway is cold."),
    ("The [[Oslo|LOC]] office closed.", "The Norwegian office closed."),
    ("[[Munich|LOC]]'s streets", "A German city's streets"),
    ("in [[Utrecht|LOC]]", "in a city in the Netherlands"),
    ("from [[Norway|LOC|COUNTRY]]", "from a European country"),
    ("in the [[UK|LOC|COUNTRY]] then", "in the European country then"),
    ("in [[Bergen, Norway|LOC]]", "in a city in Norway"),
    ("near [[Lake Geneva|LOC]]", "near a lake"),
    ("at [[Heathrow Airport|LOC]]", "at an airport"),
    ("in [[Qwertyville|LOC]]", "in a place"),
    ("at [[10 Downing Street, London|LOC|ADDRESS]]", "at an address in London"),
    ("Home: [[Storgata 5, 0155 Oslo|LOC|ADDRESS]]", "Home: Oslo"),
    ("at [[12 London Road, Zzyzx|LOC|ADDRESS]]", "at an address"),
    ("born on [[6 January 2022|DATETIME|DATE]].", "born on a day in 2022."),
    ("in [[January 2022|DATETIME]]", "in 2022"),
    ("since [[6/1/2022|DATETIME]]", "since 2022"),
    ("[[2022-01-06|DATETIME]]: seen", "2022: seen"),
    ("born [[6 January 1970|DATETIME]]", "born in 1970"),
    ("On the [[6th of January 2022|DATETIME]] he", "On the day in 2022 he"),
    ("the [[12 March 1990|DATETIME]] hearing", "the 1990 hearing"),
    ("in [[2022|DATETIME|YEAR]]", "in the 2020s"),
    ("the [[1990s|DATETIME]]", "the 20th century"),
    ("on [[6 May|DATETIME]]", "on a day in May"),
    ("On [[Monday|DATETIME]]", "On a weekday"),
    ("last [[Sunday|DATETIME]]", "last day of the weekend"),
    ("at [[14:30|DATETIME|TIME]]", "at some time in the afternoon"),
    ("for [[three weeks|DATETIME|DURATION]]", "for a few weeks"),
    ("a [[two-year|DATETIME|DURATION]] term", "a multi-year term"),
    ("She is [[43 years|DEM|AGE]].", "She is in their forties."),
    ("He is [[43 years|DEM|AGE]] old.", "He is 40 to 49 years old."),
    ("[[43 years old|DEM|AGE]], he", "In their forties, he"),
    ("aged [[43|DEM|AGE]],", "aged 40 to 49,"),
    ("A [[43-year-old|DEM|AGE]] man", "A middle-aged man"),
    ("An [[80-year-old|DEM|AGE]] man", "An elderly man"),
    ("She is [[97 years|DEM|AGE]].", "She is over ninety."),
    ("at the [[Royal Free Hospital|ORG]]", "at the hospital"),
    ("for [[Baker McKenzie LLP|ORG]]", "for a law firm"),
    ("[[University of Oxford|ORG]] said", "A university said"),
    ("for [[Siemens AG|ORG]]", "for a company"),
    ("by [[WBA|ORG]]", "by an organisation"),
    ("[[Mrs Murray|PERSON]] left.", "A woman left."),
    ("[[Robert Murray|PERSON]]'s wife", "A man's wife"),
    ("with [[Qwzx|PERSON]].", "with a person."),
    ("Dr. [[Qwzx|PERSON]] left", "Dr. N. N. left"),
    ("The [[Smith|PERSON]]s came", "The persons came"),
    ("[[Ann and Bob Lee|PERSON]] left", "Two people left"),
    ("write to [[a@b.com|CODE|EMAIL]]", "write to an e-mail address"),
    ("call [[+44 20 7946 0000|CODE]]", "call a telephone number"),
    ("application no. [[28045/02|CODE]]", "application no. withheld"),
    ("the card [[4111 1111 1111 1111|CODE]]", "the card a card number"),
    ("paid [[£4,684.40|QUANTITY|MONEY]]", "paid about £5,000"),
    ("paid [[30 000 euros|QUANTITY|MONEY]]", "paid tens of thousands of euros"),
    ("[[3.5 million dollars|QUANTITY|MONEY]]", "About 4 million dollars"),
    ("[[43%|QUANTITY|PERCENT]] of them", "Less than half of them"),
    ("weighs [[82 kg|QUANTITY|MEASURE]]", "weighs about 80 kg"),
    ("had [[three|QUANTITY]] children", "had a few children"),
    ("the [[three|QUANTITY]] children", "the few children"),
    ("the [[third|QUANTITY]] time", "the particular time"),
    ("a [[Norwegian|DEM|NATIONALITY]] citizen", "a European citizen"),
    ("an [[Austrian|DEM]] [[lawyer|DEM]]", "an overseas legal professional"),
    ("a [[British national|DEM]]", "a European national"),
    ("she has [[asthma|DEM|DISEASE]]", "she has a lung disease"),
    ("the [[Vietnam War|MISC]]", "the war"),
    ("the [[ninth of September|DATETIME]]", "the second half of the year"),
    ("v1.2 [[12 Jan 2023|DATETIME]]", "v1.2 2023"),
    ("CASE OF [[MURRAY|PERSON]] V. TURKEY", "CASE OF A PERSON V. TURKEY"),
]


@pytest.mark.parametrize("marked, expected", ENGLISH)
def test_english(marked, expected):
    assert generalized(marked) == expected


@pytest.mark.parametrize(
    "marked, expected",
    [
        ("in [[Moscow, Idaho|LOC]]", "in a city in the United States"),
        ("in [[Waterloo, ON|LOC]]", "in a city in Canada"),
        ("in [[Naples, Fla.|LOC]]", "in a city in the United States"),
        ("in [[Perth (Scotland)|LOC]]", "in a city in the United Kingdom"),
        ("in [[Qwzxy, Nevada|LOC]]", "in a city in the United States"),
        ("in [[Tbilisi, Georgia|LOC]]", "in a city in Georgia"),
        ("in [[Atlanta, Georgia|LOC]]", "in a city in the United States"),
        # Nobody knows which of the two.
        ("in [[Qwzxy, Georgia|LOC]]", "in a city"),
        ("in [[Berlin, Qwzxy|LOC]]", "in a city"),
        # No town of the one in the other.
        ("in [[Morocco, Ecuador|LOC]]", "in an African country"),
        ("in [[Lebanon, Ohio|LOC]]", "in a city in the United States"),
        ("in [[Athens|LOC]], Ohio", "in a city in the United States, Ohio"),
        (
            "[[Athens|LOC]], Ohio. Near [[Athens|LOC]] he",
            "A city in the United States, Ohio. Near a city in the United States he",
        ),
        ("in [[Athens|LOC]], Ohio and Utah", "in a city, Ohio and Utah"),
        ("in [[Madrid|LOC]], Spain and Peru", "in a city in Spain, Spain and Peru"),
        (
            "at [[9 Elm St, Rome, NY 13440|LOC|ADDRESS]] in [[Rome|LOC]]",
            "at an address in the United States in a city in the United States",
        ),
    ],
)
def test_a_town_is_where_the_text_says(marked, expected):
    assert generalized(marked) == expected


@given(st.data())
def test_the_state_behind_a_town_tells_its_country(data):
    parts = subdivisions()
    town = data.draw(st.sampled_from(sorted(world().cities)))
    names = {n: c for n, c in parts.names.items() if n not in world().countries}
    names.update(parts.letters)
    part = data.draw(st.sampled_from(sorted(names)))
    mention = Mention(f"{town.title()}, {part}", "LOC", "", 0)
    assert read_place(mention).home.country == names[part]


@pytest.mark.parametrize(
    "marked, expected",
    [
        ("[[Oslo|LOC]] in [[Norway|LOC]]", "A European city in a European country"),
        # The year of a date is masked itself: its decade.
        (
            "in [[2022|DATETIME]], on [[6 January 2022|DATETIME]]",
            "in the 2020s, on a day in the 2020s",
        ),
        ("at [[1 Main St, London|LOC|ADDRESS]] in [[London|LOC]]", None),
        ("paid [[4,684|QUANTITY]] and [[5,000|QUANTITY]]", None),
    ],
)
def test_no_original_is_left_in_a_generalization(marked, expected):
    out = generalized(marked)
    for part in MARKED.findall(marked):
        text = part.split("|")[0]
        assert not re.search(rf"(?<!\w){re.escape(text)}(?!\w)", out)
    assert expected is None or out == expected


@pytest.mark.parametrize(
    "lang, marked, expected",
    [
        ("de", "in [[Oslo|LOC]]", "in einer Stadt in Norwegen"),
        ("de", "bei [[Anna Schmidt|PERSON]]", "bei einer Frau"),
        ("de", "geboren am [[6. Januar 1980|DATETIME]]", None),
        ("de", "im [[März 2020|DATETIME]]", "im Jahr 2020"),
        ("de", "seit [[1999|DATETIME]]", "seit den 1990er Jahren"),
        ("de", "[[43 Jahre|DEM|AGE]] alt", "etwa 40 Jahre alt"),
        ("de", "der [[43-jährige|DEM|AGE]] Mann", "der erwachsene Mann"),
        ("de", "die [[Bolt GmbH|ORG]]", "die Firma"),
        ("de", "[[4.684 Euro|QUANTITY|MONEY]] gezahlt", "etwa 5.000 Euro gezahlt"),
        ("es", "en [[Madrid|LOC]]", "en una ciudad de España"),
        ("es", "nació el [[6 de enero de 1980|DATETIME]]", "nació el año 1980"),
        ("es", "[[Pedro García|PERSON]] vive", "Un hombre vive"),
        ("es", "el [[Hospital General|ORG]]", "el hospital"),
        ("ru", "с [[Петром|PERSON]]", "с мужчиной"),
        ("ru", "родилась [[6 января 1980|DATETIME]]", "родилась в 1980 году"),
        ("ru", "в [[ООО Ромашка|ORG]]", "в компании"),
        # The article before decides which noun stands there.
        ("de", "im [[Marienhospital|ORG]]", "im Krankenhaus"),
        ("de", "der [[Polizei|ORG]]", "der Behörde"),
        ("de", "der [[Sportverband|ORG]]", "der Verein"),
        ("de", "des [[Landgerichts|ORG]]", "des Gerichts"),
        ("de", "in den [[USA|LOC]]", "in den Gebieten"),
        ("de", "aus [[Lyon|LOC]], [[Bern|LOC]]", None),
        ("de", "die [[polnische|DEM|NATIONALITY]] Ärztin", "die europäische Ärztin"),
        ("de", "sein [[Bruder|DEM|FAMILY]]", "sein Angehöriger"),
        ("de", "ist [[Bäcker|DEM|OCCUPATION]]", "ist Fachkraft"),
        ("de", "als [[Ärztin|DEM|OCCUPATION]]", "als Fachkraft im Gesundheitswesen"),
        ("de", "Frau [[Weber|PERSON]]", "Frau N. N."),
        ("de", "hat [[Asthma|DEM|DISEASE]]", "hat eine Erkrankung"),
        ("es", "en [[Bogotá|LOC]]", "en una ciudad de Colombia"),
        ("es", "en [[La Haya|LOC]]", "en una ciudad de los Países Bajos"),
        ("es", "la [[Clínica Rosaleda|ORG]]", "la clínica"),
        ("es", "del [[Banco Azul|ORG]]", "del banco"),
        ("es", "es [[maestro|DEM|OCCUPATION]]", "es docente"),
        ("es", "un pintor [[francés|DEM|NATIONALITY]]", "un pintor europeo"),
        ("es", "tiene [[asma|DEM|DISEASE]]", "tiene una enfermedad"),
        ("es", "Sra. [[Pérez|PERSON]]", "Sra. N. N."),
        ("ru", "из [[Лиона|LOC]]", "из города во Франции"),
        ("ru", "в [[Прагу|LOC]]", "в город в Чехии"),
        ("ru", "к [[Ольге Смит|PERSON]]", "к женщине"),
        ("ru", "[[Ольге Смит|PERSON]] сказали", "Женщине сказали"),
        ("ru", "письмо [[Ивана Седова|PERSON]]", "письмо человека"),
        ("ru", "был [[хирургом|DEM|OCCUPATION]]", "был медиком"),
        ("ru", "[[польского|DEM|NATIONALITY]] врача", None),
        ("ru", "дом: [[ул. Мира, д. 3, Казань|LOC|ADDRESS]]", "дом: Казань"),
        ("ru", "о [[Банке Восток|ORG]]", "о банке"),
        ("ru", "в [[10 Elm Street, London|LOC|ADDRESS]]", "в London"),
        # A street is no town that it is called after.
        ("es", "en [[C/ Santo Domingo, n.º 13|LOC|ADDRESS]]", "en una dirección"),
        ("es", "es [[viuda|DEM|FAMILY]]", "es de cierto estado civil"),
        ("es", "una [[enfermera|DEM|OCCUPATION]]", "una profesional sanitaria"),
        ("es", "pagó [[$9,400.00|QUANTITY|MONEY]]", "pagó unos $9.000"),
        ("es", "[[71|DEM|AGE]]", "De unos 70 años largos"),
        ("de", "[[23|DEM|AGE]]", "In den Zwanzigern"),
    ],
)
def test_other_languages(lang, marked, expected):
    out = generalized(marked, lang)
    if expected is None:
        assert out in (
            "geboren am besagten Tag des Jahres 1980",
            "aus einer Stadt in Frankreich, einer Stadt in der Schweiz",
            "европейского врача",
        )
    else:
        assert out == expected
    # The setting overrides the language of the document.
    assert generalized(marked, "en", Generalize(lang)) == out


def test_registered():
    strategy = registry.get("deid_strategies", "spacy_deid.generalize.v1")("de")
    assert strategy == Generalize("de") == pickle.loads(pickle.dumps(strategy))
    assert registry.resolve({"s": strategy.config()})["s"] == strategy
    assert strategy.epsilon(None) == math.inf
    assert generalized("with [[Anna|PERSON]]", "nl") == "with a woman"


WORDS = st.one_of(
    st.sampled_from(
        "Oslo Norway 2022 January 6 43 years the London UK Street 10 £ % a an first Mr "
        "Murray Ltd of Hospital war Austrian lawyer million 3.5 @ -- ½ ٣ 0 1e9".split()
    ),
    st.text(max_size=4),
)


@settings(max_examples=120, deadline=None)
@given(
    words=st.lists(WORDS, max_size=6),
    label=st.sampled_from([*SEMANTIC_TYPES, "WHATEVER"]),
    before=st.sampled_from(["", "the ", "an ", "on ", "in ", "He said. ", "Dr. "]),
    after=st.sampled_from(["", " office", "'s", "s came", ", then"]),
    lang=st.sampled_from(["en", "de", "es", "ru", "xx"]),
)
def test_any_mention(words, label, before, after, lang):
    text = " ".join(words)
    mention = Mention(text, label, "", 0, before, after)
    (new,) = get_strategy("generalize")([mention], context([text], lang))
    assert new
    # "*" tells nothing, and is a part of the mark of `redact`.
    told = has_content(text) and re.search(rf"(?<!\w){re.escape(text)}(?!\w)", new)
    assert not told
    if lang == "en" and before:
        assert not re.match(r"(?:a|an|the) ", new) or before not in ("the ", "an ")


def test_articles_agree():
    for marked, expected in ENGLISH:
        for article, noun in re.findall(r"\b(an?) (\w+)", expected):
            assert (article == "an") == starts_with_vowel_sound(noun), marked


def test_figures():
    assert read_figure("4,684.40") == read_figure("4.684,40") == 4684.4
    assert read_figure("30 000") == 30000 and read_figure("3.5") == 3.5
    assert read_figure("1.234.567") == 1234567
    assert read_numbers("3.5 million and twenty-three") == [3.5e6, 23]
    assert [rounded(v) for v in (4684, 0.023, 0, 95)] == [5000, 0.02, 0, 100]
    assert in_figures(5000) == "5,000" and in_figures(0.02) == "0.02"
    assert years_in("6/1/99, 20220106 and 1887") == [1887, 1999, 2022]
