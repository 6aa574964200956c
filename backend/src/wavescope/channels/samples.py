"""Samples of a channel as indices of a table."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Samples = NDArray[Any]
"""uint8, int8, uint16 or int16."""


def from_least(samples: Samples) -> Samples:
    """Samples counted from the least one that their type has: unsigned."""
    unsigned = np.dtype(f"u{samples.dtype.itemsize}")
    if samples.dtype.kind == "u":
        return samples
    counted: Samples = np.ascontiguousarray(samples).view(unsigned) ^ unsigned.type(1 << (8 * unsigned.itemsize - 1))
    return counted
