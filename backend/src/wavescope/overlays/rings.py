"""The corners of rings as differences from what is expected, and back (OV13, OV14, OV55). Pure.

Rings in columns: corners (c, 2) int64 in quarters of a pixel, the numbers of corners (r,).
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from wavescope.errors import CorruptOverlay
from wavescope.overlays.shapes import MAX_CORNERS, Longs, Number, starts_of

UNIT = 1 << 14
TURNED = 0
"""The prediction of OV14; 1 + k is that of OV55, with k quarters of the deviation before; others are those of OV78."""
MAX_PREDICTION = 37
MAX_DEVIATION = 1 << 31
MIN_ELLIPSE, MAX_ELLIPSE = 6, 256
"""Corners of a ring that has an ellipse."""


def begins_of(corners: Longs, sizes: Longs) -> Longs:
    """Where rings begin (r, 2) as OV55 has it: their mean, or the first corner without an ellipse."""
    starts = np.cumsum(sizes) - sizes
    if len(sizes) == 0:
        return np.zeros((0, 2), np.int64)
    firsts = corners[starts]
    sums = [np.add.reduceat(axis, starts) for axis in (corners[:, 0], corners[:, 1])]
    means: Longs = (2 * np.stack(sums, axis=1) + sizes[:, None]) // (2 * sizes[:, None])
    return np.where(has_ellipse(sizes)[:, None], means, firsts)


def has_ellipse(sizes: Longs) -> NDArray[np.bool_]:
    return (sizes >= MIN_ELLIPSE) & (sizes <= MAX_ELLIPSE)


def ellipses_of(local: Longs, sizes: Longs) -> tuple[Longs, Longs]:
    """A, B, C and D of each ring (r, 4), 0 without an ellipse, and the corners less those of the ellipses (c, 2);
    ``local`` (c, 2): corners from their ring's begin.
    """
    found = np.zeros((len(sizes), 4), np.int64)
    if len(sizes) == 0:
        return found, local
    starts = np.cumsum(sizes) - sizes
    waves = _waves(sizes)
    for number in range(4):
        sums = np.add.reduceat(local[:, number // 2] * waves[number % 2], starts)
        found[:, number] = np.floor(sums * (2 / UNIT) / sizes + 0.5)
    found[~has_ellipse(sizes)] = 0
    return found, local - _on_ellipses(sizes, found, waves)


def best_prediction(deviation: Longs, sizes: Longs) -> int:
    """The prediction of OV55 or OV78 that leaves the smallest squares."""
    exact = deviation.astype(np.float64)
    before = _before(exact, sizes)
    parts = np.stack([exact, before, _before(before, sizes)]).reshape(3, -1)
    shares = _all_shares()
    return 1 + int(np.argmin(((shares @ (parts @ parts.T)) * shares).sum(axis=1)))


@lru_cache(maxsize=1)
def _all_shares() -> NDArray[np.float64]:
    """Quarters of a deviation, less those expected of the two before (37, 3), of each prediction but that of turns."""
    return np.array([(4.0, *(-share for share in shares_of(number))) for number in range(1, MAX_PREDICTION + 1)])


def shares_of(prediction: int) -> tuple[int, int]:
    """Quarters of the deviation before, and of the one before that, which are expected again."""
    return (prediction - 1, 0) if prediction <= 5 else ((prediction - 6) % 8, -1 - (prediction - 6) // 8)


def differences(deviation: Longs, sizes: Longs, prediction: int) -> Longs:
    """What is stored of deviations (c, 2)."""
    shares = _shares(sizes, prediction)
    if not shares.any():
        return deviation
    one, other = np.repeat(shares, sizes, axis=1)[:, :, None]
    before = _before(deviation, sizes)
    stored: Longs = deviation - ((one * before + other * _before(before, sizes) + 2) >> 2)
    return stored


def _before(deviation: NDArray[Number], sizes: Longs) -> NDArray[Number]:
    """The deviation of the corner before in the same ring, 0 for the first one."""
    before = np.zeros_like(deviation)
    before[1:] = deviation[:-1]
    before[np.cumsum(sizes) - sizes] = 0
    return before


def on_ellipses(begins: Longs, sizes: Longs, ellipses: Longs, stored: Longs, prediction: int) -> Longs:
    """The corners (c, 2) of rings: one corner of all rings at a time, the longest ones last. Raises CorruptOverlay."""
    deviation = stored.copy()
    starts = np.cumsum(sizes) - sizes
    shares = _shares(sizes, prediction)
    alive = np.argsort(-sizes, kind="stable") if shares.any() else np.zeros(0, np.int64)
    for number in range(1, int(sizes[alive].max(initial=0))):
        alive = alive[: int(np.searchsorted(-sizes[alive], -number, side="left"))]
        at = starts[alive] + number
        one, other = shares[:, alive, None]
        expected = one * deviation[at - 1] + (other * deviation[at - 2] if number > 1 else 0)
        deviation[at] += (expected + 2) >> 2
        if np.abs(deviation[at]).max() >= MAX_DEVIATION:
            raise CorruptOverlay("a deviation that is too long")
    return np.repeat(begins, sizes, axis=0) + _on_ellipses(sizes, ellipses, _waves(sizes)) + deviation


def _shares(sizes: Longs, prediction: int) -> Longs:
    """Quarters of the two deviations before that are expected again (2, r)."""
    own, other = np.array([shares_of(prediction), (4, 0)])[:, :, None]
    shares: Longs = np.where(has_ellipse(sizes), own, other)
    return shares


def _on_ellipses(sizes: Longs, ellipses: Longs, waves: tuple[Longs, Longs]) -> Longs:
    """Corners of ellipses (c, 2) from their rings' begins."""
    a, b, c, d = (np.repeat(ellipses[:, number], sizes) for number in range(4))
    columns = [(one * waves[0] + other * waves[1] + UNIT // 2) >> 14 for one, other in ((a, b), (c, d))]
    return np.stack(columns, axis=1)


@lru_cache(maxsize=1)
def _wave_table() -> Longs:
    """Cosines and sines (2, t) of all corners of rings of 1, 2, 3 and more corners, one ring after the other."""
    sizes = np.arange(1, MAX_ELLIPSE + 1)
    within = np.arange(int(sizes.sum())) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    angles = 2 * np.pi * within / np.repeat(sizes, sizes)
    return np.floor(UNIT * np.stack([np.cos(angles), np.sin(angles)]) + 0.5).astype(np.int64)


def _waves(sizes: Longs) -> tuple[Longs, Longs]:
    """Cosine and sine of each corner of OV55 (c,); of rings without an ellipse any."""
    own = np.where(has_ellipse(sizes), sizes, 1)
    begins = own * (own - 1) // 2 - (np.cumsum(sizes) - sizes)
    at = np.where(np.repeat(has_ellipse(sizes), sizes), np.arange(int(sizes.sum())) + np.repeat(begins, sizes), 0)
    cosines, sines = _wave_table()
    return cosines[at], sines[at]


def turned_differences(corners: Longs, sizes: Longs) -> Longs:
    """Each step less what is expected (c - r, 2), as OV14 has it."""
    steps: Longs = corners - np.roll(corners, 1, axis=0)
    starts = np.cumsum(sizes) - sizes
    before: Longs = np.roll(steps, 1, axis=0)
    within = np.arange(len(steps)) - np.repeat(starts, sizes)
    before[within <= 1] = 0
    stored: Longs = steps - _turned(before, np.repeat(sizes, sizes))
    return stored[within >= 1]


def on_turns(starts: Longs, sizes: Longs, stored: Longs) -> Longs:
    """The corners (c, 2) of rings: one step of all rings at a time, the longest ones last. Raises CorruptOverlay."""
    corners = np.zeros((int(sizes.sum()), 2), np.int64)
    at = np.cumsum(sizes) - sizes
    from_ = at - np.arange(len(sizes))
    alive = np.argsort(-sizes, kind="stable")
    place, step = starts.copy(), np.zeros_like(starts)
    corners[at] = starts
    for number in range(1, int(sizes.max()) if len(sizes) else 0):
        alive = alive[: int(np.searchsorted(-sizes[alive], -number, side="left"))]
        now = _turned(step[alive], sizes[alive]) + stored[from_[alive] + number - 1]
        if np.abs(now).max(initial=0) >= 1 << 31:
            raise CorruptOverlay("a step that is too long")
        step[alive] = now
        place[alive] += now
        corners[at[alive] + number] = place[alive]
    return corners


def _turned(steps: Longs, sizes: Longs) -> Longs:
    """The steps (n, 2) that follow such steps in rings of so many corners."""
    c, s = turning(sizes)
    a, b = steps[:, 0], steps[:, 1]
    return np.stack([(c * a - s * b + UNIT // 2) >> 14, (s * a + c * b + UNIT // 2) >> 14], axis=1)


@lru_cache(maxsize=1)
def _turns() -> tuple[Longs, Longs]:
    angles = 2 * np.pi / np.maximum(1, np.arange(MAX_CORNERS + 1))
    return (
        np.floor(UNIT * np.cos(angles) + 0.5).astype(np.int64),
        np.floor(UNIT * np.sin(angles) + 0.5).astype(np.int64),
    )


def turning(sizes: Longs) -> tuple[Longs, Longs]:
    """C and S of OV14 for rings of so many corners."""
    cosines, sines = _turns()
    return cosines[sizes], sines[sizes]


def ring_begins(firsts: Longs, between: Longs, ring_counts: Longs) -> Longs:
    """Where each ring begins (r, 2): of the first ring of each shape (n, 2), and the steps between those of one."""
    shape_ends = np.cumsum(ring_counts)
    heads = starts_of(shape_ends)
    steps = np.zeros((int(ring_counts.sum()), 2), np.int64)
    own = np.ones(len(steps), bool)
    own[heads] = False
    steps[own] = between
    sums = np.cumsum(steps, axis=0)
    begins: Longs = sums - np.repeat(sums[heads] - firsts, ring_counts, axis=0)
    return begins
