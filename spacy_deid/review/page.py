"""The review page: documents, facts about them, and the program that shows them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..evaluation.gold import FUNCTION_WORDS
from ..evaluation.missed import LEVEL
from ..schema import IDENTIFIER_TYPES, SEMANTIC_TYPES
from .html import as_data, asset, page
from .sampling import ALL, DESIGNS, RANDOM, Drawn, draw

# Below this score a span is one of low confidence.
LOW_SCORE = 0.7


@dataclass(frozen=True)
class Sampling:
    """How documents are drawn; see `draw`."""

    sample: int = 0
    by: str = RANDOM
    seed: int = 0

    def __post_init__(self) -> None:
        if self.by not in DESIGNS:
            raise ValueError(f"by {self.by}: use {', '.join(DESIGNS)}")
        if self.by != RANDOM and not self.sample:
            raise ValueError(f"by {self.by}: say with --sample how many documents")


def page_of(
    lines: Path, sampling: Sampling, facts: Mapping[str, Any]
) -> Iterator[bytes]:
    """The page of documents in a file of JSON lines, of which no more than one at a time
    is held in memory.

    lines (Path): Documents by `make_document`.
    facts (Mapping): What is known of the run: `pipeline`, versions, `originals`.
    """
    starts, risks = [], []
    with lines.open("rb") as file:
        while line := file.readline():
            starts.append(file.tell() - len(line))
            risks.append(json.loads(line)["risk"])
    drawn = draw(risks, sampling.sample, sampling.by, sampling.seed)
    by = sampling.by if sampling.sample else ALL
    body = _body(lines, starts, drawn, {**facts, "by": by})
    style, script = asset("base.css", "review.css"), asset("model.js", "view.js")
    yield from page("Review of de-identified documents", style, body, script)


def _body(
    lines: Path, starts: Sequence[int], drawn: Sequence[Drawn], facts: dict[str, Any]
) -> Iterator[bytes]:
    yield asset("review.html").encode()
    digest = hashlib.sha256()
    yield b'<script type="application/json" id="documents">\n'
    with lines.open("rb") as file:
        for row in drawn:
            file.seek(starts[row.number])
            line = file.readline()
            digest.update(line)
            yield as_data(line)
    yield b"</script>\n"
    facts |= {"page": digest.hexdigest()[:16], "drawn": [row[1:] for row in drawn]}
    facts |= {"population": len(starts), "types": SEMANTIC_TYPES}
    facts |= {"decisions": IDENTIFIER_TYPES, "function_words": sorted(FUNCTION_WORDS)}
    facts |= {"low_score": LOW_SCORE, "level": LEVEL}
    data = as_data(json.dumps(facts).encode())
    yield b'<script type="application/json" id="facts">' + data + b"</script>\n"
