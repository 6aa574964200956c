"""Whether a file is the one that the layer index means: its length, the places of its blocks, its SHA-256 (ST48, ST49).

Files of one slide may be exchanged, files of another slide may lie in their place; every checksum inside them is right.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from itertools import accumulate, pairwise
from typing import NamedTuple

from wavescope.errors import CodecError
from wavescope.geometry import Address
from wavescope.kernel.layers import Binding, check_layer
from wavescope.store.handles import OpenFile, OpenShard
from wavescope.store.layer_index import Directory, ShardKey
from wavescope.store.layout import PAGE, SHARD, SHARD_BLOCKS
from wavescope.store.shard import Z_ORDER
from wavescope.store.version import coded_place

HASHED_BYTES = 1 << 20
"""Shards up to this length are hashed when they are opened: 0.6 ms where the processor has SHA instructions."""
PROVING_BLOCKS = 16
"""In a longer shard with so many blocks, all of them as long as promised, the lengths alone prove whose it is."""
_CHUNK = 1 << 20

BlockLengths = Sequence[tuple[int, ...]]
"""The layers' lengths of the 256 blocks of a shard in row-major order; empty or zeros for an empty block."""


def check_shard(shard: OpenShard, directory: Directory, key: ShardKey, blocks: BlockLengths, binding: Binding) -> None:
    """ValueError unless this is the shard of that record, as far as can be checked in bounded time (ST48).

    One that is damaged in some of its layers passes: their own checksums tell which.
    """
    record = directory.shards[key]
    if shard.size != record.length:
        raise ValueError(f"the shard has {shard.size} bytes, the layer index promises {record.length}")
    if shard.entries != entries_of(blocks):
        raise ValueError("the shard's blocks are not those that the layer index promises")
    present = sum(map(any, blocks))
    if record.length <= HASHED_BYTES or present < PROVING_BLOCKS or record.length in directory.shared_lengths:
        layers = [
            layer
            for slot, (entry, lengths) in enumerate(zip(shard.entries, blocks, strict=True))
            if entry
            for layer in layers_of(_address_of(key, slot), lengths, entry[0])
        ]
        check_identity(shard, record.sha256, layers, binding)


def blocks_of(page: Sequence[Sequence[tuple[int, ...]]], key: ShardKey) -> BlockLengths:
    """What a page of the layer index says of the blocks of one of its shards."""
    x, y = SHARD * key.sx % PAGE, SHARD * key.sy % PAGE
    blocks: list[tuple[int, ...]] = [()] * SHARD_BLOCKS
    for row, lengths in enumerate(page[y : y + SHARD]):
        found = lengths[x : x + SHARD]
        blocks[row * SHARD : row * SHARD + len(found)] = found
    return blocks


class StoredLayer(NamedTuple):
    """A layer in a file: of which block, which of its layers, and where."""

    address: Address
    number: int
    offset: int
    length: int


def check_identity(file: OpenFile, sha256: bytes, layers: Sequence[StoredLayer], binding: Binding) -> None:
    """ValueError if the file is complete but another one than this hash says.

    ``layers``: every layer in it. One whose own checksum is wrong explains another hash.
    """
    if sha256_of(file) != sha256 and all(_is_undamaged(file, layer, binding) for layer in layers):
        raise ValueError("the file belongs to another position or slide: its SHA-256 does not match")


def layers_of(address: Address, lengths: Iterable[int], start: int = 0) -> list[StoredLayer]:
    """The layers of a block, which follow each other in a file."""
    ends = [*accumulate(lengths, initial=start)]
    return [StoredLayer(address, index, at, end - at) for index, (at, end) in enumerate(pairwise(ends))]


def sha256_of(file: OpenFile) -> bytes:
    """The SHA-256 of a whole file."""
    digest = hashlib.sha256()
    for offset in range(0, file.size, _CHUNK):
        digest.update(file.read(offset, min(_CHUNK, file.size - offset)))
    return digest.digest()


def entries_of(blocks: BlockLengths) -> list[tuple[int, int] | None]:
    """The shard index that these blocks have: one after the other in Z order (ST11)."""
    entries: list[tuple[int, int] | None] = [None] * len(blocks)
    offset = 0
    for slot in Z_ORDER:
        if length := sum(blocks[slot]):
            entries[slot] = offset, length
            offset += length
    return entries


def _address_of(key: ShardKey, slot: int) -> Address:
    """Of the block in a row-major slot of a shard."""
    return Address(key.z, key.c, key.level, SHARD * key.sx + slot % SHARD, SHARD * key.sy + slot // SHARD)


def _is_undamaged(file: OpenFile, layer: StoredLayer, binding: Binding) -> bool:
    try:
        place = coded_place(layer.address, binding)
        check_layer(file.read(layer.offset, layer.length), layer.number, binding, place)
    except CodecError:
        return False
    return True
