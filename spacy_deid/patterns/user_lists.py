"""A user's own terms: those that are always masked, and those that never are."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping
from itertools import filterfalse
from pathlib import Path
from unicodedata import combining
from unicodedata import normalize as normalize_form

from ..gazetteers import Term, TermStore, normalize_term
from ..gazetteers.rows import read_rows
from ..schema import SEMANTIC_TYPES
from ..text.words import WORD, Words, pluralize
from .base import normalize

# Source of what is always masked.
DENY_SOURCE = "user:deny"
Entry = str | Mapping[str, str]
Entries = str | Path | Iterable[Entry | Path]

# A letter of a script that puts spaces between words.
_LETTER = r"[^\W_\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]"
# What may divide a word, at the end of a line or not, and what may join two.
_DIVIDES = re.compile(r"(?:[-_](?:[^\S\n]{0,2}\r?\n[^\S\n]{0,8})?)?")
_JOINS = re.compile(r"[-_./&']{1,2}")
# Shorter terms have to be written as they are, punctuation and blanks included.
_MIN_FREE = 4
# Makes a longer name of a phrase: "Smith-Jones".
_NAME_BEFORE = re.compile(r"(?:[A-Z0-9]\w*-)\Z")
_NAME_BEHIND = re.compile(r"-[A-Z0-9]")
_COLUMNS = ("term", "label", "id")


def read_entries(entries: Entries) -> list[dict[str, str]]:
    """Terms of a list, or of files with a term a line (or term, label and id, with tabs
    between; lines that begin with "# " are left out).

    entries (Union[str, Path, Iterable]): A file, or strings, dicts and paths of files; a
        string that names a .txt or .tsv file which is there is such a path.
    RETURNS (List[Dict[str, str]]): Dicts with `term`, and perhaps `label` and `id`.
    RAISES (ValueError): If a file can't be read.
    """
    if isinstance(entries, str | Path):
        return list(_read_file(Path(entries)))
    out: list[dict[str, str]] = []
    for entry in entries:
        if isinstance(entry, Path) or _is_file(entry):
            out += _read_file(Path(entry))  # type: ignore[arg-type]
        else:
            out.append({"term": entry} if isinstance(entry, str) else dict(entry))
    return out


def _is_file(entry: Entry) -> bool:
    named = isinstance(entry, str) and entry.lower().endswith((".txt", ".tsv"))
    return named and Path(entry).is_file()  # type: ignore[arg-type]


def _read_file(path: Path) -> Iterator[dict[str, str]]:
    try:
        yield from (row for _, row in read_rows(path, _COLUMNS))
    except OSError as error:
        raise ValueError(
            f"{path}: {error.strerror}: a list in a string is a file"
        ) from None


class AllowList:
    """Phrases that are never masked.

    entries (Union[str, Path, Iterable]): See `read_entries`; labels don't matter. Case,
        blanks, hyphens and the kind of apostrophe don't either.
    RAISES (ValueError): If a term is empty.
    """

    def __init__(self, entries: Entries) -> None:
        self.entries = read_entries(entries)
        texts = [normalize(e.get("term", "").strip()).text for e in self.entries]
        if not all(map(str.strip, texts)):
            raise ValueError(
                f"entry {[*map(bool, texts)].index(False)} of allow is empty"
            )
        both = (form for text in texts for form in (_plain(text), _simple(text)))
        self.forms = frozenset(filter(None, both))
        self._words = TermStore(Term(t, "MISC") for t in texts if _simple(t))
        self._others = _pattern([t for t in texts if not _simple(t)])

    def __contains__(self, text: str) -> bool:
        return _plain(text) in self.forms or _simple(text) in self.forms

    def __bool__(self) -> bool:
        return bool(self.forms)

    def find(self, text: str) -> Iterator[tuple[int, int]]:
        """Start and end of each phrase in a text; none within a longer name.

        text (str): A text after `patterns.base.normalize`.
        """
        for start, end, _ in self._words.find(text, overlap=True):
            before = text[max(0, start - 60) : start]
            if not (_NAME_BEFORE.search(before) or _NAME_BEHIND.match(text, end)):
                yield start, end
        if self._others is not None:
            yield from (m.span(m.lastindex or 0) for m in self._others.finditer(text))

    def places(self, text: str) -> Iterator[tuple[int, int]]:
        """Start and end of each phrase in any text."""
        normal = normalize(text)
        return (normal.original(*place) for place in self.find(normal.text))


class DenyList:
    """Terms that are always masked, in any case, hyphenation and form: joined or
    divided by hyphens and ends of lines, and in the regular plural.

    entries (Union[str, Path, Iterable]): See `read_entries`; a term without a label is
        of the type MISC.
    RAISES (ValueError): If an entry is no term.
    """

    def __init__(self, entries: Entries) -> None:
        self.entries = read_entries(entries)
        others: dict[str, tuple[str, str]] = {}
        # Letters and figures of a term -> where its words begin, label and id.
        self._terms: dict[str, list[tuple[frozenset[int], str, str]]] = {}
        self._words: set[str] = set()
        for i, item in enumerate(self.entries):
            entry = dict(item)
            term = normalize(entry.pop("term", "").strip()).text.strip()
            label, id_ = entry.pop("label", "MISC"), entry.pop("id", "")
            if not term or label not in SEMANTIC_TYPES or entry:
                raise ValueError(
                    f"entry {i} of deny must be a term or have the keys 'term', "
                    f"'label' (one of {', '.join(SEMANTIC_TYPES)}) and 'id'"
                )
            key = _bare(normalize_term(term))
            # "C++" is more than its letters.
            if not _simple(term):
                others[term] = (label, id_)
            free = len(key.replace(" ", "")) >= _MIN_FREE
            if _simple(term) or (free and not re.search(r"[^\w\s./&'-]", term)):
                for form in (key, *pluralize(key)):
                    self._add(form.split(" "), label, id_)
        self._order = sorted(self._terms)
        longest_first = sorted(others, key=lambda term: (-len(term), term))
        self._others = _pattern(longest_first)
        self._kinds = [others[term] for term in longest_first]

    def _add(self, words: list[str], label: str, id_: str) -> None:
        string, starts = "", set()
        self._words.update(words)
        for word in words:
            starts.add(len(string))
            string += word
        rows = self._terms.setdefault(string, [])
        if all(row[0] != starts for row in rows):
            rows.append((frozenset(starts), label, id_))

    def _begins(self, string: str) -> bool:
        """Whether any term begins so."""
        i = bisect_left(self._order, string)
        return i < len(self._order) and self._order[i].startswith(string)

    def __bool__(self) -> bool:
        return bool(self._terms) or self._others is not None

    def repeats(self, text: str) -> bool:
        """Whether a text is a word of a term, which a surrogate must not bring back."""
        return len(text) >= _MIN_FREE and _bare(normalize_term(text)) in self._words

    def find(self, text: str) -> Iterator[tuple[int, int, str, str]]:
        """Start, end, label and id of each term in a text.

        text (str): A text after `patterns.base.normalize`.
        YIELDS (tuple): Overlapping ones too.
        """
        if self._terms:
            words = Words(text)
            keys = words.keys if text.isascii() else [*map(_bare, words.keys)]
            for i, key in enumerate(keys):
                if self._begins(key):
                    yield from self._find_at(words, keys, i)
        if self._others is not None:
            for m in self._others.finditer(text):
                group = m.lastindex or 0
                yield m.start(group), m.end(group), *self._kinds[group - 1]

    def _find_at(
        self, words: Words, keys: list[str], i: int
    ) -> Iterator[tuple[int, int, str, str]]:
        """The terms that begin with a word."""
        string, last = "", len(keys) - 1
        # Where words of the text begin, and those before which words have to begin.
        starts: set[int] = set()
        apart: set[int] = set()
        for j in range(i, last + 1):
            starts.add(len(string))
            string += keys[j]
            if not self._begins(string):
                return
            for begins, label, id_ in self._terms.get(string, ()):
                if apart <= begins and (len(string) >= _MIN_FREE or begins <= starts):
                    yield words.spans[i][0], words.spans[j][1], label, id_
            if j == last:
                return
            gap = words.text[words.spans[j][1] : words.spans[j + 1][0]]
            if not _DIVIDES.fullmatch(gap):
                if not (words.joined(j) or _JOINS.fullmatch(gap)):
                    return
                apart.add(len(string))

    def places(self, text: str) -> Iterator[tuple[int, int]]:
        """Start and end of each term in any text."""
        normal = normalize(text)
        return (normal.original(*row[:2]) for row in self.find(normal.text))

    def __call__(self, text: str) -> bool:
        """Whether a text has any of the terms in it.

        text (str): Any text.
        RETURNS (bool): True at the first one.
        """
        return next(self.places(text), None) is not None


def _plain(text: str) -> str:
    return " ".join(text.casefold().replace("\u2019", "'").split())


def _bare(key: str) -> str:
    """A key without accents."""
    if key.isascii():
        return key
    return "".join(filterfalse(combining, normalize_form("NFKD", key)))


def _simple(text: str) -> str:
    """The words of a text that has nothing but words, blanks and hyphens, as term lists
    compare them; "" for any other text."""
    text = normalize(text).text
    return "" if re.search(r"[^\s-]", WORD.sub("", text)) else normalize_term(text)


def _pattern(terms: list[str]) -> re.Pattern[str] | None:
    """One expression for terms that aren't just words: a group for each, all in a
    look-ahead so that matches may overlap."""
    parts = []
    for term in terms:
        body = r"\s{1,8}".join(
            "".join("['\u2019]" if c in "'\u2019" else re.escape(c) for c in word)
            for word in term.split()
        )
        # A boundary only where a word would go on.
        left = rf"(?<!{_LETTER})" if re.match(_LETTER, term) else ""
        right = rf"(?!{_LETTER})" if re.match(_LETTER, term[-1]) else ""
        parts.append(f"({left}{body}{right})")
    return re.compile(f"(?={'|'.join(parts)})", re.IGNORECASE) if parts else None
