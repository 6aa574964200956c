"""Layers as bytes: shared/spec/codestream.md, sections 2 and 3."""

from __future__ import annotations

import struct
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

MAGIC, VERSION = 0x57, 1
DETAILS, APPROXIMATION = 0, 1
LONGEST, MOST_LAYERS = 8 << 20, 4  # section 9
ROOT = 16  # side of an LL root (CS19)


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
    """Not the layers of a block; the text is the name of the error (CS7)."""


@dataclass
class Header:
    """The parameters of layer 0; ``shift`` [layer][depth][channel][band], ``step`` [depth][channel][band]."""

    kind: int
    layers: int
    profile: int
    channels: int
    fraction_bits: int
    colour: int
    inverse: NDArray[np.int64] = field(default_factory=lambda: np.zeros((3, 3), np.int64))
    lifting: tuple[int, ...] = (0, 0, 0)
    shift: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, np.int64))
    step: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, np.int64))
    size: Size = FULL

    @property
    def depth(self) -> int:
        """Analyses inside the codestream."""
        return self.size.depth if self.kind == 1 else 1


def crc32c(data: bytes) -> int:
    """CRC-32C, bit by bit."""
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x82F63B78 if crc & 1 else 0)
    return crc ^ 0xFFFFFFFF


def parse(layers: list[bytes], size: Size = FULL, kind: int | None = None) -> tuple[Header, list[bytes]]:
    """The header and the payload of every layer; Malformed at the first check of CS7 that fails."""
    data, header, payloads, binding = b"".join(layers), None, [], b""
    while data:
        index = len(payloads)
        if header and index >= header.layers:
            raise Malformed("order")
        layer = _layer(data, index)
        count, own_kind = layer[2] >> 4, layer[3]
        if header is None:
            header, start = _header(layer[:-4], size)
            binding = layer[-4:]
            if kind is not None and own_kind != kind:
                raise Malformed("kind")
        else:
            start = 12
            if len(layer) < start + 4:
                raise Malformed("truncated")
            if layer[8:12] != binding or count != header.layers or own_kind != header.kind:
                raise Malformed("binding")
        payloads.append(layer[start:-4])
        data = data[len(layer) :]
    if header is None:
        raise Malformed("order")
    return header, payloads


def _layer(data: bytes, index: int) -> bytes:
    """The first layer of ``data``, with its checksum."""
    if len(data) < 12:
        raise Malformed("truncated")
    magic, version, place, _, length = struct.unpack_from("<BBBBI", data)
    if magic != MAGIC:
        raise Malformed("magic")
    if version != VERSION:
        raise Malformed("newer-version")
    if length > len(data):
        raise Malformed("truncated")
    if not 12 <= length <= LONGEST:
        raise Malformed("header")
    layer = data[:length]
    if struct.pack("<I", crc32c(layer[:-4])) != layer[-4:]:
        raise Malformed("checksum")
    if place & 15 != index:
        raise Malformed("order")
    return layer


def _header(layer: bytes, size: Size) -> tuple[Header, int]:
    """CS9 to CS11; the layer without its checksum."""
    if len(layer) < 14:
        raise Malformed("truncated")
    layers, kind = layer[2] >> 4, layer[3]
    profile, channels, depth_and_sign, fraction_bits, colour, reserved = layer[8:14]
    if profile > 1 or channels not in (1, 3) or depth_and_sign != 8 or colour > 7 or reserved:
        raise Malformed("unsupported")
    fits_colour = (channels == 1) == (colour == 0) and (colour < 2 or fraction_bits == 0)
    if not 1 <= layers <= MOST_LAYERS or kind > 1 or fraction_bits > 4 or not fits_colour:
        raise Malformed("header")
    header, at = Header(kind, layers, profile, channels, fraction_bits, colour, size=size), 14
    planes = header.depth * channels * 3
    end = at + (18 if colour == 1 else 3 if colour else 0) + planes * (layers + 1)
    if len(layer) < end:
        raise Malformed("truncated")
    if colour == 1:
        header.inverse = np.frombuffer(layer, "<i2", 9, at).reshape(3, 3).astype(np.int64)
    elif colour > 1:
        header.lifting = tuple(int(v) for v in np.frombuffer(layer, np.int8, 3, at))
    table = np.frombuffer(layer[:end], np.uint8, planes * (layers + 1), end - planes * (layers + 1))
    _read_planes(header, table.reshape(planes, layers + 1).astype(np.int64))
    return header, end


def _read_planes(header: Header, table: NDArray[np.int64]) -> None:
    """CS10."""
    shape, planes = (header.depth, header.channels, 3), len(table)
    step = table[:, -2] | table[:, -1] << 8
    shift = np.concatenate([table[:, :-2].T, np.zeros((1, planes), np.int64)])
    if shift.max() > 8 or (np.diff(shift, axis=0) > 0).any() or step.min() < 1 or step.max() > 4095:
        raise Malformed("header")
    header.step, header.shift = step.reshape(shape), shift.reshape(header.layers, *shape)
