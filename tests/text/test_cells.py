from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spacy_deid.text.cells import cell_ends

from ..cases import cases

TABLE = 'id,name,town,mail\n1,Lee,"Leeds, UK",a@b.org\n2,Roe,York,c@d.org\n'


def cells(text):
    ends = [-1, *sorted(cell_ends(text)), len(text)]
    return [text[a + 1 : b] for a, b in pairwise(ends)]


def test_cells_end_at_commas_outside_of_quotation_marks():
    assert cells(TABLE)[:4] == ["id", "name", "town", "mail\n1"]
    assert '"Leeds, UK"' in cells(TABLE) and "York" in cells(TABLE)
    assert cells("See below.\n" + TABLE + "Yours, Ann\n")[3] == "mail\n1"
    assert "Lee" in cells("1;Lee;York;3,5\n2;Roe;Hull;4,0\n")
    for quote in "'\"":
        text = "VALUES (4, 'Anna', 'New York, NY', 'x')".replace("'", quote)
        values = "VALUES (4, 'Anna'| 'New York, NY'| 'x')".replace("'", quote)
        assert cells(text) == values.split("|")


@pytest.mark.parametrize("text", cases(__file__, "running text"))
def test_running_text_has_none(text):
    assert cell_ends(text) == set()


@given(st.lists(st.text("ab ,;\"'\n\x0b\r"), max_size=30).map("".join))
def test_any_text(text):
    assert {text[i] for i in cell_ends(text)} <= set(",;")
