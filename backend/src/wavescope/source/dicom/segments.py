"""DICOM Segmentations of whole slides (binary, fractional, label maps), read by highdicom (OV60)."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from wavescope.cielab import rgb_of
from wavescope.errors import MissingPackage, UnreadableSource, UnsupportedSource
from wavescope.geometry import MAX_SIDE
from wavescope.source.base import Limits
from wavescope.source.dicom.library import require_pydicom
from wavescope.source.dicom.series import is_dicom

SOP_CLASSES = frozenset({"1.2.840.10008.5.1.4.1.1.66.4", "1.2.840.10008.5.1.4.1.1.66.7"})
MAX_SEGMENTS = 256
Read = Callable[[int, int, int, int], NDArray[Any]]
"""(x, y, width, height) to samples (height, width)."""
Label = tuple[str, str | None]


def is_segmentation(path: Path, head: bytes) -> bool:
    """Whether a file is one; False also where pydicom is missing, or cannot read it. Raises OSError."""
    if not is_dicom(head):
        return False
    try:
        read = require_pydicom("this DICOM file").dcmread
        return read(path, stop_before_pixels=True, specific_tags=["SOPClassUID"]).get("SOPClassUID") in SOP_CLASSES
    except MissingPackage:
        return False
    except Exception:  # pydicom meets hostile files with exceptions of every kind; what reads it names the damage
        return False


class Segmentation(NamedTuple):
    """``segments``: of each one its pixels with its label and colour. ``fractional``: they are real numbers of 0 to 1,
    else 0 and 1.
    """

    width: int
    height: int
    segments: Sequence[tuple[Read, Label]]
    fractional: bool


def open_segmentation(path: Path, limits: Limits, fractions: bool = False) -> Segmentation:
    """``fractions``: those of a fractional one are wanted. Raises SourceError kinds, MissingPackage."""
    try:
        highdicom = importlib.import_module("highdicom")
    except ImportError as error:
        raise MissingPackage("highdicom", "this DICOM segmentation", "dicom") from error
    try:
        _check(path, require_pydicom("this DICOM file").dcmread(path, stop_before_pixels=True), limits)
        found = highdicom.seg.segread(path, lazy_frame_retrieval=True)
        fractional = fractions and found.SegmentationType == "FRACTIONAL"
        segments = [(_read(path, found, n, fractional), _label(found, n)) for n in found.segment_numbers]
        width, height = int(found.TotalPixelMatrixColumns), int(found.TotalPixelMatrixRows)
        return Segmentation(width, height, segments, fractional)
    except (UnsupportedSource, UnreadableSource, MemoryError):
        raise
    except Exception as error:  # as above
        raise _damaged(path, error) from error


def _check(path: Path, header: Any, limits: Limits) -> None:
    """Raises before anything is allocated by what a file says."""
    sides = [
        int(header.get(name, 0)) for name in ("TotalPixelMatrixColumns", "TotalPixelMatrixRows", "Columns", "Rows")
    ]
    if not all(1 <= side <= MAX_SIDE for side in sides):
        raise UnsupportedSource(path, f"its sides are {sides}; it is no segmentation of a whole slide, or too large")
    if sides[2] * sides[3] * 8 > limits.decoded_bytes:
        raise UnreadableSource(path, f"its frames of {sides[2]:,} x {sides[3]:,} pixels are too large")
    segments = len(header.get("SegmentSequence", ()))
    if not 1 <= segments <= MAX_SEGMENTS:
        raise UnsupportedSource(path, f"it has {segments} segments; read are 1 to {MAX_SEGMENTS}")


def _read(path: Path, found: Any, number: int, fractional: bool) -> Read:
    def read(x: int, y: int, width: int, height: int) -> NDArray[Any]:
        columns = {"column_start": x + 1, "column_end": x + width + 1}
        rows = {"row_start": y + 1, "row_end": y + height + 1}
        try:
            samples = found.get_total_pixel_matrix(segment_numbers=[number], **rows, **columns)
        except MemoryError:
            raise
        except Exception as error:  # as above
            raise _damaged(path, error) from error
        numbers: NDArray[Any] = samples[:, :, 0]
        return numbers.astype(np.float32) if fractional else (numbers >= 0.5).astype(np.uint8)

    return read


def _label(found: Any, number: int) -> Label:
    described = found.get_segment_description(number)
    lab = described.get("RecommendedDisplayCIELabValue")
    return str(described.segment_label)[:200].strip(), None if lab is None else rgb_of(lab)


def _damaged(path: Path, error: Exception) -> UnreadableSource:
    return UnreadableSource(path, f"the segmentation is damaged: {type(error).__name__}: {error}")
