"""The benchmark of structured identifiers: its gold values are where it says."""

from collections import Counter
from pathlib import Path

import pytest

PATH = Path(__file__).parents[1] / "benchmarks" / "identifiers.py"


@pytest.fixture(scope="module")
def bench(load_benchmark):
    return load_benchmark("identifiers")


@pytest.fixture(scope="module")
def documents(bench):
    return list(bench.generate("dev", 400))


def test_values_stand_where_gold_says(bench, documents):
    for document in documents:
        end = 0
        for gold in document.gold:
            assert end <= gold.start < gold.end <= len(document.text)
            value = document.text[gold.start : gold.end]
            assert value == value.strip()
            assert gold.type == bench.IGNORE or gold.type in bench.COMPATIBLE
            end = gold.end
        assert not bench.SLOT.search(document.text)


def test_values_are_of_their_type(documents):
    for document in documents:
        for start, end, kind in document.gold:
            value = document.text[start:end]
            if kind == "EMAIL":
                assert "@" in value or " at " in value.lower() or "at" in value.lower()
            elif kind in ("CARD", "IBAN", "PHONE", "DATE", "MONEY", "SSN", "IP"):
                assert any(char.isdigit() or char == ":" for char in value) or (
                    kind == "DATE"
                )
            elif kind in ("URL", "DOMAIN"):
                assert "." in value and " " not in value


def test_same_seed_same_documents(bench, documents):
    assert list(bench.generate("dev", 400)) == documents


def test_splits_share_no_template(bench):
    dev, test = (
        {(style, line) for style, _, line in bench.read_templates(split)}
        for split in bench.SEEDS
    )
    assert min(len(dev), len(test)) > 200
    assert not dev & test


def test_every_type_and_language_occurs(bench):
    documents = list(bench.generate("test", 1500))
    kinds = Counter(gold.type for document in documents for gold in document.gold)
    assert set(bench.COMPATIBLE) <= set(kinds)
    styles = {document.style for document in documents}
    assert set(bench.LANGUAGES) <= styles
    assert "en_negative" in styles


def test_counts_hits_of_each_kind(bench):
    text = "Mail a@b.com or call 555-1234, room 12"
    gold = [bench.Gold(5, 12, "EMAIL"), bench.Gold(21, 29, "PHONE")]
    document = bench.Document(text, gold, "style", "template")
    hits = [
        bench.Found(5, 12, "EMAIL", "pattern:EMAIL"),
        bench.Found(21, 24, "TIME", "pattern:TIME"),
        bench.Found(36, 38, "CARD", "pattern:CARD"),
    ]
    counts = bench.count([document], lambda texts: iter([hits]))
    rows = bench.figures(counts)
    assert rows["EMAIL"]["covered"] == rows["EMAIL"]["precision"] == 1.0
    assert rows["PHONE"]["covered"] == rows["PHONE"]["typed"] == 0.0
    assert rows["TIME"]["other"] == 1 and rows["TIME"]["precision"] is None
    assert rows["CARD"]["false"] == 1 and rows["CARD"]["precision"] == 0.0
    assert counts.confusions == {("TIME", "PHONE"): 1}
    assert {m.kind for m in counts.misses} == {"part", "other", "false"}


def test_tiny_sample_runs(bench, documents):
    counts = bench.count(documents[:40], bench.make_own())
    rows = bench.figures(counts)
    assert sum(row["values"] for row in rows.values()) == sum(
        gold.type != bench.IGNORE for d in documents[:40] for gold in d.gold
    )
    assert "covered" in bench.table(rows)
