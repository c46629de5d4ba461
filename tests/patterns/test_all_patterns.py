"""What holds for every family, and for all of them together."""

import json
import re
import time
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spacy_deid.patterns.base import find_hits
from spacy_deid.pii_gazetteer import PATTERNS
from spacy_deid.registries import registry
from spacy_deid.schema import SEMANTIC_TYPES

from ..cases import cases

# Found through the entry points, as a config would.
RECOGNIZERS = [
    registry.deid_patterns.get(f"spacy_deid.{family}_patterns.v1")()
    for family in PATTERNS
]
LINEAR = dict(cases(__file__, "fragments"))
FRAGMENTS = LINEAR.pop("all")
MORE = "no. |12/34|March| 2001|@|.org|+44 20 7946 0958|EUR |years ".split("|")
_PIECES = st.one_of(st.sampled_from((*FRAGMENTS, *MORE)), st.text(max_size=5))


def test_parts_of_families_and_numbers_of_logs():
    for name, text, subtype in cases(__file__, "parts"):
        (hit,) = registry.deid_patterns.get(name)()(text)
        assert hit.subtype == subtype and hit.end == len(text), text
    for text in cases(__file__, "logs"):
        assert not find_hits(text, RECOGNIZERS), text


@settings(max_examples=150, deadline=None)
@given(st.lists(_PIECES, max_size=12).map("".join))
def test_any_text(text):
    for recognize in RECOGNIZERS:
        hits = list(recognize(text))
        last = 0
        for h in hits:
            assert last <= h.start < h.end <= len(text) and h.label in SEMANTIC_TYPES
            assert h.subtype.isupper() and 0 < h.score <= 1
            assert h.source.startswith("pattern:")
            # A reason is there and quotes nothing of what was found.
            assert h.reason.strip() == h.reason != ""
            numbers = re.findall("[0-9]{3,}", text[h.start : h.end])
            assert not any(number in h.reason for number in numbers)
            last = h.end
        assert hits == list(recognize(text))


def measure(recognize, text):
    start = time.process_time()
    return list(recognize(text)), time.process_time() - start


def check_time(recognize, fragment):
    """A long text of repeats takes the time of linear work: half a second at most, or on
    a slow machine twice what half of the text takes. Where work is quadratic, it takes
    two seconds at least, and four times what half of it takes."""
    text = fragment * (40_000 // len(fragment))
    hits, taken = measure(recognize, text)
    if taken > 1:
        # Once more, for it may have been the collector of garbage.
        half = measure(recognize, text[: len(text) // 2])[1]
        taken = min(taken, measure(recognize, text)[1])
        assert taken < 1 or taken < 3 * half
    ends = [0, *(h.end for h in hits)]
    assert ends == sorted(ends) and ends[-1] <= len(text)
    assert all(0 <= h.start < h.end for h in hits)


@pytest.mark.linear
@pytest.mark.parametrize("family", LINEAR)
def test_linear(family, make):
    recognize = make(family)
    for fragment in LINEAR[family]:
        check_time(recognize, fragment)


@pytest.mark.parametrize("fragment", FRAGMENTS)
def test_long_repeats(fragment):
    check_time(lambda text: find_hits(text, RECOGNIZERS), fragment)


IDENTIFIERS = cases(__file__, "identifiers")
ARABIC = str.maketrans("0123456789", "٠١٢٣٤٥٦٧٨٩")
FULL_WIDTH = str.maketrans("0123456789", "０１２３４５６７８９")
DISGUISES = {
    "plain": lambda s: s,
    "arabic digits": lambda s: s.translate(ARABIC),
    "full-width digits": lambda s: s.translate(FULL_WIDTH),
    "no-break spaces": lambda s: s.replace(" ", "\u00a0"),
    "soft hyphens": lambda s: "\u00ad".join(s),
    "zero-width spaces": lambda s: "\u200b".join(s),
    "bidirectional marks": lambda s: s[:3] + "\u202e" + s[3:],
    "no-break hyphens": lambda s: s.replace("-", "\u2011"),
}


@pytest.mark.parametrize("disguise", DISGUISES)
@pytest.mark.parametrize("value, subtype", IDENTIFIERS)
def test_disguised(value, subtype, disguise):
    hidden = DISGUISES[disguise](value)
    text = f"Please note: {hidden} (thanks)."
    hits = [h for h in find_hits(text, RECOGNIZERS) if h.subtype == subtype]
    assert [text[h.start : h.end] for h in hits] == [hidden]


@pytest.mark.parametrize("value, subtype", IDENTIFIERS)
@pytest.mark.parametrize("separator", [", ", "\n", "; ", " / "])
def test_adjacent_stay_apart(value, subtype, separator):
    text = f"{value}{separator}{value}"
    hits = [h for h in find_hits(text, RECOGNIZERS) if h.subtype == subtype]
    second = len(value) + len(separator)
    assert [(h.start, h.end) for h in hits] == [(0, len(value)), (second, len(text))]


def test_benchmark(shared_data):
    """Codes, dates and quantities of real judgments, as their annotators see them."""
    wanted, covered, exact, right = Counter(), Counter(), Counter(), []
    for line in (shared_data / "tab" / "train.jsonl").open(encoding="utf8"):
        doc = json.loads(line)
        text, mentions = doc["text"], doc["entity_mentions"]
        hits = find_hits(text, RECOGNIZERS)
        inside = {i for h in hits for i in range(h.start, h.end)}
        spans = {(h.start, h.end) for h in hits}
        gold = {i for m in mentions for i in range(m["start_offset"], m["end_offset"])}
        found = [h for h in hits if h.label in ("CODE", "DATETIME")]
        right += [not gold.isdisjoint(range(h.start, h.end)) for h in found]
        for m in mentions:
            start, end, kind = m["start_offset"], m["end_offset"], m["entity_type"]
            whole = all(i in inside or not text[i].isalnum() for i in range(start, end))
            wanted[kind] += 1
            covered[kind] += whole
            exact[kind] += (start, end) in spans
    assert sum(right) / len(right) > 0.95
    assert covered["DATETIME"] / wanted["DATETIME"] > 0.95
    assert exact["DATETIME"] / wanted["DATETIME"] > 0.92
    assert covered["CODE"] / wanted["CODE"] > 0.93
    assert covered["QUANTITY"] / wanted["QUANTITY"] > 0.8


@pytest.mark.parametrize("letter,twin", zip("skiI", "ſ\u212aıİ"))
def test_letters_that_look_like_others_to_expressions_raise_nothing(letter, twin):
    """ "doſſier", "Agustı": found without regard to case, in no table as it stands."""
    rows = (Path(__file__).parent / "examples.tsv").read_text("utf8")
    text = re.sub(r"<<|\|\w+>>", "", rows).replace(letter, twin)
    assert find_hits(text.replace("\n", "\n\n"), RECOGNIZERS)
