"""The smooth field that is left after an affine map: dense inverse search (Kroeger et al. 2016, "Fast optical flow
using dense inverse search") on even contrast, and splines through what it finds in both directions.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from wavescope.registration.density import Plane, Section
from wavescope.registration.place_map import PlaceMap
from wavescope.registration.spline import Floats, evaluate, fit

Cell = tuple[float, float, float, float, float]
SAMPLE = 12
"""Pixels between places where the flow is read."""
ALIKE = 15
"""Pixels a side of a window in which two sections are compared."""
CELL = 40
"""Pixels a side of what gets one residual."""
ROUNDS = 2


def refine(left: Section, right: Section, start: PlaceMap, scale: float) -> PlaceMap:
    """A better map, from the flow at ``scale`` between the left picture and the right one as ``start`` lays it."""
    height, width = left.contrast.shape
    laid, seen = lay(right, start, width, height)
    one = cv2.resize(left.contrast, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    other = cv2.resize(laid, (one.shape[1], one.shape[0]), interpolation=cv2.INTER_AREA)
    there, back = _flow(one, other), _flow(other, one)
    step = max(4, round(SAMPLE * scale))
    y, x = np.mgrid[step // 2 : one.shape[0] : step, step // 2 : one.shape[1] : step].reshape(2, -1)
    moved = there[y, x]
    returned = _read(back, np.stack([x, y], axis=1) + moved)
    gap = np.linalg.norm(moved + returned, axis=1)
    at = np.stack([x + 0.5, y + 0.5], axis=1) / scale
    row, column = np.minimum(at[:, 1].astype(int), height - 1), np.minimum(at[:, 0].astype(int), width - 1)
    likeness = np.clip(_read(similarity(one, _moved(other, there)), np.stack([x, y], axis=1).astype(np.float32)), 0, 1)
    weights = likeness**2 * np.exp(-((gap / 1.5) ** 2)) * left.tissue[row, column] * seen[row, column]
    if weights.sum() < 20:
        return start
    return _through(start, at, start.to(at + moved / scale), weights)


def _through(start: PlaceMap, at: Floats, wanted: Floats, weights: Floats) -> PlaceMap:
    """The map that brings places ``at`` to ``wanted``; those that contradict their neighbours lose their weight."""
    affine, shifts = start.affine, start.shifts
    robust = weights
    for _ in range(ROUNDS):
        whole = np.hstack([at, np.ones((len(at), 1))])
        root = np.sqrt(robust)[:, None]
        affine = np.linalg.lstsq(whole * root, wanted * root, rcond=None)[0].T
        shifts = fit(start.lattice, at, wanted - whole @ affine.T, robust)
        off = np.linalg.norm(wanted - whole @ affine.T - evaluate(start.lattice, shifts, at), axis=1)
        known = off[weights > 0.05 * weights.max()]
        spread = max(1.4826 * float(np.median(known)), 0.3)
        robust = weights / (1 + (off / (2 * spread)) ** 2) ** 2  # Geman and McClure
    return PlaceMap(affine, start.lattice, shifts)


def remaining(left: Section, right: Section, places: PlaceMap) -> tuple[list[Cell], int]:
    """What a map leaves: for cells of the left picture with tissue on both sides their middle, the shift that is left
    there in pixels of the right one, and how alike they are; and the side of a cell.
    """
    height, width = left.contrast.shape
    laid, seen = lay(right, places, width, height)
    flow = _flow(left.contrast, laid)
    alike = np.clip(similarity(left.contrast, _moved(laid, flow)), 0, 1)
    both = left.tissue & seen
    linear = places.affine[:, :2]
    cells: list[Cell] = []
    for top in range(0, height - CELL // 2, CELL):
        for start in range(0, width - CELL // 2, CELL):
            part = slice(top, top + CELL), slice(start, start + CELL)
            inside = both[part]
            if inside.mean() < 0.5:
                continue
            dx, dy = linear @ np.average(flow[part][inside], axis=0, weights=alike[part][inside] + 1e-3)
            middle = start + CELL / 2, top + CELL / 2
            cells.append((*middle, float(dx), float(dy), float(alike[part][inside].mean())))
    return cells, CELL


def lay(section: Section, places: PlaceMap, width: int, height: int) -> tuple[NDArray[np.uint8], NDArray[np.bool_]]:
    """The right section's contrast as the left one has it, and which of it lies on the right one's tissue."""
    at = places.picture(width, height) - np.float32(0.5)
    contrast = cv2.remap(section.contrast, at, None, cv2.INTER_LINEAR, borderValue=128)
    tissue = cv2.remap(section.tissue.astype(np.uint8), at, None, cv2.INTER_NEAREST, borderValue=0)
    return contrast, tissue.astype(bool)


def similarity(one: NDArray[np.uint8], other: NDArray[np.uint8], side: int = ALIKE) -> Plane:
    """The normalised correlation of windows of both pictures, at every pixel."""
    a, b = one.astype(np.float32) - 128, other.astype(np.float32) - 128
    mean_a, mean_b = cv2.blur(a, (side, side)), cv2.blur(b, (side, side))
    var_a = cv2.blur(a * a, (side, side)) - mean_a**2
    var_b = cv2.blur(b * b, (side, side)) - mean_b**2
    both = cv2.blur(a * b, (side, side)) - mean_a * mean_b
    alike: Plane = both / np.sqrt(np.maximum(var_a * var_b, 25.0**2))
    return alike


def _flow(one: NDArray[np.uint8], other: NDArray[np.uint8]) -> Plane:
    search = cv2.DISOpticalFlow_create(cv2.DISOPTICAL_FLOW_PRESET_MEDIUM)
    search.setFinestScale(1)
    search.setPatchSize(12)
    search.setPatchStride(4)
    search.setVariationalRefinementIterations(5)
    flow: Plane = search.calc(one, other, None)
    return flow


def _moved(picture: NDArray[np.uint8], flow: Plane) -> NDArray[np.uint8]:
    height, width = picture.shape
    x, y = np.meshgrid(np.arange(width, dtype=np.float32), np.arange(height, dtype=np.float32))
    return cv2.remap(picture, np.stack([x, y], axis=-1) + flow, None, cv2.INTER_LINEAR, borderValue=128)


def _read(plane: Plane, at: Plane) -> Plane:
    """The plane's values at places (n, 2) of (x, y)."""
    where = at.astype(np.float32)[None]
    return cv2.remap(plane, where, None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)[0]
