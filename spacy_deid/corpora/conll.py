"""CoNLL and BIO files: a token a line, its tag in a column, an empty line between
sentences. The text is put together again from the tokens."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, islice
from pathlib import Path
from typing import Any, NamedTuple

from ..data import facts
from .files import CorpusError, InputError, find_files, read_lines
from .readers import Record, Records, place
from .report import Report
from .tags import (
    Notation,
    NotationGuess,
    Offsets,
    TagSpan,
    find_spans,
    is_repaired,
    is_tag,
    join_tokens,
    split_tag,
)

SUFFIXES = (".conll", ".conllu", ".bio", ".iob", ".iob2", ".tsv", ".txt", ".data")
AUTO, SENTENCES, DOCUMENTS = "auto", "sentences", "documents"
JOIN = (AUTO, SENTENCES, DOCUMENTS)
TAB, BLANK = "\t", " "
# Lines from which the columns are guessed.
SAMPLE = 2000

_CHOOSE = "name the column of the tags with --tag-column (`tag_column` in a config)"
_DOCSTART = "-DOCSTART-"
_NEWDOC = re.compile(r"#\s*newdoc\b(?:\s+id\s*=\s*(\S.*))?")
_NO_SPACE = re.compile(r"(?:^|\|)SpaceAfter=No(?:\||$)")

_FACTS = facts("treebank")
WRITTEN: dict[str, str] = _FACTS["written"]
# A quotation mark that opens -> those that close it; which it is, the order says.
QUOTES: dict[str, str] = _FACTS["quotes"]
CLOSING, OPENING, TIGHT, CHUNKS = (
    frozenset(_FACTS[name].split())
    for name in ("closing", "opening", "tight", "phrases")
)
# English parts of words that a treebank cuts off, and elided words of French and
# Italian, which stand before what they belong to.
_CUT_OFF = re.compile(r"(?:['’](?:s|S|m|re|ve|ll|d|M|RE|VE|LL|D)|n['’]t|N['’]T)")
_ELIDED = re.compile(r"(?:[^\W\d_]{1,2}|qu|Qu|dell|nell|all|dall|sull|un|lorsqu)['’]")
# Scripts that are written without spaces.
_NO_SPACES = re.compile(
    "[\u0e00-\u0e7f\u3000-\u30ff\u3400-\u9fff\uf900-\ufaff\uff00-\uffef]"
)


class Columns(NamedTuple):
    """Where things stand in a line.

    separator (str): Between columns: a tab, or what stands for blanks and tabs.
    n (int): Number of columns that most lines have.
    token (int): Column of the token.
    tag (int): Column of the tag.
    misc (int): Column that may say `SpaceAfter=No`, or None.
    others (Tuple[int, ...]): Further columns with tags of entities, which are counted.
    """

    separator: str
    n: int
    token: int
    tag: int
    misc: int | None
    others: tuple[int, ...] = ()

    def split(self, line: str) -> list[str]:
        """The columns of a line."""
        return _split(line, self.separator)


@dataclass
class Sentence:
    """Tokens up to an empty line."""

    tokens: list[str] = field(default_factory=list)
    tags: list[str] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)
    said: list[bool] = field(default_factory=list)
    others: list[tuple[str, ...]] = field(default_factory=list)

    @property
    def spaces(self) -> list[bool]:
        """Whether a space follows each token."""
        return self.said or guess_spaces(self.tokens)


@dataclass
class Group:
    """Sentences that become one document."""

    doc_id: str = ""
    sentences: list[Sentence] = field(default_factory=list)


def read_conll(
    path: str | Path,
    report: Report,
    join: str = AUTO,
    n_sents: int = 1,
    token_column: int | None = None,
    tag_column: int | None = None,
    encoding: str = "utf-8",
) -> Iterator[Records]:
    """Documents of CoNLL files, one at a time.

    path (Path): File, or folder of files with the endings in SUFFIXES.
    report (Report): Counts broken lines, repaired tags, comments, and the spans of
        further columns with tags.
    join (str): `documents`: from one `-DOCSTART-` or `# newdoc` to the next, a whole
        file if it has none; `sentences`: each sentence is a document; `auto`: the
        first where the file has such lines, else the second.
    n_sents (int): Where sentences are documents, put so many together.
    token_column (int): Column of the tokens from 0, below 0 from the end; None: the
        first one, or the second if the first numbers the tokens.
    tag_column (int): Column of the tags; None: the first one with tags of entities;
        the spans that others have beyond it are counted as lost.
    encoding (str): Encoding of the files.
    YIELDS (List[dict]): One record.
    RAISES (InputError): For a file without tokens and tags.
    """
    check_join(join, n_sents)
    seen: set[str] = set()
    for file in find_files(path, *SUFFIXES):
        numbered = read_lines(file, encoding)
        sample = list(islice(numbered, SAMPLE))
        lines = [line for _, line in sample]
        columns = guess_columns(file, lines, token_column, tag_column)
        notation = _guess_notation(lines, columns)
        groups = _read_groups(file, chain(sample, numbered), columns, report)
        documents = _read_documents(groups, join, n_sents)
        for number, (doc_id, sentences) in enumerate(documents, start=1):
            record: Record = {
                "doc_id": doc_id or f"{file.stem}-{number}",
                "file": str(file),
                "line": sentences[0].lines[0],
            }
            if doc_id in seen:
                report.add("duplicate_id", **place(record))
            seen.update([doc_id] if doc_id else [])
            yield [make_record(record, sentences, notation, report)]


def check_join(join: str, n_sents: int) -> str:
    """Refuse settings that mean nothing."""
    if join not in JOIN:
        raise CorpusError(f"join must be one of {', '.join(JOIN)}, not '{join}'")
    if n_sents < 1:
        raise CorpusError(f"n_sents must be 1 or more, not {n_sents}")
    return join


# --------------------------------------------------------------------------
# Lines


def guess_columns(
    file: Path, lines: Sequence[str], token: int | None, tag: int | None
) -> Columns:
    """Find out how a file is written."""
    lines = [line for line in lines if line.strip() and not _is_boundary(line)]
    separator = TAB if sum(TAB in line for line in lines) * 2 > len(lines) else BLANK
    rows = [_split(line, separator) for line in lines]
    widths = Counter(map(len, rows))
    n = max(widths, key=lambda width: (widths[width], width), default=0)
    if n < 2:
        raise InputError(file, None, "expected two columns or more: token and tag")
    rows = [row for row in rows if len(row) == n]
    misc = _find_misc(rows, n)
    if token is None:
        token = int(n > 2 and _is_numbered(row[0] for row in rows))
    else:
        token = _column(file, token, n)
    if tag is None:
        tag, others = _find_tags(
            file, rows, [i for i in range(token + 1, n) if i != misc]
        )
        return Columns(separator, n, token, tag, misc, others)
    tag = _column(file, tag, n)
    # Words read as labels would show in the report.
    if not _has_tags([row[tag] for row in rows]):
        raise InputError(
            file, None, f"column {tag} holds no tags, such as B-PER and O: {_CHOOSE}"
        )
    return Columns(separator, n, token, tag, misc)


def _find_tags(
    file: Path, rows: list[list[str]], columns: Iterable[int]
) -> tuple[int, tuple[int, ...]]:
    """The column of the tags, and further ones with tags of entities. Where entities
    are nested the first column has the outer ones."""
    phrases, entities, labelled = [], [], []
    for i in columns:
        values = [row[i] for row in rows]
        if not _has_tags(values):
            continue
        labels = [label for _, label in map(split_tag, values) if label]
        if 2 * sum(label in CHUNKS for label in labels) > len(labels):
            phrases.append(i)
        else:
            entities.append(i)
            labelled += [i] if labels else []
    if not phrases and not entities:
        raise InputError(
            file, None, f"no column holds tags, such as B-PER and O: {_CHOOSE}"
        )
    tag = (labelled or entities[-1:] or phrases[-1:])[0]
    return tag, tuple(i for i in entities if i != tag)


def _split(line: str, separator: str) -> list[str]:
    # Other white space, no-break spaces above all, may stand in a token.
    return line.split(TAB) if separator == TAB else re.findall(r"[^ \t]+", line)


def _column(file: Path, i: int, n: int) -> int:
    if not -n <= i < n:
        raise InputError(file, None, f"no column {i}: most lines have {n}")
    return i % n


def _find_misc(rows: list[list[str]], n: int) -> int | None:
    said = [i for i in range(n) if any("SpaceAfter=" in row[i] for row in rows)]
    return said[-1] if said else None


def _is_numbered(values: Iterable[str]) -> bool:
    values = list(values)
    return "1" in values and all(re.fullmatch(r"\d+([-.]\d+)?", v) for v in values)


def _has_tags(values: Collection[str]) -> bool:
    """Whether a column's values are tags: most of them are `O` or have a prefix. A few
    may be malformed; they are counted where they are read."""
    counts = Counter(values)
    malformed = sum(n for value, n in counts.items() if not is_tag(value))
    if not malformed:
        return set(counts) != {"_"}
    good = len(values) - malformed - counts["_"] - counts["-X-"]
    return good > malformed


def _is_boundary(line: str) -> bool:
    return line.lstrip().startswith(_DOCSTART) or _NEWDOC.match(line) is not None


def _read_groups(
    file: Path, lines: Iterable[tuple[int, str]], columns: Columns, report: Report
) -> Iterator[Group]:
    """Sentences between the borders of documents; the first group may be empty."""
    group, sentence = Group(), Sentence()
    for number, line in chain(lines, [(0, "")]):
        boundary = _is_boundary(line)
        if boundary or not line.strip():
            if sentence.tokens:
                group.sentences.append(sentence)
                sentence = Sentence()
            if boundary:
                yield group
                named = _NEWDOC.match(line)
                group = Group((named[1] or "").strip() if named else "")
        elif not _read_line(line, number, columns, sentence):
            if line.startswith("#"):
                report.add("comment")
            else:
                report.add("broken_line", file=str(file), line=number)
    yield group


def _read_line(line: str, number: int, columns: Columns, sentence: Sentence) -> bool:
    """Add a token to a sentence."""
    row = columns.split(line)
    if len(row) <= columns.tag:
        return False
    token, tag = row[columns.token].strip(), row[columns.tag].strip()
    signs = len(row) == columns.n, is_tag(tag)
    # What may be a comment has to look like a token in all ways.
    fits = all(signs) if line.startswith("#") else any(signs)
    if not (token and tag and fits) or " " in tag:
        return False
    if columns.token == 1 and re.fullmatch(r"\d+[-.]\d+", row[0]):
        # A word of several tokens, or an empty one: its parts have lines of their own.
        return True
    misc = columns.misc
    sentence.tokens.append(WRITTEN.get(token, token))
    sentence.tags.append(tag)
    sentence.lines.append(number)
    if columns.others:
        further = (row[i].strip() if i < len(row) else "O" for i in columns.others)
        sentence.others.append(tuple(further))
    if misc is not None:
        sentence.said.append(misc >= len(row) or not _NO_SPACE.search(row[misc]))
    return True


# --------------------------------------------------------------------------
# Documents


def _guess_notation(lines: Iterable[str], columns: Columns) -> Notation:
    guess, tags = NotationGuess(), []
    for line in chain(lines, [""]):
        row = columns.split(line)
        if len(row) == columns.n and not _is_boundary(line):
            tags.append(row[columns.tag])
        elif not line.strip():
            guess.add(tags)
            tags = []
    return guess.notation


def _read_documents(
    groups: Iterator[Group], join: str, n_sents: int
) -> Iterator[tuple[str, list[Sentence]]]:
    """Ids, as far as the file gives any, and sentences of the documents."""
    ahead = list(islice(groups, 2))
    # A second group is there only if the file marks where documents begin.
    whole = join == DOCUMENTS or (join == AUTO and len(ahead) > 1)
    for group in chain(ahead, groups):
        step = (len(group.sentences) if whole else n_sents) or 1
        for i in range(0, len(group.sentences), step):
            yield group.doc_id if whole else "", group.sentences[i : i + step]


def make_record(
    record: Record, sentences: list[Sentence], notation: Notation, report: Report
) -> Record:
    """Put a document together."""
    tokens = [token for sentence in sentences for token in sentence.tokens]
    spaces = [space for sentence in sentences for space in sentence.spaces]
    if spaces:
        spaces[-1] = False
    text, offsets = join_tokens(tokens, spaces)
    mentions: list[Record] = []
    first = 0
    for sentence in sentences:
        own = offsets[first : first + len(sentence.tokens)]
        first += len(own)
        spans = find_spans(sentence.tags)
        for span in spans:
            where = _place(span, own, sentence, record)
            if is_repaired(span, notation):
                report.add("repaired", **where)
            mentions.append(
                {
                    "start_offset": where["start"],
                    "end_offset": where["end"],
                    "entity_type": span.label,
                    "line": where["line"],
                }
            )
        known = {span[:3] for span in spans}
        for tags in zip(*sentence.others):
            for span in find_spans(tags):
                if span[:3] not in known:
                    report.add("spans")
                    report.add("other_column", **_place(span, own, sentence, record))
    return {**record, "text": text, "entity_mentions": mentions}


def _place(
    span: TagSpan, offsets: Offsets, sentence: Sentence, record: Record
) -> dict[str, Any]:
    """Where a span stands, by the offsets of its sentence's tokens."""
    start, end = offsets[span.start][0], offsets[span.end - 1][1]
    line = sentence.lines[span.start]
    return place(record, line=line, label=span.label, start=start, end=end)


def guess_spaces(tokens: Sequence[str]) -> list[bool]:
    """Whether a space follows each token, as text is usually written."""
    roles = _find_roles(tokens)
    spaces = [True] * len(tokens)
    for i in range(len(tokens) - 1):
        before, after = roles[i], roles[i + 1]
        spaces[i] = not (
            before in ("opening", "tight")
            or after in ("closing", "tight")
            or (_NO_SPACES.match(tokens[i][-1]) and _NO_SPACES.match(tokens[i + 1]))
        )
    return spaces


def _find_roles(tokens: Sequence[str]) -> list[str]:
    """For each token `opening`, `closing`, `tight` (both) or nothing."""
    roles = []
    waiting: list[str] = []  # closing marks of the quotations that are open
    apostrophe = Counter(tokens)["'"] == 1
    for token in tokens:
        role = ""
        closes = next((marks for marks in waiting if token in marks), None)
        if closes is not None:
            role = "closing"
            waiting.remove(closes)
        elif token == "'" and apostrophe:
            role = "closing"
        elif token in QUOTES:
            role = "opening"
            waiting.append(QUOTES[token])
        elif token in CLOSING or _CUT_OFF.fullmatch(token):
            role = "closing"
        elif token in OPENING or _ELIDED.fullmatch(token):
            role = "opening"
        elif token in TIGHT:
            role = "tight"
        roles.append(role)
    return roles
