import re
import signal
import socket
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import spacy_deid.service
from spacy_deid.tables import deidentify

httpx = pytest.importorskip("httpx")
pytest.importorskip("uvicorn")
pytest.importorskip("fastapi")
pytest.importorskip("prometheus_client")

KEY, TOKEN = "k3" * 20, "a token for these tests"
TEXT = "Robert Murray of Leeds met Ann Lee in London. MURRAY left Leeds."
STRATEGY = ("--strategy", "full_entity")


class Server:
    def __init__(self, process):
        self.process = process
        self.lines = []
        self.url = re.search(r"http://[\d.]+:\d+", self._read("Serving "))[0]
        self.port = int(self.url.rpartition(":")[2])
        self.client = self.connect()
        threading.Thread(target=self._read, daemon=True).start()

    def connect(self):
        headers = {"Authorization": f"Bearer {TOKEN}"}
        return httpx.Client(base_url=self.url, headers=headers, timeout=30)

    def _read(self, until="never"):
        for raw in self.process.stderr:
            self.lines.append(raw.decode())
            if self.lines[-1].startswith(until):
                break
        return self.lines[-1]

    def post(self, path, client=None, **body):
        answer = (client or self.client).post(path, json=body)
        assert answer.status_code == 200, answer.text
        return answer.json()["documents"]

    def send(self, raw):
        """What comes back for bytes that may be no request."""
        with socket.create_connection(("127.0.0.1", self.port)) as sock:
            sock.sendall(raw.encode())
            return sock.recv(1000)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("serve")


@pytest.fixture(scope="module")
def server(shell, folder, model):
    env = {"SPACY_DEID_KEY": KEY, "SPACY_DEID_TOKEN": TOKEN}
    options = ["--vault", folder / "v.vault", "--model", model, "--workers", 2]
    process = shell("serve", "--port", 0, *options, *STRATEGY, env=env)
    try:
        yield Server(process)
    finally:
        process.kill()
        process.wait()


def test_the_text_is_that_of_files_and_tables(
    server, deid, folder, write_jsonl, read_jsonl, model, monkeypatch
):
    monkeypatch.setenv("SPACY_DEID_KEY", KEY)
    records = [{"doc_id": "a", "text": TEXT, "topic": "visit to Leeds", "n": 3}]
    records.append({"doc_id": 7, "text": ""})
    source = write_jsonl(folder / "in.jsonl", records)
    out, back = folder / "out.jsonl", folder / "back.jsonl"
    deid("run", source, out, *STRATEGY)
    said = server.post("/deidentify", documents=records)
    assert said == read_jsonl(out)
    settings = {"model": str(model), "strategy": STRATEGY[1], "key": KEY}
    assert said[0]["text"] == deidentify(TEXT, **settings).data
    # The command restores what the service has kept.
    masked = write_jsonl(folder / "masked.jsonl", said)
    deid("restore", masked, back, "--vault", folder / "v.vault")
    assert read_jsonl(back) == records
    assert [d["record"] for d in server.post("/restore", documents=said)] == records


def test_many_clients_each_get_their_own(server):
    def ask(i):
        rows = [{"doc_id": j, "text": f"No. {i} {j}: Ann Lee left."} for j in range(3)]
        with server.connect() as client:
            return server.post("/deidentify", client, documents=rows)

    with ThreadPoolExecutor(32) as pool:
        for i, found in enumerate(pool.map(ask, range(32))):
            assert [doc["doc_id"] for doc in found] == [0, 1, 2]
            for j, new in enumerate(doc["text"] for doc in found):
                assert new.startswith(f"No. {i} {j}: ") and "Ann" not in new


def test_it_takes_no_more_than_it_should(server):
    assert b" 413 " in server.send(
        f"POST /analyze HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer {TOKEN}\r\n"
        "Content-Length: 100000000000\r\n\r\n"
    )
    assert httpx.get(f"{server.url}/metrics").status_code == 401
    health = httpx.get(f"{server.url}/health").json()
    assert health["ready"] and health["workers_ready"] == 2
    assert b"<h1>" in httpx.get(f"{server.url}/docs").content


def test_nothing_of_a_document_is_shown(server):
    canary = "Zanzibarova"
    server.client.post("/deidentify", content=f'{{"text": "{canary}')
    server.client.get(f"/{canary}?{canary}")
    server.post("/deidentify", documents=[{"doc_id": canary, "text": 3}])
    said = server.client.get("/metrics").text
    assert canary.encode() not in server.send(f"{canary}\r\n\r\n")
    for text in (said, "".join(server.lines)):
        for secret in (canary, "Murray", "Leeds", KEY, TOKEN):
            assert secret not in text
    assert any("POST /deidentify 200" in line for line in server.lines)


def test_it_finishes_what_is_under_way(server):
    """The last test of this server."""
    documents = [{"text": f"{TEXT} {i}"} for i in range(200)]

    def ask():
        with server.connect() as client:
            return server.post("/deidentify", client, documents=documents)

    def waiting():
        return "waiting_documents 0.0" not in server.client.get("/metrics").text

    with ThreadPoolExecutor(1) as pool:
        asked = pool.submit(ask)
        while not waiting() and not asked.done():
            time.sleep(0.001)
        server.client.close()
        server.process.send_signal(signal.SIGTERM)
        assert len(asked.result()) == len(documents)
    assert server.process.wait(20) == 0 and server.process.stdout.read() == b""
    for _ in range(200):
        if server.lines[-1] == "Stopped.\n":
            break
        time.sleep(0.01)
    assert server.lines[-1] == "Stopped.\n"
    with pytest.raises(httpx.ConnectError):
        httpx.get(f"{server.url}/health")


def test_a_port_that_is_taken_and_an_extra_that_is_missing(refused, monkeypatch):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        refused(f"--port {port}: Address already in use", "serve", "--port", port)
    for name in [n for n in sys.modules if n.startswith("spacy_deid.service.app")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "fastapi", None)
    monkeypatch.delattr(spacy_deid.service, "app", raising=False)
    refused("pip install 'spacy-deid[serve]'", "serve")


def test_the_image_starts_what_there_is(tmp_path):
    """The entry point reads secrets from files, and the command takes its options."""
    folder = Path(__file__).parents[2] / "docker"
    if not folder.exists():
        pytest.skip("the image does not travel with the installed package")
    text = (folder / "Dockerfile").read_text("utf8")
    assert "USER deid" in text and "HEALTHCHECK" in text and ".[serve]" in text
    key, fake = tmp_path / "key", tmp_path / "python"
    key.write_text(f"{KEY}\n")
    fake.write_text('#!/bin/sh\necho "$SPACY_DEID_KEY" "$@"\n')
    fake.chmod(0o755)
    command = ["sh", folder / "entrypoint.sh", "--workers", "2"]
    env = {"PATH": f"{tmp_path}:/usr/bin:/bin", "SPACY_DEID_KEY_FILE": str(key)}
    order = "-m spacy deid serve --host 0.0.0.0 --port 8000 --workers 2"
    assert subprocess.check_output(command, env=env, text=True) == f"{KEY} {order}\n"
