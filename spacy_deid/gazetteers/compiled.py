"""Compiled gazetteers: a million terms in one file that is mapped into memory.

A file holds a marisa trie of normalised terms, arrays of what is known about each,
and two Bloom filters (Bloom, Space/time trade-offs in hash coding, 1970; in blocks of
64 bits), one of whole terms and one of their beginnings. A text is hashed word by
word; the filters, read for all its words at once, leave the few runs of words that
can be a term, and only these are looked up in the trie. With a million terms it takes
a fraction of the memory of spaCy's `PhraseMatcher` or of an Aho-Corasick automaton, and
several processes share it (`benchmarks/gazetteers.py`).
"""

from __future__ import annotations

import json
import math
import mmap
import os
import re
import sys
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import marisa_trie
import numpy
from murmurhash import mrmr

from ..schema import SEMANTIC_TYPES
from ..text.words import (
    AFTER_HEAD,
    PLURAL_LANGUAGES,
    WORD,
    Words,
    normalize_term,
    pluralize,
    singulars,
)
from .wikidata.values import atomic_file, load_properties

MAGIC = b"spacy_deid gazetteer\n"
VERSION = 1
MAX_WORDS = 16
_ALIGN = 64
_QID = re.compile(r"Q[1-9][0-9]{0,9}")
# How a term is written: lower case, first letter, first letter of each word, capitals.
LOWER, FIRST, TITLE, UPPER, OTHER = range(5)
# Parts of a flag: the style; whether plurals count; whether the written form is kept
# as it can't be made from the style; whether the key is a plural of that form.
_STYLE, _PLURAL, _FORM, _INNER = 7, 8, 16, 32
# Zipf values (log10 of occurrences per thousand million words) are kept in steps.
ZIPF_STEP = 0.05
# Mixing of hashes: constants of splitmix64 (Steele et al., 2014).
_MIX_A, _MIX_B = 0xBF58476D1CE4E5B9, 0x94D049BB133111EB
_GOLDEN = 0x9E3779B97F4A7C15


class Entry(NamedTuple):
    """What a gazetteer knows of a term.

    term (str): The term as it is written.
    label (str): Semantic type.
    id (str): Wikidata id or subtype, or "".
    property (str): Wikidata property, or "".
    people (int): How many people bear the value; 0 if unknown.
    """

    term: str
    label: str
    id: str = ""
    property: str = ""
    people: int = 0


class Found(NamedTuple):
    """A run of words that is a term of a gazetteer.

    i (int): Index of its first word.
    n (int): Number of words.
    key (int): Number of the term in its gazetteer.
    plural (bool): Whether it is a plural of the term.
    """

    i: int
    n: int
    key: int
    plural: bool


class Match(NamedTuple):
    """A term found in a text, with character offsets.

    start (int): First character.
    end (int): Character after the last.
    entry (Entry): The entry of the term that most people bear.
    score (float): Probability that it is meant.
    """

    start: int
    end: int
    entry: Entry
    score: float


Evidence = Callable[["Gazetteer", Words, Found], float]


class GazetteerError(ValueError):
    """A file that is no compiled gazetteer, or a list that can't be compiled."""


class _Columns(NamedTuple):
    """What a file says of its terms, an array a column.

    starts (Any): First entry of each term, and the one after the last.
    kind_ids, qids, counts, flags (Any): Of each entry.
    zipfs (Any): Of each term.
    forms (Any): Written forms, UTF-8, one after the other.
    form_entries, form_starts (Any): Whose they are, and where each begins.
    whole, begin (Any): Bloom filters of whole terms and of beginnings.
    """

    starts: Any
    kind_ids: Any
    qids: Any
    counts: Any
    flags: Any
    zipfs: Any
    forms: Any
    form_entries: Any
    form_starts: Any
    whole: Any
    begin: Any

    def add(self, flag: int, kind: int, qid: int, count: int, form: str) -> None:
        """Add an entry, with its written form if the flag says so."""
        if flag & _FORM:
            self.form_entries.append(len(self.flags))
            self.forms.extend(form.encode("utf8"))
            self.form_starts.append(len(self.forms))
        self.flags.append(flag)
        self.kind_ids.append(kind)
        self.qids.append(qid)
        self.counts.append(count)


_TYPES = _Columns(*"<u4 <u4 <u4 <u4 <u1 <u1 <u1 <u4 <u4 <u8 <u8".split())


class Gazetteer:
    """A compiled gazetteer.

    data (Buffer): The bytes of the file; kept, not copied.
    name (str): Its name in saved pipelines.
    where (str): Its name in messages, the same by default.
    RAISES (GazetteerError): If the data isn't a whole gazetteer.
    """

    def __init__(self, data: Any, name: str = "gazetteer", where: str = "") -> None:
        self.name = name
        self._where = where = where or name
        self._data = data
        self.header = header = _read_header(data, where)
        view = memoryview(data)
        try:
            places = header["sections"].items()
            parts = {name: view[start : start + size] for name, (start, size) in places}
            self._trie = marisa_trie.Trie()
            self._trie.map(parts["trie"])
            rows = zip(_TYPES._fields, _TYPES)
            self._all = _Columns(*(numpy.frombuffer(parts[n], t) for n, t in rows))
            # One value of a view is read much faster than one of an array.
            self._one = _Columns(*(memoryview(column) for column in self._all))
            self._start, self._checksum = int(header["start"]), int(header["checksum"])
            self._terms = int(header["terms"])
            self.kinds = [tuple(kind) for kind in header["kinds"]]
            self.languages = tuple(header["languages"])
            self._max_words = int(header["max_words"])
            self.properties: dict[str, str] = dict(header["properties"])
            self._humans = int(header["humans"])
            self._count = len(self._trie)
            sizes = {*map(len, (self._all.kind_ids, self._all.qids, self._all.counts))}
            if len(self._all.starts) != self._count + 1 or len(sizes) != 1:
                raise ValueError
        except (KeyError, TypeError, ValueError, RuntimeError) as error:
            raise GazetteerError(_damaged(where)) from error

    @classmethod
    def load(cls, path: str | Path, name: str = "") -> Gazetteer:
        """Map a compiled file into memory.

        path (Union[str, Path]): The file.
        name (str): Its name in messages and in saved pipelines; that of the file if "".
        RETURNS (Gazetteer): The gazetteer.
        RAISES (GazetteerError): If it is no whole compiled gazetteer.
        """
        path = Path(path)
        with path.open("rb") as file:
            if os.fstat(file.fileno()).st_size == 0:
                raise GazetteerError(_damaged(str(path)))
            data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        return cls(data, name or path.stem, str(path))

    def to_bytes(self) -> bytes:
        """The file's bytes."""
        return bytes(self._data)

    def strings(self) -> tuple[list[str], bytes]:
        """All terms one by one, normalised and as written, without the plurals made of
        them, and the file's bytes without terms: there, one follows another with nothing
        between."""
        inner = self._all.flags[self._all.starts[:-1]] & _INNER
        keys = map(self._trie.restore_key, numpy.flatnonzero(inner == 0).tolist())
        written = self._all.forms.tobytes()
        ends = pairwise(self._all.form_starts.tolist())
        terms = [*keys, *(written[a:b].decode("utf8", "replace") for a, b in ends)]
        rest = bytearray(self._data)
        for key in ("trie", "forms"):
            start, size = self.header["sections"][key]
            rest[start : start + size] = bytes(size)
        return terms, bytes(rest)

    def __reduce__(self) -> tuple:
        return Gazetteer, (self.to_bytes(), self.name)

    def __len__(self) -> int:
        """Number of different normalised terms."""
        return self._terms

    def counts(self, what: str) -> dict[str, int]:
        """Number of entries by label or property."""
        column = {"label": 0, "property": 1}[what]
        out: dict[str, int] = {}
        own = self._all.kind_ids[self._all.flags & _INNER == 0]
        numbers = numpy.bincount(own, minlength=len(self.kinds)).tolist()
        for kind, n in zip(self.kinds, numbers):
            out[kind[column]] = out.get(kind[column], 0) + n
        return dict(sorted(out.items(), key=lambda item: (-item[1], item[0])))

    def check(self) -> None:
        """Read the whole file and compare its checksum."""
        if zlib.crc32(memoryview(self._data)[self._start :]) != self._checksum:
            raise GazetteerError(_damaged(self._where))

    def entries(self, key: int) -> list[Entry]:
        """What is known of a term: one entry for each value it names, the one with most
        people first."""
        normal = self._trie.restore_key(key)
        places = range(self._one.starts[key], self._one.starts[key + 1])
        return [self._entry(e, normal) for e in places]

    def best(self, key: int) -> Entry:
        """The entry of a term with most people."""
        return self._entry(self._one.starts[key], self._trie.restore_key(key))

    def style(self, key: int) -> int:
        """How a term is written."""
        return int(self._one.flags[self._one.starts[key]]) & _STYLE

    def zipf(self, key: int) -> float:
        """How frequent the words of a term are in everyday language."""
        return float(self._one.zipfs[key]) * ZIPF_STEP

    def label(self, key: int) -> str:
        """Semantic type of a term."""
        return self.kinds[self._one.kind_ids[self._one.starts[key]]][0]

    def people(self, key: int) -> int:
        """How many people bear a value."""
        return int(self._one.counts[self._one.starts[key]])

    def share(self, key: int) -> float | None:
        """How common a value is among people."""
        people, humans = self.people(key), self._humans
        if not people or not humans:
            return None
        return max(0.0, math.log10(min(1.0, people / humans)) + 5.0)

    def __iter__(self) -> Iterator[Entry]:
        """All entries, in the order of their normalised terms' numbers."""
        for key in range(self._count):
            if not self._one.flags[self._one.starts[key]] & _INNER:
                yield from self.entries(key)

    def get(self, term: str) -> list[Entry]:
        """Entries of a term."""
        key = self._trie.get(normalize_term(term))
        return [] if key is None else self.entries(key)

    def get_plural(self, term: str) -> list[Entry]:
        """Entries of the first term that another is a regular plural of."""
        head, space, last = normalize_term(term).rpartition(" ")
        for _, forms in singulars((last,), self.languages):
            for form in forms:
                key = self._trie.get(f"{head}{space}{form}")
                if key is not None and self._one.flags[self._one.starts[key]] & _PLURAL:
                    return self.entries(key)
        return []

    def _entry(self, e: int, normal: str) -> Entry:
        label, prop, subtype = self.kinds[self._one.kind_ids[e]]
        qid = self._one.qids[e]
        flag = self._one.flags[e]
        if flag & _FORM:
            at = int(numpy.searchsorted(self._all.form_entries, e))
            start, end = self._all.form_starts[at : at + 2]
            term = self._all.forms[start:end].tobytes().decode("utf8")
        else:
            term = _STYLES[flag & _STYLE](normal)
        id_ = f"Q{qid}" if qid else subtype
        return Entry(term, label, id_, prop, int(self._one.counts[e]))

    def find(self, words: Words) -> list[Found]:
        """All runs of words that are terms or regular plurals of terms, overlaps
        included, whatever stands between the words."""
        keys = words.keys
        if not keys or not self._count:
            return []
        table = _Hashes()
        found = map(table.__getitem__, keys)
        hashes = numpy.fromiter(found, dtype=numpy.uint64, count=len(keys))
        # Possible singulars of each word, and which words have any.
        singular = dict(singulars(table, self.languages))
        may_be_plural = numpy.array([key in singular for key in keys])
        get, flags, first = self._trie.get, self._one.flags, self._one.starts
        out: list[tuple[int, int, bool, int]] = []
        starts = numpy.arange(len(keys))
        states: numpy.ndarray | int = _START
        for n in range(1, self._max_words + 1):
            last = starts + (n - 1)
            states = _step(states, hashes[last])
            for i in starts[_test(self._all.whole, states)].tolist():
                key = get(keys[i] if n == 1 else " ".join(keys[i : i + n]))
                if key is not None:
                    out.append((i, -n, False, key))
            for i in starts[may_be_plural[last]].tolist():
                *head, word = keys[i : i + n]
                for form in singular[word]:
                    key = get(" ".join((*head, form)))
                    if key is not None and flags[first[key]] & _PLURAL:
                        out.append((i, -n, True, key))
                        break
            # What begins a longer term goes on.
            goes_on = _test(self._all.begin, states) & (last + 1 < len(keys))
            longer = numpy.flatnonzero(goes_on)
            starts, states = starts[longer], states[longer]
            if not len(starts):
                break
        return [
            Found(i, -n, key, plural or bool(flags[first[key]] & _INNER))
            for i, n, plural, key in sorted(out)
        ]

    def matches(
        self, words: Words, evidence: Evidence | None = None, threshold: float = 0.0
    ) -> Iterator[Match]:
        """The terms of a text: the longest ones that the evidence doesn't turn down.

        words (Words): The words of the text.
        evidence (Optional[Callable]): Gives the probability that a run of words that is
            a term is meant as such; 1 for all of them if None.
        threshold (float): Least probability.
        YIELDS (Match): Matches that do not overlap, in document order.
        """
        done = 0
        for found in self.find(words):
            i, n, key, _ = found
            if i < done or (
                n > 1 and words.run(i, n) < n and not self._written_so(words, found)
            ):
                continue
            score = 1.0 if evidence is None else evidence(self, words, found)
            if score >= threshold:
                done = i + n
                yield Match(*words.extent(i, n), self.best(key), score)

    def _written_so(self, words: Words, found: Found) -> bool:
        """Whether other signs between the words are those of the term: "actor (film)",
        "Washington, D.C."."""
        text = words.text[slice(*words.extent(found.i, found.n))]
        if _PARAGRAPH.search(text):
            return False
        return _between(text) in (_between(x.term) for x in self.entries(found.key))

    def describe(self, entry: Entry) -> str:
        """Why something that an entry names was found, in plain words."""
        what = self.properties.get(entry.property) or entry.label
        ids = ", ".join(filter(None, (entry.property, entry.id)))
        out = f"listed as {what}" + (f" ({ids})" if ids else "")
        if entry.people:
            people = "person" if entry.people == 1 else "people"
            out += f"; {entry.people} {people} on record"
        return out


class _Hashes(dict):
    """Hashes of words, each made once a text."""

    def __missing__(self, word: str) -> int:
        value = self[word] = mrmr.hash(word) & 0xFFFFFFFF
        return value


_START = 0x5DEECE66D


def _step(state: numpy.ndarray | int, hashes: numpy.ndarray) -> numpy.ndarray:
    """Hashes of runs of words and one more; `state` is those of the runs."""
    out = hashes ^ (numpy.uint64(state) if isinstance(state, int) else state)
    out *= numpy.uint64(_MIX_A)
    out ^= out >> numpy.uint64(29)
    out *= numpy.uint64(_MIX_B)
    out ^= out >> numpy.uint64(32)
    out += numpy.uint64(_GOLDEN)
    return out


def _bits(state: numpy.ndarray) -> numpy.ndarray:
    """Three bits of a block of 64, from three parts of the hash."""
    one, six = numpy.uint64(1), numpy.uint64(63)
    bits = one << (state & six)
    bits |= one << ((state >> numpy.uint64(6)) & six)
    bits |= one << ((state >> numpy.uint64(12)) & six)
    return bits


def _blocks(state: numpy.ndarray, size: int) -> numpy.ndarray:
    # The number of blocks is a power of two.
    return (state >> numpy.uint64(18)) & numpy.uint64(size - 1)


def _test(bloom: numpy.ndarray, state: numpy.ndarray) -> numpy.ndarray:
    bits = _bits(state)
    return (bloom[_blocks(state, len(bloom))] & bits) == bits


def _bloom(states: numpy.ndarray) -> numpy.ndarray:
    """A filter with at least 16 bits for each hash."""
    size = 1 << max(4, (len(states) // 4).bit_length())
    bloom = numpy.zeros(size, dtype=numpy.uint64)
    numpy.bitwise_or.at(bloom, _blocks(states, size), _bits(states))
    return bloom


_STYLES: tuple[Callable[[str], str], ...] = (
    lambda key: key,
    lambda key: key[:1].upper() + key[1:],
    lambda key: " ".join(word[:1].upper() + word[1:] for word in key.split(" ")),
    str.upper,
)


def _style(term: str) -> int:
    words = [word for word in WORD.findall(term) if word[0].isalpha()]
    if all(word.islower() or not word[0].isupper() for word in words):
        return LOWER
    if all(word.isupper() for word in words) and sum(map(len, words)) > 1:
        return UPPER
    if not any(word[0].isupper() for word in words[1:]):
        return FIRST
    return TITLE if all(word[0].isupper() for word in words) else OTHER


_PARAGRAPH = re.compile(r"\n\s*\n")


def _between(text: str) -> str:
    """A text from its first to its last word, case and kinds of blanks aside."""
    matches = list(WORD.finditer(text))
    inner = text[matches[0].start() : matches[-1].end()] if matches else ""
    return " ".join(inner.split()).casefold()


def _damaged(name: str) -> str:
    return (
        f"{name}: not a compiled gazetteer, or a damaged one; make it again with "
        "'spacy deid gazetteer compile'"
    )


def _read_header(data: Any, name: str) -> dict[str, Any]:
    prefix = len(MAGIC) + 8
    if len(data) < prefix or bytes(data[: len(MAGIC)]) != MAGIC:
        raise GazetteerError(_damaged(name))
    size = int.from_bytes(data[len(MAGIC) : prefix], "little")
    try:
        header = json.loads(bytes(data[prefix : prefix + size]))
        version, whole = header["version"], header["size"]
    except (ValueError, KeyError, TypeError) as error:
        raise GazetteerError(_damaged(name)) from error
    if version != VERSION:
        raise GazetteerError(
            f"{name}: compiled gazetteer of version {version}, this release reads "
            f"version {VERSION}; compile it again"
        )
    if len(data) != whole:
        raise GazetteerError(_damaged(name))
    return dict(header)


def term_zipf(key: str, frequencies: Mapping[str, float]) -> float:
    """How frequent a term is by its words."""
    words = key.split(" ")
    rarest = min(frequencies.get(word, 0.0) for word in words)
    return max(0.0, rarest - 2.0 * (len(words) - 1))


class Compiler:
    """Collects terms and writes a compiled gazetteer.

    frequencies (Optional[Mapping[str, float]]): Zipf values of everyday words, by
        normalised word.
    languages (Iterable[str]): Languages whose regular plurals are seen through.
    humans (int): All people that the counts are taken from; 0 if unknown.
    """

    def __init__(
        self,
        frequencies: Mapping[str, float] | None = None,
        languages: Iterable[str] = ("en",),
        humans: int = 0,
    ) -> None:
        self.humans = humans
        self.frequencies = frequencies or {}
        known = {code.partition("-")[0] for code in languages}
        self.languages = [code for code in PLURAL_LANGUAGES if code in known]
        self.skipped = 0
        self._kinds: dict[tuple[str, str, str], int] = {}
        # By key: for each kind and id, the number of people and the form.
        self._terms: dict[str, dict[tuple[int, int], tuple[int, str]]] = {}

    def add(self, entry: Entry) -> bool:
        """Add a term.

        entry (Entry): The term.
        RETURNS (bool): Whether it was taken: one without letters or digits or with
            too many words can't be matched.
        RAISES (GazetteerError): If its label is unknown or its count no number.
        """
        if entry.label not in SEMANTIC_TYPES:
            raise GazetteerError(
                f"label '{entry.label}' must be one of {', '.join(SEMANTIC_TYPES)}"
            )
        if not isinstance(entry.people, int) or entry.people < 0:
            raise GazetteerError("count must be a whole number of at least 0")
        term = " ".join(entry.term.split())
        if not (key := normalize_term(term)) or key.count(" ") >= MAX_WORDS:
            self.skipped += 1
            return False
        is_qid = _QID.fullmatch(entry.id) and int(entry.id[1:]) < 1 << 32
        kind = (entry.label, entry.property, "" if is_qid else entry.id)
        own: Any = tuple(map(sys.intern, kind))
        number = self._kinds.setdefault(own, len(self._kinds))
        what = (number, int(entry.id[1:]) if is_qid else 0)
        values = self._terms.setdefault(key, {})
        known = values.get(what)
        count = min(entry.people, (1 << 32) - 1)
        # Of several forms the one in small letters is kept.
        if known is None or (count, term) > (known[0], known[1] or key):
            most = max(count, known[0] if known else 0)
            values[what] = (most, "" if term == key else term)
        return True

    def __len__(self) -> int:
        """Number of different normalised terms."""
        return len(self._terms)

    def _inner_plurals(self) -> dict[str, str]:
        """Plurals that aren't at the end ("members of parliament"), with their terms."""
        if "en" not in self.languages:
            return {}
        return {
            plural: key
            for key in sorted(self._terms)
            if not AFTER_HEAD.isdisjoint(key.split(" ")[1:])
            for plural in pluralize(key)
            if plural not in self._terms
        }

    def write(self, path: str | Path, info: Mapping[str, Any] | None = None) -> int:
        """Write the file; it appears only when it is complete.

        path (Union[str, Path]): Where to.
        info (Optional[Mapping]): What is to be known of its origin, as JSON.
        RETURNS (int): Size in bytes.
        RAISES (GazetteerError): If there are no terms.
        """
        data = self.to_bytes(info)
        with atomic_file(Path(path)) as file:
            file.write(data)
        return len(data)

    def to_bytes(self, info: Mapping[str, Any] | None = None) -> bytes:
        """The bytes of the file; equal terms give equal bytes."""
        if not self._terms:
            raise GazetteerError("no terms to compile")
        kinds = sorted(self._kinds)
        used = {prop for _, prop, _ in kinds}
        properties = {p.id: p.label for p in load_properties() if p.id in used}
        rank = {self._kinds[kind]: i for i, kind in enumerate(kinds)}
        inner = self._inner_plurals()
        trie = marisa_trie.Trie(sorted((*self._terms, *inner)))
        by_number = [""] * len(trie)
        for key in (*self._terms, *inner):
            by_number[trie[key]] = key
        blooms = map(_bloom, _hash_keys(by_number))
        flags, zipfs, forms = bytearray(), bytearray(), bytearray()
        columns = _Columns([0], [], [], [], flags, zipfs, forms, [], [0], *blooms)
        for key in by_number:
            source = inner.get(key, key)
            values = sorted(
                (-count, rank[kind], qid, form or source)
                for (kind, qid), (count, form) in self._terms[source].items()
            )
            for negative, kind, qid, form in values:
                flag = _flag(key, form, kinds[kind][0])
                flag |= _INNER if source != key else 0
                columns.add(flag, kind, qid, -negative, form)
            columns.starts.append(len(columns.flags))
            zipf = term_zipf(source, self.frequencies)
            columns.zipfs.append(min(255, round(zipf / ZIPF_STEP)))
        rows = zip(_TYPES._fields, columns, _TYPES)
        arrays = {name: numpy.array(values, dtype) for name, values, dtype in rows}
        sections = {"trie": trie.tobytes(), **arrays}
        header = {
            "version": VERSION,
            "terms": len(self._terms),
            "entries": sum(map(len, self._terms.values())),
            "max_words": 1 + max(key.count(" ") for key in by_number),
            "kinds": kinds,
            "languages": self.languages,
            "humans": self.humans,
            "properties": properties,
            "info": dict(info or {}),
        }
        return _pack(header, {name: bytes(part) for name, part in sections.items()})


def _flag(key: str, form: str, label: str) -> int:
    """How a term is written that is looked up as `key`, and whether plurals count."""
    flag = _style(form)
    if flag == OTHER or _STYLES[flag](key) != form:
        flag |= _FORM
    plural = label == "DEM" or form.rsplit(maxsplit=1)[-1][:1].islower()
    return flag | (_PLURAL if plural else 0)


def _hash_keys(keys: Sequence[str]) -> tuple[numpy.ndarray, numpy.ndarray]:
    """Hashes of whole terms, and of the beginnings of longer ones."""
    table = _Hashes()
    split = [key.split(" ") for key in keys]
    lengths = numpy.array([len(words) for words in split])
    whole, begin = [], []
    state = numpy.full(len(split), _START, dtype=numpy.uint64)
    index = numpy.arange(len(split))
    for n in range(int(lengths.max())):
        own = (table[split[i][n]] for i in index.tolist())
        state = _step(state, numpy.fromiter(own, dtype=numpy.uint64, count=len(index)))
        ends = lengths[index] == n + 1
        whole.append(state[ends])
        index, state = index[~ends], state[~ends]
        begin.append(numpy.unique(state))
    return numpy.concatenate(whole), numpy.concatenate(begin)


def _pack(header: dict[str, Any], sections: Mapping[str, bytes]) -> bytes:
    def encode(start: int, size: int, checksum: int) -> bytes:
        places, at = {}, start
        for name, part in sections.items():
            places[name] = [at, len(part)]
            at += -(-len(part) // _ALIGN) * _ALIGN
        whole = {**header, "sections": places, "start": start, "checksum": checksum}
        # The size has its full width from the beginning.
        return json.dumps({**whole, "size": size}, ensure_ascii=False).encode("utf8")

    big = 1 << 40
    room = len(MAGIC) + 8 + len(encode(big, big, big)) + len(sections) * 32
    start = -(-room // _ALIGN) * _ALIGN
    body = b"".join(part + bytes(-len(part) % _ALIGN) for part in sections.values())
    head = encode(start, start + len(body), zlib.crc32(body))
    out = MAGIC + len(head).to_bytes(8, "little") + head
    return out + bytes(start - len(out)) + body
