import phonenumbers
import pytest

from spacy_deid.patterns.contact.phones import (
    DEFAULT_COUNTRIES,
    make_phone_patterns,
)

FOUND = [
    "We have <<020 7946 0958|PHONE>> <<020 7946 0959|PHONE>>",
    "<<+442079460958|PHONE>><<+447700900123|PHONE>>",
    "2020-01-02 <<020 7946 0958|PHONE>>",
    "<<+44 (0)20 7946 0958|PHONE>>, <<+49 (0) 30 123456-78|PHONE>>, <<+1 (212) 555-0123|PHONE>>",
    "(<<217.665.2657x8536|PHONE>>) <<212-555-0123 ext. 4|PHONE>>; <<01 44 55 66 77 poste 3|PHONE>>",
    "tel. <<030 1234567|PHONE>> / <<030 1234568|PHONE>> or <<030 1234569|PHONE>>",
    "Phone/Fax <<0450 05 23 02|PHONE>>/<<01 234534925|PHONE>>",
    "<<1-800-FLOWERS|PHONE>>, <<(800) MY-APPLE|PHONE>>, <<0800 REVERSE|PHONE>>",
    "the desk is <<+44 20\n7946 0958|PHONE>>",
    "reach us at <<(212) 555-\n0123|PHONE>>.",
    "a,<<07 5521 3936|PHONE>>,b\n**<<2096036769|PHONE>>**",
    "<<138 1234 5678|PHONE>>, <<13812345678|PHONE>>",
    "<<8 (495) 123-45-67|PHONE>>, <<11 98765-4321|PHONE>>, <<98765 43210|PHONE>>",
    "<<+6432330350|PHONE>>\n<<23125198|PHONE>>",
    "<<555 1234|PHONE>> (home), <<555-9876|PHONE>> is my number",
    "T: <<020 7946 0958|PHONE>>\nF: <<7946 0959|PHONE>>",
    "☎ <<7946 0958|PHONE>>",
]
NOT_FOUND = [
    "order number 1234567890, OCLC 750831024, ISBN 0-253-15480-4, 0253154804",
    "NHC: 2456034157, NASS: 26 07896278 19",
    "Order of magnitude 1037, that is 828 754 820.",
    "Lines 363-1519 were removed, 4035-9902 added.",
    "f(1) = 34 + 7.474958 * 10^8",
    "123 456 789 people, 123 456 789 euros, 12 345 678 km",
    "4111 1111 1111 1111 and 536-90-4399 and 02139-1234",
    "52.520008, 13.404954; 3.14159265; 1,020 7946 0958",
    "in 1990-1995, 1914 1918, 2884-2896",
    "2020-01-01 12:00:01 INFO 4155552671 done",
    "123 456 789 012 345 678 901 234 567 890 " * 5,
    "DE89 3704 0044 0532 0130 00",
    "the score was 100-100, 21-12",
]


@pytest.fixture(scope="module")
def phones():
    return make_phone_patterns()


@pytest.mark.parametrize("marked", FOUND)
def test_found(check_hits, phones, marked):
    check_hits(phones, marked)


@pytest.mark.parametrize("text", NOT_FOUND)
def test_not_found(check_hits, phones, text):
    check_hits(phones, text)


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


def test_countries():
    assert set(DEFAULT_COUNTRIES) <= set(phonenumbers.SUPPORTED_REGIONS)
    with pytest.raises(ValueError, match="XX"):
        make_phone_patterns(countries=["XX"])
