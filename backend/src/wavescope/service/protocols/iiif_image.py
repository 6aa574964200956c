"""From an image request to its file: which level it is made of, and what is done to that level's pixels (IF7)."""

from __future__ import annotations

from functools import partial
from io import BytesIO
from typing import NamedTuple

import numpy as np
from PIL import Image, ImageOps

from wavescope.config import Limits
from wavescope.geometry import ceil_div
from wavescope.pixels.images import Pixels, encode_image
from wavescope.pixels.region import Region
from wavescope.pixels.renderer import DerivedImage
from wavescope.service.protocols.iiif_request import (
    Bounds,
    IiifFormat,
    ImageRequest,
    Rectangle,
    Rotation,
    Size,
    rotated_size,
)
from wavescope.store.version import SlideVersion

LONGEST_SIDE = 16383  # of a WebP file
SOURCE_SHARE = 4  # a level has at most four times as many pixels as the picture that is made of it
MIDDLE = 128  # of black and white
TURNS = {90: Image.Transpose.ROTATE_270, 180: Image.Transpose.ROTATE_180, 270: Image.Transpose.ROTATE_90}
Box = tuple[float, float, float, float]


class LevelPart(NamedTuple):
    """The pixels of a level that a picture is made of; ``box``: the part of them that is scaled, None if they are the
    picture as they are.
    """

    region: Region
    box: Box | None


def bounds_of(limits: Limits) -> Bounds:
    """How large a picture may become: as a region, after the reduction of what it is made of."""
    return Bounds(LONGEST_SIDE, max(1, limits.region_pixels // SOURCE_SHARE))


def image_of(version: SlideVersion, request: ImageRequest, limits: Limits, plane: int) -> DerivedImage:
    """How the file of a request is made of a focal plane."""
    part = level_part(version, request.region, request.size, limits.region_pixels, plane)
    turned = rotated_size(request.size, request.rotation)
    pixels = max(part.region.width * part.region.height, turned[0] * turned[1])
    return DerivedImage(part.region, ("iiif", plane, request), pixels, partial(finish, part.box, request))


def level_part(version: SlideVersion, wanted: Rectangle, size: Size, limit: int, plane: int) -> LevelPart:
    """The coarsest level with at least as many pixels as the picture, and of it no more than ``limit`` pixels."""
    level = next((n for n in range(version.top, 0, -1) if _covers(_cover(wanted, n), size)), 0)
    while level < version.top and _area(_cover(wanted, level)) > limit:
        level += 1
    left, top, right, bottom = _cover(wanted, level)
    region = Region(plane, level, left, top, right - left, bottom - top)
    scale = 1 << level
    ends = wanted.x + wanted.width, wanted.y + wanted.height
    aligned = wanted.x % scale == wanted.y % scale == 0
    aligned &= all(end % scale == 0 or end == side for end, side in zip(ends, version.pyramid, strict=True))
    if aligned and (region.width, region.height) == (size.width, size.height):
        return LevelPart(region, None)
    box = (wanted.x / scale - left, wanted.y / scale - top, ends[0] / scale - left, ends[1] / scale - top)
    return LevelPart(region, box)


def finish(box: Box | None, request: ImageRequest, pixels: Pixels) -> bytes:
    """The file: scaled, mirrored, turned, in the requested quality and format."""
    if box is None and request.rotation == Rotation(False, 0) and request.quality in ("default", "color"):
        return _file(pixels, request.format)
    image = Image.fromarray(pixels[:, :, 0] if pixels.shape[2] == 1 else pixels)
    if box is not None:
        size = request.size.width, request.size.height
        shrinks = size[0] <= box[2] - box[0] and size[1] <= box[3] - box[1]
        image = image.resize(size, Image.Resampling.LANCZOS if shrinks else Image.Resampling.BICUBIC, box)
    image = _turned(image, request.rotation, request.format)
    if request.quality in ("gray", "bitonal"):
        image = _gray(image, request.quality == "bitonal")
    array = np.asarray(image)
    return _file(array.reshape(*array.shape[:2], -1), request.format)


def _turned(image: Image.Image, rotation: Rotation, kind: IiifFormat) -> Image.Image:
    """The corners beside a turned picture are transparent; white in a JPEG."""
    if rotation.mirrored:
        image = ImageOps.mirror(image)
    if rotation.degrees == 0:
        return image
    if rotation.degrees in TURNS:
        return image.transpose(TURNS[int(rotation.degrees)])
    if kind == "jpg":
        white = 255 if image.mode == "L" else (255, 255, 255)
        return image.rotate(-rotation.degrees, Image.Resampling.BICUBIC, expand=True, fillcolor=white)
    return image.convert("RGBA").rotate(-rotation.degrees, Image.Resampling.BICUBIC, expand=True)


def _gray(image: Image.Image, bitonal: bool) -> Image.Image:
    gray = image.convert("LA" if image.mode == "RGBA" else "L")
    if not bitonal:
        return gray
    light = gray.getchannel("L").point(lambda value: 255 if value >= MIDDLE else 0)
    return Image.merge("LA", (light, gray.getchannel("A"))) if gray.mode == "LA" else light


def _file(pixels: Pixels, kind: IiifFormat) -> bytes:
    if kind != "avif":
        return encode_image(pixels, kind)
    out = BytesIO()
    image = Image.fromarray(pixels[:, :, 0] if pixels.shape[2] == 1 else pixels)
    image.save(out, "AVIF", quality=80, speed=8, subsampling="4:4:4", max_threads=1)
    return out.getvalue()


def _cover(wanted: Rectangle, level: int) -> tuple[int, int, int, int]:
    """Left, top, right and bottom of the pixels of a level that a rectangle touches."""
    scale = 1 << level
    right, bottom = wanted.x + wanted.width, wanted.y + wanted.height
    return wanted.x // scale, wanted.y // scale, ceil_div(right, scale), ceil_div(bottom, scale)


def _covers(cover: tuple[int, int, int, int], size: Size) -> bool:
    return cover[2] - cover[0] >= size.width and cover[3] - cover[1] >= size.height


def _area(cover: tuple[int, int, int, int]) -> int:
    return (cover[2] - cover[0]) * (cover[3] - cover[1])
