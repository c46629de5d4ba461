import json
import re
from pathlib import Path

import pytest

from spacy_deid.corpora.convert import convert, parse_input, write_docbin

from ..annotated import record
from ..cases import cases

MARKED = cases(__file__, "documents")
RECORDS = [record(text, i) for i, text in enumerate(MARKED)]
TEXTS = [row["text"] for row in RECORDS]
LABELS = ["EMAIL", "NAME_STUDENT", "PHONE_NUM"]


@pytest.fixture(scope="module")
def module(load_benchmark):
    return load_benchmark("cross_validate")


@pytest.fixture
def experiment(module, tmp_path):
    lines = tmp_path / "essays.jsonl"
    lines.write_text("".join(json.dumps(row) + "\n" for row in RECORDS))
    docs = convert([parse_input(f"essays@jsonl:{lines}")]).train
    write_docbin(docs, tmp_path / "essays.spacy")

    def make(runs, **more):
        setup = {
            "title": "Essays", "lang": "en", "scheme": "essays", "labels": LABELS, "folds": 2,
            "unit": "spans", "average": "micro", "runs": runs,
            "corpora": {"own": str(tmp_path / "essays.spacy")}, **more,
        }  # fmt: skip
        path = tmp_path / "experiment.json"
        path.write_text(json.dumps(setup))
        (tmp_path / "work").mkdir(exist_ok=True)
        return module.Experiment(path, tmp_path / "work")

    return make


def test_scores(module):
    table = {"A": [4, 2, 2], "B": [1, 8, 1]}
    micro = module.scores(table, "micro", 1)
    assert micro["p"] == pytest.approx(3 / 5) and micro["r"] == pytest.approx(3 / 10)
    weighted = module.scores(table, "weighted", 1)
    # By the share of each label in the gold: a fifth and four fifths.
    assert weighted["p"] == pytest.approx(0.2 * 0.5 + 0.8 * 1.0)
    assert weighted["r"] == pytest.approx(0.2 * 1.0 + 0.8 * 0.125)
    f5 = 26 * 0.6 * 0.3 / (25 * 0.6 + 0.3)
    assert module.scores(table, "micro", 5)["f"] == pytest.approx(f5)
    assert module.by_type({"B-A": [1, 1, 1], "I-A": [2, 3, 1]}) == {"A": [3, 4, 2]}


def test_folds_share_no_document_and_may_be_surrogates(experiment):
    run = {"config": "", "train": ["own"], "test": ["own"]}
    half, other = {**run, "empty": 0.5}, {**run, "train": []}
    made = experiment({"a": run, "half": half, "other": other})
    tested = [{d.text for d in made.tests("a", k)} for k in range(2)]
    learnt = [{d.text for d in made.learns_from("a", k)} for k in range(2)]
    assert tested[0] | tested[1] == {*TEXTS} and not tested[0] & tested[1]
    for one, other in zip(tested, learnt):
        assert one | other == {*TEXTS} and not one & other
    assert len(made.learns_from("a", None)) == 6
    # Four documents have entities; half as many of the others are two.
    assert len(made.learns_from("half", None)) == 6
    # What is learnt from nothing of the corpus is tested on all of it, each time.
    assert {d.text for d in made.tests("other", 0)} == {*TEXTS}
    hidden = {**run, "pseudonymize": {"scope": "sentence", "shuffle": True}}
    texts = " ".join(d.text for d in experiment({"a": hidden}).learns_from("a", None))
    marked = re.findall(r"\[([^\]]+)\]", " ".join(MARKED))
    assert "design" in texts and not any(name in texts for name in marked)


def test_patterns_and_a_recognizer(module, experiment, tmp_path):
    config = Path(__file__).parents[2] / "configs" / "pii_ner_tok2vec.cfg"
    own = {"config": str(config), "train": ["own"], "test": ["own"]}
    own["set"] = {"training.max_steps": 2}
    both = {**own, "rules": True, "thresholds": [0.99]}
    runs = {"patterns": {"peer": "rules", "test": ["own"]}, "both": both}
    made = experiment(runs, compare="patterns")
    for name, fold in made.jobs(()):
        module.work_on(tmp_path / "experiment.json", made.work, (name, fold))
    found = module.summarise(made, ())
    rows = found["rows"]
    assert {*rows} == {"patterns", "both", "both, O below 0.99"}
    types = rows["patterns"]["types"]
    assert types["EMAIL"]["f"] == types["PHONE_NUM"]["f"] == 1
    assert types["NAME_STUDENT"] == {"p": 0, "r": 0, "f": 0, "gold": 5}
    assert rows["both"]["types"]["EMAIL"]["r"] == 1
    assert 0 <= rows["both"]["wilcoxon"] <= 1
    assert "| patterns |" in module.markdown(found)
    # What is done is not done again.
    assert not any("train" in path.name for path in made.work.iterdir())
