"""All periodic work of the service: one list, one supervisor."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Iterable
from functools import partial
from typing import NamedTuple

from wavescope.logs import faults
from wavescope.logs.loggers import get_logger
from wavescope.service.composition import Services
from wavescope.service.nodes.load import MEASURED_SECONDS
from wavescope.service.sessions.open_sessions import UPDATE_SECONDS

CLEAN_EVERY = 300.0  # seconds
NOTE_EVERY = 30.0  # seconds
DISK_EVERY = 60.0  # seconds
STORE_EVERY = 5.0  # seconds
TAKE_OVER_EVERY = 5.0  # seconds
SCORES_EVERY = 5.0  # seconds
STOP_SECONDS = 5.0  # seconds that work in progress has to end when the service stops

log = get_logger(__name__)

Work = Callable[[], Awaitable[object]]


class PeriodicTask(NamedTuple):
    """Work that is done at the start and then every ``seconds`` after its last end."""

    name: str
    seconds: float
    work: Work


def periodic_tasks(services: Services, run_jobs: Work, scan_watched_folder: Work) -> list[PeriodicTask]:
    """What a running service does from time to time. ``run_jobs``: runs the jobs of the store if no other service does;
    ``scan_watched_folder``: finds new files in the watched folder.
    """

    async def expire_exports() -> None:
        services.exports.sweep()

    tasks = [
        PeriodicTask("note the last uses of tokens and links", NOTE_EVERY, _in_thread(services.usage.write)),
        PeriodicTask("look at the disk", DISK_EVERY, services.health.watch_disk),
        PeriodicTask("remove exports that have expired", CLEAN_EVERY, expire_exports),
        PeriodicTask("remove exports of stopped services", CLEAN_EVERY, _in_thread(services.exports.sweep_abandoned)),
        PeriodicTask("store noted jobs", STORE_EVERY, services.jobs.flush_journal),
        PeriodicTask("remove abandoned uploads", CLEAN_EVERY, services.jobs.sweep),
        PeriodicTask("remove uploads that are not resumed", CLEAN_EVERY, _in_thread(services.resumable.sweep)),
        PeriodicTask("remove abandoned ingests", CLEAN_EVERY, services.collector.sweep_ingests),
        PeriodicTask("purge the trash", CLEAN_EVERY, services.trash.purge_old),
        PeriodicTask("collect old slide versions", CLEAN_EVERY, services.collector.collect),
        PeriodicTask("end previews that are not used", CLEAN_EVERY, services.previews.sweep),
        PeriodicTask("update open live sessions", UPDATE_SECONDS, services.sessions.update),
        PeriodicTask("end live sessions that are not used", CLEAN_EVERY, services.sessions.sweep),
        PeriodicTask("remove old entries of the audit log", CLEAN_EVERY, services.audit.prune),
    ]
    if services.lti is not None:
        tasks.append(PeriodicTask("send scores to learning platforms", SCORES_EVERY, services.lti.scores.send_due))
        tasks.append(
            PeriodicTask("read learning platforms", DISK_EVERY, _in_thread(services.lti.platforms.frames.read))
        )
    if services.sessions.shared:
        tasks.append(PeriodicTask("leave live sessions to their owners", UPDATE_SECONDS, services.sessions.drop_lost))
    if services.config.run_jobs:
        tasks.append(PeriodicTask("run the jobs of the store", TAKE_OVER_EVERY, run_jobs))
    if services.load_agent is not None:
        tasks.append(PeriodicTask("measure the load for the balancer", MEASURED_SECONDS, services.load_agent.measure))
    if services.dask is not None:
        tasks.append(PeriodicTask("connect to the ingest cluster", STORE_EVERY, services.dask.connect))
    if services.config.watch is not None:
        tasks.append(PeriodicTask("watch the folder", services.config.watch_seconds, scan_watched_folder))
    return tasks


class Supervisor:
    """Runs periodic tasks beside each other. A task that fails is logged with its traceback and tried again later; a
    failure that only repeats is logged once, and so is its end. Use ``start`` once.
    """

    def __init__(self, tasks: Iterable[PeriodicTask]) -> None:
        self._tasks = tuple(tasks)
        self._stopping = asyncio.Event()
        self._running: list[asyncio.Task[None]] = []

    def start(self) -> None:
        """Begins all tasks."""
        self._running = [asyncio.create_task(self._repeat(task), name=task.name) for task in self._tasks]

    def dead(self) -> tuple[str, ...]:
        """The names of tasks that have ended although they should go on (OP46)."""
        return tuple(task.get_name() for task in self._running if task.done() and not self._stopping.is_set())

    async def stop(self) -> None:
        """Returns when no task runs any more. Work in progress ends; after STOP_SECONDS it is cancelled."""
        self._stopping.set()
        if self._running:
            _, late = await asyncio.wait(self._running, timeout=STOP_SECONDS)
            for task in late:
                task.cancel()
            await asyncio.gather(*self._running, return_exceptions=True)

    async def _repeat(self, task: PeriodicTask) -> None:
        failure = ""
        while not self._stopping.is_set():
            failure = await _attempt(task, failure)
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._stopping.wait(), task.seconds)


async def _attempt(task: PeriodicTask, last_failure: str) -> str:
    """Does the work once; how it failed, or empty."""
    try:
        await task.work()
    except Exception as cause:  # of any kind: the next attempt may succeed, and the other tasks go on
        faults.count("task", task.name)
        failure = f"{type(cause).__name__}: {cause}"
        if failure != last_failure:
            log.exception("periodic task failed", task=task.name, next_seconds=task.seconds)
        return failure
    if last_failure:
        log.info("periodic task succeeds again", task=task.name)
    return ""


def _in_thread(work: Callable[[], object]) -> Work:
    return partial(asyncio.to_thread, work)
