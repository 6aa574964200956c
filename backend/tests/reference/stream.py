"""Parameter sets and layers as bytes: shared/spec/codestream.md, sections 2 and 3."""

from __future__ import annotations

import struct
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

DETAILS, APPROXIMATION = 0, 1
LONGEST, MAX_LAYERS = 2 << 20, 4  # section 10
ROOT = 16  # side of an LL root (CS19)
COARSE_LEVEL = 2  # CS48
FIXED = 32  # bytes of a parameter set before its colour parameters


@dataclass(frozen=True)
class Size:
    """Side of a tile, and how often an approximation is analysed inside its codestream (CS1, CS19)."""

    tile: int
    depth: int

    @property
    def half(self) -> int:
        """Side of a band of depth 0."""
        return self.tile // 2


FULL = Size(256, 4)  # of the format; tests decode smaller tiles, which is faster


class Malformed(ValueError):
    """Not a parameter set, or not the layers of a block; the text is the name of the error (CS7, CS11)."""


class Position(NamedTuple):
    """Which tile of a level: plane z, column x and row y (CS5)."""

    z: int
    x: int
    y: int

    @property
    def quadrant(self) -> tuple[int, int]:
        """Of its parent."""
        return self.x % 2, self.y % 2


TOP = Position(0, 0, 0)  # of an approximation


@dataclass
class Header:
    """A parameter set; ``shift`` [layer][depth][channel][band], ``step`` [depth][channel][band]."""

    data: bytes
    kind: int
    layers: int
    groups: int
    group: int
    profile: int
    channels: int
    fraction_bits: int
    colour: int
    inverse: NDArray[np.int64] = field(default_factory=lambda: np.zeros((3, 3), np.int64))
    lifting: tuple[int, ...] = (0, 0, 0)
    shift: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, np.int64))
    step: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, np.int64))
    size: Size = FULL
    bits: int = 8
    signed: bool = False
    noise: tuple[int, ...] = ()  # black, slope, bend, base of CS52
    flat: int = 0  # CS47, CS50; read from the payload of layer 0
    corrections: NDArray[np.int64] | None = None  # CS51; read from the payload of the last layer

    @property
    def depth(self) -> int:
        """Analyses inside the codestream."""
        return self.size.depth if self.kind == APPROXIMATION else 1

    @property
    def deep(self) -> bool:
        """Whether CS49 to CS51 hold."""
        return self.bits > 8

    @property
    def flat_limit(self) -> int:
        """The largest differences of means that predict none; 0: all predict (CS47, CS50)."""
        if not self.deep:
            return 8 * self.flat
        return min(3 << self.flat - 1, 32767) if self.flat else 0

    @property
    def two_models(self) -> bool:
        """Whether symbols have two models (CS48)."""
        return self.profile == 0 or self.data[5] >= COARSE_LEVEL

    def checksum(self, position: Position, layer: int, data: bytes) -> bytes:
        """CS6."""
        plane = position.z * self.groups + self.group
        bound = struct.pack("<IHH", 4 * plane + layer, position.y, position.x)
        return struct.pack("<I", crc32c(self.data + bound + data))


def crc32c(data: bytes) -> int:
    """CRC-32C, bit by bit."""
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x82F63B78 if crc & 1 else 0)
    return crc ^ 0xFFFFFFFF


def parse(header: Header, position: Position | None, layers: list[bytes]) -> tuple[Position, list[bytes]]:
    """The position and the payload of every layer; Malformed at the first check of CS7 that fails. Without a position
    any is accepted."""
    payloads: list[bytes] = []
    data, found = b"".join(layers), TOP
    while data:
        index = len(payloads)
        if index >= header.layers:
            raise Malformed("order")
        length, start = leb128(data, 0, 4)
        if not 4 <= length <= LONGEST:
            raise Malformed("header")
        if length > len(data) - start:
            raise Malformed("truncated")
        layer, data = data[: start + length], data[start + length :]
        if index == 0:
            found, start = _position(header, layer[:-4], start)
        if header.checksum(found, index, layer[:-4]) != layer[-4:]:
            raise Malformed("checksum")
        if position is not None and found != position:
            raise Malformed("binding")
        payloads.append(layer[start:-4])
    if not payloads:
        raise Malformed("order")
    return found, payloads


def leb128(data: bytes, at: int, most: int) -> tuple[int, int]:
    """An unsigned LEB128 number of at most so many bytes, and where it ends."""
    value = 0
    for count in range(most):
        if at + count >= len(data):
            raise Malformed("truncated")
        value |= (data[at + count] & 127) << 7 * count
        if data[at + count] < 128:
            if count and data[at + count] == 0:
                raise Malformed("header")
            return value, at + count + 1
    raise Malformed("header")


def _position(header: Header, data: bytes, at: int) -> tuple[Position, int]:
    plane, at = leb128(data, at, 3)
    y, at = leb128(data, at, 3)
    x, at = leb128(data, at, 3)
    z, group = divmod(plane, header.groups)
    most = 0 if header.kind == APPROXIMATION else 65535
    if group != header.group or z > 4095 or max(x, y) > most:
        raise Malformed("header")
    return Position(z, x, y), at


def read_parameters(data: bytes, size: Size = FULL) -> Header:
    """CS9 to CS11."""
    if len(data) < 4:
        raise Malformed("truncated")
    if data[:2] != b"WS":
        raise Malformed("magic")
    if data[2] != 1 or data[3] > 1:
        raise Malformed("newer-version")
    if len(data) < FIXED:
        raise Malformed("truncated")
    kind, level, tile, profile, layers, groups, group, channels = data[4:12]
    depth_and_sign, fraction_bits, colour, reserved = data[12:16]
    if reserved:
        raise Malformed("unsupported")
    if 1 << (tile & 31) != size.tile:
        raise Malformed("unsupported-tile")
    if kind > 1 or level > 31 or not 1 <= layers <= MAX_LAYERS or not group < groups <= 64:
        raise Malformed("header")
    minor, bits, signed = data[3], depth_and_sign & 127, depth_and_sign > 127
    if not 1 <= channels <= 64 or (not minor and channels * groups > 64) or not 1 <= bits <= 16 or fraction_bits > 4:
        raise Malformed("header")
    if profile > 1:
        raise Malformed("unsupported")
    if (not minor and groups != 1) or channels not in (1, 3):
        raise Malformed("unsupported-channels")
    if depth_and_sign != 8 and (not minor or bits < 8 or channels != 1):
        raise Malformed("unsupported-depth")
    if colour > (8 if minor else 7):
        raise Malformed("unsupported")
    if (channels == 1) != (colour in (0, 8)) or (colour == 8 and not profile):
        raise Malformed("header")
    if colour < 8 and fraction_bits and (colour > 1 or bits > 8):
        raise Malformed("header")
    header = Header(data, kind, layers, groups, group, profile, channels, fraction_bits, colour, size=size)
    header.bits, header.signed = bits, signed
    _read_tables(header, data)
    return header


def _read_tables(header: Header, data: bytes) -> None:
    """Colour parameters and CS10."""
    planes, colour = header.depth * header.channels * 3, header.colour
    end = FIXED + (0, 18, *[3] * 6, 16)[colour] + planes * (header.layers + 1)
    if len(data) != end:
        raise Malformed("truncated" if len(data) < end else "header")
    if colour == 1:
        header.inverse = np.frombuffer(data, "<i2", 9, FIXED).reshape(3, 3).astype(np.int64)
    elif colour == 8:
        header.noise = struct.unpack_from("<4i", data, FIXED)
        limits = zip(
            header.noise, (-32768, 1, 1, -(1 << 20)), (65535, (1 << 24) - 1, (1 << 28) - 1, 1 << 20), strict=True
        )
        if not all(least <= value <= most for value, least, most in limits):
            raise Malformed("header")
    elif colour > 1:
        header.lifting = tuple(int(v) for v in np.frombuffer(data, np.int8, 3, FIXED))
    table = np.frombuffer(data, np.uint8, planes * (header.layers + 1), end - planes * (header.layers + 1))
    table = table.reshape(planes, header.layers + 1).astype(np.int64)
    shape = (header.depth, header.channels, 3)
    step = table[:, -2] | table[:, -1] << 8
    shift = np.concatenate([table[:, :-2].T, np.zeros((1, planes), np.int64)])
    if shift.max() > 8 or (np.diff(shift, axis=0) > 0).any() or step.min() < 1 or step.max() > 4095:
        raise Malformed("header")
    header.step, header.shift = step.reshape(shape), shift.reshape(header.layers, *shape)
