import re

import pytest

from spacy_deid.patterns.ids.record_numbers import make_record_number_patterns

FOUND = [
    "MRN: <<1234567>>",
    "MRN<<123456>>",
    "Patient ID <<00-123>>",
    "Invoice No. <<INV-2024-001>>",
    "Matrikelnummer <<123456>>",
    "n° de dossier <<45/2020>>",
    "Numéro de client : <<884711>>",
    "an order number #<<12345>>",
    "order <<ORD-99812>> was sent",
    'patient_id: "<<A-12345>>", "orderNumber": <<9931>>',
    "Kundennummer: <<88-1234>>, Rechnungs-Nr. <<2024-0815>>",
    "Nº historia clínica <<123456>>",
    "número de póliza: <<AB-12345>>",
    "numero di pratica <<2020-44>>",
    "klantnummer <<4711-22>>",
    "número do processo clínico <<998877>>",
    "номер заказа: <<4711-22>>",
    "медицинская карта № <<12345>>",
    "Student IDs: <<1234567>>, <<2345678>> and <<3456789>>",
    "Sample no. <<S-2021-44>>; specimen id <<99881>>",
    "employee number <<48213>>",
    "hospital number <<43-44-64>>",
    "POLICY NUMBER: <<PX 123 456>>",
    "shipped as <<TRK-0099812-A>>",
    "Loyalty card (gold): <<88123456>>",
    "policy number <<2024/4991>>",
]
FOUND += [
    "NºCol: <<28 28 70973>>.",
    "Episodio: <<638744>>",
    "GMC number <<7012345>>",
    "MRN <<1234567>> 2020",
    "MRN: <<MRN-150679>>",
    # The name of another number stands before the value.
    "CIPA: nhc-<<150679>>.",
]
NOT_FOUND = [
    "carcinoma urotelial (pT4aN1M0)",
    "Valor de referencia: 15-100",
    "the next patients, AGE 82",
    "an order of 100000 people",
    "in order 2004 to",
    "customers 15000",
    "the patient was 45 years old",
    "patient 12 months later",
    "policy 2019/20",
    "invoice 12/05/2024",
    "Invoice date: 2024-01-15",
    "order at 10:30",
    "a sample of 1200 students",
    "contract 1500 EUR",
    "booking for 2 people in 2024",
    "order: 50%",
    "receipt id: john2@example.org",
    "the chart shows 120000 cases",
]


@pytest.fixture(scope="module")
def recognize():
    return make_record_number_patterns()


@pytest.mark.parametrize("marked", FOUND)
def test_found(recognize, marked):
    text = marked.replace("<<", "").replace(">>", "")
    hits = list(recognize(text))
    assert [text[h.start : h.end] for h in hits] == re.findall("<<(.*?)>>", marked)
    assert all(h.subtype == "RECORD_NUMBER" and h.reason for h in hits)


@pytest.mark.parametrize("text", NOT_FOUND)
def test_not_found(recognize, text):
    assert not [text[h.start : h.end] for h in recognize(text)]


def test_strong_names_score_higher(recognize):
    weak, strong = (
        next(iter(recognize(text))).score
        for text in ("contract 12345678", "contract number 12345678")
    )
    assert weak < strong


def test_reasons_quote_our_lists_only(recognize):
    (h,) = recognize("Customer reference (Zebulon): QX-998877")
    assert "customer reference" in h.reason
    assert "Zebulon" not in h.reason


@pytest.mark.parametrize(
    "fragment", ["mrn12-34-56DE89 ", "order number 1 ", "n° de ", "patient id: A1, "]
)
@pytest.mark.linear
def test_linear(recognize, fragment):
    text = fragment * (400_000 // len(fragment))
    assert all(hit.end <= len(text) for hit in recognize(text))
