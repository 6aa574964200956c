"""How two sections lie, by any angle, also mirrored: phase correlation (Kuglin and Hines 1975) of their coarsest
bands.
"""

from __future__ import annotations

from typing import NamedTuple

import cv2
import numpy as np

from wavescope.registration.density import Plane, Section
from wavescope.registration.spline import Floats

SIDE = 160
"""Pixels along the longer side of the pictures that are turned."""
CANVAS = 384
"""Twice the diagonal of a square of SIDE would be more than tissue needs."""
ANGLE = 5.0
BAND = 30.0
"""Periods across the canvas: finer ones than that tell nothing while an angle is not known."""
WHITE = 0.8
"""1: only phases count; 0: only heights."""
CANDIDATES = 4


class Peak(NamedTuple):
    """What phase correlation finds at one angle: its height over the noise, and the shift in pixels of the canvas."""

    height: float
    angle: float
    mirrored: bool
    shift: Floats


def by_phase(left: Section, right: Section) -> list[Floats]:
    """Affine maps (2, 3) from the left picture to the right one, pixels' middles at 0.5; the likely ones first."""
    factor = SIDE / max(*left.density.shape, *right.density.shape)
    one, other = (_small(section.density, factor) for section in (left, right))
    middle, target = _middle(one), _middle(other)
    spectrum = np.conj(np.fft.rfft2(_on_canvas(other, np.hstack([np.eye(2), (CANVAS / 2 - target)[:, None]]))))
    band = _band()
    peaks = [
        _peak(one, middle, spectrum, band, (float(angle), mirrored))
        for mirrored in (False, True)
        for angle in np.arange(0, 360, ANGLE)
    ]
    found = []
    for peak in _apart(sorted(peaks, key=lambda peak: -peak.height)):
        linear = _turn(peak.angle, peak.mirrored)
        move = target + 0.5 - linear @ (middle + 0.5) - peak.shift
        found.append(np.hstack([linear, move[:, None] / factor]))
    return found


def _small(density: Plane, factor: float) -> Plane:
    return cv2.resize(density, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)


def _peak(one: Plane, middle: Floats, target: Floats, band: Plane, how: tuple[float, bool]) -> Peak:
    linear = _turn(*how)
    turned = _on_canvas(one, np.hstack([linear, (CANVAS / 2 - linear @ middle)[:, None]]))
    cross = np.fft.rfft2(turned) * target
    surface = np.fft.irfft2(cross / np.maximum(np.abs(cross) ** WHITE, 1e-3) * band, s=(CANVAS, CANVAS))
    y, x = np.unravel_index(int(surface.argmax()), surface.shape)
    shift = np.array([x, y], np.float64)
    shift[shift > CANVAS / 2] -= CANVAS
    noise = float(np.sqrt((surface**2).mean())) + 1e-9
    return Peak(float(surface[y, x]) / noise, *how, shift)


def _apart(peaks: list[Peak]) -> list[Peak]:
    """The first ones, without those that stand for the same angle."""
    chosen: list[Peak] = []
    for peak in peaks:
        if all(other.mirrored != peak.mirrored or _between(other.angle, peak.angle) > 2 * ANGLE for other in chosen):
            chosen.append(peak)
    return chosen[:CANDIDATES]


def _between(one: float, other: float) -> float:
    return abs((one - other + 180) % 360 - 180)


def _turn(angle: float, mirrored: bool) -> Floats:
    cos, sin = np.cos(np.deg2rad(angle)), np.sin(np.deg2rad(angle))
    return np.array([[cos, -sin], [sin, cos]]) * [-1.0 if mirrored else 1.0, 1.0]


def _on_canvas(picture: Plane, affine: Floats) -> Plane:
    return cv2.warpAffine(picture, affine, (CANVAS, CANVAS), flags=cv2.INTER_LINEAR)


def _middle(picture: Plane) -> Floats:
    """Of the tissue: where its weight is."""
    moments = cv2.moments(picture)
    weight = max(moments["m00"], 1e-9)
    return np.array([moments["m10"] / weight, moments["m01"] / weight])


def _band() -> Plane:
    x, y = np.meshgrid(np.fft.rfftfreq(CANVAS) * CANVAS, np.fft.fftfreq(CANVAS) * CANVAS)
    return np.exp(-(x * x + y * y) / (2 * BAND * BAND)).astype(np.float32)
