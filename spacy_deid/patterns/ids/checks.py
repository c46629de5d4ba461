"""Check digits: of python-stdnum by name, as weights, and those that need a function.

Each function takes the digits and capital letters of a number, without separators.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable, Iterable, Sequence
from functools import cache, partial

from stdnum import luhn
from stdnum.ch import uid

from ...text.calendars import is_day

_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_SEPARATORS = re.compile(r"[\W_]+")


def _digits(value: str) -> list[int]:
    return [int(c) for c in value]


def _weighted(digits: Iterable[int], weights: Iterable[int]) -> int:
    return sum(d * w for d, w in zip(digits, weights))


def _crossed(digits: Iterable[int], weights: Iterable[int]) -> int:
    return sum(sum(divmod(d * w, 10)) for d, w in zip(digits, weights))


def npi(value: str) -> bool:
    """Providers of the United States: Luhn with the prefix 80840."""
    return luhn.is_valid("80840" + value)


def ohip(value: str) -> bool:
    """Health cards of Ontario: Luhn."""
    return luhn.is_valid(value[:10])


def ramq(value: str) -> bool:
    """Health cards of Quebec: a date, 50 added to the months of women."""
    year, month, day = int(value[4:6]), int(value[6:8]) % 50, int(value[8:10])
    return is_day(day, month, 2000 + year)


def nhi(value: str) -> bool:
    """Patients in New Zealand, in the old form (mod 11) or the new one (mod 24)."""
    alphabet = "ABCDEFGHJKLMNPQRSTUVWXYZ"
    known = [int(c) if c.isdigit() else alphabet.index(c) + 1 for c in value]
    total = _weighted(known[:6], range(7, 1, -1))
    if value[6].isdigit():
        return total % 11 != 0 and (11 - total % 11) % 10 == known[6]
    return alphabet[(24 - total % 24) - 1] == value[6]


def rvnr(value: str) -> bool:
    """Pension insurance of Germany."""
    letter = _LETTERS.index(value[8]) + 1
    digits = _digits(f"{value[:8]}{letter:02}{value[9:]}")
    return _crossed(digits, (2, 1, 2, 5, 7, 1, 2, 1, 2, 1, 2, 1)) % 10 == digits[12]


def kvnr(value: str) -> bool:
    """Health insurance of Germany."""
    digits = _digits(f"{_LETTERS.index(value[0]) + 1:02}{value[1:]}")
    return _crossed(digits, (1, 2) * 5) % 10 == digits[10]


def che(value: str) -> bool:
    """Businesses of Switzerland, with or without the name of their tax."""
    return bool(uid.is_valid(value[:12]))


def nuss(value: str) -> bool:
    """Social security of Spain."""
    if len(value) not in (11, 12):
        return False
    province, number, check = value[:2], value[2:-2], int(value[-2:])
    whole = int(province) * 10**7 + int(number)
    return check in (int(province + number) % 97, whole % 97)


def lv_pk(value: str) -> bool:
    """Persons in Latvia: a date and a check digit, or the new form without either."""
    if value.startswith("32"):
        return True
    d = _digits(value)
    total = 1101 - _weighted(d, (1, 6, 3, 7, 9, 10, 5, 8, 4, 2))
    day, month, year = int(value[:2]), int(value[2:4]), int(value[4:6])
    return is_day(day, month, 2000 + year) and total % 11 % 10 == d[10]


def hu_tax(value: str) -> bool:
    """Persons and firms as tax payers of Hungary."""
    d = _digits(value)
    if len(d) == 10:
        return _weighted(d, range(1, 10)) % 11 == d[9]
    return -_weighted(d[:7], (9, 7, 3, 1, 9, 7, 3)) % 10 == d[7]


def hu_personal(value: str) -> bool:
    """Persons in Hungary, before and after 1997."""
    d = _digits(value)
    forwards, backwards = range(1, 11), range(10, 0, -1)
    return d[10] in (_weighted(d, forwards) % 11, _weighted(d, backwards) % 11)


def snils(value: str) -> bool:
    """Pension insurance of Russia."""
    total = _weighted(_digits(value[:9]), range(9, 0, -1)) % 101
    return total % 100 == int(value[9:])


def iin(value: str) -> bool:
    """Persons in Kazakhstan."""
    d = _digits(value)
    total = _weighted(d, range(1, 12)) % 11
    if total == 10:
        total = _weighted(d, (3, 4, 5, 6, 7, 8, 9, 10, 11, 1, 2)) % 11
    return total == d[11]


def hkid(value: str) -> bool:
    """Identity cards of Hong Kong."""
    body, check = value[:-1].rjust(8), value[-1]
    values = [36 if c == " " else int(c) if c.isdigit() else ord(c) - 55 for c in body]
    total = _weighted(values, range(9, 1, -1)) + (10 if check == "A" else int(check))
    return total % 11 == 0


def tw_id(value: str) -> bool:
    """Identity cards of Taiwan."""
    first = "ABCDEFGHJKLMNPQRSTUVXYWZIO".index(value[0]) + 10
    digits = _digits(f"{first}{value[1:]}")
    return _weighted(digits, (1, 9, 8, 7, 6, 5, 4, 3, 2, 1, 1)) % 10 == 0


def nric(value: str) -> bool:
    """Residents and foreigners in Singapore."""
    total = _weighted(_digits(value[1:8]), (2, 7, 6, 5, 4, 3, 2))
    offset = {"T": 4, "G": 4, "M": 3}.get(value[0], 0)
    rows = {"S": "JZIHGFEDCBA", "F": "XWUTRQPNMLK", "M": "XWUTRQPNJLK"}
    letters = rows[{"T": "S", "G": "F"}.get(value[0], value[0])]
    return letters[(total + offset) % 11] == value[8]


def pis(value: str) -> bool:
    """Workers in Brazil."""
    d = _digits(value)
    return -_weighted(d, (3, 2, 9, 8, 7, 6, 5, 4, 3, 2)) % 11 % 10 == d[10]


def _sum(weights: Sequence[int], modulus: int, rest: int, value: str) -> bool:
    """Whether a weighted sum leaves a rest on division; A counts 10, Z 35."""
    value = value.rjust(len(weights), "0")[: len(weights)]
    return _weighted((int(c, 36) for c in value), weights) % modulus == rest


@cache
def validator(check: str) -> Callable[[str], bool] | None:
    """The function behind a check of the table: a module of python-stdnum, a function of
    this module with a leading dot, or the weights of a sum and its modulus, as in
    "sum 3 7 -1 mod 10" or "sum 2 1 mod 9 is 3"; None without a check."""
    if not check:
        return None
    own: Callable[[str], bool]
    if check.startswith("sum "):
        weights, _, division = check.removeprefix("sum ").partition(" mod ")
        modulus, _, rest = division.partition(" is ")
        numbers = [int(w) for w in weights.split()]
        own = partial(_sum, numbers, int(modulus), int(rest or 0))
    elif check.startswith("."):
        own = globals()[check[1:]]
    else:
        valid: Callable[[str], bool] = importlib.import_module(
            f"stdnum.{check}"
        ).is_valid
        return valid
    return lambda value: own(_SEPARATORS.sub("", value).upper())


def is_valid(check: str, value: str) -> bool:
    """Whether a number passes a check."""
    valid = validator(check)
    try:
        return valid is None or bool(valid(value) or valid(_SEPARATORS.sub("", value)))
    except (ValueError, IndexError, KeyError):
        # Not of the form that the check is made for.
        return False
