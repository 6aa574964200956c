"""Columns of numbers as planes of bytes (OV12), and the gzip members that contain them."""

from __future__ import annotations

import zlib
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from wavescope.errors import CorruptOverlay

Longs = NDArray[np.int64]

GZIP = 31
"""zlib's number for a gzip member with the largest window."""
MAX_PLAIN = 64 << 20
"""Bytes of a tile after decompression, at most (OV21)."""
SHORT = 16
"""Bytes that are fewer than the description of a code."""


def column(values: NDArray[np.integer], signed: bool = False) -> list[bytes]:
    """A column of numbers of 0 to 2^32 - 1, or signed ones of less than 2^31: its width, then each plane."""
    numbers = values.astype(np.int64)
    if signed:
        numbers = (numbers << 1) ^ (numbers >> 63)
    width = (int(numbers.max()).bit_length() + 7) // 8 if numbers.size else 0
    planes = numbers.astype("<u4").view(np.uint8).reshape(-1, 4)
    return [bytes([width]), *(planes[:, plane].tobytes() for plane in range(width))]


def alike(*values: NDArray[np.integer]) -> list[bytes]:
    """Signed columns of numbers of the same kind: those of a byte each share a code."""
    columns = [column(one, signed=True) for one in values]
    parts = [part for one in columns for part in one]
    return [b"".join(parts)] if all(len(one) == 2 for one in columns) else parts


class Columns:
    """Reads columns one after the other. Raises CorruptOverlay for what ends early."""

    def __init__(self, plain: bytes) -> None:
        self._plain, self._at = plain, 0

    def number(self) -> int:
        """Four bytes."""
        return int.from_bytes(self._take(4), "little")

    def column(self, count: int) -> Longs:
        """``count`` numbers of 0 to 2^32 - 1."""
        width = self._take(1)[0]
        if width > 4:
            raise CorruptOverlay(f"a column of {width} bytes a number")
        planes = np.frombuffer(self._take(width * count), np.uint8).reshape(width, count)
        numbers = np.zeros(count, np.int64)
        for plane in reversed(planes):
            numbers = (numbers << 8) | plane
        return numbers

    def signed(self, count: int) -> Longs:
        numbers = self.column(count)
        return np.where(numbers & 1, -(numbers + 1) // 2, numbers // 2)

    def end(self) -> None:
        """Raises CorruptOverlay if something is left."""
        if self._at != len(self._plain):
            raise CorruptOverlay(f"{len(self._plain) - self._at} bytes after the end of a tile")

    @property
    def left(self) -> int:
        return len(self._plain) - self._at

    def _take(self, size: int) -> bytes:
        if size > self.left:
            raise CorruptOverlay("a tile ends early")
        taken = self._plain[self._at : self._at + size]
        self._at += size
        return taken


def compressed(parts: Sequence[bytes], repeats: bool) -> bytes:
    """The gzip member of a tile. ``repeats``: whether something is expected to repeat, as counts do. Steps do not, so
    Huffman's code alone is smaller than with matches, and quicker; each part has a code of its own.
    """
    if repeats:
        matching = zlib.compressobj(6, zlib.DEFLATED, GZIP, 9)
        return b"".join([*(matching.compress(one) for one in parts), matching.flush()])
    alone = zlib.compressobj(9, zlib.DEFLATED, GZIP, 9, zlib.Z_HUFFMAN_ONLY)
    found = []
    for one in _with_codes(parts):
        found += [alone.compress(one), alone.flush(zlib.Z_BLOCK)]
    return b"".join([*found, alone.flush()])


def _with_codes(parts: Sequence[bytes]) -> list[bytes]:
    """The same bytes in parts with codes of their own: a short one has that of the part before."""
    joined: list[bytes] = []
    for part in parts:
        if joined and min(len(part), len(joined[-1])) < SHORT:
            joined[-1] += part
        else:
            joined.append(part)
    return joined


def decompressed(member: bytes) -> bytes:
    """What a gzip member contains. Raises CorruptOverlay."""
    inflate = zlib.decompressobj(GZIP)
    try:
        plain = inflate.decompress(member, MAX_PLAIN)
    except zlib.error as error:
        raise CorruptOverlay("a tile's checksum or compression is wrong") from error
    if not inflate.eof or inflate.unused_data:
        raise CorruptOverlay("a tile ends early or late, or is too large")
    return plain
