"""``wavescope export``: a slide for any web server, or as one file (``spec/static.md``)."""

from __future__ import annotations

import argparse
import asyncio
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from wavescope.api.exported import ExportedImages, own_files
from wavescope.api.http.frontend import THUMBNAIL
from wavescope.api.routes.slides.overlays import OverlayList, overlay_body
from wavescope.api.schemas.annotations import page_text
from wavescope.catalog.annotations import AnnotationTable
from wavescope.catalog.catalog import Catalog
from wavescope.catalog.overlays import OverlayRecord, OverlayTable
from wavescope.cli.configured import config_of
from wavescope.cli.output import OK, print_line, quantity, result
from wavescope.cli.recorded import record
from wavescope.cli.store import opened_catalog
from wavescope.config import Config
from wavescope.errors import InvalidParameter
from wavescope.installation import page_folder
from wavescope.pixels.colour import ColourService
from wavescope.pixels.renderer import PixelRenderer
from wavescope.service.slides.annotations import page_without_authors
from wavescope.service.storage import block_source, object_backend
from wavescope.store.exported.sinks import Sink, check_target, exporting, is_archive
from wavescope.store.exported.version import write_version
from wavescope.store.files.location import damage_of, files_at
from wavescope.store.files.stored import OVERLAYS, StoredFiles
from wavescope.store.layout import StorePaths
from wavescope.store.objects.backend import FolderBackend

PAGE = "exported"
"""The folder of the built page in that of the microscope."""
PACKED = (".br", ".gz")


def run(arguments: argparse.Namespace) -> int:
    """Write the current version with all that the viewer needs; verified, all or nothing."""
    config, target = config_of(arguments), arguments.target
    page = page_files(config, target, arguments.page)
    check_target(target, replace=arguments.replace)
    with opened_catalog(config) as catalog:
        slide = catalog.get(arguments.id)
        overlays = OverlayTable(catalog).of(slide.id) if arguments.overlays else ()
        annotations = _annotations(catalog, config, slide.id) if arguments.annotations else None
        made = asyncio.run(_made(config, slide.digest))
        files = (object_backend(config) or FolderBackend(config.store)).files(slide.digest)
        with exporting(target, replace=arguments.replace) as sink:
            own = own_files(slide, made, annotations, arguments.overlays)
            for path, data in own.items():
                sink.add(path, len(data), [data])
            written = write_version(files, slide.digest, sink)
            if arguments.overlays:
                add_overlays(sink, files_at(StorePaths(config.store), object_backend(config), OVERLAYS), overlays)
            for path, file in page.items():
                sink.add(path, file.stat().st_size, [file.read_bytes()])
            record(catalog, "exported", slide.id, format="wsz" if is_archive(target) else "static")
    if arguments.json:
        facts = {"id": slide.id, "digest": slide.digest, "target": str(target), "bytes": written}
        result({**facts, "page": bool(page), "annotations": annotations is not None, "overlays": len(overlays)})
    else:
        print_line(f"{target}: {quantity(written)}{', with the page' if page else ''}")
    return OK


def page_files(config: Config, target: Path, asked: bool | None) -> dict[str, Path]:
    """The files of the page by their paths in the export. Raises InvalidParameter if there can be none."""
    if asked is False or (asked is None and is_archive(target)):
        return {}
    if is_archive(target):
        raise InvalidParameter("--page", str(target), "a folder: a .wsz file has no page")
    built = (config.frontend or page_folder()) / PAGE
    if not (built / "index.html").is_file():
        raise InvalidParameter("--page", str(built), "a built page (npm run build), or --no-page")
    found = sorted(path for path in built.rglob("*") if path.is_file() and path.suffix not in PACKED)
    return {path.relative_to(built).as_posix(): path for path in found}


def add_overlays(sink: Sink, files: StoredFiles, overlays: Sequence[OverlayRecord]) -> None:
    """The list of OV28 without authors, and each file once (SH34). Raises CorruptOverlay, Unavailable."""
    listed = OverlayList(overlays=[overlay_body(replace(one, author="")) for one in overlays])
    text = listed.model_dump_json().encode()
    sink.add("overlays.json", len(text), [text])
    for file in {one.file.sha256: one.file for one in overlays}.values():
        reason = damage_of(files, file)
        if reason is not None:
            raise files.kind.damaged(file.sha256, reason)
        sink.add(f"overlays/{file.sha256}.pmtiles", file.size, files.chunks(file.sha256))


async def _made(config: Config, digest: str) -> ExportedImages:
    blocks, _ = block_source(config)
    renderer = PixelRenderer(blocks, config.limits)
    try:
        version = await blocks.version(digest)
        colours = ColourService(blocks, config.limits.colour_cache)
        return ExportedImages(await renderer.thumbnail(version, THUMBNAIL, "jpg"), await colours.colour(version))
    finally:
        renderer.close()
        await blocks.close()


def _annotations(catalog: Catalog, config: Config, slide_id: str) -> str:
    """All annotations as one AnnotationList (AN8), without their authors."""
    limits = config.limits
    table = AnnotationTable(catalog.engine, max_objects=limits.annotations, max_classes=limits.annotation_classes)
    return page_text(page_without_authors(table, slide_id), None)
