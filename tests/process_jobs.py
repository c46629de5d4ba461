"""What the workers in `test_processes.py` do: a module that spawned ones can import."""

import os
import signal
import sys
import time
from pathlib import Path
from types import SimpleNamespace


class Unpicklable:
    """State that only a fork can inherit."""

    def __init__(self, where):
        self.where = where

    def __reduce__(self):
        raise TypeError("must not be pickled")


class OwnError(Exception):
    pass


def exists(pid):
    try:
        os.kill(int(pid), 0)
    except ProcessLookupError:
        return False
    return True


def times(factor, number):
    return factor * number


def load_state():
    return Unpicklable("loaded")


def load_badly():
    raise OwnError("cannot be loaded")


def where(state, job):
    return state.where, os.getpid()


def fail_at(bad, job):
    if job == bad:
        raise OwnError(f"job {job}")
    return job


def die_at(bad, job):
    if job == bad:
        os.kill(os.getpid(), signal.SIGKILL)
    return job


def die_while_sending(bad, job):
    """Large results fill the pipe, in which a half is left."""
    die_at(bad, job)
    return bytes(5_000_000)


def sleep_at(folder, job):
    """Say which process sleeps, after all others have done their jobs."""
    Path(folder, str(os.getpid())).touch()
    if job:
        time.sleep(600)
    return job


def interrupt_me(state, job):
    os.kill(os.getpid(), signal.SIGINT)
    time.sleep(0.01)
    return job


def count_threads(state, job):
    return sys.modules["torch"].threads


def use_fake_torch():
    """A module that remembers how many threads it shall use."""
    torch = SimpleNamespace(threads=8)
    torch.set_num_threads = lambda n: setattr(torch, "threads", n)
    sys.modules["torch"] = torch


def load_number():
    return 3


def hold_or_times(number, job):
    """Never done if there is something to hold on to."""
    if job == "hold":
        time.sleep(600)
    if job == "die":
        os._exit(1)
    return number * job
