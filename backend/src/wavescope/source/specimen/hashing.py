"""Randomness without state: numbers in [0, 1) that depend on a place, a purpose and the seed only."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

Hashes = NDArray[np.uint64]
Floats = NDArray[np.float64]

STEP = np.uint64(0x9E3779B97F4A7C15)
SHIFTS = (np.uint64(30), np.uint64(27), np.uint64(31))
FACTORS = (np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB))
TO_UNIT = 2.0**-53


def _mix(values: Hashes) -> Hashes:
    """The finaliser of splitmix64 (Steele, Lea, Flood 2014): every bit of the input moves every bit of the output."""
    values = (values ^ (values >> SHIFTS[0])) * FACTORS[0]
    values = (values ^ (values >> SHIFTS[1])) * FACTORS[1]
    return values ^ (values >> SHIFTS[2])


def place_hash(x: ArrayLike, y: ArrayLike, salt: int) -> Hashes:
    """A hash for each pair of integers (broadcast together) and a purpose."""
    columns = np.atleast_1d(np.asarray(x, dtype=np.int64)).astype(np.uint64)
    rows = np.atleast_1d(np.asarray(y, dtype=np.int64)).astype(np.uint64)
    start = np.uint64(salt * int(STEP) % 2**64)
    return _mix(_mix(columns + start) + rows * STEP)


def uniform(hashes: Hashes, number: int) -> Floats:
    """The ``number``-th independent value in [0, 1) of each hash."""
    step = np.uint64((number + 1) * int(STEP) % 2**64)
    values: Floats = (_mix(hashes + step) >> np.uint64(11)).astype(np.float64) * TO_UNIT
    return values
