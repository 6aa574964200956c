"""A plane while its layer is decoded, and how its neighbours are read: shared/spec/codestream.md, CS30 to CS33."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .coder import Bits, Symbols

LEVEL_FROM = [1, 2, 4, 6, 8, 11, 16, 23, 32, 45, 64, 91, 128, 181, 256, 362, 512, 724, 1024]
SIGN_WEIGHTS = [(-20, 12, -18, 11), (9, -22, 8, -19), (-12, -15, -11, -13)]  # of W, N, E, S by band (CS33)

Field = NDArray[np.int64]


@dataclass
class Plane:
    """One band of one channel at one depth; ``mag`` with a margin of two all around, ``flags`` with one."""

    side: int
    q: Field
    mag: Field
    flags: Field
    shift: int
    gain: int
    weights: list[int]
    symbols: Symbols
    second: Symbols | None  # lossless
    bits: Bits
    cross_channel: list[int]
    coefficients: list[int]  # lossless


def level_table() -> list[int]:
    """Level of every sum 0..2047 (CS30)."""
    return [sum(limit <= s for limit in LEVEL_FROM) for s in range(2048)]


LEVELS = level_table()


def level_of(value: int) -> int:
    """Level of a number of any size."""
    return LEVELS[min(value, 2047)]


def wrap16(value: int) -> int:
    """The int16 that is equal modulo 2^16."""
    return (value + 32768) % 65536 - 32768


def scaled(q: Field, y: int, dx: int, up: int, down: int) -> Field:
    """Row y moved by dx, as small signed numbers: CS32. Zeros outside."""
    row = np.zeros(q.shape[1] + 2, np.int64)
    if 0 <= y < q.shape[0]:
        size = np.minimum(np.abs(q[y]) >> down, 127 >> up)
        row[1:-1] = np.sign(q[y]) * ((size << up) + np.where(size > 0, 1 << up >> 1, 0))
    return row[1 + dx : 1 + dx + q.shape[1]]


def magnitudes(plane: Plane, y: int, dx: int) -> Field:
    """Row y of the magnitudes moved by dx."""
    return plane.mag[y + 2, 2 + dx : 2 + dx + plane.side]


def cross(plane: Plane, y: int, centre: int, beside: int) -> Field:
    """Weighted magnitudes at a row's places and beside them."""
    around = (
        magnitudes(plane, y - 1, 0) + magnitudes(plane, y + 1, 0) + magnitudes(plane, y, -1) + magnitudes(plane, y, 1)
    )
    return centre * magnitudes(plane, y, 0) + beside * around
