"""Shapes of masks: grown, shrunk, filled."""

from __future__ import annotations

import numpy as np

from wavescope.quality_maps.bands import Mask


def grown(mask: Mask, by: int) -> Mask:
    """With all pixels within a square of 2 ``by`` + 1."""
    for axis in (0, 1):
        found = mask.copy()
        for step in range(1, by + 1):
            ahead, behind = [slice(None)] * 2, [slice(None)] * 2
            ahead[axis], behind[axis] = slice(step, None), slice(None, -step)
            found[tuple(ahead)] |= mask[tuple(behind)]
            found[tuple(behind)] |= mask[tuple(ahead)]
        mask = found
    return mask


def shrunk(mask: Mask, by: int) -> Mask:
    """Without the pixels within a square of 2 ``by`` + 1 of one that is not set; beyond the edge all are set."""
    return ~grown(~mask, by)


def opened(mask: Mask, by: int) -> Mask:
    """Without what is thinner than 2 ``by`` + 1."""
    return grown(shrunk(mask, by), by) & mask


def closed(mask: Mask, by: int) -> Mask:
    """With gaps that are thinner than 2 ``by`` + 1."""
    return shrunk(grown(mask, by), by) | mask


def holes(walls: Mask) -> Mask:
    """What is surrounded by walls: from it no way of steps along rows and columns leads to the edge."""
    free = ~walls
    outside = np.zeros_like(free)
    outside[[0, -1]], outside[:, [0, -1]] = free[[0, -1]], free[:, [0, -1]]
    count = -1
    while (now := int(outside.sum())) != count:
        count = now
        outside = _along_rows(_along_rows(outside, free).T, free.T).T
    found: Mask = free & ~outside
    return found


def _along_rows(outside: Mask, free: Mask) -> Mask:
    """Runs of free pixels of a row are outside if one of their pixels is."""
    begins = np.ones(free.shape, np.bool_)
    begins[:, 1:] = free[:, 1:] != free[:, :-1]
    starts = np.flatnonzero(begins)
    found = np.logical_or.reduceat(outside.ravel(), starts)
    lengths = np.diff(starts, append=free.size)
    runs: Mask = np.repeat(found, lengths).reshape(free.shape)
    return runs & free
