"""Layers as bytes: cutting a block apart and checking stored layers without decoding them (codestream.md, CS3-CS8)."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass

import google_crc32c

from wavescope.errors import CodecError
from wavescope.kernel.structs import APPROXIMATION, HEADER, PROFILES
from wavescope.kernel.wasm import instance

MAGIC, VERSION = 0x57, 1
_PREFIX = struct.Struct("<BBBBI")
_U32 = struct.Struct("<I")


@dataclass(frozen=True)
class CodecHeader:
    """What layer 0 says about its block. ``raw`` is the kernel's own structure."""

    raw: bytes
    kind: str
    profile: str
    channels: int
    layers: int
    fraction_bits: int
    bit_depth: int
    colour: int
    inverse: tuple[int, ...]


def header_of(raw: bytes) -> CodecHeader:
    """The readable form of a ws_header."""
    fields = HEADER.unpack(raw)
    return CodecHeader(
        raw=raw,
        kind="approximation" if fields[0] == APPROXIMATION else "details",
        profile=PROFILES[fields[1]],
        channels=fields[2],
        bit_depth=fields[3],
        fraction_bits=fields[5],
        colour=fields[6],
        layers=fields[7],
        inverse=tuple(fields[8:17]),
    )


def parse_header(layer0: bytes) -> CodecHeader:
    """The header of a block's first layer (its checksum included)."""
    kernel = instance()
    size = kernel.write("bytes", layer0)
    kernel.checked("ws_read_header", kernel.address["bytes"], size, kernel.address["header"])
    return header_of(kernel.view("header").tobytes())


def split_layers(block: bytes) -> list[bytes]:
    """Cuts concatenated layers apart by their lengths; [] for an empty block."""
    layers = []
    at = 0
    while at < len(block):
        length = _length(block, at)
        layers.append(block[at : at + length])
        at += length
    return layers


def _length(block: bytes, at: int) -> int:
    """Length of the layer at ``at``, wholly inside ``block``."""
    if len(block) - at < _PREFIX.size + _U32.size:
        raise CodecError("truncated", f"{len(block) - at} bytes are left, too few for a layer")
    magic, version, _, _, length = _PREFIX.unpack_from(block, at)
    if magic != MAGIC:
        raise CodecError("magic", f"a layer begins with {magic:#04x}")
    if version != VERSION:
        raise CodecError("newer-version", f"version {version}, this reader knows {VERSION}")
    if length > len(block) - at:
        raise CodecError("truncated", f"{len(block) - at} bytes of {length}")
    if length < _PREFIX.size + _U32.size:
        raise CodecError("header", f"a layer of {length} bytes")
    return int(length)


def check_layer(layer: bytes, expected_index: int) -> None:
    """Raises CodecError unless these bytes are one whole, undamaged layer with this index."""
    if _length(layer, 0) != len(layer):
        raise CodecError("order", f"{len(layer) - _length(layer, 0)} bytes follow the layer")
    if google_crc32c.value(layer[:-4]) != _U32.unpack_from(layer, len(layer) - 4)[0]:
        raise CodecError("checksum", f"in layer {expected_index}")
    if layer[2] & 15 != expected_index:
        raise CodecError("order", f"layer {layer[2] & 15} in the place of layer {expected_index}")


def check_layers(layers: Sequence[bytes]) -> None:
    """check_layer() on layers 0, 1, ..."""
    for index, layer in enumerate(layers):
        check_layer(layer, index)
