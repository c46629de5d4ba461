"""An ordered map over several processes.

Results come in the order of the jobs, and only a few jobs are on their way at a time,
so that memory stays bounded however many there are. The processes never outlive the
one that started them, nor its interest in their results.
"""

from __future__ import annotations

import contextlib
import copy
import functools
import gc
import math
import multiprocessing
import os
import signal
import sys
import threading
import warnings
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from multiprocessing import parent_process
from multiprocessing.connection import wait
from multiprocessing.context import BaseContext
from typing import Any, TypeVar

from tqdm import tqdm

# Documents with more tokens make hundreds of thousands of objects.
LONG_DOC = 10_000
F = TypeVar("F", bound=Callable[..., Any])
StateT = TypeVar("StateT")
JobT = TypeVar("JobT")
ResultT = TypeVar("ResultT")
T = TypeVar("T")

# Jobs a worker that may be on their way: enough to keep everyone busy, too few to fill
# the memory.
AHEAD = 2


class WorkerDied(RuntimeError):
    """A worker ended before its work was done, for example killed for want of
    memory."""


def count_workers(n_process: int) -> int:
    """The number of workers for a number of processes that a user asks for.

    n_process (int): Processes; below 1 for one a core.
    RETURNS (int): Workers; 0 if a single process is meant, which is this one.
    """
    n = n_process if n_process > 0 else os.cpu_count() or 1
    return n if n > 1 else 0


def in_groups(
    items: Iterable[T], size_of: Callable[[T], int], size: int, most: float = math.inf
) -> Iterator[list[T]]:
    """Items in groups, so that memory stays bounded.

    size_of (Callable): Gives the size of an item.
    size (int): What a group may have in all; a single item may have more.
    most (float): How many items a group may have.
    YIELDS (list): The groups; one that is full does not wait for the next item, which
        in a pipe may take its time.
    """
    group: list[T] = []
    total = 0
    for item in items:
        own = size_of(item)
        if group and total + own > size:
            yield group
            group, total = [], 0
        group.append(item)
        total += own
        if len(group) >= most:
            yield group
            group, total = [], 0
    if group:
        yield group


def progress_bar(title: str, total: int | None, shown: bool = True, **own: Any) -> tqdm:
    """A progress bar on stderr; `own` are settings of tqdm."""
    # Its thread would be in the way of processes that are forked.
    tqdm.monitor_interval = 0
    terminal = sys.stderr.isatty()
    return tqdm(
        total=total,
        desc=title,
        file=sys.stderr,
        disable=not shown,
        # A log file needs no more than a line now and then.
        mininterval=0.2 if terminal else 10,
        dynamic_ncols=terminal,
        **own,
    )


def map_ordered(
    work: Callable[[StateT, JobT], ResultT],
    jobs: Iterable[JobT],
    state: StateT,
    n_workers: int,
    *,
    load: Callable[[], StateT] | None = None,
    context: BaseContext | None = None,
) -> Generator[ResultT, None, None]:
    """Do jobs in other processes, or in this one, and give the results in order.

    Forked workers inherit the state. Those that are started anew (spawn, forkserver)
    load it, or get it pickled if nothing loads it. They ignore Ctrl-C, which reaches
    all processes of a terminal: the parent decides what happens. They end at once when
    the generator is closed, fails or is interrupted, and when the parent dies.

    work (Callable): Gets state and job; a function of a module, or a partial of one.
    jobs (Iterable): The jobs, read at most 2 a worker and 1 ahead of the results.
    state (Any): What all jobs need, a loaded pipeline for example.
    n_workers (int): Processes beside this one; 0 to do the jobs here.
    load (Optional[Callable]): Gives the state to a worker that can't inherit it.
    context (Optional[BaseContext]): How processes are started, by default as
        `multiprocessing` does it.
    YIELDS (Any): The result of each job.
    RAISES (WorkerDied): If a worker ended unexpectedly.
    RAISES (Exception): What a job, `load` or `jobs` raised, in its turn.
    """
    if not n_workers:
        for job in jobs:
            yield work(state, job)
        return
    pool = _start_pool(n_workers, context, _Task(work, state, load))
    pending: deque[Future[ResultT]] = deque()
    try:
        for job in jobs:
            with _naming_dead_workers():
                pending.append(pool.submit(_do, job))
            # Jobs may be large, and the next one may take its time.
            del job
            if len(pending) > AHEAD * n_workers:
                yield _next_result(pending)
        while pending:
            yield _next_result(pending)
        pool.shutdown()
    finally:
        _stop(pool)


def _next_result(pending: deque[Future[ResultT]]) -> ResultT:
    with _naming_dead_workers():
        return pending.popleft().result()


@contextlib.contextmanager
def _naming_dead_workers() -> Generator[None, None, None]:
    try:
        yield
    except BrokenProcessPool as error:
        raise WorkerDied("a worker process ended unexpectedly") from error


@dataclass
class _Task:
    """What a worker does with a job."""

    work: Callable
    state: Any
    load: Callable | None
    loaded: bool = True

    def __getstate__(self) -> dict[str, Any]:
        if self.load is None:
            return self.__dict__
        return {**self.__dict__, "state": None, "loaded": False}

    def do(self, job: Any) -> Any:
        # Not when the worker starts: what is raised there reaches nobody.
        if not self.loaded and self.load is not None:
            self.state = self.load()
            self.loaded = True
            _use_one_thread()
        return self.work(self.state, job)


def _start_pool(
    n_workers: int, context: BaseContext | None, task: _Task
) -> ProcessPoolExecutor:
    """A pool that can end its workers although they ignore SIGTERM: where one has died
    it asks the others to end, and from Python 3.12 on holds its lock until they have."""
    own: Any = copy.copy(context or multiprocessing.get_context())
    make = own.Process

    def make_process(**settings: Any) -> Any:
        process = make(**settings)
        process.terminate = process.kill
        return process

    own.Process = make_process
    return ProcessPoolExecutor(n_workers, own, _start_worker, (task,))


_task: _Task | None = None


def _start_worker(task: _Task) -> None:
    global _task  # noqa: PLW0603
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # Who stops a service may tell all of its processes; its parent ends them.
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    _use_one_thread()
    _task = task


def _do(job: Any) -> Any:
    assert _task is not None
    return _task.do(job)


def _end_with_parent() -> None:
    """A parent that is killed says nothing to its processes."""
    if (parent := parent_process()) is not None:
        wait([parent.sentinel])
        os._exit(1)


def _use_one_thread() -> None:
    """Each process has a core; threads of each would be in the others' way."""
    if (torch := sys.modules.get("torch")) is not None:
        torch.set_num_threads(1)


class Helper:
    """One process that does jobs one after the other, and can be ended in the midst of
    one. It is started anew, never forked, so that others may have threads.

    work (Callable): Gets state and job; a function of a module, or a partial of one.
    load (Callable): Gives the state, in the process, before its first job.
    """

    def __init__(self, work: Callable[[Any, Any], Any], load: Callable[[], Any]):
        self._task = _Task(work, None, load)
        self._pool = self._start()

    def _start(self) -> ProcessPoolExecutor:
        return _start_pool(1, multiprocessing.get_context("spawn"), self._task)

    def submit(self, job: Any) -> Future[Any]:
        """Do a job.

        RETURNS (Future): Its result; raises BrokenProcessPool if the process died.
        """
        try:
            return self._pool.submit(_do, job)
        except BrokenProcessPool:
            # It died while it had nothing to do.
            self.restart()
            return self._pool.submit(_do, job)

    def restart(self) -> None:
        """End the process, whatever it does, and have another one."""
        self.stop()
        self._pool = self._start()

    def stop(self) -> None:
        """End the process."""
        _stop(self._pool)


# Seconds in which the pool's own thread mostly sees that its workers are gone, and that
# it may take at all.
_MOMENT, _PATIENCE = 0.2, 5.0


def _stop(pool: ProcessPoolExecutor) -> None:
    """End the workers at once, if any are left."""
    workers = list((getattr(pool, "_processes", None) or {}).values())
    parts = (("_result_queue", "_writer"), ("_call_queue", "_reader"))
    ends = [getattr(getattr(pool, a, None), b, None) for a, b in parts]
    manager = getattr(pool, "_executor_manager_thread", None)
    pool.shutdown(wait=False, cancel_futures=True)
    for worker in workers:
        # A forked worker may have inherited a handler of the softer signal.
        worker.kill()
    for worker in workers:
        worker.join()
    if manager is not None:
        manager.join(_MOMENT)
    for end in ends:
        # It waits for what a worker has half sent, or for room that none will make.
        if end is not None and (manager is None or manager.is_alive()):
            # The pool's own thread may be closing it at this moment.
            with contextlib.suppress(OSError):
                end.close()
    if manager is not None:
        # At its exit Python writes to a pipe that this thread may be closing.
        manager.join(_PATIENCE)


@contextlib.contextmanager
def without_collection(long: bool = True) -> Iterator[None]:
    """Python's collector of garbage waits: it looks at all objects again and again
    while many are made, and finds hardly any garbage.

    long (bool): Whether that is worth it.
    """
    if not long or not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def reads_documents(method: F) -> F:
    """A component's method of a Doc or of several: it runs without collection if one is
    long, and the component remembers that it has seen words of documents."""

    @functools.wraps(method)
    def run(self: Any, docs: Any, *args: Any) -> Any:
        docs = [*docs] if isinstance(docs, Iterator) else docs
        some = docs if isinstance(docs, (list, tuple)) else (docs,)
        if not all(doc.vocab.in_memory_zone for doc in some):
            self.has_read = True
        with without_collection(any(len(doc) >= LONG_DOC for doc in some)):
            return method(self, docs, *args)

    return run  # type: ignore[return-value]


def warn_of_words(component: Any) -> None:
    """Warn who saves a component whose pipeline has words of documents in its string
    store, which is saved too."""
    if getattr(component, "has_read", False):
        # One line for all components, so that it is shown once.
        words = "documents, and its string store has their words"
        problem = f"{words}: what `nlp.to_disk` writes now would hold them"
        zone = "or process documents in `nlp.memory_zone()`"
        told = f"{problem}. Save a pipeline that was loaded anew, {zone}"
        warnings.warn(f"the pipeline has processed {told}", stacklevel=1)
