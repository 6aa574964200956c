"""A truncated or implausible CZI is found before it is read: every tile that its directory names must lie within the
file and be decodable within the limit.

A CZI is a list of segments: an identifier of 16 bytes, the allocated and the used length, then the content. The file
header names the segment of the directory, this names each tile.
"""

from __future__ import annotations

import math
import struct
from pathlib import Path
from typing import BinaryIO, NamedTuple

from wavescope.errors import UnreadableSource
from wavescope.source.base import Limits

SEGMENT = 32
FILE, DIRECTORY, TILE = b"ZISRAWFILE", b"ZISRAWDIRECTORY", b"ZISRAWSUBBLOCK"
POSITIONS = SEGMENT + 52
"""Of the directory and of the metadata, in the file header."""
ENTRIES = SEGMENT + 128
ENTRY = struct.Struct("<2siqii6si")
"""Schema, kind of pixels, position, part, compression, spare bytes, number of dimensions."""
DIMENSION = struct.Struct("<4siifi")
"""Name, start, size, coordinate, stored size."""
SIZES = struct.Struct("<iiq")
"""Of metadata, attachment and pixels of a tile; its own entry follows."""
TILE_HEAD = 256
MAX_TILES = 1 << 22
MAX_DIMENSIONS = 40
MAX_PLACES = 1 << 13
"""Along an axis of channels, focal planes, time points ...: tables are made of them."""
MAX_PARTS = 1 << 24
"""Scenes, and tiles of a picture."""
BYTES_PER_PIXEL = 6
"""The most that is read: three samples of 16 bits."""


class _Entry(NamedTuple):
    position: int
    length: int
    """Of the entry itself."""
    pixels: int


def is_czi(head: bytes) -> bool:
    """Whether a file beginning like this calls itself a CZI."""
    return head.startswith(FILE)


def check_segments(path: Path, limits: Limits) -> None:
    """Raises UnreadableSource."""
    size = path.stat().st_size
    with path.open("rb") as stream:
        if not _read(path, stream, 0, SEGMENT, size).startswith(FILE):
            raise UnreadableSource(path, "damaged: it has no header of a CZI file")
        (directory,) = struct.unpack("<q", _read(path, stream, POSITIONS, 8, size))
        head = _read(path, stream, directory, ENTRIES, size)
        if not head.startswith(DIRECTORY):
            raise UnreadableSource(path, "the file is cut off or damaged: it has no directory of its tiles")
        (length,) = struct.unpack_from("<q", head, 24)
        (count,) = struct.unpack_from("<i", head, SEGMENT)
        if not 0 < count <= MAX_TILES:
            raise UnreadableSource(path, f"it claims {count:,} tiles; the limit is {MAX_TILES:,}")
        if length > limits.decoded_bytes:
            raise UnreadableSource(path, f"it claims {length:,} bytes of its directory")
        table = _read(path, stream, directory + ENTRIES, max(0, length - (ENTRIES - SEGMENT)), size)
        at = 0
        for _ in range(count):
            entry = _entry(path, table, at)
            at += entry.length
            _check_tile(path, stream, entry.position, size, limits)


def _check_tile(path: Path, stream: BinaryIO, position: int, size: int, limits: Limits) -> None:
    head = _read(path, stream, position, SEGMENT + TILE_HEAD, size)
    if not head.startswith(TILE):
        raise UnreadableSource(path, f"damaged: there is no tile at {position:,}")
    metadata, attachment, pixels = SIZES.unpack_from(head, SEGMENT)
    longest = SEGMENT + SIZES.size + ENTRY.size + MAX_DIMENSIONS * DIMENSION.size
    entry = _entry(path, _read(path, stream, position, min(longest, size - position), size), SEGMENT + SIZES.size)
    if min(metadata, attachment, pixels) < 0:
        raise UnreadableSource(path, f"damaged: the tile at {position:,} has a negative length")
    end = position + SEGMENT + max(TILE_HEAD, SIZES.size + entry.length) + metadata + attachment + pixels
    if end > size:
        raise UnreadableSource.cut_off(path, size, end)
    if (needed := BYTES_PER_PIXEL * entry.pixels) > limits.decoded_bytes:
        raise UnreadableSource(
            path, f"it claims tiles of {needed:,} bytes decoded; the limit is {limits.decoded_bytes:,} bytes"
        )


def _entry(path: Path, data: bytes, at: int) -> _Entry:
    """The entry in ``data`` at ``at``."""
    try:
        schema, _, position, _, _, _, count = ENTRY.unpack_from(data, at)
        if schema != b"DV" or not 0 <= count <= MAX_DIMENSIONS:
            raise UnreadableSource(path, f"damaged: one of its tiles has {count} dimensions")
        sides = [DIMENSION.unpack_from(data, at + ENTRY.size + i * DIMENSION.size) for i in range(count)]
    except struct.error as error:
        raise UnreadableSource(path, f"damaged: its directory is cut off: {error}") from error
    if any(min(size, stored) < 0 for _, _, size, _, stored in sides):
        raise UnreadableSource(path, "damaged: one of its tiles has a negative size")
    for name, start, side, _, _ in sides:
        axis = name[:1].decode("latin-1")
        most = MAX_PARTS if axis in "MS" else MAX_PLACES
        if axis not in "XY" and not 0 <= start <= start + side <= most:
            raise UnreadableSource(
                path, f"it claims {start + side:,} places along its axis {axis}; the limit is {most:,}"
            )
    pixels = math.prod(max(size, stored) if name[:1] in b"XY" else 1 for name, _, size, _, stored in sides)
    return _Entry(position, ENTRY.size + count * DIMENSION.size, pixels)


def _read(path: Path, stream: BinaryIO, offset: int, length: int, size: int) -> bytes:
    if offset < 0:
        raise UnreadableSource(path, "damaged: a part of it has a negative position")
    if offset + length > size:
        raise UnreadableSource.cut_off(path, size, offset + length)
    stream.seek(offset)
    return stream.read(length)
