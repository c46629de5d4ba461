import hmac
import random
import re
from collections.abc import Callable, Sequence

import pytest

from spacy_deid.surrogates.base import Mention
from spacy_deid.surrogates.languages import (
    make_english_surrogates,
    make_language_surrogates,
)


def seeded(key: bytes = b"test key") -> Callable[[str, str], random.Random]:
    def random_for(kind: str, entity: str) -> random.Random:
        message = f"{kind}\0{entity}".encode(errors="surrogatepass")
        return random.Random(hmac.digest(key, message, "sha256"))

    return random_for


def containing(texts: Sequence[str]) -> Callable[[str], bool]:
    """True for a text that holds one of `texts` as whole words, in any case."""
    patterns = [
        re.compile(rf"(?<!\w){re.escape(t.strip())}(?!\w)", re.I)
        for t in texts
        if t.strip()
    ]
    return lambda text: any(p.search(text) for p in patterns)


@pytest.fixture(params=[b"one", b"two", b"three"])
def key(request):
    return request.param


@pytest.fixture(scope="session")
def replace():
    """Function of (text, label, subtype="", entity=own, before="", after="") tuples or
    mentions, giving the new texts; originals are forbidden."""
    return _runner(make_english_surrogates())


@pytest.fixture(scope="session")
def replace_in():
    """As `replace`, with the code of a language first."""

    def run(lang: str, rows, key: bytes = b"test key", forbidden=None) -> list[str]:
        return _runner(make_language_surrogates(lang))(rows, key, forbidden)

    return run


def _runner(maker):
    def run(rows, key: bytes = b"test key", forbidden=None) -> list[str]:
        mentions = []
        for i, row in enumerate(rows):
            text, label, subtype, entity, *around = (*row, *("", i)[len(row) - 2 :])
            mentions.append(Mention(text, label, subtype, entity, *around))
        forbidden = forbidden or containing([m.text for m in mentions])
        return maker(mentions, seeded(key), forbidden)

    return run
