"""From the threads of an optimiser, which calls programs synchronously, to model access, which is async.

The optimiser runs in a thread of its own and starts more. Each call of a program goes to the event loop and
is waited for in the thread, so that it passes journal, budget and limits like any other. The loop never
waits for the thread without serving it, and a stop ends every wait.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine, Hashable
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor
from typing import Any, ParamSpec, TypeVar

from salitrap.errors import CallFailed, Interrupted

Result = TypeVar("Result")
Given = ParamSpec("Given")


class Halted(BaseException):
    """Ends the optimiser; no ``Exception``, since optimisers score those as wrong answers and go on."""


class Bridge:
    """Carries calls to the loop it was made in. ``failure`` is what halted it, None while nothing has."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._lock = threading.Lock()
        self._closed = False
        self._tasks: set[asyncio.Task[Any]] = set()
        self._waiting: dict[Hashable, Future[Any]] = {}
        self.failure: Exception | None = None

    def call(self, key: Hashable, make: Callable[[], Coroutine[Any, Any, Result]]) -> Result:
        """Run a coroutine in the loop and wait for it; equal keys at one time are one call.

        Raises:
            CallFailed: no usable reply.
            Halted: the run stops, or something else is wrong; ``failure`` has the reason.
        """
        future = self._started(key, make)
        try:
            return future.result()
        except CallFailed:
            raise
        except CancelledError:
            raise Halted from None
        except Exception as error:
            raise self._halt(error) from error

    def guarded(self, work: Callable[Given, Result]) -> Callable[Given, Result]:
        """``work``, whose faults end the optimiser instead of counting as a wrong answer."""

        def guarding(*args: Given.args, **kwargs: Given.kwargs) -> Result:
            try:
                return work(*args, **kwargs)
            except Exception as error:
                raise self._halt(error) from error

        return guarding

    async def run(self, work: Callable[[], Result]) -> Result:
        """Do ``work`` in a thread of its own. Calls under way end first, unless this is cancelled.

        Raises:
            StoppedError: the run cannot go on.
        """
        pool = ThreadPoolExecutor(1, "optimiser")
        worker = self._loop.run_in_executor(pool, self._ended, work)
        try:
            return await asyncio.shield(worker)
        except asyncio.CancelledError:
            self._close()
            for task in self._tasks:
                task.cancel()
            await asyncio.wait([worker])
            worker.exception()
            raise
        finally:
            self._close()
            pool.shutdown(wait=False)
            await asyncio.gather(*self._tasks, return_exceptions=True)

    def _ended(self, work: Callable[[], Result]) -> Result:
        try:
            made = work()
        except Halted:
            raise self.failure or Interrupted("stopped") from None
        if self.failure is not None:
            raise self.failure
        return made

    def _started(self, key: Hashable, make: Callable[[], Coroutine[Any, Any, Result]]) -> Future[Result]:
        with self._lock:
            if self._closed:
                raise Halted
            if key not in self._waiting:
                self._waiting[key] = asyncio.run_coroutine_threadsafe(self._tracked(key, make), self._loop)
            return self._waiting[key]

    async def _tracked(self, key: Hashable, make: Callable[[], Coroutine[Any, Any, Result]]) -> Result:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        try:
            if self._closed:
                raise asyncio.CancelledError
            return await make()
        finally:
            self._tasks.discard(task)
            with self._lock:
                self._waiting.pop(key, None)

    def _halt(self, error: Exception) -> Halted:
        with self._lock:
            self.failure = self.failure or error
            self._closed = True
        return Halted()

    def _close(self) -> None:
        with self._lock:
            self._closed = True
