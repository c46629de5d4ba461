"""Names of people in fields that are called so: `"lastName": "Chase"`, "Surname: HOPE", and
in the titles of cases.

What a field is called is read from the table that tells the fields of records
(`data/record_fields.tsv`). A name that is a word, too, is one here.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, partial

from ...gazetteers.lexicon import is_listed_name
from ...registries import registry
from ...text.fields import kinds_of_fields
from ...text.names import PARTICLES
from ..base import (
    Anchored,
    Hit,
    PatternRecognizer,
    Recognizer,
    Text,
    anchored_names,
    hit,
)
from ..tables import word_set
from .columns import columns, is_known, part_of_name
from .forms import P
from .parties import parties
from .segments import parts, segments
from .speakers import speakers

MAX_WORDS = 4


@cache
def _fields() -> Anchored:
    """What fields are called that hold nothing but names of people. A text is searched
    for the words of all regexes at once, so it has to be there before."""
    kinds, owners = kinds_of_fields()
    names = [name for name, kind in kinds.items() if kind == ("PERSON", "name")]
    told = [f"{owner} {name}" for owner in owners for name in ("name", *names)]
    terms = [term.replace(" ", "_") for term in (*names, *told)]
    return anchored_names(terms, P.field_value)


@cache
def _doubtful_fields() -> Anchored:
    """What fields are called that may hold other names as well, and those of people by
    what they do ("author")."""
    kinds, owners = kinds_of_fields()
    known = [name for name, kind in kinds.items() if kind == ("PERSON", "known")]
    terms = [term.replace(" ", "_") for term in {*known, *owners}]
    return anchored_names(terms, P.field_names)


def _name_in(value: str, quoted: bool, keyed: bool) -> str:
    """The name that a value is or, where no quotes end it, begins with: the label of the
    next field is in other letters, or one of the words that stand for no value. A name
    that is known may be in small letters between quotes and behind "="."""
    words = value.split(" ")
    count = 0
    for word in words:
        may_be_small = (quoted or keyed) and is_listed_name(word, "en")
        if not (word[0].isupper() or word.lower() in PARTICLES or may_be_small):
            return ""
        plain = word.strip(".").lower()
        label = len(word) > 1 and word.isupper() and not words[0].isupper()
        if label or plain in word_set("no_value"):
            break
        count += 1
    if count > MAX_WORDS or (quoted and count < len(words)):
        return ""
    return " ".join(words[:count])


def _hits(fields: Anchored, text: Text) -> Iterator[Hit]:
    for m in fields.finditer(text):
        value, quote = m["value"], m["quote"]
        keyed = m["gap"] == "="
        if keyed and not quote:
            value = value.split(" ")[0]
        name = _name_in(value, bool(quote), keyed)
        # An initial keeps its point.
        name = name if name[-2:-1] == " " else name.rstrip(".-")
        start = m.start("value")
        end = start + len(name)
        if name and (not quote or text[end : end + 1] == quote):
            reason = "value of a field that is called a person's name"
            kind = part_of_name(m["name"])
            yield hit(start, end, "PERSON", kind, 0.9, "named_field", reason=reason)


def _known(fields: Anchored, text: Text) -> Iterator[Hit]:
    """Names all of whose words are in lists, in fields that may hold others: a full one,
    or each of a list."""
    _, owners = kinds_of_fields()
    for m in fields.finditer(text):
        several, part = bool(m["list"]), part_of_name(m["name"])
        # Who speaks: "Nurse: Come in", "Guest_family: Um".
        people = m["name"].lower() in owners or part != "FULL_NAME"
        speaks = people and m["gap"] == ":" and not m["quote"]
        if speaks or not all(word[0].isupper() for word in m["value"].split()):
            continue
        start, end = m.span("value")
        least = 2 if part == "FULL_NAME" and not several else 1
        while end > start:
            if is_known(text[start:end], least):
                reason = "a name in a field that somebody's may be in"
                yield hit(start, end, "PERSON", part, 0.8, "named_field", reason=reason)
            following = P.field_next.match(text, end) if several else None
            start, end = following.span("value") if following else (0, 0)


def _called(text: Text) -> Iterator[Hit]:
    """Names all of whose words are in lists, before an address of e-mail."""
    for m in P.mail_called.finditer(text) if "@" in text else ():
        if is_known(m["value"], 2):
            start, end = m.span("value")
            reason, kind = "a name before an address of e-mail", "FULL_NAME"
            yield hit(start, end, "PERSON", kind, 0.85, "named_field", reason=reason)


@registry.deid_patterns("spacy_deid.named_field_patterns.v1")
def make_named_field_patterns() -> Recognizer:
    """Names of people in forms, JSON, XML and lines of keys and values.

    RETURNS (Recognizer): Function of a text that yields hits of the type PERSON: up to
        four words with capitals behind "first name", "patientName", "apellidos", names
        known from lists behind "author" and before addresses of e-mail, those
        whom a case is called after, who speaks in a conversation; and of what stands
        below such names of columns and in segments of messages (HL7, X12), codes and
        places among it.
    """
    return PatternRecognizer(
        partial(_hits, _fields()),
        partial(_known, _doubtful_fields()),
        _called,
        parties,
        columns,
        speakers,
        segments,
        parts,
    )
