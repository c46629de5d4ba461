"""The whole embedded pipeline beside Presidio: speed, start-up time, peak memory.

    pip install -e ".[benchmark]"
    python benchmarks/speed.py --data assets/data --output metrics/speed.json

Presidio (analyzer with all its default recognizers, and anonymizer) gets the same
trained recognizer through its spaCy engine, so that the difference lies in everything
else. Short documents are given to both as a batch (`nlp.pipe`, Presidio's batch
analyzer) and one by one (`nlp(text)`, `analyzer.analyze(text)`). Each side runs in
processes of its own, one after the other, in turns; the fastest of the rounds counts
for both. Without --data the documents are synthetic ones.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

# The last is what both sides share: tokenizer and recognizer, as Presidio runs them.
SIDES = ("spacy_deid", "presidio", "recognizer")
KINDS = ("long", "short", "short_single")
LONG = 60_000  # characters at least in a long document
# Entities of Presidio for the types of the recognizer.
MAPPING = {
    "PERSON": "PERSON",
    "LOC": "LOCATION",
    "ORG": "ORGANIZATION",
    "DATETIME": "DATE_TIME",
    "DEM": "NRP",
    "CODE": "ID",
    "QUANTITY": "QUANTITY",
    "MISC": "MISC",
}


def make_documents(data: Path | None) -> dict[str, list[str]]:
    """Long documents of court cases, short ones of posts; synthetic without data."""
    if data is not None:
        from spacy_deid.corpora.readers import read_records

        cases = [r["text"] for r in read_records(data / "tab" / "train.jsonl")]
        posts = [r["text"] for r in read_records(data / "btc" / "dev.jsonl")]
    else:
        from spacy_deid.corpora.synthetic import generate

        cases = [r["text"] for r in generate(600, seed=1)]
        posts = [text for text in cases if len(text) < 200] or cases
    long: list[str] = []
    current: list[str] = []
    for text in cases:
        current.append(text)
        if sum(map(len, current)) >= LONG:
            long.append("\n\n".join(current))
            current = []
    return {"long": long[:6], "short": [t for t in posts if t.strip()][:1500]}


def load_spacy_deid(model: str):
    import spacy_deid

    nlp = spacy_deid.load(model)

    def run(texts: list[str], single: bool) -> list[str]:
        docs = map(nlp, texts) if single else nlp.pipe(texts)
        return [doc._.deid_text for doc in docs]

    return run


def load_recognizer(model: str):
    import spacy

    nlp = spacy.load(model)

    def run(texts: list[str], single: bool) -> list[str]:
        docs = map(nlp, texts) if single else nlp.pipe(texts)
        return [doc.text for doc in docs]

    return run


def load_presidio(model: str):
    from presidio_analyzer import AnalyzerEngine, BatchAnalyzerEngine
    from presidio_analyzer.nlp_engine import NerModelConfiguration, SpacyNlpEngine
    from presidio_anonymizer import AnonymizerEngine

    engine = SpacyNlpEngine(
        models=[{"lang_code": "en", "model_name": model}],
        ner_model_configuration=NerModelConfiguration(
            model_to_presidio_entity_mapping=MAPPING
        ),
    )
    analyzer = AnalyzerEngine(nlp_engine=engine, supported_languages=["en"])
    batch, anonymizer = BatchAnalyzerEngine(analyzer), AnonymizerEngine()

    def run(texts: list[str], single: bool) -> list[str]:
        if single:
            found = [analyzer.analyze(text, language="en") for text in texts]
        else:
            found = batch.analyze_iterator(texts, language="en", batch_size=64)
        return [
            anonymizer.anonymize(text=text, analyzer_results=results).text
            for text, results in zip(texts, found)
        ]

    return run


def save_recognizer(model: str, path: Path) -> None:
    """The recognizer alone, with its spans as `doc.ents`, for Presidio."""
    import spacy_deid

    nlp = spacy_deid.load(model)
    for name in ("pii_gazetteer", "risk_scorer", "pseudonymizer"):
        nlp.remove_pipe(name)
    # The folding of the spans belongs to our side: Presidio has its own.
    pipe = nlp.get_pipe("pii_ner")
    pipe.link = pipe.propagate = None
    import benchmarks_ents  # noqa: F401

    nlp.add_pipe("benchmark_ents")
    for key in ("link", "propagate"):
        nlp.config["components"]["pii_ner"][key] = None
    nlp.max_length = 10_000_000
    nlp.to_disk(path)


def worker(side: str, model: str, documents: Path, rounds: int) -> None:
    """Measure one side in this process; prints JSON."""
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    start = time.perf_counter()
    if side == "spacy_deid":
        run = load_spacy_deid(model)
    else:
        import benchmarks_ents  # noqa: F401

        run = (load_presidio if side == "presidio" else load_recognizer)(model)
    loaded = time.perf_counter() - start
    run(["My name is Robert Murray."], single=True)
    first = time.perf_counter() - start
    out: dict[str, float] = {"load_s": loaded, "first_result_s": first}
    texts_by_kind = json.loads(documents.read_text("utf8"))
    for kind in KINDS:
        texts = texts_by_kind[kind.partition("_")[0]]
        chars = sum(map(len, texts))
        single = kind.endswith("_single")
        best = min(_timed(run, texts, single) for _ in range(rounds))
        out[f"{kind}_chars_per_s"] = chars / best
        out[f"{kind}_ms_per_document"] = 1000 * best / len(texts)
    out["peak_mib"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps(out))


def _timed(run, texts: list[str], single: bool) -> float:
    start = time.perf_counter()
    results = run(texts, single)
    seconds = time.perf_counter() - start
    if len(results) != len(texts):
        raise RuntimeError("documents were lost")
    return seconds


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--model", default="en_deid_sm")
    parser.add_argument("--data", type=Path)
    parser.add_argument("--output", type=Path)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--worker", nargs=2, metavar=("SIDE", "DOCUMENTS"))
    args = parser.parse_args()
    if args.worker:
        worker(args.worker[0], args.model, Path(args.worker[1]), args.rounds)
        return
    with tempfile.TemporaryDirectory() as folder:
        documents = Path(folder) / "documents.json"
        documents.write_text(json.dumps(make_documents(args.data)), "utf8")
        recognizer = Path(folder) / "recognizer"
        save_recognizer(args.model, recognizer)
        results: dict[str, dict[str, float]] = {}
        for _ in range(2):  # in turns, so that noise hits both
            for side in SIDES:
                model = args.model if side == "spacy_deid" else str(recognizer)
                output = subprocess.run(
                    [sys.executable, __file__, "--model", model, "--rounds", str(args.rounds), "--worker", side, str(documents)],
                    check=True, stdout=subprocess.PIPE, text=True,
                ).stdout  # fmt: skip
                measured = json.loads(output.splitlines()[-1])
                for key, value in measured.items():
                    better = max if key.endswith("per_s") else min
                    known = results.setdefault(side, {}).get(key, value)
                    results[side][key] = better(known, value)
    ours, theirs = results["spacy_deid"], results["presidio"]
    report = {
        **results,
        "ratio": {
            **{f"{k}_speed": ours[f"{k}_chars_per_s"] / theirs[f"{k}_chars_per_s"] for k in KINDS},
            "load_time": ours["load_s"] / theirs["load_s"],
            "peak_memory": ours["peak_mib"] / theirs["peak_mib"],
        },
    }  # fmt: skip
    print(json.dumps(report, indent=2))
    if args.output:
        args.output.parent.mkdir(parents=True, exist_ok=True)
        args.output.write_text(json.dumps(report, indent=2) + "\n", encoding="utf8")


if __name__ == "__main__":
    main()
