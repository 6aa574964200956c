"""Overlays for those who may see or change them (OV28 to OV34)."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any, Literal

from wavescope.caches import BoundedCache
from wavescope.catalog.overlays import OverlayRecord, OverlayTable
from wavescope.errors import InvalidParameter
from wavescope.overlays.archive import Archive
from wavescope.overlays.columns import decompressed
from wavescope.overlays.manifest import OverlayManifest
from wavescope.overlays.raster import Affine, paste
from wavescope.overlays.raster_region import numbers_of, part_of
from wavescope.overlays.region import Region
from wavescope.overlays.selection import shapes_in
from wavescope.overlays.shapes import Shapes
from wavescope.overlays.writing.dicom_annotations import dicom_annotations
from wavescope.overlays.writing.geoparquet import geoparquet
from wavescope.overlays.writing.raster import RasterFormat, raster_file
from wavescope.overlays.writing.text import geojson, table
from wavescope.overlays.writing.vector_tile import vector_tile
from wavescope.service.access.gate import Gate, Principal, require_in_thread
from wavescope.service.overlays.opened import opened
from wavescope.store.files.stored import StoredFile, StoredFiles

OPEN = 64
"""Overlays whose directories are in memory."""
TRUST_SECONDS = 10.0
"""For which it is remembered that a slide has an overlay."""
NAME_LENGTH = 200
ShapeFormat = Literal["geojson", "csv", "parquet"]
WRITERS: dict[ShapeFormat, Callable[[Iterable[Shapes], OverlayManifest], Iterator[bytes]]] = {
    "geojson": geojson,
    "csv": table,
    "parquet": geoparquet,
}


class OverlayService:
    """The overlays of the slides of one service."""

    def __init__(self, table: OverlayTable, files: StoredFiles, gate: Gate, most_pixels: int) -> None:
        self._table, self._files, self._gate, self._most_pixels = table, files, gate, most_pixels
        self._archives: BoundedCache[str, Archive] = BoundedCache(OPEN)
        self._known: BoundedCache[tuple[str, str], tuple[float, OverlayRecord]] = BoundedCache(16 * OPEN)

    async def list(self, principal: Principal, slide_id: str) -> tuple[OverlayRecord, ...]:
        """In their order. Raises Forbidden, UnknownSlide."""
        await require_in_thread(self._gate, principal, "view overlays", slide_id)
        return await asyncio.to_thread(self._table.of, slide_id)

    async def get(self, principal: Principal, slide_id: str, overlay_id: str) -> OverlayRecord:
        """Raises Forbidden, UnknownSlide, UnknownOverlay."""
        await require_in_thread(self._gate, principal, "view overlays", slide_id)
        return await asyncio.to_thread(self._table.get, slide_id, overlay_id)

    async def change(
        self, principal: Principal, slide_id: str, overlay_id: str, name: str | None, place: int | None
    ) -> OverlayRecord:
        """Raises Forbidden, UnknownSlide, UnknownOverlay, InvalidParameter."""
        await require_in_thread(self._gate, principal, "edit overlays", slide_id)
        checked = None if name is None else overlay_name(name)
        return await asyncio.to_thread(partial(self._table.change, slide_id, overlay_id, checked, place))

    async def remove(self, principal: Principal, slide_id: str, overlay_id: str) -> OverlayRecord:
        """Raises Forbidden, UnknownSlide, UnknownOverlay."""
        await require_in_thread(self._gate, principal, "edit overlays", slide_id)
        removed = await asyncio.to_thread(self._table.remove, slide_id, overlay_id)
        self._known.drop(lambda key: key[1] == overlay_id)
        return removed

    async def restore(self, principal: Principal, slide_id: str, overlay_id: str) -> OverlayRecord:
        """Raises Forbidden, UnknownSlide, UnknownOverlay."""
        await require_in_thread(self._gate, principal, "edit overlays", slide_id)
        return await asyncio.to_thread(self._table.restore, slide_id, overlay_id)

    async def of_slide(self, slide_id: str, overlay_id: str) -> OverlayRecord:
        """As ``get``, for many requests: the caller has checked that the slide may be seen."""
        known = self._known.find((slide_id, overlay_id))
        if known is not None and time.monotonic() < known[0]:
            return known[1]
        record = await asyncio.to_thread(self._table.get, slide_id, overlay_id)
        self._known.put((slide_id, overlay_id), (time.monotonic() + TRUST_SECONDS, record))
        return record

    async def tile(self, record: OverlayRecord, level: int, x: int, y: int) -> bytes:
        """The gzip member of a tile, whose checksum is right; empty: it is not stored. Raises CorruptOverlay,
        Unavailable.
        """
        return await asyncio.to_thread(self._tile, record, level, x, y)

    def _tile(self, record: OverlayRecord, level: int, x: int, y: int) -> bytes:
        member = self.archive(record.file).member(level, x, y)
        if member is not None:
            decompressed(member)
        return member or b""

    async def export(
        self, principal: Principal, slide_id: str, overlay_id: str, form: ShapeFormat, region: Region | None
    ) -> tuple[OverlayRecord, Iterator[bytes]]:
        """The shapes that touch a region, or all, as a document in pieces, which are made in a thread. Raises
        Forbidden, UnknownSlide, UnknownOverlay, InvalidParameter, MissingPackage, CorruptOverlay, Unavailable.
        """
        record = _of_shapes(await self.get(principal, slide_id, overlay_id))
        archive = await asyncio.to_thread(self.archive, record.file)
        return record, WRITERS[form](shapes_in(archive, region), archive.manifest)

    async def annotations(
        self, principal: Principal, slide_id: str, overlay_id: str, region: Region | None, image: Callable[[], Any]
    ) -> tuple[OverlayRecord, bytes]:
        """The same as a file of DICOM annotations about ``image``, which makes the data set of level 0 in a thread.
        Raises what ``export`` raises, and TooLarge.
        """
        record = _of_shapes(await self.get(principal, slide_id, overlay_id))
        source = f"{record.file.sha256} {region}"

        def made() -> bytes:
            archive = self.archive(record.file)
            shapes = shapes_in(archive, region)
            return dicom_annotations(shapes, archive.manifest, image(), record.file.name, source)

        return record, await asyncio.to_thread(made)

    async def raster_region(
        self, principal: Principal, slide_id: str, overlay_id: str, region: Region, level: int, form: RasterFormat
    ) -> tuple[OverlayRecord, bytes, Affine]:
        """The pixels of a level of a raster that a region touches, as a file, and the transform from them to level 0.
        Raises Forbidden, UnknownSlide, UnknownOverlay, InvalidParameter, TooLarge, CorruptOverlay, Unavailable.
        """
        record = await self.get(principal, slide_id, overlay_id)
        if not record.manifest.get("raster"):
            raise InvalidParameter("overlay", record.file.name, "a raster: an overlay of shapes has no pixels")

        def made() -> tuple[bytes, Affine]:
            archive = self.archive(record.file)
            raster, score = archive.manifest.raster, archive.manifest.score
            assert raster is not None
            part = part_of(raster, region, level, self._most_pixels)
            for place in part.tiles:
                tile = archive.samples(level, *place)
                if tile is not None:
                    paste(part.samples, part.begin, tile, place)
            return raster_file(numbers_of(part.samples, raster, score), form), part.transform

        return record, *await asyncio.to_thread(made)

    async def vector_tile(self, record: OverlayRecord, level: int, x: int, y: int) -> bytes:
        """A Mapbox Vector Tile; empty: nothing is there. Raises InvalidParameter, CorruptOverlay, Unavailable."""
        _of_shapes(record)
        return await asyncio.to_thread(lambda: vector_tile(self.archive(record.file), level, x, y))

    def archive(self, file: StoredFile) -> Archive:
        """Open; waits for the disk. Raises CorruptOverlay, Unavailable."""
        return self._archives.get(file.sha256, lambda: opened(self._files, file))


def _of_shapes(record: OverlayRecord) -> OverlayRecord:
    """The overlay. Raises InvalidParameter for a raster (OV73)."""
    if record.manifest.get("raster"):
        raise InvalidParameter("overlay", record.file.name, "an overlay of shapes: a raster has none")
    return record


def overlay_name(name: str) -> str:
    """The name without surrounding space. Raises InvalidParameter."""
    name = name.strip()
    if not 1 <= len(name) <= NAME_LENGTH or not name.isprintable():
        raise InvalidParameter("name", name[:80], f"1 to {NAME_LENGTH} printable characters")
    return name
