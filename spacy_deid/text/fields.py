"""Several fields of a record as one document, which nothing found or replaced crosses.

Between two fields stands a word that no field holds, on a line of its own: no pattern
and no spelling of a masked string goes on behind it. Spans that a recognizer draws over
it nevertheless are cut.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from itertools import pairwise
from typing import Any, NamedTuple

from spacy.attrs import IDX
from spacy.tokens import Doc

from ..data import table
from ..schema import Candidate, text_of

FIELDS = "spacy_deid.deid_fields"
FIELD_SOURCE, DECLARED = "user:field", "a field declared to be of this type"
# Letters of a script that nobody writes in, of which a text has one at most.
_BLOCKERS = [*map(chr, range(0x13000, 0x13430))]
_BREAK = "\n\n"
_OWNER = "*"
HUMP = re.compile(r"(?<=[a-zа-яß])(?=[A-ZА-Я])")


class Field(NamedTuple):
    """A field in a document: its characters, and the type of all that is in it ("" for
    running text)."""

    start: int
    end: int
    label: str = ""
    subtype: str = ""


@cache
def kinds_of_fields() -> tuple[dict[str, tuple[str, str]], frozenset[str]]:
    """Type and form of values by the words of a field's name (`data/record_fields.tsv`);
    the words that say whose it is."""
    kinds: dict[str, tuple[str, str]] = {}
    owners: set[str] = set()
    for row in table("record_fields"):
        words = row["words"].split("|")
        if row["type"] == _OWNER:
            owners.update(words)
        else:
            kinds.update(dict.fromkeys(words, (row["type"], row["form"])))
    return kinds, frozenset(owners)


def words_of_field(name: str) -> list[str]:
    """The words of a field's name: `patientName`, `PATIENT_NAME`, `Patient name`."""
    return re.findall(r"[^\W_]+", HUMP.sub(" ", name).lower())


def kind_of_words(words: Sequence[str]) -> tuple[str, str] | None:
    """What the words of a field's name say of its values: type and form."""
    kinds, owners = kinds_of_fields()
    if " ".join(words) in kinds:
        return kinds[" ".join(words)]
    for i in range(1, len(words)):
        if " ".join(words[:i]) in owners:
            found = kinds.get(" ".join(words[i:]))
            # Whose name it is leaves no doubt what it is.
            return found and (found[0], found[1].replace("known", "name"))
    return ("PERSON", "known") if " ".join(words) in owners else None


def separator_for(texts: Iterable[str]) -> str:
    """What stands between some texts, and in none of them.

    RAISES (ValueError): If there is nothing such.
    """
    used = {ch for text in texts for ch in text if ch >= _BLOCKERS[0]}
    for ch in _BLOCKERS:
        if ch not in used:
            return f"{_BREAK}{ch}{_BREAK}"
    raise ValueError("the fields have every character that could stand between them")


def join_fields(
    make_doc: Callable[[str], Doc], fields: Sequence[tuple[str, str, str]]
) -> Doc:
    """One document of several fields.

    make_doc (Callable): The pipeline's tokenizer.
    fields (Sequence): Text, label and subtype of each; label "" for running text.
    RETURNS (Doc): The document, with `doc._.deid_fields`. That of one text is what the
        tokenizer makes of it.
    """
    texts = [text for text, _, _ in fields]
    if len(fields) == 1 and not fields[0][1]:
        return make_doc(texts[0])
    parts: list[Doc] = []
    places: list[list[Any]] = []
    separator = separator_for(texts)
    words = [_BREAK, separator.strip(), _BREAK]
    at = 0
    for text, label, subtype in fields:
        if places:
            parts.append(Doc(parts[0].vocab, words=words, spaces=[False] * 3))
            at += len(separator)
        parts.append(make_doc(text))
        places.append([at, at + len(text), label, subtype])
        at += len(text)
    doc = Doc.from_docs(parts, ensure_whitespace=False) if parts else make_doc("")
    if doc is None or text_of(doc) != separator.join(texts):
        raise ValueError("the tokenizer changed the text")
    doc.user_data[FIELDS] = places
    return doc


def with_fields(
    make_doc: Callable[[str], Doc], text: str, fields: Sequence[Field]
) -> Doc:
    """The document of a text in which fields stand, words of nobody's between them.

    make_doc (Callable): The pipeline's tokenizer.
    fields (Sequence[Field]): In order; none for a text that is one.
    """
    if not fields:
        return make_doc(text)
    ends = sorted({0, len(text), *(i for f in fields for i in (f.start, f.end))})
    parts = [make_doc(text[a:b]) for a, b in pairwise(ends)]
    doc = Doc.from_docs(parts, ensure_whitespace=False) if parts else make_doc("")
    if doc is None or text_of(doc) != text:
        raise ValueError("the tokenizer changed the text")
    doc.user_data[FIELDS] = [[*f] for f in fields]
    return doc


def fields_in(doc: Doc) -> list[Field]:
    """The fields of a document; none for one that is a text of its own."""
    return [Field(*row) for row in doc.user_data.get(FIELDS) or ()]


def _by_tokens(doc: Doc) -> list[Field]:
    """The fields that have any tokens, by these."""
    if not (fields := fields_in(doc)):
        return []
    starts = doc.to_array(IDX).tolist()
    rows = (
        f._replace(start=bisect_left(starts, f.start), end=bisect_left(starts, f.end))
        for f in fields
    )
    return [row for row in rows if row.start < row.end]


def cut_at_fields(doc: Doc, spans: Sequence[Any]) -> list[Any]:
    """Spans in parts, none of which is in two fields or between them.

    spans (Sequence): Named tuples with `start` and `end`, by tokens.
    """
    return [*_cut(_by_tokens(doc), spans)] if fields_in(doc) else list(spans)


def _cut(fields: list[Field], spans: Iterable[Any]) -> Iterator[Any]:
    ends = [field.end for field in fields]
    for span in spans:
        for field in fields[bisect_left(ends, span.start + 1) :]:
            if field.start >= span.end:
                break
            start, end = max(span.start, field.start), min(span.end, field.end)
            whole = (start, end) == (span.start, span.end)
            yield span if whole else span._replace(start=start, end=end)


def declared_in(doc: Doc) -> list[Candidate]:
    """What stands in fields that are declared to be of a type: each field with a letter
    or figure is a span."""
    out = []
    for start, end, label, subtype in _by_tokens(doc):
        said = [i for i in range(start, end) if not doc[i].is_space] if label else []
        if any(ch.isalnum() for i in said for ch in doc[i].text):
            row = (said[0], said[-1] + 1, label, subtype, 1.0, FIELD_SOURCE, DECLARED)
            out.append(Candidate(*row))
    return out
