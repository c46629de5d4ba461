import re
import time

import pytest

from spacy_deid.registries import registry

_MARK = re.compile(r"<<(.*?)\|([A-Z_]+)>>", re.S)


def _unmark(marked):
    text, *rows = _MARK.split(marked)
    spans = []
    for inside, subtype, behind in zip(*[iter(rows)] * 3):
        spans.append((len(text), len(text) + len(inside), subtype))
        text += inside + behind
    return text, spans


@pytest.fixture(scope="session")
def make():
    """Makes a family, found through the entry points as a config would."""

    def make(family, **settings):
        registered = f"spacy_deid.{family}_patterns.v1"
        return registry.deid_patterns.get(registered)(**settings)

    return make


@pytest.fixture(scope="session")
def check_hits():
    """Assert that a recognizer finds exactly the marked spans, each with a reason."""

    def check_hits(recognize, marked):
        text, spans = _unmark(marked)
        hits = list(recognize(text))
        found = [(h.start, h.end, h.subtype) for h in hits]
        assert found == spans, [(text[s:e], t) for s, e, t in found]
        assert all(h.reason for h in hits)
        return hits

    return check_hits


@pytest.fixture(scope="session")
def check_time():
    """Assert that a long text of repeats takes the time of linear work: half a second
    at most, or on a slow machine twice what half of the text takes. Where work is
    quadratic, it takes two seconds at least, and four times what half of it takes."""

    def measure(recognize, text):
        start = time.process_time()
        return list(recognize(text)), time.process_time() - start

    def check_time(recognize, fragment):
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

    return check_time
