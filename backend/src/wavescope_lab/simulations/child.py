"""A child process that simulates: one line of JSON in, lines of JSON out. It ends with its standard input."""

from __future__ import annotations

import asyncio
import contextlib
import json
from asyncio.subprocess import Process
from collections.abc import AsyncIterator, Mapping
from typing import Any

from wavescope.service.children import start_child

ENVIRONMENT = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
"""One processor is all that a simulation takes."""


class Child:
    """``python -m module`` with an order."""

    def __init__(self, process: Process) -> None:
        self.process = process

    @classmethod
    async def start(cls, module: str, order: Mapping[str, Any]) -> Child:
        """Raises OSError where no process can be started."""
        return cls(await start_child(module, order, environment=ENVIRONMENT))

    async def messages(self, seconds: float) -> AsyncIterator[dict[str, Any]]:
        """What it reports, until it ends. Raises TimeoutError after so many seconds."""
        assert self.process.stdout is not None
        end = asyncio.get_running_loop().time() + seconds
        while True:
            async with asyncio.timeout_at(end):  # of one line: the next one may be read by another task
                line = await self.process.stdout.readline()
            if not line:
                return
            yield json.loads(line)

    async def stop(self) -> None:
        """Ends it, whatever it does."""
        with contextlib.suppress(ProcessLookupError):
            self.process.kill()
        await self.process.wait()
