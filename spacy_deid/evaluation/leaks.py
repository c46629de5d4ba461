"""Strings of training documents in the files of a saved pipeline or wheel.

A file is searched as it is and in every part of it that is compressed, for each string
in several encodings and spellings, and for the 64-bit hashes by which spaCy's tables
know strings: from a hash no text can be read, but a guess confirmed.
"""

from __future__ import annotations

import base64
import bz2
import io
import json
import lzma
import re
import unicodedata
import zipfile
import zlib
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy
import spacy
from spacy.language import Language
from spacy.strings import get_string_id

from ..gazetteers import Gazetteer
from ..tokenizer import blank_pipeline

# Shorter strings stand in any large file by chance.
MIN_LENGTH = 5
_STEP = 1 << 21
# How compressed data begins, and what reads it.
_COMPRESSED: tuple[tuple[re.Pattern[bytes], Callable[[], Any]], ...] = (
    (re.compile(rb"\x78[\x01\x5e\x9c\xda]"), zlib.decompressobj),
    (re.compile(rb"\x1f\x8b\x08"), partial(zlib.decompressobj, 16 + zlib.MAX_WBITS)),
    (re.compile(rb"BZh[1-9]1AY&SY"), bz2.BZ2Decompressor),
    (re.compile(rb"\xfd7zXZ\x00"), lzma.LZMADecompressor),
)
_DEPTH = 4
_BYTEWISE = ("utf-8", "latin-1", "json")
_WORD = re.compile(r"\w+")
_PART = re.compile(r"[^\W_]+")
# A character of JSON by its number, before and after a place.
_LAST = re.compile(rb"\\u([0-9a-f]{4})$")
_NEXT = re.compile(rb"\\u([0-9a-f]{4})")


class Leak(NamedTuple):
    """A string, by its index, found in a file of a folder or wheel, and how it is written
    there: an encoding, `hash`."""

    file: str
    string: int
    form: str


def find_strings(
    path: str | Path, strings: Sequence[str], whole: bool = False
) -> list[Leak]:
    """Search a pipeline or wheel for strings.

    RETURNS (List[Leak]): What was found, each file, string and form once.
    RAISES (ValueError): If a string is too short to search for.
    """
    patterns: dict[bytes, tuple[int, str]] = {}
    for i, string in enumerate(strings):
        if len(string) < MIN_LENGTH:
            needed = f"{MIN_LENGTH} are needed"
            raise ValueError(f"string {i} has {len(string)} characters; {needed}")
        for form, data in _forms(string):
            patterns.setdefault(data, (i, form))
    search = _Search(patterns, whole)
    found: set[Leak] = set()
    for name, data in _files(Path(path)):
        for layer in (name.encode("utf-8", "surrogateescape"), *_layers(name, data)):
            found.update(Leak(name, i, form) for i, form in search(layer))
    return sorted(found)


def training_only(
    texts: Iterable[str], nlp: Language, known: Collection[str] = ()
) -> list[str]:
    """Words that documents have and that are known from nowhere else.

    RETURNS (List[str]): Words of MIN_LENGTH characters at least, sorted.
    """
    language = type(nlp)()
    # spaCy's exceptions have phrases among their norms.
    own = " ".join([*language.vocab.strings, *language.Defaults.stop_words])
    skip = {*words_of(own), *map(plain_text, [*language.vocab.strings, *known])}
    words: set[str] = set()
    with nlp.memory_zone():
        for text in texts:
            words.update(token.text for token in nlp.make_doc(text))
    long = [w for w in words if len(w) >= MIN_LENGTH and any(map(str.isalnum, w))]
    return sorted(word for word in long if plain_text(word) not in skip)


def package_words(lang: str) -> set[str]:
    """Words of this package's own files and term lists, of spaCy's default config and of
    the language's tokenizers: what a pipeline may have from there."""
    root = Path(__file__).parents[1]
    pipelines = root / "pipelines"
    kinds = (".py", ".txt", ".tsv", ".json", ".jsonl", ".md")
    own = (f for f in root.rglob("*") if f.suffix in kinds)
    files = [*Path(spacy.__file__).parent.glob("*.cfg")]
    files += [file for file in own if pipelines not in file.parents]
    words = set().union(*(words_of(file.read_text("utf-8")) for file in files))
    plain = spacy.blank(lang)
    # The lists' plurals stand in no file; exceptions and expressions in that of a tokenizer.
    terms = plain.add_pipe("pii_gazetteer").to_bytes()  # type: ignore[attr-defined]
    tokenizers: list[Any] = [plain.tokenizer, blank_pipeline(lang).tokenizer]
    # Tables, of vectors for instance, begin with words of numpy's.
    header = io.BytesIO()
    numpy.save(header, numpy.zeros(0))
    tokenized = (tokenizer.to_bytes() for tokenizer in tokenizers)
    for data in (terms, header.getvalue(), *tokenized):
        words |= words_of(data.decode("utf-8", "ignore"))
    return words


def words_of(text: str) -> set[str]:
    """Words of a text, without case and accents, and the parts of those that have
    underscores in them, as labels do."""
    plain = plain_text(text)
    return {*_WORD.findall(plain), *_PART.findall(plain)}


def stands_in(text: str, string: str) -> bool:
    """Whether a text has a string that neither letter nor digit goes on with."""
    return bool(re.search(rf"(?<![^\W_]){re.escape(string)}(?![^\W_])", text))


def plain_text(text: str) -> str:
    """Text without case and accents."""
    decomposed = unicodedata.normalize("NFKD", text)
    return "".join(ch for ch in decomposed if not unicodedata.combining(ch)).casefold()


def _forms(string: str) -> Iterator[tuple[str, bytes]]:
    """Ways in which a string may stand in a file."""
    cases = string, string.lower(), string.upper(), string.title()
    made = (unicodedata.normalize(f, x) for f in ("NFC", "NFD", "NFKC") for x in cases)
    spellings = {string, *made}
    for text in sorted(spellings):
        for encoding in ("utf-8", "utf-16-le", "utf-16-be", "utf-32-le", "latin-1"):
            with suppress(UnicodeEncodeError):
                yield encoding, text.encode(encoding)
        yield "json", json.dumps(text)[1:-1].encode("ascii")
        yield "hex", text.encode("utf-8").hex().encode("ascii")
        # Of the three ways to lie in groups of three bytes.
        for shift in range(3):
            data = base64.b64encode(b"\0" * shift + text.encode("utf-8"))
            whole = data[[0, 2, 3][shift] : -4 if data.endswith(b"=") else None]
            if len(whole) >= MIN_LENGTH + 1:
                yield "base64", whole
        key = get_string_id(text)
        # spaCy's own symbols have small numbers.
        if key >= 1 << 32:
            yield "hash", key.to_bytes(8, "little")
            yield "hash", key.to_bytes(8, "big")
            yield "hash", str(key).encode("ascii")


class _Search:
    """Many byte strings sought at once: windows of the data are looked up among the
    patterns' beginnings, and what begins like one is compared."""

    def __init__(self, patterns: dict[bytes, tuple[int, str]], whole: bool) -> None:
        self.whole = whole
        self.width = min([8, *map(len, patterns)])
        self.by_head: dict[int, list[bytes]] = {}
        for pattern in patterns:
            head = int.from_bytes(pattern[: self.width], "little")
            self.by_head.setdefault(head, []).append(pattern)
        self.heads = numpy.array(sorted(self.by_head), dtype="uint64")
        self.patterns = patterns

    def __call__(self, data: bytes) -> Iterator[tuple[int, str]]:
        for start in range(0, len(data), _STEP):
            part = data[start : start + _STEP + self.width - 1]
            if (n := len(part) - self.width + 1) <= 0 or not len(self.heads):
                continue
            raw = numpy.frombuffer(part, dtype="uint8")
            keys = numpy.zeros(n, dtype="uint64")
            for i in range(self.width):
                keys |= raw[i : i + n].astype("uint64") << numpy.uint64(8 * i)
            places = numpy.searchsorted(self.heads, keys)
            places[places == len(self.heads)] = 0
            for i in numpy.flatnonzero(self.heads[places] == keys).tolist():
                for pattern in self.by_head[int(keys[i])]:
                    index, form = self.patterns[pattern]
                    if not data.startswith(pattern, start + i):
                        continue
                    if self.whole and form in _BYTEWISE:
                        end = start + i + len(pattern)
                        if _in_word(data, start + i, end, form == "json"):
                            continue
                    yield index, form


def _in_word(data: bytes, start: int, end: int, escaped: bool = False) -> bool:
    """Whether a letter or digit stands right before or after.

    escaped (bool): Whether it may be written as JSON has it, by its number.
    """
    if escaped:
        sides = _LAST.search(data[max(0, start - 6) : start]), _NEXT.match(data, end)
        if any(side and chr(int(side[1], 16)).isalnum() for side in sides):
            return True
    # What is no text, such as a length before a string, is left out of the decoding.
    before = data[max(0, start - 4) : start].decode("utf-8", "ignore")
    after = data[end : end + 4].decode("utf-8", "ignore")
    return before[-1:].isalnum() or after[:1].isalnum()


def _files(path: Path) -> Iterator[tuple[str, bytes]]:
    """Name and content of each file; a folder has no content."""
    if not path.exists():
        raise ValueError(f"{path.name}: no such file or folder")
    if path.is_dir():
        for file in sorted(path.rglob("*")):
            name = file.relative_to(path).as_posix()
            yield name, file.read_bytes() if file.is_file() else b""
    elif zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as archive:
            for info in archive.infolist():
                yield info.filename, archive.read(info)
    else:
        yield path.name, path.read_bytes()


def _layers(name: str, data: bytes, depth: int = 0) -> Iterator[bytes]:
    """The bytes of a file and, again and again, what is compressed in them."""
    if name.endswith(".gaz"):
        # Two terms side by side are no word: "major-general" and "major-general".
        terms, data = Gazetteer(data, "gazetteer").strings()
        yield "\n".join(terms).encode("utf-8")
    yield data
    if depth >= _DEPTH:
        return
    for inner in _unpacked(data):
        yield from _layers("", inner, depth + 1)


def _unpacked(data: bytes) -> Iterator[bytes]:
    if b"PK\x03\x04" in data:
        yield from _unzipped(data[data.index(b"PK\x03\x04") :])
    for pattern, make in _COMPRESSED:
        for match in pattern.finditer(data):
            if inner := _expand(make(), data[match.start() :]):
                yield inner


def _unzipped(data: bytes) -> Iterator[bytes]:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            for info in archive.infolist():
                yield info.filename.encode("utf-8")
                yield archive.read(info)
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError):
        return


def _expand(decompressor: Any, data: bytes) -> bytes:
    """What comes out before the end of the stream or the first damage: most are no
    streams at all, and end after a few bytes."""
    out = []
    for start in range(0, len(data), 1 << 16):
        try:
            out.append(decompressor.decompress(data[start : start + (1 << 16)]))
        except (zlib.error, OSError, lzma.LZMAError, EOFError, ValueError):
            break
        if decompressor.eof:
            break
    return b"".join(out)
