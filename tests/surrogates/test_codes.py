import ipaddress
import random
import re
import uuid

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from stdnum import isbn

from spacy_deid.data import entries, facts
from spacy_deid.patterns.ids.checks import is_valid
from spacy_deid.surrogates.base import Draws
from spacy_deid.surrogates.internet import Handles, code_words
from spacy_deid.surrogates.phones import areas_of
from spacy_deid.text.names import fold
from spacy_deid.text.numbers import ONES, TENS

from .properties import deid_each

KEYS = [b"1", b"2", b"3"]
# Check digits and check letters.
ENDS = "0123456789ABCDEFGHJKLMNPQRSTVWXYZ"


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
        ("+44 20 7123 4567", "PHONE", r"\+44 2(8 9649 6|9 2018 0)\d{3}"),
        ("020 7123 4567", "PHONE", r"02(8 9649 6|9 2018 0)\d{3}"),
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
        (
            "afd@86.34.7.219",
            "USERNAME",
            r"\w+@(192\.0\.2|198\.51\.100|203\.0\.113)\.\d{1,3}",
        ),
        ("bob@box.local", "USERNAME", r"\w+@example\.(com|org|net)"),
        ("hunter2!", "PASSWORD", r"[a-z]{6}\d\W|[a-z]{6}\d_"),
        ("DEUTDEFF500", "BIC", r"[A-Z]{4}DE[A-Z]{2}\d{3}"),
        ("AB12 CDE", "PLATE", r"[A-Z]{2}\d\d [A-Z]{3}"),
        ("P1234567", "PASSPORT", r"[A-Z]\d{7}"),
        ("0x52908400098527886E0F7030069857D2E4169EE7", "CRYPTO", r"0x[0-9a-f]{40}"),
        ("593-762-075", "PASSWORD", r"\d{3}-\d{3}-\d{3}"),
        ("126895050006118973", "", r"\d{18}"),  # stdnum.cn.ric raises KeyError
        # No telephone keeps its area.
        (
            "0114 272 6444",
            "PHONE",
            r"(?!.*0114)(01\d\d 4[0-9]{2} 0\d{3}|01632 96\d? ?\d+)",
        ),
        ("(0131) 529 2000", "PHONE", r"(?!.*0131)(\(01\d\d\) 4\d\d 0\d{3})"),
        ("0191-277 8000", "PHONE", r"(?!.*0191)(01\d\d-4\d\d 0\d{3})"),
        ("(512) 974-2000", "PHONE", r"(?!.*512)(\(\d{3}\) 555-01\d\d)"),
        ("+46 8 508 290 00", "PHONE", r"(?!.*\+46 8 )(\+46 (31|40) [\d ]+)"),
    ],
)
def test_form_of_codes(replace, text, subtype, shape):
    for key in KEYS:
        out = replace([(text, "CODE", subtype)], key)[0]
        assert re.fullmatch(shape, out), out
        assert out != text


@pytest.mark.parametrize("name, lengths", facts("code_words")["checked"].items())
def test_lengths_of_checked_numbers(name, lengths):
    """Figures of other lengths are no such numbers, but where zeros are thought before
    them or anything is taken."""
    rng = random.Random(name)
    for length in set(range(4, 22)) - set(map(int, lengths.split())):
        figures = ("".join(rng.choices("0123456789", k=length)) for _ in range(100))
        assert name in ("nl.bsn", "il.idnr", "lei") or not any(
            is_valid(name, number) for number in figures
        )


def test_a_number_that_its_check_fails_on(replace):
    # stdnum.cn.ric raises KeyError.
    (new,) = replace([("126895050006118973", "CODE", "")], b"1")
    assert re.fullmatch(r"\d{18}", new) and new != "126895050006118973"


def test_vin_has_its_check_digit(replace):
    for key in KEYS:
        values = dict(
            zip("ABCDEFGHJKLMNPRSTUVWXYZ", map(int, "12345678123457923456789"))
        )
        out = replace([("1HGCM82633A004352", "CODE")], key)[0]
        weights = (8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2)
        rest = (
            sum(
                (int(c) if c.isdigit() else values[c]) * w for c, w in zip(out, weights)
            )
            % 11
        )
        assert out[8] == ("X" if rest == 10 else str(rest))


def test_addresses_follow_the_new_names(replace):
    for key in KEYS:
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
        assert (
            out[1].split("@")[1] == out[2].split("@")[1] == out[5].removeprefix("www.")
        )
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


@pytest.mark.parametrize("key", KEYS)
@given(hex_code=st.uuids(version=4))
@settings(max_examples=20, deadline=None)
def test_figures_to_the_base_16_stay_such(replace, hex_code, key):
    for text in (str(hex_code), str(hex_code).upper(), f"{hex_code.hex}{hex_code.hex}"):
        out = replace([(text, "CODE")], key)[0]
        assert (
            re.sub(r"[^\W_]", "x", out) == re.sub(r"[^\W_]", "x", text) and out != text
        )
        assert set(out) <= set(
            "-0123456789abcdef" if text.islower() else "-0123456789ABCDEF"
        )
    out = replace([(str(hex_code), "CODE")], key)[0]
    assert uuid.UUID(out).version == 4 and uuid.UUID(out).variant == uuid.RFC_4122


@pytest.mark.parametrize("subtype", ["USERNAME", "RECORD_NUMBER", "PASSWORD"])
def test_a_uuid_is_one_whatever_it_is_called(replace, subtype):
    old = "be2def59-3a08-42fd-8f84-6f64cfcefa93"
    (new,) = replace([(old, "CODE", subtype, 0, "uid=")])
    assert str(uuid.UUID(new)) == new != old


@pytest.mark.parametrize(
    ("text", "before"),
    [
        ("978-3-16-148410-0", ""),
        ("9791034304608", ""),
        ("ISBN 978 1 4028 9462 6", ""),
        ("0-8044-2957-X", "ISBN "),
    ],
)
def test_numbers_of_books_stay_such(replace, text, before):
    for key in KEYS:
        out = replace([(text, "CODE", "", 0, before)], key)[0]
        code, old = (t.removeprefix("ISBN ") for t in (out, text))
        assert isbn.is_valid(code) and code != old and out[:1] == text[:1]
        assert re.sub(r"[\dX]", "9", out) == re.sub(r"[\dX]", "9", text)


@pytest.mark.parametrize(
    ("lang", "town", "number", "shape"),
    [
        ("de", "Hamburg", "040 7712345", r"0(?!40)\d{2,3} \d+"),
        ("de", "Frankfurt am Main", "+49 69 771234567", r"\+49 (?!69)\d{2,3} \d+"),
        ("es", "Sevilla", "954 12 34 56", None),
        ("es", "Bilbao", "94 412 34 56", None),
        ("ru", "Казань", "8 (843) 222-33-44", None),
        ("ru", "Пермь", "+7 342 222-33-44", None),
    ],
)
def test_telephones_move_with_the_town(replace_in, lang, town, number, shape):
    for key in KEYS:
        rows = [(town, "LOC", "CITY"), (number, "CODE", "PHONE")]
        new, out = replace_in(lang, rows, key)
        assert len(re.sub(r"\D", "", out)) == len(re.sub(r"\D", "", number))
        if shape:
            assert re.fullmatch(shape, out), out
            return
        digits = re.sub(r"\D", "", out)
        code = {"es": "34", "ru": "7"}[lang]
        area = areas_of(code)[fold(new)]
        assert digits.startswith(area if lang == "es" else digits[0] + area)
        # The trunk prefix or the country's code stays.
        assert lang == "es" or digits[0] == re.sub(r"\D", "", number)[0]


@pytest.mark.parametrize(
    "text", ["8 926 765-43-21", "8(495)765-43-21", "8-912-765-43-21"]
)
def test_russian_telephones_are_known_by_their_trunk_prefix(replace_in, text):
    for key in KEYS:
        out = replace_in("ru", [(text, "CODE")], key)[0]
        assert out.startswith("8") and re.sub(r"\d", "9", out) == re.sub(
            r"\d", "9", text
        )


def test_sites_and_users_follow_the_new_names(replace):
    for key in [b"one", b"two", b"three"]:
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


@pytest.mark.parametrize(
    ("lang", "spellings"),
    [
        ("en", ("+44 20 7946 0123", "(020) 7946 0123", "02079460123", "0207 946 0123")),
        ("en", ("0161 496 0123", "+44 (0)161 496 0123", "0044 161 4960123")),
        ("en", ("+1 212 555 0187", "(212) 555-0187", "1-212-555-0187", "212.555.0187")),
        ("en", ("044 668 18 00", "+41 44 668 18 00")),
        ("de", ("+49 89 1234567", "089/1234567", "0049 89 1234567")),
        ("es", ("+34 912 345 678", "912345678", "91 234 56 78")),
        ("ru", ("+7 495 123-45-67", "8 (495) 123-45-67", "495 1234567")),
    ],
)
def test_spellings_of_one_telephone_number_stay_one(replace_in, lang, spellings):
    for key in KEYS:
        rows = [(text, "CODE", "PHONE", i) for i, text in enumerate(spellings)]
        out = replace_in(lang, rows, key)
        ends = {re.sub(r"\D", "", text)[-7:] for text in out}
        assert len(ends) == 1 and len(set(out)) == len(out)
        for old, new in zip(spellings, out):
            assert re.sub(r"[\d ]", "", old) == re.sub(r"[\d ]", "", new)
            assert old.startswith("+") == new.startswith("+")


@pytest.mark.parametrize("karen", ["Karen Doyle", "Ms K. Doyle"])
def test_initials_in_addresses_are_those_of_their_own_surname(replace, karen):
    for key in KEYS:
        rows = [
            ("Kevin Marsh", "PERSON"),
            (karen, "PERSON"),
            ("k.doyle@harbour.org", "CODE", "EMAIL"),
            ("kmarsh@harbour.org", "CODE", "EMAIL"),
            ("doylek", "CODE", "USERNAME"),
            ("k.d", "CODE", "USERNAME"),
        ]
        kevin, *out = replace([(*(*row, "")[:3], i) for i, row in enumerate(rows)], key)
        given, family = (fold(name) for name in kevin.split())
        first, last = (fold(name) for name in out[0].removeprefix("Ms ").split())
        assert out[1].startswith(f"{first[0]}.{last}@")
        assert out[2].startswith(f"{given[0]}{family}@")
        assert out[3] == f"{last}{first[0]}"
        assert out[4] == f"{first[0]}.{last[0]}"


def test_users_in_sites_follow_user_names(replace):
    for key in KEYS:
        rows = [
            ("https://example.net/~kdoyle", "CODE", "URL"),
            ("kdoyle", "CODE", "USERNAME"),
            ("site.com/kdoyle", "CODE", "URL"),
        ]
        first, user, second = replace(rows, key)
        assert first.endswith("/~" + user)
        assert second.endswith("/" + user)


def test_figures_behind_a_user_name_change_alone(replace):
    for key in KEYS:
        rows = [("Karen Doyle", "PERSON"), ("site.com/kdoyle85", "CODE", "URL")]
        name, site = replace(rows, key)
        user = fold(name[0] + name.split()[1])
        assert re.fullmatch(rf".*/{user}\d\d", site)


@pytest.mark.parametrize("key", KEYS)
def test_hyphens_of_a_password_are_its_form(replace, key):
    text = "593-762-075"
    (new,) = replace([(text, "CODE", "PASSWORD")], key)
    assert re.fullmatch(r"\d{3}-\d{3}-\d{3}", new) and new != text


@pytest.mark.parametrize("text", ["SAWR7202169P2", "GODE561231GR8", "110375-1234"])
def test_ids_with_a_date_of_birth_keep_no_initials(text):
    """What stands before the date tells the name, and has to go as well."""
    for n in range(20):
        (new,) = deid_each("es", [text], "CODE", key=f"key {n}")
        assert text[:3] != new[:3]


@settings(max_examples=40, deadline=None)
@given(n=st.integers(10**9, 10**10 - 1), key=st.text("abc", min_size=1, max_size=4))
@example(n=2_147_483_649, key="b")
@example(n=1_068_724_538, key="c")
@pytest.mark.parametrize("lang, check", [("de", "de.idnr"), ("es", "es.nie")])
def test_no_checked_number_keeps_its_beginning(lang, check, n, key):
    """Three characters in place are chance, six are the original."""
    made = (f"{n}{d}" if check == "de.idnr" else f"X{n % 10**7:07}{d}" for d in ENDS)
    text = next((number for number in made if is_valid(check, number)), None)
    if text is not None:
        (new,) = deid_each(lang, [text], "CODE", key=key)
        assert is_valid(check, new) and not new.startswith(text[:5])


def test_a_surname_that_folds_to_nothing_has_no_letter():
    """Names of random characters once made user names of two letters fail."""
    draws = Draws(lambda *_: random.Random(0), lambda _: False)
    draws.name_map["\u4e2d"] = "ren"
    draws.bearers[""] = {"k": "r"}
    new = Handles(draws).local("k.d", random.Random(1))
    assert re.fullmatch(r"[a-z]\.[a-z]", new)


@pytest.mark.parametrize("host", ["2001:618:400:0:0:0:d571:3ca2", "fe80::1ff:fe23"])
def test_a_machine_behind_a_user_keeps_the_form_of_an_address(replace, host):
    (new,) = replace([(f"zphinx@{host}", "CODE", "USERNAME")])
    user, _, machine = new.partition("@")
    assert user != "zphinx" and machine.startswith("2001:db8:")
    assert ipaddress.ip_address(machine) != ipaddress.ip_address(host)


@pytest.mark.parametrize(
    ("text", "subtype", "kept"),
    [
        ("the year of the heron", "PASSWORD", {0, 2, 3}),
        ("nightowl minus fjordpost", "EMAIL", set()),
        ("two seven", "", set()),
        ("Queen of hearts thirty", "", {1}),
    ],
)
def test_a_code_in_words_stays_one(replace, text, subtype, kept):
    """Nobody reads out "zkyk of the Ndjzuhmrb"; numbers in words stay numbers."""
    old = text.split()
    for key in KEYS:
        new = replace([(text, "CODE", subtype)], key)[0].split()
        assert len(new) == len(old)
        for i, (a, b) in enumerate(zip(old, new)):
            assert (a == b) == (i in kept)
            assert a.istitle() == b.istitle()
            assert (a in ONES + TENS) == (b in ONES + TENS)
            assert b in {*ONES, *TENS, *code_words("en"), b.title()} or i in kept


SAID_CODES = [
    ("es", "Cincuenta y cinco millones, ciento ocho", r"\w+ y \w+ millones, \w+ \w+"),
    ("de", "Ziffern vier vier eins", r"Ziffern \w+ \w+ \w+"),
    ("de", "siebzehn C, Schrägstrich, vierhundertvier", r"\w+ \w, Schrägstrich, \w+"),
    ("ru", "семь дефис четыре", r"\w+ дефис \w+"),
]


@pytest.mark.parametrize("lang, text, form", SAID_CODES)
def test_codes_said_stay_in_their_language(replace_in, lang, text, form):
    (new,) = replace_in(lang, [(text, "CODE", "ACCOUNT", 1)])
    assert re.fullmatch(form, new) and new != text


@pytest.mark.parametrize("lang, text", [("es", "caballo verde"), ("ru", "белый кот")])
def test_pass_phrases_are_of_the_language(replace_in, lang, text):
    (new,) = replace_in(lang, [(text, "CODE", "PASSWORD", 1)])
    assert set(new.split()) <= set(entries(f"lang/{lang}/code_words"))
