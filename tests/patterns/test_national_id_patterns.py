import pytest

from spacy_deid.patterns.national_ids import make_national_id_patterns

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
NOT_FOUND = [
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
