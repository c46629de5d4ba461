import json
from pathlib import Path

import pytest

from spacy_deid.corpora import tools
from spacy_deid.corpora.files import InputError

from ..cases import cases

EXPORTS = Path(__file__).with_name("tools")
GOLD = [("Ann Lee", "PERSON"), ("Leeds", "GPE")]


@pytest.mark.parametrize("name, marked, counts", cases(__file__, "exports"))
def test_exports(read, found, name, marked, counts):
    reader = getattr(tools, f"read_{name.removesuffix('_browser')}")
    docs, report = read(reader, EXPORTS / f"{name}.jsonl", "ontonotes")
    assert [found(doc) for doc in docs] == [GOLD if gold else [] for gold in marked]
    assert {count: report.counts[count] for count in counts} == counts
    told = "".join(str(doc.spans) + str(doc.user_data) for doc in docs)
    assert "example.org" not in told


def test_formats_are_told_apart_and_what_is_no_document_is_named(read, tmp_path):
    for name, record in cases(__file__, "no documents"):
        (tmp_path / "in.jsonl").write_text(json.dumps(record))
        with pytest.raises(InputError, match=r"in\.jsonl, line 1"):
            read(getattr(tools, f"read_{name}"), tmp_path / "in.jsonl", "ontonotes")
    for name, record in cases(__file__, "formats"):
        assert tools.format_of(record) == name
