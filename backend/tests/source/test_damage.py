"""Damaged bytes of every kind of file: either a typed error or a picture, never another exception."""

import contextlib
import io
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tifffile
from PIL import Image

from sampling import sampled
from source.worlds import jpeg_of, tissue, write_dicom, write_svs
from wavescope.errors import SourceError
from wavescope.source.open import open_source

FRAMES = [jpeg_of(tissue(64, 64, seed=seed)) for seed in range(4)]
ROUNDS = 40


def picture(kind: str) -> Callable[[Path], object]:
    def write(path: Path) -> None:
        stream = io.BytesIO()
        Image.fromarray(tissue(60, 80)).save(stream, kind)
        path.write_bytes(stream.getvalue())

    return write


def tiff(**options: Any) -> Callable[[Path], object]:
    return lambda path: tifffile.imwrite(path, tissue(60, 80), photometric="rgb", **options)


def stack(**options: Any) -> Callable[[Path], object]:
    planes = np.stack([tissue(40, 50, 1, seed=z) for z in range(3)])
    return lambda path: tifffile.imwrite(path, planes, metadata={"axes": "ZYX"}, **options)


KINDS: dict[str, Callable[[Path], object]] = {
    "svs": lambda path: write_svs(path, tissue(100, 140)),
    "dicom": lambda path: write_dicom(path, FRAMES, (120, 100), side=64),
    "dicom with planes": lambda path: write_dicom(path, FRAMES * 2, (120, 100), side=64, planes=2),
    "png": picture("PNG"),
    "jpeg": picture("JPEG"),
    "bmp": picture("BMP"),
    "deflate tiles": tiff(tile=(32, 32), compression="zlib", predictor=True),
    "jpeg tiles": tiff(tile=(32, 32), compression="jpeg"),
    "jpeg 2000 tiles": tiff(tile=(32, 32), compression="jpeg2000"),
    "lzw strips": tiff(rowsperstrip=9, compression="lzw"),
    "plain strips": tiff(rowsperstrip=9),
    "ome planes": stack(ome=True),
    "imagej planes": stack(imagej=True),
}


def damaged(content: bytes, rng: random.Random) -> bytes:
    """A few bytes changed, most of them near the front where the structure is, and sometimes the end cut off."""
    changed = bytearray(content)
    for _ in range(rng.choice([1, 1, 2, 5])):
        near = min(len(changed), 1200) if rng.random() < 0.6 else len(changed)
        changed[rng.randrange(near)] = rng.choice([0, 1, 255, rng.randrange(256)])
    return bytes(changed[: rng.randrange(len(changed))] if rng.random() < 0.1 else changed)


@pytest.mark.parametrize("kind", KINDS)
def test_damaged_bytes_give_a_typed_error_or_a_picture(tmp_path: Path, kind: str) -> None:
    KINDS[kind](tmp_path / "whole")
    content = (tmp_path / "whole").read_bytes()
    folder = tmp_path / "alone"
    folder.mkdir()
    for seed in sampled(range(ROUNDS)):
        (folder / "a").write_bytes(damaged(content, random.Random(f"{kind} {seed}")))
        with contextlib.suppress(SourceError):
            source = open_source(folder / "a")
            for z in range(min(source.info.planes, 4)):
                source.read_region(z, 0, 0, min(source.info.width, 1000), min(source.info.height, 1000))
            source.close()
