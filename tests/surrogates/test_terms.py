import re

import pytest

from spacy_deid.data import table, word_lists
from spacy_deid.surrogates.base import listed
from spacy_deid.surrogates.term_rows import row_of

VAGUE = word_lists("lang/en/vague")
THINGS = {word for row in table("lang/en/objects") for word in listed(row["words"])}

KEYS = [b"1", b"2", b"3", b"4"]


THINGS = {word: row["words"].split(",") for row in table("lang/en/objects")
          for word in row["words"].split(",")}  # fmt: skip


@pytest.mark.parametrize("key", [b"a", b"b", b"c", b"d"])
@pytest.mark.parametrize(
    ("before", "text", "wanted"),
    [
        ("used his blue ", "inhaler", THINGS), ("in a ", "silver thimble", THINGS),
        ("played a ", "bugle", THINGS["bugle"]), ("rode a ", "grey mule", THINGS["mule"]),
        ("used the ", "inhalers", None), ("was given ", "twelve swans", None),
        ("spoke of ", "mineral water", None),
    ],
)  # fmt: skip
def test_things_without_a_name_become_others(replace, before, text, wanted, key):
    out = replace([(text, "MISC", "", 0, before, " was")], key)[0]
    assert out != text and not {*out.split()} & {*text.split()}
    assert out in wanted if wanted else re.fullmatch(r"[a-z' -]+s", out)


def test_phrases_that_tell_by_things_name_things(replace):
    for text in ("tiny drawers with Latin", "disc on the back of the arm"):
        out = replace(
            [(text.lower(), "DEM", "OCCUPATION", 0, "a wall of ", ".")], b"k"
        )[0]
        assert out.removesuffix("s") in THINGS or out in THINGS


def test_illnesses_of_no_list_become_any_illness(replace):
    """And those told by capitals others that are."""
    keys = [str(n).encode() for n in range(20)]
    made = {replace([("Desmoid", "DEM", "DISEASE")], key)[0] for key in keys}
    kinds = {row_of(new)[0].kind for new in made}
    assert len(kinds) > 3 and "" not in kinds
    short = {replace([("LGMD", "DEM", "DISEASE")], key)[0] for key in keys}
    assert short <= set(VAGUE["ailments_short"]) and len(short) > 3
