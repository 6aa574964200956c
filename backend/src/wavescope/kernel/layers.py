"""Layers as bytes: cutting a block apart and checking stored layers without decoding them (codestream.md, CS3-CS8)."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import NamedTuple

import google_crc32c

from wavescope.errors import CodecError
from wavescope.geometry import Address

CHECKSUM_BYTES = 4
_LENGTH_BYTES, _PLACE_BYTES = 4, 3  # of the longest LEB128 numbers
_LONGEST = 8 << 20
_PLACE = struct.Struct("<IHH")
_U32 = struct.Struct("<I")
_LAYERS, _GROUPS, _GROUP = 4, 9, 10  # most layers; fields of a parameter set


class Binding(NamedTuple):
    """What the checksums of a level's layers cover beside the layer: its parameter set, as the CRC-32C of that."""

    seed: int
    groups: int
    group: int

    @classmethod
    def of(cls, parameter_set: bytes) -> Binding:
        """The binding of the blocks with this parameter set."""
        return cls(int(google_crc32c.value(parameter_set)), parameter_set[_GROUPS], parameter_set[_GROUP])

    def checksum(self, address: Address, index: int, layer: bytes) -> int:
        """CS6: of ``layer``, without its own checksum, as layer ``index`` of the block at ``address``."""
        plane = address.z * self.groups + self.group
        place = _PLACE.pack(plane * _LAYERS + index, address.y, address.x)
        return int(google_crc32c.extend(google_crc32c.extend(self.seed, place), layer))


def split_layers(block: bytes) -> list[bytes]:
    """Cuts concatenated layers apart by their lengths; [] for an empty block."""
    layers = []
    at = 0
    while at < len(block):
        end = _end(block, at)
        layers.append(block[at:end])
        at = end
    return layers


def _end(block: bytes, at: int) -> int:
    """Where the layer at ``at`` ends, inside ``block``."""
    length, start = _leb128(block, at, _LENGTH_BYTES)
    if not CHECKSUM_BYTES <= length <= _LONGEST:
        raise CodecError("header", f"a layer of {length} bytes")
    if length > len(block) - start:
        raise CodecError("truncated", f"{len(block) - start} bytes of {length}")
    return start + length


def _leb128(data: bytes, at: int, maximum: int) -> tuple[int, int]:
    """The number at ``at`` and where it ends."""
    value = 0
    for count in range(maximum):
        if at + count >= len(data):
            raise CodecError("truncated", f"{len(data) - at} bytes are left, too few for a number")
        byte = data[at + count]
        value |= (byte & 127) << 7 * count
        if byte < 128:
            if count and not byte:
                break
            return value, at + count + 1
    raise CodecError("header", "a number is not in its shortest form")


def read_address(layer: bytes, level: int, groups: int) -> Address:
    """The address in layer 0 of a block (CS5); its checksum is not checked. Raises CodecError."""
    _, at = _leb128(layer, 0, _LENGTH_BYTES)
    end = len(layer) - CHECKSUM_BYTES
    plane, at = _leb128(layer[:end], at, _PLACE_BYTES)
    y, at = _leb128(layer[:end], at, _PLACE_BYTES)
    x, at = _leb128(layer[:end], at, _PLACE_BYTES)
    if max(x, y) > 0xFFFF:
        raise CodecError("header", f"column {x}, row {y}")
    return Address(plane // groups, plane % groups, level, x, y)


def check_layer(layer: bytes, index: int, binding: Binding, address: Address) -> None:
    """Raises CodecError unless these bytes are one complete, undamaged layer ``index`` of the block at ``address``."""
    end = _end(layer, 0)
    if end != len(layer):
        raise CodecError("order", f"{len(layer) - end} bytes follow the layer")
    found = address if index else read_address(layer, address.level, binding.groups)
    body = layer[:-CHECKSUM_BYTES]
    if binding.checksum(found, index, body) != _U32.unpack_from(layer, len(body))[0]:
        raise CodecError("checksum", f"in layer {index}")
    if found != address:
        raise CodecError("binding", f"the block of {tuple(found)} instead of {tuple(address)}")


def check_layers(layers: Sequence[bytes], binding: Binding, address: Address) -> None:
    """check_layer() on layers 0, 1, ..."""
    for index, layer in enumerate(layers):
        check_layer(layer, index, binding, address)
