"""The child process of one ingest job: ``python -m wavescope.service.jobs.child``. It reads its order, a line of JSON,
and reports in lines of JSON:

{"fingerprint": "5f3a..."}    {"done": 12, "total": 340}    {"slide_id": "cmu-1"}
{"notice": "..."}             {"cause": "UnreadableSource", "detail": "..."}
{"waiting": "..."}            the catalog does not answer: its driver's words, for the log
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
import threading
import time
import traceback
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

from wavescope.catalog.catalog import Catalog
from wavescope.catalog.jobs.queue import Lease
from wavescope.catalog.overlays import nothing_noted
from wavescope.config import Config, Limits
from wavescope.errors import CatalogAway, StaleVersion, UnsupportedSource, WavescopeError
from wavescope.ingest.memory import limited_memory
from wavescope.ingest.pipeline import Options, Publisher, ingest
from wavescope.ingest.progress import Progress
from wavescope.ingest.quality.presets import DEFAULT
from wavescope.ingest.stored_source import PREFIX, spec_of
from wavescope.overlays.reading.columns import Transform
from wavescope.overlays.reading.files import Reading
from wavescope.service.children import received_order
from wavescope.service.jobs.cluster.dask import keeps_original, reading_limits, workers_of
from wavescope.service.jobs.cluster.naming import Named, named
from wavescope.service.jobs.runs import LEASE
from wavescope.service.opening import open_catalog
from wavescope.service.outages import Backoff
from wavescope.service.overlays.importing import STEPS as OVERLAY_STEPS
from wavescope.service.overlays.importing import OverlayImport, import_mark, import_overlay
from wavescope.service.overlays.sources import of_file
from wavescope.service.quality_maps.scanning import scan_after_import
from wavescope.service.storage import object_backend, version_in_folder
from wavescope.source.base import reader_limits
from wavescope.source.open import fingerprint
from wavescope.store.exported.reading import is_export
from wavescope.store.objects.client import SECONDS

SPARE_SECONDS = 2.0  # to note that the node is lost; another one takes its jobs after LAPSE_SECONDS
HIDDEN = "Overlay"  # instead of the name of a file, where that may identify the patient
STEP = 0.002  # of the whole: reports are not sent more finely


def main(order: dict[str, Any]) -> int:
    """Executes the order; reports every outcome that a user may see."""
    limits = Limits(**order.get("limits", {}))
    try:
        with limited_memory(limits.ingest_memory):
            config = Config(
                store=Path(order["store"]),
                catalog=order["catalog"],
                slide_store=order.get("slide_store", ""),
                slide_store_seconds=order.get("slide_store_seconds", SECONDS),
                dask_scheduler=order.get("dask_scheduler", ""),
                limits=limits,
                keep_originals=order.get("keep_originals", False),
            )
            slide_id = waiting_for_catalog(
                lambda: run(Path(order["path"]), config, order["options"]), Backoff(limits.database_seconds)
            )
        report(slide_id=slide_id)
    except WavescopeError as error:
        report(cause=type(error).__name__, detail=str(error))
    except Exception as error:  # a mistake of ours: the job must end with more than an exit code
        traceback.print_exc()
        report(cause=type(error).__name__, detail=f"{type(error).__name__}: {error}")
    return 0


def waiting_for_catalog(work: Callable[[], str], backoff: Backoff) -> str:
    """Repeats an ingest that the catalog interrupted: what is encoded is on the disk, and is not encoded again.

    Raises CatalogAway when ``backoff`` allows no more, and as ``work``.
    """
    failures, since = 0, 0.0
    while True:
        try:
            return work()
        except CatalogAway as cause:
            since = since if failures else time.monotonic()
            failures += 1
            pause = backoff.pause(failures, time.monotonic() - since)
            if pause is None:
                raise
            report(waiting=cause.cause)
            time.sleep(pause)


def run(path: Path, config: Config, options: dict[str, Any]) -> str:
    """The id of the published slide. A given id may be one that exists: then it gets a new version."""
    catalog = open_catalog(config)
    publisher: Publisher = catalog
    if LEASE in options:  # published once, even if nodes are lost (CL43)
        publisher = catalog.on_publish(Lease(path.parent.name, options[LEASE]).note_published)
    job = path.parent.name if LEASE in options else ""
    deidentify, quality = bool(options.get("deidentify")), options.get("quality", DEFAULT)
    limits, of_channels = reading_limits(config, options), str(options.get("channel_quality", ""))

    def ingested(as_: Named) -> str:
        how = Options(as_.slide_id, as_.title, quality, replace=as_.replace, owner=as_.owner, deidentify=deidentify)
        with workers_of(config, path, job) as elsewhere:
            how = replace(how, limits=limits, backend=object_backend(config), channel_quality=of_channels)
            how = replace(how, encode_elsewhere=elsewhere, keep_original=keeps_original(config, options))
            how = replace(how, fingerprint=mark)
            made = ingest(path, config.store, publisher, how, Reporter())
        for notice in filter(None, [*made.notices, scan_after_import(config, catalog, made.slide_id)]):
            report(notice=notice)
        return made.slide_id

    try:
        if options.get("overlay_of"):
            return add_overlay(path, config, catalog, options)
        if options.get("reencodes"):
            return reencode(config, catalog, publisher, options)
        mark = fingerprint(path, limits.time)
        report(fingerprint=mark)
        return named(catalog, options, stem_of(path), mark, ingested)
    finally:
        catalog.close()


def stem_of(path: Path) -> str:
    """The name of a file or folder without its suffix; of an unpacked export all of it: the suffix went before."""
    return path.name if path.is_dir() and is_export(path) else path.stem


def reencode(config: Config, catalog: Catalog, publisher: Publisher, options: dict[str, Any]) -> str:
    """A new version of a slide from its stored one (ST68). Raises StaleVersion if the slide has another one now."""
    slide_id, digest = options["id"], options["reencodes"]
    report(fingerprint=f"{PREFIX}{digest}")
    catalog.check_publishable(slide_id)
    if catalog.resolve(slide_id) != digest:
        raise StaleVersion(slide_id, digest)
    how = Options(
        slide_id, quality=options["quality"], limits=reader_limits(config.limits), backend=object_backend(config)
    )
    with version_in_folder(config, digest, "reencode") as folder:
        return ingest(spec_of(folder, digest), config.store, publisher, how, Reporter()).slide_id


def add_overlay(path: Path, config: Config, catalog: Catalog, options: dict[str, Any]) -> str:
    """Adds the shapes of a file to a slide; the overlay has the id of the job (OV24). The id of the slide."""
    job, slide_id = path.parent.name, str(options["overlay_of"])
    report(fingerprint=import_mark(job))
    transform = cast(Transform, tuple(options["transform"])) if options.get("transform") else None
    reading = Reading(options.get("score", ""), transform, options.get("content", ""))
    source = of_file(element_of(path, str(options.get("element", ""))), reading)
    name = options.get("title") or (HIDDEN if options.get("deidentify") else path.stem)
    wanted = OverlayImport(job, slide_id, name, options.get("author", ""), source)
    noted = Lease(job, options[LEASE]).note_published if LEASE in options else nothing_noted
    skipped = import_overlay(config, catalog, wanted, lambda done: report(done=done, total=OVERLAY_STEPS), noted)
    left = [f"{skipped.count} shapes were left out: {'; '.join(skipped.reasons)}"] if skipped.count else []
    if notices := [*skipped.notes, *left]:
        report(notice="; ".join(notices)[:2000])
    return slide_id


def element_of(path: Path, element: str) -> Path:
    """The part of a folder that is read (OV62). Raises UnsupportedSource."""
    if element and not (path / element).is_dir():
        raise UnsupportedSource(path, f"it has no element {element!r}")
    return path / element


class Reporter:
    """Reports progress from time to time."""

    def __init__(self) -> None:
        self._reported = -1.0

    def __call__(self, progress: Progress) -> None:
        share = progress.done / max(1, progress.total)
        if share - self._reported >= STEP or share == 1:
            self._reported = share
            report(done=progress.done, total=progress.total)


def report(**message: Any) -> None:
    """One line for the service."""
    print(json.dumps(message), flush=True)


def end_with_parent(order: dict[str, Any]) -> None:
    """An ingest nobody follows any more stops; it can be killed at any moment and resumed."""
    while os.read(0, 4096):  # not sys.stdin: its lock, held here, would abort the interpreter's end
        pass
    with contextlib.suppress(Exception):  # a loss that is not noted counts
        spare(order)
    os._exit(1)


def spare(order: dict[str, Any]) -> None:
    """Notes that the node of this ingest was lost, and not because of the ingest (CL42)."""
    if LEASE in (options := order["options"]):
        threading.Thread(target=_exit_later, daemon=True).start()
        catalog = open_catalog(Config(store=Path(order["store"]), catalog=order["catalog"]))
        Lease(Path(order["path"]).parent.name, options[LEASE]).spare(catalog.engine)


def _exit_later() -> None:
    time.sleep(SPARE_SECONDS)
    os._exit(1)


if __name__ == "__main__":
    with contextlib.suppress(OSError):
        os.nice(10)  # viewing comes first
    received = received_order()
    threading.Thread(target=end_with_parent, args=(received,), daemon=True).start()
    sys.exit(main(received))
