import json
import signal

import pytest
import spacy

from spacy_deid.cli.gazetteer_sparql import USER_AGENT_ENV
from spacy_deid.gazetteers.wikidata.sparql_client import SparqlClient

from ..gazetteers.sparql_server import Fault, SparqlServer, quads
from ..gazetteers.world import World

AGENT = "Tests/1.0 (tests@example.org)"
IDS = "P106,P39,P140,P166,P1449"


@pytest.fixture(scope="module")
def world():
    return World(150)


@pytest.fixture
def server(world):
    with SparqlServer(quads(world)) as server:
        yield server


@pytest.fixture
def sparql(deid, server, tmp_path, monkeypatch):
    monkeypatch.delenv(USER_AGENT_ENV, raising=False)
    monkeypatch.chdir(tmp_path)

    def run(output="terms.jsonl", *args, agent=AGENT, properties=IDS, code=0):
        args = [output, "--endpoint", server.url, "--delay", "0", *args]
        args += ["--properties", properties]
        args += ["--user-agent", agent] if agent else []
        return deid("gazetteer", "sparql", *args, code=code)

    return run


def test_terms_manifest_and_options(world, sparql, tmp_path, read_jsonl):
    result = sparql("terms.jsonl", "--languages", "de,ru")
    assert not result.stdout
    rows = read_jsonl(tmp_path / "terms.jsonl")
    people = world.counts("P106")
    found = {(r["term"], r["id"], r["count"], r["lang"]) for r in rows}
    assert ("Ärztin", "Q39631", people["Q39631"], "de") in found
    assert ("политик", "Q82955", people["Q82955"], "ru") in found
    assert ("Deutscher", "Q183", world.counts("P27")["Q183"], "de") in found
    assert not {"Kicker", "Politika", "writer"} & {r["term"] for r in rows}
    manifest = json.loads((tmp_path / "terms.manifest.json").read_text("utf8"))
    assert manifest["source"] == "sparql" and manifest["terms"] == len(rows)
    assert sorted(manifest["properties"]) == sorted(IDS.split(","))
    assert f"{len(rows):,} terms" in result.stderr
    assert "terms.manifest.json" in result.stderr

    def rows_of(*options, **settings):
        sparql("t.jsonl", "--no-countries", *options, **settings)
        return read_jsonl(tmp_path / "t.jsonl")

    rows = rows_of("--exclude", "P140,P166", "--no-aliases", "--min-count", "20")
    assert {r["property"] for r in rows} <= {"P106", "P39", "P1449"}
    assert rows and all(r["count"] >= 20 for r in rows)
    terms = {r["term"] for r in rows}
    assert "writer" in terms and "author" not in terms
    nlp = spacy.blank("en")
    nlp.add_pipe("entity_ruler").add_patterns([{"label": "ORG", "pattern": "POTUS"}])
    nlp.to_disk(tmp_path / "finder")
    options = (), ("--drop-names", tmp_path / "finder")
    found, left = ({r["term"] for r in rows_of(*more)} for more in options)
    assert found - left == {"POTUS"}
    mine = tmp_path / "mine.tsv"
    mine.write_text("pid\tlabel\ttype\nP140\treligion\tMISC\n", encoding="utf8")
    rows = rows_of(properties=mine)
    assert rows and {(r["property"], r["label"]) for r in rows} == {("P140", "MISC")}


def test_who_asks(server, sparql, monkeypatch):
    said = sparql(agent=None, code=1).stderr
    assert not server.requests
    assert all(told in said for told in ("--user-agent", USER_AGENT_ENV, "e-mail"))
    monkeypatch.setenv(USER_AGENT_ENV, "Lab/2 (https://example.org)")
    sparql(agent=None)
    assert server.requests[0][1]["User-Agent"].startswith("Lab/2 (https://")
    assert "no address" in sparql("b.jsonl", agent="Lab/2").stderr


def test_a_failed_run_leaves_nothing_and_goes_on(server, sparql, tmp_path):
    server.script = lambda n, query: Fault(503, body=b"") if n >= 4 else None
    result = sparql("t.jsonl", "--max-tries", "1", code=1)
    last = result.stderr.strip().splitlines()[-1]
    assert last.startswith("Error: ") and server.url in last and "HTTP 503" in last
    assert "same command" in last
    assert [p.name for p in tmp_path.iterdir()] == ["t.cache"]
    done = server.queries[:4]
    server.forget()
    sparql("t.jsonl")
    assert server.requests and not set(done) & set(server.queries)
    server.forget()
    before = (tmp_path / "t.jsonl").read_bytes()
    sparql("u.jsonl", "--cache", "t.cache")
    assert not server.requests and (tmp_path / "u.jsonl").read_bytes() == before


def test_interrupted(stopped, server, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    code, said = stopped(
        *("gazetteer", "sparql", "t.jsonl", "--endpoint", server.url, "--delay", 0),
        *("--user-agent", AGENT, "--properties", IDS),
        **{"how": signal.SIGINT, "after": 3, "at": (SparqlClient, "ask")},
    )
    assert code == 130 and said.endswith("Interrupted; run the same command to go on\n")
    assert [p.name for p in tmp_path.iterdir()] == ["t.cache"]
    assert len(list((tmp_path / "t.cache").iterdir())) == 3
