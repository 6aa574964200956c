"""Magnification, size and think time of the next request, given the present one (decision 0013).

States are the rows of the printed matrix, in its order. What level of the slide a state is depends on the reading.
"""

from __future__ import annotations

import random
from enum import StrEnum

STATES = 4
NEXT_STATE = (
    (0.65, 0.35, 0.00, 0.00),
    (0.02, 0.68, 0.18, 0.12),
    (0.00, 0.05, 0.50, 0.45),
    (0.15, 0.04, 0.08, 0.73),
)
"""Row: the present state. Column: the next one."""
FULL_VIEW = (0.99, 0.99, 0.92, 0.70)
"""Probability that a request in this state is a full view, and not a fine move."""
FINE_PART = 0.1
"""A fine move fetches this part of a view: 300 KB of 3 MB."""
FIRST_STATE = 0
"""Each client begins as if its last request had been in this state ("the highest zoom level")."""

Histogram = tuple[tuple[float, float], ...]
"""Bins of equal probability: from and to, in seconds."""

THINK_SECONDS: tuple[Histogram, ...] = (
    ((1, 2), (2, 3), (3, 5), (5, 8), (8, 12), (12, 18), (18, 30)),
    ((2, 4), (4, 6), (6, 9), (9, 13), (13, 18), (18, 24), (24, 30)),
    ((3, 5), (5, 7), (7, 9), (9, 11), (11, 14), (14, 17), (17, 20)),
    ((1, 2), (2, 3), (3, 4), (4, 6), (6, 9), (9, 16), (16, 35)),
)
"""Our bins within the ranges of the printed axes: the papers print no counts that could be read (decision 0013)."""


class Reading(StrEnum):
    """Which end of the slide's pyramid the first row of the matrix is."""

    MAGNIFICATION = "magnification"
    """As labelled in November 1998: the first row is 400X, the finest level."""
    ZOOM = "zoom"
    """As described in the technical report: the first row is zoom 8, the coarsest of four levels."""

    def level(self, state: int, top: int) -> int:
        """The level of a state on a slide whose coarsest level is ``top``; 0 is the finest."""
        level = state if self is Reading.MAGNIFICATION else STATES - 1 - state
        return min(level, top)


def next_state(state: int, dice: random.Random) -> int:
    """The state of the next request."""
    return dice.choices(range(STATES), NEXT_STATE[state])[0]


def is_full_view(state: int, dice: random.Random) -> bool:
    """Whether the request is a full view; else it is a fine move."""
    return dice.random() < FULL_VIEW[state]


def think_seconds(state: int, dice: random.Random) -> float:
    """Seconds between an answer in this state and the next request."""
    low, high = dice.choice(THINK_SECONDS[state])
    return dice.uniform(low, high)


def long_run_shares() -> tuple[float, ...]:
    """The share of requests in each state after many steps."""
    shares = [1 / STATES] * STATES
    for _ in range(200):
        shares = [sum(shares[i] * NEXT_STATE[i][j] for i in range(STATES)) for j in range(STATES)]
    return tuple(shares)
