"""Texts with their mentions marked, "in <<Lyon|LOC.CITY>>", and what they become.

A mark holds the text, its label, perhaps a subtype, and perhaps the number of its entity
("#2"); the same text with the same label is one entity otherwise. " ¦ " stands between
texts of one document that do not see each other. "\\n" and "\\t" are a line end and a tab.
"""

import re
from collections.abc import Callable, Sequence
from pathlib import Path

from spacy_deid.data import read_table
from spacy_deid.surrogates.base import Mention
from spacy_deid.surrogates.languages import make_language_surrogates

from .conftest import containing, seeded
from .properties import deid

MARK = re.compile(r"<<(.+?)\|([A-Z_]+)(?:\.([A-Z_]+))?(?:#(\d+))?>>", re.DOTALL)
APART = " ¦ "
AROUND = 30


def read(marked: str) -> tuple[list[str], list[Mention]]:
    """What stands before each mention and behind the last, and the mentions."""
    marked = marked.replace(r"\n", "\n").replace(r"\t", "\t")
    frames, mentions, entities = [""], [], {}
    for number, line in enumerate(marked.split(APART)):
        frames[-1] += APART if number else ""
        plain, first, *rows = MARK.sub(r"\1", line), *MARK.split(line)
        frames[-1] += first
        end = len(first)
        for text, label, subtype, entity, behind in zip(*[iter(rows)] * 5):
            known = entities.setdefault((text, label), len(mentions))
            start, end = end, end + len(text)
            mentions.append(
                Mention(
                    text,
                    label,
                    subtype or "",
                    int(entity) if entity else known,
                    plain[max(0, start - AROUND) : start],
                    plain[end : end + AROUND],
                    around=plain,
                )
            )
            frames.append(behind)
            end += len(behind)
    return frames, mentions


def written(frames: Sequence[str], texts: Sequence[str]) -> str:
    """The text again, with these texts for its mentions."""
    return "".join(f + t for f, t in zip(frames, [*texts, ""]))


def rewritten(marked: str, make: Callable[[list[Mention]], list[str]]) -> str:
    """What a generator makes of a marked text."""
    frames, mentions = read(marked)
    return written(frames, make(mentions))


def in_language(
    marked: str, lang: str, key: bytes = b"key"
) -> tuple[str, list[Mention], list[str]]:
    """A new text, with the surrogates of a language, its mentions and their new texts."""
    frames, mentions = read(marked)
    forbidden = containing([mention.text for mention in mentions])
    made = make_language_surrogates(lang)(mentions, seeded(key), forbidden)
    return written(frames, made), mentions, made


def fitted(marked: str, pattern: str, lang: str, key: bytes = b"key") -> re.Match[str]:
    """The groups of an expression that the whole new text has to fit."""
    new, *_ = in_language(marked, lang, key)
    match = re.fullmatch(pattern, new)
    assert match is not None, new
    return match


def with_pipeline(
    marked: str, lang: str, strategy: str = "full_entity", key: str = "key"
) -> str:
    """A whole new text, its unmarked words too."""
    frames, mentions = read(marked)
    parts: list[str | tuple[str, ...]] = [frames[0]]
    for mention, frame in zip(mentions, frames[1:]):
        parts += [mention[:3], frame]
    made = {"@deid_strategies": f"spacy_deid.{strategy}.v1"}
    return deid(lang, parts, key, strategy=made).whole


def table_of(path: str | Path) -> tuple[dict[str, str], ...]:
    """The rows of a table of this folder."""
    return read_table(Path(__file__).parent / path)
