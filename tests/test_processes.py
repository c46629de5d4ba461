"""Several processes: order, bounds, and what happens when something goes wrong."""

import contextlib
import multiprocessing
import os
import shutil
import signal
import subprocess
import sys
import time
from concurrent.futures import CancelledError
from concurrent.futures.process import BrokenProcessPool
from itertools import count
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spacy_deid import processes
from spacy_deid.processes import WorkerDied, map_ordered

from .process_jobs import exists, times

HERE = Path(__file__).parent
METHODS = multiprocessing.get_all_start_methods()
FORK = multiprocessing.get_context("fork")
# Ends with 130 on Ctrl-C, as the commands do.
SLEEPERS = """
import multiprocessing, os, sys
from spacy_deid.processes import map_ordered
import process_jobs
if __name__ == "__main__":
    folder, method = sys.argv[1:]
    context = multiprocessing.get_context(method)
    try:
        list(map_ordered(process_jobs.sleep_at, [1] * 20, folder, 2, context=context))
    except KeyboardInterrupt:
        # Not what multiprocessing knows: the pool's own thread may have taken note of
        # an end that this one waited for.
        print(sum(map(process_jobs.exists, os.listdir(folder))))
        sys.exit(130)
"""


@pytest.fixture(scope="session")
def module_alone(tmp_path_factory):
    """A folder from which `spacy_deid.processes` is imported without the rest of the
    package: nothing of spaCy takes part in what it does, and each process that is
    started anew would take seconds for it."""
    folder = tmp_path_factory.mktemp("alone")
    (folder / "spacy_deid").mkdir()
    (folder / "spacy_deid" / "__init__.py").touch()
    shutil.copy(processes.__file__, folder / "spacy_deid")
    return folder


@pytest.fixture
def jobs(module_alone, monkeypatch):
    """The module with the workers' functions, where spawned ones find it too."""
    monkeypatch.syspath_prepend(str(HERE))
    import process_jobs

    monkeypatch.syspath_prepend(str(module_alone))
    return process_jobs


@pytest.fixture(params=METHODS)
def context(request):
    return multiprocessing.get_context(request.param)


def wait_for(told):
    for _ in range(3000):
        if told():
            return True
        time.sleep(0.02)
    raise AssertionError("workers are left, or never came to their jobs")


def is_running(pid):
    if not exists(pid):
        return False
    stat = Path(f"/proc/{pid}/stat")
    with contextlib.suppress(OSError):
        # One that has ended, but that nobody has waited for.
        return stat.read_text().rpartition(")")[2].split()[0] != "Z"
    return not stat.parents[1].exists()


def wait_until_gone(pids):
    wait_for(lambda: not any(map(is_running, pids)))


def no_children():
    """None is left, once the pool's own thread has taken note of how each ended."""
    return wait_for(lambda: not multiprocessing.active_children())


def sleeping_in(folder):
    wait_for(lambda: len(list(folder.iterdir())) >= 2)
    return sorted(int(path.name) for path in folder.iterdir())


@settings(max_examples=15, deadline=None)
@given(st.lists(st.integers(), max_size=40), st.integers(0, 3), st.integers())
def test_several_processes_give_what_one_gives(numbers, n_workers, factor):
    results = map_ordered(times, numbers, factor, n_workers, context=FORK)
    assert list(results) == [factor * number for number in numbers]


@pytest.mark.parametrize("n_workers", [1, 2, 3])
def test_few_jobs_are_on_their_way(jobs, n_workers):
    read = []

    def endless():
        for number in count():
            read.append(number)
            yield number

    results = map_ordered(jobs.times, endless(), 2, n_workers)
    with contextlib.closing(results):
        for n in range(30):
            assert next(results) == 2 * n
            assert len(read) == n + 1 + processes.AHEAD * n_workers
    assert len(read) == 30 + processes.AHEAD * n_workers


def test_forked_workers_inherit_the_state_and_all_ignore_interrupts(jobs, context):
    forked = context.get_start_method() == "fork"
    load = jobs.load_badly if forked else jobs.load_state
    state = jobs.Unpicklable("inherited")
    results = map_ordered(jobs.where, range(8), state, 2, load=load, context=context)
    places, pids = zip(*results)
    assert set(places) == {"inherited" if forked else "loaded"}
    assert os.getpid() not in pids
    results = map_ordered(jobs.interrupt_me, range(4), None, 2, context=context)
    assert list(results) == [0, 1, 2, 3]


def test_state_that_cannot_be_loaded_is_the_loader_s_own_error(jobs, capfd):
    spawn, load = multiprocessing.get_context("spawn"), jobs.load_badly
    results = map_ordered(jobs.times, range(4), 1, 1, load=load, context=spawn)
    with pytest.raises(jobs.OwnError, match="cannot be loaded"):
        list(results)
    assert "Traceback" not in capfd.readouterr().err


def test_an_error_comes_in_its_turn(jobs, context, capfd):
    results = map_ordered(jobs.fail_at, count(), 5, 2, context=context)
    assert [next(results) for _ in range(5)] == [0, 1, 2, 3, 4]
    with pytest.raises(jobs.OwnError, match="job 5"):
        next(results)
    assert no_children() and "Traceback" not in capfd.readouterr().err


@pytest.mark.parametrize("work", ["die_at", "die_while_sending"])
def test_a_dead_worker_is_one_error(jobs, context, work):
    with pytest.raises(WorkerDied, match="ended unexpectedly"):
        list(map_ordered(getattr(jobs, work), range(50), 3, 2, context=context))
    assert no_children()


def test_workers_end_at_once_when_nobody_wants_more(jobs, tmp_path):
    """Even those that inherited a handler of SIGTERM and are in the middle of a job."""
    before = signal.signal(signal.SIGTERM, lambda *args: None)
    try:
        numbers = [0, 1, 1, 1, 1, 1, 1]
        results = map_ordered(jobs.sleep_at, numbers, str(tmp_path), 2, context=FORK)
        assert next(results) == 0
        pids = sleeping_in(tmp_path)
        start = time.monotonic()
        results.close()
        assert time.monotonic() - start < 60
    finally:
        signal.signal(signal.SIGTERM, before)
    assert not any(map(is_running, pids)) and no_children()


@pytest.mark.parametrize("n", [1, 2])
def test_torch_computes_with_one_thread(jobs, monkeypatch, context, n):
    """Whether it was loaded before the fork or comes with the state."""
    monkeypatch.setitem(sys.modules, "torch", None)
    jobs.use_fake_torch()
    settings = {"load": jobs.use_fake_torch, "context": context}
    assert [*map_ordered(jobs.count_threads, range(4), None, n, **settings)] == [1] * 4
    assert sys.modules["torch"].threads == 8


@pytest.fixture(params=[m for m in METHODS if m != "forkserver"])
def sleepers(request, module_alone, tmp_path):
    """A program with two workers that sleep, and their ids."""
    script, folder = tmp_path / "sleepers.py", tmp_path / "pids"
    script.write_text(SLEEPERS)
    folder.mkdir()
    how = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    how["env"] = {**os.environ, "PYTHONPATH": f"{module_alone}{os.pathsep}{HERE}"}
    command = [sys.executable, script, folder, request.param]
    process = subprocess.Popen(command, start_new_session=True, **how)
    yield process, sleeping_in(folder)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.communicate()


def test_interrupt(sleepers):
    """Ctrl-C in a terminal reaches the workers as well."""
    process, pids = sleepers
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130, err.decode()
    assert out.split() == [b"0"] and b"Traceback" not in err
    wait_until_gone(pids)


def test_workers_end_with_a_killed_parent(sleepers):
    process, pids = sleepers
    process.kill()
    process.wait()
    wait_until_gone(pids)


def test_a_helper_is_ended_in_the_midst_of_a_job(jobs):
    helper = processes.Helper(jobs.hold_or_times, jobs.load_number)
    try:
        assert helper.submit(2).result() == 6
        held = helper.submit("hold")
        helper.restart()
        with pytest.raises((BrokenProcessPool, CancelledError)):
            held.result()
        assert helper.submit(3).result() == 9
        # One that has died is replaced with the next job.
        with pytest.raises(BrokenProcessPool):
            helper.submit("die").result()
        assert helper.submit(4).result() == 12
        # A service's processes get the signals that its parent gets.
        (pid,) = helper._pool._processes
        os.kill(pid, signal.SIGTERM)
        os.kill(pid, signal.SIGINT)
        assert helper.submit(5).result() == 15
    finally:
        helper.stop()
    wait_until_gone([pid])
    bad = processes.Helper(jobs.hold_or_times, jobs.load_badly)
    with pytest.raises(jobs.OwnError, match="cannot be loaded"):
        bad.submit(1).result()
    bad.stop()
