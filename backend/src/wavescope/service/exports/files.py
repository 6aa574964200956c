"""Writing pixels to files with scale and colour profile: PNG and JPEG at once, TIFF tile by tile."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from io import BytesIO
from typing import TYPE_CHECKING, Any, BinaryIO

import numpy as np
from PIL import Image

from wavescope.deferred import deferred
from wavescope.pixels.images import Pixels
from wavescope.pixels.region import Region
from wavescope.service.exports.decoration import Marks, decorated
from wavescope.service.exports.plan import EXPORT_TILE, ExportPlan
from wavescope.source.codestreams import require_imagecodecs

if TYPE_CHECKING:
    import tifffile
else:
    tifffile = deferred("tifffile")

JPEG_QUALITY = 90
CENTIMETRES_PER_INCH = 2.54

Tiles = Callable[[Region], Iterable[Pixels]]
"""The tiles of an image, as ``tiles_of`` orders them."""


def write_image(out: BinaryIO, plan: ExportPlan, pixels: Pixels, icc: bytes | None, marks: Marks | None = None) -> None:
    """A PNG or JPEG of a (height, width, channels) picture."""
    image = decorated(Image.fromarray(pixels[:, :, 0] if pixels.shape[2] == 1 else pixels), plan, marks)
    options: dict[str, Any] = {"icc_profile": icc} if icc else {}
    if plan.centimetre is not None:
        options["dpi"] = tuple(value * CENTIMETRES_PER_INCH for value in plan.centimetre)
    if plan.kind == "png":
        image.save(out, "PNG", compress_level=6, **options)
    else:
        image.save(out, "JPEG", quality=JPEG_QUALITY, subsampling=0, **options)


def write_tiff(out: BinaryIO, plan: ExportPlan, tiles: Tiles, icc: bytes | None) -> None:
    """A tiled BigTIFF whose further pages are the region's reductions; only one tile is in memory at a time."""
    channels = plan.version.picture_channels
    scale = plan.centimetre
    with tifffile.TiffWriter(out, bigtiff=True) as writer:
        for number, image in enumerate(plan.images):
            writer.write(
                data=(_whole(tile) for tile in tiles(image)),
                shape=(image.height, image.width, channels) if channels > 1 else (image.height, image.width),
                dtype=np.uint8,
                tile=(EXPORT_TILE, EXPORT_TILE),
                subfiletype=1 if number else 0,
                resolution=None if scale is None else (scale[0] / 2**number, scale[1] / 2**number),
                resolutionunit=None if scale is None else "CENTIMETER",
                iccprofile=icc,
                software="wavescope",
                metadata=None,
                maxworkers=1,
                **_coding(plan, channels),
            )


def _coding(plan: ExportPlan, channels: int) -> dict[str, Any]:
    """What tifffile is to write. Raises MissingPackage."""
    if plan.kind == "tiff":
        photometric = "rgb" if channels == 3 else "minisblack"
        return {"compression": "deflate", "predictor": True, "photometric": photometric}
    require_imagecodecs("a TIFF file of JPEG tiles")
    coding: dict[str, Any] = {"compression": "jpeg", "compressionargs": {"level": JPEG_QUALITY}}
    if channels == 1:
        return {**coding, "photometric": "minisblack"}
    return {
        **coding,
        "photometric": "rgb",
        "subsampling": (1, 1),
    }  # coded as YCbCr, without chroma subsampling


def _whole(tile: Pixels) -> Pixels:
    """A tile of full size: what a picture does not fill repeats its edge."""
    height, width, channels = tile.shape
    if (height, width) != (EXPORT_TILE, EXPORT_TILE):
        tile = np.pad(tile, ((0, EXPORT_TILE - height), (0, EXPORT_TILE - width), (0, 0)), mode="edge")
    return tile[:, :, 0] if channels == 1 else tile


def sample_bytes(plan: ExportPlan, sample: Pixels) -> int:
    """What these pixels would take in the file."""
    out = BytesIO()
    if not plan.tiff:
        write_image(out, replace(plan, scale_bar=False, caption=""), sample, None)
        return len(out.getvalue())
    channels = sample.shape[2]
    with tifffile.TiffWriter(out, bigtiff=True) as writer:
        data: Iterator[Pixels] = iter([_whole(sample)])
        shape = (EXPORT_TILE, EXPORT_TILE, channels) if channels > 1 else (EXPORT_TILE, EXPORT_TILE)
        coding = _coding(plan, channels)
        writer.write(data=data, shape=shape, dtype=np.uint8, tile=(EXPORT_TILE, EXPORT_TILE), metadata=None, **coding)
    return len(out.getvalue())
