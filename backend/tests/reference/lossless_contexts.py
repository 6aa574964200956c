"""What the lossless profile adds: shared/spec/codestream.md, CS41 to CS43."""

from __future__ import annotations

from .coder import Bits, Reader
from .plane import SIGN_WEIGHTS, Field, Plane, cross, level_of, magnitudes, scaled, wrap16

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


def row_predictions(planes: list[Plane], i: int, y: int, later: int) -> list[int]:
    """The predictions without W and WW, for a whole row (CS42)."""
    p, channel, band = planes[i], i // 3, i % 3
    places: list[tuple[Field, int, int, int, int]] = [(p.q, -1, 0, 0, 0), (p.q, -1, -1, 0, 0), (p.q, -1, 1, 0, 0)]
    coefficients = [p.coefficients[k] for k in (1, 2, 3, 5)] + p.coefficients[6:]
    places.append((p.q, -2, 0, 0, 0))
    if later:
        places += [(p.q, 0, 1, p.gain, 0), (p.q, 1, 0, p.gain, 0)]

    def of(other: Plane, *beside: tuple[int, int]) -> list[tuple[Field, int, int, int, int]]:
        up, down = max(0, other.shift - p.shift), max(0, p.shift - other.shift)
        return [(other.q, dy, dx, up, down) for dy, dx in beside]

    if band == 2:
        places += of(planes[i - 2], (-1, 0), (1, 0)) + of(planes[i - 1], (0, -1), (0, 1))
    for before in range(channel):
        places += of(planes[3 * before + band], *HERE_AND_BESIDE)
    terms = [k * scaled(q, y + dy, dx, up, down) for k, (q, dy, dx, up, down) in zip(coefficients, places, strict=True)]
    return [wrap16(int(v)) for v in sum(terms)]


def row_activities(planes: list[Plane], i: int, y: int, later: int) -> list[int]:
    """The activity without W for a whole row (CS43)."""
    p, channel, band = planes[i], i // 3, i % 3
    total = 8 * magnitudes(p, y - 1, 0)
    if later:
        total = total + 8 * (magnitudes(p, y, 1) + magnitudes(p, y + 1, 0))
    others = [planes[band]] * (channel > 0) + planes[i - band : i]
    for other in others:
        total = total + cross(other, y, 4, 2)
    return [int(v) for v in total]


def second_value_model(prediction: int, activity: int) -> int:
    """The second model of a coefficient that was zero (CS43)."""
    return 10 * level_of(16 * abs(prediction)) + (level_of(activity) >> 1)


def second_low_bit_model(old: int, offset: int) -> int:
    """The second model of a coefficient that was not (CS43)."""
    far = min(level_of(abs(offset) >> 3) >> 1, 7)
    return SECOND_LOW + 15 * (min(old, 7) - 1) + 7 + (-far if offset < 0 else far)
