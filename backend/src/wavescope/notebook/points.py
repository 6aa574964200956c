"""The rows of a data frame as points over a slide: columns in binary, as they are drawn (NB5)."""

from __future__ import annotations

import json
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from wavescope.errors import InvalidParameter, TooLarge
from wavescope.notebook.exchange import Reply

MAX_POINTS = 20_000_000
MAX_CLASSES = 255
MISSING = 255  # the code of a row without a class or number
GREY = "9e9e9e"
PALETTE = ("e69f00", "56b4e9", "009e73", "f0e442", "0072b2", "d55e00", "cc79a7", "8c564b", "17becf", "bcbd22")
"""Okabe and Ito's colours, which colour-blind readers tell apart, and three more."""
SCALE = ("440154", "3b528b", "21918c", "5ec962", "fde725")
"""Of viridis, evenly."""


class Points(NamedTuple):
    """``xy``: (n, 2) in level-0 pixels; ``codes``: of the colour of each; ``names``: of classes; none of a scale."""

    xy: NDArray[np.float32]
    codes: NDArray[np.uint8]
    colours: tuple[str, ...]
    names: tuple[str, ...]
    low: float | None = None
    high: float | None = None

    def reply(self) -> Reply:
        """What is sent to the viewer: all coordinates, then all codes."""
        said = {"count": len(self.xy), "colours": self.colours, "names": self.names, "low": self.low, "high": self.high}
        return Reply(self.xy.tobytes() + self.codes.tobytes(), headers={"x-points": json.dumps(said)})


def points_of(frame: Any, colour: str | None = None, x: str = "x", y: str = "y") -> Points:
    """The columns ``x`` and ``y`` (level-0 pixels) of a data frame; ``colour``: the column of classes, or of numbers.

    Raises InvalidParameter for a column that is missing, of another length, or not of finite numbers; TooLarge.
    """
    columns = [_numbers(frame, name) for name in (x, y)]
    xy = np.stack(columns, axis=1)
    if colour is None:
        return Points(xy, np.zeros(len(xy), np.uint8), (PALETTE[0],), ())
    column = _column(frame, colour)
    if len(column) != len(xy):
        raise InvalidParameter(colour, len(column), f"{len(xy)} rows")
    if np.asarray(column).dtype.kind in "iuf":
        return _scaled(xy, np.asarray(column, np.float64))
    codes, names = _classes(column)
    if len(names) > MAX_CLASSES:
        raise InvalidParameter(colour, f"{len(names)} classes", f"at most {MAX_CLASSES}")
    colours = [PALETTE[i % len(PALETTE)] for i in range(len(names))]
    return Points(xy, np.where(codes < 0, MISSING, codes).astype(np.uint8), _with_grey(colours), names)


def _column(frame: Any, name: str) -> Any:
    try:
        return frame[name]
    except (KeyError, IndexError, TypeError, ValueError) as cause:
        raise InvalidParameter("column", name, "a column of the data frame") from cause


def _numbers(frame: Any, name: str) -> NDArray[np.float32]:
    column = _column(frame, name)
    if len(column) > MAX_POINTS:
        raise TooLarge("the number of points", len(column), MAX_POINTS)
    try:
        numbers = np.asarray(column, np.float32)
    except (ValueError, TypeError) as cause:
        raise InvalidParameter(name, str(np.asarray(column).dtype), "numbers") from cause
    if numbers.ndim != 1 or not np.isfinite(numbers).all():
        raise InvalidParameter(name, "a value that is no finite number", "finite numbers")
    return numbers


def _classes(column: Any) -> tuple[NDArray[np.int64], tuple[str, ...]]:
    """Numbers of classes, -1 of a row without one, and their names, in order."""
    if hasattr(column, "iloc"):  # a series of pandas
        kept = column.astype("category").cat
        return np.asarray(kept.codes, np.int64), tuple(map(str, kept.categories))
    names, codes = np.unique(np.asarray(column, str), return_inverse=True)
    return np.asarray(codes, np.int64), tuple(map(str, names))


def _scaled(xy: NDArray[np.float32], numbers: NDArray[np.float64]) -> Points:
    """Numbers as 255 steps of the scale, from the least to the largest."""
    known = np.isfinite(numbers)
    low, high = (float(numbers[known].min()), float(numbers[known].max())) if known.any() else (0.0, 0.0)
    spread = (high - low) or 1.0
    codes = np.full(len(numbers), MISSING, np.uint8)
    codes[known] = np.rint((numbers[known] - low) / spread * (MISSING - 1)).astype(np.uint8)
    stops = np.array([[int(one[i : i + 2], 16) for i in (0, 2, 4)] for one in SCALE], np.float64)
    at = np.linspace(0, len(SCALE) - 1, MISSING)
    steps = np.stack([np.interp(at, range(len(SCALE)), stops[:, i]) for i in range(3)], axis=1).round().astype(int)
    return Points(xy, codes, _with_grey(["{:02x}{:02x}{:02x}".format(*step) for step in steps]), (), low, high)


def _with_grey(colours: list[str]) -> tuple[str, ...]:
    """A colour for each code: grey for MISSING and for those that nothing has."""
    return (*colours, *[GREY] * (MISSING + 1 - len(colours)))
