import itertools
import json
import multiprocessing
import os
import signal
import subprocess
import sys

import pytest
import spacy
from spacy.lang.en import English
from spacy.language import Language

from spacy_deid import embedded
from spacy_deid.cli import _output
from spacy_deid.registries import registry
from spacy_deid.vault import store

from ..models.learning import add_ruler

KEY = "k3" * 20


def build_pipeline(mask=True):
    nlp = spacy.blank("en")
    # None of the tokenizer's exceptions, which would be most of what loading it takes.
    nlp.tokenizer.rules = {}
    codes = ["28045/02", "12345678"]
    people, places = ["Robert Murray", "Ann Lee"], ["Leeds", "London"]
    add_ruler(nlp, "pii", {"PERSON": people, "LOC": places, "CODE": codes})
    if mask:
        quasi = ["Ann Lee", "Leeds", *codes]
        terms = {"DIRECT": people[:1], "QUASI": quasi, "NO_MASK": ["London"]}
        add_ruler(nlp, "mask", terms)
    strategy = {"@deid_strategies": "spacy_deid.typed_placeholder.v1"}
    nlp.add_pipe("pseudonymizer", config={"strategy": strategy})
    return nlp


@pytest.fixture(scope="session")
def make_pipeline():
    return build_pipeline


@pytest.fixture(scope="session")
def write_jsonl():
    def write(path, records):
        path.write_text("".join(json.dumps(r) + "\n" for r in records), "utf-8")
        return path

    return write


@pytest.fixture(scope="session")
def read_jsonl():
    return lambda path: [json.loads(line) for line in path.read_bytes().splitlines()]


@pytest.fixture(scope="session")
def model(tmp_path_factory):
    """A saved pipeline that knows a few names."""
    path = tmp_path_factory.mktemp("model") / "tiny"
    build_pipeline().to_disk(path)
    return path


@registry.deid_weightings("test_cli.length.v1")
def make_length(plus=0):
    return lambda text, spans: [float(end - start + plus) for start, end in spans]


@Language.component("cli_test_bomb")
def bomb(doc):
    if "BOMB" in doc.text:
        raise RuntimeError(f"cannot work on {doc.text}")
    return doc


@pytest.fixture(scope="session")
def bomb_model(tmp_path_factory):
    """One that fails where a text says so."""
    nlp, path = build_pipeline(), tmp_path_factory.mktemp("model") / "bomb"
    nlp.add_pipe("cli_test_bomb", first=True)
    nlp.to_disk(path)
    return path


@pytest.fixture(scope="module")
def deid(model, command):
    """Runs `spacy deid ...` in this process, over outputs that are there, and checks how
    it ends; None: however it ends."""

    def run(*args, stdin=None, env=None, with_model=True, overwrite=True, code=0):
        args = [str(a) for a in args]
        plain = ("models", "key", "package", "serve", "--version")
        inner = args[0] == "gazetteer" and args[1] != "compile"
        if overwrite and not inner and args[0] not in plain and "--help" not in args:
            args.append("--overwrite")
        if args[0] == "run" and with_model and "--model" not in args:
            args += ["--model", str(model)]
        load = embedded.load_pipeline

        def load_quickly(*args, **kwargs):
            # A saved pipeline brings its tokenizer's exceptions: those that spaCy makes
            # before it reads them are half of what a command takes.
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(English.Defaults, "tokenizer_exceptions", {})
                return load(*args, **kwargs)

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(embedded, "load_pipeline", load_quickly)
            result = command("deid", *args, code=code, input=stdin, env=env)
        # What is no exit of a command would be a traceback in a terminal.
        ended = isinstance(result.exception, (SystemExit, type(None)))
        assert code is None or ended, result.exc_info
        return result

    return run


@pytest.fixture
def run_rows(deid, tmp_path, write_jsonl, read_jsonl):
    """Runs `spacy deid run` on records: those of the output, and what was said."""

    def run(rows, *options, **settings):
        source, out = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
        write_jsonl(source, rows)
        said = deid("run", source, out, *options, **settings).stderr
        return (read_jsonl(out) if out.exists() else []), said

    return run


@pytest.fixture
def key(monkeypatch):
    """A secret key that all commands of a test have; what guessing a vault's costs is
    not what is tested."""
    monkeypatch.setitem(store.KDF, "n", 2**4)
    monkeypatch.setitem(store.KDF, "p", 1)
    monkeypatch.setenv("SPACY_DEID_KEY", KEY)
    return KEY


@pytest.fixture(scope="module")
def forked(deid):
    """Runs `spacy deid ...` in a fork of this process, which may be killed and has what a
    new one takes seconds to load: its exit status and what it said."""

    def run(*args, first=lambda: None, **kwargs):
        def work():
            first()
            result = deid(*args, **kwargs, code=None)
            said.send(result.stderr)
            if not isinstance(result.exception, (SystemExit, type(None))):
                raise result.exception
            sys.exit(result.exit_code)

        context = multiprocessing.get_context("fork")
        heard, said = context.Pipe(duplex=False)
        process = context.Process(target=work)
        process.start()
        # With a time limit it would wait for the workers of a killed one, too.
        process.join()
        return process.exitcode, heard.recv() if heard.poll() else ""

    return run


@pytest.fixture(scope="module")
def stopped(forked):
    """Runs `spacy deid ...` in a fork that gets a signal once it has written some chunks
    and saved how far it is, or has called another method as often: its exit status and
    what it said."""

    def run(
        *args,
        how=signal.SIGKILL,
        after=2,
        first=lambda: None,
        at=(_output.Writer, "add"),
        **kwargs,
    ):
        def prepare():
            first()
            work, calls = getattr(*at), itertools.count(1)

            def work_and_stop(*args):
                out = work(*args)
                if next(calls) == after:
                    os.kill(os.getpid(), how)
                return out

            _output.CHECKPOINT_SECONDS = 0
            setattr(*at, work_and_stop)

        return forked(*args, first=prepare, **kwargs)

    return run


@pytest.fixture
def refused(deid, tmp_path, monkeypatch):
    """Checks that a command, in the folder of the test, ends in one line that says why,
    and changes nothing there."""

    def files():
        found = sorted(tmp_path.rglob("*"))
        return [(p, p.read_bytes() if p.is_file() else None) for p in found]

    def run(told, *args, **settings):
        monkeypatch.chdir(tmp_path)
        before = files()
        said = deid(*args, code=1, **settings).output
        lines = [s for s in said.splitlines() if s.startswith(("Error:", "Left out:"))]
        assert len(lines) == 1, said
        assert all(part in said for part in told.split(" … ")), said
        assert files() == before
        return said

    return run


@pytest.fixture(scope="session")
def shell(model):
    def start(*args, **kwargs):
        command = [sys.executable, "-m", "spacy", "deid", *(str(a) for a in args)]
        if args[0] == "run" and "--model" not in args:
            command += ["--model", str(model)]
        streams = dict.fromkeys(("stdout", "stderr"), subprocess.PIPE)
        streams |= {"stdin": subprocess.DEVNULL, **kwargs}
        env = {**os.environ, **streams.pop("env", {})}
        return subprocess.Popen(command, env=env, **streams)

    return start
