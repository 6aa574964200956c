"""GeoParquet: a column of geometries in well-known binary, others for class and score (OV37)."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from wavescope.errors import InvalidParameter, MissingPackage, UnreadableSource, UnsupportedSource
from wavescope.overlays.builder import Builder
from wavescope.overlays.reading.columns import Transform, add_shapes
from wavescope.overlays.reading.points import CLASS
from wavescope.overlays.reading.skipped import NO_CLASS, Skipped
from wavescope.overlays.reading.wkb import joined_rings, rings_of

ROWS = 10_000
MAX_GROUP = 1 << 30
"""Bytes of a group of rows, decompressed: one is in memory at once."""
Progress = Callable[[int], None]


def read_geoparquet(
    path: Path, builder: Builder, score: str | None, transform: Transform | None, progress: Progress
) -> Skipped:
    """Adds a shape for each row that has a geometry. Raises UnreadableSource, UnsupportedSource, MissingPackage."""
    try:
        from pyarrow import ArrowException, parquet
    except ImportError as error:
        raise MissingPackage("pyarrow", "this Parquet file", "parquet") from error
    skipped, number, size = Skipped("row"), 1, path.stat().st_size
    try:
        with parquet.ParquetFile(path) as file:
            geometry = _geometry_column(path.name, file.schema_arrow)
            names = file.schema_arrow.names
            of_class = next((one for known in CLASS for one in names if one.lower() == known), None)
            if score and score not in names:
                raise UnreadableSource(path, f"it has no column {score!r}")
            columns = [one for one in (geometry, of_class, score) if one]
            for group in range(file.num_row_groups):
                if file.metadata.row_group(group).total_byte_size > MAX_GROUP:
                    raise UnreadableSource(path, f"a group of its rows has more than {MAX_GROUP >> 30} GiB")
                for batch in file.iter_batches(ROWS, row_groups=[group], columns=columns):
                    _add(batch, (geometry, of_class, score), number, builder, transform, skipped)
                    number += batch.num_rows
                progress(size * (group + 1) // file.num_row_groups)
    except (ArrowException, OSError, ValueError) as error:
        raise UnreadableSource(path, f"it is no Parquet file, or damaged: {error}") from error
    return skipped


def _geometry_column(name: str, schema: Any) -> str:
    """Raises UnsupportedSource."""
    try:
        geo = json.loads((schema.metadata or {})[b"geo"])
        column = str(geo["primary_column"])
        encoding = str(geo["columns"][column]["encoding"])
    except (KeyError, TypeError, ValueError) as error:
        raise UnsupportedSource(name, "it is a Parquet file without geometries: it lacks the metadata 'geo'") from error
    if encoding.upper() != "WKB" or column not in schema.names:
        raise UnsupportedSource(name, f"its geometries are encoded as {encoding[:40]}, not as WKB")
    return column


def _add(
    batch: Any,
    names: tuple[str, str | None, str | None],
    first: int,
    builder: Builder,
    transform: Transform | None,
    skipped: Skipped,
) -> None:
    geometry, of_class, score = names
    texts = batch.column(of_class).to_pylist() if of_class else [None] * batch.num_rows
    values = batch.column(score).to_pylist() if score else [0.0] * batch.num_rows
    shapes, classes, scores = [], [], []
    for number, (data, text, value) in enumerate(
        zip(batch.column(geometry).to_pylist(), texts, values, strict=True), first
    ):
        try:
            rings = rings_of(data or b"")
            if not rings or not all(map(len, rings)) or not all(np.isfinite(ring).all() for ring in rings):
                raise InvalidParameter("geometry", "without corners", "at least one corner in each ring")
            if not isinstance(value, int | float) or not np.isfinite(value):
                raise InvalidParameter("score", str(value)[:40], f"a number in {score!r}")
        except InvalidParameter as error:
            skipped.add(number, str(error))
            continue
        shapes.append(rings)
        scores.append(float(value))
        found = str(text)[:200].strip() if text is not None else ""
        classes.append(builder.class_number(found) if found else builder.class_number(NO_CLASS, "999999"))
    if shapes:
        corners, ring_ends, shape_ends = joined_rings(shapes)
        of_shapes = np.array(classes, np.uint8), np.array(scores, np.float32)
        add_shapes(builder, corners, (ring_ends, shape_ends), *of_shapes, transform)
