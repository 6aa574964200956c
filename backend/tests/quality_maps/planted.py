"""Specimens with planted faults, whose truth is known: blur of patches, ink of a pen, bubbles of air."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import cv2
import numpy as np
import tifffile
from numpy.typing import NDArray

from wavescope.quality_maps.bands import PIXEL
from wavescope.source.open import open_source
from wavescope.source.specimen.spec import parse_spec
from wavescope.source.specimen.truth import tissue_shares

PATCH = 1024
"""Pixels along a patch of one blur."""
SHARP = 0.1
"""The share of patches without any."""
STRONGEST = 6.0
REACH = 32
GREEN_INK, BLUE_INK, BLACK_INK = (30, 150, 60), (40, 60, 190), (25, 25, 28)

Mask = NDArray[np.bool_]


class Planted(NamedTuple):
    """``picture``: RGB; ``tissue``, ``pen``, ``bubbles``: the truth in pixels of the maps; ``sigma``: of the blur of
    each patch, in pixels.
    """

    picture: NDArray[np.uint8]
    tissue: Mask
    sigma: NDArray[np.floating[Any]]
    pen: Mask
    bubbles: Mask

    def write(self, path: Path) -> Path:
        """As a tiled TIFF."""
        tifffile.imwrite(path, self.picture, tile=(256, 256), compression="zlib", photometric="rgb")
        return path


def planted(side: int, seed: int, *, blur: bool = False, ink: bool = False) -> Planted:
    """A specimen of ``side`` x ``side`` pixels with these faults."""
    name = f"specimen:{side}x{side}?seed={seed}"
    source, picture = open_source(name), np.empty((side, side, 3), np.uint8)
    for y in range(0, side, 512):
        picture[y : y + 512] = source.read_region(0, 0, y, side, min(512, side - y))
    source.close()
    random, patches = np.random.default_rng(seed), -(-side // PATCH)
    sigma = random.uniform(0.3, STRONGEST, (patches, patches))
    sigma *= (random.random(sigma.shape) >= SHARP) & blur
    pen, bubbles = (np.zeros((side // PIXEL, side // PIXEL), np.bool_) for _ in range(2))
    if blur:
        picture = _blurred(picture, sigma)
    if ink:
        pen, bubbles = _inked(picture)
    return Planted(picture, tissue_shares(parse_spec(name), PIXEL) > 0.5, sigma, pen, bubbles)


def dice(one: Mask, other: Mask) -> float:
    return float(2 * (one & other).sum() / max(one.sum() + other.sum(), 1))


def _blurred(picture: NDArray[np.uint8], sigma: NDArray[np.floating[Any]]) -> NDArray[np.uint8]:
    made = picture.copy()
    for (row, column), one in np.ndenumerate(sigma):
        if one > 0:
            y, x = row * PATCH, column * PATCH
            top, left = max(0, y - REACH), max(0, x - REACH)
            part = cv2.GaussianBlur(picture[top : y + PATCH + REACH, left : x + PATCH + REACH], (0, 0), float(one))
            made[y : y + PATCH, x : x + PATCH] = part[y - top :, x - left :][:PATCH, :PATCH]
    return made


def _inked(picture: NDArray[np.uint8]) -> tuple[Mask, Mask]:
    """Draws strokes of three pens along the edge of the picture, and two bubbles, into it; where they are."""
    side = len(picture)
    pen, bubbles = (np.zeros((side, side), np.uint8) for _ in range(2))
    width = side // 16
    for ink, begin, end in (
        (GREEN_INK, _place(side, 0.06, 0.08), _place(side, 0.35, 0.06)),
        (BLUE_INK, _place(side, 0.94, 0.30), _place(side, 0.92, 0.70)),
        (BLACK_INK, _place(side, 0.30, 0.95), _place(side, 0.70, 0.93)),
    ):
        stroke = cv2.line(np.zeros((side, side), np.uint8), begin, end, 1, width)
        share = (cv2.GaussianBlur(stroke.astype(np.float32), (0, 0), 6) * 0.92)[..., None]
        picture[...] = (picture * (1 - share) + share * picture * (np.array(ink) / 245)).astype(np.uint8)
        pen |= stroke
    for centre, radius in ((_place(side, 0.5, 0.5), side // 14), (_place(side, 0.12, 0.78), side // 20)):
        ring = cv2.circle(np.zeros((side, side), np.uint8), centre, radius, 1, 72)
        shade = cv2.GaussianBlur(ring.astype(np.float32), (0, 0), 12)[..., None] * 0.75
        picture[...] = (picture * (1 - shade) + 40 * shade).astype(np.uint8)
        cv2.circle(bubbles, centre, radius + 36, 1, -1)
    return _reduced(pen), _reduced(bubbles)


def _place(side: int, x: float, y: float) -> tuple[int, int]:
    return int(x * side), int(y * side)


def _reduced(mask: NDArray[np.uint8]) -> Mask:
    size = (len(mask) // PIXEL, len(mask) // PIXEL)
    found: Mask = cv2.resize(mask * 255, size, interpolation=cv2.INTER_AREA) > 127
    return found
