"""Annotated documents, written by hand: "[Ann Lee](PERSON DIRECT e1) left."."""

import re


def record(markup, doc_id="d", **more):
    """A record as gold is read. Behind a type may stand what was decided and an id."""
    text, *rows = re.split(r"\[([^\]]+)\]\(([^)]+)\)", markup)
    mentions, names = [], ("entity_type", "identifier_type", "entity_id")
    for inside, told, behind in zip(*[iter(rows)] * 3):
        start, end = len(text), len(text) + len(inside)
        told = dict(zip(names, told.split()))
        mentions.append({"start_offset": start, "end_offset": end, **told})
        text += inside + behind
    return {"doc_id": doc_id, "text": text, "entity_mentions": mentions, **more}


def places(doc, *rows):
    """Tokens (start, end, ...) of the first occurrences of texts, of rows (text, ...)."""
    found = []
    for text, *rest in rows:
        at = doc.text.index(text)
        span = doc.char_span(at, at + len(text), alignment_mode="expand")
        found.append((span.start, span.end, *rest))
    return found
