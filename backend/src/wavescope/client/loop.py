"""The event loop of synchronous calls: one thread of each process, begun anew after a fork."""

from __future__ import annotations

import asyncio
import atexit
import ctypes
import os
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import Future
from contextlib import suppress
from typing import Any, TypeVar
from weakref import WeakSet

Result = TypeVar("Result")
Closing = Callable[[], Coroutine[Any, Any, None]]

STOP_SECONDS = 5.0


class Runner:
    """A thread with an event loop. ``opened``: what is closed when the process ends."""

    def __init__(self) -> None:
        self.opened: set[Closing] = set()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="wavescope-client", daemon=True)
        self._thread.start()

    def run(self, work: Coroutine[Any, Any, Result]) -> Result:
        """The result of ``work``. An interrupt of the caller cancels it. From any thread but its own."""
        if threading.current_thread() is self._thread:
            work.close()
            raise RuntimeError("a synchronous call inside of the client's own event loop; await the one of client.aio")
        future = self.start(work)
        try:
            return future.result()
        except BaseException:
            future.cancel()
            raise

    def start(self, work: Coroutine[Any, Any, Result]) -> Future[Result]:
        """Begins ``work`` without waiting for it. From any thread."""
        return asyncio.run_coroutine_threadsafe(work, self._loop)

    def stop(self) -> None:
        """Closes what is open, and ends the thread."""

        async def close() -> None:
            for each in list(self.opened):
                with suppress(Exception):
                    await each()

        with suppress(Exception):
            asyncio.run_coroutine_threadsafe(close(), self._loop).result(STOP_SECONDS)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(STOP_SECONDS)


_lock = threading.Lock()
_runner: Runner | None = None
_users: WeakSet[Any] = WeakSet()


def runner() -> Runner:
    """That of this process."""
    global _runner
    with _lock:
        if _runner is None:
            _runner = Runner()
            atexit.register(_runner.stop)
        return _runner


def after_fork(user: Any) -> None:
    """``user._forked()`` is called in each child process that this one forks."""
    _users.add(user)


def _in_child() -> None:
    """The threads of the parent do not exist here, and its locks may be held for ever.

    The parent's connections stay referenced, even when this process ends: what is freed is closed, and closing takes a
    socket out of the epoll instance that both processes share, so that the parent would wait for it in vain.
    """
    global _lock, _runner
    if _runner is not None:
        atexit.unregister(_runner.stop)
        ctypes.pythonapi.Py_IncRef(ctypes.py_object(_runner))
    _lock, _runner = threading.Lock(), None
    for user in list(_users):
        user._forked()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_in_child)
