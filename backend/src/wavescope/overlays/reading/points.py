"""Tables of points as text: CSV with commas, semicolons or tabs, and names of columns in the first line (OV36)."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import BinaryIO

import numpy as np

from wavescope.errors import UnreadableSource
from wavescope.overlays.builder import Builder
from wavescope.overlays.reading.columns import Transform, add_points
from wavescope.overlays.reading.skipped import NO_CLASS, Skipped

X = (
    "x",
    "x_px",
    "x_pixel",
    "centroid x px",
    "x_centroid",
    "centroid_x",
    "center_x",
    "x_location",
    "pxl_col_in_fullres",
)
Y = (
    "y",
    "y_px",
    "y_pixel",
    "centroid y px",
    "y_centroid",
    "centroid_y",
    "center_y",
    "y_location",
    "pxl_row_in_fullres",
)
CLASS = ("class", "classification", "cell_type", "celltype", "type", "cluster", "phenotype", "leiden")
MAX_LINE = 1 << 20
ROWS = 50_000
"""Rows that are in memory at once."""
Progress = Callable[[int], None]


def read_points(
    stream: BinaryIO, name: str, builder: Builder, score: str | None, transform: Transform | None, progress: Progress
) -> Skipped:
    """Adds a point for each row; those without numbers are skipped. Raises UnreadableSource for what is no table."""
    lines = _lines(stream, name)
    head = next(lines, "")
    delimiter = max(",;\t", key=head.count)
    try:
        names = [one.strip() for one in next(csv.reader([head], delimiter=delimiter))]
    except (csv.Error, StopIteration) as error:
        raise UnreadableSource(name, "it is no table: its first line has no names of columns") from error
    x, y = _column(names, X), _column(names, Y)
    if x is None or y is None:
        raise UnreadableSource(name, f"its first line names no columns of x and y, such as {X[0]},{Y[0]}")
    of_class = _column(names, CLASS)
    of_score = names.index(score) if score in names else None
    if score and of_score is None:
        raise UnreadableSource(name, f"it has no column {score!r}")
    skipped, number = Skipped("row"), 1
    rows = csv.reader(lines, delimiter=delimiter)
    try:
        while piece := list(islice(rows, ROWS)):
            _add(piece, number, builder, (x, y, of_class, of_score), transform, skipped)
            number += len(piece)
            progress(stream.tell())
    except csv.Error as error:
        raise UnreadableSource(name, f"it is no table: {error}") from error
    return skipped


def _add(
    rows: Sequence[Sequence[str]],
    first: int,
    builder: Builder,
    columns: tuple[int, int, int | None, int | None],
    transform: Transform | None,
    skipped: Skipped,
) -> None:
    x, y, of_class, of_score = columns
    points, classes, scores = [], [], []
    for number, row in enumerate(rows, first):
        if not row:
            continue
        try:
            values = float(row[x]), float(row[y]), float(row[of_score]) if of_score is not None else 0.0
            text = row[of_class].strip() if of_class is not None else ""
        except (IndexError, ValueError):
            skipped.add(number, "it has no numbers in its columns")
            continue
        if not all(map(np.isfinite, values)):
            skipped.add(number, "its numbers are not finite")
            continue
        points.append(values[:2])
        scores.append(values[2])
        classes.append(builder.class_number(text[:200]) if text else builder.class_number(NO_CLASS, "999999"))
    if points:
        values_ = np.array(points, np.float64)
        add_points(builder, values_, np.array(classes, np.uint8), np.array(scores, np.float32), transform)


def _column(names: Sequence[str], known: Sequence[str]) -> int | None:
    lower = [one.lower() for one in names]
    return next((lower.index(one) for one in known if one in lower), None)


def _lines(stream: BinaryIO, name: str) -> Iterator[str]:
    """Raises UnreadableSource for a line that is too long or no UTF-8."""
    first = True
    while line := stream.readline(MAX_LINE):
        if len(line) == MAX_LINE:
            raise UnreadableSource(name, f"a line of it has more than {MAX_LINE >> 20} MiB")
        try:
            yield line.decode("utf-8-sig" if first else "utf-8")
        except UnicodeDecodeError as error:
            raise UnreadableSource(name, "it is no text in UTF-8") from error
        first = False
