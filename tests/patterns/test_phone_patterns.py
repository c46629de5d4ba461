import phonenumbers
import pytest

from spacy_deid.patterns.contact.phones import make_phone_patterns

FIND = make_phone_patterns()


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
        hits, end = FIND(template.format(value)), start + len(value)
        found.append(any(h.start <= start and h.end >= end for h in hits))
    return sum(found) / len(found)


@pytest.mark.parametrize("template", ["We have {} on file.", "{}", "Call {} now"])
def test_examples_of_all_regions(template):
    formats = phonenumbers.PhoneNumberFormat
    for form in (formats.INTERNATIONAL, formats.E164):
        assert _recall(template, _examples(form)) > 0.99
    values = [v for v in _examples(formats.NATIONAL) if sum(map(str.isdigit, v)) > 7]
    least = {"Call {} now": 0.98, "We have {} on file.": 0.9}.get(template, 0)
    assert _recall(template, values) > least


def test_reasons_name_no_digits():
    text = "phone 020 7946 0958, +1 212 555 0123, (030) 1234567, 555-1234 (home)"
    hits = list(FIND(text))
    assert len(hits) == 4
    for h in hits:
        assert h.reason and not any(map(str.isdigit, h.reason))
