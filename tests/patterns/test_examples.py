"""The examples of `examples.tsv`: what each family finds, and what it leaves alone."""

import json
import re
from collections import defaultdict
from pathlib import Path

import pytest

MARK = re.compile(r"<<(.*?)\|([A-Z_]+)>>", re.S)
EXAMPLES = defaultdict(list)
for line in Path(__file__).with_name("examples.tsv").read_text("utf8").split("\n"):
    if line and not line.startswith(("# ", "family\t")):
        family, name, text = line.split("\t")
        EXAMPLES[family].append((name, json.loads(text)))


@pytest.mark.parametrize("family", EXAMPLES)
def test_examples(make, family):
    recognize = make(family)
    for name, marked in EXAMPLES[family]:
        text, *rows = MARK.split(marked)
        spans = []
        for inside, subtype, behind in zip(*[iter(rows)] * 3):
            spans.append((len(text), len(text) + len(inside), subtype))
            text += inside + behind
        hits = list(recognize(text))
        found = [(h.start, h.end, h.subtype) for h in hits]
        assert found == spans, [(text[s:e], t) for s, e, t in found]
        assert all(h.reason for h in hits)
        if family in ("date", "quantity", "spoken"):
            # Words of the text stand in no reason but as entries of our lists.
            reasons = " ".join(h.reason for h in hits).replace("8601", "")
            assert not any(ch.isdigit() for ch in reasons)
        if name:
            assert [h.source for h in hits] == [f"pattern:{name}"]
