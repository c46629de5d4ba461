"""Addresses of crypto currencies and the sums that guard them."""

from __future__ import annotations

import hashlib
import re
from typing import NamedTuple

BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
_RIPPLE = "rpshnaf39wBUDNEGHJKLM4PQRST7VWXYZ2bcdeCg65jkm8oFqi1tuvAxyz"
_BECH32 = "qpzry9x8gf2tvdw0s3jn54khce6mua7l"
_TO_RIPPLE = str.maketrans(_RIPPLE, BASE58)

# Currencies of Base58Check addresses, by their first bytes.
_VERSIONS = {
    "00": "Bitcoin", "05": "Bitcoin or Litecoin", "6f": "Bitcoin test network",
    "c4": "Bitcoin test network", "80": "Bitcoin private key", "ef": "Bitcoin test private key",
    "30": "Litecoin", "32": "Litecoin", "1e": "Dogecoin", "16": "Dogecoin", "41": "TRON",
    "4c": "Dash", "10": "Dash", "1cb8": "Zcash", "1cbd": "Zcash", "06a19f": "Tezos",
    "06a1a1": "Tezos", "06a1a4": "Tezos", "025a79": "Tezos", "0488b21e": "Bitcoin public key",
    "0488ade4": "Bitcoin private key", "049d7cb2": "Bitcoin public key", "04b24746": "Bitcoin public key",
}  # fmt: skip
# Currencies of Bech32 addresses, by their prefix.
BECH32 = {
    "bc": "Bitcoin", "tb": "Bitcoin test network", "bcrt": "Bitcoin test network",
    "ltc": "Litecoin", "addr": "Cardano", "stake": "Cardano", "addr_test": "Cardano test network",
    "cosmos": "Cosmos", "osmo": "Osmosis", "bnb": "BNB", "terra": "Terra", "erd": "MultiversX",
    "inj": "Injective", "sei": "Sei", "celestia": "Celestia", "zs": "Zcash", "one": "Harmony",
    "secret": "Secret", "kava": "Kava", "lnbc": "Lightning", "nostr": "Nostr", "npub": "Nostr",
    "nsec": "Nostr private key", "suiprivkey": "Sui private key", "age": "age",
}  # fmt: skip


class Address(NamedTuple):
    """What is known of an address.

    currency (str): Name of the currency.
    valid (bool | None): Whether its checksum is right; None without a checksum.
    """

    currency: str
    valid: bool | None


def _base58(value: str) -> bytes:
    number = 0
    for char in value:
        number = number * 58 + BASE58.index(char)
    zeros = len(value) - len(value.lstrip("1"))
    return bytes(zeros) + number.to_bytes((number.bit_length() + 7) // 8, "big")


def _double_sha(data: bytes) -> bytes:
    return hashlib.sha256(hashlib.sha256(data).digest()).digest()


def base58check(value: str) -> bytes | None:
    """What a Base58Check string holds.

    value (str): Letters and digits.
    RETURNS (bytes | None): Version and payload; None if the checksum is wrong.
    """
    if set(value) - set(BASE58):
        return None
    data = _base58(value)
    good = len(data) > 4 and _double_sha(data[:-4])[:4] == data[-4:]
    return data[:-4] if good else None


def bech32_is_valid(value: str) -> bool:
    """Whether the checksum of a Bech32 or Bech32m string is right (BIP 173, 350).

    value (str): Prefix, "1" and data, in one case.
    RETURNS (bool): Always false for other input.
    """
    prefix, _, data = value.lower().rpartition("1")
    if not prefix or len(data) < 6 or set(data) - set(_BECH32):
        return False
    codes = [ord(c) for c in prefix]
    values = [c >> 5 for c in codes] + [0] + [c & 31 for c in codes]
    values += map(_BECH32.index, data)
    generator = (0x3B6A57B2, 0x26508E6D, 0x1EA119FA, 0x3D4233DD, 0x2A1462B3)
    total = 1
    for v in values:
        top = total >> 25
        total = (total & 0x1FFFFFF) << 5 ^ v
        for i, g in enumerate(generator):
            total ^= g if top >> i & 1 else 0
    return total in (1, 0x2BC830A3)


def _rotate(lane: int, by: int) -> int:
    return (lane << by | lane >> (64 - by)) & 0xFFFFFFFFFFFFFFFF


def keccak256(data: bytes) -> bytes:
    """The hash of Ethereum and Monero, which differs from SHA3-256 in its padding.

    data (bytes): Any bytes.
    RETURNS (bytes): Its 32 bytes.
    """
    rate = 136
    pad = rate - len(data) % rate
    data += b"\x81" if pad == 1 else b"\x01" + bytes(pad - 2) + b"\x80"
    state = [[0] * 5 for _ in range(5)]
    for block in range(0, len(data), rate):
        for i in range(rate // 8):
            lane = data[block + 8 * i : block + 8 * i + 8]
            state[i % 5][i // 5] ^= int.from_bytes(lane, "little")
        _permute(state)
    lanes = [state[i % 5][i // 5] for i in range(4)]
    return b"".join(lane.to_bytes(8, "little") for lane in lanes)


def _permute(a: list[list[int]]) -> None:
    register = 1
    for _ in range(24):
        c = [x[0] ^ x[1] ^ x[2] ^ x[3] ^ x[4] for x in a]
        for x in range(5):
            d = c[x - 1] ^ _rotate(c[(x + 1) % 5], 1)
            for y in range(5):
                a[x][y] ^= d
        x, y, lane = 1, 0, a[1][0]
        for t in range(24):
            x, y = y, (2 * x + 3 * y) % 5
            lane, a[x][y] = a[x][y], _rotate(lane, (t + 1) * (t + 2) // 2 % 64)
        for y in range(5):
            row = [a[x][y] for x in range(5)]
            for x in range(5):
                a[x][y] = row[x] ^ (~row[(x + 1) % 5] & row[(x + 2) % 5])
        # The round constant comes from a shift register.
        for j in range(7):
            register = (register << 1 ^ (register >> 7) * 0x71) % 256
            if register & 2:
                a[0][0] ^= 1 << ((1 << j) - 1)


def eip55_is_valid(value: str) -> bool:
    """Whether the capitals of an Ethereum address are right (EIP 55).

    value (str): "0x" and 40 hexadecimal digits of mixed case.
    RETURNS (bool): True if every letter has the case it must have.
    """
    digits = value[2:].lower()
    mask = keccak256(digits.encode()).hex()
    right = (d.upper() if int(m, 16) > 7 else d for d, m in zip(digits, mask))
    return value[2:] == "".join(right)


def _monero(value: str) -> bool:
    """Whether the checksum of a Monero address is right."""
    sizes = {11: 8, 7: 5}
    data = b""
    for i in range(0, len(value), 11):
        block = value[i : i + 11]
        number = 0
        for char in block:
            number = number * 58 + BASE58.index(char)
        size = sizes.get(len(block), 0)
        if number >> (8 * size):
            return False
        data += number.to_bytes(size, "big")
    return keccak256(data[:-4])[:4] == data[-4:]


def _crc16(data: bytes) -> int:
    total = 0
    for byte in data:
        total ^= byte << 8
        for _ in range(8):
            total = (total << 1 ^ (0x1021 if total & 0x8000 else 0)) & 0xFFFF
    return total


def _stellar(value: str) -> bool:
    import base64

    data = base64.b32decode(value)
    return _crc16(data[:-2]) == int.from_bytes(data[-2:], "little")


def _polkadot(value: str) -> bool:
    data = _base58(value)
    whole = hashlib.blake2b(b"SS58PRE" + data[:-2]).digest()
    return whole[:2] == data[-2:]


def _mixed(value: str) -> bool:
    kinds = (str.isupper, str.islower, str.isdigit)
    return all(any(map(kind, value)) for kind in kinds)


_SHORTEST = 25
_HEX = re.compile(r"0x[0-9a-fA-F]{40}")
_MONERO = re.compile(
    r"[48][0-9AB][1-9A-HJ-NP-Za-km-z]{93}(?:[1-9A-HJ-NP-Za-km-z]{11})?"
)
_STELLAR = re.compile(r"G[A-Z2-7]{55}")
_BYRON = re.compile(r"(?:Ae2|DdzFF)[1-9A-HJ-NP-Za-km-z]{50,110}")
_FORMS = re.compile(
    r"(?:[13][1-9A-HJ-NP-Za-km-z]{25,34}|[LMDTrXt][1-9A-HJ-NP-Za-km-z]{25,34})"
)


def identify(value: str) -> Address | None:
    """Whose address a string is.

    value (str): Letters and digits, with the prefix "0x" if it has one.
    RETURNS (Address | None): Its currency, and whether its checksum is right; None
        for what has no form of an address.
    """
    if len(value) < _SHORTEST:
        return None
    if _HEX.fullmatch(value):
        digits = value[2:]
        one_case = digits in (digits.lower(), digits.upper())
        return Address("Ethereum", None if one_case else eip55_is_valid(value))
    low = value.lower()
    prefix, one, _ = low.rpartition("1")
    if one and value in (low, value.upper()):
        prefix = "lnbc" if low.startswith("lnbc") else prefix
        if prefix in BECH32:
            return Address(BECH32[prefix], bech32_is_valid(value))
    if _STELLAR.fullmatch(value):
        return Address("Stellar", True) if _stellar(value) else None
    if not set(value) <= set(BASE58):
        return None
    return _identify_base58(value)


def _identify_base58(value: str) -> Address | None:
    if _MONERO.fullmatch(value):
        return Address("Monero", _monero(value))
    if _BYRON.fullmatch(value):
        return Address("Cardano", None)
    data = base58check(value)
    if data is not None:
        for size in (1, 2, 3, 4):
            if currency := _VERSIONS.get(data[:size].hex()):
                return Address(currency, True)
        return Address("unknown", True)
    if value[0] == "r" and len(value) < 36 and base58check(value.translate(_TO_RIPPLE)):
        return Address("XRP", True)
    if len(value) in (47, 48) and _mixed(value) and _polkadot(value):
        return Address("Polkadot", True)
    if len(value) in (43, 44) and _mixed(value) and len(_base58(value)) == 32:
        return Address("Solana", None)
    if _FORMS.fullmatch(value) and _mixed(value):
        return Address("unknown", False)
    return None
