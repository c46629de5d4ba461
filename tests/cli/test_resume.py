"""Interrupted, killed, out of disk: the same command goes on and nothing is lost."""

import json
import os
import resource
import shutil
import signal
import subprocess

import pytest

from spacy_deid.cli import _write
from spacy_deid.cli._errors import CliError

TEXT = "Robert Murray of Leeds met Ann Lee in London. MURRAY left Leeds. "
KEY = {"SPACY_DEID_KEY": "k" * 32}
N_DOCS = 40
BATCHES = ("--batch-size", 8)


@pytest.fixture(scope="module")
def source(tmp_path_factory, write_jsonl):
    folder = tmp_path_factory.mktemp("source")
    rows = [{"doc_id": i, "text": f"{TEXT * 2} {i}"} for i in range(N_DOCS)]
    return write_jsonl(folder / "in.jsonl", rows)


@pytest.fixture(scope="module")
def here(deid):
    """Runs a command in this process, where nothing is interrupted: what it says."""
    return lambda *args, **settings: deid(*args, **{"env": KEY, **settings}).stderr


@pytest.fixture(scope="module")
def whole(here, source, tmp_path_factory):
    paths = [tmp_path_factory.mktemp("whole") / name for name in ("out.jsonl", "audit")]
    here("run", source, paths[0], "--audit", paths[1])
    return [path.read_bytes() for path in paths]


@pytest.fixture(scope="module")
def killed(stopped, source, tmp_path_factory):
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
        assert "run the same command to go on" in err and "Traceback" not in err
    # Half a line at the end, as a crash may leave it.
    with (tmp_path / "out.jsonl.part").open("ab") as file:
        file.write(b'{"doc_id": 99, "te')
    assert f"Going on after {done['docs']} documents" in here(*args)
    assert [out.read_bytes(), audit.read_bytes()] == whole
    assert not [p.name for p in tmp_path.iterdir() if ".part" in p.name]


@pytest.mark.parametrize(
    "extra",
    [("--key-env", "OTHER"), ("--strategy", "redact"), ("--mask", "all"), "input", "state"],
)  # fmt: skip
def test_other_settings_start_anew(here, source, killed, tmp_path, extra):
    for path in (source, *killed):
        shutil.copy2(path, tmp_path)
    source, out, n = tmp_path / "in.jsonl", tmp_path / "out.jsonl", N_DOCS
    if extra == "input":
        with source.open("a") as file:
            file.write(json.dumps({"doc_id": "new", "text": TEXT}) + "\n")
        n += 1
    if extra == "state":
        (tmp_path / "out.jsonl.part.state").write_text("{")
        (tmp_path / "out.jsonl.part").write_text("left over")
    options = () if isinstance(extra, str) else extra
    env = {**KEY, "OTHER": "other" * 8}
    err = here("run", source, out, *BATCHES, *options, env=env)
    assert "starting anew" in err and "k" * 32 not in err
    written = out.read_bytes()
    assert len(written.splitlines()) == n and b"left over" not in written


def test_disk_full(forked, here, source, tmp_path, whole):
    out, half = tmp_path / "out.jsonl", len(whole[0]) // 2
    args = ("run", source, out, *BATCHES, "--n-process", 2)

    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (half, half))

    code, err = forked(*args, first=limit, env=KEY)
    assert code == 1 and "File too large" in err and "run the same command again" in err
    assert not out.exists() and (tmp_path / "out.jsonl.part").exists()
    assert "Going on" in here(*args) and out.read_bytes() == whole[0]


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
def test_full_device(shell, here, source):
    told = "No space left on device"
    assert told in here("run", source, "/dev/full", code=1)
    with open("/dev/full", "wb") as full:
        process = shell("run", source, "-", stdout=full)
        err = process.communicate(timeout=120)[1].decode()
    assert process.returncode == 1 and told in err
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


def test_part_files_of_others_are_not_written_to(tmp_path, here, source):
    first = _write.PartFile(tmp_path / "out")
    first.write(b"a")
    for resume_at in (None, 1):
        with pytest.raises(CliError, match="another run"):
            _write.PartFile(tmp_path / "out", resume_at=resume_at)
    first.commit()
    assert (tmp_path / "out").read_bytes() == b"a"
    _write.PartFile(tmp_path / "out").discard()
    assert os.listdir(tmp_path) == ["out"]
    other, audit = tmp_path / "readable", tmp_path / "audit"
    other.write_text("")
    (tmp_path / "audit.part").symlink_to(other)
    here("run", source, tmp_path / "out.jsonl", "--audit", audit)
    assert other.read_text() == "" and audit.stat().st_mode & 0o777 == 0o600
