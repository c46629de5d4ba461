"""Settings, reasons and long texts of single families; see also `test_examples`."""

import html
from urllib.parse import quote

import phonenumbers
import pytest

from spacy_deid.patterns.contact.emails import make_email_patterns
from spacy_deid.patterns.contact.phones import make_phone_patterns
from spacy_deid.patterns.contact.tlds import all_tlds, strong_tlds
from spacy_deid.patterns.ids.vehicles import vin_is_valid

from ..cases import cases

PHONES, EMAILS = make_phone_patterns(), make_email_patterns()
TWO = ("anna.k@example.org", "bob@mail.example.com")


def test_settings_and_unknown_countries_and_kinds(make):
    for family, given, text, subtypes in cases(__file__, "settings"):
        assert [h.subtype for h in make(family, **given)(text)] == subtypes, text
    for family in ("contact", "national_id", "vehicle", "finance"):
        with pytest.raises(ValueError, match="XX"):
            make(family, **{"kinds" if family == "finance" else "countries": ["XX"]})


def test_reasons_quote_nothing_and_strong_names_score_higher(make):
    text = "phone 020 7946 0958, +1 212 555 0123, (030) 1234567, 555-1234 (home)"
    reasons = [h.reason for h in PHONES(text)]
    assert len(reasons) == 4 and all(reasons)
    assert not any(map(str.isdigit, "".join(reasons)))
    secrets = list(make("secret")("password: Hunter2! token=abc123def456"))
    assert secrets
    for h in secrets:
        assert "unter" not in h.reason and "abc" not in h.reason
    (h,) = make("record_number")("Customer reference (Zebulon): QX-998877")
    assert "customer reference" in h.reason and "Zebulon" not in h.reason
    texts = ("contract 12345678", "contract number 12345678")
    weak, strong = (next(iter(make("record_number")(t))).score for t in texts)
    assert weak < strong


def test_every_top_level_domain_and_check_digits_of_vehicles(make):
    recognize = make("url")
    assert strong_tlds() < all_tlds()
    for tld in sorted(all_tlds()):
        text = f"Our website is www.smith-jones.{tld} now."
        (hit,) = recognize(text)
        assert text[hit.start : hit.end] == f"www.smith-jones.{tld}"
    assert vin_is_valid("1M8GDM9AXKP042788")
    for wrong in ("1M8GDM9A0KP042788", "1M8GDM9AXKP04278I", ""):
        assert not vin_is_valid(wrong)


def test_two_addresses_stay_two_and_invisible_characters_hide_nothing():
    for gap in ",;/|\n\t\u200b\u2060 ":
        text = gap.join(TWO)
        assert [text[h.start : h.end] for h in EMAILS(text)] == list(TWO), gap
    for hidden in "\u200b\u00ad\u2060":
        address = hidden.join(TWO[0])
        (hit,) = EMAILS(f"to {address}.")
        assert (hit.start, hit.end) == (3, 3 + len(address))


def test_encoded_addresses():
    for encode in (
        lambda s: s.replace("@", "&#64;"),
        lambda s: s.replace("@", "&commat;").replace(".", "&period;"),
        lambda s: "".join(f"&#{ord(c)};" for c in s),
        lambda s: "".join(f"&#x{ord(c):x};" for c in s),
        lambda s: quote(s, safe=""),
    ):
        value = encode(TWO[0])
        text = f"write to {value} today"
        assert TWO[0] in html.unescape(text) or "%40" in text
        (hit,) = EMAILS(text)
        assert text[hit.start : hit.end].rstrip(";") == value.rstrip(";")
        assert "disguised" in hit.reason


def _examples(form):
    kinds = phonenumbers.PhoneNumberType
    for region in sorted(phonenumbers.SUPPORTED_REGIONS):
        for kind in (kinds.FIXED_LINE, kinds.MOBILE, kinds.TOLL_FREE):
            number = phonenumbers.example_number_for_type(region, kind)
            if number is not None:
                yield phonenumbers.format_number(number, form)


def _recall(template, values):
    start, found = template.index("{}"), []
    for value in values:
        hits, end = PHONES(template.format(value)), start + len(value)
        found.append(any(h.start <= start and h.end >= end for h in hits))
    return sum(found) / len(found)


@pytest.mark.parametrize("template", ["We have {} on file.", "{}", "Call {} now"])
def test_telephones_of_all_regions(template):
    formats = phonenumbers.PhoneNumberFormat
    for form in (formats.INTERNATIONAL, formats.E164):
        assert _recall(template, _examples(form)) > 0.99
    values = [v for v in _examples(formats.NATIONAL) if sum(map(str.isdigit, v)) > 7]
    least = {"Call {} now": 0.98, "We have {} on file.": 0.9}.get(template, 0)
    assert _recall(template, values) > least


def test_lines_of_passports_and_messages_that_break_off(make):
    text = "P<GBRHOPE<<GRACE<MAY<<<<<<<<<<<<<<<<<<<<<<<<\nNM1*IL~ NM1*IL*1*HOPE~ PID|"
    found = [(text[h.start : h.end], h.subtype) for h in make("named_field")(text)]
    given = [("GRACE", "GIVEN_NAME"), ("MAY", "GIVEN_NAME")]
    assert found == [("HOPE", "FAMILY_NAME"), *given, ("HOPE", "FAMILY_NAME")]
    line = "1234567897GBR6403125F2908127<<<<<<<<<<<<<<04"
    (h,) = make("national_id")(line)
    assert (h.subtype, h.end - h.start) == ("PASSPORT", len(line))
