"""``wavescope ingest``"""

from __future__ import annotations

import argparse
import json
import re
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    ProgressColumn,
    Task,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.progress import Progress as Bar
from rich.text import Text

from wavescope.catalog.access.accounts import Accounts
from wavescope.catalog.catalog import Catalog
from wavescope.catalog.slide_rows import TITLE_LENGTH, check_id, check_title
from wavescope.cli.configured import config_of
from wavescope.cli.imports.advice import check_arguments, read_part
from wavescope.cli.output import OK, USER_ERROR, print_line, print_stderr, quantity, result
from wavescope.cli.quality import chosen_fields, quality_words, stored_quality
from wavescope.cli.store import opened_catalog
from wavescope.config import Config
from wavescope.errors import InvalidParameter, UnknownSlide, UnknownUser, WavescopeError
from wavescope.geometry import TILE
from wavescope.ingest.memory import limited_memory
from wavescope.ingest.originals import check_keeping
from wavescope.ingest.pipeline import DEIDENTIFIED, Ingested, Options, Progress, ingest
from wavescope.ingest.quality.presets import quality_of
from wavescope.service.jobs.cluster.dask import workers_of
from wavescope.service.quality_maps.scanning import scan_after_import
from wavescope.service.storage import object_backend
from wavescope.source.open import SPECIMEN, fingerprint

ENDINGS = r"(\.ome)?\.[A-Za-z0-9]{1,5}$"
REPORT_SECONDS = 0.1
Report = Callable[[Progress], None]


def run(arguments: argparse.Namespace) -> int:
    """Ingest every FILE; one that fails does not stop the others."""
    check_arguments(arguments)
    if arguments.title:
        check_title(arguments.title)
    config = config_of(arguments)
    if arguments.dask:
        config = replace(config, dask_scheduler=arguments.dask)
    arguments.deidentify = arguments.deidentify or config.deidentify
    if arguments.keep_original:
        for file in arguments.files:
            check_keeping(file, arguments.deidentify)
    ids = _ids(arguments)
    code = OK
    with opened_catalog(config, create=True) as catalog:
        for file, slide_id in ids.items():
            try:
                with limited_memory(config.limits.ingest_memory):
                    _one(file, slide_id, arguments, config, catalog)
            except WavescopeError as error:
                if len(ids) == 1:
                    raise
                print_stderr(str(error))
                code = USER_ERROR
    return code


def slug(source: str) -> str:
    """The default id: the file's name without its endings, in letters that every URL can carry."""
    stem = re.sub(ENDINGS, "", source if source.startswith(SPECIMEN) else Path(source).absolute().name)
    return re.sub(r"[^a-z0-9._]+", "-", stem.lower()).strip("-._")[:128].strip("-._") or "slide"


def _hidden_name(source: str, time: int) -> str:
    """The default id if the file's name may identify a person."""
    return f"{DEIDENTIFIED}-{fingerprint(source, time)[:8]}"


def _ids(arguments: argparse.Namespace) -> dict[str, str]:
    """FILE -> id, each id once."""
    name = partial(_hidden_name, time=arguments.time - 1) if arguments.deidentify else slug
    ids = {file: check_id(arguments.id or name(file)) for file in dict.fromkeys(arguments.files)}
    for file, slide_id in ids.items():
        twin = next((other for other in ids if other != file and ids[other] == slide_id), None)
        if twin is not None:
            raise InvalidParameter("FILE", f"{file} and {twin}", f"names that give different ids, not {slide_id!r}")
    return ids


def _owner(arguments: argparse.Namespace, catalog: Catalog) -> str:
    """The id of the account named by --owner; empty without it. Raises UnknownUser."""
    if not arguments.owner:
        return ""
    user = Accounts(catalog).named(arguments.owner)
    if user is None:
        raise UnknownUser(arguments.owner)
    return user.id


def _one(file: str, slide_id: str, arguments: argparse.Namespace, config: Config, catalog: Catalog) -> None:
    catalog.check_publishable(slide_id)
    known = _made_of(catalog, slide_id)
    quality = quality_of(arguments.quality).name
    mark = fingerprint(file, arguments.time - 1)
    wanted = (mark, quality)
    stored_as = catalog.slides_of_source(mark)
    if arguments.if_new and known is not None and known[:2] == wanted and known[2] >= arguments.deidentify:
        result({"id": slide_id, "unchanged": True}) if arguments.json else print_line(f"{slide_id}: already exists")
        return
    if known is not None and not arguments.id and known[0] != mark:
        # An id made of a file's name must not silently replace a slide of another file.
        raise InvalidParameter("id", slide_id, "one that no slide of another file has; choose or replace with --id")
    title = arguments.title or ("" if known is not None or arguments.deidentify else title_of(file))
    owner, workers, hidden = _owner(arguments, catalog), arguments.workers, arguments.deidentify
    options = Options(slide_id, title, quality, arguments.steps, workers=workers, owner=owner, deidentify=hidden)
    options = replace(options, limits=read_part(arguments, config), backend=object_backend(config))
    options = replace(options, keep_original=_keeps(file, arguments, config), fingerprint=mark)
    began = time.monotonic()
    with progress_reports(arguments, file) as report, workers_of(config, Path(file)) as elsewhere:
        made = ingest(file, config.store, catalog, replace(options, encode_elsewhere=elsewhere), report)
    seconds = time.monotonic() - began
    for notice in filter(None, [*made.notices, scan_after_import(config, catalog, slide_id)]):
        print_stderr(notice)
    if arguments.json:
        result({**summary(made, seconds), "stored_as": stored_as})
    else:
        print_line(_sentence(made, seconds))
        if others := [other for other in stored_as if other != slide_id]:
            print_line(f"  the same file is already stored: {', '.join(others)}")
        if made.dropped is not None:
            print_line(_dropped(made))


def _keeps(file: str, arguments: argparse.Namespace, config: Config) -> bool:
    """Whether the file is stored beside the slide."""
    if arguments.keep_original is None:
        return config.keep_originals and not arguments.deidentify and not file.startswith(SPECIMEN)
    return bool(arguments.keep_original)


def _made_of(catalog: Catalog, slide_id: str) -> tuple[str, str, bool] | None:
    """The fingerprint of the source a slide was made of, the quality, and whether its name is hidden; None if there is
    no such slide.
    """
    try:
        manifest = catalog.get(slide_id).manifest
    except UnknownSlide:
        return None
    source = manifest["source"]
    return str(source["fingerprint"]), stored_quality(manifest), source["name"] == DEIDENTIFIED


def title_of(file: str) -> str:
    """What a new slide is called: the file's name without its endings, as far as it can be shown."""
    if file.startswith(SPECIMEN):
        return f"Synthetic specimen {file.partition('?seed=')[2].partition('&')[0]}".strip()
    stem = re.sub(ENDINGS, "", Path(file).absolute().name)
    return "".join(character for character in stem if character.isprintable()).strip()[:TITLE_LENGTH]


def summary(made: Ingested, seconds: float) -> dict[str, Any]:
    manifest = made.manifest
    megapixels = manifest.width * manifest.height * manifest.planes / 1e6
    return {
        "id": made.slide_id,
        "digest": made.digest,
        "width": manifest.width,
        "height": manifest.height,
        "planes": manifest.planes,
        "levels": manifest.top + 1,
        "profile": manifest.profile,
        "quality": chosen_fields(manifest.to_json()),
        "layers": manifest.layers,
        "bytes": sum(map(sum, manifest.bytes)),
        "tiles": made.tiles,
        "encoded_tiles": made.encoded_tiles,
        "seconds": round(seconds, 3),
        "megapixels_per_second": round(megapixels / max(seconds, 1e-3), 2),
        "dropped": None if made.dropped is None else {"texts": made.dropped.texts, "images": made.dropped.images},
    }


def _sentence(made: Ingested, seconds: float) -> str:
    manifest = made.manifest
    planes = f" x {manifest.planes} planes" if manifest.planes > 1 else ""
    resumed = f", {made.tiles - made.encoded_tiles} tiles of an earlier run kept" if _resumed(made) else ""
    size = quantity(sum(map(sum, manifest.bytes)))
    return (
        f"{made.slide_id}: {manifest.width} x {manifest.height}{planes}, {quality_words(manifest)}, {size}, "
        f"version {made.digest[:12]}, {seconds:.1f} s{resumed}"
    )


def _dropped(made: Ingested) -> str:
    assert made.dropped is not None
    images, texts = ", ".join(made.dropped.images) or "no pictures", ", ".join(made.dropped.texts) or "none"
    return f"  dropped: the file's name; {images}; {len(made.dropped.texts)} texts: {texts}"


def _resumed(made: Ingested) -> bool:
    return made.encoded_tiles < made.tiles


def progress_reports(arguments: argparse.Namespace, name: str) -> AbstractContextManager[Report]:
    """Lines of JSON or a bar, on stderr."""
    return _json_lines() if arguments.json else _bar(name)


@contextmanager
def _json_lines() -> Iterator[Report]:
    """Progress for scripts: a line of JSON on stderr now and then, the last one always."""
    last = 0.0

    def report(progress: Progress) -> None:
        nonlocal last
        now = time.monotonic()
        if now - last >= REPORT_SECONDS or progress.done == progress.total:
            last = now
            print(json.dumps({"event": "progress", **vars(progress)}), file=sys.stderr, flush=True)

    yield report


class _Rate(ProgressColumn):
    """Megapixels of tiles a second."""

    def render(self, task: Task) -> Text:
        if not task.speed:
            return Text("  – Mpx/s")
        return Text(f"{task.speed * TILE * TILE / 1e6:5.1f} Mpx/s")


@contextmanager
def _bar(file: str) -> Iterator[Report]:
    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("tiles"),
        _Rate(),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
    )
    console = Console(stderr=True)
    with Bar(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task(file if file.startswith(SPECIMEN) else Path(file).name, total=None)

        def report(progress: Progress) -> None:
            if bar.tasks[task].total is None:
                bar.reset(task, total=progress.total, completed=progress.done)
            bar.update(task, completed=progress.done)

        yield report
