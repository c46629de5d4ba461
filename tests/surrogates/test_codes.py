import ipaddress
import random
import re
import uuid

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from spacy_deid.data import facts
from spacy_deid.patterns.ids.checks import is_valid
from spacy_deid.surrogates.base import Draws
from spacy_deid.surrogates.internet import Handles, code_words
from spacy_deid.text.numbers import ONES, TENS

from .properties import deid_each

KEYS = [b"1", b"2", b"3"]
# Check digits and check letters.
ENDS = "0123456789ABCDEFGHJKLMNPQRSTVWXYZ"


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


def test_vin_has_its_check_digit(replace):
    letters = dict(zip("ABCDEFGHJKLMNPRSTUVWXYZ", "12345678123457923456789"))
    weights = (8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2)
    for key in KEYS:
        (out,) = replace([("1HGCM82633A004352", "CODE")], key)
        rest = sum(int(letters.get(c, c)) * w for c, w in zip(out, weights)) % 11
        assert out[8] == ("X" if rest == 10 else str(rest))


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
@given(code=st.uuids(version=4))
@settings(max_examples=20, deadline=None)
def test_figures_to_the_base_16_stay_such(replace, code, key):
    for text in (str(code), str(code).upper(), code.hex * 2):
        (out,) = replace([(text, "CODE")], key)
        assert (
            re.sub(r"[^\W_]", "x", out) == re.sub(r"[^\W_]", "x", text) and out != text
        )
        case = str.lower if text.islower() else str.upper
        assert set(out) <= set(case("-0123456789abcdef"))
    (out,) = replace([(str(code), "CODE")], key)
    assert uuid.UUID(out).version == 4 and uuid.UUID(out).variant == uuid.RFC_4122


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
