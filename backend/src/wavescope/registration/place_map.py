"""Where a place of the left slide lies on the right one, and back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from wavescope.registration.spline import Floats, Lattice, evaluate, picture

STEPS = 60
"""Of the search for an inverse; it halves its error at least once in three where a field does not fold."""
NEAR = 1e-6
"""Of the lattice's spacing: where the search ends."""


class PlaceMap(NamedTuple):
    """right = affine * left + field(left). ``affine`` (2, 3); ``shifts`` (rows, columns, 2), in pixels of the right
    picture, of the control points of ``lattice``, which lies over the left one. The middle of pixel 0 is at 0.5.
    """

    affine: Floats
    lattice: Lattice
    shifts: Floats

    @classmethod
    def of_affine(cls, affine: Floats, width: float, height: float, intervals: int) -> PlaceMap:
        """Without shifts, over a left picture of this size."""
        lattice = Lattice.over(width, height, intervals)
        return cls(affine, lattice, np.zeros((lattice.rows, lattice.columns, 2)))

    def to(self, points: Floats) -> Floats:
        """Places (n, 2) of the right picture for those of the left one."""
        return self._linear(points) + evaluate(self.lattice, self.shifts, points)

    def back(self, points: Floats) -> Floats:
        """Places (n, 2) of the left picture for those of the right one: the fixed point of left = affine^-1 (right -
        field(left)).
        """
        inverse = np.linalg.inv(self.affine[:, :2])
        left = (points - self.affine[:, 2]) @ inverse.T
        for _ in range(STEPS):
            error = points - self.to(left)
            left = left + error @ inverse.T
            if np.abs(error).max(initial=0) < NEAR * self.lattice.spacing:
                break
        return left

    def picture(self, width: int, height: int) -> np.ndarray[Any, np.dtype[np.float32]]:
        """(height, width, 2): the place on the right for the middle of each pixel of the left picture."""
        x, y = np.meshgrid(np.arange(width) + 0.5, np.arange(height) + 0.5)
        linear = np.stack([x, y], axis=-1) @ self.affine[:, :2].T + self.affine[:, 2]
        return (linear + picture(self.lattice, self.shifts, width, height)).astype(np.float32)

    def scaled(self, left: float, right: float) -> PlaceMap:
        """The same between pictures that have ``left`` and ``right`` times as many pixels a side."""
        affine = np.hstack([self.affine[:, :2] * (right / left), self.affine[:, 2:] * right])
        lattice = self.lattice._replace(spacing=self.lattice.spacing * left)
        return PlaceMap(affine, lattice, self.shifts * right)

    def to_json(self) -> dict[str, Any]:
        """Numbers as they go over the wire (RE3)."""
        columns, rows, spacing = self.lattice
        return {
            "affine": [float(f"{value:.9g}") for value in self.affine.ravel()],
            "columns": columns,
            "rows": rows,
            "spacing": float(f"{spacing:.9g}"),
            "shifts": [round(float(value), 2) for value in self.shifts.ravel()],
        }

    @classmethod
    def from_json(cls, found: Mapping[str, Any]) -> PlaceMap:
        """What ``to_json`` made."""
        lattice = Lattice(found["columns"], found["rows"], found["spacing"])
        shifts = np.asarray(found["shifts"], np.float64).reshape(lattice.rows, lattice.columns, 2)
        return cls(np.asarray(found["affine"], np.float64).reshape(2, 3), lattice, shifts)

    def _linear(self, points: Floats) -> Floats:
        linear: Floats = points @ self.affine[:, :2].T + self.affine[:, 2]
        return linear
