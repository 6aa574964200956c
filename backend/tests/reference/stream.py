"""Layers as bytes: shared/spec/codestream.md, sections 2 and 3."""

from __future__ import annotations

import struct
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

MAGIC, VERSION = 0x57, 1
DEPTH = 5


class Malformed(ValueError):
    """Not the layers of a block."""


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

    @property
    def depth(self) -> int:
        """Analyses inside the codestream."""
        return DEPTH if self.kind == 1 else 1


def crc32c(data: bytes) -> int:
    """CRC-32C, bit by bit."""
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x82F63B78 if crc & 1 else 0)
    return crc ^ 0xFFFFFFFF


def parse(layers: list[bytes]) -> tuple[Header, list[bytes]]:
    """The header and the payload of every layer given (CS3 to CS12)."""
    header, payloads, binding = None, [], b""
    for index, layer in enumerate(layers):
        magic, version, place, kind, length = struct.unpack_from("<BBBBI", layer)
        if magic != MAGIC or version != VERSION or length != len(layer) or place & 15 != index:
            raise Malformed(f"layer {index}: {layer[:8].hex()}, {len(layer)} bytes")
        if struct.pack("<I", crc32c(layer[:-4])) != layer[-4:]:
            raise Malformed(f"layer {index}: checksum")
        if header is None:
            header, start = _header(layer, place >> 4, kind)
            binding = layer[-4:]
        else:
            start = 12
            if layer[8:12] != binding or place >> 4 != header.layers or kind != header.kind:
                raise Malformed(f"layer {index} belongs to another block")
        payloads.append(layer[start:-4])
    if header is None or len(layers) > header.layers:
        raise Malformed(f"{len(layers)} layers")
    return header, payloads


def _header(layer: bytes, layers: int, kind: int) -> tuple[Header, int]:
    profile, channels, depth_and_sign, fraction_bits, colour, reserved = layer[8:14]
    if depth_and_sign != 8 or reserved or channels not in (1, 3) or kind > 1 or profile > 1 or colour > 7:
        raise Malformed(layer[:14].hex())
    header, at = Header(kind, layers, profile, channels, fraction_bits, colour), 14
    if colour == 1:
        header.inverse = np.frombuffer(layer, "<i2", 9, at).reshape(3, 3).astype(np.int64)
        at += 18
    elif colour > 1:
        header.lifting = tuple(int(v) for v in np.frombuffer(layer, np.int8, 3, at))
        at += 3
    shape = (header.depth, channels, 3)
    planes = header.depth * channels * 3
    table = np.frombuffer(layer, np.uint8, planes * (layers + 1), at).reshape(planes, layers + 1).astype(np.int64)
    header.step = (table[:, -2] | table[:, -1] << 8).reshape(shape)
    header.shift = np.concatenate([table[:, :-2].T, np.zeros((1, planes), np.int64)]).reshape(layers, *shape)
    return header, at + planes * (layers + 1)
