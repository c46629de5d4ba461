import os

# Before any library starts its threads: tests run in a process for each core, where
# more threads only wait for each other (a quarter of the time of those with torch).
os.environ.setdefault("OMP_NUM_THREADS", "1")

import gc
import signal
import threading
from pathlib import Path
from random import Random
from types import SimpleNamespace

import pytest
import spacy

import spacy_deid
from spacy_deid.surrogates import consistency

from .scripts import load_script

spacy_deid.install_extensions()

# A shell starts what runs in the background with Ctrl-C ignored, and so would every
# program that a test starts and interrupts.
if (
    signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    and threading.current_thread() is threading.main_thread()
):
    signal.signal(signal.SIGINT, signal.default_int_handler)

# Far more seconds than their texts take, and far less than quadratic work on them.
LINEAR_LIMIT = 120
# Of a document without a key, which has a fresh one.
_KEYS = Random()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--fresh-keys",
        action="store_true",
        help="documents without a key have others at each run, not the test's own: to "
        "look for what fails with few keys",
    )


def pytest_configure(config: pytest.Config) -> None:
    if not config.getoption("--fresh-keys"):
        consistency.secrets = SimpleNamespace(token_bytes=_KEYS.randbytes)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    _KEYS.seed(item.nodeid)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.get_closest_marker("linear"):
            item.add_marker(pytest.mark.timeout(LINEAR_LIMIT, method="signal"))


def pytest_collection_finish() -> None:
    # Modules and tests stay until the end: going through them again and again for
    # garbage is a twentieth of the time.
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """Folder of real annotated documents, which do not travel with the project."""
    default = Path(__file__).parents[2] / "shared" / "data"
    path = Path(os.environ.get("SPACY_DEID_DATA", default))
    if not path.is_dir():
        pytest.skip("the real documents (SPACY_DEID_DATA) are not on this machine")
    return path


@pytest.fixture(scope="session", autouse=True)
def start_without_torch():
    """Programs that tests start see no torch, as in an install of the core: thinc loads
    it wherever it finds it, which takes longer than most of these programs.

    A test that wants it sets another PYTHONPATH. Nothing changes in this process.
    """
    folders = [str(Path(__file__).parent / "without_torch")]
    before = os.environ.get("PYTHONPATH")
    with pytest.MonkeyPatch.context() as patch:
        path = os.pathsep.join([*folders, *([before] if before else [])])
        patch.setenv("PYTHONPATH", path)
        yield


@pytest.fixture(scope="module")
def load_benchmark():
    """Gives the module of a script in `benchmarks`."""

    def load(name):
        return load_script(Path(__file__).parents[1] / "benchmarks" / f"{name}.py")

    return load


@pytest.fixture(scope="session")
def command():
    """Runs `spacy ...` in this process and checks how it ends."""
    from spacy.cli._util import app
    from typer.testing import CliRunner

    from spacy_deid.cli import register

    register()

    def run(*args, code=0, **settings):
        result = CliRunner().invoke(app, [str(arg) for arg in args], **settings)
        assert code in (None, result.exit_code), (result.output, result.exception)
        return result

    return run


class CrewHere:
    """In place of a service's workers: a desk in this process."""

    waiting = restarts = 0
    is_full = False

    def __init__(self, desk):
        self.desk, self.ready = desk, {desk}

    def open(self):
        pass

    async def stop(self):
        pass

    async def do(self, jobs, sizes):
        return self.desk.answer(jobs)


@pytest.fixture(scope="session")
def serve_here():
    """Gives a client of a service whose work is done in this process."""
    testclient = pytest.importorskip("fastapi.testclient")
    from spacy_deid.service import app
    from spacy_deid.service.limits import Limits

    def serve(desk, limits=None, token="", hosts=(), crew=None):
        crew, limits = crew or CrewHere(desk), limits or Limits()
        pipe = getattr(desk, "pipe", None)
        key = pipe is not None and bool(pipe.derive_secret("ids"))
        about = {"model": "en_test"}
        kept = getattr(desk, "vault", None) is not None
        service = app.Service(crew, limits, about, kept, key)
        return testclient.TestClient(app.make_app(service, token, hosts))

    return serve


@pytest.fixture
def nlp():
    return spacy.blank("en")


@pytest.fixture(scope="session")
def embedded():
    """The package's own pipeline; a test that changes it loads another."""
    return spacy_deid.load()


@pytest.fixture(scope="session")
def tiny_lm():
    """Makes tiny random masked language models."""
    pytest.importorskip("torch", reason="language models need torch")
    pytest.importorskip("transformers", reason="language models need transformers")
    return load_script(Path(__file__).parent / "risk" / "tiny_lm.py")


@pytest.fixture(scope="session")
def tiny_bert(tiny_lm, tmp_path_factory):
    """Folder of a tiny masked language model."""
    return tiny_lm.save_bert(tmp_path_factory.mktemp("tiny_bert"))
