"""The map of many people equals one that asks each centre by itself (CV13)."""

from __future__ import annotations

import math

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from wavescope.service.slides.people_map import NEAR, grid_of, people_map

SIDE = st.integers(1, 5000)
PLACE = st.floats(-6000, 6000)
LENGTH = st.floats(1, 6000)
VIEW = st.tuples(
    PLACE, PLACE, LENGTH, LENGTH, st.floats(0, 360), st.sampled_from([0.25, 0.5, 1.0]), st.just(3.0), st.integers(0, 1)
)


@given(SIDE, SIDE, st.lists(st.lists(VIEW, max_size=3), max_size=4), st.sampled_from([0.0, 0.5, 1.0]))
def test_each_cell_has_the_people_who_saw_its_centre(
    width: int, height: int, logs: list[list[tuple[float, ...]]], scale: float
) -> None:
    grid = grid_of(width, height)
    assert max(grid.columns, grid.rows) <= 256
    counts = people_map(grid, logs, scale)
    rng = np.random.default_rng(1)
    for _ in range(20):
        row, column = int(rng.integers(grid.rows)), int(rng.integers(grid.columns))
        at = ((column + 0.5) * width / grid.columns, (row + 0.5) * height / grid.rows)
        if any(_near_an_edge(view, *at) for views in logs for view in views):
            continue
        people = sum(any(_shows(view, *at, scale) for view in views) for views in logs)
        assert counts[row, column] == people


def _across(view: tuple[float, ...], x: float, y: float) -> tuple[float, float]:
    """How far a place lies outside of a field's sides, in level-0 pixels; negative: inside."""
    angle = math.radians(view[4])
    dx, dy = x - view[0] - view[2] / 2, y - view[1] - view[3] / 2
    across, down = math.cos(angle) * dx - math.sin(angle) * dy, math.sin(angle) * dx + math.cos(angle) * dy
    return abs(across) - view[2] / 2, abs(down) - view[3] / 2


def _shows(view: tuple[float, ...], x: float, y: float, scale: float) -> bool:
    return view[7] == 1 and view[5] >= NEAR * scale and max(_across(view, x, y)) <= 0


def _near_an_edge(view: tuple[float, ...], x: float, y: float) -> bool:
    return any(abs(distance) < 1e-6 for distance in _across(view, x, y))
