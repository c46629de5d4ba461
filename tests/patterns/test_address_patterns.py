import pytest

from spacy_deid.patterns.places.addresses import make_address_patterns

from ..cases import cases

RECOGNIZE = make_address_patterns()
SENTENCES = cases(__file__, "sentences")


# One address a country, alone and inside a sentence.
@pytest.mark.parametrize("country, address", cases(__file__, "addresses"))
def test_countries(country, address):
    """Each character of an address lies in one hit, and nothing around it does."""
    for sentence in SENTENCES:
        text = sentence.format(address)
        (hit,) = [h for h in RECOGNIZE(text) if h.subtype == "ADDRESS"]
        assert text[hit.start : hit.end].rstrip(".") == address.rstrip(".")
        assert hit.start == text.index(address) and hit.reason


def test_repeated_lines_are_all_found_and_countries_chosen():
    assert len(list(RECOGNIZE("12 High Street, London SW1A 1AA\n" * 50))) == 50
    german = make_address_patterns(countries=["DE"])
    assert [h.end for h in german("Hauptstr. 12a, 10115 Berlin")] == [27]
    assert not list(german("lives at 12 Jalan Tun Ismail, and SW1A 2AA"))
