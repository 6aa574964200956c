"""Reading what the parts of a service count themselves."""

from __future__ import annotations

import platform
import time
from collections.abc import Callable, Iterable
from functools import cache
from importlib import metadata

from wavescope.api.metrics.registry import Readings, Sample
from wavescope.blocks.measured import Reads
from wavescope.catalog.jobs.table import StateCount
from wavescope.kernel.wasm import KernelNotBuilt, digest
from wavescope.logs import faults
from wavescope.logs.lines import counts
from wavescope.service.composition import Services
from wavescope.service.sessions.open_sessions import SessionCounts
from wavescope.store.space import Space

DISK = {"ok": 0, "low": 1, "full": 2}
BYTES = frozenset({"samples", "tiles", "images", "colours", "blocks"})  # caches that are limited by bytes
KERNEL_DIGITS = 12

Number = Callable[[], float]


def readings_of(services: Services) -> Readings:
    """The readings of everything that is no request."""
    return {
        f"wavescope_{name}": read
        for part in (_numbers, _disk, _jobs, _sessions, _caches, _reads)
        for name, read in part(services).items()
    } | {
        "wavescope_log_lines_total": lambda: sorted(counts.items()),
        "wavescope_faults_total": lambda: sorted(faults.counts.items()),
        "wavescope_build_info": lambda: [(_build(), 1)],
    }


@cache
def _build() -> tuple[str, str, str]:
    try:
        kernel = digest()[:KERNEL_DIGITS]
    except KernelNotBuilt:
        kernel = ""
    return metadata.version("wavescope"), kernel, platform.python_version()


def _one(read: Number) -> Callable[[], Iterable[Sample]]:
    return lambda: [((), read())]


def _numbers(services: Services) -> Readings:
    jobs, threads, budget = services.jobs, services.pixels.threads, services.pixels.budget
    waiting, audit, push = services.retry.waiting, services.audit, services.push
    numbers: dict[str, Number] = {
        "push_connections": lambda: push.connections,
        "push_window_bytes": lambda: push.window,
        "push_connections_opened_total": lambda: push.counts.connections,
        "push_blocks_total": lambda: push.counts.blocks,
        "push_bytes_total": lambda: push.counts.bytes,
        "push_stale_blocks_total": lambda: push.counts.stale,
        "stored_bytes": lambda: services.health.space.stored,
        "original_bytes": lambda: services.health.space.originals,
        "overlay_bytes": lambda: services.health.space.overlays,
        "disk_low_bytes": lambda: services.health.space.low,
        "runs_jobs": lambda: jobs.started,
        "worker_alive": lambda: jobs.worker_alive,
        "periodic_tasks_dead": lambda: services.health.dead,
        "pixel_requests": lambda: threads.requests,
        "pixel_requests_limit": lambda: threads.limit,
        "pixel_requests_refused_total": lambda: threads.rejected,
        "pixel_works_waiting": lambda: threads.waiting,
        "pixel_threads_working": lambda: threads.working,
        "pixel_threads": lambda: threads.threads,
        "assembling_pixels": lambda: budget.held,
        "assembling_pixels_limit": lambda: budget.limit,
        "waiting_for_catalog": lambda: waiting.works,
        "catalog_retries_total": lambda: waiting.retries,
        "audit_failures_total": lambda: audit.failures,
    }
    return {name: _one(read) for name, read in numbers.items()}


def _disk(services: Services) -> Readings:
    """As last looked at; none of a disk that does not answer."""

    def reading(value: Callable[[Space], float]) -> Callable[[], Iterable[Sample]]:
        return lambda: [] if services.health.noted is None else [((), value(services.health.noted))]

    return {
        "disk_free_bytes": reading(lambda disk: disk.free),
        "disk_total_bytes": reading(lambda disk: disk.total),
        "disk_low": reading(lambda disk: DISK[disk.state]),
    }


def _jobs(services: Services) -> Readings:
    jobs = services.jobs

    def ages(since: Callable[[StateCount], float | None]) -> Callable[[], Iterable[Sample]]:
        return lambda: [
            ((state,), max(0.0, time.time() - begin))
            for state, count in jobs.counted.items()
            if (begin := since(count)) is not None
        ]

    return {
        "jobs": lambda: [((state,), count.jobs) for state, count in jobs.counted.items()],
        "job_oldest_seconds": ages(lambda count: count.oldest),
        "job_unchanged_seconds": ages(lambda count: count.unchanged),
        "jobs_ended_total": lambda: [((state,), jobs.ended[state]) for state in ("done", "failed", "cancelled")],
    }


def _sessions(services: Services) -> Readings:
    def reading(value: Callable[[SessionCounts], int]) -> Callable[[], Iterable[Sample]]:
        return lambda: [((), value(services.sessions.attendance()))]

    return {
        "live_sessions": reading(lambda found: found.sessions),
        "live_sessions_occupied": reading(lambda found: found.occupied),
        "live_members": reading(lambda found: found.members),
        "live_connections": reading(lambda found: found.connections),
    }


def _caches(services: Services) -> Readings:
    caches = services.caches
    return {
        "cache_entries": lambda: [((name,), len(one)) for name, one in caches.items()],
        "cache_bytes": lambda: [((name,), one.size) for name, one in caches.items() if name in BYTES],
        "cache_limit": lambda: [((name,), one.limit) for name, one in caches.items()],
        "cache_hits_total": lambda: [((name,), one.hits) for name, one in caches.items()],
        "cache_misses_total": lambda: [((name,), one.misses) for name, one in caches.items()],
    }


def _reads(services: Services) -> Readings:
    of = services.source_reads.of

    def reading(value: Callable[[Reads], float]) -> Callable[[], Iterable[Sample]]:
        return lambda: [((kind,), value(reads)) for kind, reads in of.items()]

    return {
        "block_source_reads_total": reading(lambda reads: reads.count),
        "block_source_bytes_total": reading(lambda reads: reads.bytes),
        "block_source_seconds_total": reading(lambda reads: reads.seconds),
        "block_source_failures_total": lambda: [
            ((kind, cause), count) for kind, reads in of.items() for cause, count in sorted(reads.failures.items())
        ],
    }
