"""Settings, reasons and long texts of single families; see also `test_examples`."""

import pytest

from spacy_deid.patterns.contact.tlds import all_tlds, strong_tlds
from spacy_deid.patterns.ids.vehicles import vin_is_valid


def subtypes(recognize, text):
    return [h.subtype for h in recognize(text)]


def test_settings(make):
    text = "call 030 1234567 or visit example.com"
    assert not subtypes(make("contact", phones=False, domains=False), text)
    assert not subtypes(make("url", domains=False), "visit example.com")
    text = "user: bob, password: Hunter2!"
    assert subtypes(make("username", secrets=False), text) == ["USERNAME"]
    assert not subtypes(make("username", handles=False), "hi @bob_smith")
    text = "DE89370400440532013000 4111111111111111"
    assert subtypes(make("finance", kinds=["card"]), text) == ["CARD"]
    british = make("national_id", countries=["gb"])
    assert not subtypes(british, "12345678Z 131052-308T")
    assert subtypes(british, "AB123456C") == ["NATIONAL_ID"]
    assert not subtypes(make("postcode", countries=["US"]), "SW1A 2AA")
    assert subtypes(make("postcode", countries=["GB"]), "SW1A 2AA")
    assert not subtypes(make("address", postcodes=False), "zip code 12345")
    assert not subtypes(make("address", coordinates=False), "51.5074, -0.1278")
    assert not subtypes(make("quantity", counts=False), "three brothers, 5 sisters")
    for family in ("contact", "national_id", "vehicle", "finance"):
        name = "kinds" if family == "finance" else "countries"
        with pytest.raises(ValueError, match="XX"):
            make(family, **{name: ["XX"]})


def test_reasons_quote_nothing(make):
    secrets = list(make("secret")("password: Hunter2! token=abc123def456"))
    assert secrets
    for h in secrets:
        assert "unter" not in h.reason and "abc" not in h.reason
    (h,) = make("record_number")("Customer reference (Zebulon): QX-998877")
    assert "customer reference" in h.reason and "Zebulon" not in h.reason


def test_strong_names_of_records_score_higher(make):
    texts = ("contract 12345678", "contract number 12345678")
    weak, strong = (next(iter(make("record_number")(t))).score for t in texts)
    assert weak < strong


def test_every_top_level_domain(make):
    recognize = make("url")
    assert strong_tlds() < all_tlds()
    for tld in sorted(all_tlds()):
        text = f"Our website is www.smith-jones.{tld} now."
        (hit,) = recognize(text)
        assert text[hit.start : hit.end] == f"www.smith-jones.{tld}"


def test_check_digit_of_vehicles():
    assert vin_is_valid("1M8GDM9AXKP042788")
    for wrong in ("1M8GDM9A0KP042788", "1M8GDM9AXKP04278I", ""):
        assert not vin_is_valid(wrong)
