"""One page of the layer index in its wire form: the length of every layer of 32 x 32 blocks (rules ST20 to ST23)."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from wavescope.kernel.layers import Binding
from wavescope.store.checksum import SIZE, checked_body, extended, with_checksum

MAGIC = b"WSLI"
VERSION = 1
HEADER_BYTES = 8
MAX_LENGTH = 2**32 - 1

Lengths = NDArray[np.uint32]
"""(rows, columns, layers): stored bytes of each layer of each block of a page."""


def page_seed(binding: Binding, z: int, page: int) -> int:
    """What the checksum of a page covers beside its bytes: parameter set of its level, plane, number (ST20)."""
    return extended(binding.seed, z * binding.groups + binding.group, page)


def encode_page(lengths: Lengths, seed: int) -> bytes:
    """The page's bytes, exactly as the service sends them. ``seed``: page_seed()."""
    rows, columns, layers = lengths.shape
    body = MAGIC + bytes((VERSION, layers, columns, rows)) + _leb128(lengths.ravel().tolist())
    return with_checksum(body, seed)


def decode_page(data: bytes, shape: tuple[int, int, int], seed: int) -> Lengths:
    """The lengths in a page; ValueError unless it is complete, belongs here (``seed``: page_seed()) and has this shape:
    columns, rows, layers."""
    columns, rows, layers = shape
    if len(data) < HEADER_BYTES + SIZE:
        raise ValueError("the page is cut short")
    body = checked_body(data, "the page", seed)
    if body[:HEADER_BYTES] != MAGIC + bytes((VERSION, layers, columns, rows)):
        raise ValueError("the page's header does not fit its place")
    values = _unleb128(body, HEADER_BYTES, columns * rows * layers)
    lengths = np.array(values, dtype=np.uint32).reshape(rows, columns, layers)
    present = lengths > 0
    if (present.any(axis=2) != present.all(axis=2)).any():
        raise ValueError("a block has some of its layers only")
    return lengths


def _leb128(values: Iterable[int]) -> bytes:
    out = bytearray()
    for value in values:
        while value > 0x7F:
            out.append(value & 0x7F | 0x80)
            value >>= 7
        out.append(value)
    return bytes(out)


def _unleb128(data: bytes, start: int, count: int) -> list[int]:
    """``count`` shortest-form numbers from ``start`` to the very end of ``data``."""
    values: list[int] = []
    value = shift = 0
    for byte in data[start:]:
        value |= (byte & 0x7F) << shift
        if byte & 0x80:
            shift += 7
            if shift > 28:
                raise ValueError("a length is too long")
            continue
        if value > MAX_LENGTH or (shift and not byte):
            raise ValueError("a length is not in its shortest form")
        values.append(value)
        value = shift = 0
    if shift or len(values) != count:
        raise ValueError(f"the page holds {len(values)} lengths instead of {count}")
    return values
