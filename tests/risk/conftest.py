import pytest

from .search_server import SearchServer


@pytest.fixture
def make_server():
    """Makes search engines on loopback, closed after the test."""
    servers = []

    def make(*args, **kwargs):
        servers.append(SearchServer(*args, **kwargs))
        return servers[-1]

    yield make
    for server in servers:
        server.close()
