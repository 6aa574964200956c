"""Which blocks the first view of a slide needs, and in which order: pure (WI139, WI140).

The twin of ``firstTiles`` and ``planFetch`` of the page; ``shared/vectors/first-view`` pins both.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from itertools import accumulate
from typing import NamedTuple

from wavescope.blocks.base import BlockRequest
from wavescope.geometry import TILE, Address, Pyramid
from wavescope.store.manifest import Manifest, OccupancyMap
from wavescope.store.version import SlideVersion

COARSEST_PIXEL = 0.5001  # of a device pixel
ALIKE = 0.75  # dB: PSNR measured on a few tiles says no more than this
MAX_BLOCKS = 4096  # of an answer: as many as clients request in one batch
MAX_SIDE = 1 << 14  # pixels of a view

Tile = tuple[int, int]  # column and row


class View(NamedTuple):
    """``width`` x ``height`` pixels of ``level`` from the level-0 pixel (x, y) on plane z. ``level`` None: the whole
    slide in so many device pixels.
    """

    width: int
    height: int
    level: int | None = None
    x: int = 0
    y: int = 0
    z: int | None = None


class Field(NamedTuple):
    """A rectangle of level-0 pixels, by its centre and size, drawn at a level."""

    level: int
    l0_x: float
    l0_y: float
    l0_width: float
    l0_height: float


def first_blocks(version: SlideVersion, view: View, limit: int) -> list[BlockRequest]:
    """At most ``limit`` requests; none where the manifest does not tell which blocks of the plane are stored."""
    manifest = version.manifest
    plane = version.middle_plane if view.z is None else min(view.z, version.planes - 1)
    if version.groups > 1 or manifest.empty is None or manifest.empty.plane != plane:
        return []
    field = field_of(version.pyramid, view)
    blocks = _stored_blocks(version, manifest.empty, field.level, tiles_in(version.pyramid, field))
    coarse_first = sorted(blocks, key=lambda address: -address.level)
    sharp = sharp_layers(manifest, field.level)
    ordered = [
        *_within(coarse_first, 0, 1),
        *_within(blocks, 1, sharp),
        *_within(coarse_first, max(1, sharp), version.layers),
    ]
    return ordered[:limit]


def part_of(requests: Sequence[BlockRequest], part: int, parts: int) -> list[BlockRequest]:
    """The requests of every ``parts``-th block from the block ``part`` on, so that all of a block is in one part
    (WI144).
    """
    places: dict[Address, int] = {}
    for request in requests:
        places.setdefault(request.address, len(places))
    return [request for request in requests if places[request.address] % parts == part]


def field_of(pyramid: Pyramid, view: View) -> Field:
    """Where a view is, and the level that is drawn (WI139)."""
    if view.level is not None:
        l0_width, l0_height = float(view.width << view.level), float(view.height << view.level)
        level = min(view.level, pyramid.top)
        return Field(level, view.x + l0_width / 2, view.y + l0_height / 2, l0_width, l0_height)
    scale = min(view.width / pyramid.width, view.height / pyramid.height)
    level = 0
    while level < pyramid.top and scale * 2**level < COARSEST_PIXEL:
        level += 1
    return Field(level, pyramid.width / 2, pyramid.height / 2, view.width / scale, view.height / scale)


def tiles_in(pyramid: Pyramid, field: Field) -> list[Tile]:
    """The tiles that the field touches, nearest to its centre first."""
    l0_tile = TILE << field.level
    columns, rows = pyramid.tiles(field.level)

    def touched(centre: float, extent: float, count: int) -> range:
        first, last = math.floor((centre - extent / 2) / l0_tile), math.ceil((centre + extent / 2) / l0_tile)
        return range(max(0, first), min(count, last))

    def distance(tile: Tile) -> float:
        x, y = ((number + 0.5) * l0_tile for number in tile)
        return (x - field.l0_x) * (x - field.l0_x) + (y - field.l0_y) * (y - field.l0_y)

    across = touched(field.l0_x, field.l0_width, columns)
    down = touched(field.l0_y, field.l0_height, rows)
    return sorted(((x, y) for y in down for x in across), key=distance)


def sharp_layers(manifest: Manifest, level: int) -> int:
    """How many layers of the tiles of a level are as good as all of level 0."""
    layers = manifest.layers
    psnr = () if manifest.quality is None else manifest.quality.psnr
    end = psnr[0][layers - 1] if psnr else None
    if level == 0 or end is None:
        return layers
    good = (count for count, one in enumerate(psnr[level], 1) if one is not None and one >= end - ALIKE)
    return next(good, layers)


def _stored_blocks(version: SlideVersion, empty: OccupancyMap, level: int, tiles: Iterable[Tile]) -> list[Address]:
    """Each tile and its ancestors, each once, unless nothing is stored for it: a tile, what it alone needs of its
    ancestors, the next tile.
    """
    found: dict[Address, None] = {}
    for x, y in tiles:
        address = Address(empty.plane, 0, level, x, y)
        while address not in found:
            found[address] = None
            if address.level < version.top:
                address = address.parent()
    ends = [list(accumulate(runs)) for runs in empty.runs]

    def is_stored(address: Address) -> bool:
        if address.level == version.top:
            return True
        index = address.y * version.grids[address.level][0] + address.x
        return bisect_right(ends[address.level], index) % 2 == 0

    return list(filter(is_stored, found))


def _within(blocks: Iterable[Address], start: int, stop: int) -> list[BlockRequest]:
    return [BlockRequest(address, range(start, stop)) for address in blocks] if start < stop else []
