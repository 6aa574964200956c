"""Small slides to ingest, made inside the tests, and the real ones where they are."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest
import tifffile
from numpy.typing import NDArray

from wavescope.catalog.catalog import Catalog
from wavescope.geometry import TILE, Address
from wavescope.ingest.pipeline import Ingested, Options, ingest
from wavescope.kernel import decode_approximation, decode_tile, pixels
from wavescope.kernel.tiles import Samples
from wavescope.store.reader import StoreReader, split

Pixels = NDArray[np.uint8]
DATA = Path(os.environ.get("WAVESCOPE_TEST_DATA", Path(__file__).parents[3].parent / "shared" / "data"))


def real(name: str) -> Path:
    """A real slide; skips (fails if WAVESCOPE_REQUIRE_DATA=1) where it is not."""
    path = DATA / name
    if not path.exists():
        if os.environ.get("WAVESCOPE_REQUIRE_DATA") == "1":
            pytest.fail(f"{path} is required and does not exist")
        pytest.skip(f"{path} does not exist")
    return path


def tissue(width: int, height: int, channels: int = 3, seed: int = 0) -> Pixels:
    """Waves with noise at the left, glass of one colour at the right and below."""
    rng = np.random.default_rng(seed)
    noise = rng.integers(-12, 13, (256, 256, channels))
    y, x = np.mgrid[:height, :width].astype(np.float32)
    waves = np.stack([150 + 70 * np.sin(x / (11 + c)) * np.cos(y / (17 + c)) for c in range(channels)], axis=2)
    tiled = np.tile(noise, (-(-height // 256), -(-width // 256), 1))[:height, :width]
    picture = np.clip(waves + tiled, 0, 255).astype(np.uint8)
    picture[:, int(width * 0.8) :] = 241
    picture[int(height * 0.9) :] = 241
    return picture


def write_tiff(path: Path, picture: Pixels, icc: bytes | None = None) -> Path:
    """An uncompressed tiled TIFF with an ICC profile, if one is given."""
    photometric = "rgb" if picture.shape[2] == 3 else "minisblack"
    stored = picture if picture.shape[2] == 3 else picture[..., 0]
    tifffile.imwrite(path, stored, tile=(256, 256), photometric=photometric, metadata=None, iccprofile=icc)
    return path


def twins(folder: Path) -> tuple[Path, Path]:
    """Two slides of 20 MB and of one length that differ in 60 x 60 pixels of their middle."""
    pixels = tissue(2600, 2600)
    first = write_tiff(folder / "first.tif", pixels)
    pixels[1050:1110, 1060:1120] = (200, 30, 90)
    return first, write_tiff(folder / "second.tif", pixels)


def ingested(source: Path | str, store: Path, slide_id: str = "s", **options: object) -> Ingested:
    """Ingest and publish."""
    store.mkdir(parents=True, exist_ok=True)
    catalog = Catalog.open(store)
    try:
        return ingest(source, store, catalog, Options(slide_id, **options))  # type: ignore[arg-type]
    finally:
        catalog.close()


def slide_ids(store: Path) -> list[str]:
    """What the catalog holds."""
    catalog = Catalog.open(store)
    try:
        return [record.id for record in catalog.list().slides]
    finally:
        catalog.close()


def level_pixels(reader: StoreReader, level: int, layers: int | None = None, z: int = 0, c: int = 0) -> Pixels:
    """A whole level of a channel group as pixels, by the equation alone."""
    manifest = reader.manifest
    width, height = manifest.pyramid.level_size(level)
    out = np.zeros((height, width, manifest.group_channels), manifest.dtype)
    count = range(manifest.layers if layers is None else layers)

    def descend(address: Address, samples: Samples) -> None:
        parameters = reader.version.parameters(address.level, c)
        if address.level == level:
            w, h = manifest.pyramid.tile_size(level, address.x, address.y)
            x, y = TILE * address.x, TILE * address.y
            out[y : y + h, x : x + w] = pixels(samples, parameters, w, h)
            return
        columns, rows = manifest.pyramid.tiles(address.level - 1)
        for dx, dy in ((0, 0), (1, 0), (0, 1), (1, 1)):
            child = Address(z, c, address.level - 1, 2 * address.x + dx, 2 * address.y + dy)
            if child.x < columns and child.y < rows:
                block = split(reader.read(child, count))
                descend(child, decode_tile(samples, block, reader.version.parameters(child.level, c), child))

    top = Address(z, c, manifest.top, 0, 0)
    descend(top, decode_approximation(split(reader.read(top, count)), reader.version.parameters(top.level, c), z))
    return out
