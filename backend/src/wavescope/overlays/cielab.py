"""Colours as DICOM has them: CIELab with the white point D50, three unsigned numbers of 16 bits (PS3.3 C.10.7.1.1)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

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
    coded = np.array([int(color[n : n + 2], 16) for n in (0, 2, 4)]) / 255
    linear = np.where(coded <= 0.04045, coded / 12.92, ((coded + 0.055) / 1.055) ** 2.4)
    xyz = TO_XYZ @ linear / WHITE
    x, y, z = np.where(xyz > EDGE**3, np.cbrt(xyz), xyz / (3 * EDGE**2) + 4 / 29).tolist()
    scaled = ((116 * y - 16) / 100, (500 * (x - y) + 128) / 255, (200 * (y - z) + 128) / 255)
    lightness, a, b = (round(65535 * min(1.0, max(0.0, one))) for one in scaled)
    return lightness, a, b
