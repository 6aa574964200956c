"""The composition of one service: catalog, store, blocks, pixels, jobs."""

from __future__ import annotations

import asyncio
import contextlib
import time

from wavescope.blocks.local import LocalStore
from wavescope.catalog.audit import AuditLog
from wavescope.catalog.cases import Cases
from wavescope.catalog.catalog import Catalog
from wavescope.catalog.jobs import JobTable
from wavescope.catalog.tours import Tours
from wavescope.catalog.trash import Trash
from wavescope.config import Config
from wavescope.errors import StoreBusy, WavescopeError
from wavescope.service.access import Gate, may
from wavescope.service.annotations import Annotations
from wavescope.service.audit import Audit
from wavescope.service.cases import CaseShelf
from wavescope.service.colour import Colours
from wavescope.service.exports import Exports
from wavescope.service.jobs import Jobs, Runner
from wavescope.service.pixels import PixelMaker
from wavescope.service.previews import Previews
from wavescope.service.removal import collect_versions, sweep_ingests
from wavescope.service.runner import ChildRunner
from wavescope.service.slides import Slides
from wavescope.service.tours import TourShelf
from wavescope.service.trash import TrashCan
from wavescope.service.watch import FolderWatch
from wavescope.store.durable import locked
from wavescope.store.layout import StorePaths

COLLECT_EVERY = 300.0  # seconds


class Service:
    """All rooms of a running service; each is asked directly."""

    def __init__(self, config: Config, *, gate: Gate = may, runner: Runner | None = None) -> None:
        self.config = config
        limits = config.limits
        paths = StorePaths(config.store)
        config.store.mkdir(parents=True, exist_ok=True)
        self.catalog = Catalog.open(config.catalog or config.store, trust_seconds=config.catalog_seconds)
        self.blocks = LocalStore(config.store)
        log = AuditLog(self.catalog.engine)
        self.audit = Audit(log, gate, config.audit_addresses, config.audit_seconds)
        self.slides = Slides(self.catalog, paths.slides, gate, limits.open_slides, limits.page_size)
        self.trash = TrashCan(Trash(self.catalog), self.slides, gate, config.trash_seconds)
        self.cases = CaseShelf(Cases(self.catalog), gate)
        self.tours = TourShelf(Tours(self.catalog), gate)
        self.annotations = Annotations(self.catalog, gate, limits)
        self.pixels = PixelMaker(self.blocks, limits)
        self.colours = Colours(self.blocks, limits.colour_cache)
        self.exports = Exports(self.blocks, config.store / "exports", gate, limits)
        runner = runner or ChildRunner(config.store, config.catalog)
        self.jobs = Jobs(JobTable(self.catalog.engine), runner, config.store / "uploads", gate, limits)
        self.previews = Previews(self.jobs)
        self._collector: asyncio.Task[None] | None = None
        self._watcher: asyncio.Task[None] | None = None
        self._held = contextlib.ExitStack()

    async def start(self) -> None:
        """Takes up unfinished jobs; begins to collect old versions."""
        await asyncio.to_thread(self.exports.start)
        if self.config.run_jobs:
            with contextlib.suppress(StoreBusy):  # another service of this store runs the jobs
                self._held.enter_context(locked(self.config.store / "jobs.lock", "the jobs of this store"))
                await self.jobs.start()
                self._watch()
        self._collector = asyncio.create_task(self._collect_often())

    def _watch(self) -> None:
        folder = self.config.watch
        if folder is not None:
            watch = FolderWatch(folder, self.jobs, self.config.store / "watched.json", self.config.watch_seconds)
            self._watcher = asyncio.create_task(watch.run())

    async def stop(self) -> None:
        if self._watcher is not None:
            self._watcher.cancel()
            await asyncio.gather(self._watcher, return_exceptions=True)
        if self._collector is not None:
            self._collector.cancel()
            await asyncio.gather(self._collector, return_exceptions=True)
        await self.previews.stop()
        await self.jobs.stop()
        await self.exports.stop()
        await self.audit.stop()
        self._held.close()
        self.pixels.close()
        self.blocks.close()
        self.catalog.close()

    async def check_ready(self) -> None:
        """Returns if catalog and store answer. Raises Unavailable."""
        await asyncio.to_thread(self.catalog.list, "", 1, 1)

    async def collect(self) -> tuple[str, ...]:
        """Removes the versions that nobody needs any more."""
        retired_before = time.time() - self.config.collect_seconds
        gone = await asyncio.to_thread(
            collect_versions, self.catalog, self.config.store, retired_before, self.blocks.forget
        )
        for digest in gone:
            self.slides.forget(digest)
        return gone

    async def _collect_often(self) -> None:
        while True:
            with contextlib.suppress(WavescopeError, OSError):  # a busy database, a read-only disk: next time
                self.exports.sweep()
                await self.previews.sweep()
                await self.trash.purge_old()
                await self.audit.prune()
                await self.collect()
                await asyncio.to_thread(sweep_ingests, self.catalog, self.config.store)
            await asyncio.sleep(COLLECT_EVERY)
