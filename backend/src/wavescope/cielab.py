"""CIELab with the white point D50: of pixels, how far two colours are apart, and as DICOM writes colours, in three
unsigned numbers of 16 bits (PS3.3 C.10.7.1.1).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

WHITE = np.array([0.96422, 1.0, 0.82521])
TO_XYZ = np.array(
    [
        [0.4360747, 0.3850649, 0.1430804],
        [0.2225045, 0.7168786, 0.0606169],
        [0.0139322, 0.0971045, 0.7141733],
    ]
)
"""From linear sRGB, adapted to D50."""
EDGE = 6 / 29
"""Where the root of CIELab becomes a line."""


def rgb_of(lab: Sequence[float]) -> str:
    """RRGGBB in sRGB."""
    lightness, a, b = (float(one) / 65535 for one in lab)
    fy = (100 * lightness + 16) / 116
    f = np.array([fy + (255 * a - 128) / 500, fy, fy - (255 * b - 128) / 200])
    xyz = WHITE * np.where(f > EDGE, f**3, (f - 4 / 29) * 3 * EDGE**2)
    linear = np.clip(np.linalg.solve(TO_XYZ, xyz), 0, 1)
    coded = np.where(linear <= 0.0031308, 12.92 * linear, 1.055 * linear ** (1 / 2.4) - 0.055)
    return "".join(f"{round(255 * one):02X}" for one in coded.tolist())


def lab_of(color: str) -> tuple[int, int, int]:
    """Of RRGGBB in sRGB."""
    rgb = np.array([int(color[n : n + 2], 16) for n in (0, 2, 4)], np.uint8)
    scaled = (lab_of_pixels(rgb) + np.array([0, 128, 128])) / np.array([100, 255, 255])
    lightness, a, b = (round(65535 * min(1.0, max(0.0, one))) for one in scaled.tolist())
    return lightness, a, b


def lab_of_pixels(rgb: NDArray[np.uint8]) -> NDArray[np.float64]:
    """L*, a*, b* (..., 3) of sRGB (..., 3)."""
    coded = rgb / 255
    linear = np.where(coded <= 0.04045, coded / 12.92, ((coded + 0.055) / 1.055) ** 2.4)
    xyz = linear @ TO_XYZ.T / WHITE
    x, y, z = np.moveaxis(np.where(xyz > EDGE**3, np.cbrt(xyz), xyz / (3 * EDGE**2) + 4 / 29), -1, 0)
    return np.stack([116 * y - 16, 500 * (x - y), 200 * (y - z)], axis=-1)


def difference(one: NDArray[np.float64], other: NDArray[np.float64]) -> NDArray[np.float64]:
    """CIEDE2000 (...) of two arrays of L*, a*, b* (..., 3): G. Sharma, W. Wu, E. Dalal (2005), equations 2 to 22."""
    (l1, a1, b1), (l2, a2, b2) = np.moveaxis(one, -1, 0), np.moveaxis(other, -1, 0)
    mean = (np.hypot(a1, b1) + np.hypot(a2, b2)) / 2
    stretch = 1.5 - 0.5 * np.sqrt(mean**7 / (mean**7 + 25.0**7))
    c1, c2 = np.hypot(stretch * a1, b1), np.hypot(stretch * a2, b2)
    h1, h2 = (np.degrees(np.arctan2(b, stretch * a)) % 360 for a, b in ((a1, b1), (a2, b2)))
    grey = c1 * c2 == 0
    turn = np.where(grey, 0, (h2 - h1 + 180) % 360 - 180)
    hue = np.where(grey, h1 + h2, (h1 + turn / 2) % 360)
    lightness, chroma = (l1 + l2) / 2, (c1 + c2) / 2
    weight = (
        1
        - 0.17 * np.cos(np.radians(hue - 30))
        + 0.24 * np.cos(np.radians(2 * hue))
        + 0.32 * np.cos(np.radians(3 * hue + 6))
        - 0.20 * np.cos(np.radians(4 * hue - 63))
    )
    of_lightness = 1 + 0.015 * (lightness - 50) ** 2 / np.sqrt(20 + (lightness - 50) ** 2)
    dl = (l2 - l1) / of_lightness
    dc = (c2 - c1) / (1 + 0.045 * chroma)
    dh = 2 * np.sqrt(c1 * c2) * np.sin(np.radians(turn / 2)) / (1 + 0.015 * chroma * weight)
    blue = np.radians(60 * np.exp(-(((hue - 275) / 25) ** 2)))
    crossed = -2 * np.sqrt(chroma**7 / (chroma**7 + 25.0**7)) * np.sin(blue)
    squares = dl**2 + dc**2 + dh**2 + crossed * dc * dh
    return np.asarray(np.sqrt(np.maximum(squares, 0)))
