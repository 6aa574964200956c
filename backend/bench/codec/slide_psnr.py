"""PSNR of a stored slide against its source, per level and number of layers, over tiles spread evenly over all of it.

Usage: .venv/bin/python backend/bench/codec/slide_psnr.py SLIDE STORE DIGEST [EVERY]    (all tiles, or one of EVERY)

`wavescope info` prints the PSNR of a few tiles with tissue; this is the whole field, glass included.
"""

from __future__ import annotations

import sys
from pathlib import Path

from wavescope.geometry import Address
from wavescope.ingest.quality import measure
from wavescope.source.open import open_source
from wavescope.store.reader import StoreReader


def spread(reader: StoreReader, every: int) -> list[Address]:
    """Level-0 tiles of the middle plane, one of ``every``."""
    columns, rows = reader.manifest.pyramid.tiles(0)
    places = [Address(reader.manifest.planes // 2, 0, 0, x, y) for y in range(rows) for x in range(columns)]
    return places[every // 2 :: every]


def main() -> None:
    slide, store, digest = sys.argv[1:4]
    every = int(sys.argv[4]) if len(sys.argv) > 4 else 1
    measure.tiles_with_tissue = lambda reader: spread(reader, every)
    measured = measure.measured(open_source(slide), StoreReader.open(Path(store), digest))
    print(f"{measured.tiles} tiles; dB by number of layers")
    for level, row in enumerate(measured.psnr):
        print(f"  level {level}: " + " / ".join("exact" if value is None else f"{value:.2f}" for value in row))


if __name__ == "__main__":
    main()
