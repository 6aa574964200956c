"""An import: a file of shapes, or a raster, becomes an overlay of a slide (OV24 to OV27)."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from wavescope.catalog.catalog import Catalog
from wavescope.catalog.overlays import NewOverlay, OverlayTable, Published, nothing_noted
from wavescope.catalog.slide_rows import source_of
from wavescope.config import Config
from wavescope.overlays.reading.skipped import Skipped
from wavescope.service.overlays.sources import OverlaySource
from wavescope.service.storage import object_backend
from wavescope.store.durable import (
    full_disk_reported,
    locked,
    make_private_directory,
    remove_tree,
    sync_tree,
    write_file,
)
from wavescope.store.files.location import files_at
from wavescope.store.files.stored import CONTENT, OVERLAYS, Staged, StoredFile
from wavescope.store.layout import StorePaths
from wavescope.store.private import make_file

STEPS = 1000
"""Of the progress of an import."""
Progress = Callable[[int], None]
"""Steps of STEPS that are done."""


@dataclass(frozen=True)
class OverlayImport:
    """What is asked of an import. ``id``: of the overlay, that of its job; ``name``: of the overlay; ``author``: who
    imports; ``hidden``: it is shown only when a person asks for it.
    """

    id: str
    slide_id: str
    name: str
    author: str
    source: OverlaySource
    hidden: bool = False


def import_mark(overlay_id: str) -> str:
    """What names the work of an import, as a fingerprint names that of an ingest (see ``discard_ingests``)."""
    return f"overlay:{overlay_id}"


def import_overlay(
    config: Config,
    catalog: Catalog,
    wanted: OverlayImport,
    progress: Progress = lambda _: None,
    published: Published = nothing_noted,
) -> Skipped:
    """Imports the shapes or the raster of a source; what was left out, and notes. What was imported under this id is
    not imported again.

    Raises UnknownSlide, SourceError kinds, MissingPackage, InvalidParameter, TooLarge, StoreFull, StoreBusy,
    Unavailable.
    """
    table = OverlayTable(catalog)
    if table.published(wanted.id):
        return Skipped()
    slide = catalog.get(wanted.slide_id)
    paths = StorePaths(config.store)
    width, height = int(slide.manifest["width"]), int(slide.manifest["height"])
    with _work_folder(paths, wanted.id) as work:
        shapes, staged = work / "shapes", work / "overlay"
        for folder in (shapes, staged):
            make_private_directory(folder)
        content = staged / CONTENT
        make_file(content)
        written = wanted.source.write(shapes, content, (width, height), lambda share: progress(int(STEPS * share)))
        digest, manifest, transform, reported = written
        remove_tree(shapes)
        file = StoredFile(digest, wanted.name, content.stat().st_size, 1, source_of(slide.manifest))
        write_file(staged / OVERLAYS.record, [file.to_json()], private=True)
        sync_tree(staged)
        made = manifest.document()
        new = NewOverlay(wanted.id, wanted.slide_id, wanted.author, made, transform, wanted.hidden)
        files = files_at(paths, object_backend(config), OVERLAYS)
        with (
            files.storing(Staged(file, content, staged), lambda noted: table.expect(wanted.id, noted)) as settle,
            locked(paths.lock, "the store", wait=True),
        ):
            settle()
            table.publish(new, file, published)
    progress(STEPS)
    return reported


@contextmanager
def _work_folder(paths: StorePaths, overlay_id: str) -> Iterator[Path]:
    """An empty folder, removed at the end; an import that was interrupted begins anew."""
    work = paths.ingest / f"overlay-{overlay_id}"
    lock = work.with_name(work.name + ".lock")
    with locked(lock, "this import"), full_disk_reported(paths.root):
        try:
            remove_tree(work)
            make_private_directory(work)
            write_file(work / "plan.json", [json.dumps({"fingerprint": import_mark(overlay_id)}).encode()], sync=False)
            yield work
        finally:
            remove_tree(work)
            lock.unlink(missing_ok=True)
