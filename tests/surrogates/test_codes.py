import ipaddress
import random
import re
import uuid

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from spacy_deid.data import facts
from spacy_deid.patterns.ids.checks import is_valid
from spacy_deid.patterns.ids.vehicles import vin_is_valid
from spacy_deid.surrogates.base import Draws
from spacy_deid.surrogates.internet import Handles, code_words
from spacy_deid.text.numbers import ONES, TENS

from ..cases import cases
from .properties import deid_each

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


def test_vin_has_its_check_digit(replace, key):
    assert vin_is_valid(replace([("1HGCM82633A004352", "CODE")], key)[0])


def test_case_numbers_follow_the_shift(replace):
    day, number = replace([("1 March 2001", "DATETIME"), ("123/1999", "CODE")])
    step = int(day.split()[-1]) - 2001
    assert abs(int(number.split("/")[1]) - 1999 - step) <= 1


def test_different_codes_stay_different(replace):
    rows = [(str(n), "CODE", "ACCOUNT", n) for n in range(10, 60)]
    assert len(set(replace(rows, forbidden=lambda _: False))) == len(rows)


@given(code=st.uuids(version=4), key=st.sampled_from([b"1", b"2", b"3"]))
@settings(max_examples=60, deadline=None)
def test_figures_to_the_base_16_stay_such(replace, code, key):
    for text in (str(code), str(code).upper(), code.hex * 2):
        (out,) = replace([(text, "CODE")], key)
        assert out != text and re.sub(r"\w", "x", out) == re.sub(r"\w", "x", text)
        case = str.lower if text.islower() else str.upper
        assert set(out) <= set(case("-0123456789abcdef"))
    (out,) = replace([(str(code), "CODE")], key)
    assert uuid.UUID(out).version == 4 and uuid.UUID(out).variant == uuid.RFC_4122


@settings(max_examples=40, deadline=None)
@given(n=st.integers(10**9, 10**10 - 1), key=st.text("abc", min_size=1, max_size=4))
@example(n=2_147_483_649, key="b")
@example(n=1_068_724_538, key="c")
@example(n=1_500_068_286, key="a")
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


@pytest.mark.parametrize("key", [b"1", b"2", b"3"])
@pytest.mark.parametrize("text, subtype, kept", cases(__file__, "in words"))
def test_a_code_in_words_stays_one(replace, key, text, subtype, kept):
    """Nobody reads out "zkyk of the Ndjzuhmrb"; numbers in words stay numbers."""
    old, new = text.split(), replace([(text, "CODE", subtype)], key)[0].split()
    for i, (a, b) in enumerate(zip(old, new, strict=True)):
        assert (a == b) == (i in kept)
        assert a.istitle() == b.istitle()
        assert (a in ONES + TENS) == (b in ONES + TENS)
        assert b in {*ONES, *TENS, *code_words("en"), b.title()} or i in kept
