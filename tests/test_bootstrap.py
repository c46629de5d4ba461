"""The workflow `bootstrap`: from shipped terms and raw texts to a pipeline that is
measured, with a recognizer that has learnt from machines alone."""

import json
import os
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest
import spacy
import srsly
from spacy.tokens import DocBin

from spacy_deid.gazetteers import Words

from .annotated import record

# A dozen commands that train and load in processes of their own.
pytestmark = pytest.mark.slow
ROOT = Path(__file__).parents[1]
STEPS = ["texts", "terms", "silver", "train", "assemble-all", "evaluate"]
STEPS += ["gold", "compare"]
GOLD = record(
    "[Ann Lee](PERSON), a [zookeeper](DEM) from [Leeds](LOC), was convicted of "
    "[robbery](MISC) in [May 1999](DATETIME)."
)


def run(folder, command, **variables):
    given = [part for k, v in variables.items() for part in (f"--vars.{k}", str(v))]
    words = [sys.executable, "-m", "spacy", "project", "run", command, ".", *given]
    how = {"cwd": folder, "env": {**os.environ, "PYTHONPATH": str(ROOT)}}
    return subprocess.run(words, check=False, capture_output=True, text=True, **how)


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    """A folder in which the workflow has run on a few texts, with few steps."""
    folder = tmp_path_factory.mktemp("project")
    for name in ("project.yml", "configs", "assets", "benchmarks", "spacy_deid"):
        (folder / name).symlink_to(ROOT / name)
    (folder / "gold.jsonl").write_text(json.dumps(GOLD) + "\n", encoding="utf8")
    (folder / "raw").mkdir()
    # One document is also evaluation data.
    samples = sorted((ROOT / "assets/samples").glob("*.txt"))
    texts = [path.read_text("utf8") for path in samples]
    for number, text in enumerate([*texts, GOLD["text"]]):
        (folder / "raw" / f"{number}.txt").write_text(text, encoding="utf8")
    variables = {"texts": "raw", "gold": "gold.jsonl", "gold_train": "gold.jsonl"}
    variables |= {"steps_boot": 30, "steps_boot_gold": 10}
    for step in STEPS:
        done = run(folder, f"boot-{step}", **variables)
        assert done.returncode == 0, (step, done.stdout[-2000:], done.stderr[-2000:])
    return folder


def test_silver_corpus_is_of_recognizer_and_counted_terms(project):
    report = srsly.read_json(project / "metrics" / "boot_silver.json")
    assert sum(report["excluded"].values()) == 1
    assert report["sources"].keys() == {"ner", "pattern", "term"}
    silver = DocBin().from_disk(project / "corpus/boot_silver.spacy")
    docs = list(silver.get_docs(spacy.blank("en").vocab))
    assert GOLD["text"] not in {doc.text for doc in docs}
    for doc in docs:
        ends = [(span.start, span.end) for span in doc.spans["pii"]]
        assert all(a[1] <= b[0] for a, b in pairwise(ends))


def test_pipeline_has_the_compiled_terms_and_the_recognizer(project):
    nlp = spacy.load(project / "training" / "boot_deid")
    assert nlp.pipe_names == ["pii_gazetteer", "pii_ner", "pseudonymizer"]
    assert nlp.get_pipe("pii_ner").o_threshold == 0.85
    (gazetteer,) = nlp.get_pipe("pii_gazetteer").gazetteers
    (found,) = gazetteer.matches(Words("a lawyer"))
    assert found.entry.people > 0
    assert "dentist" not in nlp("She is a dentist.")._.deid_text


def test_report_is_by_type_with_the_confusion(project):
    scores = srsly.read_json(project / "metrics" / "boot_types.json")
    (corpus,) = scores
    for layer in ("pii_ner, semantic", "pii, semantic"):
        confusion = scores[corpus][layer]["confusion"]
        gold = {label: sum(row.values()) for label, row in confusion.items()}
        gold.pop("O", None)
        assert gold == {"PERSON": 2, "DEM": 1, "LOC": 1, "MISC": 1, "DATETIME": 2}
    tables = (project / "metrics" / "boot_types.md").read_text("utf8")
    assert "| gold, down; found, across |" in tables and "R, any label" in tables


def test_silver_is_beside_gold_and_both(project):
    scores = srsly.read_json(project / "metrics" / "boot_compare.json")
    (corpus,) = scores
    assert list(scores[corpus]) == ["silver", "gold", "both"]
    # All read with the O-threshold of the workflow; the pipeline's own recognizer is
    # the silver one.
    types = srsly.read_json(project / "metrics" / "boot_types.json")
    pipeline = types[corpus]["pii_ner, semantic"]
    assert scores[corpus]["silver"]["confusion"] == pipeline["confusion"]
    tables = (project / "metrics" / "boot_compare.md").read_text("utf8")
    assert tables.count("| gold, down; found, across |") == 3
    assert "| all, any label | 7 |" in tables
    (row,) = (line for line in tables.splitlines() if line.startswith("| DEM | 1 |"))
    assert row.count("|") == 2 + 1 + 3 * 4


def test_what_cannot_be_read_is_named(project):
    (project / "broken.jsonl").write_text('{"text": "a"}\n{"text"\n', encoding="utf8")
    done = run(project, "boot-texts", texts="broken.jsonl", gold="gold.jsonl")
    assert done.returncode != 0
    assert "broken.jsonl, line 2: not valid JSON" in done.stdout + done.stderr
    assert (project / "corpus" / "boot_raw.jsonl").exists(), "the old one stays"
