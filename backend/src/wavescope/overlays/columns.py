"""Columns of numbers as planes of bytes or codes of bits (OV12, OV79), and the gzip members that contain them."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from typing import NamedTuple

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


RICE, BELOW, BITS = 32, 64, 96
"""A column that begins with one of them plus k has codes in place of planes (OV79)."""
MAX_BITS = 24
"""k is at most this."""
UNARY = 32
"""Bits of the unary part for each number, at most."""


class Codes(bytes):
    """A column of codes. Huffman's code has nothing to gain from them, so that neighbours share one."""


def planes(values: NDArray[np.integer], signed: bool = False) -> list[bytes]:
    """A column of numbers of 0 to 2^32 - 1, or signed ones of less than 2^31: its width, then each plane."""
    numbers = _unsigned(values, signed)
    return _planes(numbers, int(numbers.max(initial=0)))


def column(*values: NDArray[np.integer], signed: bool = False) -> list[bytes]:
    """Columns of the same kind, of numbers as those of planes: what is smaller, planes, of which those of a byte share
    a code, or codes of bits.
    """
    numbers = [(one, int(one.max(initial=0))) for one in (_unsigned(one, signed) for one in values)]
    as_planes = [part for one, most in numbers for part in _planes(one, most)]
    if len(as_planes) == 2 * len(numbers):
        as_planes = [b"".join(as_planes)]
    found = [one for one in (_codes(one, most) for one, most in numbers) if one is not None]
    if len(found) == len(numbers) and sum(one.size for one in found) < sum(map(_huffman_bytes, as_planes)):
        return [one.written() for one in found]
    return as_planes


def _planes(numbers: Longs, most: int) -> list[bytes]:
    width = (most.bit_length() + 7) // 8
    if width <= 1:
        return [bytes([width]), *([numbers.astype(np.uint8).tobytes()] if width else [])]
    found = numbers.astype("<u4").view(np.uint8).reshape(-1, 4)
    return [bytes([width]), *(found[:, plane].tobytes() for plane in range(width))]


class _Coding(NamedTuple):
    """``numbers`` in codes of a kind; ``size``: in bytes."""

    numbers: Longs
    kind: int
    k: int
    size: float
    base: int = 0

    def written(self) -> Codes:
        kind = "u1" if self.k <= 8 else "<u4"
        rows = self.numbers.astype(kind).view(np.uint8).reshape(len(self.numbers), -1)
        low = np.unpackbits(rows, axis=1, count=self.k, bitorder="little")
        parts = [bytes([self.kind + self.k]), _packed(low.ravel())]
        if self.kind == BELOW:
            parts.insert(1, bytes([self.base]))
        if self.kind != BITS:
            ends = np.cumsum((self.numbers >> self.k) + 1) - 1
            unary = np.zeros(int(ends[-1]) + 1, np.uint8)
            unary[ends] = 1
            parts.append(_packed(unary))
        return Codes(b"".join(parts))


def _codes(numbers: Longs, most: int) -> _Coding | None:
    """The smallest codes of numbers of 0 to ``most``; None: there are none, or planes are nothing."""
    if most == 0:
        return None
    count, total = len(numbers), int(numbers.sum())
    base = most if most <= 255 and 2 * total > most * count else 0
    kind, coded, total = (BELOW, base - numbers, base * count - total) if base else (RICE, numbers, total)
    best = max(1, int(0.7 * total / count)).bit_length() - 1  # of numbers with an exponential distribution
    high = coded >> best if best else coded
    sums = ((best, int(high.sum()) if best else total), (best + 1, int((high >> 1).sum())))
    tried = [_Coding(coded, kind, k, 2 + (count * (k + 1) + unary) / 8, base) for k, unary in sums]
    tried.append(_Coding(numbers, BITS, most.bit_length(), 1 + count * most.bit_length() / 8))
    fitting = [one for one in tried if one.k <= MAX_BITS and 8 * one.size < UNARY * count]
    return min(fitting, key=lambda one: one.size) if fitting else None


def _huffman_bytes(part: bytes) -> float:
    """Of a part with a code of its own, about."""
    if len(part) < SHORT:
        return len(part)
    counts = np.bincount(np.frombuffer(part, np.uint8))
    counts = counts[counts > 0]
    bits = float((counts * np.log2(len(part) / counts)).sum()) + 60 + 4 * len(counts)
    return min(bits / 8, len(part))


def _unsigned(values: NDArray[np.integer], signed: bool) -> Longs:
    numbers = values.astype(np.int64)
    return (numbers << 1) ^ (numbers >> 63) if signed else numbers


def _packed(bits: NDArray[np.uint8]) -> bytes:
    return np.packbits(bits, bitorder="little").tobytes()


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
            return self._coded(width & ~31, width & 31, count)
        planes = np.frombuffer(self._take(width * count), np.uint8).reshape(width, count)
        numbers = np.zeros(count, np.int64)
        for plane in reversed(planes):
            numbers = (numbers << 8) | plane
        return numbers

    def _coded(self, kind: int, k: int, count: int) -> Longs:
        """A column of codes (OV79)."""
        if kind not in (RICE, BELOW, BITS) or k > MAX_BITS:
            raise CorruptOverlay(f"a column of the kind {kind + k}")
        base = self._take(1)[0] if kind == BELOW else 0
        low = np.frombuffer(self._take((count * k + 7) // 8), np.uint8)
        bits = np.unpackbits(low, count=count * k, bitorder="little").reshape(count, k)
        numbers: Longs = bits @ (1 << np.arange(k, dtype=np.int64))
        if kind != BITS:
            numbers += self._unary(count) << k
        if (numbers >= (base + 1 if kind == BELOW else 1 << 32)).any():
            raise CorruptOverlay("a number of a column that is out of its range")
        return base - numbers if kind == BELOW else numbers

    def _unary(self, count: int) -> Longs:
        """How many zeros are before each of ``count`` ones."""
        if count == 0:
            return np.zeros(0, np.int64)
        rest = np.frombuffer(self._plain, np.uint8)[self._at : self._at + UNARY * count // 8 + 1]
        size = count
        while True:
            ones = np.flatnonzero(np.unpackbits(rest[:size], bitorder="little"))
            if len(ones) >= count:
                break
            if size >= len(rest):
                raise CorruptOverlay("a tile ends early")
            size *= 2
        self._take(int(ones[count - 1]) // 8 + 1)
        return np.diff(ones[:count], prepend=-1) - 1

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
    strategy = zlib.Z_DEFAULT_STRATEGY if repeats else zlib.Z_HUFFMAN_ONLY
    deflate = zlib.compressobj(9, zlib.DEFLATED, GZIP, 9, strategy)
    found = []
    for one in _with_codes(parts):
        found += [deflate.compress(one), deflate.flush(zlib.Z_BLOCK)]
    return b"".join([*found, deflate.flush()])


def _with_codes(parts: Sequence[bytes]) -> list[bytes]:
    """The same bytes in parts with codes of their own: a short one has that of the part before, and so have codes
    after codes.
    """
    joined: list[bytes] = []
    are_codes = False
    for part in parts:
        if joined and (min(len(part), len(joined[-1])) < SHORT or (are_codes and isinstance(part, Codes))):
            joined[-1] += part
        else:
            joined.append(part)
            are_codes = isinstance(part, Codes)
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
