"""Looking at a slide that is still being ingested: tiles straight from its source file, made in a child process.

A file that breaks a reader takes the child with it, not the service.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import sys
import time
from asyncio.subprocess import DEVNULL, PIPE, Process
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from wavescope.config import Limits
from wavescope.errors import MemoryLimit, OutOfRange, SourceError, Unavailable, UnreadableSource, UnsupportedSource
from wavescope.geometry import Pyramid
from wavescope.service.access.gate import Principal
from wavescope.service.jobs.jobs import Jobs
from wavescope.service.slides.images import ImageFormat

CHILDREN = 2  # at one time
WAITING = 64  # orders of one child
IDLE_SECONDS = 120.0
LINE_LIMIT = 1 << 20
CAUSES: dict[str, type[SourceError]] = {"UnsupportedSource": UnsupportedSource, "UnreadableSource": UnreadableSource}


@dataclass(frozen=True)
class PreviewInfo:
    """A slide as its source file describes it."""

    width: int
    height: int
    planes: int
    channels: int
    mpp_x: float | None
    mpp_y: float | None
    objective_power: float | None
    vendor: str | None

    @property
    def pyramid(self) -> Pyramid:
        return Pyramid(self.width, self.height)


class _Child:
    """One running preview process; orders are carried out one after another."""

    def __init__(self, process: Process, path: Path, limits: Limits) -> None:
        self._process, self._path, self._limits = process, path, limits
        self._turn = asyncio.Lock()
        self._waiting = 0
        self.used = time.monotonic()
        self.info: PreviewInfo | None = None

    @classmethod
    async def start(cls, path: Path, limits: Limits) -> _Child:
        """A child that has opened the file. Raises SourceError kinds, MemoryLimit."""
        order = json.dumps(vars(limits))
        command = (sys.executable, "-m", "wavescope.service.jobs.preview_child", str(path), order)
        process = await asyncio.create_subprocess_exec(
            *command, stdin=PIPE, stdout=PIPE, stderr=DEVNULL, limit=LINE_LIMIT
        )
        child = cls(process, path, limits)
        try:
            child.info = PreviewInfo(**await child._head())
        except BaseException:
            await child.end()
            raise
        return child

    async def ask(self, order: dict[str, Any]) -> bytes:
        """Raises SourceError kinds, Unavailable."""
        if self._waiting >= WAITING:
            raise Unavailable("the preview", f"{self._waiting} requests are waiting")
        self._waiting += 1
        try:
            await self._turn.acquire()
            task = asyncio.ensure_future(self._carry_out(order))
            task.add_done_callback(self._done)
            return await asyncio.shield(task)  # once given, an order is answered, even if nobody waits any more
        finally:
            self._waiting -= 1
            self.used = time.monotonic()

    def _done(self, task: asyncio.Task[bytes]) -> None:
        self._turn.release()
        if not task.cancelled():
            task.exception()  # told to whoever still waits

    async def end(self) -> None:
        with contextlib.suppress(ProcessLookupError):
            self._process.kill()
        await self._process.wait()

    @property
    def alive(self) -> bool:
        return self._process.returncode is None

    async def _carry_out(self, order: dict[str, Any]) -> bytes:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        try:
            self._process.stdin.write(json.dumps(order).encode() + b"\n")
            await self._process.stdin.drain()
            head = await self._head()
            return await self._process.stdout.readexactly(head["bytes"])
        except (ConnectionError, asyncio.IncompleteReadError) as broken:
            raise UnreadableSource(self._path, "the reader broke down on this file") from broken

    async def _head(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        line = await self._process.stdout.readline()
        if not line:
            raise UnreadableSource(self._path, "the reader broke down on this file")
        head: dict[str, Any] = json.loads(line)
        if head.get("cause") == MemoryLimit.__name__:
            raise MemoryLimit(self._limits.ingest_memory)
        if "cause" in head:
            raise CAUSES.get(head["cause"], UnreadableSource)(self._path, head["detail"])
        return head


class Previews:
    """Previews of the unfinished jobs of one service. One event loop."""

    def __init__(self, jobs: Jobs, limits: Limits | None = None) -> None:
        self._jobs, self._limits = jobs, limits or Limits()
        self._children: dict[str, _Child] = {}
        self._starting = asyncio.Lock()

    async def info(self, principal: Principal, job_id: str) -> PreviewInfo:
        """Raises Forbidden, UnknownJob (also of a job that has ended), SourceError kinds, MemoryLimit."""
        info = (await self._child(principal, job_id)).info
        assert info is not None
        return info

    async def tile(
        self, principal: Principal, job_id: str, z: int, level: int, x: int, y: int, kind: ImageFormat
    ) -> bytes:
        """A tile of the source as a file. Raises as ``info``, and OutOfRange, Unavailable."""
        child = await self._child(principal, job_id)
        assert child.info is not None
        pyramid = child.info.pyramid
        levels = pyramid.top + 1
        columns, rows = pyramid.tiles(level) if 0 <= level < levels else (0, 0)
        ends = (("z", z, child.info.planes), ("level", level, levels), ("x", x, columns), ("y", y, rows))
        for name, value, end in ends:
            if not 0 <= value < end:
                raise OutOfRange(name, value, f"0 to {end - 1}")
        return await child.ask({"z": z, "level": level, "x": x, "y": y, "kind": kind})

    async def advice(self, principal: Principal, job_id: str, store: Path) -> dict[str, Any]:
        """What ingesting the job's file would take, of either profile. Raises as ``info``, and Unavailable."""
        child = await self._child(principal, job_id)
        found: dict[str, Any] = json.loads(await child.ask({"store": str(store)}))
        return found

    async def sweep(self) -> None:
        """Ends the children that nobody has asked for a while, and those whose job has ended."""
        for job_id, child in list(self._children.items()):
            if not self._jobs.unfinished_job(job_id) or time.monotonic() - child.used > IDLE_SECONDS:
                del self._children[job_id]
                await child.end()

    async def stop(self) -> None:
        while self._children:
            await self._children.popitem()[1].end()

    async def _child(self, principal: Principal, job_id: str) -> _Child:
        path = self._jobs.source(principal, job_id)
        async with self._starting:
            await self.sweep()
            child = self._children.get(job_id)
            if child is None or not child.alive:
                while len(self._children) >= CHILDREN:
                    await self._children.pop(min(self._children, key=self._last_use)).end()
                child = self._children[job_id] = await _Child.start(path, self._limits)
            child.used = time.monotonic()
            return child

    def _last_use(self, job_id: str) -> float:
        return self._children[job_id].used
