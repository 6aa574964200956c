"""Tiles of an overlay as Mapbox Vector Tiles 2.1, which OpenLayers, MapLibre, deck.gl and GDAL read (OV39).

A tile of level l is 4096 units wide, 8 / 2^l units a pixel. The format is small, and its columns are made with numpy:
libraries for it take shapes one by one, by way of Shapely.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from wavescope.overlays.archive import Archive
from wavescope.overlays.manifest import OverlayManifest
from wavescope.overlays.reading.wkb import POINT, POLYGON
from wavescope.overlays.region import Region
from wavescope.overlays.selection import shapes_in
from wavescope.overlays.shapes import QUARTERS, Longs, Shapes, doubled_areas, joined
from wavescope.overlays.tile import BINS, SYMBOLS_LEVEL, TILE, Counts
from wavescope.overlays.writing.geometry import geometry_of, rings_of_shape

EXTENT = 4096
MOVE, LINE_TO, CLOSE = 1, 2, 7
Value = str | float | int


def vector_tile(archive: Archive, level: int, x: int, y: int) -> bytes:
    """What a view at this level shows of a tile's square (OV10); empty: nothing. Raises CorruptOverlay, Unavailable."""
    manifest = archive.manifest
    side = TILE << level if 0 <= level <= manifest.top else 0
    if not (0 <= x * side < manifest.width and 0 <= y * side < manifest.height and side):
        return b""
    square = Region(x * side, y * side, side, side)
    lowest = level if level >= SYMBOLS_LEVEL else 0
    shapes = joined(list(shapes_in(archive, square, lowest)))
    origin = np.array([[x * side, y * side]], np.int64)
    layers = [_outlines(shapes, manifest, origin, level)]
    tile = archive.tile(level, x, y) if level >= SYMBOLS_LEVEL else None
    if tile is not None and tile.symbols is not None:
        symbols = tile.symbols
        rows = zip(_properties(manifest, symbols.classes, symbols.scores), symbols.middles - origin, strict=True)
        layers.append(
            _layer("symbols", ((tags, POINT, _points(_scaled(at[None] * QUARTERS, level))) for tags, at in rows))
        )
    if tile is not None and tile.counts is not None:
        layers.append(_layer("counts", _count_features(tile.counts, manifest)))
    return b"".join(layers)


def _outlines(shapes: Shapes, manifest: OverlayManifest, origin: Longs, level: int) -> bytes:
    def features() -> Iterator[tuple[dict[str, Value], int, Longs]]:
        for n, tags in enumerate(_properties(manifest, shapes.classes, shapes.scores)):
            kind, parts = geometry_of(rings_of_shape(shapes, n))
            scaled = [
                [_scaled(np.rint((ring - origin) * QUARTERS).astype(np.int64), level) for ring in part]
                for part in parts
            ]
            if kind == POINT:
                yield tags, kind, _points(np.concatenate([part[0] for part in scaled]))
                continue
            commands = _lines(scaled) if kind != POLYGON else _polygons(scaled)
            if len(commands):
                yield tags, kind, commands

    return _layer("shapes", features())


def _count_features(counts: Counts, manifest: OverlayManifest) -> Iterator[tuple[dict[str, Value], int, Longs]]:
    """A point in the middle of each square with shapes of a class: their number and mean score."""
    for of_class, numbers in counts.shapes.items():
        for row, column in np.argwhere(numbers > 0).tolist():
            number = int(numbers[row, column])
            tags: dict[str, Value] = {"class": manifest.classes[of_class].name, "count": number}
            if manifest.score is not None:
                mean = counts.scores[of_class][row, column] / number
                tags[manifest.score.name] = float(manifest.score.values(np.array([mean]))[0])
            yield tags, POINT, _points((np.array([[column, row]]) * 2 + 1) * (EXTENT // BINS // 2))


def _properties(
    manifest: OverlayManifest, classes: NDArray[np.uint8], scores: NDArray[np.uint8]
) -> Iterator[dict[str, Value]]:
    values = None if manifest.score is None else manifest.score.values(scores).tolist()
    for n, of_class in enumerate(classes.tolist()):
        tags: dict[str, Value] = {"class": manifest.classes[of_class].name}
        if manifest.score is not None and values is not None:
            tags[manifest.score.name] = values[n]
        yield tags


def _scaled(quarters: Longs, level: int) -> Longs:
    """Quarters of a pixel from the tile's corner in units of the tile, rounded down."""
    return quarters * (EXTENT // TILE // QUARTERS) >> level


def _points(corners: Longs) -> Longs:
    return np.concatenate([[MOVE | len(corners) << 3], _steps(corners, np.zeros(2, np.int64)).ravel()])


def _lines(parts: list[list[Longs]]) -> Longs:
    return _commands([part[0] for part in parts], 2, [])


def _polygons(parts: list[list[Longs]]) -> Longs:
    """Holes run against their outer ring. What rounding leaves without area is left out, with its holes."""
    rings = []
    for part in parts:
        areas = [int(doubled_areas(ring.astype(np.int32), np.array([len(ring)]))[0]) for ring in part]
        if areas[0] == 0:
            continue
        rings += [
            ring if (area > 0) == (n == 0) else ring[::-1]
            for n, (ring, area) in enumerate(zip(part, areas, strict=True))
            if area
        ]
    return _commands(rings, 3, [CLOSE | 1 << 3])


def _commands(rings: list[Longs], least: int, end: list[int]) -> Longs:
    cursor, found = np.zeros(2, np.int64), []
    for ring in rings:
        distinct = ring[np.concatenate([[True], (np.diff(ring, axis=0) != 0).any(axis=1)])]
        if len(distinct) < least:
            continue
        steps = _steps(distinct, cursor)
        found += [[MOVE | 1 << 3], steps[0], [LINE_TO | len(distinct) - 1 << 3], steps[1:].ravel(), end]
        cursor = distinct[-1]
    return np.concatenate(found).astype(np.int64) if found else np.zeros(0, np.int64)


def _steps(corners: Longs, cursor: Longs) -> Longs:
    """Signed steps from the cursor on, as MVT codes them (n, 2)."""
    steps = np.diff(corners, axis=0, prepend=cursor[None])
    return np.where(steps < 0, -2 * steps - 1, 2 * steps)


def _layer(name: str, features: Iterator[tuple[dict[str, Value], int, Longs]]) -> bytes:
    """A layer of features: properties, kind, commands. Empty without features."""
    keys: dict[str, int] = {}
    values: dict[Value, int] = {}
    parts = []
    for tags, kind, commands in features:
        numbers = [
            at
            for key, value in tags.items()
            for at in (keys.setdefault(key, len(keys)), values.setdefault(value, len(values)))
        ]
        feature = _field(2, _varints(np.array(numbers))) + _integer(3, kind) + _field(4, _varints(commands))
        parts.append(_field(2, feature))
    if not parts:
        return b""
    head = _field(1, name.encode()) + b"".join(parts) + b"".join(_field(3, key.encode()) for key in keys)
    return _field(3, head + b"".join(_field(4, _value(one)) for one in values) + _integer(5, EXTENT) + _integer(15, 2))


def _value(value: Value) -> bytes:
    if isinstance(value, str):
        return _field(1, value.encode())
    if isinstance(value, int):
        return _integer(5, value)
    return b"\x19" + struct.pack("<d", value)  # field 3, eight bytes


def _field(number: int, data: bytes) -> bytes:
    """A field of Protocol Buffers with a length."""
    return _varints(np.array([number << 3 | 2, len(data)])) + data


def _integer(number: int, value: int) -> bytes:
    return _varints(np.array([number << 3, value]))


def _varints(numbers: Longs) -> bytes:
    """Numbers of 0 and more, seven bits a byte, the lowest first; all but the last byte have the highest bit."""
    shifts = 7 * np.arange(9)
    groups = numbers[:, None].astype(np.int64) >> shifts
    more = (groups[:, 1:] > 0) @ np.ones(8, np.int64)
    at = np.arange(9)[None]
    coded = (groups & 127) | np.where(at < more[:, None], 128, 0)
    return coded[at <= more[:, None]].astype(np.uint8).tobytes()
