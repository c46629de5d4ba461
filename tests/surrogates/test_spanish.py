"""Spanish surrogates as a native reader sees them: relations, not fixed words."""

from spacy_deid.lang.base import pack_of


def test_every_term_is_read():
    lexicon = pack_of("es").lexicon()
    for row in pack_of("es").rows("terms"):
        kind = [f"term:{row['subtype']}:"]
        for word in row["words"].split(","):
            for ending in row["endings"].split():
                form = word + ending.strip("-")
                rows = [f.lexeme.row for f in lexicon.in_row(form, kind)]
                others = (lexeme for name in rows for lexeme in lexicon.rows[name])
                assert {x for other in others for x in other.forms.values()} - {form}


def test_town_province_code_and_licence_fit(replace_in, key):
    fields = ".\nProvincia: Madrid.\nCP: "
    rows = [
        ("Torrelodones", "LOC", "", 0, "Localidad: ", fields),
        ("Madrid", "LOC", "", 1, "Provincia: ", ".\nCP: 28250"),
        ("28250", "LOC", "POSTCODE", 2, "Localidad: Torrelodones. CP: ", ""),
        ("28 28 33273", "CODE", "", 3, "NºCol: ", ""),
        ("Getafe", "LOC", "", 4, "", ""),
    ]
    town, province, code, licence, other = replace_in("es", rows, key)
    pack = pack_of("es")
    new = next(p for p in pack.divisions if province in p.names)
    assert town in new.towns or pack.postcodes[town].startswith(new.code)
    assert code.startswith(new.code) and licence.startswith(f"{new.code} {new.code} ")
    assert pack.postcodes[other].startswith(new.code)


def test_the_capital_stands_for_the_capital_and_the_region_follows(replace_in, key):
    rows = [(x, "LOC", "", i) for i, x in enumerate(["Sevilla", "Jaén", "Andalucía"])]
    *towns, region = replace_in("es", rows, key)
    found = {p.capital[0]: p.region for p in pack_of("es").divisions}
    assert [found[town] for town in towns] == [region, region]
