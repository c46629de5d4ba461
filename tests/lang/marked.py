"""Sentences with their mentions marked: "[Lyon|LOC|CITY]"."""

import re

import spacy
from spacy.tokens import Span

MARKED = re.compile(r"\[([^\]|]+)\|([A-Z]+)(?:\|([A-Z_]+))?\]")


def rewritten(lang, marked, key="a key for these tests", strategy=None):
    """The text with its marked mentions replaced."""
    nlp = spacy.blank(lang)
    config = {"strategy": {"@deid_strategies": strategy}} if strategy else {}
    nlp.add_pipe("pseudonymizer", config=config).set_key(key)
    doc = nlp.make_doc(MARKED.sub(r"\1", marked))
    spans, taken = [], 0
    for match in MARKED.finditer(marked):
        start = match.start() - taken
        span = doc.char_span(start, start + len(match[1]), alignment_mode="expand")
        spans.append(
            Span(doc, span.start, span.end, label=match[2], span_id=match[3] or "")
        )
        taken += len(match[0]) - len(match[1])
    doc.spans["pii"] = spans
    return nlp(doc)._.deid_text


def read(new, pattern):
    """The groups of a pattern that the whole text has to fit."""
    match = re.fullmatch(pattern, new)
    assert match is not None, new
    return match
