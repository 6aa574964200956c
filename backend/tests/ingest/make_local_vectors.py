"""Makes shared/vectors/local/versions.json: what an import stores of small pictures, for the page's own encoder (LI20).

Usage: cd backend/tests && python -m ingest.make_local_vectors
"""

from __future__ import annotations

import hashlib
import json
import tempfile
from dataclasses import asdict
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
from PIL import Image

from ingest.worlds import Pixels, ingested
from wavescope.ingest.ingest_source import ingest_source_of
from wavescope.ingest.opened import SourceKey, keep_open
from wavescope.ingest.pipeline import Options, _Ingest
from wavescope.ingest.quality.choice import Choice
from wavescope.ingest.quality.presets import quality_of
from wavescope.source.base import Limits
from wavescope.store.layout import StorePaths
from wavescope.store.manifest import canonical
from wavescope.store.phi import PhiStore

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
ROUNDS = (("40dB", 0, 39.6), ("40dB", 0, 40.2), ("auto", 300_000, 40.0), ("auto", 3_000_000, 40.0))
"""Of a picture of 320 x 270: what the version of each round has, in bytes and dB."""
MOST_ROUNDS = 3


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


def rounds_case(folder: Path, quality: str, size: int, psnr: float) -> dict[str, Any]:
    """The parameters that are chosen first, and again for a version of so many bytes and so many dB at level 0."""
    path = folder / "rounds.bmp"
    Image.fromarray(picture(320, 270)).save(path)
    source = ingest_source_of(path, PhiStore(StorePaths(folder)), deidentify=True)
    key = SourceKey(source.spec, source.fingerprint, Limits())
    with keep_open(key) as opened:
        options = Options("s", quality=quality, deidentify=True)
        made = _Ingest(source, key, opened, StorePaths(folder), options, quality_of(quality))
        found = [_described(made.choice)]
        reached: Any = SimpleNamespace(bytes=[[size]], quality=SimpleNamespace(psnr=[[psnr]]))
        while len(found) < MOST_ROUNDS and (made.choose_smaller(reached) or made.choose_nearer(reached)):
            found.append(_described(made.choice))
    return {"quality": quality, "bytes": size, "psnr": psnr, "max_bytes": path.stat().st_size, "chosen": found}


def _described(choice: Choice) -> dict[str, Any]:
    codec = {**choice.codecs[0].to_json(), "key": "0" * 32}
    return {
        **asdict(choice.chosen),
        "reencoded": list(choice.chosen.reencoded),
        "codec": hashlib.sha256(canonical(codec)).hexdigest(),
    }


def cases(folder: Path) -> list[dict[str, Any]]:
    return [case(folder, *each) for each in CASES]


def rounds(folder: Path) -> list[dict[str, Any]]:
    return [rounds_case(folder, *each) for each in ROUNDS]


if __name__ == "__main__":
    VECTORS.parent.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        files = [file_case(Path(folder), *each) for each in FILES]
        found = {"cases": cases(Path(folder)), "files": files, "rounds": rounds(Path(folder))}
        VECTORS.write_text(json.dumps(found, indent=1) + "\n")
