"""Looking at a slide that is still being ingested: tiles straight from its source file, made in a child process.

A file that breaks a reader ends the child, not the service.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import time
from asyncio.subprocess import Process
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from wavescope.config import Limits
from wavescope.errors import MemoryLimit, OutOfRange, SourceError, Unavailable, UnreadableSource, UnsupportedSource
from wavescope.geometry import Pyramid
from wavescope.pixels.images import ImageFormat
from wavescope.service.access.gate import Principal
from wavescope.service.children import start_child
from wavescope.service.jobs.jobs import JobService
from wavescope.service.outages import OUTAGES

CHILDREN = 2  # at one time
WAITING = 64  # orders of one child
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


class PreviewTile(NamedTuple):
    """Which tile of a source, and as what."""

    z: int
    level: int
    x: int
    y: int
    kind: ImageFormat


class _Child:
    """One running preview process that has opened the file; orders are executed one after another."""

    def __init__(self, process: Process, path: Path, limits: Limits, info: PreviewInfo) -> None:
        self._process, self._path, self._limits, self.info = process, path, limits, info
        self._turn = asyncio.Lock()
        self._waiting = 0
        self._used = time.monotonic()

    @classmethod
    async def start(cls, path: Path, limits: Limits) -> _Child:
        """A child that has opened the file. Raises SourceError kinds, MemoryLimit."""
        order = {"path": str(path), "limits": vars(limits)}
        process = await start_child("wavescope.service.jobs.preview_child", order)
        try:
            info = PreviewInfo(**await _head(process, path, limits))
        except BaseException:
            await _kill(process)
            raise
        return cls(process, path, limits, info)

    async def request(self, order: dict[str, Any]) -> bytes:
        """Raises SourceError kinds, Unavailable."""
        if self._waiting >= WAITING:
            raise Unavailable("the preview", f"{self._waiting} requests are waiting")
        self._waiting += 1
        try:
            await self._turn.acquire()
            task = asyncio.ensure_future(self._execute(order))
            task.add_done_callback(self._done)
            return await asyncio.shield(task)  # once sent, an order is answered, even if its client has gone
        finally:
            self._waiting -= 1
            self.touch()

    def _done(self, task: asyncio.Task[bytes]) -> None:
        self._turn.release()
        if not task.cancelled():
            task.exception()  # raised to the client, unless it has gone

    async def end(self) -> None:
        await _kill(self._process)

    def touch(self) -> None:
        """It is used now."""
        self._used = time.monotonic()

    @property
    def idle(self) -> float:
        """Seconds since its last use."""
        return time.monotonic() - self._used

    @property
    def alive(self) -> bool:
        return self._process.returncode is None

    async def _execute(self, order: dict[str, Any]) -> bytes:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        try:
            self._process.stdin.write(json.dumps(order).encode() + b"\n")
            await self._process.stdin.drain()
            head = await _head(self._process, self._path, self._limits)
            return await self._process.stdout.readexactly(head["bytes"])
        except (ConnectionError, asyncio.IncompleteReadError) as broken:
            raise UnreadableSource(self._path, "the reader broke down on this file") from broken


class PreviewService:
    """Previews of the unfinished jobs of one service. One event loop."""

    def __init__(self, jobs: JobService, store: Path, limits: Limits | None = None) -> None:
        self._jobs, self._store, self._limits = jobs, store, limits or Limits()
        self._children: dict[str, _Child] = {}
        self._starting = asyncio.Lock()

    async def info(self, principal: Principal, job_id: str) -> PreviewInfo:
        """Raises Forbidden, UnknownJob (also of a job that has ended), SourceError kinds, MemoryLimit."""
        return (await self._child(principal, job_id)).info

    async def tile(self, principal: Principal, job_id: str, tile: PreviewTile) -> bytes:
        """A tile of the source as a file. Raises as ``info``, and OutOfRange, Unavailable."""
        child = await self._child(principal, job_id)
        pyramid = child.info.pyramid
        levels = pyramid.top + 1
        columns, rows = pyramid.tiles(tile.level) if 0 <= tile.level < levels else (0, 0)
        ends = {"z": child.info.planes, "level": levels, "x": columns, "y": rows}
        for name, end in ends.items():
            if not 0 <= (value := getattr(tile, name)) < end:
                raise OutOfRange(name, value, f"0 to {end - 1}")
        return await child.request(tile._asdict())

    async def thumbnail(self, principal: Principal, job_id: str) -> bytes:
        """The middle plane as WebP: the finest level of at most 512 pixels a side. Raises as ``tile``."""
        child = await self._child(principal, job_id)
        level = max(0, child.info.pyramid.top - 1)
        return await child.request({"z": child.info.planes // 2, "whole": level, "kind": "webp"})

    async def advice(self, principal: Principal, job_id: str) -> dict[str, Any]:
        """What ingesting the job's file would take, in each profile. Raises as ``info``, and Unavailable."""
        child = await self._child(principal, job_id)
        found: dict[str, Any] = json.loads(await child.request({"store": str(self._store)}))
        return found

    async def sweep(self) -> None:
        """Ends the children that were not used for a while, and those whose job has ended."""
        unfinished = frozenset(self._children)
        with contextlib.suppress(*OUTAGES):
            unfinished = await self._jobs.unfinished()
        for job_id, child in list(self._children.items()):
            if job_id not in unfinished or child.idle > self._limits.preview_seconds:
                del self._children[job_id]
                await child.end()

    async def stop(self) -> None:
        while self._children:
            await self._children.popitem()[1].end()

    async def _child(self, principal: Principal, job_id: str) -> _Child:
        path = await self._jobs.file(principal, job_id)
        async with self._starting:
            await self.sweep()
            child = self._children.get(job_id)
            if child is None or not child.alive:
                while len(self._children) >= CHILDREN:
                    longest = max(self._children, key=lambda other: self._children[other].idle)
                    await self._children.pop(longest).end()
                child = self._children[job_id] = await _Child.start(path, self._limits)
            child.touch()
            return child


async def _head(process: Process, path: Path, limits: Limits) -> dict[str, Any]:
    """The first line of an answer. Raises SourceError kinds, MemoryLimit."""
    assert process.stdout is not None
    line = await process.stdout.readline()
    if not line:
        raise UnreadableSource(path, "the reader broke down on this file")
    head: dict[str, Any] = json.loads(line)
    if head.get("cause") == MemoryLimit.__name__:
        raise MemoryLimit(limits.ingest_memory)
    if "cause" in head:
        raise CAUSES.get(head["cause"], UnreadableSource)(path, head["detail"])
    return head


async def _kill(process: Process) -> None:
    with contextlib.suppress(ProcessLookupError):
        process.kill()
    await process.wait()
