import functools

import pytest
import spacy

from spacy_deid.corpora.readers import make_gold_docs
from spacy_deid.corpora.report import OUTCOMES, Report
from spacy_deid.label_schemes import make_label_scheme


@pytest.fixture(scope="session")
def nlp():
    """One for all of the tests: none of them adds a component."""
    return spacy.blank("en")


@pytest.fixture(scope="session")
def read(nlp):
    """Docs of a corpus, and the report of it: each annotation has one outcome."""

    def read(reader, path, scheme, **options):
        report = Report()
        documents = reader(path, report, **options)
        docs = list(make_gold_docs(nlp, documents, make_label_scheme(scheme), report))
        counts = report.counts
        assert counts["spans"] == sum(counts[kind] for kind in OUTCOMES)
        return docs, report

    return read


@pytest.fixture(scope="session")
def run(command):
    """Runs `spacy deid convert ... --overwrite`, and checks how it ends."""
    return functools.partial(command, "deid", "convert", "--overwrite")


@pytest.fixture
def found():
    def found(doc):
        group = doc.spans["pii"]
        return [(s.text, label) for s, label in zip(group, group.attrs["native"])]

    return found
