"""PNG, JPEG and BMP pictures. The only file that knows Pillow.

Such a picture can only be decoded whole, so its decoded size is checked against the limit before a byte is decoded.
Alpha is composited over white; a palette is resolved; CMYK becomes RGB by Pillow's rule; 16-bit grey is windowed (see
window.py). A truncated file is an error: Pillow's LOAD_TRUNCATED_IMAGES stays off, and JPEG is decoded strictly (see
codestreams.py). Resolution tags of such files speak of print and are not taken for micrometres; EXIF orientation is not
applied.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO, Literal

import numpy as np
from PIL import BmpImagePlugin, Image, JpegImagePlugin, PngImagePlugin

from wavescope.errors import UnreadableSource, UnsupportedSource
from wavescope.source.base import Limits, Pixels, SourceInfo, check_region
from wavescope.source.codestreams import DamagedTile, decode_jpeg_picture
from wavescope.source.window import Window, window_of

# The plug-ins' own classes: Image.open would apply Pillow's process-wide pixel limit, which is not ours.
READERS: dict[str, Callable[[BinaryIO], Image.Image]] = {
    "png": PngImagePlugin.PngImageFile,
    "jpeg": JpegImagePlugin.JpegImageFile,
    "bmp": BmpImagePlugin.BmpImageFile,
}
SIXTEEN_BIT = frozenset({"I;16", "I;16B", "I;16L", "I"})
BYTES_PER_PIXEL = {"1": 1, "L": 1, "P": 4, "LA": 4, "RGB": 4, "RGBA": 4, "CMYK": 4, "I": 4, "YCbCr": 4}


class PillowSource:
    """One picture, decoded when it is opened and kept in memory."""

    def __init__(self, path: Path, kind: str, limits: Limits) -> None:
        with path.open("rb") as stream:
            image = _open(path, kind, stream, limits)
            self._pixels, window = _pixels_of(path, kind, image)
        profile = image.info.get("icc_profile")
        channels: Literal[1, 3] = 1 if self._pixels.ndim == 2 else 3
        self._info = SourceInfo(
            width=image.width,
            height=image.height,
            channels=channels,
            format=kind,
            source_bytes=path.stat().st_size,
            properties={"wavescope.window": window.describe()} if window else {},
            icc_profile=bytes(profile) if profile else None,
        )

    @property
    def info(self) -> SourceInfo:
        return self._info

    def read_region(self, z: int, l0_x: int, l0_y: int, width: int, height: int) -> Pixels:
        check_region(self._info, z, l0_x, l0_y, width, height)
        part = self._pixels[l0_y : l0_y + height, l0_x : l0_x + width]
        return part.reshape(height, width, self._info.channels).copy()

    def close(self) -> None:
        self._pixels = np.empty((0, 0), dtype=np.uint8)


def _open(path: Path, kind: str, stream: BinaryIO, limits: Limits) -> Image.Image:
    """The picture's header, found plausible; nothing is decoded yet."""
    try:
        image = READERS[kind](stream)
    except Exception as error:  # Pillow's parsers meet hostile files with exceptions of every kind
        raise UnreadableSource(path, f"not a valid {kind.upper()} picture: {error}") from error
    needed = image.width * image.height * BYTES_PER_PIXEL.get(image.mode, 2)
    if needed > limits.decoded_bytes:
        raise UnreadableSource(
            path,
            f"it claims {image.width} x {image.height} pixels, {needed:,} bytes decoded, and can only be read whole; "
            f"the limit is {limits.decoded_bytes:,} bytes (save it as a tiled TIFF)",
        )
    return image


def _pixels_of(path: Path, kind: str, image: Image.Image) -> tuple[Pixels, Window | None]:
    """The picture as (height, width) grey or (height, width, 3) RGB of 8 bits, and the window if it had 16."""
    try:
        if kind == "jpeg" and image.mode in ("L", "RGB"):
            samples = 1 if image.mode == "L" else 3
            pixels = decode_jpeg_picture(path.read_bytes(), image.width, image.height, samples)
            return (pixels[..., 0] if samples == 1 else pixels), None
        image.load()
    except DamagedTile as error:
        raise UnreadableSource(path, f"damaged or truncated JPEG picture: {error}") from error
    except Exception as error:  # as above
        raise UnreadableSource(path, f"damaged or truncated {kind.upper()} picture: {error}") from error
    if image.mode in SIXTEEN_BIT:
        values = np.asarray(image).astype(np.uint16)
        window = window_of([values])
        return window.apply(values), window
    return np.asarray(_eight_bit(path, image)), None


def _eight_bit(path: Path, image: Image.Image) -> Image.Image:
    """A picture of 8 bits in mode L or RGB."""
    if image.mode in ("L", "RGB"):
        return image
    if image.mode == "1":
        return image.convert("L")
    if image.mode in ("LA", "RGBA", "P", "PA"):
        white = Image.new("RGBA", image.size, (255, 255, 255, 255))
        return Image.alpha_composite(white, image.convert("RGBA")).convert("RGB")
    if image.mode in ("CMYK", "YCbCr"):
        return image.convert("RGB")
    raise UnsupportedSource(path, f"pictures of Pillow's mode {image.mode} are not read; grey and RGB of 8 bits are")
