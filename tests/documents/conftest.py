"""Documents as LibreOffice has made them of `rich.fodt`, in which `Canary` marks what
must not come out and the names of the test pipeline stand everywhere else."""

import re
from pathlib import Path
from zlib import crc32

import pytest

from spacy_deid.documents.formats import read_document
from spacy_deid.documents.pieces import Tools, join, share_out

HERE = Path(__file__).parent
NAMES = "Robert Murray|Ann Lee|Leeds|28045/02|12345678"


def text_of(kind, data, **settings):
    return join(read_document(kind, data, **settings).pieces).text


def written(kind, data, pattern=NAMES, mark="[X]", **settings):
    """A document in which a pattern is replaced: the text it had, and the new file."""
    document = read_document(kind, data, **settings)
    joined = join(document.pieces)
    found = [*re.finditer(pattern, joined.text)]
    edits = [(*m.span(), mark) for m in found]
    tools = Tools([(m[0], "PERSON") for m in found], lambda i: f"id{crc32(i.encode())}")
    edits = share_out(document.pieces, joined.starts, edits)
    return joined.text, document.write(edits, tools)


@pytest.fixture(scope="session")
def write():
    return written


@pytest.fixture(scope="session")
def text():
    return text_of


@pytest.fixture(scope="session")
def rich():
    return {path.suffix[1:]: path.read_bytes() for path in HERE.glob("rich.*")}
