"""How many bytes a compressed chunk decodes to, found in little memory before it is decoded: small files may decode to
any size.

Blosc, LZ4 and Zstandard say it; where they do not, and of other codecs, the output is counted and dropped.
"""

from __future__ import annotations

import bz2
import gzip
import io
import struct
import zlib
from collections.abc import Callable
from typing import IO

PIECE = 1 << 16
ZSTD = b"\x28\xb5\x2f\xfd"
ZSTD_BLOCK = 1 << 17
"""The most that a block of Zstandard decodes to."""
SKIPPABLE = range(0x184D2A50, 0x184D2A60)


def zlib_size(data: bytes, most: int) -> int:
    """Of one zlib stream; anything above ``most`` if it is more. Damaged ones count up to the damage."""
    stream, size = zlib.decompressobj(), 0
    try:
        while data and size <= most and not stream.eof:
            size += len(stream.decompress(data, PIECE))
            data = stream.unconsumed_tail
        return size + len(stream.flush() if not stream.eof and size <= most else b"")
    except zlib.error:
        return size


def _counted(stream: IO[bytes], most: int) -> int:
    size = 0
    try:
        while size <= most and (piece := stream.read(PIECE)):
            size += len(piece)
    except (EOFError, OSError, ValueError, zlib.error):  # the decoder reports the damage
        pass
    return size


def _gzip_size(data: bytes, most: int) -> int:
    return _counted(gzip.GzipFile(fileobj=io.BytesIO(data)), most)  # type: ignore[arg-type]


def _bz2_size(data: bytes, most: int) -> int:
    return _counted(bz2.BZ2File(io.BytesIO(data)), most)


def _blosc_size(data: bytes, most: int) -> int:
    return int(struct.unpack_from("<I", data, 4)[0]) if len(data) >= 8 else 0


def _lz4_size(data: bytes, most: int) -> int:
    return int(struct.unpack_from("<I", data)[0]) if len(data) >= 4 else 0


def _zstd_size(data: bytes, most: int) -> int:
    """At least the size of all frames together: what each says, else the most that its blocks may have (RFC 8878)."""
    at = size = 0
    try:
        while at + 8 <= len(data) and size <= most:
            (magic, length) = struct.unpack_from("<II", data, at)
            if magic in SKIPPABLE:
                at += 8 + length
                continue
            if data[at : at + 4] != ZSTD:
                break
            said, blocks, at = _zstd_frame(data, at + 4)
            size += blocks if said is None else said
    except (IndexError, struct.error):  # it is cut off, as the decoder reports
        pass
    return size


def _zstd_frame(data: bytes, at: int) -> tuple[int | None, int, int]:
    """The size that a frame says, the most that its blocks have, and where it ends."""
    head = data[at]
    single, dictionary = head >> 5 & 1, (0, 1, 2, 4)[head & 3]
    at += 1 + (1 - single) + dictionary
    width = (single, 2, 4, 8)[head >> 6]
    said = int.from_bytes(data[at : at + width], "little") + (256 if width == 2 else 0) if width else None
    at += width
    blocks = last = 0
    while not last:
        block = data[at] | data[at + 1] << 8 | data[at + 2] << 16
        last, kind, length = block & 1, block >> 1 & 3, block >> 3
        blocks += ZSTD_BLOCK if kind == 2 else length
        at += 3 + (1 if kind == 1 else length)
    return said, blocks, at + (4 if head >> 2 & 1 else 0)


SIZES: dict[str, Callable[[bytes, int], int]] = {
    "blosc": _blosc_size,
    "bz2": _bz2_size,
    "gzip": _gzip_size,
    "lz4": _lz4_size,
    "zlib": zlib_size,
    "zstd": _zstd_size,
}
"""By the name of a codec of Zarr: (bytes, most) to the decoded size, or anything above ``most``."""
