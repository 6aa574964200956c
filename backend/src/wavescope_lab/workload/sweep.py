"""How a user moves over a slide: row by row or column by column, drawn to interesting points, with noise.

Positions are (u, v) in 0..1 of the slide's width and height.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from enum import StrEnum

POINTS = 12
"""Interesting points of a slide."""
MARGIN = 0.08
"""Points and sweeps keep this distance to the border of the slide."""
DRAWN = 0.9
"""Probability of a request when the sweep passes an interesting point."""
ELSEWHERE = 0.1
"""Probability of a request at any other step of the sweep."""
NOISE = 0.1
"""Standard deviation of a requested centre around its aim, in parts of the view."""

Position = tuple[float, float]


class Pattern(StrEnum):
    """The two sweeps of the classroom."""

    ROWS = "rows"
    """Left and right."""
    COLUMNS = "columns"
    """Up and down."""


@dataclass(frozen=True)
class Sweep:
    """Where a sweep is: ``along`` the line it follows, ``across`` the lines, both in 0..1; ``direction`` is 1 or -1."""

    pattern: Pattern
    along: float = MARGIN
    across: float = MARGIN
    direction: int = 1

    @property
    def position(self) -> Position:
        """The place of the sweep on the slide."""
        return (self.along, self.across) if self.pattern is Pattern.ROWS else (self.across, self.along)


def interesting_points(seed: int) -> tuple[Position, ...]:
    """The interesting points of a slide: chosen once per seed, the same for all clients."""
    dice = random.Random(f"{seed}/points")
    return tuple((dice.uniform(MARGIN, 1 - MARGIN), dice.uniform(MARGIN, 1 - MARGIN)) for _ in range(POINTS))


def advance(sweep: Sweep, step: Position) -> Sweep:
    """One view further. ``step``: width and height of the view in parts of the slide. Begins again at the end."""
    forward, sideways = step if sweep.pattern is Pattern.ROWS else (step[1], step[0])
    along = sweep.along + sweep.direction * forward
    if MARGIN <= along <= 1 - MARGIN:
        return replace(sweep, along=along)
    across = sweep.across + sideways
    if across > 1 - MARGIN:
        return Sweep(sweep.pattern)
    return replace(sweep, along=min(max(along, MARGIN), 1 - MARGIN), across=across, direction=-sweep.direction)


def aim(sweep: Sweep, points: tuple[Position, ...], step: Position) -> tuple[Position, float]:
    """What the user looks at from here, the nearest interesting point in view if any, and how probable a request is."""
    u, v = sweep.position
    near = [p for p in points if abs(p[0] - u) <= step[0] / 2 and abs(p[1] - v) <= step[1] / 2]
    if not near:
        return (u, v), ELSEWHERE
    return min(near, key=lambda p: abs(p[0] - u) + abs(p[1] - v)), DRAWN


def noisy(position: Position, step: Position, dice: random.Random) -> Position:
    """The position with noise, inside the slide."""
    moved = [value + dice.gauss(0, NOISE * size) for value, size in zip(position, step, strict=True)]
    return min(max(moved[0], 0.0), 1.0), min(max(moved[1], 0.0), 1.0)
