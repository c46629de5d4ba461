"""Pieces of what is said are one entity, and so is what they say."""

import pytest

from ..cases import cases
from .samples import link_lines


@pytest.mark.parametrize("rows, ids", cases(__file__, "said"))
def test_what_is_said_is_one_entity(rows, ids):
    found = [(text, label, subtype, source) for text, label, subtype, source in rows]
    assert link_lines(found) == ids
