import pytest

from spacy_deid.patterns.addresses import make_address_patterns

FOUND = [
    "lives at <<12 High Street, London SW1A 1AA|ADDRESS>>.",
    "<<221B Baker Street, London NW1 6XE|ADDRESS>>",
    "<<1600 Pennsylvania Avenue NW, Washington, DC 20500|ADDRESS>>",
    "<<P.O. Box 123, Springfield, IL 62704|ADDRESS>>",
    "<<123 John Islands Apt. 456\nNew York, NY 12345|ADDRESS>>",
    "<<Hauptstraße 12, 10115 Berlin|ADDRESS>>",
    "in der <<Musterstr. 5a|ADDRESS>>",
    "<<12, rue de la Paix, 75002 Paris|ADDRESS>>",
    "<<Calle Mayor 12, 3º B, 28013 Madrid|ADDRESS>>",
    "<<Via Roma 12, 00184 Roma|ADDRESS>>",
    "<<ul. Marszałkowska 12/3, 00-950 Warszawa|ADDRESS>>",
    "<<Kerkstraat 12, 1017 GC Amsterdam|ADDRESS>>",
    "<<Flat 3, 10 Downing Street|ADDRESS>>",
    "<<PSC 1234, Box 5678\nAPO AA 12345|ADDRESS>>",
    "<<SW1A 2AA|POSTCODE>> <<K1A 0B1|POSTCODE>> TX <<77002|POSTCODE>>",
    "zip code <<12345|POSTCODE>>, PLZ <<10115|POSTCODE>>",
    "<<51.5074, -0.1278|COORDINATES>> or <<40°26'46\"N 79°58'56\"W|COORDINATES>>",
    "latitude: <<51.5074|COORDINATES>>",
]
NOT_FOUND = [
    "In 2003 The Court held, in Section 5 Street v. State",
    "section 172 of the Road Traffic Act",
    "he had 3 Big Dogs in 2001 Park",
    "Remembering 25 years",
    "on May 5, 2001 The Hague",
    "12345 and 1017",
    "3.14159, 2.71 and 1.5, 2.5",
    "PROTOCOL NO. 1 READ IN THE LIGHT",
]


@pytest.mark.parametrize("marked", FOUND)
def test_found(check, marked):
    check("address", marked)


@pytest.mark.parametrize("text", NOT_FOUND)
def test_not_found(check, text):
    check("address", text)


def test_without_coordinates():
    assert not list(make_address_patterns(coordinates=False)("51.5074, -0.1278"))
