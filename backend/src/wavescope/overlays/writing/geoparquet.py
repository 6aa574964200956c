"""Shapes as GeoParquet with geometries as WKB, which GeoPandas, QGIS and DuckDB read (OV33)."""

from __future__ import annotations

import io
import json
import struct
from collections.abc import Iterable, Iterator
from typing import Any

from wavescope.errors import MissingPackage
from wavescope.overlays.manifest import OverlayManifest
from wavescope.overlays.reading.skipped import NO_CLASS
from wavescope.overlays.reading.wkb import LINE, MULTI_POINT, POINT, POLYGON
from wavescope.overlays.shapes import Floats, Shapes, joined
from wavescope.overlays.writing.geometry import Geometry, geometry_of, rings_of_shape

ROWS = 50_000
"""Shapes of a group of rows, at least, but the last; they are in memory together."""
GEOMETRY, CLASS = "geometry", "class"


def geoparquet(parts: Iterable[Shapes], manifest: OverlayManifest) -> Iterator[bytes]:
    """A file, piece by piece: a row for each shape with geometry, class (null: none) and score. Raises MissingPackage,
    before the first piece.
    """
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError as error:
        raise MissingPackage("pyarrow", "GeoParquet", "parquet") from error
    return _pieces(pyarrow, parquet, parts, manifest)


def _pieces(pyarrow: Any, parquet: Any, parts: Iterable[Shapes], manifest: OverlayManifest) -> Iterator[bytes]:
    score = None if manifest.score is None else manifest.score.name
    score_column = "score" if score in (GEOMETRY, CLASS) else score
    fields = [(GEOMETRY, pyarrow.binary()), (CLASS, pyarrow.string())]
    if score_column is not None:
        fields.append((score_column, pyarrow.float64()))
    schema = pyarrow.schema(fields).with_metadata({"geo": json.dumps(_description())})
    names = [None if one.name == NO_CLASS else one.name for one in manifest.classes]
    sink = _Sink()
    with parquet.ParquetWriter(pyarrow.PythonFile(sink, mode="w"), schema, compression="zstd") as writer:
        for shapes in _groups(parts):
            columns: list[Any] = [
                [wkb_of(geometry_of(rings_of_shape(shapes, n))) for n in range(len(shapes))],
                [names[n] for n in shapes.classes.tolist()],
            ]
            if manifest.score is not None:
                columns.append(manifest.score.values(shapes.scores))
            arrays = [pyarrow.array(one, kind) for one, (_, kind) in zip(columns, fields, strict=True)]
            writer.write_table(pyarrow.Table.from_arrays(arrays, schema=schema))
            yield sink.taken()
    yield sink.taken()


def _description() -> dict[str, Any]:
    """The metadata ``geo``: coordinates of no place on Earth, so without a reference system."""
    column: dict[str, Any] = {"encoding": "WKB", "geometry_types": [], "crs": None, "edges": "planar"}
    return {"version": "1.1.0", "primary_column": GEOMETRY, "columns": {GEOMETRY: column}}


def _groups(parts: Iterable[Shapes]) -> Iterator[Shapes]:
    waiting: list[Shapes] = []
    for shapes in parts:
        waiting.append(shapes)
        if sum(map(len, waiting)) >= ROWS:
            yield joined(waiting)
            waiting = []
    if waiting:
        yield joined(waiting)


def wkb_of(geometry: Geometry) -> bytes:
    """Well-known binary, little-endian, of two dimensions."""
    kind, parts = geometry
    bodies = [_head(kind) + _body(kind, part) for part in parts]
    if len(bodies) == 1:
        return bodies[0]
    return _head(kind + MULTI_POINT - POINT) + struct.pack("<I", len(bodies)) + b"".join(bodies)


def _head(kind: int) -> bytes:
    return b"\x01" + struct.pack("<I", kind)


def _body(kind: int, part: list[Floats]) -> bytes:
    if kind == POINT:
        return part[0].astype("<f8").tobytes()
    if kind == LINE:
        return _counted(part[0], b"")
    assert kind == POLYGON
    return struct.pack("<I", len(part)) + b"".join(_counted(ring, ring[0].astype("<f8").tobytes()) for ring in part)


def _counted(corners: Floats, closing: bytes) -> bytes:
    """``closing``: the first corner once more, or nothing."""
    return struct.pack("<I", len(corners) + bool(closing)) + corners.astype("<f8").tobytes() + closing


class _Sink(io.RawIOBase):
    """Takes what is written until it is taken out."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []
        self._at = 0

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        self._parts.append(bytes(data))
        self._at += len(self._parts[-1])
        return len(self._parts[-1])

    def tell(self) -> int:
        return self._at

    def taken(self) -> bytes:
        parts, self._parts = self._parts, []
        return b"".join(parts)
