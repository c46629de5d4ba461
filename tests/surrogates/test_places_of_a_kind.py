"""Rivers stay rivers, villages in their country, and organisations what they are."""

import re
from functools import cache

import pytest
import spacy

from spacy_deid.lang.base import LAND, pack_of
from spacy_deid.surrogates.sweep.spellings import kind_words


@cache
def pipeline(lang):
    nlp = spacy.blank(lang)
    nlp.add_pipe("pseudonymizer").set_key(b"of a test")
    return nlp


def run_in(lang, text, *spans):
    """The new text of one with these spans, in the order of the text."""
    doc, end, found = pipeline(lang).make_doc(text), 0, []
    for part, label in spans:
        start = text.index(part, end)
        end = start + len(part)
        found.append(doc.char_span(start, end, label, alignment_mode="expand"))
    doc.spans["pii"] = found
    return pipeline(lang)(doc)._.deid_text


def row_of(lang, name):
    found = pack_of(lang).lexicon().in_row(name, (LAND,))
    return [(f.lexeme.row, f.lexeme.home) for f in found]


@pytest.mark.parametrize(
    "lang, text, name",
    [
        ("de", "Das Haus steht an der Trave.", "Trave"),
        ("de", "Wir wandern am Säntis.", "Säntis"),
        ("de", "Sie kommt aus dem Toggenburg.", "Toggenburg"),
        ("de", "Im Sommer waren wir am Wörthersee.", "Wörthersee"),
        ("es", "Fuimos a la Sierra de Gredos.", "Sierra de Gredos"),
        ("fr", "Il pêche dans la Vézère.", "Vézère"),
        ("it", "Abita sul Lago d'Iseo.", "Lago d'Iseo"),
        ("ru", "Они живут на Вычегде.", "Вычегде"),
    ],
)
def test_what_nature_has_stays_of_its_kind(lang, text, name):
    new = run_in(lang, text, (name, "LOC"))
    before, after = text.split(name)
    made = new.removeprefix(before).removesuffix(after)
    assert made != name
    assert set(row_of(lang, name)) & set(row_of(lang, made))


@pytest.mark.parametrize(
    "text, name, ending",
    [
        ("Kolonie am Wiesentalkanal.", "Wiesentalkanal", "kanal"),
        ("Begraben auf dem Grünhagfriedhof.", "Grünhagfriedhof", "friedhof"),
        ("Er stand auf dem Zackengletscher.", "Zackengletscher", "gletscher"),
    ],
)
def test_what_is_in_no_list_is_told_by_its_end(text, name, ending):
    new = run_in("de", text, (name, "LOC"))
    assert name not in new
    assert new.lower().endswith(f"{ending}.")


@pytest.mark.parametrize(
    "town, village, country",
    [("Herisau", "Krinau", "Schweiz"), ("Telfs", "Wenns", "Österreich")],
)
def test_villages_stay_in_the_country_of_the_document(town, village, country):
    text = f"Aus {town}, jetzt in {village}."
    new = run_in("de", text, (town, "LOC"), (village, "LOC"))
    made = re.fullmatch(r"Aus (.+), jetzt in (.+)\.", new)
    for name in made.groups():
        homes = {f.lexeme.home for f in pack_of("de").lexicon().in_row(name, ("city",))}
        assert country in homes


@pytest.mark.parametrize(
    "name, kind",
    [
        ("Kreisjugendamt Mayen-Koblenz", "Kreisjugendamt "),
        ("Pferdeklinik Mühlengrund", "Pferdeklinik "),
        ("Polizeistation Tellingstedt", "Polizeistation "),
        ("Grundschule am Klintberg", "Grundschule am "),
        ("KIRCHENCHOR ST. PANKRAZ", "KIRCHENCHOR ST. "),
        ("Jobcenter Ostprignitz-Ruppin", "Jobcenter "),
        ("Klinikum Nord", "Klinikum "),
        ("Gießerei Wasseralfingen GmbH", "Gießerei "),
    ],
)
def test_an_organisation_keeps_what_it_is(name, kind):
    new = run_in("de", f"Post vom {name}.", (name, "ORG"))
    rest = new.removeprefix("Post vom ").removesuffix(".")
    assert rest.startswith(kind)
    old = set(re.findall(r"\w{4,}", name.removeprefix(kind)))
    assert not old & set(re.findall(r"\w{4,}", rest)) - {"GmbH"}


def test_legal_forms_are_not_cut():
    for name, form in (
        ("Nordlicht Versicherung a. G.", " a. G."),
        ("KGV Abendsonne e. V.", " e. V."),
    ):
        assert form in run_in("de", f"Die {name} schreibt.", (name, "ORG"))


def test_a_part_of_a_town_and_a_hyphenated_name_leave_nothing():
    assert "Ottensen" not in run_in(
        "de", "Er wohnt in Hamburg-Ottensen.", ("Hamburg-Ottensen", "LOC")
    )
    assert "Trebeltal" not in run_in(
        "de", "Vom Amt Recknitz-Trebeltal.", ("Amt Recknitz-Trebeltal", "ORG")
    )


def test_addresses_in_small_letters_leave_no_town():
    text = "wohnt in der hofstatt 3 91550 dinkelsbühl"
    new = run_in("de", text, ("hofstatt 3 91550 dinkelsbühl", "LOC"))
    assert new.islower()
    assert "dinkelsbühl" not in new and "hofstatt" not in new


def test_a_street_alone_is_no_town():
    new = run_in("de", "Adresse: Birkhalde 3", ("Birkhalde 3", "LOC"))
    name = re.fullmatch(r"Adresse: (.+) \d+", new)[1]
    assert not pack_of("de").lexicon().in_row(name, ("city",))


def test_what_a_firm_made_up_is_no_kind():
    assert kind_words("Kreisjugendamt Mayen", "de") == {"Kreisjugendamt"}
    assert "Talwerk" not in kind_words("Talwerk GmbH", "de")


@pytest.mark.parametrize("lang", ["de", "es", "fr", "it", "ru"])
def test_rows_have_others_of_their_kind(lang):
    for row, names in pack_of(lang).lexicon().rows.items():
        if row.startswith(LAND):
            assert len({name.name for name in names}) > 3, row


@pytest.mark.parametrize(
    "lang, name, label, gone",
    [
        ("ru", "д. Пышки 14А", "LOC", "Пышки"),
        ("ru", "пос. Рудник", "LOC", "Рудник"),
        ("fr", "près de Brou, la Fontaine", "LOC", "Brou"),
        ("es", "Talleres Peña García", "ORG", "Peña"),
        ("de", "zwischen Rain und Bogen", "LOC", "Rain"),
        ("de", "Spedition Stock Linz", "ORG", "Stock"),
        ("de", "Schütte Hansen GmbH", "ORG", "Schütte"),
        ("de", "Rosenblatt Huber GmbH", "ORG", "Rosenblatt"),
        ("de", "Cooper Velten Spedition", "ORG", "Cooper"),
        ("de", "Hübnertechnik Dresden GmbH", "ORG", "Hübner"),
        ("de", "Zubrinskilogistik Linz GmbH", "ORG", "Zubrinski"),
        ("de", "Theresienspital Graz", "ORG", "Theresien"),
    ],
)
def test_no_name_stays_for_what_it_is_spelt_like(lang, name, label, gone):
    new = run_in(lang, f"A {name}, 1.", (name, label))
    assert gone not in new


@pytest.mark.parametrize("word", ["Kreisjugendamt", "Kantonsspital", "Grundschule"])
def test_compounds_of_the_vocabulary_say_what_an_organisation_is(word):
    assert pack_of("de").is_kind(word)
