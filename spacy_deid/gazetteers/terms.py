"""Terms and the store that finds them in a text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

import srsly

from ..schema import SEMANTIC_TYPES
from ..text.words import Words, normalize_term, pluralize

# When a term counts; see `Term`.
ANY, TITLE, EXACT, ROLE, NEVER = "", "title", "exact", "role", "never"
CONDITIONS = (ANY, TITLE, EXACT, ROLE, NEVER)


class Term(NamedTuple):
    """A word or phrase of a known kind.

    term (str): The term as it is written.
    label (str): Semantic type.
    id (str): Subtype (`NATIONALITY`, a Wikidata QID ...) or "".
    source (str): What it was taken for: a list's name or a Wikidata property.
    match (str): When it counts. "": always. "title": with a capital first letter
        ("Polish", "Turkey"). "exact": as it is written ("US"). "role": where the
        text says that somebody is one ("is a lawyer", "works as an agent"), for
        words that mostly name a role in the matter at hand. "never": its words
        belong to no term ("European Court"), so that no shorter term is found.
    """

    term: str
    label: str
    id: str = ""
    source: str = ""
    match: str = ANY


class Kind(NamedTuple):
    """What all terms of one kind share."""

    label: str
    id: str
    source: str


# Kind, condition, and written form.
_Entry = tuple[Kind, str, str]


class Match(NamedTuple):
    """A term found in a text, with character offsets."""

    start: int
    end: int
    kind: Kind


# Subtypes whose terms are common nouns or names of people and take a plural.
PLURAL_IDS = frozenset(
    "OCCUPATION NATIONALITY ETHNICITY RELIGION GENDER DISEASE DEGREE".split()
)


class TermStore:
    """Finds terms in texts: word by word, longest first, one lookup for a word that
    starts no term.

    terms (Iterable[Term]): Terms to add.
    """

    def __init__(self, terms: Iterable[Term] = ()) -> None:
        # One object for each kind.
        self._kinds: dict[Kind, Kind] = {}
        # Key -> (kind, condition, written form where it must be exact). The first word
        # and the first two words -> bit set of the lengths, in words, of their keys.
        self._entries: dict[str, _Entry] = {}
        self._lengths: dict[str, int] = {}
        self.add(terms)

    def __len__(self) -> int:
        return len(self._entries)

    def __contains__(self, term: str) -> bool:
        return normalize_term(term) in self._entries

    def add(self, terms: Iterable[Term], override: bool = False) -> None:
        """Add terms with their regular plurals.

        terms (Iterable[Term]): The terms.
        override (bool): Whether they replace terms with the same key; a term that
            stands in the store already is kept otherwise.
        RAISES (ValueError): If a term's label or condition is unknown or it has no words.
        """
        plurals: list[tuple[str, _Entry]] = []
        for n, (text, label, id_, source, match) in enumerate(terms):
            if not (key := normalize_term(text)):
                raise ValueError(f"term {n} has no letters or digits")
            if label not in SEMANTIC_TYPES or match not in CONDITIONS:
                raise ValueError(
                    f"term {n}: label '{label}' must be one of "
                    f"{', '.join(SEMANTIC_TYPES)} and match '{match}' one of {CONDITIONS}"
                )
            kind = Kind(label, id_, source)
            form = _written(text) if match == EXACT else ""
            entry = (self._kinds.setdefault(kind, kind), match, form)
            self._set(key, entry, override)
            if label == "DEM" and id_ in PLURAL_IDS and match in (ANY, TITLE):
                plurals.extend((plural, entry) for plural in pluralize(key))
        # Last: a term of its own always comes before another one's plural.
        for key, entry in plurals:
            self._set(key, entry, False)

    def _set(self, key: str, entry: _Entry, override: bool) -> None:
        if override or key not in self._entries:
            self._entries[key] = entry
            words = key.split(" ")
            for start in {words[0], " ".join(words[:2])}:
                self._lengths[start] = self._lengths.get(start, 0) | (1 << len(words))

    def find(self, text: str | Words, overlap: bool = False) -> Iterator[Match]:
        """Find the terms of a text.

        text (Union[str, Words]): Any text, or its words.
        overlap (bool): Whether a match may start inside the one before.
        YIELDS (Match): The longest matches, in document order; those with words that
            the end of a line divides come last.
        """
        if not self._lengths:
            return
        words = Words(text) if isinstance(text, str) else text
        for i, n, kind in self._find(words, overlap):
            yield Match(*words.extent(i, n), kind)
        if (whole := words.undivided()) is not None:
            known = set(words.spans)
            for i, n, kind in self._find(whole, overlap):
                if not known.issuperset(whole.spans[i : i + n]):
                    yield Match(*whole.extent(i, n), kind)

    def _find(self, words: Words, overlap: bool) -> Iterator[tuple[int, int, Kind]]:
        lengths = self._lengths
        done = 0
        for i in [i for i, key in enumerate(words.keys) if key in lengths]:
            if i < done:
                continue
            if (found := self._match_at(words, i)) is not None:
                n, kind = found
                if kind is not None:
                    yield i, n, kind
                done = i + (1 if overlap else n)

    def _match_at(self, words: Words, i: int) -> tuple[int, Kind | None] | None:
        keys = words.keys
        mask = self._lengths[keys[i]]
        if mask > 2:
            # Most words that start a longer term aren't followed by its next one.
            pair = f"{keys[i]} {keys[i + 1]}" if i + 1 < len(keys) else ""
            mask = (mask & 2) | self._lengths.get(pair, 0)
            if not mask:
                return None
        for n in range(words.run(i, mask.bit_length() - 1), 0, -1):
            if not mask >> n & 1:
                continue
            entry = self._entries.get(keys[i] if n == 1 else " ".join(keys[i : i + n]))
            if entry is None:
                continue
            kind, match, form = entry
            if match == EXACT:
                fits = _written(words.text[slice(*words.extent(i, n))]) == form
                fits = fits and not _among_capitals(words.words, i, n)
            else:
                fits = match in (ANY, NEVER) or _fits(match, words.words, keys, i)
            if fits:
                return n, kind if match != NEVER else None
        return None

    def to_bytes(self) -> bytes:
        """The store as bytes; equal stores give equal bytes."""
        kinds = sorted({kind for kind, _, _ in self._entries.values()})
        rank = {kind: i for i, kind in enumerate(kinds)}
        rows = sorted(self._entries.items())
        entries = [[key, rank[kind], *more] for key, (kind, *more) in rows]
        return srsly.msgpack_dumps({"kinds": [*map(list, kinds)], "entries": entries})

    def from_bytes(self, data: bytes) -> TermStore:
        """Load the store, replacing what it holds."""
        state: Mapping[str, Any] = srsly.msgpack_loads(data)
        kinds = [Kind(*kind) for kind in state["kinds"]]
        self._kinds = {kind: kind for kind in kinds}
        self._entries, self._lengths = {}, {}
        for key, number, match, form in state["entries"]:
            self._set(key, (kinds[number], match, form), True)
        return self


# What says that somebody is what follows, and what may stand between.
_SAYS = frozenset(
    "am is was are were be been being became become becomes becoming as works worked "
    "working former retired profession occupation job trained qualified m".split()
)
_BETWEEN = 4
# Letters of the longest acronym.
_ACRONYM = 5


def _fits(match: str, words: list[str], keys: list[str], i: int) -> bool:
    if match == TITLE:
        word = words[i]
        if not word.isupper() or not 1 < len(word) <= _ACRONYM:
            return word[0].isupper()
        # "IBAN" among words in lower case is an acronym, "OMAN" in a headline none.
        return not any(map(str.islower, words[max(0, i - _BETWEEN) : i + _BETWEEN]))
    for key in reversed(keys[max(0, i - _BETWEEN) : i]):
        if key in _SAYS:
            return True
        if key in ("the", "by", "his", "her", "their", "my"):
            return False
    return False


def _written(text: str) -> str:
    """How an exact term is written, but for full stops and blanks."""
    return text.replace(".", "").replace(" ", "")


def _among_capitals(words: list[str], i: int, n: int) -> bool:
    """Whether case says nothing, as all words around are capitals: "TELL US NOW"."""
    around = [*words[max(0, i - 1) : i], *words[i + n : i + n + 1]]
    around = [w for w in around if len(w) > 1]
    return bool(around) and all(w.isupper() and w.isalpha() for w in around)
