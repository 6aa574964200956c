"""DICOM Microscopy Bulk Simple Annotations: groups of points, lines and outlines in columns (OV38)."""

from __future__ import annotations

import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wavescope.cielab import rgb_of
from wavescope.errors import InvalidParameter, MissingPackage, UnreadableSource, UnsupportedSource
from wavescope.overlays.builder import Builder
from wavescope.overlays.reading.columns import Transform, add_shapes
from wavescope.overlays.reading.skipped import Skipped
from wavescope.overlays.shapes import Floats, Longs

SOP_CLASS = "1.2.840.10008.5.1.4.1.1.91.1"
PIECE = 100_000
"""Shapes that are converted at once."""
ELLIPSE_CORNERS = 32
CORNERS = {"POINT": 1, "RECTANGLE": 4, "ELLIPSE": 4}
"""Of each annotation of these kinds; the others have lists of their own."""
Progress = Callable[[int], None]
DAMAGED = (
    AttributeError, EOFError, IndexError, KeyError, NotImplementedError, OSError, TypeError, ValueError, struct.error,
    InvalidParameter,
)  # fmt: skip
"""What pydicom and wrong values raise."""


def read_annotations(
    path: Path, builder: Builder, score: str | None, transform: Transform | None, progress: Progress
) -> Skipped:
    """Adds the annotations of all groups; a group's label is the class. Raises UnreadableSource, UnsupportedSource,
    MissingPackage.
    """
    try:
        from pydicom import dcmread
        from pydicom.errors import InvalidDicomError
    except ImportError as error:
        raise MissingPackage("pydicom", "this DICOM file", "dicom") from error
    skipped, size = Skipped("annotation"), path.stat().st_size
    try:
        file = dcmread(path)
        if file.get("SOPClassUID") != SOP_CLASS:
            raise UnsupportedSource(path, "it is no DICOM file of bulk simple annotations")
        if file.AnnotationCoordinateType != "2D" or file.get("PixelOriginInterpretation", "VOLUME") != "VOLUME":
            raise UnsupportedSource(path, "its coordinates are not those of the pixels of the whole slide")
        groups = file.AnnotationGroupSequence
        for number, group in enumerate(groups, 1):
            _add_group(group, builder, score, transform, skipped)
            progress(size * number // len(groups))
    except (InvalidDicomError, *DAMAGED) as error:
        raise UnreadableSource(path, f"its annotations are damaged: {error}") from error
    return skipped


def _add_group(group: Any, builder: Builder, score: str | None, transform: Transform | None, skipped: Skipped) -> None:
    points, starts = _coordinates(group)
    count = len(starts) - 1
    label = str(group.get("AnnotationGroupLabel", ""))[:200].strip() or "Annotations"
    lab = group.get("RecommendedDisplayCIELabValue")
    number = builder.class_number(label, None if lab is None else rgb_of(lab))
    values = _scores(group, score, count)
    for begin in range(0, count, PIECE):
        chosen = np.arange(begin, min(count, begin + PIECE))
        kept = chosen[np.isfinite(values[chosen]) & (starts[chosen + 1] > starts[chosen])]
        for one in np.setdiff1d(chosen, kept).tolist():
            skipped.add(one + 1, f"of {label}: it has no score or no corners")
        if len(kept) == 0:
            continue
        sizes = starts[kept + 1] - starts[kept]
        ends = np.cumsum(sizes)
        corners = points[np.arange(int(ends[-1])) + np.repeat(starts[kept] - (ends - sizes), sizes)].astype(np.float64)
        if group.GraphicType == "ELLIPSE":
            corners = _ellipses(corners.reshape(-1, 4, 2))
            ends = ELLIPSE_CORNERS * np.arange(1, len(kept) + 1)
        shapes = np.arange(1, len(kept) + 1)
        add_shapes(builder, corners, (ends, shapes), np.full(len(kept), number, np.uint8), values[kept], transform)


def _coordinates(group: Any) -> tuple[NDArray[np.floating], Longs]:
    """Points (p, 2) of all annotations, and where each begins, with the end of the last (n + 1,)."""
    data, kind = group.get("PointCoordinatesData"), "<f4"
    if data is None:
        data, kind = group.DoublePointCoordinatesData, "<f8"
    points: NDArray[np.floating] = np.frombuffer(data, kind).reshape(-1, 2)
    size = CORNERS.get(group.GraphicType)
    if size is not None:
        if len(points) % size:
            raise ValueError(f"{len(points)} corners of {group.GraphicType}")
        return points, np.arange(0, len(points) + 1, size)
    if group.GraphicType not in ("POLYGON", "POLYLINE"):
        raise ValueError(f"the kind {group.GraphicType}")
    firsts = np.frombuffer(group.LongPrimitivePointIndexList, "<u4").astype(np.int64) - 1  # of numbers, from 1
    starts = np.concatenate([firsts // 2, [len(points)]])
    if (firsts % 2).any() or firsts[:1].any() or (np.diff(starts) < 0).any():
        raise ValueError("the list of first corners is not in order")
    return points, starts


def _scores(group: Any, score: str | None, count: int) -> NDArray[np.float32]:
    """(n,); NaN for one without."""
    if score is None:
        return np.zeros(count, np.float32)
    values = np.full(count, np.nan, np.float32)
    for measured in group.get("MeasurementsSequence", ()):
        if measured.ConceptNameCodeSequence[0].CodeMeaning != score:
            continue
        given = measured.MeasurementValuesSequence[0]
        found = np.frombuffer(given.FloatingPointValues, "<f4")
        listed = given.get("AnnotationIndexList")
        places = np.arange(len(found)) if listed is None else np.frombuffer(listed, "<u4").astype(np.int64) - 1
        if len(places) != len(found) or (len(places) and not 0 <= places.min() <= places.max() < count):
            raise ValueError(f"the values of {score!r} belong to no annotations")
        values[places] = found
    return values


def _ellipses(ends: Floats) -> Floats:
    """Outlines of ellipses (n, 4, 2), given by the ends of the long and of the short axis, as corners."""
    middle = ends.mean(axis=1)
    long, short = (ends[:, 1] - ends[:, 0]) / 2, (ends[:, 3] - ends[:, 2]) / 2
    angles = np.arange(ELLIPSE_CORNERS) * (2 * np.pi / ELLIPSE_CORNERS)
    turned = np.cos(angles)[:, None] * long[:, None, :] + np.sin(angles)[:, None] * short[:, None, :]
    corners: Floats = (middle[:, None, :] + turned).reshape(-1, 2)
    return corners
