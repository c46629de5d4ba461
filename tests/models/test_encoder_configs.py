"""Every config that names an encoder trains with the folder of any."""

import math
from pathlib import Path

import numpy
import pytest
import spacy
from spacy.tokens import DocBin, Span
from spacy.training import Example
from spacy.training.initialize import init_nlp
from spacy.util import load_config

from spacy_deid.schema import DIRECT, NO_MASK, QUASI

ROOT = Path(__file__).parents[2]
KINDS = ["bert", "deberta-v2", "distilbert", "electra", "longformer", "roberta",
         "sentencepiece", "xlm-roberta"]  # fmt: skip
FOLDERS = ("encoder", "language_model")
CONFIGS = {
    path.stem: config
    for path in sorted((ROOT / "configs").glob("*.cfg"))
    if {*FOLDERS} & set((config := load_config(path)).get("paths", {}))
}
# Each config with two kinds, each kind with at least two configs: all would take minutes.
# Once for each config and kind always, the others among the slow tests.
PAIRS = [
    pytest.param(
        name, KINDS[(i + shift) % len(KINDS)], marks=pytest.mark.slow if shift else ()
    )
    for shift in (0, 3)
    for i, name in enumerate(CONFIGS)
]
TEXT = "Anna Smith was born in Leeds and lives in Rome. "
DECISIONS = {"Anna": DIRECT, "Smith": DIRECT, "Leeds": QUASI, "Rome": NO_MASK}


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("files")
    nlp = spacy.blank("en")
    docs = []
    for text in (TEXT, TEXT * 5, "Nobody was at zzyxville."):
        doc = nlp.make_doc(text)
        spans = [t for t in doc if t.text in DECISIONS]
        doc.spans["pii"] = [Span(doc, t.i, t.i + 1, "MISC") for t in spans]
        doc.spans["mask"] = [Span(doc, t.i, t.i + 1, DECISIONS[t.text]) for t in spans]
        docs.append(doc)
    DocBin(docs=docs).to_disk(folder / "docs.spacy")
    detectors = spacy.blank("en")
    detectors.add_pipe("pii_gazetteer")
    detectors.add_pipe("pii_ner")
    detectors.initialize(lambda: [Example(doc, doc) for doc in docs])
    detectors.to_disk(folder / "detectors")
    rows = numpy.random.default_rng(0).normal(size=(9, 5)).astype("f")
    settings = {"mode": "floret", "hash_count": 2, "minn": 2, "maxn": 3}
    nlp.vocab.vectors = spacy.vectors.Vectors(data=rows, **settings)
    nlp.to_disk(folder / "vectors")
    return folder


def overrides(config, files, encoder):
    """What `spacy train` would be given; paths that the config names alone."""
    made = {name: files / name for name in ("detectors", "vectors")}
    made |= dict.fromkeys(("train", "dev"), files / "docs.spacy")
    made |= dict.fromkeys(FOLDERS, encoder)
    paths = {f"paths.{k}": str(v) for k, v in made.items() if k in config["paths"]}
    return {**paths, "training.max_steps": 2, "training.eval_frequency": 2}


def weights(nlp):
    """Those of the encoders that learn with a component."""
    return {
        (name, i, key): value.numpy().copy()
        for name, pipe in nlp.components
        if getattr(pipe, "model", None) is not None
        for i, node in enumerate(pipe.model.walk())
        if "has_transformer" in node.attrs
        for key, value in node.transformer.state_dict().items()
    }


def annotation(doc):
    keys = [key for key in ("pii_ner", "mask") if key in doc.spans]
    return [[(s.start, s.end, s.label_) for s in doc.spans[key]] for key in keys]


def test_configs_with_encoders_are_found():
    names = {"pii_ner_trf", "pii_ner_flert", "pii_ner_longformer", "risk_mlm"}
    assert names <= CONFIGS.keys()


@pytest.mark.parametrize(("name", "kind"), PAIRS)
def test_configs_train_with_any_encoder(name, kind, files, encoders, tmp_path):
    given = overrides(CONFIGS[name], files, encoders(kind))
    if "autogluon" in CONFIGS[name].to_str():
        pytest.importorskip("autogluon.tabular", reason="the extra `automl` is missing")
        classifier = "components.risk_scorer.indicators.lm_probabilities.classifier"
        given[f"{classifier}.options.hyperparameters"] = {"RF": {}}
    made = init_nlp(load_config(ROOT / "configs" / f"{name}.cfg", given))
    before = weights(made)
    assert bool(before) is ("encoder" in CONFIGS[name]["paths"])
    # Each evaluation would save a model, which takes longer than the training.
    trained, _ = spacy.training.loop.train(made)
    cleaning = {"clean": made.config["training"]["before_to_disk"]}
    spacy.registry.resolve(cleaning)["clean"](trained).to_disk(tmp_path)
    loaded = spacy.load(tmp_path)
    after = weights(loaded)
    assert before.keys() == after.keys()
    for key in {key[:2] for key in before}:
        own = [k for k in before if k[:2] == key]
        assert any((before[k] != after[k]).any() for k in own), "it did not learn"
    if before:
        assert "spacy-transformers" in " ".join(loaded.meta["requirements"])
    texts = [TEXT, "", TEXT * 5]
    together = [annotation(doc) for doc in loaded.pipe(texts)]
    assert together == [annotation(loaded(text)) for text in texts] and all(together)
    # No word of the documents is saved, of language models the path alone.
    assert "zzyxville" not in (tmp_path / "vocab" / "strings.json").read_text("utf8")
    scorer = loaded.config["components"].get("risk_scorer", {})
    asked = scorer.get("indicators", {}).values()
    read = [x["language_model"] for x in asked if "language_model" in x]
    assert {lm["name"] for lm in read} <= {encoders(kind)}
    if name == "risk_mlm":
        doc = loaded(TEXT)
        votes = [span._.risk_votes for span in doc.spans["mask"]]
        wanted = {"lm_probabilities", "perturbations"}
        assert votes and all(wanted <= {*vote} for vote in votes) and len(read) == 2
        indicators = loaded.get_pipe("risk_scorer").indicators
        assert math.isfinite(indicators["lm_probabilities"].typical)
        assert indicators["perturbations"].threshold >= 0
