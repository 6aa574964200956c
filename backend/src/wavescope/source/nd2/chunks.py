"""A truncated or implausible ND2 is found before it is read: every chunk that its map names must lie within the file.

A chunk is a mark, the lengths of its name and content (4, 4 and 8 bytes), then these. The last 40 bytes of the file say
where the map of all chunks is: names up to "!", each with its position and length.
"""

from __future__ import annotations

import re
import struct
from pathlib import Path
from typing import BinaryIO

from wavescope.errors import UnreadableSource
from wavescope.source.base import Limits

MARK = b"\xda\xce\xbe\x0a"
"""Every chunk begins with it, and so every file since 2007; older ones are JPEG 2000."""
HEAD = struct.Struct("<4sIQ")
TAIL = struct.Struct("<32sQ")
END = b"ND2 CHUNK MAP SIGNATURE 0000001!"
ENTRY = re.compile(rb"([^!]{1,255}!)(.{16})", re.DOTALL)
PIXELS = b"ImageDataSeq|"
PICTURE = re.compile(rb"ImageDataSeq\|(0|[1-9]\d{0,8})!")
MAX_CHUNKS = 1 << 20


def is_nd2(head: bytes) -> bool:
    """Whether a file beginning like this calls itself an ND2."""
    return head.startswith(MARK)


def check_chunks(path: Path, limits: Limits) -> dict[int, tuple[int, int]]:
    """Where each picture is, and its length, by its number. Raises UnreadableSource.

    A chunk that is no picture is read whole: it may not be larger than the limit.
    """
    size = path.stat().st_size
    with path.open("rb") as stream:
        signature, position = TAIL.unpack(_read(path, stream, max(0, size - TAIL.size), TAIL.size, size))
        if signature != END:
            raise UnreadableSource(path, "the file is cut off or damaged: it has no map of its parts")
        name, length = _chunk(path, stream, position, size, limits)
        table = _read(path, stream, position + HEAD.size + name, length, size)
        at = count = 0
        pictures: dict[int, tuple[int, int]] = {}
        while not table.startswith(END, at):
            entry = ENTRY.match(table, at)
            count += 1
            if entry is None or count > MAX_CHUNKS:
                raise UnreadableSource(path, "damaged: the map of its parts has no end")
            (begin,) = struct.unpack_from("<Q", entry[2])
            number = PICTURE.fullmatch(entry[1])
            label, content = _chunk(path, stream, begin, size, None if entry[1].startswith(PIXELS) else limits)
            if number and int(number[1]) in pictures:
                raise UnreadableSource(path, f"damaged: it has two pictures {int(number[1])}")
            if number:
                pictures[int(number[1])] = (begin + HEAD.size + label, content)
            at = entry.end()
        return pictures


def _chunk(path: Path, stream: BinaryIO, position: int, size: int, limits: Limits | None) -> tuple[int, int]:
    """The lengths of the name and the content of a chunk."""
    mark, name, length = HEAD.unpack(_read(path, stream, position, HEAD.size, size))
    if mark != MARK:
        raise UnreadableSource(path, f"damaged: there is no part of it at {position:,}")
    if position + HEAD.size + name + length > size:
        raise UnreadableSource.cut_off(path, size, position + HEAD.size + name + length)
    if limits is not None and length > limits.decoded_bytes:
        raise UnreadableSource(path, f"it claims {length:,} bytes of metadata; the limit is {limits.decoded_bytes:,}")
    return int(name), int(length)


def _read(path: Path, stream: BinaryIO, offset: int, length: int, size: int) -> bytes:
    if offset + length > size:
        raise UnreadableSource.cut_off(path, size, offset + length)
    stream.seek(offset)
    return stream.read(length)
