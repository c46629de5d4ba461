"""The routes: the same text as everywhere, limits, and no text where none belongs."""

import json
import logging
import re
from pathlib import Path

import pytest
import spacy

from spacy_deid.service.desk import Desk
from spacy_deid.service.limits import Limits
from spacy_deid.tables import deidentify
from spacy_deid.vault import Vault
from spacy_deid.vault import store as store_module

pytest.importorskip("prometheus_client")
KEY, TOKEN = "k3" * 20, "a token for this test"
CANARY = "Zanzibarova"
NOTES = {
    "doc_id": "Baker-1",
    "note": "Mr Baker, born on 6 May 1961, met Ann in Leeds.",
    "name": "John Baker",
    "memo": "he is John Baker of Leeds",
    "n": 1961,
}
COLUMNS = {"note": None, "name": "PERSON"}


@spacy.Language.component("service_test_bomb")
def bomb(doc):
    if "BOMB" in doc.text:
        raise RuntimeError(f"cannot work on {doc.text}")
    return doc


@pytest.fixture(scope="module")
def nlp():
    """The embedded pipeline, which fails where a text says so."""
    import spacy_deid

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


def post(client, path, **body):
    return client.post(path, json=body)


def send(client, path, content, kind="application/json"):
    """A body as it is, which may be no JSON."""
    return client.post(path, content=content, headers={"content-type": kind})


def test_the_text_is_that_of_everywhere(client):
    text = NOTES["note"]
    said = post(client, "/deidentify", text=text).json()
    assert said["text"] == deidentify(text, key=KEY).data
    assert [*said][:4] == ["doc_id", "text", "spans", "epsilon"]
    several = {**COLUMNS, "memo": None}
    said = post(client, "/deidentify", documents=[NOTES, NOTES], columns=several)
    one, other = said.json()["documents"]
    assert one == other and not re.search("Baker|Leeds|1961", json.dumps(one))
    assert one["name"].split()[-1] in one["note"] and one["name"] in one["memo"]
    assert {s["field"] for s in one["spans"]} == {"note", "name", "memo"}
    said = post(client, "/deidentify", text=text, original_offsets=False).json()
    assert not any("start" in span for span in said["spans"])


def test_masks_and_subjects(client):
    texts = [{"text": "Mr Murray was seen on 6 May 1961.", "who": "p"}] * 2
    body = {"documents": texts, "subject_field": "who"}
    one, other = post(client, "/deidentify", **body).json()["documents"]
    assert one["text"] == other["text"] != texts[0]["text"]
    bad = {
        "documents": [{"text": "a"}, {"text": "b", "who": ""}],
        "subject_field": "who",
    }
    said = post(client, "/deidentify", **bad).json()["documents"]
    assert [d["error"] for d in said] == ["ValueError"] * 2
    text = "The court in Strasbourg paid EUR 3,150 to a nurse."
    told = {}
    for mask in (None, "all", None):
        body = post(client, "/deidentify", text=text, mask=mask).json()
        kept = sum(span["decision"] == "NO_MASK" for span in body["spans"])
        told.setdefault(mask, set()).add((body["text"], kept))
    assert [len(v) for v in told.values()] == [1, 1]
    ((_, kept),) = told["all"]
    assert kept == 0


def test_analyze(client):
    text = NOTES["note"]
    said = post(client, "/analyze", text=text, doc_id=7).json()
    found = {text[s["start"] : s["end"]]: s for s in said["spans"]}
    assert said["doc_id"] == 7 and "text" not in said
    span = found["Leeds"]
    assert span["label"] == "LOC" and span["identifier_type"] in ("QUASI", "NO_MASK")
    assert 0 < span["score"] <= 1 and 0 < span["risk"] <= 1 and span["reasons"]
    assert {*found["Baker"]} >= {"subtype", "decision", "found", "sources", "votes"}
    same = post(client, "/deidentify", text=text).json()["spans"]
    decided = {(s["start"], s["end"]): s["decision"] for s in said["spans"]}
    assert decided == {(s["start"], s["end"]): s["decision"] for s in same}
    said = post(client, "/analyze", documents=[NOTES], columns=COLUMNS).json()
    (found,) = said["documents"]
    places = [(s["field"], s["start"], s["end"]) for s in found["spans"]]
    assert ("name", 0, 10) in places and ("note", 3, 8) in places
    said = post(client, "/analyze", text="The court paid a nurse in May.", mask="all")
    assert all(s["decision"] != "NO_MASK" for s in said.json()["spans"])


def test_a_failing_document_is_an_id_and_a_class(client):
    texts = ["Ann Lee left.", f"BOMB {CANARY}", f"{CANARY} \ud800", None]
    documents = [{"doc_id": i, "text": text} for i, text in enumerate(texts)]
    for path in ("/deidentify", "/analyze"):
        sent = json.dumps({"documents": [*documents, {"doc_id": 4}]})
        good, *bad = send(client, path, sent).json()["documents"]
        assert "spans" in good
        errors = ["RuntimeError", "ValueError", None, "ValueError"]
        for i, (document, error) in enumerate(zip(bad, errors), 1):
            if error:
                assert document == {"doc_id": i, "error": error}
        said = post(client, path, text=texts[1])
        assert (said.status_code, said.json()["error"]) == (500, "RuntimeError")
        sent = json.dumps({"text": texts[2]})
        said = send(client, path, sent)
        assert (said.status_code, said.json()["error"]) == (422, "ValueError")


def test_values_that_are_no_json_are_none(client):
    sent = '{"documents": [{"text": "Ann Lee left.", "x": [NaN, Infinity, 1.5], "y": {"z": -Infinity}}]}'
    said = send(client, "/deidentify", sent)
    (one,) = json.loads(said.content, parse_constant=pytest.fail)["documents"]
    assert one["x"] == [None, None, 1.5] and one["y"] == {"z": None}


def test_restore(nlp, serve_here, vault):
    with serve_here(Desk(nlp, b"", vault)) as client:
        body = {"documents": [NOTES, {"text": "Ann Lee left."}], "columns": COLUMNS}
        body["documents"][1] |= {"note": "Ann Lee left.", "name": None}
        masked = post(client, "/deidentify", **body).json()["documents"]
        assert masked[1]["doc_id"]
        said = post(client, "/restore", documents=masked).json()["documents"]
        assert [d["status"] for d in said] == ["exact"] * 2
        assert said[0]["record"] == NOTES
        # Edited, its id kept; quoted, the id unknown; and of nobody.
        text = masked[0]["text"]
        edited = {"doc_id": masked[0]["doc_id"], "text": text.replace("met", "saw")}
        said = post(client, "/restore", **edited).json()
        assert said["status"] == "searched"
        assert said["record"]["note"] == NOTES["note"].replace("met", "saw")
        said = post(client, "/restore", text=f"> {text}\n\nYes.").json()
        assert said["status"] == "searched" and "Mr Baker" in said["record"]["text"]
        said = post(client, "/restore", text="Nothing.").json()
        assert said["status"] == "unknown" and said["record"]["text"] == "Nothing."
        # What comes in later is known, too.
        new = post(client, "/deidentify", text="Bo Diaz left Turin.", doc_id="z").json()
        said = post(client, "/restore", text=f"{new['text']} So.").json()
        assert said["record"]["text"] == "Bo Diaz left Turin. So."
        # Fields that were left out come back, too.
        body = {"documents": [NOTES], "columns": COLUMNS, "strict_fields": True}
        masked = post(client, "/deidentify", **body).json()["documents"]
        assert {*masked[0]} >= {"doc_id", "text", "name"}
        assert not {"memo", "n"} & {*masked[0]}
        (said,) = post(client, "/restore", documents=masked).json()["documents"]
        assert said["record"] == NOTES
        said = post(client, "/deidentify", text="x", columns=["text", "b"])
        assert said.status_code == 422 and "one text" in said.json()["detail"]
        # Nothing goes out that could not be restored.
        vault.path.unlink()
        said = post(client, "/deidentify", text="Ann Lee left.")
        assert (said.status_code, said.json()["error"]) == (500, "VaultError")
        assert post(client, "/restore", text="Ann").json()["error"] == "VaultError"


def test_no_key(serve_here):
    import spacy_deid

    with serve_here(Desk(spacy_deid.load(), b"salt")) as client:
        said = post(client, "/restore", text="Ann Lee left.")
        assert said.status_code == 403 and "--vault" in said.json()["detail"]
        body = {"documents": [{"text": "a", "who": 1}], "subject_field": "who"}
        said = post(client, "/deidentify", **body)
        assert said.status_code == 422 and "key" in said.json()["detail"]
        texts = [{"text": "Ann Lee left.", "doc_id": "Ann Lee"}] * 2
        one, other = post(client, "/deidentify", documents=texts).json()["documents"]
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
        bad, good = post(client, "/deidentify", documents=documents).json()["documents"]
        assert bad == {"doc_id": 1, "error": "TooLong"} and "text" in good
        assert post(client, "/analyze", text=long["text"]).status_code == 413
        said = post(client, "/analyze", documents=[{"text": ""}] * 4)
        assert (
            said.status_code == 413 and said.json()["detail"] == "more than 3 documents"
        )
        assert post(client, "/analyze", documents=[]).json() == {"documents": []}
        pieces = (b'{"text": "', *[b"x" * 100] * 20)
        read = []
        body = (read.append(piece) or piece for piece in pieces)
        said = send(client, "/deidentify", body)
        assert said.status_code == 413
        assert said.json()["detail"] == "more than 1000 bytes"
        headers = {"content-type": "application/json", "content-length": "1001"}
        assert client.post("/restore", content=b"", headers=headers).status_code == 413


def test_time_and_queue(serve_here):
    import asyncio

    from spacy_deid.processes import WorkerDied
    from spacy_deid.service.crew import Busy

    crew = Late()
    with serve_here(None, crew=crew) as client:
        for error, status in ((asyncio.TimeoutError(), 504), (Busy(), 503)):
            crew.error = error
            said = post(client, "/deidentify", text=CANARY)
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
        said = post(client, "/deidentify", documents=[{"text": ""}, {"text": ""}])
        errors = [d["error"] for d in said.json()["documents"]]
        assert errors == ["WorkerDied", "TimeoutError"] and CANARY not in said.text


def test_a_slow_body_is_given_up(nlp):
    """By the application alone: no client of a test waits in the midst of a body."""
    import asyncio

    from spacy_deid.service import app

    crew = Late()
    service = app.Service(crew, Limits(timeout=0.05), {})
    guard = app.make_app(service)
    sent = []

    async def main():
        async def receive():
            await asyncio.Event().wait()

        async def send(message):
            sent.append(message)

        scope = {
            "type": "http", "method": "POST", "path": "/analyze", "query_string": b"",
            "headers": [(b"content-type", b"application/json")], "root_path": "",
        }  # fmt: skip
        await guard(scope, receive, send)

    asyncio.run(main())
    assert sent[0]["status"] == 408


def test_tokens_and_names(nlp, serve_here):
    with serve_here(Desk(nlp, b""), token=TOKEN) as client:
        for given in (None, "Bearer no", f"Basic {TOKEN}", "Bearer"):
            headers = {} if given is None else {"authorization": given}
            said = client.post("/analyze", json={"text": ""}, headers=headers)
            assert said.status_code == 401
            assert said.headers["www-authenticate"] == "Bearer"
        assert client.get("/metrics").status_code == 401
        assert client.get("/nothing").status_code == 401
        for path in ("/health", "/health/live", "/docs", "/openapi.json"):
            assert client.get(path).status_code == 200
        headers = {"authorization": f"bearer {TOKEN}"}
        said = client.post("/analyze", json={"text": "Ann."}, headers=headers)
        assert said.status_code == 200 and said.headers["cache-control"] == "no-store"
    with serve_here(Desk(nlp, b""), hosts=("localhost", "[::1]")) as client:
        for host, status in (
            ("localhost:8000", 200), ("localhost", 200), ("[::1]:80", 200),
            ("evil.example:8000", 421), ("", 421),
        ):  # fmt: skip
            said = client.get("/health", headers={"host": host})
            assert said.status_code == status, host


BAD_BODIES = [
    f'{{"text": "{CANARY}', f'"{CANARY}"', f"[{CANARY}]", json.dumps({CANARY: 1}),
    json.dumps({"text": [CANARY]}), json.dumps({"text": "a", "mask": CANARY}),
    json.dumps({"text": "a", "columns": {CANARY: CANARY}}),
    json.dumps({"text": "a", "columns": {CANARY: [1]}}),
    json.dumps({"text": "a", "columns": ["epsilon", CANARY]}),
    json.dumps({"text": "a", "columns": ["text", "text"]}),
    json.dumps({"text": "a", "columns": []}),
    json.dumps({"text": "a", "original_offsets": CANARY}),
    json.dumps({"text": CANARY, "documents": []}),
    json.dumps({"documents": [CANARY]}),
    json.dumps({"documents": {CANARY: CANARY}}),
    json.dumps({"text": "a", "doc_id": {CANARY: CANARY}}),
    json.dumps({}),
    CANARY.encode("utf-16"),
    "[" * 100_000,
    "",
]  # fmt: skip


def test_no_text_where_none_belongs(client, caplog, capfd):
    """Whatever is wrong: neither in errors nor in logs, metrics or descriptions."""
    caplog.set_level(logging.DEBUG)
    said = []
    for body in BAD_BODIES:
        for path in ("/deidentify", "/analyze", "/restore"):
            answer = send(client, path, body)
            assert answer.status_code in (400, 403, 422), (path, body)
            said.append(answer)
    said.append(send(client, "/analyze", CANARY, f"text/{CANARY}"))
    for method, path in (
        ("GET", f"/{CANARY}"),
        ("GET", f"/health?{CANARY}={CANARY}"),
        ("PUT", "/deidentify"),
        (CANARY, f"/docs/{CANARY}"),
    ):
        said.append(client.request(method, path))
    said.append(post(client, "/deidentify", text=f"BOMB {CANARY}"))
    for path in ("/metrics", "/openapi.json", "/docs"):
        said.append(client.get(path))
    assert post(client, "/analyze", text=f"Ann {CANARY}.").status_code == 200
    ours = [r for r in caplog.records if not r.name.startswith(("httpx", "asyncio"))]
    shown = [r.getMessage() + str(r.exc_info or "") for r in ours]
    out = capfd.readouterr()
    for text in (*(s.text for s in said), *shown, out.out, out.err):
        assert CANARY not in text and CANARY.lower() not in text
    assert any(s.startswith("a document failed: RuntimeError") for s in shown)
    assert "POST /analyze 200" in " ".join(shown)


def test_errors_of_our_own_are_classes(serve_here, caplog):
    crew = Late()
    crew.error = KeyError(CANARY)
    with serve_here(None, crew=crew) as client:
        said = post(client, "/analyze", text=CANARY)
    assert (said.status_code, said.json()) == (500, {"detail": "unexpected error"})
    assert "unexpected KeyError" in caplog.text and CANARY not in caplog.text


def test_metrics_and_descriptions(client):
    from prometheus_client.parser import text_string_to_metric_families as read

    text = client.get("/metrics").text
    post(client, "/deidentify", documents=[{"text": "Ann."}, {"text": "BOMB"}])
    after = client.get("/metrics").text

    def value(text, name, **labels):
        rows = (s for family in read(text) for s in family.samples if s.name == name)
        return next((s.value for s in rows if s.labels == labels), 0)

    path = "/deidentify"
    for name, labels, more in (
        ("requests_total", {"path": path, "status": "200"}, 1),
        ("request_seconds_count", {"path": path}, 1),
        ("documents_total", {"path": path, "outcome": "done"}, 1),
        ("documents_total", {"path": path, "outcome": "failed"}, 1),
        ("characters_total", {"path": path}, 8),
    ):
        name = f"spacy_deid_{name}"
        assert value(after, name, **labels) == value(text, name, **labels) + more
    assert value(after, "spacy_deid_workers_ready") == 1
    api = client.get("/openapi.json").json()
    assert {*api["paths"]} >= {"/deidentify", "/analyze", "/restore", "/health"}
    page = client.get("/docs")
    assert "default-src 'none'" in page.headers["content-security-policy"]
    assert not re.search(r"https?:|//\w", page.text.replace("// Text", ""))
    assert client.get("/health").json()["model"] == "en_test"


def test_the_guide_is_right(client):
    """Bodies of the guide's requests are taken."""
    guide = Path(__file__).parents[2] / "docs" / "service.md"
    text = guide.read_text("utf8")
    bodies = re.findall(r"(/deidentify|/analyze|/restore) .*-d '(.*?)'", text)
    assert len(bodies) >= 3
    for path, body in bodies:
        said = send(client, path, body)
        assert said.status_code == (403 if path == "/restore" else 200), body
