"""Interrupted, killed, out of disk: the same command goes on and nothing is lost."""

import json
import os
import resource
import shutil
import signal
import subprocess
import time

import pytest

from spacy_deid.cli import _write
from spacy_deid.cli._errors import CliError

TEXT = "Robert Murray of Leeds met Ann Lee in London. MURRAY left Leeds. "
KEY = {"SPACY_DEID_KEY": "k" * 32}

pytestmark = pytest.mark.skipif(
    not hasattr(signal, "SIGKILL"), reason="needs POSIX signals"
)


N_DOCS = 160
# A run that saves its state after every chunk and takes its time between them, so that
# it can be stopped in the middle on a machine of any speed.
SLOW_RUN = """
import time
from spacy.cli import setup_cli
from spacy_deid.cli import _output

_output.CHECKPOINT_SECONDS = 0
add = _output.Writer.add

def add_slowly(*args):
    add(*args)
    time.sleep(0.15)

_output.Writer.add = add_slowly
setup_cli()
"""


@pytest.fixture(scope="module")
def source(tmp_path_factory, write_jsonl):
    text = TEXT * 10
    return write_jsonl(
        tmp_path_factory.mktemp("source") / "in.jsonl",
        [{"doc_id": i, "text": f"{text} {i}"} for i in range(N_DOCS)],
    )


def wait_for_state(process, path):
    for _ in range(3000):
        if path.exists():
            return
        assert process.poll() is None, process.stderr.read().decode()
        time.sleep(0.02)
    raise AssertionError("no state was ever saved")


def finish(process):
    out, err = process.communicate(timeout=120)
    return process.returncode, out, err.decode()


def stop_halfway(shell, args, state, how):
    process = shell(*args, env=KEY, script=SLOW_RUN)
    wait_for_state(process, state)
    process.send_signal(how)
    return finish(process)


@pytest.fixture
def here(deid, monkeypatch):
    """Runs a command in this process, where nothing is interrupted."""

    def run(*args, env=KEY):
        with monkeypatch.context() as patch:
            for name, value in env.items():
                patch.setenv(name, value)
            result = deid(*args)
        return result.exit_code, result.stdout, result.stderr

    return run


@pytest.fixture(scope="module")
def whole(shell, source, tmp_path_factory):
    """What an undisturbed run writes."""
    path = tmp_path_factory.mktemp("whole")
    args = ("run", source, path / "whole.jsonl", "--audit", path / "audit")
    code, _, err = finish(shell(*args, env=KEY))
    assert code == 0, err
    return (path / "whole.jsonl").read_bytes(), (path / "audit").read_bytes()


@pytest.fixture(scope="module")
def killed(shell, source, tmp_path_factory):
    """What a killed run leaves behind."""
    path = tmp_path_factory.mktemp("killed")
    args = ("run", source, path / "out.jsonl", "--batch-size", 16)
    stop_halfway(shell, args, path / "out.jsonl.part.state", signal.SIGKILL)
    left = [path / "out.jsonl.part", path / "out.jsonl.part.state"]
    assert sorted(path.iterdir()) == left
    return left


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
@pytest.mark.parametrize("n_process", [1, 2])
def test_resume(shell, here, source, tmp_path, whole, how, n_process):
    out, audit = tmp_path / "out.jsonl", tmp_path / "audit.jsonl"
    args = ("run", source, out, "--audit", audit, "--batch-size", 16)
    args = (*args, "--n-process", n_process)
    state = tmp_path / "out.jsonl.part.state"
    code, _, err = stop_halfway(shell, args, state, how)
    assert code == (130 if how == signal.SIGINT else -signal.SIGKILL), err
    assert not out.exists() and not audit.exists()
    done = json.loads(state.read_bytes())["state"]
    assert 0 < done["docs"] < N_DOCS
    if how == signal.SIGINT:
        assert "run the same command to go on" in err
        assert "Traceback" not in err
    # Half a line at the end, as a crash may leave it.
    with (tmp_path / "out.jsonl.part").open("ab") as file:
        file.write(b'{"doc_id": 99, "te')
    code, _, err = here(*args)
    assert code == 0, err
    assert f"Going on after {done['docs']} documents" in err
    assert out.read_bytes() == whole[0]
    assert audit.read_bytes() == whole[1]
    left = sorted(p.name for p in tmp_path.iterdir() if ".part" in p.name)
    assert left == []


@pytest.mark.parametrize(
    "env,extra",
    [
        ({"SPACY_DEID_KEY": "other" * 8}, ()),
        (KEY, ("--strategy", "redact")),
        (KEY, ("--mask", "all")),
    ],
)
def test_other_settings_start_anew(here, source, killed, tmp_path, env, extra):
    out = tmp_path / "out.jsonl"
    for path in killed:
        shutil.copy(path, tmp_path)
    args = ("run", source, out, "--batch-size", 16)
    code, _, err = here(*args, *extra, env=env)
    assert code == 0, err
    assert "starting anew" in err
    assert len(out.read_bytes().splitlines()) == N_DOCS
    assert "k" * 32 not in err


def test_changed_input_starts_anew(here, source, killed, tmp_path):
    for path in (source, *killed):
        shutil.copy2(path, tmp_path)
    source, out = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    args = ("run", source, out, "--batch-size", 16)
    with source.open("a") as file:
        file.write(json.dumps({"doc_id": "new", "text": TEXT}) + "\n")
    code, _, err = here(*args)
    assert code == 0 and "starting anew" in err
    assert len(out.read_bytes().splitlines()) == N_DOCS + 1


def test_resume_folder(shell, here, tmp_path, write_jsonl):
    folder = tmp_path / "in"
    folder.mkdir()
    for i in range(40):
        (folder / f"{i:03}.txt").write_text(TEXT + str(i))
    write_jsonl(
        folder / "015.jsonl",
        [{"doc_id": i, "text": TEXT + str(i)} for i in range(40)],
    )
    args = ("run", folder, tmp_path / "whole", "--audit", tmp_path / "w.audit")
    assert here(*args)[0] == 0
    args = ("run", folder, tmp_path / "out", "--audit", tmp_path / "o.audit")
    args = (*args, "--batch-size", 8)
    state = tmp_path / "out" / ".spacy-deid-state.json"
    stop_halfway(shell, args, state, signal.SIGKILL)
    assert state.exists()
    code, _, err = here(*args)
    assert code == 0 and "Going on" in err
    names = sorted(p.name for p in (tmp_path / "whole").iterdir())
    assert sorted(p.name for p in (tmp_path / "out").iterdir()) == names
    for name in names:
        assert (tmp_path / "out" / name).read_bytes() == (
            tmp_path / "whole" / name
        ).read_bytes()
    assert (tmp_path / "o.audit").read_bytes() == (tmp_path / "w.audit").read_bytes()


@pytest.mark.parametrize("n_process", [1, 2])
def test_disk_full(shell, source, tmp_path, whole, n_process):
    out = tmp_path / "out.jsonl"
    args = ("run", source, out, "--batch-size", 16, "--n-process", n_process)

    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))

    process = shell(*args, env=KEY, preexec_fn=limit)
    code, _, err = finish(process)
    assert code == 1
    assert "File too large" in err and "run the same command again" in err
    assert "Traceback" not in err
    assert not out.exists() and (tmp_path / "out.jsonl.part").exists()
    code, _, err = finish(shell(*args, env=KEY))
    assert code == 0 and "Going on" in err
    assert out.read_bytes() == whole[0]


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
def test_full_device(shell, tmp_path, write_jsonl):
    source = write_jsonl(tmp_path / "in.jsonl", [{"text": TEXT}])
    code, _, err = finish(shell("run", source, "/dev/full"))
    assert code == 1 and "No space left on device" in err
    with open("/dev/full", "wb") as full:
        code, _, err = finish(shell("run", source, "-", stdout=full))
    assert code == 1 and "No space left on device" in err
    assert "Traceback" not in err and "Exception" not in err


def test_reader_goes_away(shell, source):
    process = shell("run", source, "-", "--batch-size", 1)
    process.stdout.readline()
    process.stdout.close()
    code = process.wait(timeout=60)
    err = process.stderr.read().decode()
    assert code == 1
    assert "Traceback" not in err and "Exception" not in err


def test_stdin_to_stdout_streams(shell):
    """A document comes out before the input ends: constant memory, usable in pipes."""
    process = shell("run", "-", "-", "--batch-size", 1, stdin=subprocess.PIPE)
    try:
        for i in range(3):
            line = json.dumps({"doc_id": i, "text": TEXT}).encode() + b"\n"
            process.stdin.write(line)
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["doc_id"] == i
    finally:
        process.stdin.close()
        process.stdin = None
        code, _, err = finish(process)
    assert code == 0, err


def test_workers_end_with_a_killed_parent(shell, source, tmp_path):
    args = ("run", source, tmp_path / "out.jsonl", "--batch-size", 16)
    process = shell(*args, "--n-process", 2, start_new_session=True, script=SLOW_RUN)
    wait_for_state(process, tmp_path / "out.jsonl.part.state")
    process.kill()
    process.wait()
    for _ in range(200):
        try:
            os.killpg(process.pid, 0)
        except ProcessLookupError:
            return
        time.sleep(0.05)
    os.killpg(process.pid, signal.SIGKILL)
    raise AssertionError("workers outlived their parent")


def test_damaged_state_starts_anew(deid, tmp_path, write_jsonl):
    source = write_jsonl(tmp_path / "in.jsonl", [{"text": TEXT}])
    (tmp_path / "out.jsonl.part.state").write_text("{")
    (tmp_path / "out.jsonl.part").write_text("left over")
    result = deid("run", source, tmp_path / "out.jsonl")
    assert result.exit_code == 0, result.output
    assert "starting anew" in result.stderr
    assert b"left over" not in (tmp_path / "out.jsonl").read_bytes()


def test_audit_part_of_somebody_else_is_not_written_to(deid, tmp_path, write_jsonl):
    source = write_jsonl(tmp_path / "in.jsonl", [{"text": TEXT}])
    other = tmp_path / "readable"
    other.write_text("")
    (tmp_path / "audit.part").symlink_to(other)
    audit = tmp_path / "audit"
    result = deid("run", source, tmp_path / "out.jsonl", "--audit", audit)
    assert result.exit_code == 0, result.output
    assert other.read_text() == ""
    assert audit.stat().st_mode & 0o777 == 0o600


def test_two_runs_do_not_write_one_file(tmp_path):
    first = _write.PartFile(tmp_path / "out")
    first.write(b"a")
    for resume_at in (None, 1):
        with pytest.raises(CliError, match="another run"):
            _write.PartFile(tmp_path / "out", resume_at=resume_at)
    first.commit()
    assert (tmp_path / "out").read_bytes() == b"a"
    _write.PartFile(tmp_path / "out").discard()
    assert os.listdir(tmp_path) == ["out"]
