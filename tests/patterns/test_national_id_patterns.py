import pytest

from spacy_deid.patterns.ids.national_ids import make_national_id_patterns

DETAILS = [
    ("SSN ", "536-90-4399", "US_SSN"),
    ("", "536-90-4399", "US_SSN"),
    ("", "AB123456C", "GB_NINO"),
    ("NI number ", "AB 12 34 56 C", "GB_NINO"),
    ("NHS number ", "943 476 5919", "GB_NHS"),
    ("Steuer-ID ", "36574261809", "DE_IDNR"),
    ("", "1 85 05 78 006 084 91", "FR_NIR"),
    ("", "12345678Z", "ES_DNI"),
    ("NIE ", "X1234567L", "ES_NIE"),
    ("", "RSSMRA85T10A562S", "IT_CODICE_FISCALE"),
    ("BSN ", "111222333", "NL_BSN"),
    ("", "85.07.30-033.28", "BE_NN"),
    ("PESEL: ", "44051401458", "PL_PESEL"),
    ("personnummer ", "880320-0016", "SE_PERSONNUMMER"),
    ("fødselsnummer ", "15108695088", "NO_FODSELSNUMMER"),
    ("CPR ", "211062-5629", "DK_CPR"),
    ("", "131052-308T", "FI_HETU"),
    ("", "756.9217.0769.85", "CH_AHV"),
    ("NIF ", "501964843", "PT_NIF"),
    ("PPS no. ", "6433435F", "IE_PPS"),
    ("SIN ", "123-456-782", "CA_SIN"),
    ("tax file number ", "123 456 782", "AU_TFN"),
    ("", "390.533.447-05", "BR_CPF"),
    ("Aadhaar ", "2341 2341 2346", "IN_AADHAAR"),
]
NAMED = [
    "passport no. <<A1234567|PASSPORT>>, passport number: <<123456789|PASSPORT>>",
    "driver's license <<D1234567|DRIVER_LICENCE>>",
    "driving licence no. <<MORGA657054SM9IJ|DRIVER_LICENCE>>",
    "VAT No <<GB123456789|TAX_ID>>",
]
DETAILS += [
    ("", "536 90 4399", "US_SSN"),
    ("Doe,", "536-90-4399", "US_SSN"),
    ("", "***-**-4399", "US_SSN"),
    ("my ssn is ", "536904399", "US_SSN"),
    # An area that is never given out, and a typing error.
    ("", "666-12-3456", "US_SSN"),
    ("SSN ", "900-12-3456", "US_SSN"),
    ("ITIN ", "912-70-1234", "US_ITIN"),
    ("EIN: ", "12-3456789", "US_EIN"),
    ("MBI ", "1EG4-TE5-MK73", "US_MBI"),
    ("NPI: ", "1234567893", "US_NPI"),
    ("DEA number ", "AB1234563", "US_DEA"),
    ("Medicare card ", "2123 45670 1", "AU_MEDICARE"),
    ("NHI ", "ZZZ0016", "NZ_NHI"),
    ("OHIP: ", "9876-543-217", "CA_OHIP"),
    ("", "DOEJ 9051 0112", "CA_RAMQ"),
    ("Sozialversicherungsnummer: ", "65 170839 J 003", "DE_RVNR"),
    ("svnr ", "1237 010180", "AT_VNR"),
    ("NUSS ", "281234567840", "ES_NUSS"),
    ("ТАЙ taj: ", "123 456 788", "HU_TAJ"),
    ("снилс ", "112-233-445 95", "RU_SNILS"),
    ("ИНН: ", "7707083893", "RU_INN"),
    ("паспорт ", "45 08 123456", "RU_PASSPORT"),
    ("rodné číslo ", "710319/2745", "CZ_RC"),
    ("CNP: ", "1630615123457", "RO_CNP"),
    ("егн ", "7523169263", "BG_EGN"),
    ("ΑΜΚΑ ", "01013099997", "GR_AMKA"),
    ("isikukood ", "36805280109", "EE_IK"),
    ("T.C. Kimlik No ", "17291716060", "TR_TCKIMLIK"),
    ("teudat zehut ", "039337423", "IL_IDNR"),
    ("", "784-1987-1234567-1", "AE_EID"),
    ("身份证号码:", "11010519491231002X", "CN_RIC"),
    ("", "S1234567D", "SG_NRIC"),
    ("", "BOXW310820HNERXN09", "MX_CURP"),
    ("", "30.686.957-4", "CL_RUT"),
    ("CUIT ", "20-05536168-2", "AR_CUIT"),
    ("", "ABCPE1234F", "IN_PAN"),
    ("", "MORGA657054SM9IJ", "GB_LICENCE"),
    ("", "CHE-107.787.577", "CH_UID"),
    ("DL: ", "D123-4567-8901", "US_LICENCE_IL"),
    ("National ID (UK): ", "JE 35 10 65 B", "GB_NINO"),
]
NAMED += [
    "ssn ending in <<1234|NATIONAL_ID>>",
    "passport numbers <<123456789|PASSPORT>> and <<234567890|PASSPORT>>",
    "Reisepassnummer: <<C01X00T47|PASSPORT>>",
    "numéro de passeport <<09AB12345|PASSPORT>>",
    "Führerschein: <<B072RRE2I55|DRIVER_LICENCE>>",
    "permis de conduire n° <<123456789012|DRIVER_LICENCE>>",
    "driver's license # <<R07 003 798|DRIVER_LICENCE>>",
    "Insurance ID: <<YUL140523098|HEALTH_ID>>",
    "Health card <<5208 22187 3|HEALTH_ID>>, valid",
    "tax number: <<FR10 947568319|TAX_ID>>",
    "Social Security Number (SSN): <<536-90-4399|NATIONAL_ID>>",
    "número de afiliación: <<28/12345678/41|HEALTH_ID>>",
    "carta d'identità <<CA12345AA|NATIONAL_ID>>",
    "burgerservicenummer: <<111222333|NATIONAL_ID>>",
    "полис ОМС <<1234 5678 9012 3456|HEALTH_ID>>",
]
NAMED += ["dl: <<A1234567|DRIVER_LICENCE>>"]
NAMED += ["SSN<<536904399|NATIONAL_ID>>"]
NOT_FOUND = [
    # The start of a longer number is none.
    "VISA 4111 1111 1111 1111",
    "DOEJ-9051-0112-0112",
    "50b3bf55-9e3d-44fd-83ce-edb92e5f5976",
    "testosterone 588 ng/dl (270-1734)",
    "the GPS said 83.888647,21.448550",
    "ID card issued on 12.05.2001",
    "550e8400-e29b-41d4-a716-446655440000",
    "d41d8cd98f00b204e9800998ecf8427e",
    "timestamp 1700000000000, uid=100012345",
    "814 Larry Run Suite 300, Brianchester, PA 65383",
    "+1 536-90-4399-12",
    "a national identity of 100000 people",
    "SARS-CoV-2 in 2020",
    "tax of 100000 euros",
    "pas 100 000 habitants",
    "12345678901 and 123456789",
    "2020-01-01 12:00:01,123 INFO 1234567 [pid 23423]",
    "943 476 5919",
    "the passport was issued in 2004",
    "case 28045/02 of 13 March 2003",
    "1,234,567,890.12",
]


@pytest.mark.parametrize("left, value, detail", DETAILS)
def test_countries(families, left, value, detail):
    text = f"{left}{value}."
    hits = [(h.start, h.end, h.source) for h in families["national_id"](text)]
    assert hits == [(len(left), len(left) + len(value), f"pattern:{detail}")]


@pytest.mark.parametrize("marked", NAMED)
def test_named(check, marked):
    check("national_id", marked)


@pytest.mark.parametrize("text", NOT_FOUND)
def test_not_found(check, text):
    check("national_id", text)


def test_adjacent(families):
    text = "DNI 12345678Z 536-90-4399 219-09-9998"
    found = [text[h.start : h.end] for h in families["national_id"](text)]
    assert found == ["12345678Z", "536-90-4399", "219-09-9998"]


def test_settings():
    recognize = make_national_id_patterns(countries=["gb"])
    assert not list(recognize("12345678Z 131052-308T"))
    assert list(recognize("AB123456C"))
    with pytest.raises(ValueError, match="QQ"):
        make_national_id_patterns(countries=["QQ"])
