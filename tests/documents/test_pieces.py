from hypothesis import given
from hypothesis import strategies as st

from spacy_deid.documents.pieces import Piece, join, share_out
from spacy_deid.text.fields import Field
from spacy_deid.text.offsets import splice


def changed(pieces, *replaced):
    edits = share_out(pieces, join(pieces).starts, replaced)
    return [splice(p.text, own) for p, own in zip(pieces, edits, strict=True)]


def test_a_name_in_several_runs_goes_into_the_first():
    pieces = [Piece("Dear "), Piece("An"), Piece("n L"), Piece("ee, hello")]
    assert changed(pieces, (5, 12, "Bob")) == ["Dear ", "Bob", "", ", hello"]


def test_lines_stay_lines():
    street = [Piece("to 1 Mill Lane"), Piece("Leeds, now", "\n")]
    assert changed(street, (3, 20, "9 Elm Row\nHull")) == ["to 9 Elm Row", "Hull, now"]
    # A placeholder has no lines.
    assert changed(street, (3, 20, "[LOC]")) == ["to [LOC]", ", now"]
    broken = [Piece("Mill Lane"), Piece("\n", fixed=True), Piece("Leeds")]
    assert changed(broken, (0, 15, "Elm Row\nHull")) == ["Elm Row", "\n", "Hull"]
    assert changed(broken, (0, 15, "[LOC]")) == ["[LOC]", "", ""]


def test_what_stands_between_pieces_is_of_nobody():
    pieces = [Piece("Ann", "From: "), Piece("a@b.c", " <", True, "CODE", "EMAIL")]
    joined = join(pieces)
    assert joined.text == "From: Ann <a@b.c"
    assert joined.fields == [Field(6, 9), Field(11, 16, "CODE", "EMAIL")]
    assert changed(pieces, (0, 4, "X")) == ["Ann", "a@b.c"]
    # A single text has no fields.
    assert join([Piece("a"), Piece("b", "\n")]) == ("a\nb", [0, 2], [])
    assert join([]) == ("", [], [])


@given(st.data())
def test_nothing_is_lost_and_nothing_is_left(data):
    """Whatever borders there are, replacements stand once where the old text was."""
    draw = data.draw
    rows = st.tuples(st.text("ab", min_size=1), st.sampled_from(["", "\n", "\t"]))
    pieces = [Piece(*row) for row in draw(st.lists(rows, min_size=1, max_size=8))]
    joined = join(pieces)
    cuts = draw(st.lists(st.integers(0, len(joined.text)), max_size=6, unique=True))
    cuts = sorted(cuts)[: len(cuts) // 2 * 2]
    edits = [(a, b, "#") for a, b in zip(cuts[::2], cuts[1::2])]
    edits = [e for e in edits if joined.text[e[0] : e[1]].strip()]
    out = "".join(changed(pieces, *edits))
    assert out.count("#") == len(edits)
    kept = splice(joined.text, [(a, b, "") for a, b, _ in edits])
    assert out.replace("#", "") == "".join(kept.split())
