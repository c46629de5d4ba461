"""Settings, reasons and long texts of single families; see also `test_examples`."""

import pytest

from spacy_deid.patterns.contact.tlds import all_tlds, strong_tlds
from spacy_deid.patterns.ids.vehicles import vin_is_valid

from ..cases import cases


@pytest.mark.parametrize("family, given, text, subtypes", cases(__file__, "settings"))
def test_settings(make, family, given, text, subtypes):
    assert [h.subtype for h in make(family, **given)(text)] == subtypes


@pytest.mark.parametrize("family", ["contact", "national_id", "vehicle", "finance"])
def test_unknown_countries_and_kinds(make, family):
    with pytest.raises(ValueError, match="XX"):
        make(family, **{"kinds" if family == "finance" else "countries": ["XX"]})


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
