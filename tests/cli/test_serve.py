"""`spacy deid serve`: a real server on this machine, and what it refuses to start with."""

import re
import signal
import socket
import subprocess
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from spacy_deid.tables import deidentify

httpx = pytest.importorskip("httpx")
pytest.importorskip("uvicorn")
pytest.importorskip("fastapi")
pytest.importorskip("prometheus_client")

KEY, TOKEN = "k3" * 20, "a token for these tests"
TEXT = "Robert Murray of Leeds met Ann Lee in London. MURRAY left Leeds."


class Server:
    """A service in a process of its own."""

    def __init__(self, process):
        self.process = process
        self.lines = []
        line = self._read("Serving ")
        self.url = re.search(r"http://[\d.]+:\d+", line)[0]
        self.client = httpx.Client(
            base_url=self.url, headers={"Authorization": f"Bearer {TOKEN}"}, timeout=30
        )
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self, until="never"):
        for raw in self.process.stderr:
            self.lines.append(raw.decode())
            if self.lines[-1].startswith(until):
                break
        return self.lines[-1]

    def post(self, path, **body):
        answer = self.client.post(path, json=body)
        assert answer.status_code == 200, answer.text
        return answer.json()


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("serve")


@pytest.fixture(scope="module")
def server(shell, folder, model):
    env = {"SPACY_DEID_KEY": KEY, "SPACY_DEID_TOKEN": TOKEN}
    options = ["--vault", folder / "v.vault", "--model", model, "--workers", 2]
    process = shell(
        "serve", "--port", 0, *options, "--strategy", "full_entity", env=env
    )
    try:
        yield Server(process)
    finally:
        process.kill()
        process.wait()


def test_the_text_is_that_of_files_and_tables(server, deid, folder, write_jsonl, read_jsonl, model, monkeypatch):  # fmt: skip
    monkeypatch.setenv("SPACY_DEID_KEY", KEY)
    records = [
        {"doc_id": "a", "text": TEXT, "topic": "visit to Leeds", "n": 3},
        {"doc_id": 7, "text": ""},
    ]
    source = write_jsonl(folder / "in.jsonl", records)
    options = ["--strategy", "full_entity"]
    deid("run", source, folder / "out.jsonl", *options)
    said = server.post("/deidentify", documents=records)["documents"]
    assert said == read_jsonl(folder / "out.jsonl")
    settings = {"model": str(model), "strategy": "full_entity", "key": KEY}
    assert said[0]["text"] == deidentify(TEXT, **settings).data
    # The command restores what the service has kept.
    monkeypatch.setenv("SPACY_DEID_KEY", KEY)
    masked = write_jsonl(folder / "masked.jsonl", said)
    command = ["restore", masked, folder / "back.jsonl", "--vault", folder / "v.vault"]
    deid(*command)
    assert read_jsonl(folder / "back.jsonl") == records
    again = server.post("/restore", documents=said)["documents"]
    assert [d["record"] for d in again] == records


def test_many_clients_each_get_their_own(server):
    def ask(i):
        with httpx.Client(headers=server.client.headers, timeout=30) as client:
            texts = [f"Document {i} {j}: Ann Lee left." for j in range(3)]
            body = {"documents": [{"doc_id": f"{i}-{j}", "text": t} for j, t in enumerate(texts)]}  # fmt: skip
            out = client.post(f"{server.url}/deidentify", json=body).json()
            return [(d["doc_id"], d["text"]) for d in out["documents"]]

    with ThreadPoolExecutor(32) as pool:
        for i, found in enumerate(pool.map(ask, range(32))):
            assert [doc_id for doc_id, _ in found] == [f"{i}-{j}" for j in range(3)]
            for j, (_, text) in enumerate(found):
                assert text.startswith(f"Document {i} {j}: ") and "Ann" not in text


def test_it_takes_no_more_than_it_should(server):
    port = int(server.url.rpartition(":")[2])
    with socket.create_connection(("127.0.0.1", port)) as sock:
        sock.sendall(
            f"POST /analyze HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer {TOKEN}\r\n"
            "Content-Length: 100000000000\r\n\r\n".encode()
        )
        assert b" 413 " in sock.recv(1000)
    assert httpx.get(f"{server.url}/metrics").status_code == 401
    health = httpx.get(f"{server.url}/health").json()
    assert health["ready"] and health["workers_ready"] == 2
    assert b"<h1>" in httpx.get(f"{server.url}/docs").content


def test_nothing_of_a_document_is_shown(server):
    """What was sent so far, and what is wrong, on stderr, stdout and in metrics."""
    canary = "Zanzibarova"
    client = server.client
    client.post("/deidentify", content=f'{{"text": "{canary}')
    client.get(f"/{canary}?{canary}")
    server.post("/deidentify", documents=[{"doc_id": canary, "text": 3}])
    said = client.get("/metrics").text
    with socket.create_connection(("127.0.0.1", int(server.url.rpartition(":")[2]))) as sock:  # fmt: skip
        sock.sendall(f"{canary}\r\n\r\n".encode())
        assert canary.encode() not in sock.recv(1000)
    for text in (said, "".join(server.lines)):
        for secret in (canary, "Murray", "Leeds", KEY, TOKEN):
            assert secret not in text
    assert any("POST /deidentify 200" in line for line in server.lines)


def test_it_finishes_what_is_under_way(server):
    """The last test of this server."""
    documents = [{"text": f"{TEXT} {i}"} for i in range(200)]
    started = threading.Event()

    def ask():
        with httpx.Client(headers=server.client.headers, timeout=30) as client:
            request = client.build_request("POST", f"{server.url}/deidentify", json={"documents": documents})  # fmt: skip
            answer = client.send(request, stream=True)
            answer.read()
            return answer.json()["documents"]

    def waiting():
        text = server.client.get("/metrics").text
        return "waiting_documents 0.0" not in text

    with ThreadPoolExecutor(1) as pool:
        asked = pool.submit(ask)
        while not waiting() and not asked.done():
            started.wait(0.001)
        server.client.close()
        server.process.send_signal(signal.SIGTERM)
        assert len(asked.result()) == len(documents)
    assert server.process.wait(20) == 0
    assert server.process.stdout.read() == b""
    for _ in range(200):
        if server.lines[-1] == "Stopped.\n":
            break
        time.sleep(0.01)
    assert server.lines[-1] == "Stopped.\n"
    with pytest.raises(httpx.ConnectError):
        httpx.get(f"{server.url}/health")


# --- what it does not start with ---


def test_a_port_that_is_taken(deid, monkeypatch):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        result = deid("serve", "--port", port, code=1)
    (line,) = result.stderr.splitlines()
    assert f"--port {port}: Address already in use" in line


def test_a_model_that_is_not_there(deid):
    """Told by the worker, which loads it."""
    result = deid(
        "serve", "--port", 0, "--workers", 1, "--model", "no_such_model", code=1
    )
    (line,) = result.stderr.splitlines()
    assert "no_such_model: no embedded pipeline" in line


def test_without_the_extra(deid, monkeypatch):
    import sys

    for name in [n for n in sys.modules if n.startswith("spacy_deid.service.app")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "fastapi", None)
    import spacy_deid.service

    monkeypatch.delattr(spacy_deid.service, "app", raising=False)
    result = deid("serve", code=1)
    (line,) = result.stderr.splitlines()
    assert "pip install 'spacy-deid[serve]'" in line


# --- the image ---


def test_the_image_starts_what_there_is(tmp_path):
    """The entry point reads secrets from files, and the command takes its options."""
    folder = Path(__file__).parents[2] / "docker"
    if not folder.exists():
        pytest.skip("the image does not travel with the installed package")
    text = (folder / "Dockerfile").read_text("utf8")
    assert "USER deid" in text and "HEALTHCHECK" in text and ".[serve]" in text
    (tmp_path / "key").write_text(f"{KEY}\n")
    fake = tmp_path / "python"
    fake.write_text('#!/bin/sh\necho "$SPACY_DEID_KEY" "$@"\n')
    fake.chmod(0o755)
    done = subprocess.run(
        ["sh", folder / "entrypoint.sh", "--workers", "2"],
        env={"PATH": f"{tmp_path}:/usr/bin:/bin", "SPACY_DEID_KEY_FILE": str(tmp_path / "key")},
        capture_output=True,
        check=True,
        text=True,
    )  # fmt: skip
    assert done.stdout == (
        f"{KEY} -m spacy deid serve --host 0.0.0.0 --port 8000 --workers 2\n"
    )
