"""The recipes of the pipelines of other languages: what they learn from can be read, is of
the package's types, and is never what they are measured on."""

import csv
import json
import runpy
from pathlib import Path

import pytest
import srsly

from spacy_deid.gazetteers.lexicon import languages
from spacy_deid.lang.base import pack_of
from spacy_deid.schema import SEMANTIC_TYPES

from .scripts import load_script

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "projects" / "languages"
LANGUAGES = sorted(json.loads((FOLDER / "languages.json").read_text("utf8")))


@pytest.fixture
def builder(tmp_path):
    build = load_script(FOLDER / "build.py")
    build.WORK = tmp_path

    def make(lang):
        (tmp_path / "corpus").mkdir(exist_ok=True)
        if not (tmp_path / "assets").exists():
            (tmp_path / "assets").symlink_to(ROOT / "assets")
        return build.Builder(lang, tmp_path / "data", 10)

    return make


@pytest.mark.parametrize("lang", LANGUAGES)
def test_what_a_language_needs_is_there_and_not_what_it_is_measured_on(lang, builder):
    assert pack_of(lang) is not None and lang in languages()
    table = (ROOT / "assets" / f"open_corpora_{lang}.tsv").read_text("utf8")
    lines = [line for line in table.splitlines() if line[0] != "#"]
    for row in csv.DictReader(lines, delimiter="\t"):
        assert {*row["type"].split()} <= {*SEMANTIC_TYPES, "*"}, row
        assert row["label"] or row["type"], "what its annotators marked completely"
    assert json.loads((ROOT / "assets" / f"{lang}_deid_sm.json").read_text("utf8"))
    # The wheel is tried on a sample, which has what must not come through.
    sample = (ROOT / "assets" / "languages" / f"{lang}.txt").read_text("utf8")
    check = runpy.run_path(str(ROOT / "assets/check_package.py"))
    assert all(original in sample for original in check["ORIGINALS"][lang])
    made = builder(lang)
    given = [*made.learnt()]
    inputs = given[: given.index("--labels")] if "--labels" in given else given
    paths = [Path(text.partition(":")[2]) for text in inputs]
    assert Path(made.set.get("test", made.own / "dev")) not in paths
    folders = [path for path in paths if path.is_dir()]
    assert folders and all(f.name == "train" for f in folders)
    if not (made.own / "train").exists():
        return
    # A kind of one language's dev set is none of its train set.
    names = ({f.name for f in (made.own / part).iterdir()} for part in ("train", "dev"))
    assert not set.intersection(*names)


def test_documents_are_held_out(builder):
    made = builder("ru")
    path = Path(made.set["split"])
    path.parent.mkdir(parents=True)
    texts = [f"Document {i}" for i in range(60)]
    rows = [{"doc_id": t, "text": t, "entity_mentions": []} for t in texts]
    srsly.write_jsonl(path, rows)
    made.split(path)
    files = made.set["learns_from"][0].partition(":")[2], made.set["test"]
    parts = [[row["text"] for row in srsly.read_jsonl(file)] for file in files]
    assert sorted(parts[0] + parts[1]) == sorted(texts) and 3 < len(parts[1]) < 30
