"""Collects shapes one by one and makes columns of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from wavescope.errors import InvalidParameter
from wavescope.overlays.builder import Builder
from wavescope.overlays.reading.columns import Transform, add_shapes

Corner = Sequence[float]
Ring = Sequence[Corner]


class ShapeList:
    """Shapes that wait to be added to a builder."""

    def __init__(self, builder: Builder, transform: Transform | None = None) -> None:
        self._builder, self._transform = builder, transform
        self._clear()

    def append(self, rings: Sequence[Ring], of_class: int, score: float) -> None:
        """Raises InvalidParameter for a shape without corners."""
        if not rings or not all(rings):
            raise InvalidParameter("shape", "without corners", "at least one corner in each ring")
        self._rings.extend(rings)
        self._counts.append(len(rings))
        self._classes.append(of_class)
        self._scores.append(score)

    def flush(self) -> None:
        """Adds what waits. Raises InvalidParameter for corners that are no pairs of numbers or too far away."""
        if not self._counts:
            return
        sizes = [len(ring) for ring in self._rings]
        corners = _pairs(chain.from_iterable(self._rings), sum(sizes))
        ends = np.cumsum(sizes), np.cumsum(self._counts)
        classes, scores = np.array(self._classes, np.uint8), np.array(self._scores, np.float32)
        add_shapes(self._builder, corners, ends, classes, scores, self._transform)
        self._clear()

    def _clear(self) -> None:
        self._rings: list[Ring] = []
        self._counts: list[int] = []
        self._classes: list[int] = []
        self._scores: list[float] = []


def _pairs(corners: Iterable[Corner], count: int) -> NDArray[np.float64]:
    """(count, 2); a third coordinate is left out."""
    points = list(corners)
    try:
        if set(map(len, points)) == {2}:
            return np.fromiter(chain.from_iterable(points), np.float64, 2 * count).reshape(count, 2)
        return np.array([(point[0], point[1]) for point in points], np.float64).reshape(count, 2)
    except (IndexError, TypeError, ValueError) as error:
        raise InvalidParameter("corner", "no pair of numbers", "x and y of each corner") from error
