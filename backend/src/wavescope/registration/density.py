"""How much tissue absorbs, whatever its stain: what two sections have in common."""

from __future__ import annotations

from typing import Any, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

Plane = NDArray[np.float32]

FRINGE = 4.0
"""Pixels over which tissue is separated from glass."""
AROUND = 12.0
"""Pixels over which contrast is made even."""
LEAST_CONTRAST = 0.02


class Section(NamedTuple):
    """A picture of one section, (height, width) each: its density of 0 to 1, where tissue is, and its local contrast as
    a picture of 8 bits, 128 where there is none.
    """

    density: Plane
    tissue: NDArray[np.bool_]
    contrast: NDArray[np.uint8]


def section_of(pixels: NDArray[Any]) -> Section:
    """Of (height, width, 1 or 3) samples, of bright or dark ground."""
    density = _density(pixels)
    smooth = cv2.GaussianBlur(density, (0, 0), FRINGE)
    level, _ = cv2.threshold((smooth * 255).astype(np.uint8), 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
    tissue = smooth > max(level / 255 * 0.6, LEAST_CONTRAST)
    return Section(density, tissue, _contrast(density, tissue))


def _density(pixels: NDArray[Any]) -> Plane:
    most = float(np.iinfo(pixels.dtype).max)
    light = (pixels.astype(np.float32) + 1) / (most + 1)
    grey = light.mean(axis=2)
    counts, edges = np.histogram(grey, 64, (0, 1))
    ground = edges[int(counts.argmax())]
    if ground < 0.3:  # light in the dark, such as fluorescence
        density = np.sqrt(np.clip(grey - np.percentile(grey, 5), 0, None))
    else:
        glass = np.percentile(light.reshape(-1, light.shape[2]), 98, axis=0)
        density = np.clip(-np.log10(np.minimum(light / glass, 1)), 0, 1.5).mean(axis=2)
    top = float(np.percentile(density, 99.5))
    return np.clip(density / max(top, LEAST_CONTRAST), 0, 1).astype(np.float32)


def _contrast(density: Plane, tissue: NDArray[np.bool_]) -> NDArray[np.uint8]:
    mean = cv2.GaussianBlur(density, (0, 0), AROUND)
    square = cv2.GaussianBlur(density * density, (0, 0), AROUND)
    spread = np.sqrt(np.maximum(square - mean * mean, 0)) + LEAST_CONTRAST
    even = (density - mean) / spread * cv2.GaussianBlur(tissue.astype(np.float32), (0, 0), FRINGE)
    return np.clip(128 + 42 * even, 0, 255).astype(np.uint8)
