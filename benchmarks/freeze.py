"""Freeze what the package does, and compare two freezes: `write OUT`, `compare A B`.

What is frozen, each part by its name in `--only`:

- `golden`: the new texts of `tests/golden`, four languages under one key;
- `surrogates`: the new texts of annotated documents, from their gold spans;
- `hits`: what the rules find in the samples and in documents of every kind;
- `pipeline`: what the embedded pipeline finds, decides and writes;
- `scores`: `spacy deid evaluate` on the development documents.

A freeze holds text of the documents: keep it out of the repository.
"""

from __future__ import annotations

import argparse
import csv
import importlib.util
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import spacy
from spacy.language import Language
from spacy.tokens import Span

import spacy_deid

ROOT = Path(__file__).parents[1]
PARTS = ("golden", "surrogates", "hits", "pipeline", "scores")
KEY = b"freeze"
LONGEST = 4000  # characters of a document that are read
GOLD = {
    "en": ("tab/dev", "wiki_biographies/dev", "uner_en_ewt/dev", "sgd_dialogues/dev"),
    "de": ("germeval2014/dev", "smartdata_de/train"),
    "es": ("meddocan/dev",),
    "ru": ("factrueval2016/dev",),
}
LANGS = {"germeval2014", "german_ler", "smartdata_de", "europeana_de"}
SCORED = ("tab/dev", "wiki_biographies/dev")


def records(file: Path, most: int) -> Iterator[dict[str, Any]]:
    """The first documents of a file, spread over it."""
    lines = file.read_text(encoding="utf8").splitlines()
    for line in lines[:: max(1, len(lines) // most)][:most]:
        yield json.loads(line)


def samples() -> Iterator[tuple[str, str]]:
    """Names and texts of the sample documents."""
    for path in sorted((ROOT / "assets" / "samples").iterdir()):
        if path.suffix == ".csv":
            with path.open(encoding="utf8", newline="") as file:
                for i, row in enumerate(csv.DictReader(file)):
                    yield f"{path.name}:{i}", " ".join(row.values())
        else:
            yield path.name, path.read_text(encoding="utf8")


def kinds(data: Path, most: int) -> Iterator[tuple[str, str, str]]:
    """Language, name and text of documents of every kind."""
    for file in sorted(data.glob("*/*.jsonl")):
        folder = file.parent.name
        if folder == "wikidata" or file.stem in ("articles", "train_lft"):
            continue
        stem = file.stem if folder == "raw" else folder
        lang = "de" if folder in LANGS or "_de" in stem else "en"
        lang = "es" if folder == "meddocan" or "_es" in f"_{stem}" else lang
        lang = "ru" if folder == "factrueval2016" or "_ru_" in f"_{stem}_" else lang
        for i, record in enumerate(records(file, most)):
            yield lang, f"{folder}/{file.stem}:{i}", record["text"][:LONGEST]


def golden() -> dict[str, Any]:
    path = ROOT / "tests" / "golden" / "rewrite.py"
    spec = importlib.util.spec_from_file_location("golden", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return {
        f"{lang}:{example['name']}": module.make(lang, example)
        for lang in module.LANGS
        for example in module.read(lang)
    }


def gold_pipeline(lang: str) -> Language:
    nlp = spacy.blank(lang)
    surrogates = {"@deid_surrogates": "spacy_deid.language_surrogates.v1"}
    nlp.add_pipe("pseudonymizer", config={"surrogates": surrogates}).set_key(KEY)
    return nlp


def surrogates(data: Path) -> dict[str, Any]:
    out = {}
    for lang, files in GOLD.items():
        nlp = gold_pipeline(lang)
        for name in files:
            for i, record in enumerate(records(data / f"{name}.jsonl", 40)):
                doc = nlp.make_doc(record["text"][:LONGEST])
                spans: list[Span] = []
                mentions = record["entity_mentions"]
                for m in sorted(mentions, key=lambda m: m["start_offset"]):
                    span = doc.char_span(
                        m["start_offset"],
                        m["end_offset"],
                        label=m["entity_type"],
                        alignment_mode="expand",
                    )
                    if span is not None and (not spans or span.start >= spans[-1].end):
                        spans.append(span)
                doc.spans["pii"] = spans
                try:
                    out[f"{lang}:{name}:{i}"] = nlp(doc)._.deid_text
                except Exception as error:
                    out[f"{lang}:{name}:{i}"] = f"{type(error).__name__}"
    return out


def hits(data: Path) -> dict[str, Any]:
    out = {}
    pipelines = {}
    for lang in ("en", "de", "es", "ru"):
        pipelines[lang] = spacy.blank(lang)
        pipelines[lang].add_pipe("pii_gazetteer")
    documents = [("en", *sample) for sample in samples()]
    documents += kinds(data, 12)
    for lang, name, text in documents:
        doc = pipelines[lang](text)
        out[f"{lang}:{name}"] = [
            f"{span.start_char}-{span.end_char} {span.label_} {span.id_} {span.text}"
            for span in doc.spans["pii_gazetteer"]
        ]
    return out


def pipeline(data: Path) -> dict[str, Any]:
    nlp = spacy_deid.load()
    nlp.get_pipe("pseudonymizer").set_key(KEY)
    out: dict[str, Any] = {}
    documents = list(samples())
    for name in SCORED:
        for i, record in enumerate(records(data / f"{name}.jsonl", 30)):
            documents.append((f"{name}:{i}", record["text"]))
    documents += [(n, t) for lang, n, t in kinds(data, 4) if lang == "en"]
    docs = nlp.pipe((text for _, text in documents), batch_size=16)
    for (name, _), doc in zip(documents, docs):
        out[name] = [
            f"{span.start_char}-{span.end_char} {pii.label_} {pii.id_} {span.label_}"
            for span, pii in zip(doc.spans["mask"], doc.spans["pii"])
        ]
        out[f"{name} text"] = doc._.deid_text
    return out


def scores(data: Path) -> dict[str, Any]:
    out = {}
    for name in SCORED:
        for mask in ("all", "risky"):
            with tempfile.TemporaryDirectory() as folder:
                path = Path(folder) / "metrics.json"
                command = [sys.executable, "-m", "spacy", "deid", "evaluate"]
                command += ["en_deid_sm", str(data / f"{name}.jsonl")]
                command += ["--mask", mask, "--output", str(path), "--bootstrap", "0"]
                subprocess.run(command, check=True, capture_output=True)
                out[f"{name} {mask}"] = json.loads(path.read_text())
    return out


def compare(old: dict[str, Any], new: dict[str, Any], show: int) -> int:
    """Print how two freezes differ.

    RETURNS (int): Number of entries that differ.
    """
    total = 0
    for part in sorted(set(old) & set(new)):
        names = [n for n in old[part] if old[part][n] != new[part].get(n)]
        print(f"{part}: {len(names)} of {len(old[part])} differ")
        total += len(names)
        for name in names[:show]:
            print(f"  {name}")
            a, b = old[part][name], new[part].get(name)
            if isinstance(a, dict) and isinstance(b, dict):
                for key in a:
                    if a[key] != b.get(key):
                        print(f"    {key}: {a[key]} -> {b.get(key)}")
                continue
            left, right = (
                [*x] if isinstance(x, list) else str(x).split() for x in (a, b)
            )
            for x in left:
                if x not in right:
                    print(f"    - {x}")
            for x in right:
                if x not in left:
                    print(f"    + {x}")
    return total


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    write = commands.add_parser("write")
    write.add_argument("out", type=Path)
    write.add_argument("--data", type=Path, default=ROOT / "assets" / "data")
    write.add_argument("--only", nargs="*", choices=PARTS, default=PARTS)
    look = commands.add_parser("compare")
    look.add_argument("old", type=Path)
    look.add_argument("new", type=Path)
    look.add_argument("--show", type=int, default=3)
    args = parser.parse_args()
    if args.command == "compare":
        files = (json.loads(p.read_text(encoding="utf8")) for p in (args.old, args.new))
        sys.exit(compare(*files, args.show) > 0)
    made = {}
    for part in args.only:
        function = globals()[part]
        made[part] = function() if part == "golden" else function(args.data)
    text = json.dumps(made, ensure_ascii=False, indent=0)
    args.out.write_text(text, encoding="utf8")


if __name__ == "__main__":
    main()
