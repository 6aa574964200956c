"""Pixels as files: PNG (exact), JPEG, WebP, npy."""

from __future__ import annotations

from io import BytesIO
from typing import Any, Literal, get_args

import numpy as np
import simplejpeg  # type: ignore[import-untyped]
from numpy.typing import NDArray
from PIL import Image

from wavescope.errors import TooLarge

ImageFormat = Literal["png", "jpg", "webp"]
RegionFormat = Literal["png", "jpg", "webp", "npy"]
IMAGE_FORMATS: tuple[ImageFormat, ...] = get_args(ImageFormat)
REGION_FORMATS: tuple[RegionFormat, ...] = get_args(RegionFormat)
LONGEST_SIDE = {"jpg": 65535, "webp": 16383}  # the limits of these formats

Pixels = NDArray[Any]
"""(height, width, channels): uint8 of a picture; stored samples of channels have the type of their slide."""


def encode_image(pixels: Pixels, kind: RegionFormat, webp_quality: int = 90) -> bytes:
    """The file of a (height, width, channels) picture. No colour profile is embedded: the values stay what they are."""
    out = BytesIO()
    if kind == "npy":
        np.lib.format.write_array(out, np.ascontiguousarray(pixels), version=(1, 0), allow_pickle=False)
        return out.getvalue()
    longest = max(pixels.shape[:2])
    if longest > LONGEST_SIDE.get(kind, longest):
        raise TooLarge(f"the longer side of a {kind} picture", longest, LONGEST_SIDE[kind])
    if kind == "jpg":
        return _jpeg(pixels)
    image = _image(pixels)
    if kind == "png":
        image.save(out, "PNG", compress_level=1)  # three times as fast as the default, a tenth larger
    else:
        image.save(out, "WEBP", quality=webp_quality, method=2)
    return out.getvalue()


def _jpeg(pixels: Pixels) -> bytes:
    """By libjpeg-turbo, from the array itself. Stains differ in chroma: no subsampling."""
    space = "GRAY" if pixels.shape[2] == 1 else "RGB"
    file: bytes = simplejpeg.encode_jpeg(
        np.ascontiguousarray(pixels), quality=90, colorspace=space, colorsubsampling="444", fastdct=False
    )
    return file


def shrink(pixels: Pixels, longest: int) -> Pixels:
    """The picture reduced so that its longer side is at most ``longest``; never enlarged."""
    height, width = pixels.shape[:2]
    scale = min(1.0, longest / max(height, width))
    size = (max(1, round(width * scale)), max(1, round(height * scale)))
    if size == (width, height):
        return pixels
    small = np.asarray(_image(pixels).resize(size, Image.Resampling.LANCZOS))
    return small.reshape(size[1], size[0], pixels.shape[2])


def _image(pixels: Pixels) -> Image.Image:
    """Two and four channels: the last one is alpha."""
    return Image.fromarray(pixels[:, :, 0] if pixels.shape[2] == 1 else pixels)
