"""Pairs of sections whose map is known: a specimen, and the same turned, drawn out, deformed, folded, torn or stained
otherwise. Every right picture is a function of its own coordinates, so that its truth is exact.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from wavescope.source.open import open_source
from wavescope.source.specimen.stain import EOSIN, GLASS, HAEMATOXYLIN

Floats = NDArray[np.floating[Any]]
Samples = NDArray[np.uint8]

WIDTH, HEIGHT = 12288, 9216
"""Of the specimens, at 0.25 um a pixel: 3.1 x 2.3 mm."""
REDUCED = 4
STEP = 40
"""Pixels of the right picture between the places where the error is measured."""
DAB = (0.27, 0.57, 0.78)


class Deformation(NamedTuple):
    """``smooth``: the greatest shift by the smooth field, ``fold``: what disappears in a fold, as shares of the
    diagonal; ``own``: the two sections differ in all that is finer than so many um, as if each had its own cells.
    """

    angle: float = 0.0
    mirrored: bool = False
    linear: tuple[tuple[float, float], tuple[float, float]] = ((1.0, 0.0), (0.0, 1.0))
    smooth: float = 0.0
    fold: float = 0.0
    missing: bool = False
    stain: bool = False
    own: float = 0.0
    seed: int = 0


DRAWN = ((1.03, 0.02), (0.0, 0.97))
DEFORMATIONS: Mapping[str, Deformation] = {
    "affine": Deformation(37, linear=DRAWN),
    "smooth": Deformation(143, linear=DRAWN, smooth=0.015, seed=1),
    "strong, mirrored": Deformation(200, True, DRAWN, smooth=0.03, seed=2),
    "fold": Deformation(-80, linear=DRAWN, smooth=0.01, fold=0.01, seed=3),
    "missing piece": Deformation(130, linear=DRAWN, smooth=0.015, missing=True, seed=4),
    "other stain": Deformation(290, linear=DRAWN, smooth=0.015, stain=True, seed=5),
    "own cells": Deformation(75, linear=DRAWN, smooth=0.015, own=12.0, seed=6),
    "all of these": Deformation(250, linear=DRAWN, smooth=0.015, fold=0.01, missing=True, stain=True, own=6.0, seed=7),
}


class Pair(NamedTuple):
    """Two pictures of 1 um a pixel, and n places (n, 2) of the tissue that both have, pixels' middles at 0.5."""

    left: Samples
    right: Samples
    on_left: Floats
    on_right: Floats

    def errors(self, laid: Floats) -> Floats:
        """How far places laid on the right picture are off, in per cent of its diagonal (rTRE)."""
        off: Floats = np.linalg.norm(laid - self.on_right, axis=1) / np.hypot(*self.right.shape[:2]) * 100
        return off


@cache
def specimen(seed: int) -> Samples:
    """A specimen at a quarter of its resolution."""
    source = open_source(f"specimen:{WIDTH}x{HEIGHT}?seed={seed}")
    strips = (source.read_region(0, 0, y, WIDTH, 512) for y in range(0, HEIGHT, 512))
    size = WIDTH // REDUCED, 512 // REDUCED
    return np.concatenate([cv2.resize(strip, size, interpolation=cv2.INTER_AREA) for strip in strips])


def pair(deformation: Deformation, seed: int = 1) -> Pair:
    """The pair of a deformation."""
    left = specimen(seed)
    height, width = left.shape[:2]
    at_left = _left_of(deformation, width, height)
    picture = _other_cells(left, specimen(seed + 1), deformation.own) if deformation.own else left
    right = cv2.remap(picture, (at_left - 0.5).astype(np.float32), None, cv2.INTER_LINEAR, borderValue=GLASS)
    gone = (at_left[..., 0] < 0.3 * width) & (at_left[..., 1] > 0.4 * height) & deformation.missing
    right[gone] = GLASS
    y, x = np.mgrid[STEP // 2 : right.shape[0] : STEP, STEP // 2 : right.shape[1] : STEP].reshape(2, -1)
    tissue = cv2.GaussianBlur(right, (0, 0), 8)[y, x].min(axis=1) < 225
    x, y = x[tissue], y[tissue]
    shown = _restained(right) if deformation.stain else right
    return Pair(left, shown, at_left[y, x], np.stack([x, y], axis=1) + 0.5)


def _left_of(deformation: Deformation, width: int, height: int) -> Floats:
    """(side, side, 2): the place on the left picture of each pixel of a square right one."""
    side, diagonal = width, float(np.hypot(width, height))
    cos, sin = np.cos(np.deg2rad(deformation.angle)), np.sin(np.deg2rad(deformation.angle))
    linear = np.array([[cos, -sin], [sin, cos]]) @ np.array(deformation.linear)
    linear = linear * [-1 if deformation.mirrored else 1, 1]
    x, y = np.meshgrid(np.arange(side) + 0.5 - side / 2, np.arange(side) + 0.5 - side / 2)
    at = np.stack([x, y], axis=-1) @ np.linalg.inv(linear).T + [width / 2, height / 2]
    if deformation.smooth:
        nodes = np.random.default_rng(deformation.seed).normal(size=(5, 5, 2))
        field = cv2.resize(nodes, (side, side), interpolation=cv2.INTER_CUBIC)
        at += field * (deformation.smooth * diagonal / np.linalg.norm(field, axis=2).max())
    if deformation.fold:
        at[..., 0] += np.where(at[..., 0] > 0.6 * width / 2, deformation.fold * diagonal, 0)
    found: Floats = at
    return found


def _other_cells(picture: Samples, other: Samples, um: float) -> Samples:
    """The structures of one picture that are larger than ``um``, with the finer ones of another."""
    fine = other[::-1, ::-1].astype(np.float32)
    fine -= cv2.GaussianBlur(fine, (0, 0), um)
    coarse = cv2.GaussianBlur(picture.astype(np.float32), (0, 0), um)
    tissue = cv2.GaussianBlur(picture, (0, 0), 12).min(axis=2, keepdims=True) < 225
    return np.clip(coarse + fine * tissue, 0, 255).astype(np.uint8)


def _restained(picture: Samples) -> Samples:
    """Its haematoxylin blue, and what was eosin a faint brown."""
    density = -np.log10((picture.astype(np.float32) + 1) / (np.array(GLASS, np.float32) + 1))
    amounts = np.clip(density @ np.linalg.pinv(np.array([HAEMATOXYLIN, EOSIN])), 0, 3)
    made = amounts[..., :1] * np.array(HAEMATOXYLIN) + 0.15 * amounts[..., 1:] * np.array(DAB)
    stained: Samples = np.clip(np.array(GLASS) * 10**-made, 0, 255).astype(np.uint8)
    return stained
