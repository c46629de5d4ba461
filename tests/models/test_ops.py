"""Memory that was freed goes back to the system."""

import subprocess
import sys

import pytest

from spacy_deid.models import ops

# Arrays of sizes that the allocator keeps; every hundredth stays, as in training.
HOLES = """
from pathlib import Path
import numpy
from spacy_deid.models.ops import release_memory

def resident():
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * 4096 / 2**20

before = resident()
arrays = [numpy.ones(12_000) for _ in range(3000)]
kept = arrays[::100]
del arrays
held = resident() - before
release_memory()
print(held, resident() - before)
"""


@pytest.mark.skipif(ops._malloc_trim() is None, reason="the C library is not glibc")
def test_freed_memory_goes_back_to_the_system():
    done = subprocess.run(
        [sys.executable, "-c", HOLES], capture_output=True, text=True, check=True
    )
    held, after = map(float, done.stdout.split())
    assert held > 150
    assert after < held / 4


def test_without_glibc_nothing_happens(monkeypatch):
    monkeypatch.setattr(ops, "_malloc_trim", lambda: None)
    assert ops.release_memory() is None
