"""Makes shared/vectors/annotations/counting.json: the known cells of the fluorescence specimen, and how many lie in
each region. Regions are painted as masks of pixels: the counts and areas share no code with the page.

Usage: cd backend/tests && python -m annotations.counting
"""

from __future__ import annotations

import json
from typing import Any

import numpy as np
from numpy.typing import NDArray

from annotations.shapes import VECTORS
from wavescope.source.specimen.fluorescence import MARKERS, Fluorescence
from wavescope.source.specimen.spec import parse_spec

FILE = VECTORS / "counting.json"
SPECIMEN = "specimen:1024x768?seed=7&channels=8"
WIDTH, HEIGHT = 1024, 768
MPP = 0.25
BOX = [100, 60, 700, 460]
STEPS = [[500, 300], [900, 300], [900, 700], [700, 700], [700, 500], [500, 500]]
CIRCLE = [150, 250, 550, 650]


def masks() -> dict[str, NDArray[np.bool_]]:
    """For each region the pixels (height, width) that belong to it, one at each pair of whole numbers."""
    y, x = np.mgrid[:HEIGHT, :WIDTH]
    left, top, right, bottom = BOX
    box = (x >= left) & (x < right) & (y >= top) & (y < bottom)
    steps = (x >= 500) & (x < 900) & (y >= 300) & (y < 700) & ~((x < 700) & (y >= 500))
    left, top, right, bottom = CIRCLE
    middle_x, middle_y, radius = (left + right) / 2, (top + bottom) / 2, (right - left) / 2
    circle = (x - middle_x) ** 2 + (y - middle_y) ** 2 < radius**2
    return {"box": box, "steps": steps, "circle": circle}


def _corners(left: int, top: int, right: int, bottom: int) -> list[list[int]]:
    return [[left, top], [right, top], [right, bottom], [left, bottom]]


def vectors() -> dict[str, Any]:
    cells = Fluorescence(parse_spec(SPECIMEN)).cells(0, 0, WIDTH, HEIGHT)
    marker = MARKERS.index("Ki67")
    points = [[cell.x, cell.y, int(cell.intensities[marker] > 0)] for cell in cells]
    shapes = {
        "box": ("rectangle", _corners(*BOX)),
        "steps": ("polygon", STEPS),
        "circle": ("ellipse", _corners(*CIRCLE)),
    }
    regions = []
    for name, mask in masks().items():
        inside = [positive for x, y, positive in points if mask[y, x]]
        kind, corners = shapes[name]
        regions.append(
            {
                "name": name,
                "kind": kind,
                "corners": corners,
                "positive": sum(inside),
                "negative": len(inside) - sum(inside),
                "pixels": int(mask.sum()),
            }
        )
    about = f"The cells of {SPECIMEN}: x, y, whether Ki67 stains it; and how many lie in regions, by masks of pixels."
    return {"about": about, "mpp": MPP, "cells": points, "regions": regions}


if __name__ == "__main__":
    FILE.write_text(json.dumps(vectors(), separators=(",", ":")) + "\n")
