import re

import pytest
from stdnum import iban, luhn
from stdnum.es import dni
from stdnum.gb import nhs
from stdnum.pl import pesel

from spacy_deid.names import fold

KEYS = [b"1", b"2", b"3"]


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize(
    ("text", "subtype", "shape"),
    [
        ("28045/02", "", r"[1-9]\d{4}/\d\d"),
        ("28045/02", "CASE_NUMBER", r"[1-9]\d{4}/\d\d"),
        ("nos. 65731/01 and 65900/01", "", r"nos\. \d{5}/\d\d and \d{5}/\d\d"),
        ("NJA 2005 p. 884", "", r"[A-Z]{3} 20\d\d p\. \d{3}"),
        ("bob@royds.co.uk", "EMAIL", r"\w+@example\.(com|org|net)"),
        ("info@royds.co.uk", "EMAIL", r"info@example\.(com|org|net)"),
        (
            "https://www.royds.co.uk/people/x12.html?id=23",
            "URL",
            r"https://www\.example\.(com|org|net)/people/\w+\.html\?id=\d\d",
        ),
        ("royds.com", "DOMAIN", r"example\.(com|org|net)"),
        ("+44 20 7123 4567", "PHONE", r"\+44 20 7946 0\d{3}"),
        ("020 7123 4567", "PHONE", r"020 7946 0\d{3}"),
        ("07912 345 678", "PHONE", r"07700 900 \d{3}"),
        ("01223 345678", "PHONE", r"01632 960\d{3}"),
        ("(212) 664-7665", "PHONE", r"\(\d{3}\) 555-01\d\d"),
        ("+1-212-664-7665 ext. 33", "PHONE", r"\+1-\d{3}-555-01\d\d ext\. \d\d"),
        ("+33 1 42 68 53 00", "PHONE", r"\+33 1 99 00 \d\d \d\d"),
        ("+90 532 123 45 67", "PHONE", r"\+90 \d{3} \d{3} \d\d \d\d"),
        ("10.1.2.3", "", r"(192\.0\.2|198\.51\.100|203\.0\.113)\.\d{1,3}"),
        ("10.1.2.3/24", "IP", r"(192\.0\.2|198\.51\.100|203\.0\.113)\.\d{1,3}/24"),
        ("fe80::1ff:fe23:4567:890a", "", r"2001:db8:[0-9a-f:]+"),
        ("00:1B:44:11:3A:B7", "", r"00:00:5E:00:53:[0-9A-F]{2}"),
        ("123-45-6789", "NATIONAL_ID", r"9\d\d-\d\d-\d{4}"),
        ("AB123456C", "NATIONAL_ID", r"[A-Z]{2}\d{6}[A-D]?[A-Z]?"),
        ("@bobmurray", "USERNAME", r"@\w+"),
        ("hunter2!", "PASSWORD", r"[a-z]{6}\d\W|[a-z]{6}\d_"),
        ("DEUTDEFF500", "BIC", r"[A-Z]{4}DE[A-Z]{2}\d{3}"),
        ("AB12 CDE", "PLATE", r"[A-Z]{2}\d\d [A-Z]{3}"),
        ("P1234567", "PASSPORT", r"[A-Z]\d{7}"),
        ("0x52908400098527886E0F7030069857D2E4169EE7", "CRYPTO", r"0x[0-9a-f]{40}"),
    ],
)
def test_form_of_codes(replace, text, subtype, shape, key):
    out = replace([(text, "CODE", subtype)], key)[0]
    assert re.fullmatch(shape, out), out
    assert out != text


@pytest.mark.parametrize("key", KEYS)
def test_check_digits(replace, key):
    out = replace(
        [
            ("GB29 NWBK 6016 1331 9268 19", "CODE"),
            ("4532 0151 1283 0366", "CODE", "CARD"),
            ("12345678Z", "CODE", "NATIONAL_ID"),
            ("943 476 5919", "CODE", "HEALTH_ID"),
            ("44051401359", "CODE", "NATIONAL_ID"),
        ],
        key,
    )
    assert iban.is_valid(out[0], check_country=False) and out[0].startswith("GB")
    assert luhn.is_valid(out[1].replace(" ", "")) and len(out[1]) == 19
    assert dni.is_valid(out[2])
    assert nhs.is_valid(out[3])
    assert pesel.is_valid(out[4])


@pytest.mark.parametrize("key", KEYS)
def test_vin_has_its_check_digit(replace, key):
    values = dict(zip("ABCDEFGHJKLMNPRSTUVWXYZ", map(int, "12345678123457923456789")))
    out = replace([("1HGCM82633A004352", "CODE")], key)[0]
    weights = (8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2)
    rest = (
        sum((int(c) if c.isdigit() else values[c]) * w for c, w in zip(out, weights))
        % 11
    )
    assert out[8] == ("X" if rest == 10 else str(rest))


@pytest.mark.parametrize("key", KEYS)
def test_addresses_follow_the_new_names(replace, key):
    out = replace(
        [
            ("Mr Robert Murray", "PERSON"),
            ("robert.murray@royds.co.uk", "CODE", "EMAIL"),
            ("r.murray@royds.co.uk", "CODE", "EMAIL"),
            ("rmurray77@gmail.com", "CODE", "EMAIL"),
            ("@RobertMurray", "CODE", "USERNAME"),
            ("www.royds.co.uk", "CODE", "URL"),
        ],
        key,
    )
    given, family = (w.lower() for w in out[0].split()[1:])
    assert out[1].startswith(f"{given}.{family}@")
    assert out[2].startswith(f"{given[0]}.{family}@")
    assert re.match(rf"{given[0]}{family}\d\d@", out[3])
    assert given in out[4].lower() or family in out[4].lower()
    # One host, one new host.
    assert out[1].split("@")[1] == out[2].split("@")[1] == out[5].removeprefix("www.")
    assert out[3].split("@")[1] != out[1].split("@")[1]


def test_a_code_written_two_ways_stays_one(replace):
    out = replace(
        [
            ("AB-123-456", "CODE", "RECORD_NUMBER", 1),
            ("AB123456", "CODE", "RECORD_NUMBER", 1),
        ]
    )
    assert out[0].replace("-", "") == out[1]


def test_case_numbers_follow_the_shift(replace):
    out = replace(
        [("1 March 2001", "DATETIME"), ("28045/02", "CODE"), ("123/1999", "CODE")]
    )
    step = round(int(out[0].split()[-1]) - 2001)
    assert abs(int(out[2].split("/")[1]) - 1999 - step) <= 1


def test_different_codes_stay_different(replace):
    rows = [(str(n), "CODE", "ACCOUNT", n) for n in range(10, 60)]
    assert len(set(replace(rows, forbidden=lambda _: False))) == len(rows)


@pytest.mark.parametrize("key", [b"one", b"two", b"three"])
def test_sites_and_users_follow_the_new_names(replace, key):
    rows = [
        ("Nora Eastwood", "PERSON", "", 0),
        ("Blue Heron Bakery Ltd", "ORG", "", 1),
        ("www.noraeastwood.co.uk", "CODE", "URL", 2),
        ("nora-eastwood.com", "CODE", "DOMAIN", 3),
        ("https://blueheronbakery.com/people/nora-eastwood", "CODE", "URL", 4),
        ("noraeastwood", "CODE", "USERNAME", 5),
        ("info@blueheronbakery.com", "CODE", "EMAIL", 6),
        ("www.somebodyelse.com", "CODE", "URL", 7),
    ]
    person, firm, own, dashed, page, user, mail, other = replace(rows, key)
    first, last = (fold(word) for word in person.split())
    site = re.sub(r"[^a-z0-9]", "", fold(firm.removesuffix(" Ltd")))
    assert re.fullmatch(rf"www\.{first}{last}\.example\.(com|org|net)", own)
    assert re.fullmatch(rf"{first}-{last}\.example\.(com|org|net)", dashed)
    assert re.fullmatch(
        rf"https://{site}\.example\.(com|org|net)/people/{first}-{last}", page
    )
    assert user == first + last
    assert mail.split("@")[1] == page.split("/")[2]
    assert re.fullmatch(r"www\.(\w+\.)?example\.(com|org|net)", other)
