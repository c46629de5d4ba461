"""CoNLL and BIO files: a token a line, its tag in a column, an empty line between
sentences. The text is put together again from the tokens."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, islice
from pathlib import Path
from typing import NamedTuple

from .files import CorpusError, InputError, find_files, read_lines
from .readers import Record, Records, place
from .report import Report
from .tokens import (
    WRITTEN,
    are_phrases,
    guess_spaces,
    holds_tags,
    is_tag,
    join_tokens,
    split_tag,
    tag_mentions,
)

SUFFIXES = (".conll", ".conllu", ".bio", ".iob", ".iob2", ".tsv", ".txt", ".data")
AUTO, SENTENCES, DOCUMENTS = "auto", "sentences", "documents"
JOIN = (AUTO, SENTENCES, DOCUMENTS)
# Lines from which the columns are guessed.
SAMPLE = 2000

_CHOOSE = "name the column of the tags with --tag-column (`tag_column` in a config)"
_DOCSTART = "-DOCSTART-"
_NEWDOC = re.compile(r"#\s*newdoc\b(?:\s+id\s*=\s*(\S.*))?")
_NO_SPACE = re.compile(r"(?:^|\|)SpaceAfter=No(?:\||$)")


class Columns(NamedTuple):
    """Where things stand in a line: columns between tabs or blanks, as many as most
    lines have; `misc` may say `SpaceAfter=No`; `others` have further tags of entities."""

    tabs: bool
    n: int
    token: int
    tag: int
    misc: int | None
    others: tuple[int, ...] = ()


@dataclass
class Sentence:
    """Tokens up to an empty line."""

    tokens: list[str] = field(default_factory=list)
    tags: list[str] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)
    # Whether a space follows, where the file says it.
    spaces: list[bool] = field(default_factory=list)
    others: list[list[str]] = field(default_factory=list)


# An id, and the sentences that become one document.
Group = tuple[str, list[Sentence]]


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
    report (Report): Counts broken lines, comments, and the spans of further columns
        with tags.
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
        groups = _read_groups(file, chain(sample, numbered), columns, report)
        documents = _documents(groups, join, n_sents)
        for number, (doc_id, sentences) in enumerate(documents, start=1):
            own_id = doc_id or f"{file.stem}-{number}"
            where = {"file": str(file), "line": sentences[0].lines[0]}
            record: Record = {"doc_id": own_id, **where}
            if doc_id in seen:
                report.add("duplicate_id", **place(record))
            seen.update([doc_id] if doc_id else [])
            yield [_join(record, sentences, report)]


def check_join(join: str, n_sents: int) -> str:
    """Refuse settings that mean nothing."""
    if join not in JOIN:
        raise CorpusError(f"join must be one of {', '.join(JOIN)}, not '{join}'")
    if n_sents < 1:
        raise CorpusError(f"n_sents must be 1 or more, not {n_sents}")
    return join


def guess_columns(
    file: Path, lines: Sequence[str], token: int | None = None, tag: int | None = None
) -> Columns:
    """Find out how a file is written, unless the columns of tokens and tags are given."""
    tabs, columns = _cut(lines)
    if (n := len(columns)) < 2:
        raise InputError(file, None, "expected two columns or more: token and tag")
    for i in (token, tag):
        if i is not None and not -n <= i < n:
            raise InputError(file, None, f"no column {i}: most lines have {n}")
    said = [i for i in range(n) if any("SpaceAfter=" in x for x in columns[i])]
    misc = said[-1] if said else None
    token = int(n > 2 and _is_numbered(columns[0])) if token is None else token % n
    others: tuple[int, ...] = ()
    best = tag
    if tag is None:
        further = [i for i in range(token + 1, n) if i != misc]
        best, others = _tag_columns(columns, further)
    # Words read as labels would show in the report.
    if best is None or not holds_tags(columns[best]):
        which = "no column holds" if tag is None else f"column {tag % n} holds no"
        raise InputError(file, None, f"{which} tags, such as B-PER and O: {_CHOOSE}")
    return Columns(tabs, n, token, best % n, misc, others)


def _cut(lines: Iterable[str]) -> tuple[bool, list[tuple[str, ...]]]:
    """Whether tabs divide the columns, and those that most lines have."""
    lines = [line for line in lines if line.strip() and not _is_boundary(line)]
    tabs = sum("\t" in line for line in lines) * 2 > len(lines)
    rows = [_split(line, tabs) for line in lines]
    widths = Counter(map(len, rows))
    n = max(widths, key=lambda width: (widths[width], width), default=0)
    return tabs, list(zip(*(row for row in rows if len(row) == n)))


def _tag_columns(
    columns: Sequence[Sequence[str]], among: Sequence[int]
) -> tuple[int | None, tuple[int, ...]]:
    """The column of the tags of entities, None if there is none, and others of such."""
    tagged = [i for i in among if holds_tags(columns[i])]
    phrases = [i for i in tagged if are_phrases(columns[i])]
    entities = [i for i in tagged if i not in phrases]
    labelled = [i for i in entities if any(split_tag(x)[1] for x in columns[i])]
    # Where entities are nested the first column has the outer ones.
    best = next(iter([*labelled[:1], *entities[-1:], *phrases[-1:]]), None)
    return best, tuple(i for i in entities if i != best)


def _split(line: str, tabs: bool) -> list[str]:
    # Other white space, no-break spaces above all, may stand in a token.
    return line.split("\t") if tabs else re.findall(r"[^ \t]+", line)


def _is_numbered(values: Sequence[str]) -> bool:
    return "1" in values and all(re.fullmatch(r"\d+([-.]\d+)?", v) for v in values)


def _is_boundary(line: str) -> bool:
    return line.lstrip().startswith(_DOCSTART) or _NEWDOC.match(line) is not None


def _read_groups(
    file: Path, lines: Iterable[tuple[int, str]], columns: Columns, report: Report
) -> Iterator[Group]:
    """Sentences between the borders of documents; the first group may be empty."""
    doc_id, sentences, sentence = "", [], Sentence()
    for number, line in chain(lines, [(0, "")]):
        if (boundary := _is_boundary(line)) or not line.strip():
            if sentence.tokens:
                sentences.append(sentence)
                sentence = Sentence()
            if boundary:
                yield doc_id, sentences
                named = _NEWDOC.match(line)
                doc_id, sentences = (named[1] or "").strip() if named else "", []
        elif not _read_line(line, number, columns, sentence):
            if line.startswith("#"):
                report.add("comment")
            else:
                report.add("broken_line", file=str(file), line=number)
    yield doc_id, sentences


def _read_line(line: str, number: int, columns: Columns, sentence: Sentence) -> bool:
    """Add a token to a sentence."""
    if len(row := _split(line, columns.tabs)) <= columns.tag:
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
        further = [row[i].strip() if i < len(row) else "O" for i in columns.others]
        sentence.others.append(further)
    if misc is not None:
        sentence.spaces.append(misc >= len(row) or not _NO_SPACE.search(row[misc]))
    return True


def _documents(groups: Iterator[Group], join: str, n_sents: int) -> Iterator[Group]:
    """Ids, as far as the file gives any, and sentences of the documents."""
    ahead = list(islice(groups, 2))
    # A second group is there only if the file marks where documents begin.
    whole = join == DOCUMENTS or (join == AUTO and len(ahead) > 1)
    for doc_id, sentences in chain(ahead, groups):
        step = (len(sentences) if whole else n_sents) or 1
        for i in range(0, len(sentences), step):
            yield doc_id if whole else "", sentences[i : i + step]


def _join(record: Record, sentences: list[Sentence], report: Report) -> Record:
    """Put a document together."""
    tokens = [token for s in sentences for token in s.tokens]
    spaces = [x for s in sentences for x in s.spaces or guess_spaces(s.tokens)]
    text, offsets = join_tokens(tokens, [*spaces[:-1], False])
    places = iter(offsets)
    mentions: list[Record] = []
    for s in sentences:
        own = list(islice(places, len(s.tokens)))
        found = tag_mentions(s.tags, own, s.lines)
        mentions += found
        for tags in zip(*s.others):
            for m in tag_mentions(tags, own, s.lines):
                if m not in found:
                    report.add("spans")
                    ends = {"start": m["start_offset"], "end": m["end_offset"]}
                    where = place(record, line=m["line"], label=m["entity_type"])
                    report.add("other_column", **where, **ends)
    return {**record, "text": text, "entity_mentions": mentions}
