import json
import os
import subprocess
import sys

import pytest
import spacy


def build_pipeline(mask=True):
    nlp = spacy.blank("en")
    kinds = {
        "PERSON": ["Robert Murray", "Ann Lee"],
        "LOC": ["Leeds", "London"],
        "CODE": ["28045/02", "12345678"],
    }
    pii = nlp.add_pipe("span_ruler", name="find", config={"spans_key": "pii"})
    pii.add_patterns(
        [{"label": k, "pattern": p} for k, texts in kinds.items() for p in texts]
    )
    if mask:
        decide = nlp.add_pipe("span_ruler", name="decide", config={"spans_key": "mask"})
        decisions = {"Robert Murray": "DIRECT", "London": "NO_MASK"}
        decide.add_patterns(
            [
                {"label": decisions.get(p, "QUASI"), "pattern": p}
                for texts in kinds.values()
                for p in texts
            ]
        )
    strategy = {"@deid_strategies": "spacy_deid.typed_placeholder.v1"}
    nlp.add_pipe("pseudonymizer", config={"strategy": strategy})
    return nlp


def write_lines(path, records):
    path.write_text("".join(json.dumps(r) + "\n" for r in records), encoding="utf-8")
    return path


def read_lines(path):
    return [json.loads(line) for line in path.read_bytes().splitlines()]


@pytest.fixture(scope="session")
def make_pipeline():
    return build_pipeline


@pytest.fixture(scope="session")
def write_jsonl():
    return write_lines


@pytest.fixture(scope="session")
def read_jsonl():
    return read_lines


@pytest.fixture(scope="session")
def model(tmp_path_factory):
    """A saved pipeline that knows a few names."""
    path = tmp_path_factory.mktemp("model") / "tiny"
    build_pipeline().to_disk(path)
    return path


@pytest.fixture
def deid(model):
    """Runs `spacy deid ...` in this process, over outputs that are there."""
    from spacy.cli._util import app
    from typer.testing import CliRunner

    import spacy_deid.cli  # noqa: F401

    def run(*args, stdin=None, with_model=True, overwrite=True):
        args = [str(a) for a in args]
        plain = ("models", "key", "package", "serve", "--version")
        inner = args[0] == "gazetteer" and args[1] != "compile"
        if overwrite and not inner and args[0] not in plain and "--help" not in args:
            args.append("--overwrite")
        if args[0] == "run" and with_model and "--model" not in args:
            args += ["--model", str(model)]
        return CliRunner().invoke(app, ["deid", *args], input=stdin)

    return run


@pytest.fixture(scope="session")
def shell(model):
    """Runs `python -m spacy deid ...`, or a script in its place, in a process of its
    own."""

    def start(*args, script=None, **kwargs):
        command = [sys.executable, *(("-c", script) if script else ("-m", "spacy"))]
        command += ["deid", *(str(a) for a in args)]
        if args[0] == "run" and "--model" not in args:
            command += ["--model", str(model)]
        env = {**os.environ, **kwargs.pop("env", {})}
        return subprocess.Popen(
            command,
            stdin=kwargs.pop("stdin", subprocess.DEVNULL),
            stdout=kwargs.pop("stdout", subprocess.PIPE),
            stderr=subprocess.PIPE,
            env=env,
            **kwargs,
        )

    return start
