"""Windows of 16-bit samples: how those of colour become 8-bit (ST98), and which ones a mix shows by default (ST111).

A window of samples runs from the 0.1th to the 99.9th percentile of a bounded sample. Values inside a window are mapped
linearly and rounded to nearest, those outside clipped. Colour has the full range.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

LOW, HIGH = 0.001, 0.999
BITS = 16
VALUES = 1 << BITS


class Window(NamedTuple):
    """``low`` becomes 0, ``high`` becomes 255."""

    low: int
    high: int

    def describe(self) -> str:
        """What the user should know of it."""
        clipped = "" if self == FULL else ", values outside are clipped"
        return f"{BITS}-bit values {self.low} to {self.high} are stored as 0 to 255{clipped}"

    def apply(self, values: NDArray[np.uint16]) -> NDArray[np.uint8]:
        """The 8-bit picture."""
        picture: NDArray[np.uint8] = self.table()[values]
        return picture

    def table(self) -> NDArray[np.uint8]:
        """The 8-bit value of every 16-bit value."""
        scale = 255.0 / max(1, self.high - self.low)
        spread = (np.arange(VALUES) - self.low) * scale
        table: NDArray[np.uint8] = np.clip(np.floor(spread + 0.5), 0, 255).astype(np.uint8)
        return table


FULL = Window(0, VALUES - 1)


def window_of(samples: Iterable[NDArray[np.uint16]]) -> Window:
    """The window of all given samples together; it is at least one grey value wide."""
    histogram = np.zeros(VALUES, dtype=np.int64)
    for sample in samples:
        histogram += np.bincount(sample.ravel(), minlength=VALUES)
    cumulated = np.cumsum(histogram)
    total = int(cumulated[-1])
    if total == 0:
        return FULL
    low = int(np.searchsorted(cumulated, total * LOW, side="right"))
    high = int(np.searchsorted(cumulated, total * HIGH, side="left"))
    return Window(low, max(high, low + 1))
