"""Makes shared/vectors/store, a stored slide of format version 1.0. It is pinned: readers of every 1.x read it.

Usage: cd backend/tests && python -m store.make_golden --replace
"""

from __future__ import annotations

import hashlib
import json
import shutil
import sys
import tempfile
from pathlib import Path

import numpy as np

from ingest.worlds import ingested, level_pixels, tissue, write_tiff
from wavescope.store.reader import StoreReader

GOLDEN = Path(__file__).resolve().parents[3] / "shared/vectors/store"


def digests_of_levels(reader: StoreReader) -> list[list[str]]:
    """SHA-256 of the pixels of each level, from the first layer, the first two, ..."""
    return [
        [
            hashlib.sha256(level_pixels(reader, level, count + 1).tobytes()).hexdigest()
            for count in range(reader.manifest.layers)
        ]
        for level in range(reader.manifest.top + 1)
    ]


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
    if sys.argv[1:] != ["--replace"]:
        sys.exit(__doc__)
    main()
