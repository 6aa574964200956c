"""The names of cached parts: what of which slide version, as bytes of one fixed form."""

from __future__ import annotations

import struct

from wavescope.geometry import Address

_PLACE = struct.Struct(">sHBBIIB")
DIGEST = 16  # bytes of a digest in a key
BLOCK, INDEX, ICC, MANIFEST = b"b", b"i", b"c", b"m"


def block_keys(slide: str, address: Address, layers: range) -> list[bytes] | None:
    """One for each layer of a block, or (level L) of an approximation; None for what no slide has."""
    z, c, level, x, y = address
    tag = bytes.fromhex(slide)
    if layers.step != 1:
        return None
    try:
        return [tag + _PLACE.pack(BLOCK, z, c, level, x, y, layer) for layer in layers]
    except struct.error:
        return None


def index_key(slide: str, z: int, c: int, level: int, page: int) -> bytes:
    """A page of the layer index."""
    return bytes.fromhex(slide) + _PLACE.pack(INDEX, z, c, level, page, 0, 0)


def entry_key(slide: str, entry: bytes) -> bytes:
    """The manifest or the ICC profile."""
    return bytes.fromhex(slide) + entry
