"""CoNLL-U: whole documents, their text as it was written, a paragraph a line."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from spacy_deid.corpora.tokens import find_tokens, tag_mentions

from .annotated import mention

Record = dict[str, Any]


@dataclass
class Sentence:
    """Name of its document, its own, its text, lines of its tokens, and whether a
    paragraph begins with it."""

    document: str
    name: str = ""
    text: str = ""
    begins: bool = False
    rows: list[list[str]] = field(default_factory=list)


class Word(NamedTuple):
    """A syntactic word: its place, part of speech, tag, the index of its head, and how it
    depends on that."""

    text: str
    start: int
    end: int
    pos: str
    tag: str
    head: int | None
    relation: str


def read_sentences(file: Path, only: str = "") -> Iterator[Sentence]:
    """Sentences of the documents whose names begin with the pattern `only`."""
    document, begins = "", True
    now = Sentence("")
    for line in [*file.read_text("utf8").split("\n"), ""]:
        if match := re.match(r"# newdoc id = (.+)", line):
            document, begins = match[1].strip(), True
        elif re.match(r"# newpar(?:\s|$)", line):
            begins = True
        elif line.startswith("# sent_id = "):
            now.name = line[12:].strip()
        elif line.startswith("# text = "):
            now.text = line[9:].strip()
        elif not line.strip():
            if now.rows and re.match(only, document):
                now.document, now.begins = document, begins
                yield now
            begins = begins and not now.rows
            now = Sentence("")
        elif not line.startswith("#"):
            now.rows.append(line.split("\t"))


def read_treebank(files: list[Path], only: str = "") -> Iterator[Record]:
    """Documents of Universal Dependencies; mentions are those that Universal NER tagged,
    if files `.iob2` are among the files.

    only (str): Pattern with which a document's name begins.
    """
    tags = {
        sentence.name: sentence.rows
        for file in files
        if file.suffix == ".iob2"
        for sentence in read_sentences(file, only)
    }
    for file in files:
        if file.suffix == ".iob2":
            continue
        for name, sentences in _documents(file, only):
            text, mentions = "", []
            for sentence in sentences:
                start, text = _append(text, sentence)
                rows = tags.get(sentence.name, [])
                offsets = find_tokens(sentence.text, [row[1] for row in rows])
                if rows and offsets is None:
                    raise ValueError(
                        f"the tokens of {sentence.name} are not its text's"
                    )
                placed = [(start + a, start + b) for a, b in offsets or ()]
                mentions += tag_mentions([row[2] for row in rows], placed)
            yield {"doc_id": name, "text": text, "entity_mentions": mentions}


def _documents(file: Path, only: str) -> Iterator[tuple[str, list[Sentence]]]:
    documents: dict[str, list[Sentence]] = {}
    for sentence in read_sentences(file, only):
        documents.setdefault(sentence.document, []).append(sentence)
    yield from documents.items()


def _append(text: str, sentence: Sentence) -> tuple[int, str]:
    """Where a sentence begins in the text that it goes on, and that text."""
    if text:
        text += "\n" if sentence.begins else " "
    return len(text), text + sentence.text


# What may name or number something.
_NAMES = frozenset("PROPN NUM SYM X".split())


def read_plain(files: list[Path]) -> Iterator[Record]:
    """Sentences of Universal Dependencies, a line each; mentions are the words that may
    name or number something, by their part of speech."""
    for file in files:
        for name, sentences in _documents(file, ""):
            text, mentions = "", []
            for sentence in sentences:
                sentence.begins = True
                with suppress(ValueError):  # Its tokens are not its text's.
                    words, _ = _read_words(sentence, 0, 0)
                    start, text = _append(text, sentence)
                    mentions += [
                        mention(start + word.start, start + word.end, word.pos)
                        for word in words
                        if word.pos in _NAMES
                    ]
            name = name or file.stem
            yield {"doc_id": name, "text": text, "entity_mentions": mentions}


# --------------------------------------------------------------------------
# GUM

# `(ID-TYPE-...` opens a mention, `(ID-TYPE-...)` is one of a word, `ID)` closes one.
_ENTITY = re.compile(r"\(([^()]+)(\))?|(\w+)\)")
_LINKS = "- . '".split()
_PHRASES = "of the and & / 's ’s for de la in on von van".split()


def read_gum(files: list[Path], only: str = "") -> Iterator[Record]:
    """Documents of GUM. Their mentions are whole noun phrases; read are the names inside
    of them, where the head is a name, and all of type `time` (`nominal` if they are no
    names).

    only (str): Pattern with which a document's name begins.
    """
    for file in files:
        for name, sentences in _documents(file, only):
            text = ""
            words: list[Word] = []
            entities: list[tuple[int, int, str]] = []
            opened: dict[str, list[tuple[int, str]]] = defaultdict(list)
            for sentence in sentences:
                start, text = _append(text, sentence)
                base = len(words)
                own, marks = _read_words(sentence, start, base)
                words += own
                for index, mark in marks:
                    entities += _read_entities(mark, index, opened)
            mentions = [_name_of(words, *entity) for entity in entities]
            yield {
                "doc_id": name,
                "text": text,
                "entity_mentions": [m for m in mentions if m is not None],
            }


def _read_words(
    sentence: Sentence, start: int, base: int
) -> tuple[list[Word], list[tuple[int, str]]]:
    """Words of a sentence, numbered from `base`, and what is said of entities at each."""
    words, marks = [], []
    at = until = 0
    for row in sentence.rows:
        if not row[0].isdigit():
            # A token of several words: its words stand in it, if they are written so.
            if "-" in row[0]:
                at = sentence.text.index(row[1], at)
                until = at + len(row[1])
            continue
        found = sentence.text.find(row[1], at)
        if until > at and not (found >= 0 and found + len(row[1]) <= until):
            span = (at, until)
        else:
            if found < 0:
                raise ValueError(f"the tokens of {sentence.name} are not its text's")
            span = (found, found + len(row[1]))
            at = span[1]
        head = base + int(row[6]) - 1 if row[6] != "0" else None
        place = (start + span[0], start + span[1])
        words.append(Word(row[1], *place, row[3], row[4], head, row[7]))
        if match := re.search(r"(?:^|\|)Entity=([^|]*)", row[9]):
            marks.append((base + len(words) - 1, match[1]))
    return words, marks


def _read_entities(
    mark: str, index: int, opened: dict[str, list[tuple[int, str]]]
) -> Iterator[tuple[int, int, str]]:
    """First and last word and type of the mentions that end at a word."""
    for whole, single, closed in _ENTITY.findall(mark):
        if closed:
            if opened[closed]:
                first, label = opened[closed].pop()
                yield first, index, label
            continue
        name, label = whole.split("-")[:2]
        if single:
            yield index, index, label
        else:
            opened[name].append((index, label))


def _name_of(words: list[Word], first: int, last: int, label: str) -> Record | None:
    """The name inside a mention."""
    inside = range(first, last + 1)
    head = next(i for i in inside if words[i].head not in inside)
    if label == "time":
        named = words[head].pos == "PROPN"
        more = {} if named else {"nominal": True}
        return mention(words[first].start, words[last].end, label, **more)
    if words[head].pos != "PROPN":
        # In "researcher Mu Li" the name hangs on what its bearer is.
        flat = [i for i in inside if words[i].head == head and words[i].pos == "PROPN"]
        head = next((i for i in flat if words[i].relation == "flat"), -1)
        if head < 0:
            return None
    # Names of people go on without "of": what follows says where they are from.
    links = _LINKS if label == "person" else [*_LINKS, *_PHRASES]
    ends = [head, head]
    for side, indices in enumerate(
        (range(head - 1, first - 1, -1), range(head + 1, last + 1))
    ):
        for i in indices:
            if _is_name(words[i]):
                ends[side] = i
            elif words[i].text.lower() not in links:
                break
    return mention(words[ends[0]].start, words[ends[1]].end, label)


def _is_name(word: Word) -> bool:
    return (
        word.pos in ("PROPN", "NUM")
        or word.tag.startswith("NNP")
        or (word.pos == "ADJ" and word.text[:1].isupper())
    )
