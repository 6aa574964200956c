"""The root of a function, in few steps that are the same in every language."""

from __future__ import annotations

import math
from collections.abc import Callable

STEPS = 200
TOLERANCE = 1e-12


def rising_root(function: Callable[[float], float], low: float, high: float) -> float:
    """Where a rising function is 0: below at ``low``, not below at ``high``. Regula falsi (Illinois), else halving."""
    at_low, at_high = function(low), function(high)
    side = 0
    for step in range(STEPS):
        if high - low <= TOLERANCE * high or at_high == 0:
            break
        middle = (low + high) / 2
        if step % 4 < 3 and math.isfinite(at_low) and math.isfinite(at_high) and at_high > at_low:
            guess = high - at_high * (high - low) / (at_high - at_low)
            middle = guess if low < guess < high else middle
        found = function(middle)
        if found < 0:
            low, at_low = middle, found
            at_high = at_high / 2 if side < 0 else at_high
            side = -1
        else:
            high, at_high = middle, found
            at_low = at_low / 2 if side > 0 else at_low
            side = 1
    return high
