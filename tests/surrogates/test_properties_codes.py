"""What surrogates of codes and contacts keep, checked by python-stdnum and phonenumbers."""

import re
from functools import partial

import phonenumbers
import pytest
from hypothesis import assume
from hypothesis import strategies as st
from phonenumbers import geocoder
from stdnum import iban, luhn
from stdnum.de import idnr
from stdnum.es import cif, dni, nie
from stdnum.gb import nhs
from stdnum.pl import pesel
from stdnum.ru import inn

from .properties import (
    LANGS,
    LATIN,
    deid,
    deid_each,
    deid_one,
    examples,
    for_address,
    given,
    plain,
    surnames,
)


def shape(text):
    """Classes of the characters: capitals, small letters, figures, others as they are."""
    text = re.sub(r"[^\W\d_]", lambda m: "A" if m[0].isupper() else "a", text)
    return re.sub(r"\d", "0", text)


latin = st.characters(codec="ascii", categories=["Lu", "Ll", "Nd"])
run = st.text(latin, min_size=2, max_size=6)
codes = st.lists(run, min_size=2, max_size=4).flatmap(
    lambda runs: st.sampled_from("-/ .").map(lambda sep: sep.join(runs))
)


@examples(LANGS, code=codes, subtype=st.sampled_from(["RECORD_NUMBER", "ACCOUNT"]))
def test_one_code_has_one_surrogate_of_its_length_and_characters(
    lang, code, subtype, key
):
    assume(sum(map(str.isdigit, code)) > 2)
    texts = [code, f"{code}7", code]
    first, other, again = deid_each(lang, texts, "CODE", subtype, key=key)
    assert first == again != other
    assert shape(first) == shape(code) and first != code


def digits(n):
    return st.text("0123456789", min_size=n, max_size=n)


def make_iban(country, bban):
    return country + iban.calc_check_digits(f"{country}00{bban}") + bban


ibans = st.one_of(
    digits(18).map(lambda d: make_iban("DE", d)),
    digits(14).map(lambda d: make_iban("GB", "NWBK" + d)),
    digits(20).map(lambda d: make_iban("ES", d)),
    digits(16).map(lambda d: make_iban("AT", d)),
)


def completed(module, bodies, ends=range(1000)):
    """Whether a number is valid, and valid ones that begin so."""
    valid = module.is_valid
    return valid, bodies.map(
        lambda body: next((n for end in ends if valid(n := f"{body}{end}")), "")
    )


LETTERS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
ORDERS = st.permutations("123456789").map(lambda p: "".join(p) + p[0])
PERSONAL = digits(10).map(lambda d: d + inn.calc_personal_check_digits(d))
CARD = completed(luhn, digits(14).map("4{}".format))
IBAN = partial(iban.is_valid, check_country=False), ibans
# By language and subtype: whether a number is one, and such numbers.
NUMBERS = {
    "es NATIONAL_ID dni": completed(dni, digits(8), LETTERS),
    "es NATIONAL_ID nie": completed(nie, digits(7).map("X{}".format), LETTERS),
    "es TAX_ID cif": completed(cif, digits(7).map("A{}".format), LETTERS),
    "de TAX_ID idnr": completed(idnr, ORDERS),
    "en HEALTH_ID nhs": completed(nhs, digits(9)),
    "en NATIONAL_ID pesel": (pesel.is_valid, st.just("44051401359")),
    "ru TAX_ID inn": (inn.is_valid, PERSONAL),
    **{f"{lang} IBAN": IBAN for lang in LANGS},
    **{f"{lang} CARD": CARD for lang in LANGS},
}


@pytest.mark.parametrize("name", NUMBERS)
@examples(data=st.data(), spaced=st.booleans())
def test_numbers_with_a_check_pass_it(name, data, spaced, key):
    is_valid, texts = NUMBERS[name]
    text = data.draw(texts)
    assume(is_valid(text))
    lang, subtype, *other = name.split()
    if spaced and not other:
        text = " ".join(re.findall(".{1,4}", text))
    new = deid_one(lang, text, "CODE", subtype, key=key)
    assert is_valid(new.replace(" ", "")) and shape(new) == shape(text) != new != text
    assert subtype != "IBAN" or new[:2] == text[:2]


@examples(LATIN, data=st.data(), last=surnames, form=st.integers(0, 4))
def test_addresses_are_made_of_new_names(lang, data, last, form, key):
    first = data.draw(given(lang, False))
    assume(plain(first)[0] != plain(last)[0])

    def local(*names):
        one, other = (for_address(name, lang) for name in names)
        forms = "{0}.{1}", "{2}.{1}", "{0}_{1}", "{1}.{0}", "{0}.{1}83"
        return forms[form].format(one, other, one[0])

    mail = f"{local(first, last)}@wexley.org"
    parts = [(f"{first} {last}", "PERSON"), " = ", (mail, "CODE", "EMAIL")]
    name, new = deid(lang, parts, key).texts
    user, host = new.split("@")
    assert re.fullmatch(r"(?:[\w-]+\.)?example\.(?:com|org|net)", host)
    assert re.sub(r"\d", "0", user) == re.sub(r"\d", "0", local(*name.split()))


@examples(LANGS, name=run.map(str.lower), page=run.map(str.lower))
def test_sites_are_reserved_ones(lang, name, page, key):
    assume(name.isalpha() and page.isalpha())
    url = f"https://www.{name}wex.co.uk/{page}/index.html?id=17"
    new = deid_one(lang, url, "CODE", "URL", key=key)
    match = re.fullmatch(
        r"https://(?:[\w-]+\.)*example\.(?:com|org|net)/\w+/\w+\.html\?id=\d\d", new
    )
    assert match and f"{name}wex" not in new


@examples(
    LANGS, area=st.sampled_from(["20 7946", "161 850", "121 400"]), rest=digits(4)
)
def test_british_numbers_are_kept_for_fiction(lang, area, rest, key):
    text = f"+44 {area} {rest}"
    new = deid_one(lang, text, "CODE", "PHONE", key=key)
    number = phonenumbers.parse(new, None)
    assert number.country_code == 44 and phonenumbers.is_possible_number(number)
    # Ofcom's numbers for drama.
    assert re.match(
        r"2079460|(?:11[3-8]|1[2-6]1)4960|1914980|1632960|2896496|2920180|7700900"
        r"|8081570|9098790|3069990",
        str(number.national_number),
    )
    assert new != text


@pytest.mark.parametrize(("lang", "prefix"), [("de", "+49 89"), ("es", "+34 95")])
@examples(rest=digits(7))
def test_telephones_stay_in_their_country(lang, prefix, rest, key):
    text = f"{prefix} {rest}"
    new = deid_one(lang, text, "CODE", "PHONE", key=key)
    number = phonenumbers.parse(new, None)
    assert phonenumbers.is_possible_number(number)
    assert new[:3] == text[:3] and new != text


AREAS = {"Sevilla": 955, "Bilbao": 944, "Zaragoza": 976, "Valencia": 963, "Murcia": 968}


@examples(town=st.sampled_from(sorted(AREAS)), rest=digits(6))
def test_spanish_areas_are_those_of_the_new_town(town, rest, key):
    parts = ["Vive en ", (town, "LOC", "CITY"), ", tel. "]
    number = f"+34 {AREAS[town]} {rest[:3]} {rest[3:]}"
    new_town, phone = deid("es", [*parts, (number, "CODE", "PHONE"), "."], key).texts
    number = phonenumbers.parse(phone, None)
    province = plain(geocoder.description_for_number(number, "es"))
    assert deid("es", [*parts[:2], "."], key).texts == [new_town]
    assert province != plain(town)
