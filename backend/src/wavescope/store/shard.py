"""Shards: 16 x 16 encoded blocks, then Zarr's shard index with its CRC-32C (rules ST10 to ST13)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from wavescope.store.checksum import checked_body, with_checksum
from wavescope.store.layout import SHARD, SHARD_BLOCKS

ABSENT = 2**64 - 1
INDEX_BYTES = SHARD_BLOCKS * 16 + 4


def _morton(position: int) -> int:
    """The row-major slot of the n-th block in Z order, so that neighbours on the slide are neighbours on disk."""
    x = y = 0
    for bit in range(SHARD.bit_length() - 1):
        x |= (position >> 2 * bit & 1) << bit
        y |= (position >> 2 * bit + 1 & 1) << bit
    return y * SHARD + x


Z_ORDER = tuple(_morton(position) for position in range(SHARD_BLOCKS))


def assemble(blocks: Sequence[bytes]) -> list[bytes]:
    """The parts of a shard file from its blocks in row-major order; ``b""`` is an empty block, left out (ST11)."""
    if len(blocks) != SHARD_BLOCKS:
        raise ValueError(f"a shard has {SHARD_BLOCKS} blocks, not {len(blocks)}")
    entries = np.full((SHARD_BLOCKS, 2), ABSENT, dtype="<u8")
    parts: list[bytes] = []
    offset = 0
    for slot in Z_ORDER:
        if block := blocks[slot]:
            entries[slot] = offset, len(block)
            offset += len(block)
            parts.append(block)
    return [*parts, encode_index(entries)]


def encode_index(entries: NDArray[np.uint64]) -> bytes:
    """The shard index of the (offset, length) pairs, ABSENT twice for an empty block."""
    return with_checksum(entries.astype("<u8").tobytes())


def decode_index(data: bytes, file_bytes: int) -> list[tuple[int, int] | None]:
    """(offset, length) of each block, None for an empty one. ValueError when it cannot be right (ST13)."""
    if len(data) != INDEX_BYTES:
        raise ValueError(f"the shard index has {len(data)} bytes instead of {INDEX_BYTES}")
    body = checked_body(data, "the shard index")
    pairs: list[list[int]] = np.frombuffer(body, dtype="<u8").reshape(SHARD_BLOCKS, 2).tolist()
    return [_entry(offset, length, file_bytes - INDEX_BYTES) for offset, length in pairs]


def _entry(offset: int, length: int, end: int) -> tuple[int, int] | None:
    if offset == ABSENT and length == ABSENT:
        return None
    if length == 0 or offset + length > end:
        raise ValueError(f"a block of {length} bytes at {offset} does not lie inside the shard")
    return offset, length
