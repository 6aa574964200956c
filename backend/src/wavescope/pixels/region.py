"""Rectangles of a level, and the parts of tiles that they consist of."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple, get_args

import numpy as np

from wavescope.errors import OutOfRange, TooLarge
from wavescope.geometry import TILE, Address
from wavescope.pixels.images import Pixels
from wavescope.store.version import SlideVersion

Fill = Literal["transparent", "background"]
"""What lies outside of the slide: no colour (a further channel is 0 there, 255 inside), or the colour of empty glass,
which is white; black for a picture of one channel, and for several channels (CM6).
"""
FILLS: tuple[Fill, ...] = get_args(Fill)


class Region(NamedTuple):
    """A rectangle in pixels of one level of one plane. With ``fill`` it may reach beyond the level."""

    z: int
    level: int
    ln_x: int
    ln_y: int
    width: int
    height: int
    fill: Fill | None = None


class TilePart(NamedTuple):
    """The part of a tile that lies in a region: columns from ``x``, rows from ``y`` of the tile, at column ``left`` and
    row ``top`` of the region.
    """

    address: Address
    x: int
    y: int
    width: int
    height: int
    left: int
    top: int

    def within(self, region: Pixels) -> Pixels:
        """The part in the picture of its region."""
        return region[self.top : self.top + self.height, self.left : self.left + self.width]


def check_region(version: SlideVersion, region: Region, area: int) -> None:
    """Returns if the region is not too large, and lies inside its level or says what lies outside.

    Raises OutOfRange, TooLarge.
    """
    version.plane(region.z)
    ln_width, ln_height = version.pyramid.level_size(version.level(region.level))
    for name, start, length, end in (
        ("x", region.ln_x, region.width, ln_width),
        ("y", region.ln_y, region.height, ln_height),
    ):
        side = "width" if name == "x" else "height"
        if length < 1:
            raise OutOfRange(side, length, "at least 1")
        if region.fill is None and (start < 0 or start + length > end):
            raise OutOfRange(f"{name}, {side}", f"[{start}, {start + length})", f"level {region.level} has [0, {end})")
    if region.width * region.height > area:
        raise TooLarge("the region's area in pixels", region.width * region.height, area)


def tile_region(version: SlideVersion, address: Address) -> Region:
    """The part of a tile that lies inside the slide."""
    z, _, level, x, y = address
    return Region(z, level, TILE * x, TILE * y, *version.pyramid.tile_size(level, x, y))


def inside(version: SlideVersion, region: Region) -> Region | None:
    """The part of a region that lies inside its level; None: it lies outside."""
    ln_width, ln_height = version.pyramid.level_size(region.level)
    left, top = max(0, region.ln_x), max(0, region.ln_y)
    right, bottom = min(ln_width, region.ln_x + region.width), min(ln_height, region.ln_y + region.height)
    if left >= right or top >= bottom:
        return None
    return Region(region.z, region.level, left, top, right - left, bottom - top)


def filled(
    region: Region, part: Region | None, pixels: Pixels | None, channels: int, *, dark: bool | None = None
) -> Pixels:
    """The picture of a region with ``fill``; ``pixels``: those of ``part``, which lies inside the level. ``dark``:
    whether empty glass is black, by default in a picture of one channel.
    """
    transparent = region.fill == "transparent"
    colour = 0 if transparent or (channels == 1 if dark is None else dark) else 255
    dtype = np.uint8 if pixels is None else pixels.dtype
    out = np.full((region.height, region.width, channels + transparent), colour, dtype)
    if part is not None and pixels is not None:
        y, x = part.ln_y - region.ln_y, part.ln_x - region.ln_x
        place = out[y : y + part.height, x : x + part.width]
        place[:, :, :channels] = pixels
        place[:, :, channels:] = inside_value(dtype)
    return out


def inside_value(dtype: np.dtype[Any] | type[np.uint8]) -> int:
    """Of the channel that says what lies inside of the slide: 255, of signed samples of 8 bits 127."""
    return min(255, int(np.iinfo(dtype).max))


def parts_of(region: Region, c: int = 0) -> list[TilePart]:
    """The parts of all tiles of a channel group that a region touches, row by row. The region lies inside its level."""
    return [
        TilePart(Address(region.z, c, region.level, column, row), x, y, width, height, left, top)
        for row, y, height, top in _spans(region.ln_y, region.height)
        for column, x, width, left in _spans(region.ln_x, region.width)
    ]


def _spans(start: int, length: int) -> list[tuple[int, int, int, int]]:
    """Along one side: each tile's number, where the region begins in it, how much it contains, and its place there."""
    spans = []
    for number in range(start // TILE, (start + length - 1) // TILE + 1):
        begin, end = max(start, number * TILE), min(start + length, (number + 1) * TILE)
        spans.append((number, begin - number * TILE, end - begin, begin - start))
    return spans


def thumbnail_level(version: SlideVersion, longest: int) -> int:
    """The coarsest level that is not smaller than the thumbnail, or level 0."""
    level = version.top
    while level > 0 and max(version.pyramid.level_size(level)) < longest:
        level -= 1
    return level
