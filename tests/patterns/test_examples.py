"""The examples of `examples.tsv`: what each family finds, and what it leaves alone."""

import json
from collections import defaultdict
from pathlib import Path

import pytest

EXAMPLES = defaultdict(list)
for line in Path(__file__).with_name("examples.tsv").read_text("utf8").split("\n"):
    if line and not line.startswith(("# ", "family\t")):
        family, name, text = line.split("\t")
        EXAMPLES[family].append((name, json.loads(text)))


@pytest.mark.parametrize("family", EXAMPLES)
def test_examples(make, check_hits, family):
    recognize = make(family)
    for name, marked in EXAMPLES[family]:
        hits = check_hits(recognize, marked)
        if family in ("date", "quantity"):
            # Words of the text stand in no reason but as entries of our lists.
            reasons = " ".join(h.reason for h in hits).replace("8601", "")
            assert not any(ch.isdigit() for ch in reasons)
        if name:
            assert [h.source for h in hits] == [f"pattern:{name}"]
