"""Requests wait in a queue, from which worker processes take batches.

A free worker takes what waits, a document from each request in turn, as one batch: many
clients are served as fast as a file, and a long request does not hold up short ones.
What takes too long is ended with its process, and another one takes its place.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures.process import BrokenProcessPool
from typing import Any, NamedTuple

from ..processes import Helper, WorkerDied

# Of a batch: more would make those wait that come next.
MAX_DOCS, MAX_CHARS = 64, 50_000
# Share of the time of a request that a batch may take: one that is too slow is tried in
# parts, and the rest is for those that waited.
WORK = 1 / 3


class Busy(Exception):
    """Too much is waiting already."""


class _Ticket(NamedTuple):
    """A job of a request: its place there, and its length."""

    request: _Request
    place: int
    job: Any
    size: int


class _Request:
    def __init__(self, jobs: Sequence[Any], sizes: Sequence[int]) -> None:
        pairs = enumerate(zip(jobs, sizes, strict=True))
        self.waiting = deque(_Ticket(self, i, *pair) for i, pair in pairs)
        self.results: list[Any] = [None] * len(jobs)
        self.left = len(jobs)
        loop = asyncio.get_running_loop()
        self.done: asyncio.Future[list[Any]] = loop.create_future()

    def add(self, place: int, result: Any) -> None:
        self.results[place] = result
        self.left -= 1
        if not self.left and not self.done.done():
            self.done.set_result(self.results)


class Crew:
    """Worker processes and what waits for them.

    work (Callable): Gets a state and a batch of jobs, and gives as many results; a
        function of a module.
    load (Callable): Gives the state of a worker.
    n (int): Number of workers.
    hello (Sequence): Jobs that a worker can do when it is ready.
    timeout (float): Seconds a request may take.
    most_waiting (int): Jobs that may wait.
    """

    def __init__(
        self,
        work: Callable[[Any, Any], Any],
        load: Callable[[], Any],
        n: int,
        hello: Sequence[Any],
        timeout: float,
        most_waiting: int,
    ) -> None:
        self.helpers = [Helper(work, load) for _ in range(n)]
        self.hello, self.timeout, self.most_waiting = hello, timeout, most_waiting
        self.ready: set[Helper] = set()
        self.waiting = self.restarts = 0
        self._requests: deque[_Request] = deque()
        self._tasks: list[asyncio.Task] = []
        self._bell = asyncio.Event()

    def start(self) -> list[Any]:
        """Start the workers and wait until they are ready.

        RETURNS (list): What one says to `hello`.
        RAISES (Exception): What `load` raised.
        """
        started = [helper.submit(self.hello) for helper in self.helpers]
        said = [future.result() for future in started]
        self.ready.update(self.helpers)
        return said[0]

    def open(self) -> None:
        """Begin to work, in the running event loop."""
        self._bell = asyncio.Event()
        self._tasks = [asyncio.create_task(self._serve(h)) for h in self.helpers]

    async def stop(self) -> None:
        """Stop to work."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await asyncio.to_thread(self.close)

    def close(self) -> None:
        """End the workers at once."""
        self.ready.clear()
        for helper in self.helpers:
            helper.stop()

    @property
    def is_full(self) -> bool:
        """Whether another request is refused."""
        return self.waiting >= self.most_waiting

    async def do(self, jobs: Sequence[Any], sizes: Sequence[int]) -> list[Any]:
        """Have jobs done.

        jobs (Sequence): The jobs, and `sizes` their characters.
        RETURNS (list): A result a job: an exception for one that went down with its
            worker.
        RAISES (Busy): If too many wait.
        RAISES (asyncio.TimeoutError): If it takes too long.
        """
        if not jobs:
            return []
        # A request that is longer than the queue has it for itself.
        if self.waiting and self.waiting + len(jobs) > self.most_waiting:
            raise Busy
        request = _Request(jobs, sizes)
        self._requests.append(request)
        self.waiting += len(jobs)
        self._bell.set()
        try:
            return await asyncio.wait_for(request.done, self.timeout)
        finally:
            # Of one that is given up nothing more is done.
            self.waiting -= len(request.waiting)
            request.waiting.clear()

    async def _serve(self, helper: Helper) -> None:
        while True:
            while not self.waiting:
                self._bell.clear()
                await self._bell.wait()
            batch = self._take()
            await self._work(helper, batch)

    def _take(self) -> list[_Ticket]:
        """A fair share of what waits, a job of each request in turn."""
        most = min(MAX_DOCS, -(-self.waiting // len(self.helpers)))
        batch: list[_Ticket] = []
        chars = 0
        while self._requests and len(batch) < most and chars < MAX_CHARS:
            if not (request := self._requests.popleft()).waiting:
                continue
            batch.append(request.waiting.popleft())
            chars += batch[-1].size
            self._requests.append(request)
        self.waiting -= len(batch)
        return batch

    async def _work(self, helper: Helper, batch: list[_Ticket]) -> None:
        """Have a worker do a batch. If that takes too long or the worker dies of it, the
        jobs are tried one by one."""
        results: Sequence[Any]
        try:
            future = asyncio.wrap_future(helper.submit([t.job for t in batch]))
            results = await asyncio.wait_for(future, WORK * self.timeout)
        except (asyncio.TimeoutError, BrokenProcessPool) as error:
            await self._restart(helper)
            if len(batch) > 1:
                for ticket in batch:
                    if not ticket.request.done.done():
                        await self._work(helper, [ticket])
                return
            late = isinstance(error, asyncio.TimeoutError)
            results = [TimeoutError() if late else WorkerDied()]
        except Exception as error:
            results = [error] * len(batch)
        for ticket, result in zip(batch, results):
            ticket.request.add(ticket.place, result)

    async def _restart(self, helper: Helper) -> None:
        self.ready.discard(helper)
        self.restarts += 1
        # What fails here fails again, and is told, with the next batch.
        with contextlib.suppress(Exception):
            await asyncio.to_thread(helper.restart)
            await asyncio.wrap_future(helper.submit(self.hello))
            self.ready.add(helper)
