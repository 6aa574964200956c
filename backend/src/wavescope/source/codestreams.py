"""JPEG and JPEG 2000 tiles: sizes are checked before decoding, and a damaged JPEG is an error. Only this file decodes
with simplejpeg.

libjpeg fills what it cannot decode with grey and only warns; simplejpeg in strict mode turns its warnings into
errors.
"""

from __future__ import annotations

import importlib
import math
import struct
from collections.abc import Iterable

import numpy as np
import simplejpeg  # type: ignore[import-untyped]
from numpy.typing import NDArray

from wavescope.errors import MissingPackage

ADOBE = b"\xff\xee\x00\x0eAdobe\x00\x64\x00\x00\x00\x00"
"""An APP14 marker up to its last byte, the colour transform: 0 none, 1 YCbCr."""


SCAN, END = b"\xff\xda", b"\xff\xd9"
"""The markers before each scan and at the end of a JPEG; among its samples they cannot stand."""
FRAME_HEADERS = frozenset({0xC0, 0xC1, 0xC2, 0xC3, 0xF7})
"""The markers before the size of a picture: of a JPEG, and of a JPEG-LS."""
MAX_SCANS = 64
"""Of one JPEG: each goes over the whole picture. Encoders write about ten."""


class DamagedTile(Exception):
    """The bytes of a tile are not what its index promises; the text says why."""


def require_imagecodecs(what: str) -> None:
    """Returns if tifffile has the codecs that it does not have itself. Raises MissingPackage."""
    try:
        importlib.import_module("imagecodecs")
    except ImportError as error:
        raise MissingPackage("imagecodecs", what, "tiff") from error


def decode_jpeg(
    data: bytes, tables: bytes | None, ycbcr: bool, width: int, height: int, samples: int
) -> NDArray[np.uint8]:
    """A JPEG tile of exactly ``width`` x ``height`` pixels, or DamagedTile. ``tables`` is TIFF's JPEGTables, if any."""
    shared = tables[2:-2] if tables else b""
    marker = ADOBE + (b"\x01" if ycbcr else b"\x00") if samples == 3 else b""
    return decode_jpeg_image(data[:2] + marker + shared + data[2:], width, height, samples)


def decode_jpeg_image(stream: bytes, width: int, height: int, samples: int) -> NDArray[np.uint8]:
    """A whole JPEG of exactly this size, (height, width, samples) with 1 or 3 samples, or DamagedTile."""
    if (scans := scans_of(stream)) > MAX_SCANS:
        raise DamagedTile(f"it has {scans:,} scans; the limit is {MAX_SCANS}")
    try:
        found_height, found_width, *_ = simplejpeg.decode_jpeg_header(stream)
        if (found_width, found_height) != (width, height):
            raise DamagedTile(f"a JPEG of {found_width} x {found_height} pixels stands for {width} x {height}")
        pixels: NDArray[np.uint8] = simplejpeg.decode_jpeg(stream, "RGB" if samples == 3 else "GRAY")
    except ValueError as error:
        if "nsufficient memory" in str(error):
            raise MemoryError(str(error)) from error
        raise DamagedTile(str(error)) from error
    return pixels


def scans_of(stream: bytes) -> int:
    """The scans of a JPEG, without those of pictures inside its metadata or behind it; 0 if it is none."""
    at = 2
    while at + 4 <= len(stream) and stream[at] == 0xFF and stream[at : at + 2] != SCAN:
        at += 2 + int.from_bytes(stream[at + 2 : at + 4], "big")
    end = stream.find(END, at)
    return stream.count(SCAN, at, end if end >= 0 else len(stream))


def coefficient_bytes(
    width: int, height: int, layers: Iterable[tuple[int, int, int, int]], *, several_scans: bool
) -> int:
    """What libjpeg needs beside the pixels of a picture: all coefficients of one in several scans, 2 bytes each.

    ``layers`` are the components as Pillow lists them: (id, horizontal sampling, vertical sampling, table).
    """
    if not several_scans:
        return 0
    sampling = [(across, down) for _, across, down, _ in layers]
    most = max(across for across, _ in sampling) * max(down for _, down in sampling)
    return math.ceil(2 * width * height * sum(across * down for across, down in sampling) / max(1, most))


def check_jpeg2000(data: bytes, width: int, height: int) -> None:
    """DamagedTile unless the codestream's SIZ marker names an image of at most the tile's size."""
    start = data.find(b"\xff\x4f\xff\x51")
    if start < 0 or len(data) < start + 24:
        raise DamagedTile("no JPEG 2000 codestream")
    right, bottom, left, top = struct.unpack_from(">4I", data, start + 8)
    if right - left > width or bottom - top > height:
        raise DamagedTile(f"a JPEG 2000 image of {right - left} x {bottom - top} pixels stands for {width} x {height}")


def check_jpeg_size(data: bytes, width: int, height: int) -> None:
    """DamagedTile unless the frame header of a JPEG or JPEG-LS names an image of at most the tile's size."""
    at = 2
    while at + 9 <= len(data) and data[at] == 0xFF:
        marker, length = data[at + 1], int.from_bytes(data[at + 2 : at + 4], "big")
        if marker in FRAME_HEADERS:
            lines, columns = struct.unpack_from(">HH", data, at + 5)
            if columns > width or lines > height:
                raise DamagedTile(f"a JPEG image of {columns} x {lines} pixels stands for {width} x {height}")
            return
        at += 2 + length
    raise DamagedTile("no JPEG codestream")
