"""What the workers of a Dask cluster do. The kernel is loaded once per process, its calls do not hold the GIL.

These functions run in threads of a worker. They answer with what they made, or with why they did not (``Rejected``).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from wavescope.errors import IngestCancelled, Unavailable, WavescopeError
from wavescope.ingest.cluster.division import units_of
from wavescope.ingest.cluster.orders import MadeSlide, Rejected, Slide, Superblock, UnitMade
from wavescope.ingest.cluster.scratch import Scratch
from wavescope.ingest.opened import SourceKey, keep_open
from wavescope.ingest.pipeline import Options, ingest
from wavescope.ingest.progress import Progress
from wavescope.ingest.spill import write_spill
from wavescope.ingest.strip import Encoded, Task, encode_strip, spill_path
from wavescope.kernel.wasm import digest as kernel_digest
from wavescope.store.files.stored import NewVersion, StoredFile
from wavescope.store.objects.backend import ObjectBackend
from wavescope.store.objects.client import Objects

REPORT_SECONDS = 0.5
NO_LL = np.empty((0, 0, 0), np.int16)


def encode_superblock(order: Superblock) -> list[UnitMade] | Rejected:
    """All units of a superblock, children first; only the last one has its LL, for the parent."""
    try:
        _check_kernel(order.kernel)
        with _scratch().source(order.source) as path, _scratch().folder() as spills:
            return _encoded(order, SourceKey(str(path), order.fingerprint, order.limits), spills)
    except WavescopeError as error:
        return Rejected.of(error, _worker_name())


def ingest_slide(order: Slide, topic: str) -> MadeSlide | Rejected:
    """A whole slide: its version is in the object store then. ``topic``: of the progress that is reported."""
    try:
        _check_kernel(order.kernel)
        with _scratch().source(order.source) as path, _scratch().folder() as store:
            return _ingested(order, path, store, topic)
    except WavescopeError as error:
        return Rejected.of(error, _worker_name())


def _encoded(order: Superblock, key: SourceKey, spills: Path) -> list[UnitMade]:
    made: list[UnitMade] = []
    stopped = _stopped()
    with keep_open(key):
        for unit in units_of(order.plan, order.root):
            strips = []
            for strip in range(order.plan.strips(unit)):
                if stopped():
                    raise IngestCancelled
                strips.append(encode_strip(Task(key, spills, order.plan, order.codecs[unit.c], unit, strip)))
            if unit != order.root:
                write_spill(spill_path(spills, unit), [one.spill for one in strips])
                strips = [Encoded(one.blocks, NO_LL) for one in strips]
            for child in order.plan.children(unit):
                spill_path(spills, child).unlink(missing_ok=True)
            made.append((unit, strips))
    return made


class _Recorder:
    """Stands for the catalog, which workers do not reach: the node that asked for the slide publishes it."""

    manifest: Mapping[str, Any] = {}

    def publish_version(
        self, slide_id: str, title: str, version: NewVersion, *, replace: bool = True, owner: str = ""
    ) -> object:
        self.manifest = dict(version.manifest)
        return self

    def expect_original(self, original: StoredFile) -> None:
        """Whole slides are ingested without their original file."""


def _ingested(order: Slide, path: Path, store: Path, topic: str) -> MadeSlide:
    backend = ObjectBackend(Objects.at(order.source.location, order.source.seconds))
    options = Options(
        "slide",
        quality=order.quality,
        channel_quality=order.channel_quality,
        workers=1,
        deidentify=order.deidentify,
        limits=order.limits,
        backend=backend,
    )
    recorder = _Recorder()
    made = ingest(path, store, recorder, options, _reporter(topic), _stopped())
    return MadeSlide(made.digest, made.manifest.source.fingerprint, recorder.manifest, made.tiles, made.notices)


def _check_kernel(expected: str) -> None:
    """Another kernel would make other bytes. Raises Unavailable."""
    if kernel_digest() != expected:
        raise Unavailable("the worker", "it runs another version of Wavescope")


# --- the worker itself -------------------------------------------------------------------------------------------


@cache
def _scratch_at(folder: str) -> Scratch:
    return Scratch(Path(folder))


def _scratch() -> Scratch:
    from distributed import get_worker

    return _scratch_at(f"{get_worker().local_directory}/wavescope")


def _worker_name() -> str:
    from distributed import get_worker

    return str(get_worker().address)


def _reporter(topic: str) -> Callable[[Progress], None]:
    """Progress goes to all clients that follow the topic, now and then."""
    from distributed import get_worker

    worker, last = get_worker(), [0.0]

    def report(progress: Progress) -> None:
        now = time.monotonic()
        if now - last[0] >= REPORT_SECONDS or progress.done == progress.total:
            last[0] = now
            worker.log_event(topic, {"done": progress.done, "total": progress.total})

    return report


def _stopped() -> Callable[[], bool]:
    """Whether nobody waits for the result of this task any more: it was cancelled, or its client has gone."""
    from distributed import get_worker

    worker = get_worker()
    key = worker.get_current_task()

    def stopped() -> bool:
        task = worker.state.tasks.get(key)
        return task is None or task.state in ("cancelled", "resumed")

    return stopped
