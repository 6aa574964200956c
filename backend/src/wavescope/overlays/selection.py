"""The shapes of an overlay that touch a region, tile by tile."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from wavescope.overlays.archive import Archive
from wavescope.overlays.manifest import OverlayManifest
from wavescope.overlays.region import Region
from wavescope.overlays.shapes import QUARTERS, Shapes
from wavescope.overlays.tile import TILE

MAX_LOOKUPS = 1 << 16
"""Tiles that are looked up one by one; for more, all stored ones are listed."""


def shapes_in(archive: Archive, region: Region | None, lowest: int = 0) -> Iterator[Shapes]:
    """The shapes of the levels ``lowest`` and more whose bounding box touches the region, or all, each once; those of
    one tile at a time. Raises CorruptOverlay, Unavailable.
    """
    for place in tiles_in(archive, region, lowest):
        tile = archive.tile(*place)
        found = None if tile is None else touching(tile.shapes, region)
        if found is not None and len(found):
            yield found


def tiles_in(archive: Archive, region: Region | None, lowest: int = 0) -> Iterator[tuple[int, int, int]]:
    """Level, x and y of the tiles that may have such shapes, the top first (OV10)."""
    levels = archive.manifest.top + 1 - lowest
    ranges = [] if region is None else tile_ranges(archive.manifest, region)[:levels]
    if region is not None and sum(len(xs) * len(ys) for _, xs, ys in ranges) <= MAX_LOOKUPS:
        for level, xs, ys in ranges:
            yield from ((level, x, y) for y in ys for x in xs)
        return
    wanted = {level: (xs, ys) for level, xs, ys in ranges}
    for level, x, y in archive.places():
        if level < lowest:
            return
        if region is None or (x in wanted[level][0] and y in wanted[level][1]):
            yield level, x, y


def touching(shapes: Shapes, region: Region | None) -> Shapes:
    """The shapes whose bounding box touches the region."""
    if region is None or len(shapes) == 0:
        return shapes
    least, most = shapes.boxes
    begin = QUARTERS * np.array([region.x, region.y])
    end = begin + QUARTERS * np.array([region.width, region.height])
    return shapes.select(np.flatnonzero(((most >= begin) & (least <= end)).all(axis=1)))


def tile_ranges(manifest: OverlayManifest, region: Region) -> list[tuple[int, range, range]]:
    """For each level from the top: the columns and rows whose shapes may reach the region, a quarter of a tile beyond
    their tile, at the edge of the slide any distance.
    """

    def along(level: int, begin: float, length: float, size: int) -> range:
        side = TILE << level
        last = (size - 1) // side
        first = min(last, max(0, int((begin - side / 4) // side)))
        return range(first, min(last, max(0, int((begin + length + side / 4) // side))) + 1)

    return [
        (
            level,
            along(level, region.x, region.width, manifest.width),
            along(level, region.y, region.height, manifest.height),
        )
        for level in range(manifest.top, -1, -1)
    ]
