import io
import sys
import tempfile
import zipfile
from pathlib import Path

import numpy
import pytest
import spacy
import srsly
from spacy.cli.train import train
from spacy.tokens import DocBin, Span
from spacy.training import Example
from spacy.util import load_config

from spacy_deid.assemble import clean
from spacy_deid.assemble import main as assemble
from spacy_deid.models.masked_lm import MaskedLM, Query
from spacy_deid.risk.classifiers import AutoGluonClassifier, LogisticClassifier, Table
from spacy_deid.risk.lm_probabilities import LMProbabilities, to_table
from spacy_deid.schema import NO_MASK, QUASI

from ..models.learning import copies, make_doc

ROOT = Path(__file__).parents[2]
CONFIG = ROOT / "configs" / "risk_automl.cfg"
CLASSIFIER = "components.risk_scorer.indicators.lm_probabilities.classifier"
TYPES = ("PERSON", "LOC", "DEM")


def documents(words, n=60, seed=0):
    rng = numpy.random.default_rng(seed)
    for _ in range(n):
        drawn = rng.choice(words, 12).tolist()
        yield drawn, [(i, i + 1, str(rng.choice(TYPES))) for i in range(0, 12, 3)]


@pytest.fixture(scope="module")
def gold(tiny_lm, tiny_bert):
    """Documents in which spans are masked whose log-probability is near the middle:
    what is linear in it cannot tell."""
    nlp = spacy.blank("en")
    lm = MaskedLM(tiny_bert, window=48)
    docs, logs = [], []
    for words, spans in documents([w for w in tiny_lm.WORDS if w.isalnum()]):
        doc = make_doc(nlp, " ".join(words), pii=spans)
        queries = [Query(doc.text, s.start_char, s.end_char) for s in doc.spans["pii"]]
        logs.append([float(own.sum()) for own in lm.log_probabilities(queries)])
        docs.append(doc)
    low, high = numpy.quantile(logs, [0.3, 0.7])
    for doc, own in zip(docs, logs):
        doc.spans["mask"] = [
            Span(doc, s.start, s.end, QUASI if low < x < high else NO_MASK)
            for s, x in zip(doc.spans["pii"], own)
        ]
    return docs


@pytest.fixture(scope="module")
def trained(gold, tiny_bert, tmp_path_factory):
    reason = "AutoGluon is not installed (the extra `automl`)"
    pytest.importorskip("autogluon.tabular", reason=reason)
    folder = tmp_path_factory.mktemp("automl")
    DocBin(docs=gold).to_disk(folder / "docs.spacy")
    detectors = spacy.blank("en")
    detectors.add_pipe("pii_gazetteer")
    detectors.add_pipe("pii_ner")
    detectors.initialize(lambda: [Example(doc, doc) for doc in gold])
    detectors.to_disk(folder / "detectors")
    overrides = dict.fromkeys(("paths.train", "paths.dev"), str(folder / "docs.spacy"))
    overrides |= {"paths.detectors": str(folder / "detectors")}
    overrides |= {"paths.language_model": tiny_bert, f"{CLASSIFIER}.time_limit": 60}
    overrides[f"{CLASSIFIER}.options.hyperparameters"] = {"GBM": {}, "RF": {}}
    train(CONFIG, folder / "out", overrides=overrides)
    return folder / "out" / "model-best"


def judged(nlp, docs, **settings):
    """Risk and decision of each span of documents, detection left out."""
    rows = ([(s.start, s.end, s.label_) for s in d.spans["pii"]] for d in docs)
    asked = [make_doc(nlp, d.text, pii=spans) for d, spans in zip(docs, rows)]
    with nlp.select_pipes(enable=["risk_scorer"]):
        groups = [doc.spans["mask"] for doc in nlp.pipe(asked, **settings)]
    rows = (row for group in groups for row in zip(group.attrs["risk"], group))
    return [(risk, span.label_) for risk, span in rows]


@pytest.fixture(scope="module")
def expected(trained, gold):
    return judged(spacy.load(trained), gold)


def test_learns_what_neither_a_constant_nor_a_line_can(expected, gold, tiny_bert):
    masks = [doc.spans["mask"] for doc in gold]
    answers = numpy.array([s.label_ != NO_MASK for spans in masks for s in spans])
    right = numpy.mean([label != NO_MASK for _, label in expected] == answers)
    assert right > 0.85 > max(answers.mean(), 1 - answers.mean())
    spans = [s for doc in gold for s in doc.spans["pii"]]
    queries = [Query(s.doc.text, s.start_char, s.end_char) for s in spans]
    logs = MaskedLM(tiny_bert, window=48).log_probabilities(queries)
    table = to_table(logs, [s.label_ for s in spans])
    line = LogisticClassifier()
    line.fit(table, answers.astype("float64"))
    assert numpy.mean((line.predict(table) >= 0.5) == answers) < right - 0.1


def test_the_same_scores_after_every_round_trip(trained, gold, expected, tmp_path):
    nlp = spacy.load(trained)
    for made in copies(nlp, tmp_path):
        assert judged(made, gold) == expected
    # In processes that fork before it is asked, and after.
    assert judged(nlp, gold, n_process=2, batch_size=8) == expected
    assert judged(nlp, gold) == expected
    assert judged(nlp, gold, n_process=2, batch_size=8) == expected


def test_nothing_is_left_of_its_files(trained, gold, expected, tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    assert judged(spacy.load(trained), gold) == expected
    assert list(tmp_path.iterdir()) == []
    text = "Anna Smith, born on 4 May 1970, wrote to anna@smith.org."
    doc = spacy.load(trained)(text)
    assert any("lm_probabilities" in v for v in doc.spans["mask"].attrs["votes"])


def test_what_is_saved_has_its_needs_and_no_text(trained, tiny_bert, tmp_path, capsys):
    meta = srsly.read_json(trained / "meta.json")
    assert meta["requirements"][0].startswith("spacy-deid[automl,transformers]>=")
    # `spacy train` saved neither the words of the documents nor their folder.
    strings = (trained / "vocab" / "strings.json").read_text("utf8")
    assert "painter" not in strings and "lodged" not in strings
    config = load_config(trained / "config.cfg")
    assert str(trained.parents[1]) not in config.to_str()
    indicator = config["components"]["risk_scorer"]["indicators"]["lm_probabilities"]
    assert indicator["language_model"]["name"] == tiny_bert
    # A copy without the place of the language model would not work.
    with pytest.raises(ValueError, match="--keep language_models"):
        clean(spacy.load(trained))
    out = tmp_path / "assembled"
    assert assemble([str(trained), str(out)]) == 1
    assert "--keep language_models" in capsys.readouterr().err and not out.exists()
    assert assemble([str(trained), str(out), "--keep", "language_models"]) == 0
    assert spacy.load(out).config == spacy.load(trained).config


def rewrite(trained, folder, change):
    """A copy of the pipeline whose AutoGluon files are changed."""
    spacy.load(trained).to_disk(folder)
    path = folder / "risk_scorer" / "indicators" / "lm_probabilities"
    state = srsly.msgpack_loads(path.read_bytes())
    state["classifier"] = change(state["classifier"])
    path.write_bytes(srsly.msgpack_dumps(state))
    return folder


def with_files(data, **files):
    out = io.BytesIO()
    source = zipfile.ZipFile(io.BytesIO(data))
    with zipfile.ZipFile(out, "w") as target:
        for name in source.namelist():
            target.writestr(name, files.get(Path(name).stem, source.read(name)))
    return out.getvalue()


def test_a_damaged_model_is_one_line_when_it_is_loaded(trained, tmp_path):
    for change in (
        lambda data: data[: len(data) // 2],
        lambda data: b"no such thing",
        lambda data: data[:200] + bytes(50) + data[250:],
        lambda data: srsly.msgpack_dumps({"names": []}),
        None,
    ):
        bad = rewrite(trained, tmp_path, change or bytes)
        path = bad / "risk_scorer" / "indicators" / "lm_probabilities"
        if change is None:
            path.write_bytes(path.read_bytes()[:-100])
        with pytest.raises(ValueError, match="lm_probabilities.*damaged") as e:
            spacy.load(bad)
        assert "\n" not in str(e.value)


def test_a_model_of_another_make_is_one_line_when_it_is_used(trained, gold, tmp_path):
    for files, message in (
        ({"learner": b"junk"}, r"made by AutoGluon [\d.]+ on Python 3\.\d+, cannot"),
        ({"metadata": b"{}"}, r"made by an unknown version, cannot be loaded"),
        ({"version": b"0.0.1"}, r"cannot be loaded \(AssertionError\)"),
    ):
        bad = rewrite(trained, tmp_path, lambda data: with_files(data, **files))  # noqa: B023
        message += ".*train the pipeline again"
        with pytest.raises(ValueError, match=message) as e:
            judged(spacy.load(bad), gold[:1])
        assert "\n" not in str(e.value)


def test_without_the_extra_training_stops_before_anything_is_read(monkeypatch):
    monkeypatch.setitem(sys.modules, "autogluon", None)
    monkeypatch.setitem(sys.modules, "autogluon.tabular", None)
    indicator = LMProbabilities(MaskedLM("nowhere"), AutoGluonClassifier())

    def get_views():
        raise AssertionError("documents were read")

    with pytest.raises(ImportError, match=r"spacy-deid\[automl\]") as e:
        indicator.initialize(get_views)
    assert "\n" not in str(e.value)
    table = Table(("a",), numpy.zeros((2, 1)), ["LOC"] * 2)
    with pytest.raises(ImportError, match=r"spacy-deid\[automl\]"):
        AutoGluonClassifier().fit(table, numpy.arange(2.0))


def test_loaded_without_the_extra_it_says_what_it_lacks(trained, gold, monkeypatch):
    monkeypatch.setitem(sys.modules, "autogluon", None)
    monkeypatch.setitem(sys.modules, "autogluon.tabular", None)
    nlp = spacy.load(trained)
    with pytest.raises(ImportError, match=r"spacy-deid\[automl\]"):
        judged(nlp, gold[:1])


def test_models_wait_for_no_other_core_unless_told_to():
    pytest.importorskip("autogluon.tabular", reason="the extra `automl` is missing")
    numbers = numpy.arange(80.0).reshape(40, 2)
    table = Table(("a", "b"), numbers, ["LOC"] * 40)
    classifier = AutoGluonClassifier(options={"hyperparameters": {"GBM": {}}})
    classifier.fit(table, (numbers[:, 0] > 40).astype(float))
    with zipfile.ZipFile(io.BytesIO(classifier.to_bytes())) as archive:
        model = archive.read("models/LightGBM/model.pkl")
    assert b"num_threads: 1]" in model
