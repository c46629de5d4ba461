from contextlib import ExitStack

import pytest

from .search_server import SearchServer


@pytest.fixture
def make_server():
    """Makes search engines on loopback, closed after the test."""
    with ExitStack() as stack:
        yield lambda *args: stack.enter_context(SearchServer(*args))
