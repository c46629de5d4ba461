import pytest

from spacy_deid.patterns.money.quantities import make_quantity_patterns

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
    # Currencies of the world, before and after, with their scales.
    "<<£5m|MONEY>>, <<€3bn|MONEY>>, <<USD 5k|MONEY>>, <<₹5 lakh|MONEY>>, <<5 crore rupees|MONEY>>",
    "<<CHF 1'000.-|MONEY>>; <<1'000.- CHF|MONEY>>; <<Fr. 50|MONEY>>; <<Rs. 5,000/-|MONEY>>",
    "<<R$ 50|MONEY>>; <<kr 500|MONEY>>; <<500 kr|MONEY>>; <<50 zł|MONEY>>; <<300 Kč|MONEY>>",
    "<<500 ₽|MONEY>> <<100₴|MONEY>> <<500:-|MONEY>> <<50¢|MONEY>> <<50.-|MONEY>>",
    "<<US$83|MONEY>>, <<A$5|MONEY>>, <<50p|MONEY>>, <<100 US dollars|MONEY>>",
    "<<$10-20|MONEY>>; <<141 Deutsch Mark (DEM)|MONEY>>",
    "<<two million dollars|MONEY>>, <<half a million euros|MONEY>>",
    "<<two and a half million dollars|MONEY>>",
    # Two stay two.
    "<<EUR 500|MONEY>> and <<EUR 300|MONEY>>; between <<$10|MONEY>> and <<$20|MONEY>>",
    "<<$5|MONEY>>,<<$6|MONEY>>\n<<$7|MONEY>>",
    "<<38.5 °C|MEASURE>>, <<5 ft 11 in|MEASURE>>, <<30×40 mm|MEASURE>>",
    "<<3 million people|COUNT>>",
]
NOT_FOUND = [
    "in 2001 and on 3 May",
    "section 3l, Article 21g",
    "the 2000 mark",
    "one person",
    "4G and 5G",
    "no. 28045/02",
    "application S/29/7855, apt 3p",
    "password $4zCNoL6w9qd",
    "Article R. 143-28 of the Code",
]


@pytest.mark.parametrize("marked", FOUND)
def test_found(check, marked):
    check("quantity", marked)


@pytest.mark.parametrize("text", NOT_FOUND)
def test_not_found(check, text):
    check("quantity", text)


def test_without_counts():
    assert not list(make_quantity_patterns(counts=False)("three brothers, 5 sisters"))


@pytest.mark.parametrize("marked", FOUND)
def test_reasons(marked):
    text = marked.replace("<<", "").replace(">>", "")
    for h in make_quantity_patterns()(text):
        assert h.reason and not any(ch.isdigit() for ch in h.reason)
