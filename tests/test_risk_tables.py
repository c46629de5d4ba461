"""The tables on risk indicators: votes, combinations and scores by hand, and a whole
run on a few sentences."""

import json
import sqlite3
from pathlib import Path

import numpy
import pytest
import spacy
import srsly
from thinc.api import Config

from spacy_deid.corpora.convert import blank_pipeline
from spacy_deid.evaluation.privacy import GoldDocument, Mention
from spacy_deid.models.masked_lm import Query
from spacy_deid.registries import registry
from spacy_deid.risk.base import Vote

ROOT = Path(__file__).parents[1]
PATH = ROOT / "benchmarks" / "risk_tables.py"


@pytest.fixture(scope="module")
def tables(load_benchmark):
    return load_benchmark("risk_tables")


NAMES = ("Quentin", "Rosalind", "Barnaby", "Philippa")
TOWNS = ("Skegness", "Grimsby", "Ludlow", "Whitby")


def make_record(i, split):
    name, town = NAMES[i % 4], TOWNS[i % 4]
    text = f"{name} of {town} saw Rome. {name} paid 40 pounds."
    found = []
    for words, kind, decision, entity in (
        (name, "PERSON", "DIRECT", "p"),
        (town, "LOC", "QUASI", "t"),
        ("Rome", "LOC", "NO_MASK", "r"),
        ("40 pounds", "QUANTITY", "NO_MASK", "q"),
    ):
        start = text.find(words)
        while start >= 0:
            mention = {
                "start_offset": start,
                "end_offset": start + len(words),
                "entity_type": kind,
                "identifier_type": decision,
                "entity_id": entity,
            }
            found.append(mention)
            start = text.find(words, start + 1)
    task = f"Hide the following person: {name}"
    return {
        "doc_id": f"{split}{i}", "text": text, "task": task, "entity_mentions": found,
    }  # fmt: skip


@registry.deid_indicators("test_risk_tables.by_type.v1")
def make_by_type(probability: float = 0.9):
    return ByType(probability)


class ByType:
    """Asks for a mask of persons, and of nothing else; is silent on quantities."""

    def __init__(self, probability):
        self.probability = probability

    def __call__(self, context):
        return [
            None
            if c.label == "QUANTITY"
            else Vote("DIRECT", self.probability, "a person")
            if c.label == "PERSON"
            else Vote("NO_MASK", 0.2, "no person")
            for c in context.spans
        ]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Documents, background documents, and a pipeline that finds names and Rome."""
    path = tmp_path_factory.mktemp("risk_tables")
    srsly.write_jsonl(path / "train.jsonl", [make_record(i, "train") for i in range(6)])
    srsly.write_jsonl(path / "dev.jsonl", [make_record(i, "dev") for i in range(2)])
    words = "far and wide over hill and dale for many a long and weary year of rain"
    background = [
        {"url": "https://example.org/a", "text": "Quentin lives in Skegness."},
        {"url": "https://example.org/b", "text": f"Rome {words}."},
        # One of the documents themselves.
        {"doc_id": "dev0", "text": "Quentin of Skegness saw Rome and more."},
    ]
    srsly.write_jsonl(path / "background.jsonl", background)
    nlp = spacy.blank("en")
    ruler = nlp.add_pipe("span_ruler", config={"spans_key": "pii"})
    ruler.add_patterns([{"label": "PERSON", "pattern": name} for name in NAMES])
    ruler.add_patterns([{"label": "LOC", "pattern": "Rome"}])
    nlp.add_pipe("pseudonymizer")
    nlp.to_disk(path / "detectors")
    return path


@pytest.fixture
def config(folder, tmp_path):
    text = f"""
    [settings]
    lang = "en"
    detectors = "{folder}/detectors"
    work = "{tmp_path}/work"
    seed = 0
    bootstrap = 20
    at_least = [1,2,3]
    plots = ".svg"

    [corpora]

    [corpora.notes]
    title = "Notes"
    train = "{folder}/train.jsonl"
    dev = "{folder}/dev.jsonl"
    background = "{folder}/background.jsonl"
    target = "person: (.+)"

    [training]
    seed = 0
    steps = 3
    batch = 4
    dropout = 0.0

    [training.optimizer]
    @optimizers = "Adam.v1"
    learn_rate = 0.01

    [paper]

    [paper.majority]

    [paper.majority.given]
    notes = [0.11,0.12,0.13,0.14,0.15,0.16,0.17]

    [paper.combinations]

    [paper.combinations.notes]
    1 = [0.21,0.22,0.23,0.24,0.25,0.26,0.27]

    [indicators]

    [indicators.classifier]
    title = "A classifier"
    sweep = true
    sizes = [3]

    [indicators.classifier.scorer]
    threshold = 0.5

    [indicators.classifier.scorer.model]
    @architectures = "spacy_deid.SpanRisk.v1"
    width = 2
    rows = 20
    hidden = 4

    [indicators.persons]
    title = "Persons"

    [indicators.persons.scorer]

    [indicators.persons.scorer.indicators]

    [indicators.persons.scorer.indicators.by_type]
    @deid_indicators = "test_risk_tables.by_type.v1"

    [indicators.persons.variants]

    [indicators.persons.variants.sure]
    title = "Persons, for sure"
    combine = true
    probability = 1.0

    [indicators.persons.variants.doubtful]
    probability = 0.6

    [indicators.persons.paper]

    [indicators.persons.paper.sure]

    [indicators.persons.paper.sure.given]
    notes = [0.31,0.32,0.33,0.34,0.35,0.36,0.37]

    [indicators.search]
    title = "Search"
    combine = false

    [indicators.search.scorer]

    [indicators.search.scorer.indicators]

    [indicators.search.scorer.indicators.web_search]
    @deid_indicators = "spacy_deid.web_search.v1"
    index_path = "{tmp_path}/work/{{corpus}}.sqlite"

    [indicators.absent]
    title = "Something else"
    needs = "{tmp_path}/not_there"

    [indicators.absent.scorer]

    [indicators.absent_package]
    title = "No such thing"
    package = "not_a_package_of_anybody"

    [indicators.absent_package.scorer]
    """
    path = tmp_path / "tables.cfg"
    path.write_text("\n".join(line.strip() for line in text.splitlines()))
    return path


def test_a_whole_run(tables, config, tmp_path, monkeypatch, capsys):
    pytest.importorskip("matplotlib")
    page = tmp_path / "page.md"
    page.write_text(
        f"# Mine\n\nBefore.\n{tables.START}\nformer tables\n{tables.END}\nAfter.\n"
    )
    metrics = tmp_path / "m" / "figures.json"
    args = [str(config), "--output", str(page), "--metrics", str(metrics)]
    tables.main(args)
    text = page.read_text()
    assert text.startswith("# Mine\n\nBefore.") and text.endswith("After.\n")
    assert "former tables" not in text
    lines = text.splitlines()
    sure = [line for line in lines if line.startswith("| Persons, for sure |")]
    # Given spans: the name twice in each of two documents, nothing else; 4 of 6 words.
    assert sure[0].startswith(
        "| Persons, for sure | 1.00 | – | .67 | .80 | .50 | 1.00 | .00 |"
    )
    assert sure[0].endswith("| .31 | .33 | .34 | .36 | .37 |")
    every = [line for line in lines if line.startswith("| All spans masked |")]
    # Four words right, two names and a town; Rome, 40 and pounds are wrong.
    assert every[0].startswith("| All spans masked | .50 | – | 1.00 | .67 | 1.00 |")
    # The detectors find the names and Rome: 2 of 3 words right, 2 of 3 found.
    assert every[1].startswith("| All spans masked | .67 | – | .67 | .67 | .50 | 1.00")
    assert ".11 | .13 | .14 | .16 | .17" in every[0] and ".11" not in every[1]
    assert f"Something else: needs {tmp_path}/not_there, which is not there" in text
    assert "No such thing: needs the package not_a_package_of_anybody" in text
    assert "Of 3 indicators: A classifier, Persons, for sure, Persons." in text
    # At least one of them, at least two: the two variants agree.
    assert "| annotated | 1 |" in text and "| annotated | 3 |" in text
    results = json.loads(metrics.read_text())["notes"]
    assert set(results["tables"]["given"]) == {
        "majority", "classifier", "persons.sure", "persons.doubtful", "search",
    }  # fmt: skip
    two = results["combinations"]["given"]["2"]
    assert two["recall"] >= results["tables"]["given"]["persons.sure"]["recall"]
    assert set(results["sizes"]["classifier"]) == {"3", "6"}
    # The town shares a page with the person of the first document; Rome is elsewhere.
    search = results["tables"]["given"]["search"]["counts"]
    assert search["quasi_masked"] == 1 and search["predicted_tokens_right"] == 3
    for name in ("precision_recall", "thresholds", "training_size"):
        assert (tmp_path / f"risk_{name}.svg").stat().st_size > 1000
    # What is kept holds no text.
    kept = list((tmp_path / "work").glob("*.npz"))
    assert kept
    for file in kept:
        data = file.read_bytes()
        assert not any(w.encode() in data for w in (*NAMES, *TOWNS, "Rome"))

    # Once more: nothing is trained, and the page is the same.
    def refuse(*args):
        raise AssertionError("trained again")

    monkeypatch.setattr(tables, "train_scorer", refuse)
    tables.main(args)
    assert page.read_text() == text
    with pytest.raises(AssertionError, match="trained again"):
        tables.main([*args, "--fresh"])
    with pytest.raises(AssertionError, match="trained again"):
        tables.main([*args, "--set", "training.steps=4"])
    with pytest.raises(ValueError, match="no indicator nobody"):
        tables.main([*args, "--only", "nobody"])


def test_index_leaves_the_documents_out(tables, folder, tmp_path):
    block = {part: folder / f"{part}.jsonl" for part in ("train", "dev", "background")}
    tables.build_index(block, "notes", tmp_path / "i.sqlite")
    with sqlite3.connect(tmp_path / "i.sqlite") as db:
        urls = {url for (url,) in db.execute("SELECT url FROM documents")}
    assert urls == {"https://example.org/a", "https://example.org/b"}


def test_targets_and_detected_spans(tables, folder):
    nlp = blank_pipeline("en")
    block = {
        "train": folder / "train.jsonl", "dev": folder / "dev.jsonl",
        "target": "person: (.+)",
    }  # fmt: skip
    detectors = tables.load_detectors(folder / "detectors")
    assert detectors.pipe_names == ["span_ruler"]
    corpus = tables.read_corpus("notes", block, nlp, detectors, 0)
    given = corpus.views["given"]
    assert [doc._.deid_target for doc in given.docs] == ["Quentin", "Rosalind"]
    # Both mentions of the name are one entity.
    assert given.entities[0] == [
        [(0, 7), (30, 37)],
        [(11, 19)],
        [(24, 28)],
        [(43, 52)],
    ]
    found = corpus.views["detected"].entities[0]
    assert found == [[(0, 7)], [(24, 28)], [(30, 37)]]
    # The order of the training documents is that of the seed.
    again = tables.read_corpus("notes", block, nlp, detectors, 0)
    assert [e.text for e in again.train] == [e.text for e in corpus.train]


TEXT = "Ann met Bob in Leeds."
ENTITIES = [[(0, 3)], [(8, 11)], [(15, 20)]]
GOLD = GoldDocument(
    TEXT,
    [[Mention(0, 3, "PERSON", "DIRECT", "a"), Mention(15, 20, "LOC", "QUASI", "l")]],
)


def test_scores_and_combinations_by_hand(tables):
    view = tables.View([None], [GOLD], [ENTITIES])
    a = tables.to_votes([Vote("DIRECT", 0.9, ""), Vote("QUASI", 0.6, ""), None])
    b = tables.to_votes([Vote("QUASI", 0.7, ""), Vote("NO_MASK", 0.1, ""), None])
    c = tables.to_votes([None, Vote("QUASI", 0.5, ""), Vote("QUASI", 0.8, "")])
    votes = {"a": a, "b": b, "c": c}
    assert tables.combined(votes, 1).tolist() == [True, True, True]
    assert tables.combined(votes, 2).tolist() == [True, True, False]
    assert tables.combined(votes, 3).tolist() == [False, False, False]
    scores = tables.score(view, tables.combined(votes, 2))
    assert scores["precision"] == 1 / 2 and scores["recall"] == 1 / 2
    assert scores["entity_recall_direct"] == 1 and scores["entity_recall_quasi"] == 0
    with pytest.raises(ValueError, match="2 decisions for 3 entities"):
        tables.score(view, numpy.ones(2, dtype=bool))
    assert tables.quantiles(c) == [0.0, 0.5, 0.8]
    rows = tables.sweep(view, c, tables.quantiles(c))
    # What an indicator has nothing to say of is masked at no threshold.
    assert [row["recall"] for row in rows] == [1 / 2, 1 / 2, 1 / 2]
    assert [row["precision"] for row in rows] == [1 / 2, 1 / 2, 1]


def test_weights_of_words_are_asked_for_once(tables):
    view = tables.View([None], [GOLD], [ENTITIES])
    asked = []

    def weighting(text, words):
        asked.append(list(words))
        return [float(start) for start, _ in words]

    weights = tables.WordWeights(weighting, [view, view])
    assert asked == [[(0, 3), (8, 11), (15, 20)]]
    scores = tables.score(view, numpy.array([False, True, True]), weights)
    assert scores["weighted_precision"] == 15 / 23
    assert len(asked) == 1
    assert weights(TEXT, [(4, 7)]) == [4.0]


def test_language_model_that_remembers(tables, tmp_path):
    class Model:
        calls = 0
        room = 7

        def log_probabilities(self, queries, shared=False):
            self.calls += len(queries)
            return [numpy.arange(len(q.text), dtype=float) for q in queries]

    parts = [("abc", 0, 1), ("abcde", 0, 1), ("abc", 0, 1), ("", 0, 0)]
    queries = [Query(*part) for part in parts]
    model = Model()
    remembering = tables.RememberingLM(model, tmp_path / "lm.npz")
    first = remembering.log_probabilities(queries)
    assert model.calls == 3 and remembering.room == 7
    remembering.save()
    again = tables.RememberingLM(model, tmp_path / "lm.npz")
    for old, new in zip(first, again.log_probabilities(queries), strict=True):
        assert old.tolist() == new.tolist()
    assert model.calls == 3
    again.log_probabilities(queries, shared=True)
    assert model.calls == 6


def test_page_needs_its_marks(tables, tmp_path):
    page = tmp_path / "page.md"
    tables.write_between_marks(page, "new")
    assert tables.START in page.read_text()
    for text in ("nothing", tables.START, f"{tables.END} {tables.START}"):
        page.write_text(text)
        with pytest.raises(ValueError, match="needs the lines"):
            tables.write_between_marks(page, "new")
        assert page.read_text() == text


def test_the_shipped_config(tables):
    """Every block is one that risk_scorer understands, and the page can be written."""
    path = ROOT / "benchmarks" / "risk_tables.cfg"
    config = tables.read_config(path, ['settings.plots=".png"'])
    assert config["settings"]["plots"] == ".png"
    assert config["settings"]["at_least"] == [1, 2, 3]
    rows = tables.list_rows(config)
    assert len({row.name for row in rows}) == len(rows)
    for row in rows:
        assert isinstance(row.block.get("needs", ""), str)
        for corpus in config["corpora"]:
            for figures in row.block.get("paper", {}).get("given", {}).values():
                assert len(figures) == len(tables.COLUMNS)
            for key in names_of(tables.fill(row.block["scorer"], corpus)):
                assert registry.has(*key), key
    with pytest.raises(ValueError, match="section.key"):
        tables.read_config(path, ["nothing"])


def names_of(value):
    """Registries and names of the functions in a block."""
    for key, item in value.items() if isinstance(value, dict) else ():
        if key.startswith("@"):
            yield key[1:], item
        yield from names_of(item)


def test_rows_are_of_known_voters(tables):
    config = Config(
        {
            "indicators": {
                "a": {"scorer": {"model": None, "indicators": {"x": {}, "y": None}}},
                "b": {"scorer": {}},
                "c": {"scorer": {}, "enabled": False},
            }
        }
    )
    rows = tables.list_rows(config)
    assert [(row.name, row.voter) for row in rows] == [("a", "x"), ("b", "classifier")]
