"""Small drawings that are stamped where a cell lies: nuclei of several kinds, red blood cells, drops of mucus."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

ANGLES = 24
VARIANTS = 10
CORNERS = 20
"""Of the outline of a cell."""
Plane = NDArray[np.float64]


@dataclass(frozen=True)
class Kind:
    """The looks of one kind of cell; lengths in pixels of 0.25 micrometres."""

    name: str
    long: float
    short: float
    spread: float
    """How much sizes differ, as a fraction."""
    dark: float
    rim: float
    """How much darker the border is than the inside (a nuclear membrane), as a fraction."""
    clumps: float
    """How uneven the inside is (chromatin)."""
    half: int
    """Half the side of the drawing."""


EPITHELIAL = Kind("epithelial", 17.0, 9.5, 0.14, 0.54, 0.30, 0.26, 26)
LYMPHOCYTE = Kind("lymphocyte", 11.0, 10.2, 0.12, 0.80, 0.08, 0.26, 16)
FIBROBLAST = Kind("fibroblast", 21.0, 4.4, 0.25, 0.55, 0.05, 0.20, 32)
PLASMA = Kind("plasma", 13.0, 11.0, 0.10, 0.60, 0.18, 0.45, 20)
RED_CELL = Kind("red cell", 13.5, 12.5, 0.06, 0.42, 0.30, 0.04, 18)
GOBLET = Kind("goblet", 25.0, 16.0, 0.20, 0.85, -0.10, 0.10, 34)
KINDS = (EPITHELIAL, LYMPHOCYTE, FIBROBLAST, PLASMA, RED_CELL, GOBLET)


class Sprites:
    """``drawings[angle, variant]`` are (2 * half, 2 * half) amounts of stain; the long axis lies at angle * pi /
    ANGLES. ``outlines[angle, variant]`` (CORNERS, 2) are the corners of its border from its middle, in pixels.
    """

    def __init__(self, kind: Kind, seed: int) -> None:
        self.half = kind.half
        rng = np.random.default_rng([seed, KINDS.index(kind)])
        side = 2 * kind.half
        self.drawings = np.empty((ANGLES, VARIANTS, side, side), dtype=np.float32)
        self.outlines = np.empty((ANGLES, VARIANTS, CORNERS, 2))
        axis = np.arange(side) - (side - 1) / 2
        for variant in range(VARIANTS):
            stretch = 1.0 + kind.spread * rng.uniform(-1, 1, 2)
            shape = rng.normal(0, 0.032, 3), rng.uniform(0, 2 * np.pi, 3)
            clumps = _clumps(rng, side)
            dark = kind.dark * rng.uniform(0.72, 1.15)
            for angle in range(ANGLES):
                turn = angle * np.pi / ANGLES
                along = axis[None, :] * np.cos(turn) + axis[:, None] * np.sin(turn)
                across = axis[:, None] * np.cos(turn) - axis[None, :] * np.sin(turn)
                body = _body(along / (kind.long * stretch[0]), across / (kind.short * stretch[1]), shape, kind)
                self.outlines[angle, variant] = _outline(kind.long * stretch[0], kind.short * stretch[1], shape, turn)
                self.drawings[angle, variant] = body * dark * (1.0 + kind.clumps * clumps)
        np.clip(self.drawings, 0, None, out=self.drawings)


@lru_cache(maxsize=2 * len(KINDS))
def sprites_of(kind: Kind, seed: int) -> Sprites:
    """The drawings of one kind; drawing them takes longer than stamping them, so those of the last seeds are cached."""
    return Sprites(kind, seed)


def _body(
    along: Plane,
    across: Plane,
    bumps_of: tuple[Plane, Plane],
    kind: Kind,
) -> Plane:
    """Filled outline with a soft edge, slightly off the ellipse, 1 inside, with its rim."""
    radius = np.hypot(along, across) / _reach(np.arctan2(across, along), bumps_of)
    softness = 1.6 / kind.short
    inside = np.clip((1.0 - radius) / softness + 0.5, 0, 1)
    rim = np.exp(-(((radius - 0.86) / 0.13) ** 2))
    body: Plane = inside * (1.0 - max(kind.rim, 0) * 0.5 + kind.rim * rim)
    return body


def _reach(round_angle: Plane, bumps_of: tuple[Plane, Plane]) -> Plane:
    """How far the border is from the middle in each direction, where an ellipse has 1."""
    bumps = (
        size * np.cos((order + 2) * round_angle + phase)
        for order, (size, phase) in enumerate(zip(*bumps_of, strict=True))
    )
    reach: Plane = 1.0 + sum(bumps)
    return reach


def _outline(long: float, short: float, bumps_of: tuple[Plane, Plane], turn: float) -> Plane:
    """The corners (CORNERS, 2) of the border that `_body` fills."""
    round_angle = np.linspace(0, 2 * np.pi, CORNERS, endpoint=False)
    reach = _reach(round_angle, bumps_of)
    along, across = long * np.cos(round_angle) * reach, short * np.sin(round_angle) * reach
    x, y = along * np.cos(turn) - across * np.sin(turn), along * np.sin(turn) + across * np.cos(turn)
    return np.stack([x, y], axis=1)


def _clumps(rng: np.random.Generator, side: int) -> Plane:
    """Smooth noise of deviation 1 with grains of about five pixels, and a dark nucleolus now and then."""
    white = rng.standard_normal((side, side))
    frequency = np.fft.fftfreq(side)[:, None] ** 2 + np.fft.fftfreq(side)[None, :] ** 2
    smooth = np.real(np.fft.ifft2(np.fft.fft2(white) * np.exp(-frequency / (2 * 0.11**2))))
    smooth /= smooth.std()
    axis = np.arange(side) - side / 2
    x, y = rng.uniform(-3, 3, 2)
    spot = np.exp(-((axis[None, :] - x) ** 2 + (axis[:, None] - y) ** 2) / (2 * 1.6**2))
    clumps: Plane = np.clip(smooth, -1.5, 2.0) + rng.uniform(0, 2.2) * spot
    return clumps
