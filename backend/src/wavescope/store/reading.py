"""What to read of a slide version and how to check it, wherever its bytes lie. Pure: no I/O (ST40, ST42)."""

from __future__ import annotations

from collections.abc import Sequence

from wavescope.errors import CodecError
from wavescope.geometry import Address
from wavescope.kernel.layers import Binding, check_layer
from wavescope.store.layer_index import IndexShape, PageKey, ShardKey
from wavescope.store.layout import PAGE, SHARD, page_size
from wavescope.store.page import decode_page
from wavescope.store.version import SlideVersion, coded_place

LayerLengths = tuple[int, ...]
"""Stored bytes of each layer of a block, all 0 for an empty one."""
PageLengths = list[list[LayerLengths]]
"""[row][column] of the blocks of a page."""
Entry = tuple[int, int]
"""Offset and length of a block in its shard."""


def page_of(version: SlideVersion, address: Address) -> PageKey:
    """The page of the layer index that lists a block."""
    columns = version.page_grids[address.level][0]
    return PageKey(address.z, address.c, address.level, address.y // PAGE * columns + address.x // PAGE)


def shard_of(address: Address) -> ShardKey:
    """The shard of a block."""
    return ShardKey(address.z, address.c, address.level, address.x // SHARD, address.y // SHARD)


def entry_of(entries: Sequence[Entry | None], address: Address) -> Entry | None:
    """The block's entry in the index of its shard, None for an empty block."""
    return entries[address.y % SHARD * SHARD + address.x % SHARD]


def parsed_page(data: bytes, shape: IndexShape, key: PageKey) -> PageLengths:
    """The lengths that a page of the layer index lists. ValueError unless it is complete and belongs here (ST21)."""
    columns, rows = page_size(shape.pyramid, key.level, key.page)
    lengths = decode_page(data, (columns, rows, shape.layers), shape.page_seed(key))
    return [[tuple(block) for block in row] for row in lengths.tolist()]


def layer_extent(entry: Entry | None, lengths: LayerLengths, layers: range) -> tuple[int, int]:
    """Offset and length of the requested layers in the shard; ValueError if it has no such block (ST42)."""
    if entry is None or entry[1] != sum(lengths):
        raise ValueError("the shard has not the block that the layer index promises")
    return entry[0] + sum(lengths[: layers.start]), sum(lengths[layers.start : layers.stop])


def check_layers(data: bytes, address: Address, lengths: LayerLengths, layers: range, binding: Binding) -> None:
    """CodecError unless ``data`` is these layers of this block, each with its own correct checksum (ST42)."""
    at = 0
    for index in layers:
        check_layer(data[at : at + lengths[index]], index, binding, coded_place(address, binding))
        at += lengths[index]
    if at != len(data):
        raise CodecError("order", f"{len(data)} bytes instead of {at}")


def reason_of(error: Exception) -> str:
    """What an error of reading says, without the name of the file."""
    if isinstance(error, FileNotFoundError):
        return "the file is missing"
    return (error.strerror if isinstance(error, OSError) and error.strerror else str(error)) or type(error).__name__
