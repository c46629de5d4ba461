"""One entity, one surrogate: secret keys, draws that depend on key and entity only,
and numbers for entities that nobody linked."""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from .base import RandomFor, normalise

KEY_BYTES = 32

KeyLike = bytes | str | Callable[[], bytes | str]


class KeySource:
    """Where the secret key comes from. The key itself is never pickled or shown.

    env (Optional[str]): Name of an environment variable. Without one and without
        `set`, every document gets a fresh random key.
    """

    __slots__ = ("_given", "_lost", "env")

    def __init__(self, env: str | None = None) -> None:
        self.env = env
        self._given: KeyLike | None = None
        self._lost = False

    def set(self, key: KeyLike | None) -> None:
        """Use this key from now on.

        key (Union[bytes, str, Callable, None]): The key, or a function that gives it
            each time; None to go back to the environment.
        RAISES (ValueError): If the key is empty.
        """
        if key is not None and not callable(key):
            _to_bytes(key)
        self._given = key
        self._lost = False

    def get(self) -> bytes:
        """The key for one document.

        RETURNS (bytes): The key; a random one if none is configured.
        RAISES (ValueError): If a key is configured but is not there.
        """
        if self._given is not None:
            return _to_bytes(self._given() if callable(self._given) else self._given)
        if self._lost:
            raise ValueError(
                "the key given to set_key() is never copied or pickled: call set_key() "
                "again in this process, or name an environment variable in 'key_env'"
            )
        if self.env is not None:
            value = os.environ.get(self.env, "")
            if not value:
                raise ValueError(
                    f"the environment variable '{self.env}' (setting 'key_env') is "
                    f"not set or empty: it should hold the secret key"
                )
            return value.encode("utf8")
        return secrets.token_bytes(KEY_BYTES)

    def __reduce__(self):
        return _restore_key_source, (self.env, self._lost or self._given is not None)

    def __repr__(self) -> str:
        return f"KeySource(env={self.env!r})"


def _restore_key_source(env: str | None, lost: bool) -> KeySource:
    source = KeySource(env)
    source._lost = lost
    return source


def _to_bytes(key: bytes | str) -> bytes:
    if not isinstance(key, (bytes, str)):
        raise ValueError(f"a key should be bytes or str, not {type(key).__name__}")
    if not key:
        raise ValueError("the key is empty")
    return key.encode("utf8") if isinstance(key, str) else key


def make_random_for(key: bytes, salt: str = "") -> RandomFor:
    """Random generators that depend on the key, a kind and an entity alone.

    Stateless: processes that share the key agree without talking to each other.

    key (bytes): The secret key.
    salt (str): Sets a further draw for the same entities apart.
    RETURNS (Callable): Function of a kind and a normalised entity.
    """

    def random_for(kind: str, entity: str) -> Random:
        # Lengths first, or ("ab", "c") and ("a", "bc") would be one.
        message = f"{len(kind)}:{kind}{len(entity)}:{entity}{salt}"
        digest = hmac.digest(key, message.encode("utf8", "surrogatepass"), "sha256")
        return _KeyedRandom(digest)

    return random_for


class _KeyedRandom(Random):
    """A generator whose first bits are those of a digest; only what draws more seeds a
    generator of the usual kind, which takes longer than all else about a surrogate.

    digest (bytes): The digest of key and entity.
    """

    gauss_next = None

    def __init__(self, digest: bytes) -> None:
        self._digest = digest
        self._bits = int.from_bytes(digest, "big")
        # Bits that are left; -1 once the usual generator has been seeded.
        self._left = 8 * len(digest)

    def getrandbits(self, k: int, /) -> int:
        if 0 <= k <= self._left:
            bits = self._bits
            self._bits = bits >> k
            self._left -= k
            return bits & ((1 << k) - 1)
        self._go_on()
        return super().getrandbits(k)

    def random(self) -> float:
        if self._left >= 53:
            return self.getrandbits(53) * 2.0**-53
        self._go_on()
        return super().random()

    def _go_on(self) -> None:
        if self._left >= 0:
            digest = hashlib.sha256(self._digest).digest()
            self.seed(int.from_bytes(digest, "big"))

    def seed(self, a: Any = None, version: int = 2) -> None:
        self._left = -1
        super().seed(a, version)

    def getstate(self) -> tuple[Any, ...]:
        self._go_on()
        return super().getstate()

    def setstate(self, state: Any) -> None:
        self._left = -1
        super().setstate(state)

    def __reduce__(self):
        return Random, (), self.getstate()


def number_entities(
    texts: Sequence[str], labels: Sequence[str], ids: Sequence[int]
) -> list[int]:
    """Entity numbers without gaps in the linking: spans that nobody linked (number
    below 0) belong together if type and text are equal.

    texts (Sequence[str]): Texts of the spans.
    labels (Sequence[str]): Their semantic types.
    ids (Sequence[int]): Their entity numbers, -1 for unknown.
    RETURNS (list[int]): One number a span, none below 0.
    """
    known: dict[tuple[str, str], int] = {}
    for text, label, number in zip(texts, labels, ids):
        if number >= 0:
            known.setdefault((label, normalise(text)), number)
    following = max((n for n in ids), default=-1) + 1
    out = []
    for text, label, number in zip(texts, labels, ids):
        if number < 0:
            key = (label, normalise(text))
            if key not in known:
                known[key] = following
                following += 1
            number = known[key]
        out.append(number)
    return out
