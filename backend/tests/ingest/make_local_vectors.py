"""Makes shared/vectors/local/versions.json: what an import stores of small pictures, for the page's own encoder (LI20).

Usage: cd backend/tests && python -m ingest.make_local_vectors
"""

from __future__ import annotations

import hashlib
import json
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from ingest.worlds import Pixels, ingested
from wavescope.store.layout import StorePaths

VECTORS = Path(__file__).resolve().parents[3] / "shared/vectors/local/versions.json"
CASES = (
    (200, 130, "visual"),
    (1300, 900, "visual"),
    (1300, 900, "lossless"),
    (600, 1500, "compact"),
    (900, 700, "fine"),
    (4500, 300, "lossless"),
    (200, 130, "38.5dB"),
    (1300, 900, "40dB"),
    (900, 700, "auto"),
)
"""Of one tile, of several levels, of a shard and a tile."""
FILES = (
    ("aperio-jpeg2000.svs", "compact"),
    ("jpeg-ycbcr.tif", "compact"),
    ("lzw.tif", "compact"),
    ("none-strips.tif", "compact"),
    ("ome.tif", "compact"),
    ("aperio-jpeg2000.svs", "auto"),
    ("jpeg-ycbcr.tif", "auto"),
    ("lzw.tif", "auto"),
    ("none-strips.tif", "auto"),
    ("jpeg-ycbcr.tif", "42dB"),
)
"""In the same folder. ``auto`` decides by the compression of the source, and by its bytes."""


def picture(width: int, height: int) -> Pixels:
    """Waves and noise, as tissue has, with areas of one colour beside them; of integers alone."""
    y, x = np.mgrid[:height, :width].astype(np.int64)
    noise = (x * 7919 + y * 104729 + x * y * 31) * 2654435761 % 2**32 >> 27
    wave = np.abs((x * 3 + y * 2) % 256 - 128) + np.abs((x - 2 * y) % 192 - 96)
    tissue = ((x // 64 + y // 96) % 5 < 3)[..., None]
    colours = [90 + wave // 2 + noise // 2, 40 + wave // 2 + noise, 110 + wave // 3 + noise // 2]
    found = np.where(tissue, np.stack(colours, axis=2), (241, 240, 243))
    return np.minimum(found, 255).astype(np.uint8)


def case(folder: Path, width: int, height: int, quality: str) -> dict[str, Any]:
    """What a de-identifying import stores: digest, and the hash of each file."""
    path, store = folder / f"{width}-{height}.bmp", folder / f"{width}-{height}-{quality}"
    Image.fromarray(picture(width, height)).save(path)
    made = ingested(path, store, quality=quality, deidentify=True)
    root = StorePaths(store).version(made.digest).root
    hashes = {
        one.relative_to(root).as_posix(): hashlib.sha256(one.read_bytes()).hexdigest()
        for one in sorted(root.rglob("*"))
        if one.is_file()
    }
    source = made.manifest.source
    facts = {"format": source.format, "bytes": source.bytes, "fingerprint": source.fingerprint}
    size = {"width": width, "height": height, "quality": quality}
    return {**size, "source": facts, "digest": made.digest, "files": hashes}


def file_case(folder: Path, name: str, quality: str) -> dict[str, Any]:
    """What a de-identifying import stores of a file: what the manifest says of it, and the digest."""
    made = ingested(VECTORS.parent / name, folder / f"{name}-{quality}", quality=quality, deidentify=True)
    return {"file": name, "quality": quality, "source": vars(made.manifest.source), "digest": made.digest}


def cases(folder: Path) -> list[dict[str, Any]]:
    return [case(folder, *each) for each in CASES]


if __name__ == "__main__":
    VECTORS.parent.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        files = [file_case(Path(folder), *each) for each in FILES]
        VECTORS.write_text(json.dumps({"cases": cases(Path(folder)), "files": files}, indent=1) + "\n")
