"""The queue: fair shares, batches, limits; and what is ended does not hold up others."""

import asyncio
import threading
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool

import pytest

from spacy_deid.processes import WorkerDied
from spacy_deid.service import crew as crew_module
from spacy_deid.service.crew import Busy, Crew


class Thread:
    """In place of a process: a thread. A job that is an exception is raised."""

    def __init__(self, work, load):
        self.work, self.state = work, load()
        self.batches, self.restarts = [], 0
        self.pool = ThreadPoolExecutor(1)

    def submit(self, jobs):
        self.batches.append(jobs)
        if "die" in jobs:
            future = Future()
            future.set_exception(BrokenProcessPool())
            return future
        return self.pool.submit(self.work, self.state, jobs)

    def restart(self):
        self.restarts += 1
        self.stop()
        self.pool = ThreadPoolExecutor(1)

    def stop(self):
        self.pool.shutdown(wait=False)


def double(gate, jobs):
    for job in jobs:
        if job == "wait":
            gate.wait(5)
        if isinstance(job, Exception):
            raise job
    return [2 * job for job in jobs]


@pytest.fixture
def gate():
    made = threading.Event()
    yield made
    made.set()


@pytest.fixture
def run(monkeypatch, gate):
    monkeypatch.setattr(crew_module, "Helper", Thread)

    def run(use, n=1, timeout=5.0, most=100):
        async def main():
            crew = Crew(double, lambda: gate, n, [1], timeout, most)
            assert crew.start() == [2] and len(crew.ready) == n
            crew.open()
            try:
                return await use(crew)
            finally:
                await crew.stop()

        return asyncio.run(main())

    return run


def ask(crew, *jobs, size=1):
    return asyncio.create_task(crew.do(jobs, [size] * len(jobs)))


async def until(told):
    while not told():
        await asyncio.sleep(0)


async def hold(crew):
    """A job that is under way until the gate is opened."""
    held = ask(crew, "wait")
    await until(lambda: crew.waiting == 0 and len(crew.helpers[0].batches) == 2)
    return held


def test_each_request_gets_its_own(run):
    async def use(crew):
        assert await crew.do([], []) == []
        for i, task in enumerate([ask(crew, *range(i, i + 3)) for i in range(32)]):
            assert await task == [2 * j for j in range(i, i + 3)]
        assert crew.waiting == 0

    run(use, n=2, most=1000)


def test_what_waits_is_one_batch_with_a_job_of_each_in_turn(run, gate):
    async def use(crew):
        held = await hold(crew)
        asked = [ask(crew, 1, 2, 3), ask(crew, 10), ask(crew, 20, 30)]
        await until(lambda: crew.waiting == 6)
        gate.set()
        await asyncio.gather(held, *asked)
        assert crew.helpers[0].batches[2:] == [[1, 10, 20, 2, 30, 3]]

    run(use)


def test_batches_are_bounded(run, gate, monkeypatch):
    monkeypatch.setattr(crew_module, "MAX_DOCS", 4)
    monkeypatch.setattr(crew_module, "MAX_CHARS", 50)

    async def use(crew):
        held = await hold(crew)
        asked = [ask(crew, 1, 2, 3, size=30), ask(crew, *range(4, 10))]
        await until(lambda: crew.waiting == 9)
        gate.set()
        await asyncio.gather(held, *asked)
        assert crew.helpers[0].batches[2:] == [[1, 4, 2], [5, 3, 6, 7], [8, 9]]

    run(use)


def test_too_much_is_refused(run, gate):
    async def use(crew):
        held = await hold(crew)
        # One alone may be longer than the queue.
        first = ask(crew, *range(5))
        await until(lambda: crew.waiting == 5)
        assert crew.is_full
        with pytest.raises(Busy):
            await crew.do([1], [1])
        gate.set()
        await asyncio.gather(held, first)
        assert not crew.is_full and await crew.do([1], [1]) == [2]

    run(use, most=5)


def test_what_takes_too_long_is_ended_and_the_others_go_on(run):
    async def use(crew):
        results = await asyncio.gather(*(ask(crew, j) for j in (1, "wait", 2)))
        assert (results[0], results[2]) == ([2], [4])
        assert isinstance(results[1][0], TimeoutError)
        assert crew.restarts == 2 and crew.ready == {*crew.helpers}

    run(use, timeout=1.8)


def test_nothing_is_done_for_who_has_given_up(run, gate):
    async def use(crew):
        held = await hold(crew)
        late = ask(crew, 7, 8)
        await until(lambda: crew.waiting == 2)
        late.cancel()
        await asyncio.gather(late, return_exceptions=True)
        assert crew.waiting == 0
        gate.set()
        await held
        assert await crew.do([1], [1]) == [2] and [7, 8] not in crew.helpers[0].batches

    run(use)


def test_a_dead_worker_costs_the_document_that_killed_it(run):
    async def use(crew):
        results = await asyncio.gather(*(ask(crew, j) for j in (1, "die", 2)))
        assert (results[0], results[2]) == ([2], [4])
        assert isinstance(results[1][0], WorkerDied)
        error = ValueError("no")
        assert await crew.do([error], [1]) == [error]

    run(use)
