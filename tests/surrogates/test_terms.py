from spacy_deid.data import table, word_lists
from spacy_deid.surrogates.base import listed
from spacy_deid.surrogates.term_rows import row_of

VAGUE = word_lists("lang/en/vague")
THINGS = {word for row in table("lang/en/objects") for word in listed(row["words"])}


def test_phrases_that_tell_by_things_name_things(replace):
    for text in ("tiny drawers with latin", "disc on the back of the arm"):
        row = (text, "DEM", "OCCUPATION", 0, "a wall of ", ".")
        (out,) = replace([row], b"k")
        assert not THINGS.isdisjoint((out, out.removesuffix("s")))


def test_illnesses_of_no_list_become_any_illness(replace):
    """And those told by capitals others that are."""
    keys = [str(n).encode() for n in range(20)]
    made = {replace([("Desmoid", "DEM", "DISEASE")], key)[0] for key in keys}
    kinds = {row_of(new)[0].kind for new in made}
    assert len(kinds) > 3 and "" not in kinds
    short = {replace([("LGMD", "DEM", "DISEASE")], key)[0] for key in keys}
    assert short <= set(VAGUE["ailments_short"]) and len(short) > 3
