"""Exports: regions of any size written to files, one after another, with progress, cancellation and an end."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import time
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from threading import Event
from typing import Literal

import numpy as np

from wavescope.blocks.base import BlockSource
from wavescope.config import Limits
from wavescope.errors import InvalidParameter, StoreFull, TooLarge, Unavailable, UnknownExport, WavescopeError
from wavescope.pixels.images import LONGEST_SIDE, Pixels
from wavescope.pixels.region import Region, check_region
from wavescope.pixels.renderer import PixelRenderer
from wavescope.service.access.gate import Gate, Principal, require, require_in_thread
from wavescope.service.exports.decoration import Marks
from wavescope.service.exports.files import sample_bytes, write_image, write_tiff
from wavescope.service.exports.folder import ExportFolder
from wavescope.service.exports.plan import SUFFIX, ArchivePlan, ExportPlan, samples_of, tiles_of
from wavescope.service.nodes.marks import Marks as NodeMarks
from wavescope.service.nodes.node import Node
from wavescope.service.slides.annotations import AnnotationService
from wavescope.store.exported.sinks import ARCHIVE, archive_in
from wavescope.store.exported.version import bytes_of, write_version
from wavescope.store.objects.backend import VersionBackend
from wavescope.store.private import open_new

ExportState = Literal["queued", "running", "done", "failed", "cancelled"]
ENDED: tuple[ExportState, ...] = ("done", "failed", "cancelled")
REPORT_SECONDS = 0.25


@dataclass(frozen=True)
class Estimate:
    """What a file would be: its size judged by samples, the time by how long those took."""

    bytes: int
    seconds: float
    free_bytes: int


@dataclass(frozen=True)
class ExportView:
    """An export as clients see it. ``error`` is {cause, detail}."""

    id: str
    slide_id: str
    filename: str
    plan: ExportPlan | ArchivePlan
    state: ExportState
    done: int
    total: int
    bytes: int | None
    error: dict[str, str] | None
    created: float
    owner: str = ""  # the account that requested it


class _Cancelled(Exception):
    """A client has cancelled this export."""


@dataclass(frozen=True)
class ExportSources:
    """What exports are made of; ``backend`` has the files of the versions."""

    blocks: BlockSource
    annotations: AnnotationService
    backend: VersionBackend


class ExportService:
    """The exports of one service; they end with it. One thread makes their pixels, apart from those of viewers."""

    def __init__(
        self, sources: ExportSources, folder: Path, gate: Gate, limits: Limits, node: Node | None = None
    ) -> None:
        blocks, self._annotations, self._files = sources.blocks, sources.annotations, sources.backend.files
        self._blocks, self._gate, self._limits = blocks, gate, limits
        self._marks = NodeMarks("the export", node)
        self._folder = ExportFolder(folder, limits.export_abandoned_seconds)
        tiles = limits.export_cache // 3
        samples = limits.export_cache - tiles
        own = replace(limits, pixel_threads=1, samples_cache=samples, tiles_cache=tiles, image_cache=1)
        self._pixels = PixelRenderer(blocks, own)
        self._views: dict[str, ExportView] = {}
        self._stops: dict[str, Event] = {}
        self._changed: dict[str, asyncio.Event] = {}
        self._turn = asyncio.Lock()
        self._tasks: set[asyncio.Task[None]] = set()

    def start(self) -> None:
        """Removes what services that were killed have left. Raises OSError."""
        self.sweep_abandoned()

    def sweep_abandoned(self) -> tuple[str, ...]:
        """Removes the folders of services that run no more (ST65); their names. Waits for the disk; raises OSError."""
        return self._folder.sweep()

    def give_up(self) -> None:
        """The service is about to stop: what runs is cancelled."""
        for stop in self._stops.values():
            stop.set()

    async def stop(self) -> None:
        """Ends what runs and removes all files."""
        self.give_up()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._pixels.close()
        await asyncio.to_thread(self._folder.remove)

    def elsewhere(self, export_id: str) -> str | None:
        """The URL of the other node that has this export; None: it is here, or nowhere any more (CL9).

        Raises Unavailable if that node does not answer now.
        """
        return self._marks.elsewhere(export_id)

    def check(self, plan: ExportPlan) -> None:
        """Returns if such a file can be made. Raises OutOfRange, TooLarge, InvalidParameter."""
        if plan.tiff and (plan.has_strip or plan.annotations):
            name = "annotations" if plan.annotations else "scale_bar" if plan.scale_bar else "name"
            raise InvalidParameter(name, True, "png or jpg: nothing is drawn on a TIFF, whose pixels are for analysis")
        limit = self._limits.export_pixels if plan.tiff else self._limits.picture_pixels
        check_region(plan.version, plan.region, limit)
        longest = max(plan.region.width, plan.region.height)
        if plan.kind == "jpg" and longest > LONGEST_SIDE["jpg"]:
            raise TooLarge("the longer side of a jpg picture", longest, LONGEST_SIDE["jpg"])

    async def estimate(self, principal: Principal, slide_id: str, plan: ExportPlan) -> Estimate:
        """Raises Forbidden, OutOfRange, TooLarge, CorruptBlock, CorruptStore."""
        await require_in_thread(self._gate, principal, "export", slide_id)
        if plan.annotations:
            await require_in_thread(self._gate, principal, "view annotations", slide_id)
        self.check(plan)
        begun, size, count = time.monotonic(), 0, 0
        for tile in samples_of(plan.region):
            pixels = await self._read(plan, tile)
            size += await asyncio.to_thread(sample_bytes, plan, pixels)
            count += tile.width * tile.height
        share = plan.pixels / count
        free = self._folder.free_bytes
        return Estimate(round(size * share), (time.monotonic() - begun) * share, free)

    async def create(self, principal: Principal, slide_id: str, plan: ExportPlan) -> ExportView:
        """Queues an export. Raises Forbidden, OutOfRange, TooLarge, StoreFull, Unavailable."""
        estimate = await self.estimate(principal, slide_id, plan)
        region = plan.region
        name = f"{slide_id}_{region.ln_x}-{region.ln_y}_{region.width}x{region.height}_level{region.level}"
        return self._queue(principal, slide_id, plan, f"{name}.{SUFFIX[plan.kind]}", estimate.bytes)

    async def create_archive(self, principal: Principal, slide_id: str, plan: ArchivePlan) -> ExportView:
        """Queues an export of the whole slide (SH10). Raises Forbidden, StoreFull, CorruptStore, Unavailable."""
        await require_in_thread(self._gate, principal, "export", slide_id)
        digest = plan.version.digest
        size = await asyncio.to_thread(lambda: bytes_of(self._files(digest), digest))
        return self._queue(principal, slide_id, plan, f"{slide_id}{ARCHIVE}", size)

    def _queue(
        self, principal: Principal, slide_id: str, plan: ExportPlan | ArchivePlan, filename: str, size: int
    ) -> ExportView:
        if size + self._limits.export_free_bytes > self._folder.free_bytes:
            raise StoreFull(self._folder.path)
        unfinished = sum(view.state not in ENDED for view in self._views.values())
        if unfinished >= self._limits.waiting_exports:
            raise Unavailable("exporting", f"{unfinished} exports are waiting")
        export_id = self._marks.new_id()
        view = ExportView(
            export_id, slide_id, filename, plan, "queued", 0, plan.steps, None, None, time.time(), principal.id
        )
        self._stops[export_id] = Event()
        self._set(view)
        task = asyncio.create_task(self._work(export_id))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return view

    def get(self, principal: Principal, export_id: str) -> ExportView:
        """Raises UnknownExport, Forbidden."""
        view = self._views.get(export_id)
        if view is None or not (principal.has_role("admin") or view.owner == principal.id):
            raise UnknownExport(export_id)
        require(self._gate, principal, "export", view.slide_id)
        return view

    def file(self, principal: Principal, export_id: str) -> Path:
        """The path of the finished file. Raises UnknownExport, Forbidden, Unavailable."""
        view = self.get(principal, export_id)
        if view.state != "done":
            raise Unavailable("the file", f"the export is {view.state}")
        return self._path(export_id)

    async def cancel(self, principal: Principal, export_id: str) -> ExportView:
        """Stops an export that has not ended; forgets one that has, with its file. The export as it is, or was."""
        view = await asyncio.to_thread(self.get, principal, export_id)
        if view.state in ENDED:
            self._forget(export_id)
            return view
        self._stops[export_id].set()
        async for now in self.events(principal, export_id):
            view = now
        return view

    async def events(self, principal: Principal, export_id: str) -> AsyncIterator[ExportView]:
        """The export now and after each change, until it has ended or is forgotten."""
        view: ExportView | None = await asyncio.to_thread(self.get, principal, export_id)
        sent: ExportView | None = None
        while view is not None:
            if view is sent:
                await self._changed.setdefault(export_id, asyncio.Event()).wait()
            else:
                yield view
                sent = view
                if view.state in ENDED:
                    return
                await asyncio.sleep(REPORT_SECONDS)
            view = self._views.get(export_id)

    def sweep(self) -> None:
        """Deletes exports whose time is over, with their files."""
        old = time.time() - self._limits.export_seconds
        for view in list(self._views.values()):
            if view.state in ENDED and view.created < old:
                self._forget(view.id)

    # -- the work

    async def _work(self, export_id: str) -> None:
        plan, stop = self._views[export_id].plan, self._stops[export_id]
        target = self._path(export_id)
        async with self._turn:
            try:
                if stop.is_set():
                    raise _Cancelled
                self._change(export_id, state="running")
                await asyncio.to_thread(self._folder.claim)
                if isinstance(plan, ArchivePlan):
                    await self._write_archive(export_id, plan, target, stop)
                else:
                    icc = await self._blocks.icc_profile(plan.version.digest)
                    marks = await self._marks_of(export_id, plan)
                    await self._write(export_id, plan, target, icc, marks, stop)
                size = (await asyncio.to_thread(target.stat)).st_size
                self._change(export_id, state="done", done=self._views[export_id].total, bytes=size)
            except _Cancelled:
                await asyncio.to_thread(target.unlink, missing_ok=True)
                self._change(export_id, state="cancelled")
            except Exception as failure:  # the reason reaches the user as the export's error
                await asyncio.to_thread(target.unlink, missing_ok=True)
                self._change(export_id, state="failed", error=_reason(failure, target))

    async def _write_archive(self, export_id: str, plan: ArchivePlan, target: Path, stop: Event) -> None:
        loop, digest = asyncio.get_running_loop(), plan.version.digest

        def report(done: int, total: int) -> None:
            if stop.is_set():
                raise _Cancelled
            loop.call_soon_threadsafe(partial(self._change, export_id, done=done, total=total))

        def write() -> None:
            with open_new(target) as out, archive_in(out) as sink:
                for path, data in plan.own.items():
                    sink.add(path, len(data), [data])
                write_version(self._files(digest), digest, sink, report)

        await asyncio.to_thread(write)

    async def _marks_of(self, export_id: str, plan: ExportPlan) -> Marks | None:
        if not plan.annotations:
            return None
        slide_id = self._views[export_id].slide_id
        objects, classes = await asyncio.to_thread(self._annotations.current_objects, slide_id)
        return Marks([one.content for one in objects], classes)

    async def _write(
        self, export_id: str, plan: ExportPlan, target: Path, icc: bytes | None, marks: Marks | None, stop: Event
    ) -> None:
        loop = asyncio.get_running_loop()
        done = 0

        def tiles(image: Region) -> Iterator[Pixels]:
            """In the writer's thread; the pixels come from the event loop's side, one piece at a time."""
            nonlocal done
            for tile in tiles_of(image):
                if stop.is_set():
                    raise _Cancelled
                yield asyncio.run_coroutine_threadsafe(self._read(plan, tile), loop).result()
                done += 1
                loop.call_soon_threadsafe(partial(self._change, export_id, done=done))

        def write() -> None:
            with open_new(target) as out:
                if plan.tiff:
                    write_tiff(out, plan, tiles, icc)
                else:
                    write_image(out, plan, _joined(plan, tiles(plan.region)), icc, marks)

        if plan.tiff:
            await asyncio.to_thread(write)
        else:
            async with self._pixels.budget.hold(plan.region.width * plan.region.height):
                await asyncio.to_thread(write)

    async def _read(self, plan: ExportPlan, tile: Region) -> Pixels:
        return await self._pixels.region_pixels(plan.version, tile, plan.count, plan.mix)

    # -- views

    def _path(self, export_id: str) -> Path:
        return self._folder.path / export_id

    def _change(self, export_id: str, **fields: object) -> None:
        if export_id in self._views:
            self._set(replace(self._views[export_id], **fields))  # type: ignore[arg-type]

    def _set(self, view: ExportView) -> None:
        self._views[view.id] = view
        changed = self._changed.pop(view.id, None)
        if changed is not None:
            changed.set()

    def _forget(self, export_id: str) -> None:
        del self._views[export_id], self._stops[export_id]
        with contextlib.suppress(FileNotFoundError):
            self._path(export_id).unlink()


def _joined(plan: ExportPlan, tiles: Iterator[Pixels]) -> Pixels:
    region = plan.region
    out = np.empty((region.height, region.width, plan.version.picture_channels), np.uint8)
    for tile, pixels in zip(tiles_of(region), tiles, strict=True):
        left, top = tile.ln_x - region.ln_x, tile.ln_y - region.ln_y
        out[top : top + tile.height, left : left + tile.width] = pixels
    return out


def _reason(failure: Exception, target: Path) -> dict[str, str]:
    if isinstance(failure, OSError) and failure.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
        failure = StoreFull(target.parent)
    detail = str(failure) if isinstance(failure, WavescopeError) else f"{type(failure).__name__}: {failure}"
    return {"cause": type(failure).__name__, "detail": detail}
