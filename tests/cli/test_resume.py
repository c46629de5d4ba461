"""Interrupted, killed, out of disk: the same command goes on and nothing is lost."""

import functools
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


N_DOCS = 40
BATCHES = ("--batch-size", 8)


@pytest.fixture(scope="module")
def source(tmp_path_factory, write_jsonl):
    return write_jsonl(
        tmp_path_factory.mktemp("source") / "in.jsonl",
        [{"doc_id": i, "text": f"{TEXT * 2} {i}"} for i in range(N_DOCS)],
    )


@pytest.fixture(scope="module")
def here(deid):
    """Runs a command in this process, where nothing is interrupted."""

    return functools.partial(deid, env=KEY)


@pytest.fixture(scope="module")
def whole(here, source, tmp_path_factory):
    """What an undisturbed run writes."""
    path = tmp_path_factory.mktemp("whole")
    args = ("run", source, path / "whole.jsonl", "--audit", path / "audit")
    here(*args)
    return (path / "whole.jsonl").read_bytes(), (path / "audit").read_bytes()


@pytest.fixture(scope="module")
def killed(stopped, source, tmp_path_factory):
    """What a killed run leaves behind."""
    path = tmp_path_factory.mktemp("killed")
    stopped("run", source, path / "out.jsonl", *BATCHES, env=KEY)
    left = [path / "out.jsonl.part", path / "out.jsonl.part.state"]
    assert sorted(path.iterdir()) == left
    return left


@pytest.mark.parametrize("how,n_process", [(signal.SIGINT, 1), (signal.SIGKILL, 2)])
def test_resume(stopped, here, source, tmp_path, whole, how, n_process):
    out, audit = tmp_path / "out.jsonl", tmp_path / "audit.jsonl"
    args = ("run", source, out, "--audit", audit, *BATCHES, "--n-process", n_process)
    code, err = stopped(*args, how=how, env=KEY)
    assert code == (130 if how == signal.SIGINT else -signal.SIGKILL), err
    assert not out.exists() and not audit.exists()
    done = json.loads((tmp_path / "out.jsonl.part.state").read_bytes())["state"]
    assert 0 < done["docs"] < N_DOCS
    if how == signal.SIGINT:
        assert "run the same command to go on" in err
        assert "Traceback" not in err
    # Half a line at the end, as a crash may leave it.
    with (tmp_path / "out.jsonl.part").open("ab") as file:
        file.write(b'{"doc_id": 99, "te')
    err = here(*args).stderr
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
    err = here("run", source, out, *BATCHES, *extra, env=env).stderr
    assert "starting anew" in err
    assert len(out.read_bytes().splitlines()) == N_DOCS
    assert "k" * 32 not in err


def test_changed_input_starts_anew(here, source, killed, tmp_path):
    for path in (source, *killed):
        shutil.copy2(path, tmp_path)
    source, out = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    with source.open("a") as file:
        file.write(json.dumps({"doc_id": "new", "text": TEXT}) + "\n")
    err = here("run", source, out, *BATCHES).stderr
    assert "starting anew" in err
    assert len(out.read_bytes().splitlines()) == N_DOCS + 1


def test_resume_folder(stopped, here, tmp_path, write_jsonl):
    folder = tmp_path / "in"
    folder.mkdir()
    for i in range(40):
        (folder / f"{i:03}.txt").write_text(TEXT + str(i))
    write_jsonl(
        folder / "015.jsonl",
        [{"doc_id": i, "text": TEXT + str(i)} for i in range(40)],
    )
    args = ("run", folder, tmp_path / "whole", "--audit", tmp_path / "w.audit")
    here(*args)
    args = ("run", folder, tmp_path / "out", "--audit", tmp_path / "o.audit")
    stopped(*args, *BATCHES, env=KEY)
    assert (tmp_path / "out" / ".spacy-deid-state.json").exists()
    err = here(*args, *BATCHES).stderr
    assert "Going on" in err
    names = sorted(p.name for p in (tmp_path / "whole").iterdir())
    assert sorted(p.name for p in (tmp_path / "out").iterdir()) == names
    for name in names:
        assert (tmp_path / "out" / name).read_bytes() == (
            tmp_path / "whole" / name
        ).read_bytes()
    assert (tmp_path / "o.audit").read_bytes() == (tmp_path / "w.audit").read_bytes()


def test_disk_full(forked, here, source, tmp_path, whole):
    out = tmp_path / "out.jsonl"
    args = ("run", source, out, *BATCHES, "--n-process", 2)
    half = len(whole[0]) // 2

    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (half, half))

    code, err = forked(*args, first=limit, env=KEY)
    assert code == 1
    assert "File too large" in err and "run the same command again" in err
    assert not out.exists() and (tmp_path / "out.jsonl.part").exists()
    err = here(*args).stderr
    assert "Going on" in err
    assert out.read_bytes() == whole[0]


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
def test_full_device(shell, here, tmp_path, write_jsonl):
    source = write_jsonl(tmp_path / "in.jsonl", [{"text": TEXT}])
    err = here("run", source, "/dev/full", code=1).stderr
    assert "No space left on device" in err
    with open("/dev/full", "wb") as full:
        process = shell("run", source, "-", stdout=full)
        err = process.communicate(timeout=120)[1].decode()
    assert process.returncode == 1 and "No space left on device" in err
    assert "Traceback" not in err and "Exception" not in err


def test_stdin_to_stdout_streams(shell):
    """A document comes out before the input ends: constant memory, usable in pipes; and
    one that nobody reads any more is an error of one line."""
    process = shell("run", "-", "-", "--batch-size", 1, stdin=subprocess.PIPE)
    for i in range(4):
        line = json.dumps({"doc_id": i, "text": TEXT}).encode() + b"\n"
        if i == 3:
            process.stdout.close()
        process.stdin.write(line)
        process.stdin.flush()
        if i < 3:
            assert json.loads(process.stdout.readline())["doc_id"] == i
    assert process.wait(timeout=60) == 1
    process.stdin.close()
    err = process.stderr.read().decode()
    assert "Traceback" not in err and "Exception" not in err


def test_workers_end_with_a_killed_parent(stopped, source, tmp_path):
    def lead_group():
        os.setsid()
        (tmp_path / "group").write_text(str(os.getpid()))

    args = ("run", source, tmp_path / "out.jsonl", *BATCHES, "--n-process", 2)
    code, _ = stopped(*args, first=lead_group)
    assert code == -signal.SIGKILL
    group = int((tmp_path / "group").read_text())
    for _ in range(200):
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return
        time.sleep(0.05)
    os.killpg(group, signal.SIGKILL)
    raise AssertionError("workers outlived their parent")


def test_damaged_state_starts_anew(deid, tmp_path, write_jsonl):
    source = write_jsonl(tmp_path / "in.jsonl", [{"text": TEXT}])
    (tmp_path / "out.jsonl.part.state").write_text("{")
    (tmp_path / "out.jsonl.part").write_text("left over")
    result = deid("run", source, tmp_path / "out.jsonl")
    assert "starting anew" in result.stderr
    assert b"left over" not in (tmp_path / "out.jsonl").read_bytes()


def test_audit_part_of_somebody_else_is_not_written_to(deid, tmp_path, write_jsonl):
    source = write_jsonl(tmp_path / "in.jsonl", [{"text": TEXT}])
    other = tmp_path / "readable"
    other.write_text("")
    (tmp_path / "audit.part").symlink_to(other)
    audit = tmp_path / "audit"
    deid("run", source, tmp_path / "out.jsonl", "--audit", audit)
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
