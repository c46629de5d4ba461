import functools
import gc
import re

from hypothesis import given
from hypothesis import strategies as st

from spacy_deid.patterns import base
from spacy_deid.pii_gazetteer import PATTERNS
from spacy_deid.registries import registry

OTHER_DIGITS = str.maketrans("0459", "1358")


@given(st.text())
def test_normalize_keeps_offsets(text):
    normal = base.normalize(text)
    assert len(normal.text) + len(normal.removed) == len(text)
    last = 0
    for i in range(len(normal.text)):
        start, end = normal.original(i, i + 1)
        assert last <= start < end == start + 1 <= len(text)
        last = end
        if text[start].isascii() and text[start].isalnum():
            assert normal.text[i] == text[start]


def test_what_is_normalized_counted_covered_and_a_trie_of_words():
    places = (0, 5), (3, 12), (4, 6), (12, 13)
    a, b, c, d = (base.Hit(*place, "CODE", "X") for place in places)
    assert base.drop_covered([d, c, b, a, a]) == [b, d] and base.drop_covered([]) == []
    pattern = re.compile(base.word_trie("may march mar half_past"))
    text = "May mar, marching dismay HALF PAST half-past"
    assert pattern.findall(text) == ["May", "mar", "HALF PAST", "half-past"]
    assert base.normalize("١٢\u00a03\u2011４ ａ").text == "12 3-4 a"
    assert base.normalize("a\u00adb\u200bc").text == "abc"
    assert base.Text("a1 22 ³ x").digits == 3 and base.Text("none").digits == 0
    assert base.Text("a1 22 3x _4").numbers == [3, 6]


def test_anchored_expressions_and_plain_functions_find_hits(make):
    first = base.Anchored(r"zebra\s[0-9]", "zebra")
    second = base.Anchored(r"[0-9]\squaggas", followed="quaggas")
    other = base.Anchored(r"\^[0-9]", others=lambda text: base.occurrences(text, "^"))
    text = base.Text("a zebra 1, 4 quaggas, ^1 zebras 1")
    found = [m[0] for a in (first, second, other) for m in a.finditer(text)]
    assert found == ["zebra 1", "4 quaggas", "^1"]

    def recognize(text):
        return [base.Hit(0, len(text), "MISC", "X")]

    hits = base.find_hits("a@b.org", [make("contact"), recognize])
    assert [(h.start, h.end, h.label) for h in hits] == [(0, 7, "CODE"), (0, 7, "MISC")]


def test_nothing_of_a_text_stays_in_memory():
    names = [block["@deid_patterns"] for block in PATTERNS.values()]
    recognizers = [registry.deid_patterns.get(name)() for name in names]
    text = "Call 020 7946 0958 on 4 May, 12 High Street, SW1A 2AA, at 5 pm. " * 3
    assert base.find_hits(text, recognizers)
    kind = functools._lru_cache_wrapper
    cached = [f for f in gc.get_objects() if isinstance(f, kind)]
    cached = [f for f in cached if f.__module__.startswith("spacy_deid")]
    sizes = [f.cache_info().currsize for f in cached]
    assert base.find_hits(text.translate(OTHER_DIGITS), recognizers)
    assert [f.cache_info().currsize for f in cached] == sizes
