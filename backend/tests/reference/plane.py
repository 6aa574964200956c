"""A plane while its layer is decoded, and how its neighbours are read: shared/spec/codestream.md, CS30 to CS33."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from .coder import Bits, Symbols

LEVEL_FROM = [1, 2, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024]
SIGN_WEIGHTS = [(-20, 12, -18, 11), (9, -22, 8, -19), (-12, -15, -11, -13)]  # of W, N, E, S by band (CS33)

Field = NDArray[np.int64]


@dataclass
class Plane:
    """One band of one channel at one depth; ``mag`` and ``small`` (q within -127..127, as far as this layer is decoded)
    with a margin of two all around, ``flags`` with one."""

    side: int
    q: Field
    mag: Field
    small: Field
    flags: Field
    shift: int
    gain: int
    weights: list[int]
    symbols: Symbols
    second: Symbols | None  # CS41
    bits: Bits
    cross_channel: list[int]
    coefficients: list[int]  # CS42
    raw: int  # bits without a model below ``shift`` (CS53)

    @property
    def whole_shift(self) -> int:
        """Of the layer, with the bits that have no model."""
        return self.shift - self.raw


def level_table() -> list[int]:
    """Level of every sum 0..2047 (CS30)."""
    return [sum(limit <= s for limit in LEVEL_FROM) for s in range(2048)]


LEVELS = level_table()


def level_of(value: int) -> int:
    """Level of a number of any size."""
    return LEVELS[min(value, 2047)]


Number = TypeVar("Number", int, Field)


def wrap16(value: Number) -> Number:
    """The int16 that is equal modulo 2^16."""
    return (value + 32768) % 65536 - 32768


def scaled(q: Field, up: int, down: int) -> Field:
    """A plane as small signed numbers, with a margin of two zeros: CS32."""
    size = np.minimum(np.abs(q) >> down, 127 >> up)
    return np.pad(np.sign(q) * ((size << up) + np.where(size > 0, 1 << up >> 1, 0)), 2)


def moved(padded: Field, dy: int, dx: int) -> Field:
    """For every place of a plane with a margin of two, the one that lies dy below and dx to the right."""
    height, width = padded.shape
    return padded[2 + dy : height - 2 + dy, 2 + dx : width - 2 + dx]


def row_above(padded: Field, y: int, up: int, dx: int) -> Field:
    """The row ``up`` rows above row y of a plane with a margin of two, moved by dx."""
    return padded[y + 2 - up, 2 + dx : padded.shape[1] - 2 + dx]


def cross(plane: Plane, centre: int, beside: int) -> Field:
    """Weighted magnitudes at every place and beside it."""
    around = sum(moved(plane.mag, dy, dx) for dy, dx in ((-1, 0), (1, 0), (0, -1), (0, 1)))
    return centre * moved(plane.mag, 0, 0) + beside * around
