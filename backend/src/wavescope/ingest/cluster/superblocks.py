"""One slide across the workers of a cluster: its superblocks there, the levels above them here (CL50 to CL53)."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection
from typing import Any

from wavescope.errors import IngestCancelled
from wavescope.ingest.cluster.client import Cluster
from wavescope.ingest.cluster.division import superblock_level, superblocks
from wavescope.ingest.cluster.orders import Rejected, Superblock
from wavescope.ingest.opened import SourceKey
from wavescope.ingest.plan import Unit
from wavescope.ingest.strip import Encoded
from wavescope.ingest.work import WorkDirectory
from wavescope.kernel.codec import Codec
from wavescope.kernel.wasm import digest as kernel_digest

POLL_SECONDS = 0.2
MAX_IN_FLIGHT = 2
"""Superblocks that are submitted, for each thread: none waits for this process, and few results wait in memory."""


def encode_on(
    cluster: Cluster,
    key: SourceKey,
    work: WorkDirectory,
    codecs: tuple[Codec, ...],
    encoded: Callable[[Encoded], None],
    cancelled: Callable[[], bool],
) -> None:
    """Makes every superblock of which something is missing in the work directory, and stores its units there.

    A worker that is lost, or whose disk is full, costs its superblocks, which others make. Raises SourceError kinds,
    Unavailable, StoreFull, IngestCancelled.
    """
    missing = work.missing()
    threads = max(1, cluster.threads)
    waiting = deque(superblocks(work.plan, missing, superblock_level(work.plan, threads)))
    running: dict[Any, Unit] = {}
    full: list[str] = []

    def submit(root: Unit) -> None:
        order = Superblock(cluster.source, key.fingerprint, key.limits, work.plan, codecs, root, kernel_digest())
        running[cluster.submit(order, full)] = root

    try:
        while waiting or running:
            if cancelled():
                raise IngestCancelled
            while waiting and len(running) < MAX_IN_FLIGHT * threads:
                submit(waiting.popleft())
            future = cluster.next_done(POLL_SECONDS)
            if future is None or future not in running:
                continue
            root, result = running.pop(future), cluster.result(future)
            if isinstance(result, Rejected):
                if not result.full:
                    raise result.error(key.spec, key.limits)
                full.append(result.worker)
                waiting.appendleft(root)
                continue
            _store(work, root, result, missing, encoded)
    finally:
        cluster.cancel(list(running))


def _store(
    work: WorkDirectory,
    root: Unit,
    made: Collection[tuple[Unit, list[Encoded]]],
    missing: Collection[Unit],
    encoded: Callable[[Encoded], None],
) -> None:
    for unit, strips in made:
        if unit in missing:
            work.finish(unit, strips, spill=unit == root)
            for strip in strips:
                encoded(strip)
