import re

from spacy_deid.patterns.base import Hit, Text
from spacy_deid.patterns.ids.labelled import Finder, Names, without_overlaps
from spacy_deid.patterns.ids.national_ids import make_national_id_patterns
from spacy_deid.patterns.tables import Kind, kinds, names_of, unknown_forms

from ..cases import cases

NAMES = Names(["badge_no", "seal", "SEA", "driver's_seal", "n.b."])


def test_next_to_and_near():
    for text, expected in cases(__file__, "next_to"):
        assert [
            [n.term, text[n.value :]] for n in NAMES.next_to(Text(text))
        ] == expected
    text = Text("The seal that he lost had 12345 on it.\n\nbadge no")
    start = text.index("12345")
    assert list(NAMES.near(text, start, start + 5)) == ["seal"]
    assert NAMES.any_near(text, start)
    far = Text("seal " + "x " * 50 + "12345" + " x" * 90 + " seal")
    start = far.index("12345")
    assert not list(NAMES.near(far, start, start + 5))
    assert list(NAMES.near(Text("12345 (badge no)"), 0, 5)) == ["badge_no"]


def test_back_references_survive_the_union_and_overlaps_go():
    kinds = [
        Kind("AA_ONE", "X", "one", r"([ab])Q[0-9]{4}\1", alone=0.9),
        Kind("BB_TWO", "X", "two", r"[0-9]{4}([+/])[0-9]{2}\1[0-9]{2}", alone=0.9),
    ]
    text = Text("see 1234+56+78 and 1234+56/78")
    found = [h.source for h in Finder(kinds, {})(text)]
    assert found == ["pattern:BB_TWO"]
    taken = [Hit(2, 5, "CODE", "X"), Hit(8, 9, "CODE", "X")]
    hits = [Hit(0, 2, "A", "A"), Hit(4, 8, "A", "A"), Hit(5, 8, "A", "A")]
    assert list(without_overlaps(hits, taken)) == [hits[0], hits[2]]


def test_table():
    """Names are unique, forms compile and have no unbounded repeats."""
    ids = kinds("id")
    names = [k.name for family in ("id", "account", "plate") for k in kinds(family)]
    assert len(names) == len(set(names))
    for subtype, common in names_of("id").items():
        own = {k.name[:2] for k in ids if k.subtype == subtype}
        assert len(own) >= 12, subtype
        assert common and subtype in unknown_forms()
    for k in (*ids, *kinds("account"), *kinds("plate")):
        re.compile(k.form)
        assert "*" not in k.form.replace("A-Z*", "").replace("Z0-9*", ""), k.name
        assert "+" not in k.form.replace("[-+", ""), k.name
        assert 0 <= k.alone <= 1 and 0 <= k.loose <= 1
    recognize = make_national_id_patterns()
    names = {name for common in names_of("id").values() for name in common}
    texts = {word: f"{word.replace('_', ' ')}: AB1234567" for word in names}
    assert not [word for word, text in texts.items() if not list(recognize(text))]


def test_a_new_subtype_is_a_row():
    kind = Kind("XX_CARD", "CARD_OF_XX", "card of XX", r"XX[0-9]{5}", "", ("xxid",))
    finder = Finder([kind], {"CARD_OF_XX": ("library_card",)})
    text = "xxid: XX12345, my library card XX18, library card XX12344"
    found = [(h.subtype, text[h.start : h.end]) for h in finder(Text(text))]
    assert found == [("CARD_OF_XX", "XX12345"), ("CARD_OF_XX", "XX12344")]
