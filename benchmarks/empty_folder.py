"""Whether the workflows of all projects run to their ends from an empty folder.

    python benchmarks/empty_folder.py [--only WORKFLOW ...] [--keep FOLDER] [--output FILE]

They run in a clean clone of what is committed, which is removed in the end unless FOLDER
names a place for it; one that is there already is gone on with. What publishers have comes
from a mirror on this machine (`publishers.py`); its documents are invented, and trained on
in a few steps. `en_deid_trf` and `taught` need the extra `transformers`.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

import srsly
from publishers import PUBLISHED, Mirror, as_json

ROOT = Path(__file__).parents[1]
STEPS, DOCUMENTS = "20", "40"
WITHOUT_TORCH = "tests/without_torch"
# Workflows in the order in which they need each other, by project.
WORKFLOWS = {
    ".": ("en_deid_sm", "bootstrap", "bootstrap-all"),
    "projects/languages": tuple(f"deid_sm --vars.lang {x}" for x in ("de", "es", "ru")),
    "projects/transformer": ("en_deid_trf", "taught"),
}


def clone(folder: Path) -> None:
    """A clean clone with few documents of our own and short trainings."""
    subprocess.run(["git", "clone", "-q", str(ROOT), str(folder)], check=True)
    for part in ("train", "dev"):
        for file in sorted((folder / f"assets/corpora/en/{part}").iterdir())[4:]:
            file.unlink()
    # What no variable sets.
    for file in (folder / "configs").glob("risk*.cfg"):
        text = re.sub(
            r"max_steps = \d+", f"max_steps = {STEPS}", file.read_text("utf8")
        )
        file.write_text(text, encoding="utf8")


def publish(folder: Path) -> Mirror:
    """Serve publishers' files; longer documents in those that recognizers learn from."""
    made = folder / "documents.jsonl"
    if not made.exists():
        synth = f"-m spacy deid synth {made.name} --n 90"
        subprocess.run([sys.executable, *synth.split()], cwd=folder, check=True)
    documents: list[dict[str, Any]] = list(srsly.read_jsonl(made))
    annotated = [
        {**d, "annotations": {"annotator1": {"entity_mentions": d["entity_mentions"]}}}
        for d in documents
    ]
    raw = {d["doc_id"]: d["text"] for d in documents[60:]}
    lives = json.loads(PUBLISHED["wiki_biographies/wiki_train.json"])
    mirror = Mirror(
        {
            **PUBLISHED,
            "tab/echr_train.json": as_json(annotated[:30]),
            "tab/echr_dev.json": as_json(annotated[30:45]),
            "wiki_biographies/wiki_train.json": as_json(lives[:400] + annotated[45:60]),
            "wiki_biographies/Wiki553_public.json": as_json(raw),
            "echr_unlabelled/TAB_all_public.json": as_json(raw),
        }
    )
    mirror.serve_projects(folder)
    return mirror


def overrides(project: Path) -> list[str]:
    """Of all variables that say how much is made or trained."""
    found = []
    for name in srsly.read_yaml(project / "project.yml")["vars"]:
        if "steps" in name:
            found += [f"--vars.{name}", STEPS]
        elif name.startswith("n_"):
            found += [f"--vars.{name}", DOCUMENTS]
    return found


def run_all(folder: Path, only: list[str]) -> dict[str, int]:
    """Seconds that each workflow took, its assets included."""
    if not folder.exists():
        clone(folder)
    mirror = publish(folder)
    seconds = {}
    for name, workflows in WORKFLOWS.items():
        project = folder / name
        # The package of the clone, and not the one that is installed; torch, which takes
        # longer to load than most commands, is seen where it is needed only.
        paths = [folder] if "trf" in workflows[0] else [folder, folder / WITHOUT_TORCH]
        env = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, paths))}
        fetched = not srsly.read_yaml(project / "project.yml").get("assets")
        for workflow in workflows:
            if only and workflow not in only:
                continue
            start = perf_counter()
            spacy = [sys.executable, "-m", "spacy", "project"]
            if not fetched:
                subprocess.run(
                    [*spacy, "assets", "."], cwd=project, env=env, check=True
                )
                fetched = True
            # What comes next goes on with the pipeline that is committed.
            more = ["--vars.pipeline", "training/remade"] if name == "." else []
            called, *own = workflow.split()
            command = [*spacy, "run", called, ".", *overrides(project), *own, *more]
            if subprocess.run(command, cwd=project, env=env, check=False).returncode:
                sys.exit(f"{workflow} ended with an error")
            seconds[workflow] = round(perf_counter() - start)
            print(f"{workflow}: {seconds[workflow]} s", flush=True)
    mirror.close()
    return seconds


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--only", nargs="+", default=[], metavar="WORKFLOW")
    parser.add_argument("--keep", type=Path, metavar="FOLDER")
    parser.add_argument("--output", type=Path, metavar="FILE")
    args = parser.parse_args()
    with TemporaryDirectory() as scratch:
        folder = args.keep.resolve() if args.keep else Path(scratch) / "clone"
        seconds = run_all(folder, args.only)
    if args.output:
        srsly.write_json(args.output, {"seconds": seconds})


if __name__ == "__main__":
    main()
