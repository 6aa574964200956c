"""Makes shared/vectors/stains/views.json: `cd backend/tests && ../../.venv/bin/python -m stains.make_vectors`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from stains.reference import Reference

VECTORS = Path(__file__).parents[3] / "shared" / "vectors" / "stains" / "views.json"
PIXELS = 64
ESTIMATED = {"stain1": [560, 740, 372], "stain2": [216, 848, 484]}
BROWN = {"stain1": [620, 690, 373], "stain2": [300, 540, 786]}
VIEWS: list[tuple[dict[str, Any], list[int] | None]] = [
    ({"stain": 1}, None),
    ({"stain": 2}, None),
    ({"stain": 3}, None),
    ({"stain": 1}, [240, 231, 245]),
    ({"stain": 1, **ESTIMATED}, None),
    ({"stain": 2, **ESTIMATED}, [238, 238, 241]),
    ({"stain": 3, **BROWN}, None),
    ({"stain": 0, **ESTIMATED, "stainTo1": [590, 700, 402, 140], "stainTo2": [110, 930, 350, 88]}, None),
    ({"stain": 0, "stainTo1": [1000, 1000, 1000, 400], "stainTo2": [1000, 1000, 1000, 400]}, None),
]


def cases() -> list[dict[str, Any]]:
    """Pinned by their seeds. The first pixels have what tables have at their ends."""
    made = []
    for seed, (entries, white) in enumerate(VIEWS):
        drawn = np.random.default_rng(seed).integers(0, 256, (PIXELS, 3)).tolist()
        pixels = [[0, 0, 0], [255, 255, 255], [0, 255, 255], [255, 0, 255], [255, 255, 0], [1, 1, 1], *drawn]
        view = Reference(entries, white)
        made.append(
            {
                "entries": entries,
                "white": white,
                "pixels": pixels,
                "amounts": [view.amounts(pixel) for pixel in pixels],
                "picture": [view.picture(pixel) for pixel in pixels],
            }
        )
    return made


if __name__ == "__main__":
    VECTORS.parent.mkdir(exist_ok=True)
    VECTORS.write_text(json.dumps({"cases": cases()}, separators=(",", ":")) + "\n")
