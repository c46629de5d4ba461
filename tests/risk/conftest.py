import importlib.util
from pathlib import Path

import pytest


def _load():
    path = Path(__file__).with_name("search_server.py")
    spec = importlib.util.spec_from_file_location(path.stem, path)
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
