"""Removing old versions and abandoned ingests from the disk."""

from __future__ import annotations

import contextlib
import json
import time
from collections.abc import Callable
from pathlib import Path

from wavescope.catalog.catalog import Catalog
from wavescope.catalog.originals.table import OriginalTable
from wavescope.catalog.overlays import OverlayTable
from wavescope.errors import StoreBusy
from wavescope.store.durable import locked, make_private_directory, remove_tree
from wavescope.store.files.location import files_at
from wavescope.store.files.stored import ORIGINALS, OVERLAYS
from wavescope.store.layout import PUBLISHED, StorePaths
from wavescope.store.objects.backend import ObjectBackend
from wavescope.store.objects.phi import phi_of


def collect_versions(
    catalog: Catalog,
    store: Path,
    retired_before: float,
    forget: Callable[[str], None],
    backend: ObjectBackend | None = None,
) -> tuple[str, ...]:
    """Removes versions retired before that time; the store's lock prevents publishing meanwhile.

    ``backend``: the object store with the versions; there a lease prevents it. None are removed while one of them is
    published again. Raises Unavailable.
    """
    paths = StorePaths(store)

    def remove(digest: str) -> None:
        root = paths.version(digest).root
        grave = paths.ingest / f"removed-{digest}"
        make_private_directory(paths.ingest)
        remove_tree(grave)
        with contextlib.suppress(FileNotFoundError):
            root.rename(grave)  # out of sight at once
        phi_of(paths, backend).drop(digest)
        if backend is not None:
            backend.remove(digest)
        forget(digest)
        remove_tree(grave)

    with locked(paths.lock, "the store", wait=True):
        try:
            return catalog.collect(retired_before, remove)
        except StoreBusy:
            return ()


def collect_originals(
    table: OriginalTable, store: Path, retired_before: float, backend: ObjectBackend | None = None
) -> tuple[str, ...]:
    """Removes original files that no slide has had since that time, and those that no slide got (ST93); their SHA-256.

    One that is being stored stays. Raises Unavailable.
    """
    paths = StorePaths(store)
    originals, gone = files_at(paths, backend, ORIGINALS), []
    for sha256 in table.retired(retired_before):
        with (
            contextlib.suppress(StoreBusy),
            locked(paths.lock, "the store", wait=True),
            originals.removing(sha256),
        ):
            if table.forget(sha256, retired_before, originals.remove):
                gone.append(sha256)
    return tuple(gone)


def collect_overlays(
    table: OverlayTable,
    store: Path,
    removed_before: float,
    left_before: float,
    backend: ObjectBackend | None = None,
) -> tuple[str, ...]:
    """Removes the files of overlays that were deleted until that time, and of those that since ``left_before`` no slide
    has got (OV31); their SHA-256. One that is being stored stays. Raises Unavailable.
    """
    paths = StorePaths(store)
    files, gone = files_at(paths, backend, OVERLAYS), []
    for sha256 in table.due(removed_before, left_before):
        with (
            contextlib.suppress(StoreBusy),
            locked(paths.lock, "the store", wait=True),
            files.removing(sha256),
        ):
            if table.forget(sha256, removed_before, left_before, files.remove):
                gone.append(sha256)
    return tuple(gone)


def sweep_ingests(catalog: Catalog, store: Path, seconds: float) -> tuple[str, ...]:
    """Removes work in progress that was unchanged for so long and that no ingest has locked; its names."""
    paths = StorePaths(store)
    folder = paths.ingest
    removed = []
    for work in sorted(folder.iterdir()) if folder.is_dir() else ():
        if not work.is_dir() or time.time() - _touched(work) < seconds:
            continue
        with contextlib.suppress(StoreBusy):
            _remove_work(work, lambda work: _remove_unpublished(catalog, paths, work))
            removed.append(work.name)
    return tuple(removed)


def discard_ingests(store: Path, fingerprint: str) -> None:
    """Removes the work in progress on a source, unless a process works on it."""
    folder = StorePaths(store).ingest
    for plan in folder.glob("*/plan.json") if folder.is_dir() else ():
        with contextlib.suppress(OSError, ValueError, StoreBusy):
            if json.loads(plan.read_bytes()).get("fingerprint") == fingerprint:
                _remove_work(plan.parent)


def _remove_work(work: Path, first: Callable[[Path], None] = lambda _: None) -> None:
    """Raises StoreBusy if a process works on it."""
    lock = work.with_name(work.name + ".lock")
    with locked(lock, work.name):
        first(work)
        remove_tree(work)
        lock.unlink(missing_ok=True)


def _remove_unpublished(catalog: Catalog, paths: StorePaths, work: Path) -> None:
    """Removes a version that was moved into place by an ingest which ended before the catalog knew of it."""
    with contextlib.suppress(FileNotFoundError):
        digest = (work / PUBLISHED).read_text()
        with locked(paths.lock, "the store", wait=True):
            if digest and not catalog.has_version(digest):
                remove_tree(paths.version(digest).root)


def _touched(work: Path) -> float:
    """When anything in the folder was last written."""
    times = [path.stat().st_mtime for path in (work, *work.rglob("*"))]
    return max(times)
