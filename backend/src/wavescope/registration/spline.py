"""A smooth field of shifts: uniform cubic B-splines in two dimensions (Rueckert et al. 1999, "Nonrigid registration
using free-form deformations", IEEE Transactions on Medical Imaging 18).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.floating[Any]]

BENDING = 2e-3
"""Of a unit of weight: how much a field resists where little is known of it."""


class Lattice(NamedTuple):
    """Control points ``spacing`` apart: columns x rows of them, the first at (-spacing, -spacing)."""

    columns: int
    rows: int
    spacing: float

    @classmethod
    def over(cls, width: float, height: float, intervals: int) -> Lattice:
        """That spans width x height, with so many intervals along the longer side."""
        spacing = max(width, height) / intervals
        return cls(int(np.ceil(width / spacing - 1e-9)) + 3, int(np.ceil(height / spacing - 1e-9)) + 3, spacing)

    def basis(self, points: Floats) -> tuple[Floats, Floats]:
        """The weights of columns (n, columns) and of rows (n, rows) at points (n, 2); outside as at the border."""
        return (
            _along(points[:, 0] / self.spacing, self.columns),
            _along(points[:, 1] / self.spacing, self.rows),
        )


def evaluate(lattice: Lattice, shifts: Floats, points: Floats) -> Floats:
    """The shifts (n, 2) at points (n, 2), of control shifts (rows, columns, 2)."""
    found = np.empty((len(points), 2))
    for start in range(0, len(points), 1 << 16):
        part = slice(start, start + (1 << 16))
        across, down = lattice.basis(points[part])
        found[part] = np.einsum("nc,ncd->nd", across, np.tensordot(down, shifts, axes=(1, 0)), optimize=True)
    return found


def picture(lattice: Lattice, shifts: Floats, width: int, height: int) -> NDArray[np.float32]:
    """The shifts (height, width, 2) at the middles of pixels."""
    across = _along((np.arange(width) + 0.5) / lattice.spacing, lattice.columns)
    down = _along((np.arange(height) + 0.5) / lattice.spacing, lattice.rows)
    return np.einsum("yr,rcd,xc->yxd", down, shifts, across, optimize=True).astype(np.float32)


def fit(lattice: Lattice, points: Floats, values: Floats, weights: Floats) -> Floats:
    """The control shifts (rows, columns, 2) that come nearest to values (n, 2) at points (n, 2), in weighted least
    squares with a penalty on second differences.
    """
    across, down = lattice.basis(points)
    design = (down[:, :, None] * across[:, None, :]).reshape(len(points), -1).astype(np.float32)
    weighted = design * weights[:, None].astype(np.float32)
    normal = (weighted.T @ design).astype(np.float64)
    density = max(float(weights.sum()), 1e-9) / normal.shape[0]
    normal += BENDING * density * _bending(lattice.columns, lattice.rows)
    normal[np.diag_indices_from(normal)] += 1e-7 * density
    solved: Floats = np.linalg.solve(normal, (weighted.T @ values.astype(np.float32)).astype(np.float64))
    return solved.reshape(lattice.rows, lattice.columns, 2)


def _along(at: Floats, count: int) -> Floats:
    """(n, count) weights of the control points of one side, in units of their spacing."""
    at = np.clip(at, 0, count - 3)
    first = np.minimum(at.astype(np.int64), count - 4)
    t = at - first
    near = np.stack([(1 - t) ** 3, 3 * t**3 - 6 * t**2 + 4, -3 * t**3 + 3 * t**2 + 3 * t + 1, t**3], axis=1) / 6
    weights = np.zeros((len(at), count))
    np.put_along_axis(weights, first[:, None] + np.arange(4), near, axis=1)
    return weights


def _bending(columns: int, rows: int) -> Floats:
    """The sum of squares of second differences, as a matrix over rows x columns."""
    across, down = (np.diff(np.eye(count), n=2, axis=0) for count in (columns, rows))
    one_x, one_y = (np.diff(np.eye(count), axis=0) for count in (columns, rows))
    bent: Floats = np.kron(np.eye(rows), across.T @ across) + np.kron(down.T @ down, np.eye(columns))
    return bent + 2 * np.kron(one_y.T @ one_y, one_x.T @ one_x)
