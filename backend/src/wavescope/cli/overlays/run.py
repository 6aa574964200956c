"""``wavescope overlay``"""

from __future__ import annotations

import argparse
import json
import sys
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.progress import Progress as Bar

from wavescope.catalog.catalog import Catalog
from wavescope.catalog.overlays import OverlayRecord, OverlayTable
from wavescope.cli.configured import config_of
from wavescope.cli.output import OK, print_line, print_stderr, quantity, result
from wavescope.cli.recorded import record, system_user
from wavescope.cli.store import opened_catalog
from wavescope.errors import InvalidParameter, UnknownOverlay
from wavescope.overlays.reading.files import Reading, parse_transform
from wavescope.service.overlays.importing import STEPS, OverlayImport, Progress, import_overlay
from wavescope.service.overlays.overlays import overlay_name
from wavescope.service.overlays.sources import OverlaySource, of_file, of_specimen
from wavescope.source.open import SPECIMEN

REPORT_SECONDS = 0.1
TRUTH = SPECIMEN.rstrip(":")
"""As FILE: the cells of the specimen that the slide was made of."""


def add(arguments: argparse.Namespace) -> int:
    """Adds the shapes of a file to a slide."""
    reading = Reading(arguments.score, parse_transform(arguments.transform), arguments.content)
    config = config_of(arguments)
    with opened_catalog(config) as catalog:
        source, file = _source(catalog, arguments, reading)
        name = overlay_name(arguments.name or file.partition(".")[0])
        wanted = OverlayImport(uuid.uuid4().hex, arguments.id, name, system_user(), source)
        with _progress(arguments, file) as progress:
            skipped = import_overlay(config, catalog, wanted, progress)
        record(catalog, "uploaded", arguments.id, overlay=wanted.id, file=file)
        made = OverlayTable(catalog).get(arguments.id, wanted.id)
    for reason in [*skipped.notes, *skipped.reasons]:
        print_stderr(reason)
    if skipped.count:
        print_stderr(f"{skipped.count} shapes were left out")
    if arguments.json:
        result({**_facts(made), "left_out": skipped.count, "notes": skipped.notes})
    else:
        print_line(_sentence(made))
    return OK


def _source(catalog: Catalog, arguments: argparse.Namespace, reading: Reading) -> tuple[OverlaySource, str]:
    """The source and what it is called. Raises InvalidParameter, UnknownSlide."""
    if arguments.file == TRUTH:
        name = str(catalog.get(arguments.id).manifest["source"]["name"])
        if not name.startswith(SPECIMEN):
            raise InvalidParameter("FILE", TRUTH, "a file: this slide was made of no specimen")
        return of_specimen(name, reading), "Cells"
    if arguments.file.startswith(SPECIMEN):
        return of_specimen(arguments.file, reading), "Cells"
    path = Path(arguments.file)
    if not path.exists():
        raise InvalidParameter("FILE", arguments.file, "a file that exists")
    return of_file(path, reading), path.name


def list(arguments: argparse.Namespace) -> int:
    """The overlays of a slide in their order."""
    with opened_catalog(config_of(arguments)) as catalog:
        found = OverlayTable(catalog).of(arguments.id)
    if arguments.json:
        result([_facts(one) for one in found])
        return OK
    for one in found:
        print_line(_sentence(one))
    if not found:
        print_stderr("the slide has no overlays; add one with: wavescope overlay add SLIDE FILE")
    return OK


def remove(arguments: argparse.Namespace) -> int:
    """Deletes an overlay; it can be restored until it is collected."""
    with opened_catalog(config_of(arguments)) as catalog:
        table = OverlayTable(catalog)
        removed = table.remove(arguments.id, _named(table, arguments.id, arguments.overlay))
        record(catalog, "overlay deleted", arguments.id, overlay=removed.id, file=removed.file.name)
    if arguments.json:
        result(_facts(removed))
    else:
        print_line(f"{removed.file.name} is deleted; wavescope overlay restore {arguments.id} {removed.id} restores it")
    return OK


def restore(arguments: argparse.Namespace) -> int:
    """Restores a deleted overlay."""
    with opened_catalog(config_of(arguments)) as catalog:
        restored = OverlayTable(catalog).restore(arguments.id, arguments.overlay)
        record(catalog, "overlay restored", arguments.id, overlay=restored.id, file=restored.file.name)
    if arguments.json:
        result(_facts(restored))
    else:
        print_line(_sentence(restored))
    return OK


def _named(table: OverlayTable, slide_id: str, wanted: str) -> str:
    """The id of an overlay, by its id or its name. Raises UnknownOverlay, InvalidParameter if several have the name."""
    found = table.of(slide_id)
    matches = [one.id for one in found if one.id == wanted] or [one.id for one in found if one.file.name == wanted]
    if len(matches) > 1:
        raise InvalidParameter("OVERLAY", wanted, f"an id: {', '.join(matches)} have this name")
    if not matches:
        raise UnknownOverlay(slide_id, wanted)
    return matches[0]


def _facts(one: OverlayRecord) -> dict[str, Any]:
    facts = {"id": one.id, "name": one.file.name, "digest": one.file.sha256, "bytes": one.file.size}
    kinds = {key: one.manifest[key] for key in ("shapes", "classes", "score")}
    return {**facts, **kinds, "raster": one.manifest.get("raster"), "author": one.author}


def _sentence(one: OverlayRecord) -> str:
    if raster := one.manifest.get("raster"):
        what = f"{raster['kind']} of {raster['width']:,} x {raster['height']:,} pixels"
        return f"{one.id}  {one.file.name}: {what}, {quantity(one.file.size)}"
    shapes, classes, size = one.manifest["shapes"], len(one.manifest["classes"]), one.file.size
    each = f", {size / shapes:.1f} bytes each" if shapes else ""
    return f"{one.id}  {one.file.name}: {shapes:,} shapes in {classes} classes, {quantity(size)}{each}"


@contextmanager
def _progress(arguments: argparse.Namespace, name: str) -> Iterator[Progress]:
    """Lines of JSON or a bar, on stderr."""
    if arguments.json:
        yield _lines()
        return
    console = Console(stderr=True)
    columns = TextColumn("{task.description}", markup=False), BarColumn(), TimeElapsedColumn(), TimeRemainingColumn()
    with Bar(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task(name, total=STEPS)
        yield lambda done: bar.update(task, completed=done)


def _lines() -> Progress:
    last = 0.0

    def report(done: int) -> None:
        nonlocal last
        now = time.monotonic()
        if now - last >= REPORT_SECONDS or done == STEPS:
            last = now
            print(json.dumps({"event": "progress", "done": done, "total": STEPS}), file=sys.stderr, flush=True)

    return report
