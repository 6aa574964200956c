"""What lies over the tissue: ink of pens, and bubbles of air (QM7, QM8)."""

from __future__ import annotations

import numpy as np

from wavescope.quality_maps.bands import Floats, Mask
from wavescope.quality_maps.shapes import closed, grown, holes, opened
from wavescope.quality_maps.tissue import Absorption

INK = 0.12
"""Mean absorption of ink, at least."""
BLACK = 0.55
"""That of black ink, which has no colour."""
WIDE = 3
"""Pixels: strokes are wider than 2 WIDE, the borders of bubbles narrower."""
STAIN = 0.25
"""What more of the coloured tissue has is a stain."""
BORDER = 0.08
GREY = 0.12
"""How far the shares of the three colours in the absorption of something grey are from each other, at most."""
SMALLEST = 6
"""Pixels: bubbles are wider."""


def pen_of(absorbed: Absorption, tissue: Mask) -> Mask:
    """The pixels under ink."""
    red, green, blue = _shares(absorbed)
    dense = absorbed.mean > INK
    inks = (
        dense & (green < 0.25),  # green ink lets green through, as no stain does
        dense & (blue < 0.16) & (red > 0.40),  # blue
        dense & (red < 0.10) & (blue > 0.41),  # red: stains let more blue through
        (absorbed.mean > BLACK) & _grey(absorbed),
    )
    coloured = max(int((dense & tissue).sum()), 1)
    found = np.zeros_like(tissue)
    for ink in inks:
        stroke = opened(closed(ink, 1), WIDE)
        if stroke.sum() <= STAIN * coloured:
            found |= stroke
    return grown(found, 1)


def bubbles_of(absorbed: Absorption, pen: Mask) -> Mask:
    """The pixels of bubbles: what a narrow dark line without a colour surrounds, and the line."""
    line = (absorbed.mean > BORDER) & _grey(absorbed) & ~grown(pen, 2)
    line &= ~opened(line, WIDE)
    walls = closed(line, 1)
    inside = opened(holes(walls), SMALLEST // 2)
    return inside | (grown(inside, WIDE + 1) & walls)


def _shares(absorbed: Absorption) -> tuple[Floats, Floats, Floats]:
    """Of red, green and blue in what is absorbed."""
    total = np.maximum(3 * absorbed.mean, 1e-3)
    return tuple(absorbed.colours[..., c] / total for c in range(3))  # type: ignore[return-value]  # three


def _grey(absorbed: Absorption) -> Mask:
    shares = np.stack(_shares(absorbed))
    grey: Mask = shares.max(axis=0) - shares.min(axis=0) < GREY
    return grey
