import re

import pytest

from spacy_deid.registries import registry

FAMILIES = (
    "address",
    "case_number",
    "contact",
    "date",
    "finance",
    "named_field",
    "national_id",
    "network",
    "quantity",
    "spoken",
    "username",
    "vehicle",
)
_MARK = re.compile(r"<<(.*?)\|([A-Z_]+)>>", re.S)


def _make(family, **settings):
    return registry.deid_patterns.get(f"spacy_deid.{family}_patterns.v1")(**settings)


def _unmark(marked):
    text, spans, last = "", [], 0
    for m in _MARK.finditer(marked):
        text += marked[last : m.start()]
        spans.append((len(text), len(text) + len(m[1]), m[2]))
        text += m[1]
        last = m.end()
    return text + marked[last:], spans


@pytest.fixture(scope="session")
def make():
    """Makes a family, found through the entry points as a config would."""
    return _make


@pytest.fixture(scope="session")
def unmark():
    """Text without its marks, and the spans that were marked `<<text|SUBTYPE>>`."""
    return _unmark


@pytest.fixture(scope="session")
def families():
    return {family: _make(family) for family in FAMILIES}


@pytest.fixture(scope="session")
def check(families):
    """Assert that a family finds exactly the marked spans."""

    def check(family, marked):
        text, spans = _unmark(marked)
        found = [(h.start, h.end, h.subtype) for h in families[family](text)]
        assert found == spans, [(text[s:e], t) for s, e, t in found]

    return check


@pytest.fixture(scope="session")
def check_hits():
    """Assert that a recognizer finds exactly the marked spans, each with a reason."""

    def check_hits(recognize, marked):
        text, spans = _unmark(marked)
        hits = list(recognize(text))
        found = [(h.start, h.end, h.subtype) for h in hits]
        assert found == spans, [(text[s:e], t) for s, e, t in found]
        assert all(h.reason for h in hits)

    return check_hits
