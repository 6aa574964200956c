"""Single cells of the connective tissue, and the stamping of all cells into a picture of stain."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from wavescope.source.specimen.anatomy import Anatomy
from wavescope.source.specimen.glands import Nuclei
from wavescope.source.specimen.hashing import place_hash, uniform
from wavescope.source.specimen.noise import Field
from wavescope.source.specimen.sprites import ANGLES, VARIANTS, Sprites

SALT = 500
Box = tuple[float, float, float, float]  # left, top, right, bottom in pixels of the slide

STROMA_PITCH = 44
LYMPH_PITCH = 21


def scattered(anatomy: Anatomy, purpose: int, pitch: int, box: Box) -> Nuclei:
    """One candidate per cell of a jittered grid, pointing anywhere."""
    x0, y0, x1, y1 = box
    columns, rows = np.arange(x0 // pitch, x1 // pitch + 1), np.arange(y0 // pitch, y1 // pitch + 1)
    column, row = (grid.ravel() for grid in np.meshgrid(columns, rows))
    hashes = place_hash(column, row, anatomy.salt(SALT + purpose))
    x = (column + 0.5 * (row % 2) + 0.85 * uniform(hashes, 0)) * pitch
    y = (row + 0.85 * uniform(hashes, 1)) * pitch
    return Nuclei(x, y, np.pi * uniform(hashes, 2), hashes)


def select(nuclei: Nuclei, chosen: NDArray[np.bool_]) -> Nuclei:
    """Some of the cells."""
    return Nuclei(nuclei.x[chosen], nuclei.y[chosen], nuclei.turn[chosen], nuclei.hashes[chosen])


def looks(nuclei: Nuclei) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The angle and the variant of the drawing of each cell."""
    angle = np.round(nuclei.turn * (ANGLES / np.pi)).astype(np.int64) % ANGLES
    return angle, (uniform(nuclei.hashes, 9) * VARIANTS).astype(np.int64)


def stamp(field: Field, x0: int, y0: int, sprites: Sprites, nuclei: Nuclei) -> None:
    """Draw cells into the field whose first sample is pixel (x0, y0): the darker one wins where two overlap."""
    half = sprites.half
    angle, variant = looks(nuclei)
    height, width = field.shape
    left = np.floor(nuclei.x).astype(np.int64) - half - x0
    top = np.floor(nuclei.y).astype(np.int64) - half - y0
    visible = (left > -2 * half) & (left < width) & (top > -2 * half) & (top < height)
    columns = (values[visible].tolist() for values in (left, top, angle, variant))
    for x, y, turn, number in zip(*columns, strict=True):
        drawing = sprites.drawings[turn, number]
        if x < 0 or y < 0 or x + 2 * half > width or y + 2 * half > height:
            drawing = drawing[max(0, -y) : height - y, max(0, -x) : width - x]
            x, y = max(0, x), max(0, y)
        target = field[y : y + drawing.shape[0], x : x + drawing.shape[1]]
        np.maximum(target, drawing, out=target)
