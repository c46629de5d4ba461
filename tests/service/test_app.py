"""The routes: the same text as everywhere, limits, and no text where none belongs."""

import asyncio
import json
import logging
import re
from pathlib import Path

import pytest
import spacy

import spacy_deid
from spacy_deid.processes import WorkerDied
from spacy_deid.service.crew import Busy
from spacy_deid.service.desk import Desk
from spacy_deid.service.limits import Limits
from spacy_deid.tables import deidentify
from spacy_deid.vault import Vault
from spacy_deid.vault import store as store_module

from ..cases import cases

pytest.importorskip("prometheus_client")
app = pytest.importorskip("spacy_deid.service.app")
KEY, TOKEN = "k3" * 20, "a token for this test"
CANARY = "Zanzibarova"
NOTE = "Mr Baker, born on 6 May 1961, met Ann in Leeds."
NOTES = {"doc_id": "Baker-1", "note": NOTE, "name": "John Baker", "n": 1961}
NOTES["memo"] = "he is John Baker of Leeds"
COLUMNS = {"note": None, "name": "PERSON"}
BAD_BODIES = [*cases(__file__, "bodies"), "[" * 100_000, "", CANARY.encode("utf-16")]


@spacy.Language.component("service_test_bomb")
def bomb(doc):
    if "BOMB" in doc.text:
        raise RuntimeError(f"cannot work on {doc.text}")
    return doc


@pytest.fixture(scope="module")
def nlp():
    """The embedded pipeline, which fails where a text says so."""
    nlp = spacy_deid.load()
    nlp.add_pipe("service_test_bomb", first=True)
    nlp.get_pipe("pseudonymizer").set_key(KEY)
    return nlp


@pytest.fixture(scope="module")
def client(nlp, serve_here):
    with serve_here(Desk(nlp, b"salt")) as client:
        yield client


@pytest.fixture
def vault(tmp_path, monkeypatch):
    # The cost of guessing a key is not what is tested here.
    monkeypatch.setitem(store_module.KDF, "n", 2**4)
    vault = Vault(tmp_path / "v.vault", KEY)
    vault.open_or_make()
    return vault


def ask(client, path, **body):
    return client.post(path, json=body)


def told(client, path, **body):
    """The answer, of each document if there are several."""
    said = ask(client, path, **body).json()
    return said["documents"] if "documents" in body else said


def send(client, path, content, kind="application/json"):
    """A body as it is, which may be no JSON."""
    return client.post(path, content=content, headers={"content-type": kind})


def test_the_text_is_that_of_everywhere(client):
    said = told(client, "/deidentify", text=NOTE)
    assert said["text"] == deidentify(NOTE, key=KEY).data
    assert [*said][:4] == ["doc_id", "text", "spans", "epsilon"]
    several = {**COLUMNS, "memo": None}
    one, other = told(client, "/deidentify", documents=[NOTES] * 2, columns=several)
    assert one == other and not re.search("Baker|Leeds|1961", json.dumps(one))
    assert one["name"].split()[-1] in one["note"] and one["name"] in one["memo"]
    assert {s["field"] for s in one["spans"]} == {"note", "name", "memo"}
    said = told(client, "/deidentify", text=NOTE, original_offsets=False)
    assert not any("start" in span for span in said["spans"])


def test_masks_and_subjects(client):
    rows = [{"text": "Mr Murray was seen on 6 May 1961.", "who": "p"}] * 2
    one, other = told(client, "/deidentify", documents=rows, subject_field="who")
    assert one["text"] == other["text"] != rows[0]["text"]
    rows = [{"text": "a"}, {"text": "b", "who": ""}]
    said = told(client, "/deidentify", documents=rows, subject_field="who")
    assert [d["error"] for d in said] == ["ValueError"] * 2
    text = "The court in Strasbourg paid EUR 3,150 to a nurse."
    said = (told(client, "/deidentify", text=text, mask=x) for x in (None, "all", None))
    first, everything, again = said
    assert first == again
    assert "NO_MASK" not in {s["decision"] for s in everything["spans"]}


def test_analyze(client):
    said = told(client, "/analyze", text=NOTE, doc_id=7)
    found = {NOTE[s["start"] : s["end"]]: s for s in said["spans"]}
    assert said["doc_id"] == 7 and "text" not in said
    span = found["Leeds"]
    assert span["label"] == "LOC" and span["identifier_type"] in ("QUASI", "NO_MASK")
    assert 0 < span["score"] <= 1 and 0 < span["risk"] <= 1 and span["reasons"]
    assert {*found["Baker"]} >= {"subtype", "decision", "found", "sources", "votes"}
    decided, other = (
        {(s["start"], s["end"]): s["decision"] for s in spans}
        for spans in (said["spans"], told(client, "/deidentify", text=NOTE)["spans"])
    )
    assert decided == other
    (found,) = told(client, "/analyze", documents=[NOTES], columns=COLUMNS)
    places = [(s["field"], s["start"], s["end"]) for s in found["spans"]]
    assert ("name", 0, 10) in places and ("note", 3, 8) in places
    said = told(client, "/analyze", text="The court paid a nurse in May.", mask="all")
    assert all(s["decision"] != "NO_MASK" for s in said["spans"])


def test_a_failing_document_is_an_id_and_a_class(client):
    texts = ["Ann Lee left.", f"BOMB {CANARY}", f"{CANARY} \ud800", None]
    documents = [{"doc_id": i, "text": text} for i, text in enumerate(texts)]
    sent = json.dumps({"documents": [*documents, {"doc_id": 4}]})
    for path in ("/deidentify", "/analyze"):
        good, *bad = send(client, path, sent).json()["documents"]
        assert "spans" in good
        for i, error in ((1, "RuntimeError"), (2, "ValueError"), (4, "ValueError")):
            assert bad[i - 1] == {"doc_id": i, "error": error}
        alone = (texts[1], 500, "RuntimeError"), (texts[2], 422, "ValueError")
        for text, status, error in alone:
            said = send(client, path, json.dumps({"text": text}))
            assert (said.status_code, said.json()["error"]) == (status, error)
    # Values that are no JSON are none.
    sent = '{"documents": [{"text": "Ann", "x": [NaN, 1.5], "y": {"z": -Infinity}}]}'
    said = send(client, "/deidentify", sent)
    (one,) = json.loads(said.content, parse_constant=pytest.fail)["documents"]
    assert one["x"] == [None, 1.5] and one["y"] == {"z": None}


def test_restore(nlp, serve_here, vault):
    with serve_here(Desk(nlp, b"", vault)) as client:

        def mask(**body):
            return told(client, "/deidentify", columns=COLUMNS, **body)

        def restore(text, **body):
            said = told(client, "/restore", text=text, **body)
            return said["status"], said["record"]

        other = {"text": "Ann Lee left.", "note": "Ann Lee left.", "name": None}
        masked = mask(documents=[NOTES, other])
        assert masked[1]["doc_id"]
        said = told(client, "/restore", documents=masked)
        assert [d["status"] for d in said] == ["exact"] * 2
        assert said[0]["record"] == NOTES
        # Edited, its id kept; quoted, the id unknown; and of nobody.
        text = masked[0]["text"]
        status, record = restore(text.replace("met", "saw"), doc_id=masked[0]["doc_id"])
        assert (status, record["note"]) == ("searched", NOTE.replace("met", "saw"))
        status, record = restore(f"> {text}\n\nYes.")
        assert status == "searched" and "Mr Baker" in record["text"]
        status, record = restore("Nothing.")
        assert (status, record["text"]) == ("unknown", "Nothing.")
        # What comes in later is known, too.
        new = told(client, "/deidentify", text="Bo Diaz left Turin.", doc_id="z")
        assert restore(f"{new['text']} So.")[1]["text"] == "Bo Diaz left Turin. So."
        # Fields that were left out come back, too.
        masked = mask(documents=[NOTES], strict_fields=True)
        assert {*masked[0]} >= {"doc_id", "text", "name"}
        assert not {"memo", "n"} & {*masked[0]}
        (said,) = told(client, "/restore", documents=masked)
        assert said["record"] == NOTES
        said = ask(client, "/deidentify", text="x", columns=["text", "b"])
        assert said.status_code == 422 and "one text" in said.json()["detail"]
        # Nothing goes out that could not be restored.
        vault.path.unlink()
        said = ask(client, "/deidentify", text="Ann Lee left.")
        assert (said.status_code, said.json()["error"]) == (500, "VaultError")
        assert told(client, "/restore", text="Ann")["error"] == "VaultError"


def test_no_key(serve_here):
    with serve_here(Desk(spacy_deid.load(), b"salt")) as client:
        rows = [{"text": "a", "who": 1}]
        for path, body, status, detail in (
            ("/restore", {"text": "Ann Lee left."}, 403, "--vault"),
            ("/deidentify", {"documents": rows, "subject_field": "who"}, 422, "key"),
        ):
            said = ask(client, path, **body)
            assert said.status_code == status and detail in said.json()["detail"]
        texts = [{"text": "Ann Lee left.", "doc_id": "Ann Lee"}] * 2
        one, other = told(client, "/deidentify", documents=texts)
        assert one["text"] != other["text"] and one["doc_id"] == other["doc_id"]


class Late:
    """A crew that is never done."""

    waiting, restarts, ready, is_full = 0, 0, (), False

    def open(self):
        pass

    async def stop(self):
        pass

    async def do(self, jobs, sizes):
        raise self.error


def test_limits(nlp, serve_here):
    limits = Limits(max_chars=40, max_documents=3, max_bytes=1000)
    with serve_here(Desk(nlp, b""), limits) as client:
        long = {"doc_id": 1, "text": "x" * 41}
        documents = [long, {"doc_id": 2, "text": "Ann Lee left."}]
        bad, good = told(client, "/deidentify", documents=documents)
        assert bad == {"doc_id": 1, "error": "TooLong"} and "text" in good
        assert ask(client, "/analyze", text=long["text"]).status_code == 413
        assert told(client, "/analyze", documents=[]) == []
        pieces = (piece for piece in (b'{"text": "', *[b"x" * 100] * 20))
        for said, detail in (
            (ask(client, "/analyze", documents=[{"text": ""}] * 4), "3 documents"),
            (send(client, "/deidentify", pieces), "1000 bytes"),
        ):
            assert said.status_code == 413
            assert said.json()["detail"] == f"more than {detail}"
        headers = {"content-type": "application/json", "content-length": "1001"}
        assert client.post("/restore", content=b"", headers=headers).status_code == 413


def test_time_queue_and_errors_of_our_own(serve_here, caplog):
    crew = Late()
    with serve_here(None, crew=crew) as client:
        for error, status in ((asyncio.TimeoutError(), 504), (Busy(), 503)):
            crew.error = error
            said = ask(client, "/deidentify", text=CANARY)
            assert said.status_code == status and CANARY not in said.text
        assert said.headers["retry-after"] == "1"
        crew.is_full = True
        said = client.post("/analyze", content=b"{")
        assert said.status_code == 503 and said.headers["retry-after"] == "1"
        assert client.get("/health").status_code == 503
        assert client.get("/health/live").json() == {"live": True}
        crew.is_full = False

        async def do(jobs, sizes):
            return [WorkerDied(CANARY), TimeoutError(CANARY)][: len(jobs)]

        crew.do = do
        said = ask(client, "/deidentify", documents=[{"text": ""}, {"text": ""}])
        errors = [d["error"] for d in said.json()["documents"]]
        assert errors == ["WorkerDied", "TimeoutError"] and CANARY not in said.text
    crew = Late()
    crew.error = KeyError(CANARY)
    with serve_here(None, crew=crew) as client:
        said = ask(client, "/analyze", text=CANARY)
    assert (said.status_code, said.json()) == (500, {"detail": "unexpected error"})
    assert "unexpected KeyError" in caplog.text and CANARY not in caplog.text


def test_a_slow_body_is_given_up():
    """By the application alone: no client of a test waits in the midst of a body."""
    guard = app.make_app(app.Service(Late(), Limits(timeout=0.05), {}))
    sent = []

    async def main():
        async def receive():
            await asyncio.Event().wait()

        async def send(message):
            sent.append(message)

        scope = {"type": "http", "method": "POST", "path": "/analyze", "root_path": ""}
        headers = [(b"content-type", b"application/json")]
        await guard({**scope, "query_string": b"", "headers": headers}, receive, send)

    asyncio.run(main())
    assert sent[0]["status"] == 408


def test_tokens_and_names(nlp, serve_here):
    with serve_here(Desk(nlp, b""), token=TOKEN) as client:
        for given in ({}, *("Bearer no", f"Basic {TOKEN}", "Bearer")):
            headers = {"authorization": given} if given else {}
            said = client.post("/analyze", json={"text": ""}, headers=headers)
            assert said.status_code == 401
            assert said.headers["www-authenticate"] == "Bearer"
        paths = ("/health", "/health/live", "/docs", "/openapi.json")
        for path in (*paths, "/metrics", "/nothing"):
            assert client.get(path).status_code == (200 if path in paths else 401)
        headers = {"authorization": f"bearer {TOKEN}"}
        said = client.post("/analyze", json={"text": "Ann."}, headers=headers)
        assert said.status_code == 200 and said.headers["cache-control"] == "no-store"
    with serve_here(Desk(nlp, b""), hosts=("localhost", "[::1]")) as client:
        for host in "localhost:8000|localhost|[::1]:80|evil.example:8000|".split("|"):
            said = client.get("/health", headers={"host": host})
            known = host.startswith(("localhost", "[::1]"))
            assert said.status_code == (200 if known else 421), host


def test_no_text_where_none_belongs(client, caplog, capfd):
    """Whatever is wrong: neither in errors nor in logs, metrics or descriptions."""
    caplog.set_level(logging.DEBUG)
    said = []
    for body in BAD_BODIES:
        for path in ("/deidentify", "/analyze", "/restore"):
            said.append(send(client, path, body))
            assert said[-1].status_code in (400, 403, 422), (path, body)
    said.append(send(client, "/analyze", CANARY, f"text/{CANARY}"))
    said.append(ask(client, "/deidentify", text=f"BOMB {CANARY}"))
    for method, path in (
        ("GET", f"/{CANARY}"),
        ("GET", f"/health?{CANARY}={CANARY}"),
        ("PUT", "/deidentify"),
        (CANARY, f"/docs/{CANARY}"),
        *(("GET", path) for path in ("/metrics", "/openapi.json", "/docs")),
    ):
        said.append(client.request(method, path))
    assert ask(client, "/analyze", text=f"Ann {CANARY}.").status_code == 200
    ours = [r for r in caplog.records if not r.name.startswith(("httpx", "asyncio"))]
    shown = [r.getMessage() + str(r.exc_info or "") for r in ours]
    for text in (*(s.text for s in said), *shown, *capfd.readouterr()):
        assert CANARY.lower() not in text.lower()
    assert any(s.startswith("a document failed: RuntimeError") for s in shown)
    assert "POST /analyze 200" in " ".join(shown)


def test_metrics_and_descriptions(client):
    from prometheus_client.parser import text_string_to_metric_families as read

    def values():
        families = read(client.get("/metrics").text)
        rows = (sample for family in families for sample in family.samples)
        return {(s.name, *sorted(s.labels.items())): s.value for s in rows}

    before = values()
    ask(client, "/deidentify", documents=[{"text": "Ann."}, {"text": "BOMB"}])
    after = values()
    for name, labels, more in cases(__file__, "metrics"):
        labels = sorted({"path": "/deidentify", **labels}.items())
        key = (f"spacy_deid_{name}", *labels)
        assert after[key] == before.get(key, 0) + more
    assert after[("spacy_deid_workers_ready",)] == 1
    api = client.get("/openapi.json").json()
    assert {*api["paths"]} >= {"/deidentify", "/analyze", "/restore", "/health"}
    page = client.get("/docs")
    assert "default-src 'none'" in page.headers["content-security-policy"]
    assert not re.search(r"https?:|//\w", page.text.replace("// Text", ""))
    assert client.get("/health").json()["model"] == "en_test"


def test_the_guide_is_right(client):
    """Bodies of the guide's requests are taken."""
    text = (Path(__file__).parents[2] / "docs" / "service.md").read_text("utf8")
    bodies = re.findall(r"(/deidentify|/analyze|/restore) .*-d '(.*?)'", text)
    assert len(bodies) >= 3
    for path, body in bodies:
        said = send(client, path, body)
        assert said.status_code == (403 if path == "/restore" else 200), body
