"""What `spacy project run en_deid_sm` does, small: the same seeds make the same bytes."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from spacy_deid.provenance import hash_path

ROOT = Path(__file__).parents[1]
# The steps of the workflow, in one process.
STEPS = """
import sys
from pathlib import Path

from spacy.cli._util import app
from spacy.cli.train import train
from spacy_deid import cli
from spacy_deid.assemble import main as assemble
from typer.testing import CliRunner

configs = Path(sys.argv[1])
data = {"paths.train": "train.spacy", "paths.dev": "train.spacy"}
short = {"training.max_steps": 4, "training.eval_frequency": 2}
vary = {"vars.swap": 0.5, "vars.recase": 0.3}


def deid(*args):
    done = CliRunner().invoke(app, ["deid", *args])
    assert done.exit_code == 0, done.output


def put_together(*args):
    assert assemble([*args]) == 0


deid("synth", "texts.jsonl", "--n", "8", "--seed", "3")
deid("convert", "tab:texts.jsonl", "train.spacy")
train(configs / "pii_ner_words.cfg", "ner", overrides={**data, **short, **vary})
deid("silver", "texts.jsonl", "silver.jsonl", "--model", "ner/model-last")
deid("calibrate", "ner/model-last", "train.spacy", "calibrated")
put_together(str(configs / "detectors.cfg"), "detectors", "--paths.ner", "calibrated")
found = {**data, **short, "paths.detectors": "detectors"}
train(configs / "risk.cfg", "risk", overrides=found)
parts = ["--paths.detectors", "detectors", "--paths.risk", "risk/model-last"]
put_together(str(configs / "deid.cfg"), "whole", *parts)
deid("evaluate", "whole", "texts.jsonl", "--output", "scores.json")
"""


@pytest.mark.slow
def test_the_same_seeds_make_the_same_bytes(tmp_path):
    """Whatever order sets have, which differs from process to process."""
    hashes = []
    for seed in ("1", "2"):
        folder = tmp_path / seed
        folder.mkdir()
        how = {"cwd": folder, "env": {**os.environ, "PYTHONHASHSEED": seed}}
        command = [sys.executable, "-c", STEPS, ROOT / "configs"]
        done = subprocess.run(command, check=False, stderr=subprocess.PIPE, **how)
        assert done.returncode == 0, done.stderr.decode()
        hashes.append({p.name: hash_path(p) for p in sorted(folder.iterdir())})
    assert {"whole", "silver.jsonl", "scores.json"} <= set(hashes[0])
    assert hashes[0] == hashes[1]
