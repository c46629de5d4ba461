import json
from collections import Counter
from pathlib import Path

import pytest
import spacy
from spacy.training import Example
from spacy.training.initialize import init_nlp
from spacy.training.loop import train
from spacy.util import load_config

from spacy_deid.corpora.convert import convert, parse_input, write_docbin
from spacy_deid.corpora.folds import CrossFitted, fold_of
from spacy_deid.schema import PII_KEY

from ..annotated import record

N = 3
CONFIG = Path(__file__).parents[2] / "configs" / "risk.cfg"


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    path = tmp_path_factory.mktemp("folds") / "a.jsonl"
    markup = "[Ann Lee](PERSON DIRECT p) saw the number {} in [Leeds](LOC QUASI l)."
    lines = [json.dumps(record(markup.format(i), str(i))) for i in range(40)]
    path.write_text("\n".join(lines))
    return path


@pytest.fixture(scope="module")
def detectors(tmp_path_factory):
    """One a fold; number k finds its own number and, as all do, a false thing."""
    paths = []
    for k in range(N):
        nlp = spacy.blank("en")
        found = ["saw", "Leeds", *(["Ann Lee"] if k < 2 else [])]
        labels = ["LOC" if x == "Leeds" else "PERSON" for x in found]
        rules = [{"label": a, "pattern": b} for a, b in zip(labels, found)]
        nlp.add_pipe("entity_ruler").add_patterns(rules)
        sources = {"ruler": {"@misc": "spacy_deid.entities.v1"}}
        nlp.add_pipe("pii_gazetteer", config={"sources": sources})
        paths.append(tmp_path_factory.mktemp("detectors") / str(k))
        nlp.to_disk(paths[-1])
    return [str(p) for p in paths]


def test_each_document_is_left_out_once_with_its_copies(path):
    inputs = [parse_input(f"tab*2:{path}")]
    whole = Counter(doc.text for doc in convert(inputs).train)
    assert set(whole.values()) == {2}
    seen = Counter()
    for k in range(N):
        part = Counter(d.text for d in convert(inputs, leave_out=f"{k}/{N}").train)
        assert set(part.values()) == {2}
        gone = whole.keys() - part.keys()
        assert gone == {text for text in whole if fold_of(text, N) == k} != set()
        seen.update(gone)
    assert seen.keys() == whole.keys() and set(seen.values()) == {1}


def test_documents_are_annotated_by_their_own_fold(path, detectors):
    nlp = spacy.blank("en")
    augment = CrossFitted(detectors)
    ways = set()
    for doc in convert([parse_input(f"tab:{path}")]).train[:12]:
        gold = [(s.text, s.label_) for s in doc.spans[PII_KEY]]
        (example,) = augment(nlp, Example(nlp.make_doc(doc.text), doc))
        found = [s.text for s in example.predicted.spans[PII_KEY]]
        k = fold_of(doc.text, N)
        assert found == (["Ann Lee"] if k < 2 else []) + ["saw", "Leeds"]
        assert [(s.text, s.label_) for s in example.reference.spans[PII_KEY]] == gold
        ways.add(k)
    assert ways == set(range(N))
    example = Example(nlp.make_doc("Ann Lee"), nlp.make_doc("Ann Lee"))
    assert list(CrossFitted()(nlp, example)) == [example]


@pytest.mark.slow
def test_a_risk_scorer_learns_from_them(path, detectors, tmp_path):
    """Detectors of its own find nothing: all that it learns of comes from the folds."""
    nlp = spacy.blank("en")
    nlp.add_pipe("pii_gazetteer")
    nlp.add_pipe("pii_gazetteer", name="pii_ner")
    nlp.to_disk(tmp_path / "detectors")
    docs = convert([parse_input(f"tab:{path}")]).train
    write_docbin(docs, tmp_path / "gold.spacy")
    gold = str(tmp_path / "gold.spacy")
    paths = {"train": gold, "dev": gold, "detectors": str(tmp_path / "detectors")}
    training = {"annotating_components": [], "max_steps": 60, "eval_frequency": 60}
    overrides = {"vars.folds": detectors}
    overrides |= {f"paths.{name}": path for name, path in paths.items()}
    overrides |= {f"training.{name}": value for name, value in training.items()}
    trained = init_nlp(load_config(CONFIG, overrides=overrides))
    (tmp_path / "out").mkdir()
    train(trained, tmp_path / "out")
    scorer = spacy.load(tmp_path / "out" / "model-last").get_pipe("risk_scorer")
    doc = spacy.load(detectors[0])(docs[0].text)
    decided = {s.text: s.label_ for s in scorer(doc).spans["mask"]}
    assert decided["saw"] == "NO_MASK"
    assert decided["Ann Lee"] != "NO_MASK" != decided["Leeds"]
