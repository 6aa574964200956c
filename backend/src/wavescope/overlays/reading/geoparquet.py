"""GeoParquet: a column of geometries in well-known binary, others for class and score (OV37)."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from wavescope.errors import InvalidParameter, MissingPackage, UnreadableSource, UnsupportedSource
from wavescope.overlays.builder import Builder
from wavescope.overlays.reading.columns import Transform, add_shapes
from wavescope.overlays.reading.points import CLASS
from wavescope.overlays.reading.skipped import NO_CLASS, Skipped
from wavescope.overlays.reading.wkb import joined_rings, rings_of
from wavescope.overlays.shapes import Floats

ROWS = 10_000
MAX_GROUP = 1 << 30
"""Bytes of a group of rows, decompressed: one is in memory at once."""
Progress = Callable[[int], None]


def read_geoparquet(
    path: Path, builder: Builder, score: str | None, transform: Transform | None, progress: Progress
) -> Skipped:
    """Adds a shape for each row that has a geometry. Raises UnreadableSource, UnsupportedSource, MissingPackage."""
    skipped = Skipped("row")
    for table in tables_of(path, score, progress, lambda schema: [geometry_column(path, schema)]):
        texts = table.column(table.of_class) if table.of_class else [None] * len(table)
        values = table.column(score) if score else [0.0] * len(table)
        outlines = map(rings_of_cell, table.column(table.wanted[0]))
        add_rows(zip(outlines, texts, values, strict=True), table.first, builder, transform, skipped)
    return skipped


class Table(NamedTuple):
    """Some rows of a Parquet file; ``first``: the number of the first one, from 1; ``wanted``: the columns that were
    asked for; ``of_class``: the column of classes.
    """

    batch: Any
    first: int
    wanted: Sequence[str]
    of_class: str | None

    def __len__(self) -> int:
        return int(self.batch.num_rows)

    def column(self, name: str) -> list[Any]:
        """Its values, one for each row."""
        values: list[Any] = self.batch.column(name).to_pylist()
        return values


def tables_of(
    path: Path,
    score: str | None,
    progress: Progress,
    wanted_of: Callable[[Any], Sequence[str]],
    of_class: str | None = None,
) -> Iterator[Table]:
    """The rows of a file, some at a time, with class, score, and the columns that ``wanted_of`` chooses by the schema.
    ``of_class``: the column of the class, one by its name without. Raises UnreadableSource, MissingPackage, and what
    ``wanted_of`` raises.
    """
    try:
        from pyarrow import ArrowException, parquet
    except ImportError as error:
        raise MissingPackage("pyarrow", "this Parquet file", "parquet") from error
    number, size = 1, path.stat().st_size
    try:
        with parquet.ParquetFile(path) as file:
            wanted, names = wanted_of(file.schema_arrow), file.schema_arrow.names
            if of_class not in names:
                of_class = next((one for known in CLASS for one in names if one.lower() == known), None)
            if score and score not in names:
                raise UnreadableSource(path, f"it has no column {score!r}")
            columns = [one for one in (*wanted, of_class, score) if one]
            for group in range(file.num_row_groups):
                if file.metadata.row_group(group).total_byte_size > MAX_GROUP:
                    raise UnreadableSource(path, f"a group of its rows has more than {MAX_GROUP >> 30} GiB")
                for batch in file.iter_batches(ROWS, row_groups=[group], columns=columns):
                    yield Table(batch, number, wanted, of_class)
                    number += batch.num_rows
                progress(size * (group + 1) // file.num_row_groups)
    except (ArrowException, OSError, ValueError) as error:
        raise UnreadableSource(path, f"it is no Parquet file, or damaged: {error}") from error


def geometry_column(path: Path, schema: Any) -> str:
    """Raises UnsupportedSource."""
    try:
        geo = json.loads((schema.metadata or {})[b"geo"])
        column = str(geo["primary_column"])
        encoding = str(geo["columns"][column]["encoding"])
    except (KeyError, TypeError, ValueError) as error:
        raise UnsupportedSource(path, "it is a Parquet file without geometries: it lacks the metadata 'geo'") from error
    if encoding.upper() != "WKB" or column not in schema.names:
        raise UnsupportedSource(path, f"its geometries are encoded as {encoding[:40]}, not as WKB")
    return column


def rings_of_cell(data: bytes | None) -> list[Floats] | None:
    """The rings of a geometry in a cell of a table; None: it has none, or a damaged one."""
    try:
        return rings_of(data or b"")
    except InvalidParameter:
        return None


def add_rows(
    rows: Iterable[tuple[list[Floats] | None, Any, Any]],
    first: int,
    builder: Builder,
    transform: Transform | None,
    skipped: Skipped,
) -> None:
    """Adds rows of rings, class (None: none) and score; ``first``: the number of the first one. Raises InvalidParameter
    for what is too large or too far away.
    """
    shapes, classes, scores = [], [], []
    for number, (rings, text, value) in enumerate(rows, first):
        if not rings or not all(map(len, rings)) or not all(np.isfinite(ring).all() for ring in rings):
            skipped.add(number, "it has no geometry, or a damaged one")
            continue
        if not isinstance(value, int | float) or not np.isfinite(value):
            skipped.add(number, "its score is no number")
            continue
        shapes.append(rings)
        scores.append(float(value))
        found = str(text)[:200].strip() if text is not None else ""
        classes.append(builder.class_number(found) if found else builder.class_number(NO_CLASS, "999999"))
    if shapes:
        corners, ring_ends, shape_ends = joined_rings(shapes)
        of_shapes = np.array(classes, np.uint8), np.array(scores, np.float32)
        add_shapes(builder, corners, (ring_ends, shape_ends), *of_shapes, transform)
