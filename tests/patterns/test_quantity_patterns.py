import pytest

from spacy_deid.patterns.quantities import make_quantity_patterns

FOUND = [
    "<<EUR 4,684.40|MONEY>>, <<TRL 30,000,000|MONEY>>; <<PLN 552.21|MONEY>>.",
    "<<5,699.21 euros (EUR)|MONEY>> and <<1,500 Austrian schillings|MONEY>>",
    "<<2,000 New Turkish liras (YTL)|MONEY>>",
    "<<$3.5 million|MONEY>>, <<US$ 1,000|MONEY>>, <<£10|MONEY>>, <<1.234,56 €|MONEY>>",
    "<<five hundred euros|MONEY>>",
    "<<50%|PERCENT>>, <<40 per cent|PERCENT>>, <<2.5 %|PERCENT>>",
    "<<50 metres|MEASURE>> at <<26 km/h|MEASURE>>, <<800 litres|MEASURE>>, <<72 kg|MEASURE>>",
    "<<120/80 mmHg|MEASURE>>; <<30 x 40 mm|MEASURE>>",
    "<<ninety-nine metres|MEASURE>>",
    "<<three brothers|COUNT>> and <<152 people|COUNT>>",
]
NOT_FOUND = [
    "in 2001 and on 3 May",
    "section 3l, Article 21g",
    "the 2000 mark",
    "one person",
    "4G and 5G",
    "no. 28045/02",
]


@pytest.mark.parametrize("marked", FOUND)
def test_found(check, marked):
    check("quantity", marked)


@pytest.mark.parametrize("text", NOT_FOUND)
def test_not_found(check, text):
    check("quantity", text)


def test_without_counts():
    assert not list(make_quantity_patterns(counts=False)("three brothers, 5 sisters"))
