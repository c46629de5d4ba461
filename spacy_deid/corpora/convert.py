"""Annotated JSON lines to spaCy's binary format, for `spacy train`.

    python -m spacy_deid.corpora.convert OUT.spacy tab:train.jsonl conll:posts.jsonl

Each input is SCHEME:PATH, or SCHEME*N:PATH to take its documents N times.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

import spacy
from spacy.language import Language
from spacy.tokens import Doc, DocBin

from ..label_schemes import make_label_scheme
from .readers import read_docs


def blank_pipeline(lang: str) -> Language:
    """An empty pipeline with the package's tokenizer.

    lang (str): Language code.
    RETURNS (Language): The pipeline.
    """
    return spacy.blank(
        lang, config={"nlp": {"tokenizer": {"@tokenizers": "spacy_deid.tokenizer.v1"}}}
    )


def convert(
    inputs: Sequence[tuple[str, int, Path]], lang: str = "en", seed: int = 0
) -> tuple[list[Doc], Counter]:
    """Read, mix and shuffle annotated documents.

    inputs (Sequence[Tuple[str, int, Path]]): Scheme name, number of copies, path.
    lang (str): Language code of the tokenizer.
    seed (int): Seed of the shuffle.
    RETURNS (Tuple[List[Doc], Counter]): The reference docs, and counts of `docs`,
        `spans`, `misaligned` and `dropped` annotations.
    """
    nlp = blank_pipeline(lang)
    counts: Counter = Counter()
    docs: list[Doc] = []
    for name, copies, path in inputs:
        read = list(read_docs(nlp, path, make_label_scheme(name), counts=counts))
        docs.extend(read * copies)
    random.Random(seed).shuffle(docs)
    counts["docs"] = len(docs)
    return docs, counts


def write_docbin(docs: Iterable[Doc], path: str | Path) -> None:
    """Write Docs to a `.spacy` file, complete or not at all.

    docs (Iterable[Doc]): The docs.
    path (Path): The file.
    """
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(path.name + ".part")
    part.write_bytes(DocBin(docs=docs, store_user_data=False).to_bytes())
    part.replace(path)


def parse_input(value: str) -> tuple[str, int, Path]:
    """Parse SCHEME:PATH or SCHEME*N:PATH.

    value (str): The argument.
    RETURNS (Tuple[str, int, Path]): Scheme name, number of copies, path.
    RAISES (ValueError): If it has another form.
    """
    head, colon, path = value.partition(":")
    scheme, star, copies = head.partition("*")
    if not colon or not path or (star and not copies.isdigit()):
        raise ValueError(f"expected SCHEME:PATH or SCHEME*N:PATH, not '{value}'")
    return scheme, int(copies) if star else 1, Path(path)


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m spacy_deid.corpora.convert")
    parser.add_argument("output", type=Path)
    parser.add_argument("inputs", nargs="+", metavar="SCHEME[*N]:PATH")
    parser.add_argument("--lang", default="en")
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args(argv)
    try:
        docs, counts = convert(
            [parse_input(v) for v in args.inputs], args.lang, args.seed
        )
        write_docbin(docs, args.output)
    except (ValueError, OSError) as e:
        print(f"convert: {e}", file=sys.stderr)
        return 1
    print(", ".join(f"{k} {v}" for k, v in sorted(counts.items())), file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
