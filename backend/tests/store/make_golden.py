"""Makes shared/vectors/store and store-1.1, stored slides of format versions 1.0 and 1.1. They are pinned: readers of
every later 1.x read them.

Usage: cd backend/tests && python -m store.make_golden --replace 1.0|1.1
"""

from __future__ import annotations

import hashlib
import json
import shutil
import sys
import tempfile
from pathlib import Path

import numpy as np
import tifffile

from ingest.worlds import ingested, level_pixels, tissue, write_tiff
from wavescope.source.open import open_source
from wavescope.store.reader import StoreReader

GOLDEN = Path(__file__).resolve().parents[3] / "shared/vectors/store"
OF_1_1 = GOLDEN.with_name("store-1.1")
"""Two channels of 16 bits, two planes."""


def digests_of_levels(reader: StoreReader, z: int = 0, c: int = 0) -> list[list[str]]:
    """SHA-256 of the pixels of each level of a plane and channel group, from the first layer, the first two, ..."""
    return [
        [
            hashlib.sha256(level_pixels(reader, level, count + 1, z, c).tobytes()).hexdigest()
            for count in range(reader.manifest.layers)
        ]
        for level in range(reader.manifest.top + 1)
    ]


def main_1_1() -> None:
    """Each profile of 1.1 once: the first channel in units of noise, the second without any, so lossless."""
    if OF_1_1.exists():
        shutil.rmtree(OF_1_1)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        planes = np.moveaxis(
            np.stack(
                [open_source("specimen:300x280x2?seed=3&channels=2").read_region(z, 0, 0, 300, 280) for z in (0, 1)]
            ),
            3,
            0,
        ).copy()
        planes[1] = np.arange(300, dtype=np.uint16) // 100 * 20000
        tifffile.imwrite(folder / "golden.ome.tif", planes, metadata={"axes": "CZYX"}, photometric="minisblack")
        digest = ingested(folder / "golden.ome.tif", folder, quality="0.1sigma").digest
        shutil.copytree(folder / "slides", OF_1_1 / "slides")
    reader = StoreReader.open(OF_1_1, digest)
    found = {digest: [[digests_of_levels(reader, z, c) for c in (0, 1)] for z in (0, 1)]}
    (OF_1_1 / "expected.json").write_text(json.dumps(found, indent=1) + "\n")


def main() -> None:
    if GOLDEN.exists():
        shutil.rmtree(GOLDEN)
    found = {}
    for profile in ("visual", "lossless"):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            picture = np.full((600, 700, 3), 236, np.uint8)
            picture[400:480, 440:560] = tissue(120, 80)
            digest = ingested(write_tiff(folder / "golden.tif", picture), folder, quality=profile).digest
            shutil.copytree(folder / "slides", GOLDEN / "slides", dirs_exist_ok=True)
            found[digest] = digests_of_levels(StoreReader.open(GOLDEN, digest))
    (GOLDEN / "expected.json").write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    made = {"1.0": main, "1.1": main_1_1}
    if sys.argv[1:2] != ["--replace"] or sys.argv[2:] not in [[one] for one in made]:
        sys.exit(__doc__)
    made[sys.argv[2]]()
