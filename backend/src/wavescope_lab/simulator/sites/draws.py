"""Random numbers by position: the same seed, stream, client and number give the same number in whatever order (SI10).

Each client has a sequence of SplitMix64 per stream (Steele, Lea and Flood 2014); ``number`` is the place in it.
"""

from __future__ import annotations

import hashlib
from enum import IntEnum

import numpy as np
import numpy.typing as npt

from wavescope_lab.simulator.distributions import Bins, Constant, Distribution, Exponential

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]
Hashes = npt.NDArray[np.uint64]

GOLDEN = np.uint64(0x9E3779B97F4A7C15)
MULTIPLIERS = (np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB))


class Stream(IntEnum):
    """What a number is drawn for."""

    STATE = 0
    FULL = 1
    THINK = 2
    HIT = 3
    NODE = 4
    EDGE_CPU = 5
    NODE_CPU = 6
    STORED = 7
    STORE = 8


class Draws:
    """The numbers of one trial."""

    def __init__(self, seed: str, clients: int) -> None:
        digest = hashlib.sha256(seed.encode()).digest()
        streams = np.frombuffer(digest, dtype="<u8")[0] + np.arange(len(Stream), dtype=np.uint64) * GOLDEN
        numbers = np.arange(clients, dtype=np.uint64) * MULTIPLIERS[0]
        self._bases = [_mixed(_mixed(np.full(clients, key)) + numbers) for key in streams]

    def uniform(self, stream: Stream, clients: Integers, numbers: Integers) -> Floats:
        """Numbers in [0, 1), one for each client and number of its request."""
        hashes = _mixed(self._bases[stream][clients] + numbers.astype(np.uint64) * GOLDEN)
        return (hashes >> np.uint64(11)).astype(np.float64) * 2.0**-53


def _mixed(values: Hashes) -> Hashes:
    values = (values ^ (values >> np.uint64(30))) * MULTIPLIERS[0]
    values = (values ^ (values >> np.uint64(27))) * MULTIPLIERS[1]
    return values ^ (values >> np.uint64(31))


def quantiles(times: Distribution, uniform: Floats) -> Floats:
    """Seconds of a distribution for numbers in [0, 1)."""
    if isinstance(times, Constant):
        return np.full(len(uniform), times.value)
    if isinstance(times, Exponential):
        return -times.mean * np.log1p(-uniform)
    if isinstance(times, Bins):
        edges = np.array(times.edges)
        bins, before = np.array(times.bins), np.concatenate(([0.0], edges[:-1]))
        chosen = np.minimum(np.searchsorted(edges, uniform, side="right"), len(edges) - 1)
        inside = (uniform - before[chosen]) / np.maximum(edges[chosen] - before[chosen], 1e-300)
        found: Floats = bins[chosen, 0] + np.clip(inside, 0, 1) * (bins[chosen, 1] - bins[chosen, 0])
        return found
    raise TypeError(f"{type(times).__name__} has no quantiles here")
