import importlib.util
from pathlib import Path

import pytest


def _load(name="search_server"):
    path = Path(__file__).parent / f"{name}.py"
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def make_server():
    """Makes search engines on loopback, closed after the test."""
    servers = []

    def make(*args, **kwargs):
        servers.append(_load().SearchServer(*args, **kwargs))
        return servers[-1]

    yield make
    for server in servers:
        server.close()


@pytest.fixture(scope="session")
def tiny_lm():
    """Makes tiny random masked language models."""
    pytest.importorskip("torch", reason="language models need torch")
    pytest.importorskip("transformers", reason="language models need transformers")
    return _load("tiny_lm")


@pytest.fixture(scope="session")
def tiny_bert(tiny_lm, tmp_path_factory):
    """Folder of a tiny masked language model."""
    return tiny_lm.save_bert(tmp_path_factory.mktemp("tiny_bert"))
