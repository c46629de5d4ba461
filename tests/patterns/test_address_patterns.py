import pytest

from spacy_deid.patterns.places.addresses import make_address_patterns

RECOGNIZE = make_address_patterns()
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
    # A ligature is two letters in capitals: "FL".
    "was in \ufb02 33101, then at <<742 evergreen terrace, springfield, or 97403|ADDRESS>>",
]
# One address a country, alone and inside a sentence.
ADDRESSES = {
    "US": "1600 Pennsylvania Ave NW, Washington, DC 20500",
    "US lines": "742 Evergreen Terrace\n Suite 201\n Springfield\n OR 97403",
    "US ordinal": "350 5th Ave, New York, NY 10118",
    "US county": "3100 State Route 9, Old Bridge, NJ 08857",
    "US no separators": "123 Main Street Springfield IL 62704",
    "US small": "742 evergreen terrace, springfield, or 97403",
    "US capitals": "4233 GOLDIE LANE, CINCINNATI, OH 45214",
    "US pipes": "8990 Goldie Lane | Cincinnati, OH 45214",
    "US army": "PSC 1234, Box 5678\nAPO AE 09876",
    "US navy": "USNV Smith\nFPO AA 34034",
    "US diplomats": "Unit 1234 Box 5678\nDPO AP 12345",
    "a name and a street": "6750 Koskikatu 25 Apt. 864\nArtilleros\n, CO\n Uruguay 64677",
    "GB": "Flat 3, 12 High Street, London SW1A 1AA",
    "GB lines": "Studio 8\nHarrison ferry\nPort Joe\nE1 7AA",
    "GB house": "The Old Rectory, 41 Church Lane, Upper Slaughter, GL54 2JB",
    "IE": "14 Main Street, Athlone, Co. Westmeath, N37 X2P8",
    "AU": "3/15 Clifton St, Nyora VIC 3987",
    "NZ": "188 Rossall Street, Christchurch 8014",
    "CA": "1832 Bay Street, Toronto, ON M5J 2R8",
    "CA French": "3422 rue Garneau, Quebec, QC G1V 3V5",
    "IN": "H.No. 12, Brigade Road, Bangalore, Karnataka 560001",
    "IN sector": "12/34, MG Road, Sector 5, Gurgaon 122001",
    "ZA": "1472 Dorp St, Stellenbosch, 7602",
    "DE": "Hauptstr. 12a, 10115 Berlin",
    "DE market": "Am Alten Markt 3, 04109 Leipzig",
    "AT": "Mariahilfer Straße 12/3/4, 1060 Wien",
    "CH": "Brunnenstrasse 82\n4702 Oensingen\nSwitzerland",
    "FR": "12 bis, rue de la Paix, 75002 Paris",
    "FR lines": "2, boulevard Martin\n45678 Saint-Paul-sur-Mer",
    "BE": "Rue de la Loi 16 bte 3, 1000 Bruxelles",
    "IT": "Via Roma 12, 00184 Roma RM",
    "IT lines": "Incrocio Contrafatto, 12 Appartamento 9\n63816, Francavilla (FM)",
    "ES": "C/ Mayor 5, 2º B, 28013 Madrid",
    "AR": "Av. Mendoza N° 423\nCórdoba 5000, Córdoba",
    "CO": "Cr. 143 # 3-69 Sur\n050110\nHispania, Antioquia",
    "MX": "Circuito Malta 907 656\nNueva Perú, COL 14129-1736",
    "PT": "Rua Quinta Olivais 58, 1800-345 Lisboa",
    "BR": "Avenida Paulista, 1578, São Paulo - SP, 01310-200",
    "NL": "Keizersgracht 12-2, 1015 AB Amsterdam",
    "NL lines": "Mirtestraat 85\n9054 LL\nMarijenkampen\nThe Netherlands",
    "SE": "Stora Nygatan 5, 211 37 Malmö",
    "NO": "Kirkeveien 12 B, 0266 Oslo",
    "DK": "Nørregade 12, 3. tv., 5000 Odense C",
    "FI": "Mannerheimintie 5 A 12, 00100 Helsinki",
    "IS": "Laugavegur 12, 101 Reykjavík",
    "PL": "ul. Długa 5/3, 00-950 Warszawa",
    "CZ": "Bratří Čapků 5\n496 66 Železný Brod",
    "SK": "Mlynské nivy 36\n860 36 Vyšná Myšľa\nSlovakia",
    "HU": "1051 Budapest, Fő utca 3.",
    "SI": "Dunajska cesta 53, 1000 Ljubljana",
    "HR": "Ulica kralja Tomislava 12, 31000 Osijek",
    "EE": "Pärnu mnt 12-4, 10148 Tallinn",
    "RO": "Bulevardul Stănescu Nr. 15 Bl. 29 Sc. 42 Ap. 558\nRosiori de Vede, 277151",
    "RU": "ул. Ленина, д. 5, кв. 3, 101000 Москва",
    "RU code first": "101000, Москва, ул. Ленина, д. 5, кв. 3",
    "TR": "Atatürk Caddesi No: 12 Daire 5, 06420 Çankaya/Ankara",
    "GR": "Ermou 12, 105 63 Athens",
    "AZ": "Siyəzən rayonu, Mil qəsəbəsi, A.M.CÜMƏ küçəsi, b. 9, m. 4",
    "JP": "1-2-3 Ginza, Chuo-ku, Tokyo 104-0061",
    "SG": "Blk 123 Ang Mo Kio Avenue 3 #04-56, Singapore 560123",
    "CN": "No. 88 Jianguo Road, Chaoyang District, Beijing 100025",
    "ID": "Jl. Rajawali Timur No. 119\nDumai, SR 94205",
    "care of": "c/o John Smith, 12 High Street, London SW1A 1AA",
}
SENTENCES = (
    "I moved to {} last week.",
    "ship to:\nAnna Smith\n{}\n",
    "{}",
    "Address: {}\nDate: today",
)
NOT_FOUND = [
    "In 2003 The Court held, in Section 5 Street v. State",
    "section 172 of the Road Traffic Act", "he had 3 Big Dogs in 2001 Park",
    "Remembering 25 years", "on May 5, 2001 The Hague", "12345 and 1017",
    "3.14159, 2.71 and 1.5, 2.5", "PROTOCOL NO. 1 READ IN THE LIGHT",
    "on 12 March 1998 and in Article 5 of the Road Traffic Act",
    "Flight MH 17 and Super Bowl 50 and the 2014 Olympic ring",
    "decision no. II FZ 651/07 of 18 January 2008",
    "6 September 1984, Brigade 3, Division 1",
    "[2004] 2 Cr. App. R. 26, 1 AC 345",
    "the 1907 FA Cup, 9000 BP and 2011 TV Choice",
    "born 1/2/1990, number 5, 3 of 4, 12 months",
    "paid with card 4084-5705-3651-4168-338, valid",
    "Wired via NAAGIRFJ on 30 May, doi:10.1063/1.1897570",
    "University of Tasmania, 1991",
    "he won 3 Silver Medals in 2010, 2012 and 2016",
]  # fmt: skip


def test_found_and_not_found(check_hits):
    for marked in (*FOUND, *NOT_FOUND):
        check_hits(RECOGNIZE, marked)


@pytest.mark.parametrize("country", ADDRESSES)
def test_countries(country):
    """Each character of an address lies in one hit, and nothing around it does."""
    address = ADDRESSES[country]
    for sentence in SENTENCES:
        text = sentence.format(address)
        hits = [h for h in RECOGNIZE(text) if h.subtype == "ADDRESS"]
        assert [text[h.start : h.end].rstrip(".") for h in hits] == [
            address.rstrip(".")
        ]
        assert hits[0].start == text.index(address)
        assert hits[0].reason


def test_reasons():
    (found,) = make_address_patterns()("at 12 High Street, London SW1A 1AA")
    assert found.reason == "number and street word; British post code"
    assert found.source == "pattern:ADDRESS"


def test_countries_chosen():
    german = make_address_patterns(countries=["DE"])
    assert [h.end for h in german("Hauptstr. 12a, 10115 Berlin")] == [27]
    assert not list(german("lives at 12 Jalan Tun Ismail, and SW1A 2AA"))


def test_without_post_codes():
    assert not list(make_address_patterns(postcodes=False)("zip code 12345"))


def test_repeated_lines_are_all_found():
    line = "12 High Street, London SW1A 1AA\n"
    assert len(list(make_address_patterns()(line * 50))) == 50


@pytest.mark.parametrize(
    "fragment", ["12 High ", "1 A\n", "No. 1 ", "९Ø4-x3-", "1 a street "]
)
@pytest.mark.linear
def test_linear(fragment, check_time):
    check_time(make_address_patterns(), fragment)


def test_without_coordinates():
    assert not list(make_address_patterns(coordinates=False)("51.5074, -0.1278"))
