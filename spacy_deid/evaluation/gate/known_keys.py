"""Keys that anybody can read, tried on a corpus: with the right one the originals give
the same surrogates again, so that who guesses a name sees whether it is there."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from spacy.language import Language
from spacy.tokens import Doc

from ...data import table
from ...entities.linking import link_entities
from ...schema import Candidate, set_decided
from ...surrogates.consistency import MIN_KEY_CHARS
from ...surrogates.strategies.base import Strategy, get_strategy
from .released import Released

# So many documents with the most surrogates are looked at, of so many characters.
DOCUMENTS, MAX_CHARS = 8, 20_000
# Those that draw by the key; the others give the same with every key.
STRATEGIES = ("full_entity", "word_by_word")
_SCOPES = ("document", "corpus")
# What other keys give by chance has to be exceeded by so much, and what is the same has to
# be improbable: about so many bits for an entity of a type, in all enough for all the keys.
_ABOVE, _OTHERS = 0.3, 3
_BITS, _FEW_BITS, _ENOUGH = {"PERSON": 8, "CODE": 8, "LOC": 6, "ORG": 6}, 2, 16
_Docs = Sequence[tuple[Released, Doc]]
# Strategy and scope to try.
_Attempt = tuple[Strategy, str]


class KnownKey(NamedTuple):
    """A key and where it can be read."""

    key: str
    where: str


def published_keys() -> list[KnownKey]:
    """Those in this project's documentation, samples and tests, and those that people
    take who think of none."""
    return [KnownKey(row["key"], row["where"]) for row in table("published_keys")]


def read_keys(path: Path) -> list[KnownKey]:
    """Keys of a file, one a line.

    RAISES (ValueError): If there is none in it, or it is not UTF-8.
    """
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except UnicodeDecodeError:
        raise ValueError("it is not UTF-8") from None
    rows = [(n, x) for n, x in enumerate(lines, 1) if x.strip() and x[:2] != "# "]
    if not (keys := [KnownKey(x.strip(), f"{path.name}, line {n}") for n, x in rows]):
        raise ValueError("there is no key in it")
    return keys


def try_keys(
    nlp: Language,
    pseudonymizer: Any,
    corpus: Iterable[Released],
    keys: Sequence[KnownKey],
    strategy: str | None = None,
) -> tuple[list[KnownKey], int]:
    """The keys that give the surrogates of a corpus again.

    nlp (Language): Has the tokenizer.
    pseudonymizer (Pseudonymizer): As the corpus was made with; it keeps no key of these.
    corpus (Iterable[Released]): Documents beside their originals.
    strategy (Optional[str]): That of the corpus, if it is neither of STRATEGIES.
    RETURNS (tuple): The keys; and how many surrogates were compared, 0 if nothing can be
        said.
    """
    chosen = sorted(filter(_is_told, corpus), key=lambda r: -len(r.replaced))
    docs = [(each, _as_found(nlp, each)) for each in chosen[:DOCUMENTS]]
    if not (n := sum(len(each.replaced) for each, _ in docs)):
        return [], 0
    ways = dict.fromkeys([*([strategy] if strategy else []), *STRATEGIES])
    attempts = [(get_strategy(way), scope) for way in ways for scope in _SCOPES]
    before = pseudonymizer.strategy, pseudonymizer.scope, pseudonymizer.mask
    pseudonymizer.mask = "risky"
    try:
        # What other keys give by chance.
        others = [hashlib.sha256(b"no key %d" % i).digest() for i in range(_OTHERS)]
        share = partial(_share, pseudonymizer, docs)
        fits = partial(_fits, pseudonymizer, docs)
        tries = [(way, max(share(key, way)[0] for key in others)) for way in attempts]
        return [k for k in keys if any(fits(k.key, *each) for each in tries)], n
    finally:
        pseudonymizer.set_key(None)
        pseudonymizer.strategy, pseudonymizer.scope, pseudonymizer.mask = before


def _is_told(released: Released) -> bool:
    """Whether it is known what each surrogate stands for."""
    text = released.original
    told = released.fits and all(row.label for row in released.replaced)
    return bool(text and told and released.replaced and len(text) <= MAX_CHARS)


def _as_found(nlp: Language, released: Released) -> Doc:
    """A document as the pseudonymizer had it, of what its record says."""
    assert released.original is not None
    doc = nlp.make_doc(released.original)
    found: list[Candidate] = []
    decisions = []
    for row in sorted([*released.replaced, *released.kept]):
        span = doc.char_span(row.start, row.end, alignment_mode="expand")
        if span is None or (found and span.start < found[-1].end):
            continue
        told = row.label, row.subtype, 1.0, row.source
        found.append(Candidate(span.start, span.end, *told))
        decisions.append(row.decision)
    set_decided(doc, found, decisions, link_entities(doc, found))
    return doc


def _fits(pipe: Any, docs: _Docs, key: str, attempt: _Attempt, chance: float) -> bool:
    """Whether a key gives the surrogates again, more than by chance."""
    # Programs may give a key as bytes, short ones too.
    forms: list[str | bytes] = [key.encode("utf-8")]
    forms += [key] if len(key) >= MIN_KEY_CHARS else []
    for form in forms:
        # Most keys are none: the document with the most surrogates says so.
        share, bits = _share(pipe, docs[:1], form, attempt)
        if share > chance:
            share, bits = _share(pipe, docs, form, attempt)
        if share >= chance + _ABOVE and bits >= _ENOUGH:
            return True
    return False


def _share(
    pipe: Any, docs: _Docs, key: str | bytes, attempt: _Attempt
) -> tuple[float, int]:
    """Which part of the surrogates a key gives again, and in how many bits."""
    pipe.strategy, pipe.scope = attempt
    pipe.set_key(key)
    hits = n = 0
    same: dict[tuple[int, str], int] = {}
    for i, (released, doc) in enumerate(docs):
        made = pipe(doc.copy())
        new = {(a, b): made._.deid_text[c:d] for a, b, c, d in made._.deid_offsets}
        n += len(released.replaced)
        for row in released.replaced:
            surrogate = released.text[row.new_start : row.new_end]
            if new.get(row[:2]) == surrogate:
                hits += 1
                # One entity is one draw, however often it stands there.
                same[i, surrogate] = _BITS.get(row.label, _FEW_BITS)
    return hits / n if n else 0.0, sum(same.values())
