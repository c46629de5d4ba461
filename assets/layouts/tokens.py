"""A token a line, its tag in a column, an empty line between sentences."""

from __future__ import annotations

import calendar
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import Any

from spacy_deid.corpora.tokens import (
    OUTSIDE,
    WRITTEN,
    guess_spaces,
    is_tag,
    join_tokens,
    tag_mentions,
)

Record = dict[str, Any]
# Columns of the lines of a sentence.
Rows = list[list[str]]
DOCSTART = "-DOCSTART-"
_CALENDAR = frozenset([*calendar.month_name, *calendar.day_name])


def read_tokens(
    files: list[Path],
    token: int = 0,
    tag: int = -1,
    spaced: bool = False,
    documents: bool = False,
    complete: bool = False,
    words: int = 0,
) -> Iterator[Record]:
    """Sentences as documents; whole documents where the file says where they begin.

    token (int): Column of the tokens.
    tag (int): Column of the tags.
    spaced (bool): Whether a space stands between all tokens. Texts of tweets are left as
        their tokenizer made them; in others spaces stand where they are usually written.
    documents (bool): Whether a document goes from one `-DOCSTART-` to the next.
    complete (bool): Whether only sentences are read in which all words that look like
        names are tagged: of a copy of a corpus that lacks some of its labels.
    words (int): Tokens of a document, where no empty lines say where sentences end.
    """
    for file in files:
        found = _read_documents(file, tag, documents)
        if complete:
            found = _keep_complete(list(found), token, tag)
        if words:
            found = _cut(found, words, tag)
        for number, sentences in enumerate(found):
            record = join_sentences(sentences, token, tag, spaced)
            yield {"doc_id": f"{file.stem}-{number}", **record}


def join_sentences(
    sentences: Iterable[Rows],
    token: int,
    tag: int,
    spaced: bool = False,
    end: str = " ",
) -> Record:
    """Text and mentions of a document; `end` stands between its sentences."""
    text = ""
    mentions: list[Record] = []
    for rows in sentences:
        words = [row[token] for row in rows]
        if spaced:
            spaces = [True] * len(words)
        else:
            words = [WRITTEN.get(word, word) for word in words]
            spaces = guess_spaces(words)
        text += end if text else ""
        sentence, offsets = join_tokens(words, [*spaces[:-1], False])
        offsets = [(start + len(text), stop + len(text)) for start, stop in offsets]
        mentions += tag_mentions([row[tag] for row in rows], offsets)
        text += sentence
    return {"text": text, "entity_mentions": mentions}


def read_sentences(file: Path, tag: int = -1) -> Iterator[Rows]:
    """Sentences of a file; an empty one where a document begins."""
    rows: Rows = []
    for line in [*file.read_text("utf8").split("\n"), ""]:
        row = line.split("\t") if "\t" in line else line.split()
        begins = line.startswith(DOCSTART)
        if begins or not line.strip():
            if rows:
                yield rows
                rows = []
            if begins:
                yield []
        # A comment is what has no tag.
        elif not line.startswith("#") or is_tag(row[tag]):
            rows.append(row)


def _read_documents(file: Path, tag: int, documents: bool) -> Iterator[list[Rows]]:
    document: list[Rows] = []
    for rows in read_sentences(file, tag):
        if rows:
            document.append(rows)
        if document and not (rows and documents):
            yield document
            document = []
    if document:
        yield document


def _keep_complete(
    documents: list[list[Rows]], token: int, tag: int
) -> Iterator[list[Rows]]:
    words = {row[token] for rows in documents for sentence in rows for row in sentence}

    def is_plain(index: int, word: str) -> bool:
        lowered = index == 0 and word.lower() in words
        return not word[:1].isupper() or word in _CALENDAR or lowered

    for sentences in documents:
        tagged = [[(i, r[token], r[tag]) for i, r in enumerate(s)] for s in sentences]
        flat = [row for sentence in tagged for row in sentence]
        if any(label != "O" for _, _, label in flat) and all(
            label != "O" or is_plain(index, word) for index, word, label in flat
        ):
            yield sentences


def _cut(documents: Iterable[list[Rows]], words: int, tag: int) -> Iterator[list[Rows]]:
    """Documents of so many tokens, and those that a mention goes on with."""
    for sentences in documents:
        rows: Rows = []
        for row in chain.from_iterable(sentences):
            if len(rows) >= words and row[tag] in OUTSIDE:
                yield [rows]
                rows = []
            rows.append(row)
        if rows:
            yield [rows]


def read_stackoverflow(files: list[Path]) -> Iterator[Record]:
    """Questions of Stack Overflow NER with their answers, each behind lines with number
    and address; a sentence is a line."""
    for file in files:
        questions: list[list[Rows]] = []
        for rows in read_sentences(file, 1):
            head = rows[0][0]
            if head == "Question_ID":
                questions.append([])
            elif head not in ("Question_URL", "Answer_to_Question_ID"):
                questions[-1].append(rows)
        for number, question in enumerate(questions):
            record = join_sentences(question, 0, 1, end="\n")
            yield {"doc_id": f"{file.stem}-{number}", **record}
