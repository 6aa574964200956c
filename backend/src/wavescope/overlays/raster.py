"""Rasters of an overlay: tiles of samples, and the levels above (OV65 to OV69). Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from wavescope.errors import CorruptOverlay
from wavescope.overlays.columns import Columns, compressed, decompressed, planes
from wavescope.overlays.region import Region

SIDE = 512
"""Pixels of the tile's own level along its side."""
MAX_SAMPLE = 65535
MAX_SIDE = 1 << 18
"""Of a raster, in pixels: of one row of tiles all samples are in memory."""
NO_VALUE = 0
"""The sample where a raster has no value, or no label."""

Kind = Literal["values", "labels"]
Samples = NDArray[np.uint16]
Affine = tuple[float, float, float, float, float, float]


@dataclass(frozen=True)
class Raster:
    """What a reader needs to know of a raster (OV65). ``last``: its largest sample; ``transform``: from its pixels to
    those of the slide's level 0, ``x' = a x + b y + c, y' = d x + e y + f``; ``exact``: whether samples are the
    source's values, not rounded; ``labels``: the label of each class, in order; without, every label is of class 0;
    ``bytes``: of the tiles of each level (OV74), None: not known.
    """

    kind: Kind
    width: int
    height: int
    last: int
    transform: Affine
    exact: bool
    labels: tuple[int, ...] = ()
    bytes: tuple[int, ...] | None = None

    def document(self) -> dict[str, Any]:
        lists = {"transform": list(self.transform), "labels": list(self.labels)}
        found = {**vars(self), **lists, "bytes": list(self.bytes or ())}
        return {key: value for key, value in found.items() if key != "bytes" or self.bytes is not None}

    @property
    def top(self) -> int:
        """The first level that is one tile."""
        return max(0, (-(-max(self.width, self.height) // SIDE) - 1).bit_length())

    def size_at(self, level: int) -> tuple[int, int]:
        """Width and height of a level in pixels."""
        return -(-self.width >> level), -(-self.height >> level)

    def tile_shape(self, level: int, x: int, y: int) -> tuple[int, int]:
        """Rows and columns of a tile; not above 0: there is none."""
        width, height = self.size_at(level)
        return min(SIDE, height - y * SIDE), min(SIDE, width - x * SIDE)


def raster_of(document: Any) -> Raster | None:
    """Of a manifest's ``raster``. Raises CorruptOverlay."""
    if document is None:
        return None
    try:
        kind = document["kind"]
        transform = tuple(float(one) for one in document["transform"])
        labels = tuple(int(one) for one in document["labels"])
        width, height, last = (int(document[name]) for name in ("width", "height", "last"))
        exact, sizes = bool(document["exact"]), document.get("bytes")
        levels = None if sizes is None else tuple(int(one) for one in sizes)
    except (KeyError, TypeError, ValueError) as error:
        raise CorruptOverlay(f"the manifest describes no raster: {error!r}") from error
    right = (
        kind in ("values", "labels")
        and 1 <= width <= MAX_SIDE
        and 1 <= height <= MAX_SIDE
        and 1 <= last <= MAX_SAMPLE
        and len(transform) == 6
        and bool(np.isfinite(transform).all())
        and abs(transform[0] * transform[4] - transform[1] * transform[3]) > 0
        and all(0 < one <= MAX_SAMPLE for one in labels)
        and len(set(labels)) == len(labels)
        and (levels is None or all(0 <= one < 1 << 53 for one in levels))
    )
    if not right:
        raise CorruptOverlay("the manifest describes an impossible raster")
    raster = Raster(kind, width, height, last, transform, exact, labels, levels)  # type: ignore[arg-type]  # six, as checked
    if levels is not None and len(levels) != raster.top + 1:
        raise CorruptOverlay("the manifest has the bytes of other levels")
    return raster


MAX_DIFFERENCE = (1 << 15) - 1
PREDICTORS = 4
"""Ways in which a sample is expected (OV68): 0, that to the left, that above, both less the one between them."""


def encoded_raster(samples: Samples, kind: Kind) -> bytes:
    """The gzip member of a tile (rows, columns): the differences that are expected to be smallest when compressed."""
    tried = [_differences(samples, predictor) for predictor in range(PREDICTORS)]
    best = min(range(PREDICTORS), key=lambda one: _cost(tried[one]))
    parts = [bytes([best]), *planes(tried[best].ravel().view(np.int16), signed=True)]
    member = compressed(parts, repeats=True)
    return member if kind == "labels" else min(member, compressed(parts, repeats=False), key=len)


def decoded_raster(member: bytes, raster: Raster, level: int, x: int, y: int) -> Samples:
    """Samples (rows, columns) of a tile. Raises CorruptOverlay."""
    rows, columns = raster.tile_shape(level, x, y)
    if not (0 <= level <= raster.top and min(x, y) >= 0 and min(rows, columns) > 0):
        raise CorruptOverlay(f"tile {x}, {y} of level {level} lies outside of the raster")
    plain = decompressed(member)
    if not plain or plain[0] >= PREDICTORS:
        raise CorruptOverlay("a tile of unknown differences")
    reader = Columns(plain[1:])
    found = reader.signed(rows * columns)
    reader.end()
    if found.min() < -MAX_DIFFERENCE - 1 or found.max() > MAX_DIFFERENCE:
        raise CorruptOverlay("a difference of more than 16 bits")
    differences = found.astype(np.uint16).reshape(rows, columns)
    if plain[0] & 1:
        differences = np.cumsum(differences, axis=1, dtype=np.uint16)
    if plain[0] & 2:
        differences = np.cumsum(differences, axis=0, dtype=np.uint16)
    if int(differences.max()) > raster.last:
        raise CorruptOverlay("a sample that is larger than the largest one")
    return differences


def reduced(samples: Samples, kind: Kind) -> Samples:
    """The level above (OV67): of labels every second one of every second row, of values the means of those in each
    2 x 2 that are there, halves rounded up.
    """
    if kind == "labels":
        return np.ascontiguousarray(samples[::2, ::2])
    rows, columns = -(-samples.shape[0] // 2), -(-samples.shape[1] // 2)
    padded = np.zeros((2 * rows, 2 * columns), np.uint32)
    padded[: samples.shape[0], : samples.shape[1]] = samples
    fours = padded.reshape(rows, 2, columns, 2)
    sums, counts = fours.sum(axis=(1, 3)), np.maximum(1, (fours != NO_VALUE).sum(axis=(1, 3)))
    means: Samples = ((2 * sums + counts) // (2 * counts)).astype(np.uint16)
    return means


def pixels_of(raster: Raster, region: Region, level: int) -> tuple[int, int, int, int]:
    """The pixels of a level that a region of the slide touches: left, top, right, bottom, within the level."""
    a, b, c, d, e, f = raster.transform
    corners = np.array([[region.x, region.y]]) + np.array([[0, 0], [1, 0], [0, 1], [1, 1]]) * [
        [region.width, region.height]
    ]
    inside = np.linalg.solve(np.array([[a, b], [d, e]]), (corners - [c, f]).T) / (1 << level)
    limits = np.array(raster.size_at(level))
    least = np.clip(np.floor(inside.min(axis=1)), 0, limits).astype(int)
    most = np.clip(np.ceil(inside.max(axis=1)), 0, limits).astype(int)
    return int(least[0]), int(least[1]), int(most[0]), int(most[1])


def placed(raster: Raster, level: int, left: int, top: int) -> Affine:
    """From pixels of a part of a level, which begins at these, to those of the slide's level 0."""
    a, b, c, d, e, f = raster.transform
    side = 1 << level
    x, y = left * side, top * side
    return a * side, b * side, a * x + b * y + c, d * side, e * side, d * x + e * y + f


def paste(target: Samples, begin: tuple[int, int], tile: Samples, place: tuple[int, int]) -> None:
    """Copies what a tile has of a part of its level that begins at these pixels."""
    left, top = place[0] * SIDE - begin[0], place[1] * SIDE - begin[1]
    rows = slice(max(0, top), min(target.shape[0], top + tile.shape[0]))
    columns = slice(max(0, left), min(target.shape[1], left + tile.shape[1]))
    if rows.start < rows.stop and columns.start < columns.stop:
        target[rows, columns] = tile[rows.start - top : rows.stop - top, columns.start - left : columns.stop - left]


def colors_of(labels: Sequence[int]) -> list[str]:
    """RRGGBB of labels that have no colour of their own: neighbours differ, the same label has the same (OV70)."""
    return [_color(label) for label in labels]


def _color(label: int) -> str:
    """A hue a golden angle from that of the label before; every third label is darker, every third lighter."""
    hue = (label * 0.618033988749895) % 1 * 6
    most, least = ((230, 40), (170, 20), (250, 120))[label % 3]
    part = int(most - (most - least) * abs(hue % 2 - 1) + 0.5)
    ordered = [(most, part, least), (part, most, least), (least, most, part)]
    ordered += [(least, part, most), (part, least, most), (most, least, part)]
    # even sectors rise, odd ones fall; both are the part of the middle component
    red, green, blue = ordered[int(hue) % 6]
    return f"{red:02X}{green:02X}{blue:02X}"


def _differences(samples: Samples, predictor: int) -> Samples:
    found = samples
    if predictor & 2:
        found = np.diff(found, axis=0, prepend=np.zeros((1, found.shape[1]), np.uint16))
    if predictor & 1:
        found = np.diff(found, axis=1, prepend=np.zeros((found.shape[0], 1), np.uint16))
    return found


def _cost(differences: Samples) -> float:
    """Bits that the differences are expected to need: the length of each number, one that repeats the last costs
    nothing.
    """
    flat = differences.ravel().view(np.int16)
    sizes = np.abs(flat.astype(np.int32))
    repeats = np.concatenate([[False], flat[1:] == flat[:-1]])
    return float(np.log2(1 + sizes[~repeats]).sum() + (~repeats).sum())
