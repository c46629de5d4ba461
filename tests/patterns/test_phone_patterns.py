import phonenumbers
import pytest

from spacy_deid.patterns.contact.phones import make_phone_patterns


@pytest.fixture(scope="module")
def phones():
    return make_phone_patterns()


def _examples(form):
    kinds = phonenumbers.PhoneNumberType
    for region in sorted(phonenumbers.SUPPORTED_REGIONS):
        for kind in (kinds.FIXED_LINE, kinds.MOBILE, kinds.TOLL_FREE):
            number = phonenumbers.example_number_for_type(region, kind)
            if number is not None:
                yield phonenumbers.format_number(number, form)


def _recall(phones, template, values):
    start = template.index("{}")
    found = [
        any(
            h.start <= start and h.end >= start + len(value)
            for h in phones(template.format(value))
        )
        for value in values
    ]
    return sum(found) / len(found)


@pytest.mark.parametrize("template", ["We have {} on file.", "{}", "Call {} now"])
def test_examples_of_all_regions_international(phones, template):
    formats = phonenumbers.PhoneNumberFormat
    for form in (formats.INTERNATIONAL, formats.E164):
        assert _recall(phones, template, _examples(form)) > 0.99


def test_examples_of_all_regions_national(phones):
    values = [
        v
        for v in _examples(phonenumbers.PhoneNumberFormat.NATIONAL)
        if sum(map(str.isdigit, v)) > 7
    ]
    assert _recall(phones, "Call {} now", values) > 0.98
    assert _recall(phones, "We have {} on file.", values) > 0.9


def test_reasons_name_no_digits(phones):
    text = "phone 020 7946 0958, +1 212 555 0123, (030) 1234567, 555-1234 (home)"
    hits = list(phones(text))
    assert len(hits) == 4
    for h in hits:
        assert h.reason and not any(map(str.isdigit, h.reason))
