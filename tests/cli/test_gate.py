import json
import random
import re
import shutil
from functools import cache

import pytest
import spacy

from spacy_deid.evaluation.gate.known_keys import published_keys

from ..annotated import record
from ..models.learning import PEOPLE, TOWNS, add_ruler

FRESH_KEY = "a-fresh-key-of-nobody-else-00417"
README_KEY = "one-key-of-thirty-two-characters-a"
KEYS = (README_KEY, "changemechangeme")
N = 40


@pytest.fixture(scope="module")
def pipeline(tmp_path_factory):
    nlp = spacy.blank("en")
    nlp.tokenizer.rules = {}
    add_ruler(nlp, "pii", {"PERSON": PEOPLE, "LOC": TOWNS})
    add_ruler(nlp, "mask", {"DIRECT": PEOPLE, "QUASI": TOWNS})
    nlp.add_pipe("pseudonymizer")
    path = tmp_path_factory.mktemp("gate") / "pipeline"
    nlp.to_disk(path)
    return path


def letter(i):
    one, other, town = i % 5, (i + 2) % 5, i % 4
    name = f"[{PEOPLE[one]}](PERSON DIRECT p{one})"
    return record(
        f"{name} of [{TOWNS[town]}](LOC QUASI t{town}) begged "
        f"[{PEOPLE[other]}](PERSON DIRECT p{other}) for the {i} papers. {name} has not "
        "been seen since.",
        f"n{i}",
    )


GOLDS = [letter(i) for i in range(N)]
ROWS = [{"doc_id": row["doc_id"], "text": row["text"]} for row in GOLDS]
random.Random(3).shuffle(GOLDS)


@pytest.fixture(scope="module")
def released(deid, pipeline, tmp_path_factory, write_jsonl):
    @cache
    def make(key):
        folder = tmp_path_factory.mktemp("released")
        inputs = write_jsonl(folder / "in.jsonl", ROWS)
        options = ("--audit", folder / "audit.jsonl", "--model", pipeline)
        deid("run", inputs, folder / "out.jsonl", *options, env={"SPACY_DEID_KEY": key})
        return folder

    return make


class Report(dict):
    def row(self, measure):
        return next(r for r in self["conditions"] if r["measure"] == measure)

    @property
    def failed(self):
        return {r["measure"] for r in self["conditions"] if r["holds"] is False}


@pytest.fixture
def gate(deid, pipeline, released, tmp_path, write_jsonl, read_jsonl, monkeypatch):
    """Takes a corpus, changes it, and runs the gate on it: result and report."""
    keys = [key for key in published_keys() if key.key in KEYS]
    monkeypatch.setattr("spacy_deid.cli.gate.published_keys", lambda: list(keys))
    shutil.copytree(released(FRESH_KEY), tmp_path, dirs_exist_ok=True)
    inputs, corpus = tmp_path / "in.jsonl", tmp_path / "out.jsonl"

    def run(*args, read=N, change=None, originals=True, code=0):
        if change is not None:
            write_jsonl(corpus, map(change, read_jsonl(corpus)))
        given = ["--originals", inputs] if originals else []
        if read:
            given += ["--gold", write_jsonl(tmp_path / "gold.jsonl", GOLDS[:read])]
        result = deid("gate", corpus, *given, "--model", pipeline, *args, code=code)
        found = tmp_path / "out.gate.json"
        report = Report(json.loads(found.read_text("utf8"))) if found.exists() else None
        return result.output, report

    return run


def test_a_well_masked_corpus_passes(gate, tmp_path):
    shown, found = gate()
    assert found["passes"] and not found.failed
    assert "out.jsonl may be released under release.ini" in shown
    assert found.row("direct identifiers missed")["value"] == 0
    assert found["documents"] == found["annotated"] == N
    assert found["detection"]["entity_recall_direct"]["value"] == 1
    page = (tmp_path / "out.gate.html").read_text("utf8")
    assert "May be released" in page and "script-src 'none'" in page
    assert not re.search(r"https?://|<script|\bsrc=|\bhref=", page)
    # No word of the documents.
    told = re.sub(r"<style>.*?</style>", "", page, flags=re.S) + json.dumps(found)
    for word in ("Murray", "Vasseur", "Norwich", "papers", "begged"):
        assert word not in told + shown


@pytest.mark.parametrize("read,spans", [(0, True), (15, False), (N, True)])
def test_one_document_left_unmasked_fails(gate, read, spans):
    def change(line):
        if line["doc_id"] == "n7":
            line["text"] = letter(7)["text"]
            line["spans"] = line["spans"] if spans else []
        return line

    _, found = gate(read=read, change=change, code=1)
    row = found.row("documents left unmasked")
    assert row["holds"] is False and row["value"] == 1 and row["documents"] == ["n7"]
    assert ("documents that do not fit their records" in found.failed) == spans


@pytest.mark.parametrize("key", KEYS)
def test_a_published_key_fails(gate, released, tmp_path, key):
    shutil.copytree(released(key), tmp_path, dirs_exist_ok=True)
    shown, found = gate(code=1)
    assert found.failed == {"published keys that give the same surrogates"}
    # The one that was published; where it is to be read is told, not what it is.
    assert key not in shown + json.dumps(found)
    assert ("README.md" in shown) == (key == README_KEY)


def test_keys_and_policies_of_ones_own_and_an_earlier_release(gate, released, tmp_path):
    path = tmp_path / "keys.txt"
    path.write_text(f"some other key\n{FRESH_KEY}\n")
    shown, found = gate("--published-keys", path, code=1)
    assert found.failed == {"published keys that give the same surrogates"}
    assert "keys.txt, line 2" in shown
    _, found = gate("--earlier", released(FRESH_KEY) / "out.jsonl", code=1)
    assert found.failed == {"surrogates shared with an earlier release"}
    policy = tmp_path / "ours.ini"
    policy.write_text("documents left unmasked = none\n")
    _, found = gate("--policy", policy, read=0)
    assert found["policy"] == "ours.ini"
    policy.write_text("largest epsilon of a token = at most 10\n")
    shown, found = gate("--policy", policy, code=1)
    assert "not bounded in 40 of 40" in shown
    # Nobody asked for the keys, which take a while.
    assert all("published" not in row["measure"] for row in found["conditions"])


def test_small_samples_or_none_do_not_pass_by_luck(gate, tmp_path):
    shown, found = gate(read=5, code=1)
    row = found.row("direct identifiers missed")
    assert row["value"] == 0 and row["judged_by"] > 0.05 and row["holds"] is False
    more = found["more_annotated_documents"]
    assert 5 < more < N - 5 and f"annotate about {more} more documents" in shown
    # As many more are enough.
    gate(read=5 + more)
    gate(read=5 + more - 1, code=1)
    # Nor does anything without gold or originals.
    _, found = gate(read=0, code=1)
    row = found.row("direct identifiers missed")
    assert row["holds"] is False and row["measured"] is False
    assert found["more_annotated_documents"] > 0
    compared = "documents that could not be compared"
    _, found = gate(read=10, originals=False, code=1)
    assert found.row(compared)["value"] == N - 10
    # The audit stands for the originals.
    _, found = gate("--audit", tmp_path / "audit.jsonl", originals=False)
    assert found.row(compared)["value"] == 0


def test_documents_of_a_review_stand_for_others(gate, tmp_path, write_jsonl):
    draw = {"stratum": "", "population": N, "probability": 0.5, "done": True}
    reviewed = [{**row, "review": draw} for row in GOLDS[:20]]
    reviewed[3] |= {"entity_mentions": [], "review": {**draw, "done": False}}
    path = write_jsonl(tmp_path / "reviewed.jsonl", reviewed)
    _, found = gate("--gold", path, read=0, code=1)
    assert found["annotated"] == 19
    assert 0 < found.row("direct identifiers missed")["interval"][1] < 0.2
