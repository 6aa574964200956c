"""A truncated TIFF is found before it is read: every directory and every strip or tile it names must lie within the
file.

Libraries that meet a cut chain of directories drop the rest in silence, and with it levels or planes of the slide.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Mapping
from pathlib import Path
from typing import BinaryIO, NamedTuple

import numpy as np
from numpy.typing import NDArray

from wavescope.errors import UnreadableSource, UnsupportedSource
from wavescope.geometry import MAX_PLANES
from wavescope.source.base import Limits

MAX_DIRECTORIES = MAX_PLANES + 64
"""As many focal planes as a slide can have, and some levels, labels and thumbnails."""
MAX_ENTRIES = 1 << 12
"""Tags of one directory; a handful of dozens are known."""
MAX_TILES = 1 << 22
"""Tiles or strips of one directory: each becomes two numbers of Python, 80 bytes. 500,000 x 500,000 pixels have 4 Mi
tiles of 256 x 256."""
MAX_TILES_OF_ALL = 1 << 24
"""Of all directories."""
MAX_DESCRIPTION_BYTES = 16 << 20
MAX_LEVELS = 64
"""Reduced pictures of one picture (SubIFDs)."""
TILE_SIDES = (322, 323)
BYTES_PER_PIXEL = 4
OFFSETS, COUNTS = (273, 324), (279, 325)
HAMAMATSU = 65420
"""In the first directory, the tag of Hamamatsu's NDPI, which bends the rules of TIFF above 4 GiB: openslide reads such
files."""
DESCRIPTION, SUB_DIRECTORIES = 270, 330
SIZES = {1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 6: 1, 7: 1, 8: 2, 9: 4, 10: 8, 11: 4, 12: 8, 13: 4, 16: 8, 17: 8, 18: 8}
"""Bytes of one value by the type of a tag."""
TYPES = {3: "u2", 4: "u4", 16: "u8", 13: "u4", 18: "u8"}
Tags = Mapping[int, tuple[int, ...]]
"""Tag -> type, count, and value or offset."""
MAGIC = (b"II*\0", b"MM\0*", b"II+\0", b"MM\0+")


class _Form(NamedTuple):
    """Classic TIFF or BigTIFF, in one of two byte orders."""

    order: str
    number: str
    entry: str
    offset: str
    first: int

    def size(self, code: str) -> int:
        return struct.calcsize(self.order + code)


def is_tiff(head: bytes) -> bool:
    """Whether a file beginning like this calls itself a TIFF."""
    return head.startswith(MAGIC)


def check_chain(path: Path, limits: Limits) -> None:
    """Raise UnreadableSource if the file is truncated or not plausible, UnsupportedSource if it has too many pictures.

    That is, if a directory, strip or tile lies beyond the file's end, if the directories form a loop, or if a tile
    or a tag would take more memory than the limit: openslide ends the whole process when it cannot get the memory
    for a tile, and tables are read whole.
    """
    size = path.stat().st_size
    with path.open("rb") as stream:
        head = stream.read(16)
        order = "<" if head.startswith(b"II") else ">"
        big = b"+" in head[2:4]
        form = _Form(order, "Q", "HHQQ", "Q", 8) if big else _Form(order, "H", "HHII", "I", 4)
        if len(head) < form.first + form.size(form.offset):
            raise UnreadableSource.cut_off(path, size, form.first + form.size(form.offset))
        (offset,) = struct.unpack_from(form.order + form.offset, head, form.first)
        seen: set[int] = set()
        tiles = 0
        while offset:
            if offset in seen:
                raise UnreadableSource(path, "damaged: its TIFF directories form a loop")
            if len(seen) >= MAX_DIRECTORIES:
                raise UnsupportedSource(
                    path,
                    f"it has more than {MAX_DIRECTORIES:,} pictures; a slide can have at most {MAX_PLANES:,} planes",
                )
            seen.add(offset)
            tags, following = _directory(path, stream, form, offset, size)
            if HAMAMATSU in tags and len(seen) == 1:
                break
            _check_tags(path, tags, limits)
            tiles += _tiles(tags)
            if tiles > MAX_TILES_OF_ALL:
                raise UnreadableSource(path, f"it claims {tiles:,} tiles or strips; the limit is {MAX_TILES_OF_ALL:,}")
            _check_directory(path, stream, form, tags, size, limits)
            offset = following
    if not seen:
        raise UnreadableSource(path, "a TIFF without pictures")


def _directory(path: Path, stream: BinaryIO, form: _Form, offset: int, size: int) -> tuple[Tags, int]:
    """The tags of one directory, and the offset of the next, 0 at the end."""
    (entries,) = struct.unpack(form.order + form.number, _read(path, stream, offset, form.size(form.number), size))
    if not 0 < entries <= MAX_ENTRIES:
        raise UnreadableSource(path, f"damaged: one of its TIFF directories has {entries:,} entries")
    width = form.size(form.entry)
    start = offset + form.size(form.number)
    table = _read(path, stream, start, entries * width + form.size(form.offset), size)
    tags = {entry[0]: entry[1:] for entry in struct.iter_unpack(form.order + form.entry, table[: entries * width])}
    (following,) = struct.unpack_from(form.order + form.offset, table, entries * width)
    return tags, int(following)


def _check_directory(path: Path, stream: BinaryIO, form: _Form, tags: Tags, size: int, limits: Limits) -> None:
    """Check what the tags of one directory name."""
    sides = [
        int(_values(path, stream, form, tags[tag], size)[0]) for tag in TILE_SIDES if tag in tags and tags[tag][1] == 1
    ]
    _check_tile(path, sides, limits)
    for offsets, counts in zip(OFFSETS, COUNTS, strict=True):
        if offsets in tags and counts in tags:
            starts = _values(path, stream, form, tags[offsets], size)
            lengths = _values(path, stream, form, tags[counts], size)
            _check_data(path, starts, lengths, size)


def _check_tags(path: Path, tags: Tags, limits: Limits) -> None:
    """A tag is read whole, and becomes many times its size as numbers or XML."""
    if (tiles := _tiles(tags)) > MAX_TILES:
        raise UnreadableSource(path, f"it claims {tiles:,} tiles or strips of one picture; the limit is {MAX_TILES:,}")
    for tag, (kind, count, _) in tags.items():
        bound = MAX_DESCRIPTION_BYTES if tag == DESCRIPTION else limits.decoded_bytes
        needed = SIZES.get(kind, 1) * count
        if needed > bound:
            raise UnreadableSource(path, f"it claims {needed:,} bytes of its TIFF tag {tag}; the limit is {bound:,}")
    if SUB_DIRECTORIES in tags and tags[SUB_DIRECTORIES][1] > MAX_LEVELS:
        count = tags[SUB_DIRECTORIES][1]
        raise UnreadableSource(path, f"it claims {count:,} reduced pictures of one picture; the limit is {MAX_LEVELS}")


def _tiles(tags: Tags) -> int:
    """The tiles or strips that a directory names."""
    return max((tags[tag][1] for tag in (*OFFSETS, *COUNTS) if tag in tags), default=0)


def _check_tile(path: Path, sides: list[int], limits: Limits) -> None:
    needed = BYTES_PER_PIXEL * math.prod(sides) if len(sides) == 2 else 0
    if needed > limits.decoded_bytes:
        claim = f"tiles of {sides[0]} x {sides[1]} pixels, {needed:,} bytes decoded"
        raise UnreadableSource(path, f"it claims {claim}; the limit is {limits.decoded_bytes:,} bytes")


def _values(path: Path, stream: BinaryIO, form: _Form, entry: tuple[int, ...], size: int) -> NDArray[np.int64]:
    kind, count, value = entry
    if kind not in TYPES:
        raise UnreadableSource(path, f"damaged: offsets of tiles are of type {kind}")
    dtype = np.dtype(form.order + TYPES[kind])
    length = dtype.itemsize * count
    inline = struct.pack(form.order + form.offset, value)
    data = inline[:length] if length <= len(inline) else _read(path, stream, value, length, size)
    return np.frombuffer(data, dtype).astype(np.int64)


def _check_data(path: Path, starts: NDArray[np.int64], lengths: NDArray[np.int64], size: int) -> None:
    if len(starts) != len(lengths):
        raise UnreadableSource(path, f"damaged: {len(starts)} offsets of tiles, {len(lengths)} lengths")
    if ((starts < 0) | (lengths < 0)).any():
        raise UnreadableSource(path, "damaged: tiles or strips with negative offsets or lengths")
    if (starts > size - lengths).any():
        raise UnreadableSource.cut_off(
            path, size, max(a + b for a, b in zip(starts.tolist(), lengths.tolist(), strict=True))
        )


def _read(path: Path, stream: BinaryIO, offset: int, length: int, size: int) -> bytes:
    if offset + length > size:
        raise UnreadableSource.cut_off(path, size, offset + length)
    stream.seek(offset)
    return stream.read(length)
