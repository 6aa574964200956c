"""Shapes for tests: cells as a model draws them, points, regions with holes."""

from __future__ import annotations

import numpy as np

from wavescope.overlays.shapes import Floats, Shapes, joined, shapes_of


def cells(seed: int, count: int, side: float, corners: int = 20, noise: float = 0.25, classes: int = 4) -> Shapes:
    """Uneven ellipses of 4 to 20 pixels anywhere in a square."""
    rng = np.random.default_rng(seed)
    middle = rng.uniform(0, side, (count, 1, 2))
    long = rng.uniform(8, 20, (count, 1))
    short = long * rng.uniform(0.45, 1, (count, 1))
    turn = rng.uniform(0, np.pi, (count, 1))
    angle = np.arange(corners) * (2 * np.pi / corners) + rng.uniform(0, 2 * np.pi, (count, 1))
    along, across = long * np.cos(angle), short * np.sin(angle)
    x, y = along * np.cos(turn) - across * np.sin(turn), along * np.sin(turn) + across * np.cos(turn)
    places = middle + np.stack([x, y], axis=2) + rng.normal(0, noise, (count, corners, 2))
    ends = np.arange(1, count + 1)
    of_class = rng.integers(0, classes, count).astype(np.uint8)
    return shapes_of(
        places.reshape(-1, 2), ends * corners, ends, of_class, rng.integers(0, 256, count).astype(np.uint8)
    )


def points(seed: int, count: int, side: float) -> Shapes:
    """Single corners."""
    rng = np.random.default_rng(seed)
    ends = np.arange(1, count + 1)
    return shapes_of(rng.uniform(0, side, (count, 2)), ends, ends, np.zeros(count, np.uint8), np.zeros(count, np.uint8))


def shape(*rings: Floats, of_class: int = 0) -> Shapes:
    """One shape of rings, each (n, 2)."""
    ends = np.cumsum([len(ring) for ring in rings])
    one = np.array([len(rings)])
    return shapes_of(np.concatenate(rings), ends, one, np.array([of_class], np.uint8), np.array([7], np.uint8))


def ring(x: float, y: float, radius: float, corners: int) -> Floats:
    angle = np.arange(corners) * (2 * np.pi / corners)
    return np.stack([x + radius * np.cos(angle), y + radius * np.sin(angle)], axis=1)


def mixed(seed: int, side: float) -> Shapes:
    """Cells, points, lines, a region with holes, and one of two parts."""
    region = shape(ring(side / 2, side / 2, side / 3, 400), ring(side / 2, side / 2, side / 7, 50), of_class=1)
    parts = shape(ring(90, 90, 40, 17), ring(300, 120, 30, 5), ring(301, 121, 3, 4), of_class=2)
    line = shape(np.array([[5.0, 5.0], [70.25, 33.5]]), of_class=3)
    return joined([cells(seed, 300, side), points(seed, 50, side), region, parts, line])
