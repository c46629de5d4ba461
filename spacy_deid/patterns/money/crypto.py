"""Addresses of crypto currencies and the sums that guard them.

The letter case of Ethereum's and the hash at the end of Monero's are not checked:
their forms are like no other's, and a mistyped address gives its owner away as well.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
from functools import cache
from typing import NamedTuple

from stdnum.bitcoin import b58decode, bech32_checksum

from ...data import table
from ..base import compiled
from ..tables import Patterns

BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
_RIPPLE = "rpshnaf39wBUDNEGHJKLM4PQRST7VWXYZ2bcdeCg65jkm8oFqi1tuvAxyz"
_BECH32 = "qpzry9x8gf2tvdw0s3jn54khce6mua7l"
_TO_RIPPLE = str.maketrans(_RIPPLE, BASE58)


class Address(NamedTuple):
    """What is known of an address.

    currency (str): Name of the currency.
    valid (bool | None): Whether its checksum is right; None without a checksum.
    """

    currency: str
    valid: bool | None


@cache
def _currencies(kind: str) -> dict[str, str]:
    """Currencies by the prefix or the form of their addresses."""
    rows = table("patterns/crypto")
    return {r["prefix"]: r["currency"] for r in rows if r["kind"] == kind}


def base58check(value: str) -> bytes | None:
    """Version and payload of a Base58Check string; None if the checksum is wrong."""
    if set(value) - set(BASE58):
        return None
    data = b58decode(value)
    whole = hashlib.sha256(hashlib.sha256(data[:-4]).digest()).digest()
    return data[:-4] if len(data) > 4 and whole[:4] == data[-4:] else None


def bech32_is_valid(value: str) -> bool:
    """Whether the checksum of a Bech32 or Bech32m string is right (BIP 173, 350)."""
    prefix, _, data = value.lower().rpartition("1")
    if not prefix or len(data) < 6 or set(data) - set(_BECH32):
        return False
    codes = [ord(c) for c in prefix]
    values = [c >> 5 for c in codes] + [0] + [c & 31 for c in codes]
    return bech32_checksum([*values, *map(_BECH32.index, data)]) in (1, 0x2BC830A3)


def _polkadot(value: str) -> bool:
    data = b58decode(value)
    return hashlib.blake2b(b"SS58PRE" + data[:-2]).digest()[:2] == data[-2:]


def _mixed(value: str) -> bool:
    kinds = (str.isupper, str.islower, str.isdigit)
    return all(any(map(kind, value)) for kind in kinds)


_SHORTEST = 25
P = Patterns("finance")


def identify(value: str) -> Address | None:
    """Whose address a string of letters and digits is, with the prefix "0x" if it has
    one; None for what has no form of an address."""
    if len(value) < _SHORTEST:
        return None
    if P.ethereum.fullmatch(value):
        return Address("Ethereum", None)
    low = value.lower()
    prefix, one, _ = low.rpartition("1")
    if one and value in (low, value.upper()):
        prefix = "lnbc" if low.startswith("lnbc") else prefix
        if currency := _currencies("bech32").get(prefix):
            return Address(currency, bech32_is_valid(value))
    if P.stellar.fullmatch(value):
        data = base64.b32decode(value)
        right = binascii.crc_hqx(data[:-2], 0) == int.from_bytes(data[-2:], "little")
        return Address("Stellar", True) if right else None
    return None if set(value) - set(BASE58) else _identify_base58(value)


def _identify_base58(value: str) -> Address | None:
    # Of forms that are like no others.
    for form, currency in _currencies("form").items():
        if compiled(form).fullmatch(value):
            return Address(currency, None)
    if (data := base58check(value)) is not None:
        known = _currencies("base58")
        prefixes = (data[:size].hex() for size in (1, 2, 3, 4))
        return Address(
            next((known[p] for p in prefixes if p in known), "unknown"), True
        )
    if value[0] == "r" and len(value) < 36 and base58check(value.translate(_TO_RIPPLE)):
        return Address("XRP", True)
    if not _mixed(value):
        return None
    if len(value) in (47, 48) and _polkadot(value):
        return Address("Polkadot", True)
    if len(value) in (43, 44) and len(b58decode(value)) == 32:
        return Address("Solana", None)
    return Address("unknown", False) if P.coin.fullmatch(value) else None
