from spacy_deid.patterns.money.quantities import make_quantity_patterns


def test_without_counts():
    assert not list(make_quantity_patterns(counts=False)("three brothers, 5 sisters"))
