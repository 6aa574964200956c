"""What two models for a symbol need: shared/spec/codestream.md, CS41 to CS43."""

from __future__ import annotations

import numpy as np

from .coder import Bits, Reader
from .plane import SIGN_WEIGHTS, Field, Plane, cross, level_of, moved, row_above, scaled

SECOND_LOW, SECOND = 200, 305
HERE_AND_BESIDE = ((0, 0), (0, -1), (0, 1), (-1, 0), (1, 0))  # dy, dx of C, W, E, N, S


def read_coefficients(reader: Reader, models: Bits, channel: int, band: int, later: int) -> list[int]:
    """A plane's predictor coefficients (CS42)."""
    west, north, east, south = SIGN_WEIGHTS[band]
    coefficients = [west, north, 0, 0, 0, 0]
    coefficients += [east, south] * later
    coefficients += [-10, 10, -6, 6] * (band == 2)
    coefficients += [0] * 5 * channel
    if not reader.plain(1):
        return coefficients
    return [(coefficient + reader.signed_golomb(models) + 128) % 256 - 128 for coefficient in coefficients]


def known_predictions(planes: list[Plane], i: int, later: int) -> Field:
    """What CS42 adds of other planes and of this one as the layers before left it: known before its first row."""
    p, channel, band = planes[i], i // 3, i % 3
    coefficients = iter(p.coefficients[6:])
    total = np.zeros((p.side, p.side), np.int64)

    def add(padded: Field, *beside: tuple[int, int]) -> None:
        for dy, dx in beside:
            total[:] += next(coefficients) * moved(padded, dy, dx)

    def of(other: Plane) -> Field:
        return scaled(other.q, max(0, other.whole_shift - p.shift), max(0, p.shift - other.whole_shift))

    if later:
        add(scaled(p.q, p.gain, 0), (0, 1), (1, 0))
    if band == 2:
        add(of(planes[i - 2]), (-1, 0), (1, 0))
        add(of(planes[i - 1]), (0, -1), (0, 1))
    for before in range(channel):
        add(of(planes[3 * before + band]), *HERE_AND_BESIDE)
    return total


def row_predictions(p: Plane, y: int) -> Field:
    """What CS42 adds of the rows above."""
    places = ((1, 0), (1, -1), (1, 1), (2, 0))
    coefficients = [p.coefficients[k] for k in (1, 2, 3, 5)]
    rows = [k * row_above(p.small, y, up, dx) for k, (up, dx) in zip(coefficients, places, strict=True)]
    return np.sum(rows, axis=0)


def known_activities(planes: list[Plane], i: int, later: int) -> Field:
    """What CS43 adds to the activity of other planes and of this one as the layers before left it."""
    p, channel, band = planes[i], i // 3, i % 3
    total = np.zeros((p.side, p.side), np.int64)
    if later:
        total += 8 * (moved(p.mag, 0, 1) + moved(p.mag, 1, 0))
    for other in [planes[band]] * (channel > 0) + planes[i - band : i]:
        total += cross(other, 4, 2)
    return total


def second_value_model(prediction: int, activity: int) -> int:
    """The second model of a coefficient that was zero (CS43)."""
    return 10 * level_of(16 * abs(prediction)) + (level_of(activity) >> 1)


def second_low_bit_model(old: int, offset: int) -> int:
    """The second model of a coefficient that was not (CS43)."""
    far = min(level_of(abs(offset) >> 3) >> 1, 7)
    return SECOND_LOW + 15 * (min(old, 7) - 1) + 7 + (-far if offset < 0 else far)
