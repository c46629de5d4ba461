import pytest
import spacy
import typer
from typer.testing import CliRunner

from spacy_deid.cli.convert import convert_cli
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
def run():
    """Runs `spacy deid convert ... --overwrite`, and checks how it ends."""
    app = typer.Typer()
    app.command()(convert_cli)

    def run(*args, code=0):
        args = [*(str(a) for a in args), "--overwrite"]
        result = CliRunner().invoke(app, args)
        assert result.exit_code == code, result.output
        return result

    return run


@pytest.fixture
def found():
    def found(doc):
        group = doc.spans["pii"]
        return [(s.text, label) for s, label in zip(group, group.attrs["native"])]

    return found
