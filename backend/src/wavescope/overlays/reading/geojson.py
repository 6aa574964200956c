"""GeoJSON as QuPath writes it: a FeatureCollection, or a bare list of features, of any length.

The features are found by their braces and parsed some thousands at a time: the whole document as objects would take
some 8 kB for each cell.
"""

from __future__ import annotations

import gc
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray
from pydantic_core import from_json

from wavescope.errors import InvalidParameter, UnreadableSource
from wavescope.overlays.builder import Builder
from wavescope.overlays.reading.columns import Transform
from wavescope.overlays.reading.points import CLASS
from wavescope.overlays.reading.shape_list import Ring, ShapeList
from wavescope.overlays.reading.skipped import NO_CLASS, Skipped

HEAD = 64 << 10
"""Bytes in which the list of features begins."""
PIECE = 1 << 20
"""Bytes that are read and parsed at once."""
MAX_FEATURE = 64 << 20
STRUCTURE = np.zeros(256, bool)
STRUCTURE[list(b'"\\{}')] = True
BEGIN = re.compile(rb'\s*(?:\[|\{(?:.*?[,{\s])??"features"\s*:\s*\[)', re.DOTALL)
GAP = re.compile(rb"[\s,]*")


def read_geojson(
    stream: BinaryIO,
    name: str,
    builder: Builder,
    score: str | None,
    progress: Callable[[int], None] = lambda _: None,
    transform: Transform | None = None,
) -> Skipped:
    """Adds all shapes of a document. ``score``: the name of the measurement that is the score. ``progress`` gets the
    bytes that were read.

    Features without a geometry of points, lines or areas, and without the score, are skipped. Raises UnreadableSource
    for what is no GeoJSON.
    """
    skipped = Skipped()
    shapes = ShapeList(builder, transform)
    number = 0
    for features, read in _features(stream, name):
        for feature in features:
            number += 1
            try:
                shapes.append(*_shape(feature, builder, score))
            except InvalidParameter as error:
                skipped.add(number, str(error))
        try:
            shapes.flush()
        except InvalidParameter as error:
            raise UnreadableSource(name, f"before feature {number + 1}: {error}") from error
        progress(read)
    return skipped


def _shape(feature: Any, builder: Builder, score: str | None) -> tuple[list[Ring], int, float]:
    if not isinstance(feature, Mapping):
        raise InvalidParameter("feature", type(feature).__name__, "an object")
    rings = _rings(feature.get("geometry"))
    properties = feature.get("properties") or {}
    properties = properties if isinstance(properties, Mapping) else {}
    found = properties.get("classification") or next(filter(None, map(properties.get, CLASS)), None)
    name, color = _class(found) if found else (NO_CLASS, "999999")
    value = 0.0
    if score is not None:
        value = _measurement(properties, score)
    return rings, builder.class_number(name, color), value


def _rings(geometry: Any) -> list[Ring]:
    try:
        kind, coordinates = geometry["type"], geometry["coordinates"]
        if kind == "Polygon":
            return list(coordinates)
        if kind == "MultiPolygon":
            return [ring for polygon in coordinates for ring in polygon]
        if kind == "Point":
            return [[coordinates]]
        if kind == "MultiPoint":
            return [[point] for point in coordinates]
        if kind in ("LineString", "MultiLineString"):
            return [coordinates] if kind == "LineString" else list(coordinates)
    except (KeyError, TypeError) as error:
        raise InvalidParameter("geometry", "none", "a GeoJSON geometry") from error
    raise InvalidParameter("geometry", str(kind)[:40], "points, lines or polygons")


def _class(found: Any) -> tuple[str, str | None]:
    """The name and the colour of a classification; QuPath writes it in three ways."""
    if not isinstance(found, Mapping):
        return str(found)[:200], None
    names = found.get("names")
    name = found.get("name") or (": ".join(map(str, names)) if isinstance(names, list) else "")
    color = found.get("color")
    packed = found.get("colorRGB")
    if isinstance(color, list) and len(color) == 3 and all(isinstance(one, int) and 0 <= one <= 255 for one in color):
        return str(name)[:200] or NO_CLASS, "{:02X}{:02X}{:02X}".format(*color)
    if isinstance(packed, int):
        return str(name)[:200] or NO_CLASS, f"{packed & 0xFFFFFF:06X}"
    return str(name)[:200] or NO_CLASS, None


def _measurement(properties: Mapping[str, Any], name: str) -> float:
    measurements = properties.get("measurements")
    value = None
    if isinstance(measurements, Mapping):
        value = measurements.get(name)
    elif isinstance(measurements, list):  # as QuPath before 0.4
        value = next((one.get("value") for one in measurements if one.get("name") == name), None)
    if value is None:
        value = properties.get(name)
    if not isinstance(value, int | float) or not np.isfinite(value):
        raise InvalidParameter("score", str(value)[:40], f"a number in {name!r}")
    return float(value)


def _features(stream: BinaryIO, name: str) -> Iterator[tuple[list[Any], int]]:
    """The features in pieces, and the bytes read so far."""
    buffer = stream.read(HEAD).removeprefix(b"\xef\xbb\xbf")
    read = len(buffer)
    begin = BEGIN.match(buffer)
    if begin is None:
        if buffer.lstrip()[:1] == b"{" and b'"Feature"' in buffer:
            yield [_parsed(buffer + stream.read(MAX_FEATURE), name)], read
            return
        raise UnreadableSource(name, "it is no GeoJSON: neither a FeatureCollection nor a list of features")
    buffer = buffer[begin.end() :]
    while True:
        ends = _ends(buffer)
        whole, buffer = (buffer[: ends[-1] + 1], buffer[ends[-1] + 1 :]) if len(ends) else (b"", buffer)
        if whole:
            yield _parsed(b"[" + whole[_gap(whole) :] + b"]", name), read
        rest = buffer[_gap(buffer) :]
        if rest[:1] == b"]":
            return
        if rest[:1] not in (b"", b"{"):
            raise UnreadableSource(name, f"its list of features contains something else: {rest[:20]!r}")
        more = stream.read(PIECE)
        if not more:
            raise UnreadableSource(name, "the file is cut off: its list of features does not end")
        if len(buffer) > MAX_FEATURE:
            raise UnreadableSource(name, f"one of its features has more than {MAX_FEATURE >> 20} MiB")
        buffer += more
        read += len(more)


def _ends(buffer: bytes) -> NDArray[np.int64]:
    """Where features end in text that begins between two of them; those after the end of the list are left out."""
    data = np.frombuffer(buffer, np.uint8)
    at = np.flatnonzero(STRUCTURE[data])
    kinds = data[at]
    at, kinds = _unescaped(at, kinds)
    outside = (np.cumsum(kinds == ord('"')) & 1) == 0
    depth = np.cumsum(np.where(outside, (kinds == ord("{")).astype(np.int64) - (kinds == ord("}")), 0))
    ends: NDArray[np.int64] = at[outside & (kinds == ord("}")) & (depth == 0)]
    begins = at[outside & (kinds == ord("{")) & (depth == 1)]
    # the list ends where something else than a comma is between two features
    for end, begin in zip(ends.tolist(), begins[1:].tolist(), strict=False):
        if begin - end > 2 and buffer[end + 1 : begin].strip() != b",":
            ends = ends[ends <= end]
            break
    if len(begins) and buffer[: begins[0]].strip(b" \t\r\n,"):
        ends = ends[:0]
    return ends


def _unescaped(at: NDArray[np.int64], kinds: NDArray[np.uint8]) -> tuple[NDArray[np.int64], NDArray[np.uint8]]:
    """Without backslashes, and without the quotes that they escape."""
    slashes = kinds == ord("\\")
    if not slashes.any():
        return at, kinds
    run = np.zeros(len(at), np.int64)  # backslashes directly before
    for n in np.flatnonzero(slashes[:-1]).tolist():
        if at[n + 1] == at[n] + 1:
            run[n + 1] = run[n] + 1
    kept = ~slashes & ~((kinds == ord('"')) & (run % 2 == 1))
    return at[kept], kinds[kept]


def _gap(text: bytes) -> int:
    match = GAP.match(text)
    return match.end() if match else 0


def _parsed(text: bytes, name: str) -> Any:
    collects = gc.isenabled()
    gc.disable()  # it would walk a million objects without cycles, for more than half of the time
    try:
        return from_json(text)
    except ValueError as error:
        raise UnreadableSource(name, f"it is no valid JSON: {error}") from error
    finally:
        if collects:
            gc.enable()
