"""A catalog rebuilt from the manifests of the stored slides (ST71), if there is no backup."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from wavescope.catalog.catalog import Catalog
from wavescope.catalog.health import check_integrity, set_aside
from wavescope.catalog.originals.table import OriginalTable
from wavescope.catalog.overlays import OverlayTable
from wavescope.config import Config
from wavescope.errors import CatalogDamaged, CorruptOverlay, CorruptStore
from wavescope.ingest.ingest_source import DEIDENTIFIED
from wavescope.service.opening import url_of, versions_in
from wavescope.service.overlays.opened import opened
from wavescope.service.storage import object_backend
from wavescope.store.durable import locked
from wavescope.store.files.location import files_at
from wavescope.store.files.stored import ORIGINALS, OVERLAYS, StoredFile, StoredFiles
from wavescope.store.layout import PUBLISHED, StorePaths
from wavescope.store.manifest import Manifest, load_manifest
from wavescope.store.objects.backend import ObjectBackend
from wavescope.store.objects.copy import manifest_of

Naming = Callable[[Manifest], tuple[str, str]]
"""The id and title that a slide gets, as an ingest of its source would choose them; the id may be in use."""


@dataclass(frozen=True)
class Rebuilt:
    """What came of it. ``slides``: id -> digest; ``damaged``: versions left out; ``aside``: the damaged catalog."""

    slides: dict[str, str]
    damaged: tuple[CorruptStore, ...]
    aside: Path | None


def rebuild_catalog(config: Config, naming: Naming, *, replace: bool) -> Rebuilt:
    """Adds every stored slide version that no slide of the catalog has, each as a slide of its own.

    The catalog may be missing or intact; a damaged one is set aside if ``replace``, else it raises CatalogDamaged. No
    service may run on the store: StoreBusy.
    """
    paths = StorePaths(config.store)
    jobs = locked(config.store / "jobs.lock", "the jobs of this store")
    with jobs, locked(paths.lock, "the store"):
        aside = None
        try:
            check_integrity(url_of(config))
            catalog = Catalog.open(config.catalog or config.store)
        except CatalogDamaged:
            if not replace:
                raise
            aside = set_aside(url_of(config))
            catalog = Catalog.open(config.catalog or config.store)
        with contextlib.closing(catalog):
            backend = object_backend(config)
            slides, damaged = _added(catalog, paths, backend, naming)
            overlays = files_at(paths, backend, OVERLAYS)
            OverlayTable(catalog).attach(slides, _readable(overlays))
            OriginalTable(catalog).attach(slides, files_at(paths, backend, ORIGINALS).records(), DEIDENTIFIED)
    return Rebuilt(slides, damaged, aside)


def _added(
    catalog: Catalog, paths: StorePaths, backend: ObjectBackend | None, naming: Naming
) -> tuple[dict[str, str], tuple[CorruptStore, ...]]:
    slides: dict[str, str] = {}
    damaged: list[CorruptStore] = []
    unfinished = _unfinished(paths)
    for digest in versions_in(paths.root) if backend is None else backend.digests():
        if digest in unfinished or catalog.has_version(digest):
            continue
        try:
            if backend is None:
                manifest = load_manifest(paths.slides, digest)
            else:
                manifest, _ = manifest_of(backend.files(digest), digest)
        except CorruptStore as error:
            damaged.append(error)
            continue
        wanted, title = naming(manifest)
        slide_id = catalog.free_id(wanted)
        catalog.publish(slide_id, title, digest, manifest.stored_json(), replace=False)
        slides[slide_id] = digest
    return slides, tuple(damaged)


def _readable(files: StoredFiles) -> Iterator[tuple[StoredFile, Mapping[str, Any]]]:
    """The stored overlays with their manifests; those that are damaged are left out."""
    for file in files.records():
        with contextlib.suppress(CorruptOverlay):
            yield file, opened(files, file).manifest.document()


def _unfinished(paths: StorePaths) -> set[str]:
    """Versions moved into place by an interrupted ingest, which publishes them when it is resumed."""
    found = set()
    for file in paths.ingest.glob(f"*/{PUBLISHED}"):
        with contextlib.suppress(OSError, ValueError):
            found.add(file.read_text())
    return found
