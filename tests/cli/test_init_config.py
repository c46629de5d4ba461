import json

import pytest
import spacy
from spacy.cli.train import train
from spacy.util import load_config

from spacy_deid.cli.init_config import CONFIGS
from spacy_deid.corpora.corpus import JsonlCorpus
from spacy_deid.schema import SEMANTIC_TYPES

from ..annotated import record

NAMES = ("Quillan", "Oduya", "Szabolcs", "Ingeborg", "Tamsin", "Ravindra")


def test_a_pipeline_is_trained_further(deid, model, tmp_path, write_jsonl):
    (tmp_path / "map.json").write_text('{"BOSS": "PERSON"}')
    config = tmp_path / "my.cfg"
    labels = ("--labels", tmp_path / "map.json")
    result = deid("init-config", config, "--extend", "en_deid_sm", *labels)
    assert f"spacy train {config}" in result.stderr
    rows = [record(f"The gaffer is [{n}](BOSS) and nobody else.", n) for n in NAMES]
    path = write_jsonl(tmp_path / "a.jsonl", rows)
    overrides = {"paths.train": str(path), "paths.dev": str(path)}
    steps = {"training.max_steps": 8, "training.eval_frequency": 4}
    warm = {"training.optimizer.learn_rate.warmup_steps": 1}
    train(config, tmp_path / "out", overrides=overrides | steps | warm)
    nlp = spacy.load(tmp_path / "out" / "model-best")
    before = spacy.load(load_config(config)["paths"]["pipeline"])
    assert nlp.pipe_names == before.pipe_names
    assert set(nlp.get_pipe("pii_ner").labels) == set(SEMANTIC_TYPES)
    corpus = JsonlCorpus(path, labels={"BOSS": "PERSON"})
    old, new = (p.evaluate(list(corpus(p)))["pii_ner_f"] for p in (before, nlp))
    assert new > 0.9 and new > old
    # No word of the documents is in what was saved.
    strings = (tmp_path / "out" / "model-best" / "vocab" / "strings.json").read_text()
    assert not set(NAMES) & set(json.loads(strings))


def test_a_pipeline_in_a_folder_is_extended_from_anywhere(deid, model, tmp_path):
    result = deid("init-config", "--extend", "en_deid_sm", "--format", "spacy",
                  "--scheme", "ontonotes")  # fmt: skip
    config = spacy.util.Config().from_str(result.stdout)
    assert config["corpora"]["train"]["@readers"] == "spacy_deid.SpacyCorpus.v1"
    assert config["corpora"]["dev"]["scheme"] == "ontonotes"
    own = tmp_path / "own"
    nlp = spacy.blank("de")
    nlp.add_pipe("pii_ner", name="mine").add_label("PERSON")
    nlp.initialize()
    nlp.to_disk(own)
    result = deid("init-config", "--extend", own)
    config = spacy.util.Config().from_str(result.stdout)
    assert config["paths"]["pipeline"] == str(own.resolve())
    assert config["nlp"]["lang"] == "de" and config["nlp"]["pipeline"] == ["mine"]
    assert config["training"]["score_weights"] == {"mine_f": 1.0}


@pytest.mark.parametrize("path", sorted(CONFIGS.glob("*.cfg")), ids=lambda p: p.stem)
def test_configs_come_with_the_package(deid, path, tmp_path):
    out = tmp_path / "out.cfg"
    deid("init-config", out, "--config", path.stem)
    assert out.read_text("utf8") == path.read_text("utf8")
