"""Tagged tokens: tags (BIO, IOB1, BILUO, IOBES, BMES, bare labels) to spans, and tokens
to text."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from spacy.training.iob_utils import iob_to_biluo, tags_to_entities

from ..data import facts
from .readers import Record, make_mention

# Start and end of each token in a text.
Offsets = list[tuple[int, int]]
OUTSIDE = ("O", "_", "-X-")
# Prefixes of a span's last token, and of those that may follow another token of it.
_LAST, _FURTHER = "LESUW", "IMLE"
_TAG = re.compile(r"(?:([BIMLEUSW])-)?(\S+)")

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


def split_tag(tag: str) -> tuple[str, str]:
    """Prefix and label of a tag, as far as it has them."""
    if (match := _TAG.fullmatch(tag)) is None or tag in OUTSIDE:
        return "", ""
    return match[1] or "", match[2]


def is_tag(value: str) -> bool:
    """Whether a value is a tag with a prefix, or one that says "outside"."""
    return value in OUTSIDE or bool(split_tag(value)[0])


def holds_tags(values: Sequence[str]) -> bool:
    """Whether a column's values are tags: most of them are `O` or have a prefix. A few
    may be malformed; they are counted where they are read."""
    counts = Counter(values)
    if not (malformed := sum(n for value, n in counts.items() if not is_tag(value))):
        return set(counts) != {"_"}
    return len(values) - malformed - counts["_"] - counts["-X-"] > malformed


def are_phrases(values: Iterable[str]) -> bool:
    """Whether tags are of phrases (`B-NP`) for the most part."""
    labels = [label for _, label in map(split_tag, values) if label]
    return 2 * sum(label in CHUNKS for label in labels) > len(labels)


def find_spans(tags: Sequence[str]) -> list[tuple[int, int, str]]:
    """First token, token after the last and label of each span, in any notation; a tag
    that goes on with nothing begins a span."""
    iob, before = [], ""
    for prefix, label in map(split_tag, tags):
        goes_on = prefix in _FURTHER and label == before
        iob.append(f"{'I' if goes_on else 'B'}-{label}" if label else "O")
        before = "" if prefix and prefix in _LAST else label
    entities = tags_to_entities(iob_to_biluo(iob))
    return [(start, last + 1, label) for label, start, last in entities]


def join_tokens(tokens: Sequence[str], spaces: Sequence[Any]) -> tuple[str, Offsets]:
    """The text that tokens make."""
    parts, offsets, end = [], [], 0
    for token, space in zip(tokens, spaces):
        offsets.append((end, end + len(token)))
        parts.append(token + " " if space else token)
        end += len(parts[-1])
    return "".join(parts), offsets


def find_tokens(text: str, tokens: Sequence[str]) -> Offsets | None:
    """Where tokens stand in a text, whatever the white space between them."""
    offsets, end = [], 0
    for token in tokens:
        start, word = end, token.strip()
        while word and start < len(text) and text[start].isspace():
            start += 1
        if not text.startswith(word, start):
            return None
        end = start + len(word)
        offsets.append((start, end))
    return None if text[end:].strip() else offsets


def tag_mentions(
    tags: Sequence[str], offsets: Offsets, lines: Sequence[int] = ()
) -> list[Record]:
    """Mentions of tagged tokens, each with its line if lines are given."""
    mentions = []
    for start, end, label in find_spans(tags):
        more = {"line": lines[start]} if lines else {}
        place = offsets[start][0], offsets[end - 1][1]
        mentions.append(make_mention(*place, label, **more))
    return mentions


def guess_spaces(tokens: Sequence[str]) -> list[bool]:
    """Whether a space follows each token, as text is usually written."""
    roles = _find_roles(tokens)
    spaces = [True] * len(tokens)
    for i in range(len(tokens) - 1):
        tight = roles[i] in ("opening", "tight") or roles[i + 1] in ("closing", "tight")
        around = tokens[i][-1:], tokens[i + 1]
        spaces[i] = not (tight or all(map(_NO_SPACES.match, around)))
    return spaces


def _find_roles(tokens: Sequence[str]) -> list[str]:
    """For each token `opening`, `closing`, `tight` (both) or nothing."""
    roles = []
    waiting: list[str] = []  # closing marks of the quotations that are open
    apostrophe = tokens.count("'") == 1
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
