"""PNG, JPEG and BMP pictures. The only file that knows Pillow.

Such a picture can only be decoded whole, so the memory that this takes is checked against the limit before a byte is
decoded. It stays as Pillow decodes it; regions become pixels when they are read. Alpha is composited over white; a
palette is resolved; CMYK becomes RGB by Pillow's rule; 16-bit grey keeps its samples. A truncated file is an error:
Pillow's LOAD_TRUNCATED_IMAGES stays off, and JPEG is decoded strictly (see codestreams.py). Resolution tags of such
files describe print sizes, which are not used as micrometres; EXIF orientation is not applied.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import BinaryIO, Literal, NamedTuple

import numpy as np
from PIL import BmpImagePlugin, Image, ImageFile, JpegImagePlugin, PngImagePlugin

from wavescope.channels.channel import Channel
from wavescope.channels.samples import Samples
from wavescope.errors import UnreadableSource, UnsupportedSource
from wavescope.source.base import Limits, Pixels, SlideSource, SourceInfo, check_region
from wavescope.source.channels import Channels, with_contrast
from wavescope.source.codestreams import DamagedTile, coefficient_bytes, decode_jpeg_image, scans_of
from wavescope.source.window import FULL

# The plug-ins' own classes: Image.open would apply Pillow's process-wide pixel limit, which is not ours.
READERS: dict[str, Callable[[BinaryIO], ImageFile.ImageFile]] = {
    "png": PngImagePlugin.PngImageFile,
    "jpeg": JpegImagePlugin.JpegImageFile,
    "bmp": BmpImagePlugin.BmpImageFile,
}
SIXTEEN_BIT = frozenset({"I;16", "I;16B", "I;16L", "I"})
BYTES_PER_PIXEL = {"1": 1, "L": 1, "P": 1, "I;16": 2, "I;16B": 2, "I;16L": 2}
"""That Pillow takes; 4 for every other mode."""
READABLE = SIXTEEN_BIT | {"1", "L", "RGB", "LA", "RGBA", "P", "PA", "CMYK", "YCbCr"}
BAND = 1 << 20
"""Pixels looked at in one piece; numpy takes 18 bytes for each."""

Box = tuple[int, int, int, int]
"""Left, top, right, bottom."""


def open_picture(path: Path, kind: str, limits: Limits) -> SlideSource:
    """Open one picture; grey of 16 bits is a channel. Raises SourceError kinds."""
    source = PillowSource(path, kind, limits)
    if source.info.bits == 8:
        return source
    width, height = source.info.width, source.info.height
    rows = max(1, BAND // width)
    bands = (source.read_region(0, 0, top, width, min(height, top + rows) - top) for top in range(0, height, rows))
    channel = with_contrast(Channel("Grey", "FFFFFF", bits=16, significant_bits=16), bands)

    def read(z: int, _: int, *region: int) -> Samples:
        return source.read_region(z, *region)[:, :, 0]

    return Channels(replace(source.info, descriptions=(channel,)), read, source.close)


class Grey(NamedTuple):
    """``read``: the samples (height, width) of a box. ``palette``: RRGGBB of each sample, empty: it has none."""

    width: int
    height: int
    read: Callable[[Box], Samples]
    palette: tuple[str, ...]


def open_grey(path: Path, limits: Limits) -> Grey:
    """A PNG of one sample a pixel, as the file has it: a number, or one of a palette. Raises SourceError kinds."""
    with path.open("rb") as stream:
        image = _open(path, "png", stream, limits)
        if image.mode not in SIXTEEN_BIT | {"L", "P", "1"}:
            raise UnsupportedSource(path, f"its pixels are {image.mode}; a raster has one number a pixel")
        _decoded(path, "png", image)
    colors = image.getpalette("RGB") or [] if image.mode == "P" else []
    palette = tuple("{:02X}{:02X}{:02X}".format(*colors[n : n + 3]) for n in range(0, len(colors), 3))

    def read(box: Box) -> Samples:
        part = np.asarray(image.crop(box))
        return part.astype(np.uint16 if image.mode in SIXTEEN_BIT else np.uint8)

    return Grey(*image.size, read, palette)


class PillowSource:
    """One picture, decoded when it is opened and kept in memory."""

    def __init__(self, path: Path, kind: str, limits: Limits) -> None:
        with path.open("rb") as stream:
            image = _open(path, kind, stream, limits)
            size, profile = image.size, image.info.get("icc_profile")
            wide = _is_wide(image)
            strict = kind == "jpeg" and image.mode in ("L", "RGB")
            picture = _decoded_jpeg(path, image) if strict else _decoded(path, kind, image)
            window = FULL if wide and not picture.deep else None
        self._read: Callable[[Box], Pixels] = picture.read
        channels: Literal[1, 3] = picture.channels
        self._info = SourceInfo(
            width=size[0],
            height=size[1],
            channels=channels,
            format=kind,
            source_bytes=path.stat().st_size,
            properties={},
            icc_profile=bytes(profile) if profile else None,
            window=window,
            notices=(window.describe(),) if window else (),
            bits=16 if picture.deep else 8,
        )

    @property
    def info(self) -> SourceInfo:
        return self._info

    def read_region(self, z: int, l0_x: int, l0_y: int, width: int, height: int) -> Pixels:
        check_region(self._info, z, l0_x, l0_y, width, height)
        pixels = self._read((l0_x, l0_y, l0_x + width, l0_y + height))
        return pixels.reshape(height, width, self._info.channels)

    def close(self) -> None:
        self._read = _closed


class _Samples:
    """Grey or RGB of 8 bits as numpy has it."""

    deep = False

    def __init__(self, pixels: Pixels) -> None:
        self._pixels = pixels
        self.channels: Literal[1, 3] = 1 if pixels.shape[2] == 1 else 3

    def read(self, box: Box) -> Pixels:
        left, top, right, bottom = box
        return self._pixels[top:bottom, left:right].copy()


class _PillowImage:
    """A picture as Pillow has it."""

    def __init__(self, image: Image.Image) -> None:
        self._image = image
        self.deep = image.mode in SIXTEEN_BIT
        grey = image.mode in SIXTEEN_BIT or image.mode in ("1", "L")
        self.channels: Literal[1, 3] = 1 if grey else 3

    def read(self, box: Box) -> Pixels:
        part = self._image.crop(box)
        return np.asarray(part).astype(np.uint16) if self.deep else np.array(_eight_bit(part))


def _open(path: Path, kind: str, stream: BinaryIO, limits: Limits) -> ImageFile.ImageFile:
    """The picture's header, found plausible; nothing is decoded yet."""
    try:
        image = READERS[kind](stream)
    except MemoryError:
        raise
    except Exception as error:  # Pillow's parsers meet hostile files with exceptions of every kind
        raise UnreadableSource(
            path, f"the {kind.upper()} picture is damaged or incomplete ({_reason(error)})"
        ) from error
    needed = image.width * image.height * BYTES_PER_PIXEL.get(image.mode, 4)
    if isinstance(image, JpegImagePlugin.JpegImageFile):
        needed += _jpeg_bytes(path, image, limits)
    if needed > limits.decoded_bytes:
        raise UnreadableSource(
            path,
            f"it claims {image.width} x {image.height} pixels, {needed:,} bytes decoded, and can only be read whole; "
            f"the limit is {limits.decoded_bytes:,} bytes (save it as a tiled TIFF, or raise WAVESCOPE_DECODED_BYTES)",
        )
    if image.mode not in READABLE:
        raise UnsupportedSource(
            path, f"pictures of Pillow's mode {image.mode} are not read; grey and RGB of 8 bits are"
        )
    return image


def _jpeg_bytes(path: Path, image: JpegImagePlugin.JpegImageFile, limits: Limits) -> int:
    """What decoding takes beside the pixels: the file, which is read whole, and the coefficients of several scans."""
    size = path.stat().st_size
    several = size <= limits.decoded_bytes and scans_of(path.read_bytes()) > 1
    return size + coefficient_bytes(image.width, image.height, image.layer, several_scans=several)


def _reason(error: Exception) -> str:
    """What Pillow says, without the names of its objects."""
    return re.sub(r" ?<[^>]*>", "", str(error)) or type(error).__name__


def _decoded(path: Path, kind: str, image: Image.Image) -> _PillowImage:
    try:
        image.load()
    except MemoryError:
        raise
    except Exception as error:  # as above
        raise UnreadableSource(
            path, f"the {kind.upper()} picture is damaged or incomplete ({_reason(error)})"
        ) from error
    return _PillowImage(image)


def _decoded_jpeg(path: Path, image: Image.Image) -> _Samples:
    try:
        samples = 1 if image.mode == "L" else 3
        return _Samples(decode_jpeg_image(path.read_bytes(), image.width, image.height, samples))
    except DamagedTile as error:
        raise UnreadableSource(path, f"the JPEG picture is damaged or incomplete ({error})") from error


def _is_wide(image: ImageFile.ImageFile) -> bool:
    """Whether the file has 16 bits of each sample, of which Pillow keeps the high ones; known until it is decoded."""
    return any("16" in str(tile.args) for tile in image.tile)


def _eight_bit(image: Image.Image) -> Image.Image:
    """A picture of 8 bits in mode L or RGB."""
    if image.mode in ("L", "RGB"):
        return image
    if image.mode == "1":
        return image.convert("L")
    if image.mode in ("CMYK", "YCbCr"):
        return image.convert("RGB")
    white = Image.new("RGBA", image.size, (255, 255, 255, 255))
    return Image.alpha_composite(white, image.convert("RGBA")).convert("RGB")


def _closed(box: Box) -> Pixels:
    raise ValueError(f"the picture is closed, {box} cannot be read")
