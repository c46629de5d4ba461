"""A second opinion on Russian texts that nobody has annotated by hand.

    python assets/agreed.py DATA IN [IN ...]

DATA/IN.jsonl are JSON lines; DATA/IN_agreed.jsonl gets them with the names that slovnet finds, too
(its model of Russian news and its vectors are in the package natasha; both MIT). Needs the packages
natasha, navec, slovnet, razdel and ipymarkup, installed with `--no-deps`.

A name of both has slovnet's type and bounds; of one alone it is "?": nobody knows. Two that were made
in different ways, by links of Wikipedia and by a model of news, err at different places.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

Mention = dict[str, Any]
# What may be a name, by whoever marked it.
NAMES = ("PER", "LOC", "ORG", "PROPN")


def load_model() -> Any:
    from navec import Navec
    from slovnet import NER

    # natasha itself needs more packages than its data do.
    found = find_spec("natasha")
    if found is None or found.origin is None:
        sys.exit("natasha is missing: pip install --no-deps natasha")
    data = Path(found.origin).parent / "data"
    ner = NER.load(data / "model" / "slovnet_ner_news_v1.tar")
    ner.navec(Navec.load(data / "emb" / "navec_news_v1_1B_250K_300d_100q.tar"))
    return ner


def found_in(text: str, ner: Any) -> Iterator[Mention]:
    """Names that the model finds, line by line."""
    at = 0
    for line in text.splitlines(keepends=True):
        for span in ner(line).spans if line.strip() else ():
            yield _mention(at + span.start, at + span.stop, span.type)
        at += len(line)


def agreed(known: list[Mention], found: list[Mention]) -> Iterator[Mention]:
    """What both know, and with the type "?" what one knows."""

    def beside(mention: Mention, others: list[Mention]) -> bool:
        start, end = mention["start_offset"], mention["end_offset"]
        return any(o["start_offset"] < end and start < o["end_offset"] for o in others)

    for mention in found:
        yield mention if beside(mention, known) else mention | {"entity_type": "?"}
    for mention in known:
        if mention["entity_type"] not in NAMES:
            yield mention
        elif not beside(mention, found):
            yield mention | {"entity_type": "?"}


def _mention(start: int, end: int, label: str) -> Mention:
    return {"start_offset": start, "end_offset": end, "entity_type": label}


def main(data: str, *names: str) -> None:
    ner = load_model()
    for name in names:
        path = Path(data, f"{name}.jsonl")
        counts: Counter[str] = Counter()
        lines = []
        for line in path.read_text("utf8").splitlines():
            record = json.loads(line)
            found = list(found_in(record["text"], ner))
            record["entity_mentions"] = [*agreed(record["entity_mentions"], found)]
            counts.update(m["entity_type"] for m in record["entity_mentions"])
            lines.append(json.dumps(record, ensure_ascii=False) + "\n")
        out = path.with_name(f"{path.stem}_agreed.jsonl")
        part = out.with_name(out.name + ".part")
        part.write_text("".join(lines), encoding="utf8")
        part.replace(out)
        print(f"{out}: {len(lines)} documents, {dict(counts)}")


if __name__ == "__main__":
    main(*sys.argv[1:])
