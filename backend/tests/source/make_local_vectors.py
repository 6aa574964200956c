"""Makes shared/vectors/local: small TIFF files, and digests of what the service reads from them and from real slides.

The page reads the same files (shared/spec/local.md) and has to come to the same digests.

Usage: cd backend/tests && WAVESCOPE_TEST_DATA=FOLDER python -m source.make_local_vectors
"""

from __future__ import annotations

import base64
import hashlib
import io
import json
import os
from pathlib import Path
from typing import Any

import numpy as np
import tifffile
from numpy.typing import NDArray
from PIL import Image

from wavescope.source.base import SlideSource
from wavescope.source.codestreams import DamagedTile, decode_jpeg_image
from wavescope.source.open import open_source

VECTORS = Path(__file__).resolve().parents[3] / "shared/vectors/local"
BAND = 1024
"""Rows of level 0 of which a digest is made."""
DAMAGED = 1000
"""Changed bytes of a JPEG tile."""
REAL = ("CMU-1-Small-Region.svs", "minerva_CRC01_HE_17408x14336.tif", "tcga-cr-7395-01a-01-ts1.svs")
APERIO = "Aperio Image Library v11.2.1\n300x200 (64x64)|AppMag = 20|MPP = 0.4990"
OME = (
    '<?xml version="1.0"?><OME xmlns="http://www.openmicroscopy.org/Schemas/OME/2016-06"><Instrument ID="Instrument:0">'
    '<Microscope Manufacturer="Maker"/><Objective ID="Objective:0" NominalMagnification="40"/></Instrument>'
    '<Image ID="Image:0"><Pixels DimensionOrder="XYCZT" ID="Pixels:0" SizeC="3" SizeT="1" SizeX="{x}" SizeY="{y}" '
    'SizeZ="1" Type="uint8" PhysicalSizeX="250" PhysicalSizeXUnit="nm" PhysicalSizeY="0.25"><Channel ID="Channel:0:0" '
    'SamplesPerPixel="3"/><TiffData IFD="0" PlaneCount="1"/></Pixels></Image></OME>'
)


def bands_of(source: SlideSource) -> list[str]:
    """SHA-256 of each band of level 0, top to bottom."""
    info = source.info
    return [
        hashlib.sha256(source.read_region(0, 0, y, info.width, min(BAND, info.height - y)).tobytes()).hexdigest()
        for y in range(0, info.height, BAND)
    ]


def described(path: Path) -> dict[str, Any]:
    """What the service reads from a file."""
    source = open_source(path)
    info = source.info
    try:
        return {
            "width": info.width,
            "height": info.height,
            "mpp": [info.mpp_x, info.mpp_y],
            "objective": info.objective_power,
            "vendor": info.vendor,
            "icc": hashlib.sha256(info.icc_profile).hexdigest() if info.icc_profile else None,
            "bands": bands_of(source),
        }
    finally:
        source.close()


def picture() -> NDArray[np.uint8]:
    """200 x 300 pixels of colour with edges and noise."""
    rows, columns = np.mgrid[0:200, 0:300]
    noise = 6 * np.random.default_rng(8).integers(0, 4, (200, 300))
    planes = [rows + noise, (rows // 16 + columns // 16) % 2 * 160 + noise, columns // 2 + noise]
    return np.stack(planes, axis=2).clip(0, 255).astype(np.uint8)


def write_files(folder: Path) -> None:
    """Every kind of TIFF that the page reads, each small."""
    pixels = picture()
    half = pixels[::2, ::2]
    one: dict[str, Any] = {"photometric": "rgb", "metadata": None}
    tiles: dict[str, Any] = {**one, "tile": (64, 64)}
    tifffile.imwrite(
        folder / "none-strips.tif", pixels, rowsperstrip=48, resolution=(40000, 40000), resolutionunit=3, **one
    )
    tifffile.imwrite(folder / "lzw-predictor.tif", pixels, compression="lzw", predictor=True, rowsperstrip=32, **one)
    tifffile.imwrite(folder / "lzw.tif", pixels, compression="lzw", **tiles)
    with tifffile.TiffWriter(folder / "deflate-big-endian.tif", bigtiff=True, byteorder=">") as tiff:
        tiff.write(pixels, compression="zlib", predictor=True, subifds=1, **tiles)
        tiff.write(half, compression="zlib", predictor=True, subfiletype=1, **tiles)
    with tifffile.TiffWriter(folder / "jpeg-ycbcr.tif") as tiff:
        jpeg: dict[str, Any] = {
            "compression": "jpeg",
            "compressionargs": {"level": 80},
            "metadata": None,
            "tile": (64, 64),
        }
        tiff.write(pixels, photometric="rgb", **jpeg)
        tiff.write(half, photometric="rgb", subfiletype=1, **jpeg)
    with tifffile.TiffWriter(folder / "ome.tif") as tiff:
        tiff.write(pixels, compression="zlib", description=OME.format(x=300, y=200), **tiles)
    with tifffile.TiffWriter(folder / "aperio-jpeg2000.svs") as tiff:
        lossy: dict[str, Any] = {"compression": 33005, "compressionargs": {"level": 30}}
        tiff.write(pixels, description=APERIO, **lossy, **tiles)
        tiff.write(half[::2, ::2], description="Aperio\nthumbnail", rowsperstrip=50, **one)
        tiff.write(half, description=APERIO, **lossy, **tiles)
        tiff.write(pixels[:90, :70], description="Aperio\nlabel 70x90", subfiletype=1, rowsperstrip=90, **one)
        tiff.write(pixels[:60, :200], description="Aperio\nmacro 200x60", subfiletype=9, rowsperstrip=60, **one)


def damaged_tiles() -> dict[str, Any]:
    """A JPEG tile, and changes of one byte of it: [place, value, what the service makes of it]: the beginning of the
    SHA-256 of its pixels, or null for damaged."""
    stream = io.BytesIO()
    Image.fromarray(picture()[:64, :64]).save(stream, "JPEG", quality=80)
    jpeg = stream.getvalue()
    random = np.random.default_rng(8)
    places = random.integers(jpeg.index(b"\xff\xda"), len(jpeg), DAMAGED).tolist()
    changes = zip(places, random.integers(0, 256, DAMAGED).tolist(), strict=True)
    found = [[at, value, _pixels(jpeg[:at] + bytes([value]) + jpeg[at + 1 :])] for at, value in changes]
    return {"jpeg": base64.b64encode(jpeg).decode(), "changes": found}


def _pixels(jpeg: bytes) -> str | None:
    try:
        return hashlib.sha256(decode_jpeg_image(jpeg, 64, 64, 3).tobytes()).hexdigest()[:16]
    except DamagedTile:
        return None


def main() -> None:
    VECTORS.mkdir(exist_ok=True)
    write_files(VECTORS)
    files = {path.name: described(path) for path in sorted(VECTORS.iterdir()) if path.suffix in (".tif", ".svs")}
    real = {name: described(Path(os.environ["WAVESCOPE_TEST_DATA"]) / name) for name in REAL}
    (VECTORS / "damaged-jpeg.json").write_text(json.dumps(damaged_tiles()) + "\n")
    (VECTORS / "digests.json").write_text(json.dumps({"files": files, "real": real}, indent=2) + "\n")


if __name__ == "__main__":
    main()
