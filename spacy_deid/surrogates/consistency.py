"""One entity, one surrogate: secret keys, draws that depend on key and entity only,
and numbers for entities that nobody linked."""

from __future__ import annotations

import hashlib
import hmac
import os
import re
import secrets
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import count
from random import Random
from types import FunctionType
from typing import Any

from ..text import names
from .base import Forbidden, Mention, RandomFor, SurrogateMaker, normalise, words

KEY_BYTES = 32
# Where one entity has one surrogate.
SCOPES = ("mention", "sentence", "document", "corpus")
# Redraws of an entity of a corpus whose surrogate is taken in the document.
_TRIES = 12

KeyLike = bytes | str | Callable[[], bytes | str]


class KeySource:
    """Where the secret key comes from. The key itself is never pickled or shown.

    env (Optional[str]): Name of an environment variable. Without one, without a function
        and without `set`, every document gets a fresh random key.
    callback (Optional[Callable]): Function that gives the key, asked for each document.
    RAISES (ValueError): If both are given, or the function is none.
    """

    __slots__ = ("_callback", "_given", "_lost", "env")

    def __init__(
        self, env: str | None = None, callback: Callable[[], bytes | str] | None = None
    ) -> None:
        if callback is not None and not callable(callback):
            # A key in a config would be saved with it.
            raise ValueError(
                "'key' should be a registered function that gives the secret key, not "
                f"{type(callback).__name__}"
            )
        if env is not None and callback is not None:
            raise ValueError("set either 'key_env' or 'key', not both")
        self.env = env
        self._callback = callback
        self._given: KeyLike | None = None
        self._lost = False

    def set(self, key: KeyLike | None) -> None:
        """Use this key from now on."""
        if key is not None and not callable(key):
            _to_bytes(key)
        self._given = key
        self._lost = False

    def get(self) -> bytes:
        """The key for one document."""
        if self._given is not None:
            return _to_bytes(self._given() if callable(self._given) else self._given)
        if self._lost:
            raise ValueError(
                "the key given to set_key() is never copied or pickled: call set_key() "
                "again in this process, or name an environment variable in 'key_env'"
            )
        if self._callback is not None:
            return _to_bytes(self._callback())
        if self.env is not None:
            value = os.environ.get(self.env, "")
            if not value:
                raise ValueError(
                    f"the environment variable '{self.env}' (setting 'key_env') is "
                    f"not set or empty: it should hold the secret key"
                )
            return _to_bytes(value)
        return secrets.token_bytes(KEY_BYTES)

    @property
    def lasting(self) -> bool:
        """Whether documents share a key; without one each has its own."""
        ways = self._given, self._callback, self.env
        return self._lost or any(way is not None for way in ways)

    def __reduce__(self):
        callback = self._callback
        lost = self._lost or self._given is not None
        if callback is not None and not _is_importable(callback):
            callback, lost = None, True
        return _restore_key_source, (self.env, lost, callback)

    def __repr__(self) -> str:
        return f"KeySource(env={self.env!r})"


def _restore_key_source(
    env: str | None, lost: bool, callback: Callable[[], bytes | str] | None = None
) -> KeySource:
    source = KeySource(env, callback)
    source._lost = lost
    return source


def _is_importable(function: Callable) -> bool:
    """Whether a function is found by module and name: a pickle then holds these alone,
    and no key that a closure or an object may carry."""
    found: Any = sys.modules.get(getattr(function, "__module__", None) or "")
    for name in getattr(function, "__qualname__", "").split("."):
        found = getattr(found, name, None)
    return isinstance(function, FunctionType) and found is function


def _to_bytes(key: bytes | str) -> bytes:
    if not isinstance(key, (bytes, str)):
        raise ValueError(f"a key should be bytes or str, not {type(key).__name__}")
    if not key:
        raise ValueError("the key is empty")
    return _stretched(key) if isinstance(key, str) else key


# Of a passphrase; fewer are guessed in no time.
MIN_KEY_CHARS = 12
_SALT = b"spacy_deid: key of surrogates, version 1"
# What `spacy deid key` makes, or 16 random bytes in figures and letters of base 16.
_RANDOM = re.compile(r"[0-9a-f]{32,}|[0-9A-F]{32,}|[A-Za-z0-9_-]{43}=?")


def check_key(text: str) -> None:
    """Refuse a key that is guessed in no time.

    text (str): The key.
    RAISES (ValueError): If it is short, with the command that makes a good one.
    """
    if len(text) < MIN_KEY_CHARS:
        raise ValueError(
            f"the secret key is too short to be safe (below {MIN_KEY_CHARS} "
            "characters): make one with `python -m spacy deid key`"
        )


@lru_cache(maxsize=64)
def _stretched(text: str) -> bytes:
    """A key that is given as text. What may be a passphrase goes through scrypt, so that
    who tries passphrases on surrogates needs 50 ms for each."""
    check_key(text)
    data = text.encode("utf8")
    if _RANDOM.fullmatch(text) and len(set(text)) >= 8:
        return data
    return hashlib.scrypt(data, salt=_SALT, n=2**14, r=8, p=1, dklen=32)


def derive_secret(source: KeySource, purpose: str) -> bytes:
    """A secret of its own for a purpose, from which nothing of the key is learnt:
    HMAC-SHA256 (RFC 2104). Empty if there is no lasting key."""
    if not source.lasting:
        return b""
    return hmac.digest(source.get(), b"spacy_deid:" + purpose.encode(), "sha256")


def make_random_for(key: bytes, salt: str = "") -> RandomFor:
    """Random generators that depend on the key, a kind and an entity alone.

    Stateless: processes that share the key agree without talking to each other."""

    keyed = hmac.new(key, digestmod="sha256")

    def random_for(kind: str, entity: str) -> Random:
        # Lengths first, or ("ab", "c") and ("a", "bc") would be one.
        message = f"{len(kind)}:{kind}{len(entity)}:{entity}{salt}"
        code = keyed.copy()
        code.update(message.encode("utf8", "surrogatepass"))
        return _KeyedRandom(code.digest())

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
        if self._left >= 0:
            self._go_on()
        return super().getrandbits(k)

    def random(self) -> float:
        if self._left >= 53:
            return self.getrandbits(53) * 2.0**-53
        self._go_on()
        return super().random()

    def choice(self, seq: Any) -> Any:
        # As that of `Random`, which takes as many bits in several calls.
        k = len(seq).bit_length()
        while 0 < k <= self._left:
            at = self._bits & ((1 << k) - 1)
            self._bits >>= k
            self._left -= k
            if at < len(seq):
                return seq[at]
        return super().choice(seq)

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


def bits_left(rng: Random) -> int | None:
    """How many bits a generator has of its digest; while they are as many, nothing has
    been drawn."""
    left = rng._left if isinstance(rng, _KeyedRandom) else -1
    return None if left < 0 else left


def number_entities(
    texts: Sequence[str], labels: Sequence[str], ids: Sequence[int]
) -> list[int]:
    """Entity numbers without gaps in the linking: spans that nobody linked (number
    below 0) belong together if type and text are equal."""
    known: dict[tuple[str, str], int] = {}
    for text, label, number in zip(texts, labels, ids):
        if number >= 0:
            known.setdefault((label, normalise(text)), number)
    following = count(max(ids, default=-1) + 1)
    out = []
    for text, label, number in zip(texts, labels, ids):
        if number < 0:
            key = (label, normalise(text))
            if key not in known:
                known[key] = next(following)
            number = known[key]
        out.append(number)
    return out


@dataclass(frozen=True)
class _Salted:
    """Generators of one part of a document, or of one more try.

    random_for (Callable): The generators.
    salt (str): Sets these draws apart from those of other parts.
    """

    random_for: RandomFor
    salt: str

    def __call__(self, kind: str, entity: str) -> Random:
        return self.random_for(kind, entity + self.salt)


# Kinds of the draws of what dates and ages move by.
DATE_SHIFT, AGE_SHIFT = SHIFTS = ("date-shift", "age-shift")


@dataclass(frozen=True)
class _Dated:
    """Generators whose dates and ages move by those of a document or of a subject: one
    that all documents of a key shared would be known once one of them is.

    random_for (Callable): The generators.
    interval (str): Whose interval it is.
    first (Optional[Callable]): Generators of the interval if it has to be the same
        whatever else is drawn, and drawn again; None if the document is free to choose.
    """

    random_for: RandomFor
    interval: str
    first: RandomFor | None

    def __call__(self, kind: str, entity: str) -> Random:
        if kind not in SHIFTS:
            return self.random_for(kind, entity)
        if self.first is not None:
            return self.first(kind, self.interval)
        return self.random_for(kind, entity + self.interval)


def with_interval(
    random_for: RandomFor, interval: str, first: RandomFor | None = None
) -> RandomFor:
    """Generators whose dates move by an interval of their own."""
    return _Dated(random_for, interval, first)


def check_scope(scope: str) -> None:
    """Refuse what is no member of SCOPES."""
    if scope not in SCOPES:
        raise ValueError(f"'scope' should be one of {', '.join(SCOPES)}, not {scope!r}")


def random_for_attempts(
    source: KeySource, scope: str, subject: Any, document: str
) -> Callable[[int], RandomFor]:
    """Generators of one document by the number of the attempt.

    source (KeySource): Gives the key.
    scope (str): Where one entity has one surrogate.
    subject (Any): Id of the person that the document is about, or None.
    document (str): Tells documents apart.
    RETURNS (Callable): Function of a number, 0 for the first attempt.
    RAISES (ValueError): If scope or subject need a key that lasts, or the subject is no
        id.
    """
    # No bool: it is an int, and nobody's id.
    if isinstance(subject, bool) or not isinstance(subject, str | int | None):
        raise ValueError(
            "doc._.deid_subject should be a string or a number, not "
            f"{type(subject).__name__}"
        )
    for asked, what, who in (
        (subject is not None, "doc._.deid_subject", "documents of the subject"),
        (scope == "corpus", "the scope 'corpus'", "documents"),
    ):
        if asked and not source.lasting:
            raise ValueError(
                f"{what} needs a secret key that all {who} share: name its "
                "environment variable in 'key_env', or call set_key()"
            )
    key = source.get()
    first = make_random_for(key)
    interval = ""
    if subject is not None:
        interval = f"subject {subject}"
    elif scope != "corpus" and source.lasting:
        # A key serves many documents, and one interval would be easier to find.
        interval = f"document {document}"
    fixed = first if subject is not None or scope == "corpus" else None

    def random_for(attempt: int) -> RandomFor:
        again = make_random_for(key, f"\0{attempt}") if attempt else first
        return with_interval(again, interval, fixed)

    return random_for


def has_fixed_interval(random_for: RandomFor) -> bool:
    """Whether dates have to move by the interval drawn, whatever the document holds."""
    inner: Any = random_for
    while isinstance(inner, _Salted | _Dated):
        if isinstance(inner, _Dated):
            return inner.first is not None
        inner = inner.random_for
    return False


def salted(random_for: RandomFor, salt: str) -> RandomFor:
    """Generators that are independent of those without the salt."""
    return _Salted(random_for, f"\1{salt}")


def corpus_entities(mentions: Sequence[Mention]) -> dict[tuple[str, str], list[int]]:
    """Mentions by type and normal form of their entity's longest text."""
    longest: dict[tuple[str, int], str] = {}
    for mention in mentions:
        key = mention.label, mention.entity_id
        form = names.normalise(mention.text) or normalise(mention.text)
        longest[key] = max(longest.get(key, ""), form, key=lambda x: (len(x), x))
    found: dict[tuple[str, str], list[int]] = {}
    for i, mention in enumerate(mentions):
        form = longest.get((mention.label, mention.entity_id), "")
        found.setdefault((mention.label, form), []).append(i)
    return dict(sorted(found.items()))


def in_corpus(maker: SurrogateMaker) -> SurrogateMaker:
    """A generator whose surrogates depend on key, type and normalised entity alone.

    Each entity is handed over by itself, without the text around it; dates go together,
    since the key gives all of a corpus one shift. An entity whose surrogate is an
    original of the document, or another entity's, draws again; entities take turns in
    the order of type and normal form, so that machines agree on who has to."""

    def make(
        mentions: Sequence[Mention], random_for: RandomFor, forbidden: Forbidden
    ) -> list[str]:
        out = [""] * len(mentions)
        if not has_fixed_interval(random_for):
            random_for = with_interval(random_for, "", random_for)
        dates = [i for i, m in enumerate(mentions) if m.label == "DATETIME"]
        groups = [] if not dates else [("", dates)]
        others = [i for i, m in enumerate(mentions) if m.label != "DATETIME"]
        for (_, form), where in corpus_entities([mentions[i] for i in others]).items():
            groups.append((form, [others[k] for k in where]))
        owners: dict[str, str] = {}
        # New word of a name -> words of the originals it stands for.
        families: dict[str, set[str]] = {}
        for form, where in groups:
            part = [mentions[i] for i in where]
            texts, own = _one_entity(
                maker, part, random_for, forbidden, owners, families, form
            )
            for i, text in zip(where, texts):
                out[i] = text
                if form:
                    owners.setdefault(normalise(text), form)
                if mentions[i].label == "PERSON":
                    for word in words(text):
                        if len(word) > 2 and word not in own:
                            families.setdefault(word, set()).update(own)
        return out

    return make


def _one_entity(
    maker: SurrogateMaker,
    mentions: Sequence[Mention],
    random_for: RandomFor,
    forbidden: Forbidden,
    owners: dict[str, str],
    families: dict[str, set[str]],
    form: str,
) -> tuple[list[str], set[str]]:
    """Texts of one entity of a corpus, and the words of its originals that name."""
    own = {
        word
        for m in mentions
        for word in words(m.text)
        if len(word) > 2 and names.title_gender(word) is None
    }
    person = mentions[0].label == "PERSON"
    if form:
        mentions = [
            m._replace(entity_id=0, before="", after="", around="") for m in mentions
        ]

    def taken(text: str) -> bool:
        if owners.get(normalise(text), form) != form:
            return True
        # Only who shares a surname may share the new one.
        return person and any(
            word in families and not families[word] & own for word in words(text)
        )

    texts: list[str] = []
    for attempt in range(_TRIES):
        # What others have been given only counts once it is in the way: a country and
        # its people have to find one another in every document.
        if attempt:
            again = salted(random_for, f"again {attempt}")
            texts = maker(mentions, again, lambda text: forbidden(text) or taken(text))
        else:
            texts = maker(mentions, random_for, forbidden)
        if len(texts) != len(mentions):
            raise ValueError(
                f"the surrogate generator gave {len(texts)} texts for "
                f"{len(mentions)} mentions"
            )
        if not any(map(taken, texts)):
            break
    return texts, own
