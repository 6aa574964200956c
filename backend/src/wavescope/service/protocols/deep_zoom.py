"""Deep Zoom: its levels and tiles as regions of ours (DZ1 to DZ4), and tiles by z/x/y (DZ5)."""

from __future__ import annotations

from functools import partial
from typing import Literal, NamedTuple, get_args

import numpy as np

from wavescope.errors import OutOfRange
from wavescope.geometry import TILE, ceil_div
from wavescope.pixels.images import Pixels, encode_image
from wavescope.pixels.region import Region
from wavescope.pixels.renderer import DerivedImage
from wavescope.store.version import SlideVersion

DeepZoomFormat = Literal["jpg", "png"]
FORMATS: tuple[DeepZoomFormat, ...] = get_args(DeepZoomFormat)
TILE_SIZE = {0: TILE, 1: TILE - 2}
"""By overlap: a tile with its overlaps is at most as large as one of ours."""
NAMESPACE = "http://schemas.microsoft.com/deepzoom/2008"


class DeepZoomTile(NamedTuple):
    """Of the level with 2^level >= the slide's longer side the last one is full resolution."""

    overlap: int
    level: int
    column: int
    row: int


def descriptor(version: SlideVersion, overlap: int, kind: DeepZoomFormat) -> bytes:
    """The file ``.dzi``. Raises OutOfRange."""
    width, height = version.pyramid
    return (
        f'<?xml version="1.0" encoding="UTF-8"?><Image xmlns="{NAMESPACE}" Format="{kind}" Overlap="{overlap}" '
        f'TileSize="{_tile_size(overlap)}"><Size Width="{width}" Height="{height}"/></Image>'
    ).encode()


def top_level(version: SlideVersion) -> int:
    """The level of full resolution."""
    return (max(version.pyramid) - 1).bit_length()


def deep_zoom_image(version: SlideVersion, tile: DeepZoomTile, kind: DeepZoomFormat, plane: int) -> DerivedImage:
    """How a tile is made: a region of our level, or of the levels above our last one a reduction of that (DZ3).

    Raises OutOfRange.
    """
    size, top = _tile_size(tile.overlap), top_level(version)
    if not 0 <= tile.level <= top:
        raise OutOfRange("level", tile.level, f"0 to {top}")
    reduced = top - tile.level
    width, height = version.pyramid.level_size(reduced)
    left, wide = _span("column", tile.column, size, tile.overlap, width)
    upper, high = _span("row", tile.row, size, tile.overlap, height)
    level = min(reduced, version.top)
    if reduced == level:
        region, factor = Region(plane, level, left, upper, wide, high), 1
    else:  # a level that is smaller than one tile, so the tile is the whole of it
        region, factor = Region(plane, level, 0, 0, *version.pyramid.level_size(level)), 1 << (reduced - level)
    return DerivedImage(region, (region, factor, kind), region.width * region.height, partial(_reduced, factor, kind))


def xyz_region(version: SlideVersion, zoom: int, column: int, row: int, plane: int) -> Region:
    """A tile of which zoom 0 is the whole slide; always a whole tile, white outside of the slide (DZ5).

    Raises OutOfRange.
    """
    if not 0 <= zoom <= version.top:
        raise OutOfRange("zoom", zoom, f"0 to {version.top}")
    level = version.top - zoom
    version.tile(plane, level, column, row)
    return Region(plane, level, TILE * column, TILE * row, TILE, TILE, "background")


def reduce_image(pixels: Pixels, factor: int) -> Pixels:
    """The means of squares of ``factor`` pixels (height, width, channels); those at the border have fewer pixels."""
    height, width = pixels.shape[:2]
    rows, columns = np.arange(0, height, factor), np.arange(0, width, factor)
    sums = np.add.reduceat(np.add.reduceat(pixels.astype(np.uint32), rows, axis=0), columns, axis=1)
    counts = np.minimum(factor, height - rows)[:, None, None] * np.minimum(factor, width - columns)[None, :, None]
    means: Pixels = ((sums + counts // 2) // counts).astype(np.uint8)
    return means


def _reduced(factor: int, kind: DeepZoomFormat, pixels: Pixels) -> bytes:
    return encode_image(pixels if factor == 1 else reduce_image(pixels, factor), kind)


def _tile_size(overlap: int) -> int:
    if overlap not in TILE_SIZE:
        raise OutOfRange("overlap", overlap, "0 or 1")
    return TILE_SIZE[overlap]


def _span(name: str, number: int, size: int, overlap: int, end: int) -> tuple[int, int]:
    """Where a tile begins along one side, and how long it is. Raises OutOfRange."""
    count = ceil_div(end, size)
    if not 0 <= number < count:
        raise OutOfRange(name, number, f"0 to {count - 1}")
    start, stop = max(0, number * size - overlap), min(end, (number + 1) * size + overlap)
    return start, stop - start
