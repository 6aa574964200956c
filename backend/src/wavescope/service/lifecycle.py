"""Starting and stopping the parts of a service."""

from __future__ import annotations

import asyncio
import contextlib

from wavescope.errors import StoreBusy
from wavescope.logs.loggers import get_logger
from wavescope.logs.safe import file_name_of
from wavescope.service.composition import Services
from wavescope.service.jobs.watch import FolderWatch
from wavescope.service.periodic import Supervisor, periodic_tasks
from wavescope.store.durable import locked
from wavescope.store.private import close_exposed

log = get_logger(__name__)


class Lifecycle:
    """One run of a service, from ``start`` to ``stop``."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._locks = contextlib.ExitStack()
        self._supervisor: Supervisor | None = None
        self._watch: FolderWatch | None = None

    async def start(self) -> None:
        """Continues unfinished jobs and begins the periodic work."""
        services = self._services
        services.pixels.start()
        await asyncio.to_thread(self._close_to_others)
        if services.node is not None:
            await services.node.start()
        if services.load_agent is not None:
            await services.load_agent.start()
        await services.grants.start()
        await asyncio.to_thread(services.exports.start)
        services.audit.start()
        services.sessions.start()
        await self._run_jobs()
        self._supervisor = Supervisor(periodic_tasks(services, self._run_jobs, self._look))
        self._supervisor.start()
        services.health.supervise(self._supervisor.dead)
        log.info("service started", access=services.config.access, runs_jobs=services.jobs.started)

    async def stop(self) -> None:
        """Ends all work and closes what is open; also of a service that was not started."""
        services = self._services
        services.retry.stop()
        if self._supervisor is not None:
            await self._supervisor.stop()
        await services.sessions.stop()
        await services.previews.stop()
        for extension in services.extensions.values():
            await extension.stop()
        await services.jobs.stop()
        if services.dask is not None:
            await services.dask.stop()
        await services.exports.stop()
        await services.audit.stop()
        if services.node is not None:
            await services.node.stop()
        if services.load_agent is not None:
            await services.load_agent.stop()
        await services.limiter.close()
        self._locks.close()
        services.pixels.close()
        await services.blocks.close()
        if services.peers is not None:
            await services.peers.close()
        services.catalog.close()
        if services.spans is not None:
            await asyncio.to_thread(services.spans.stop)
        log.info("service stopped")

    async def _run_jobs(self) -> None:
        """Runs the jobs of the store and watches the folder, from when no other service does (OP49)."""
        config, jobs = self._services.config, self._services.jobs
        if jobs.started or not (config.run_jobs or jobs.shared):
            return
        if jobs.shared:
            await jobs.start(run=config.run_jobs)
            self._watch_folder()
            return
        with contextlib.ExitStack() as lock:
            try:
                lock.enter_context(locked(config.store / "jobs.lock", "the jobs of this store"))
            except StoreBusy:
                return
            await jobs.start()
            self._locks.enter_context(lock.pop_all())
        self._watch_folder()
        if self._supervisor is not None:
            await jobs.note_counts()
            known = sum(one.jobs for one in jobs.counted.values())
            log.warning("jobs taken over from a service that has stopped", jobs=known)

    def _watch_folder(self) -> None:
        """From now on ``_look`` ingests what comes into the watched folder, if there is one."""
        config = self._services.config
        if config.watch is not None:
            self._watch = FolderWatch(config.watch, self._services.jobs, config.store / "watched.json")

    async def _look(self) -> None:
        """Looks at the watched folder, if this service watches one."""
        if self._watch is not None:
            await self._watch.scan()

    def _close_to_others(self) -> None:
        """Closes private files that other accounts of this machine could read (PR47)."""
        for path in close_exposed(self._services.config.store):
            log.warning("private file open to other accounts", file=file_name_of(path))
