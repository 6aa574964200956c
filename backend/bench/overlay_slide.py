"""What the bench of overlays in the viewer looks at: an empty slide, and cells all over it as QuPath's GeoJSON.

usage: overlay_slide.py CELLS FOLDER        writes slide.tiff and cells.geojson
       overlay_slide.py CELLS FILE FIRST    writes the corners of the first of them, for the peer
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import tifffile

from overlays import AREA, write_corners, write_geojson

TILE = 512


def write_slide(path: Path, side: int) -> None:
    """A grey slide of 0.25 micrometres a pixel."""
    tile = np.full((TILE, TILE, 3), 236, np.uint8)

    def tiles() -> Iterator[np.ndarray]:
        for _ in range((-(-side // TILE)) ** 2):
            yield tile

    tifffile.imwrite(
        path,
        tiles(),
        shape=(side, side, 3),
        dtype=np.uint8,
        photometric="rgb",
        tile=(TILE, TILE),
        compression="deflate",
        resolution=(40_000, 40_000),
        resolutionunit="CENTIMETER",
    )


def main() -> None:
    cells, folder = int(sys.argv[1]), Path(sys.argv[2])
    if len(sys.argv) > 3:
        write_corners(folder, int(sys.argv[3]), cells)
        return
    folder.mkdir(parents=True, exist_ok=True)
    write_slide(folder / "slide.tiff", int((cells * AREA) ** 0.5))
    write_geojson(folder / "cells.geojson", cells)


if __name__ == "__main__":
    main()
