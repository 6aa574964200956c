"""The event loop of reads that a thread waits for: one thread of each process."""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Coroutine
from typing import Any, TypeVar

Result = TypeVar("Result")

_lock = threading.Lock()
_loops: dict[int, asyncio.AbstractEventLoop] = {}  # by process: a fork has no threads of its parent


def run(work: Coroutine[Any, Any, Result]) -> Result:
    """The result of ``work``, for any thread; one with an event loop of its own is blocked meanwhile."""
    future = asyncio.run_coroutine_threadsafe(work, _loop())
    try:
        return future.result()
    except BaseException:
        future.cancel()
        raise


def _loop() -> asyncio.AbstractEventLoop:
    with _lock:
        found = _loops.get(os.getpid())
        if found is None:
            found = _loops[os.getpid()] = asyncio.new_event_loop()
            threading.Thread(target=found.run_forever, name="wavescope-objects", daemon=True).start()
        return found
