"""What can be found out of a person from a released text, beside what others release.

    pip install -e ".[benchmark,transformers]"
    python benchmarks/reidentify.py --data assets/data --encoder FOLDER \
        --output metrics/reidentify.json --markdown metrics/reidentify.md

Linkage: the lead of a Wikipedia biography and the articles of 548 people, by TF-IDF, by BM25
and by an encoder; the articles as they are, and without the names of persons.

Inference: a classifier learns from other released texts to tell an attribute of the person.

Combination: how many people share what a mask leaves in clear, by counts of Wikidata.

Released are the text itself; what Presidio masks with all its recognizers and our trained one
as its model; what people masked (quasi identifiers included), as marks; and what our
pipeline masks, by each strategy.
"""

from __future__ import annotations

import argparse
import json
import re
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import benchmarks_ents  # noqa: F401
from attacks import blank_pseudonymizer, detect, read_gold, rounded
from attribute_inference import measure_inference
from matchers import Bm25Matcher, DenseMatcher
from spacy.language import Language
from spacy.tokens import Doc
from speed import make_analyzer, save_recognizer

import spacy_deid
from spacy_deid.corpora.convert import blank_pipeline
from spacy_deid.corpora.readers import read_records
from spacy_deid.evaluation.attacks import mask_gold
from spacy_deid.evaluation.linkage import (
    TfidfMatcher,
    chance,
    measure_linkage,
)
from spacy_deid.risk.combination_risk import CombinationRisk
from spacy_deid.risk.gold import read_context
from spacy_deid.schema import MASK_KEY, NO_MASK, PII_KEY
from spacy_deid.surrogates.strategies.base import SHORT_NAMES
from spacy_deid.text.countries import index
from spacy_deid.text.names import fold

# Values of an attribute that fewer texts have are left out.
LEAST = 8
BORN = re.compile(r"\bborn\b[^.]{0,60}?\b(1[789]\d\d)\b")
# What most people of the biographies are, by words of their leads.
FIELDS = {
    "sport": "footballer player coach cricketer athlete boxer racer swimmer driver",
    "politics": "politician minister senator governor mayor president diplomat congressman",
    "arts": "actor actress singer musician composer painter writer novelist poet director",
    "science": "scientist physicist chemist professor mathematician biologist economist",
    "military": "general admiral officer soldier commander colonel",
}
Place = tuple[int, int]


class Released(NamedTuple):
    """Texts as somebody releases them, and what of the original is masked."""

    texts: list[str]
    masked: list[list[Place]]


def releases(
    golds: Sequence[Doc], found: Sequence[Doc], analyzer: Any
) -> Iterator[tuple[str, Released]]:
    """What is released, by whom."""
    texts = [doc.text for doc in golds]
    yield "original", Released(texts, [[] for _ in texts])
    yield "Presidio", by_presidio(texts, analyzer)
    nlp = blank_pipeline("en")
    people = [mask_gold(doc) for doc in golds]
    yield "people, marks", by_pipe(nlp, people, "typed_placeholder")
    yield "people, surrogates", by_pipe(nlp, people, "full_entity")
    for strategy in SHORT_NAMES:
        yield f"pipeline, {strategy}", by_pipe(nlp, found, strategy)


def by_pipe(nlp: Language, docs: Sequence[Doc], strategy: str) -> Released:
    pipe = blank_pseudonymizer(nlp, strategy, "risky")
    pipe.set_key("the key of a benchmark")
    texts = [pipe(doc.copy())._.deid_text for doc in docs]
    spans = [[s for s in doc.spans[MASK_KEY] if s.label_ != NO_MASK] for doc in docs]
    return Released(texts, [[(s.start_char, s.end_char) for s in own] for own in spans])


def by_presidio(texts: Sequence[str], analyzer: Any) -> Released:
    from presidio_anonymizer import AnonymizerEngine

    engine = AnonymizerEngine()
    found = [analyzer.analyze(text, language="en") for text in texts]
    new = [
        engine.anonymize(text=text, analyzer_results=own).text
        for text, own in zip(texts, found)
    ]
    return Released(new, [[(r.start, r.end) for r in own] for own in found])


def without_names(model: Language, texts: Sequence[str]) -> list[str]:
    """Texts whose persons are taken out."""
    out = []
    for text, doc in zip(texts, detect(model, texts)):
        for span in reversed([s for s in doc.spans[PII_KEY] if s.label_ == "PERSON"]):
            text = text[: span.start_char] + "***" + text[span.end_char :]
        out.append(text)
    return out


def link(
    data: Path, model: Language, sides: dict[str, Released], encoder: str | None
) -> dict[str, Any]:
    folder = data / "wiki_biographies"
    articles = list(read_records(folder / "articles.jsonl"))
    place = {article["title"]: i for i, article in enumerate(articles)}
    answers = [place[r["doc_id"]] for r in biographies(folder)]
    bodies = [article["text"] for article in articles]
    titles = [article["title"].replace("-", " ") for article in articles]
    known = {
        "named": [f"{title}\n{body}" for title, body in zip(titles, bodies)],
        "nameless": without_names(model, bodies),
    }
    makers: dict[str, Callable[[Sequence[str]], Any]] = {
        "tfidf": TfidfMatcher,
        "bm25": Bm25Matcher,
    }
    if encoder is not None:
        makers["dense"] = lambda texts: DenseMatcher(texts, encoder)
    out: dict[str, Any] = {name: {} for name in sides}
    for background, texts in known.items():
        for kind, make in makers.items():
            matcher = make(texts)
            for name, side in sides.items():
                found = measure_linkage(matcher(side.texts), answers)
                out[name][f"{kind}, {background}"] = found
    return {"chance": chance(len(articles)), "releases": out}


def biographies(folder: Path) -> list[dict[str, Any]]:
    parts = (read_records(folder / f"{part}.jsonl") for part in ("train", "dev"))
    return [record for part in parts for record in part]


def attributes_of(doc: Doc) -> dict[str, str]:
    """What the original says of the person whom it is about."""
    out = {}
    if born := BORN.search(doc.text):
        out["birth, 25 years"] = str(int(born[1]) // 25 * 25)
    names = index()
    for span in doc.spans[PII_KEY]:
        key = fold(span.text)
        if span.label_ == "DEM" and key in names.by_demonym:
            out.setdefault("nationality", names.by_demonym[key][0].name)
        if span.label_ == "LOC" and key in names.by_name:
            out.setdefault("country", names.by_name[key].name)
    words = Counter(re.findall(r"[a-z]+", doc.text[:600].lower()))
    fields = {k: sum(words[w] for w in v.split()) for k, v in FIELDS.items()}
    if best := max(fields.values()):
        out["occupation"] = next(k for k, n in fields.items() if n == best)
    return out


def infer(golds: Sequence[Doc], sides: dict[str, Released]) -> dict[str, Any]:
    known = [attributes_of(doc) for doc in golds]
    out: dict[str, Any] = {}
    for attribute in sorted({name for row in known for name in row}):
        values = [row.get(attribute) for row in known]
        counts = Counter(values)
        kept = [i for i, v in enumerate(values) if v and counts[v] >= LEAST]
        if len({values[i] for i in kept}) < 2:
            continue
        for name, side in sides.items():
            texts = [side.texts[i] for i in kept]
            found = measure_inference(texts, [values[i] or "" for i in kept])
            out.setdefault(name, {})[attribute] = found
    return out


def combine(found: Sequence[Doc], sides: dict[str, Released]) -> dict[str, Any]:
    """Of each mask the texts whose values in clear at most 10, 100, 1,000 people share."""
    counts = CombinationRisk(languages=("en",))
    contexts = [read_context(doc) for doc in found]
    values = [counts.read(context) for context in contexts]
    out = {}
    for name, side in sides.items():
        # All strategies of one mask leave the same in clear.
        name = name.partition(",")[0]
        if name in out:
            continue
        left = []
        for doc, context, own, masked in zip(found, contexts, values, side.masked):
            covered = bytearray(len(doc.text) + 1)
            for start, end in masked:
                covered[start:end] = b"\1" * (end - start)
            clear = [
                value
                for value, c in zip(own, context.spans)
                if 0 in covered[doc[c.start].idx : doc[c.end - 1].idx + 1]
            ]
            left.append(counts.people(clear))
        shares = {
            f"k<={k}": sum(n <= k for n in left) / len(left) for k in (1, 10, 100)
        }
        out[name] = {**shares, "median k": sorted(left)[len(left) // 2]}
    return out


def to_markdown(report: dict[str, Any]) -> str:
    out = []
    for title, table in report.items():
        rows = table.get("releases", table)
        cells = {
            name: {
                column: value if not isinstance(value, dict) else _cell(value)
                for column, value in row.items()
            }
            for name, row in rows.items()
        }
        columns = list(next(iter(cells.values())))
        out += [f"**{title}**", "", f"| released | {' | '.join(columns)} |"]
        out.append("|---" * (len(columns) + 1) + "|")
        for name, row in cells.items():
            out.append(f"| {name} | {' | '.join(str(row[c]) for c in columns)} |")
        out.append("")
    return "\n".join(out)


def _cell(value: dict[str, Any]) -> str:
    if "top1" in value:
        return f"{value['top1']:.2f}"
    return f"{value['accuracy']:.2f} ({value['majority']:.2f})"


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--model", default="en_deid_sm")
    parser.add_argument("--encoder", help="folder or name of an encoder")
    parser.add_argument("--output", type=Path)
    parser.add_argument("--markdown", type=Path)
    args = parser.parse_args()
    model = spacy_deid.load(args.model)
    with tempfile.TemporaryDirectory() as folder:
        save_recognizer(args.model, Path(folder) / "ner")
        analyzer = make_analyzer(str(Path(folder) / "ner"))
    nlp = blank_pipeline("en")
    report: dict[str, Any] = {}
    for corpus in ("wiki_biographies", "tab"):
        paths = [args.data / corpus / f"{part}.jsonl" for part in ("train", "dev")]
        golds = read_gold(nlp, paths)
        found = detect(model, [doc.text for doc in golds])
        sides = dict(releases(golds, found, analyzer))
        if corpus == "wiki_biographies":
            report["linkage"] = link(args.data, model, sides, args.encoder)
        report[f"inference, {corpus}"] = infer(golds, sides)
        report[f"combination, {corpus}"] = combine(found, sides)
    report = rounded(report)
    text = to_markdown(report)
    print(text)
    for path, content in (
        (args.output, json.dumps(report, indent=2) + "\n"),
        (args.markdown, text + "\n"),
    ):
        if path is not None:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content, encoding="utf8")


if __name__ == "__main__":
    main()
