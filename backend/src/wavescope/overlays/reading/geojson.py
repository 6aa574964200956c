"""GeoJSON as QuPath writes it: a FeatureCollection, or a bare list of features, of any length.

The features are found by their braces and parsed some thousands at a time, their coordinates apart: the whole document
as objects would take some 8 kB for each cell.
"""

from __future__ import annotations

import gc
import math
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, BinaryIO, NamedTuple

import numpy as np
from numpy.typing import NDArray
from pydantic_core import from_json

from wavescope.errors import InvalidParameter, UnreadableSource
from wavescope.overlays.builder import Builder
from wavescope.overlays.reading.columns import Transform, add_shapes
from wavescope.overlays.reading.coordinates import Coordinates, coordinates_of, taken_out
from wavescope.overlays.reading.points import CLASS
from wavescope.overlays.reading.skipped import NO_CLASS, Skipped

HEAD = 64 << 10
"""Bytes in which the list of features begins."""
PIECE = 2 << 20
"""Bytes that are read and parsed at once."""
MAX_FEATURE = 64 << 20
STRUCTURE = bytes(one in b'"\\{}' for one in range(256))
BEGIN = re.compile(rb'\s*(?:\[|\{(?:.*?[,{\s])??"features"\s*:\s*\[)', re.DOTALL)
GAP = re.compile(rb"[\s,]*")
DEPTHS = {"Point": 1, "MultiPoint": 2, "LineString": 2, "Polygon": 3, "MultiLineString": 3, "MultiPolygon": 4}
"""How many lists the coordinates of a geometry are within each other."""


class Piece(NamedTuple):
    """Some features, each list of coordinates replaced by its number; these lists; bytes read up to here."""

    features: list[Any]
    coordinates: Coordinates
    read: int


Found = tuple[int, bool, int, float]
"""What one feature is: the number of its coordinates, whether each corner is a ring, its class and its score."""


class Classes:
    """The numbers of the classes of a builder. The colour of a classification is looked at once."""

    def __init__(self, builder: Builder) -> None:
        self._builder = builder
        self._known: dict[str, int] = {}

    def number(self, found: Any) -> int:
        """``found``: a classification, if there is one. Raises TooLarge."""
        name = found.get("name") if type(found) is dict else None
        if type(name) is not str or name not in self._known:
            name = _class_name(found)
        known = self._known.get(name)
        if known is None:
            known = self._known[name] = self._builder.class_number(name, _class_color(found))
        return known


@contextmanager
def _without_collection() -> Iterator[None]:
    """Garbage is not looked for: that would walk a million objects without cycles again and again."""
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()


@_without_collection()
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
    skipped, classes = Skipped(), Classes(builder)
    number = 0
    for piece in _features(stream, name):
        found: list[Found] = []
        for feature in piece.features:
            number += 1
            try:
                found.append(_shape(feature, piece.coordinates.depths, classes, score))
            except InvalidParameter as error:
                skipped.add(number, str(error))
        try:
            _add(found, piece.coordinates, builder, transform)
        except InvalidParameter as error:
            raise UnreadableSource(name, f"before feature {number + 1}: {error}") from error
        progress(piece.read)
    return skipped


def _add(found: list[Found], coordinates: Coordinates, builder: Builder, transform: Transform | None) -> None:
    """Raises InvalidParameter for corners that are too far away or too many."""
    if not found:
        return
    at, scattered, classes, scores = zip(*found, strict=True)
    corners, ends = coordinates.shapes(np.array(at, np.int64), np.array(scattered, bool))
    add_shapes(builder, corners, ends, np.array(classes, np.uint8), np.array(scores, np.float32), transform)


def _shape(feature: Any, depths: list[int], classes: Classes, score: str | None) -> Found:
    if not isinstance(feature, dict):
        raise InvalidParameter("feature", type(feature).__name__, "an object")
    kind, at = _geometry(feature.get("geometry"), depths)
    properties = feature.get("properties")
    if not isinstance(properties, dict):
        properties = {}
    value = 0.0 if score is None else _measurement(properties, score)
    found = properties.get("classification") or next(filter(None, map(properties.get, CLASS)), None)
    return at, kind == "MultiPoint", classes.number(found), value


def _geometry(geometry: Any, depths: list[int]) -> tuple[str, int]:
    """The kind of a geometry and the number of its coordinates."""
    try:
        kind, found = geometry["type"], geometry["coordinates"]
        depth = DEPTHS.get(kind)
    except (KeyError, TypeError) as error:
        raise InvalidParameter("geometry", "none", "a GeoJSON geometry") from error
    if depth is None:
        raise InvalidParameter("geometry", str(kind)[:40], "points, lines or polygons")
    at = found[0] if type(found) is list and len(found) == 1 else None
    if type(at) is not int or not 0 <= at < len(depths) or depths[at] != depth:
        raise InvalidParameter("coordinates", f"no {kind}", "x and y of each corner")
    return kind, at


def _class_name(found: Any) -> str:
    """The name of a classification; QuPath writes it in three ways."""
    if not found:
        return NO_CLASS
    if not isinstance(found, dict):
        return str(found)[:200]
    name, names = found.get("name"), found.get("names")
    name = name or (": ".join(map(str, names)) if isinstance(names, list) else "")
    return str(name)[:200] or NO_CLASS


def _class_color(found: Any) -> str | None:
    if not found:
        return "999999"
    if not isinstance(found, dict):
        return None
    color, packed = found.get("color"), found.get("colorRGB")
    if isinstance(color, list) and len(color) == 3 and all(isinstance(one, int) and 0 <= one <= 255 for one in color):
        return "{:02X}{:02X}{:02X}".format(*color)
    return f"{packed & 0xFFFFFF:06X}" if isinstance(packed, int) else None


def _measurement(properties: dict[str, Any], name: str) -> float:
    measurements = properties.get("measurements")
    value = None
    if isinstance(measurements, dict):
        value = measurements.get(name)
        if type(value) is float and value - value == 0:  # finite
            return value
    elif isinstance(measurements, list):  # as QuPath before 0.4
        value = next((one.get("value") for one in measurements if one.get("name") == name), None)
    if value is None:
        value = properties.get(name)
    if not isinstance(value, int | float) or not math.isfinite(value):
        raise InvalidParameter("score", str(value)[:40], f"a number in {name!r}")
    return float(value)


def _features(stream: BinaryIO, name: str) -> Iterator[Piece]:
    """The features in pieces. Raises UnreadableSource."""
    buffer = stream.read(HEAD).removeprefix(b"\xef\xbb\xbf")
    read = len(buffer)
    begin = BEGIN.match(buffer)
    if begin is None:
        if buffer.lstrip()[:1] == b"{" and b'"Feature"' in buffer:
            yield _parsed(b"[" + buffer + stream.read(MAX_FEATURE) + b"]", name, read)
            return
        raise UnreadableSource(name, "it is no GeoJSON: neither a FeatureCollection nor a list of features")
    buffer = buffer[begin.end() :]
    while True:
        ends = _ends(buffer)
        whole, buffer = (buffer[: ends[-1] + 1], buffer[ends[-1] + 1 :]) if len(ends) else (b"", buffer)
        if whole:
            yield _parsed(b"[" + whole[_gap(whole) :] + b"]", name, read)
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
    at = np.flatnonzero(np.frombuffer(buffer.translate(STRUCTURE), bool))
    kinds = np.frombuffer(buffer, np.uint8)[at]
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


def _parsed(text: bytes, name: str, read: int) -> Piece:
    try:
        rest, coordinates = taken_out(text)
        return Piece(from_json(rest), coordinates_of(coordinates), read)
    except ValueError as error:
        raise UnreadableSource(name, f"it is no valid JSON: {error}") from error
