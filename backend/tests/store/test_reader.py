"""Reading a version, whole and damaged (ST40 to ST44)."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from ingest.worlds import ingested, write_tiff
from wavescope.errors import CorruptBlock, CorruptStore, OutOfRange, StaleVersion
from wavescope.geometry import Address
from wavescope.kernel.layers import check_layers
from wavescope.store.reader import StoreReader, split
from wavescope.store.shard import INDEX_BYTES
from wavescope.store.verify import verify

Copy = tuple[Path, str]
TISSUE = Address(0, 0, 0, 1, 0)  # in shard (0, 0) of level 0
FAR = Address(0, 0, 1, 0, 0)


def blocks_of(reader: StoreReader) -> Iterator[Address]:
    """Every block of the slide."""
    for level in range(reader.manifest.top):
        columns, rows = reader.manifest.pyramid.tiles(level)
        yield from (Address(0, 0, level, x, y) for y in range(rows) for x in range(columns))


def whole(reader: StoreReader) -> range:
    return range(reader.manifest.layers)


def test_st40_every_block_has_the_length_and_layers_that_the_layer_index_says(reader: StoreReader) -> None:
    empty = 0
    for address in blocks_of(reader):
        lengths = reader.layer_lengths(address)
        data = reader.read(address, whole(reader))
        assert [len(layer) for layer in split(data)] == [length for length in lengths if length]
        check_layers(split(data), reader.version.binding(address), address)
        empty += not data
    assert empty > 0  # the glass


def test_st40_layer_ranges_are_parts_of_the_whole(reader: StoreReader) -> None:
    data = reader.read(TISSUE, whole(reader))
    parts = [reader.read(TISSUE, range(layer, layer + 1)) for layer in whole(reader)]
    assert b"".join(parts) == data
    assert all(parts)
    assert reader.read(TISSUE, range(1, 1)) == b""


def test_st40_the_manifest_sums_what_is_stored(reader: StoreReader) -> None:
    sums = [[0] * reader.manifest.layers for _ in range(reader.manifest.top + 1)]
    for address in [*blocks_of(reader), Address(0, 0, reader.manifest.top, 0, 0)]:
        for layer, length in enumerate(reader.layer_lengths(address)):
            sums[address.level][layer] += length
    assert sums == [list(row) for row in reader.manifest.bytes]


def test_st41_what_is_in_memory_is_the_same_as_what_is_read(reader: StoreReader) -> None:
    data = reader.read(TISSUE, whole(reader))
    assert reader.read_cached(TISSUE, whole(reader)) in (data, None)
    top = Address(0, 0, reader.manifest.top, 0, 0)
    assert reader.read_cached(top, whole(reader)) is None
    assert len(split(reader.read(top, whole(reader)))) == reader.manifest.layers


@pytest.mark.parametrize(
    ("address", "layers"),
    [
        (Address(1, 0, 0, 0, 0), range(1)),
        (Address(-1, 0, 0, 0, 0), range(1)),
        (Address(0, 1, 0, 0, 0), range(1)),
        (Address(0, 0, 9, 0, 0), range(1)),
        (Address(0, 0, -1, 0, 0), range(1)),
        (Address(0, 0, 0, 17, 0), range(1)),
        (Address(0, 0, 0, 0, 5), range(1)),
        (Address(0, 0, 0, -1, 0), range(1)),
        (TISSUE, range(3)),
        (TISSUE, range(-1, 1)),
        (TISSUE, range(2, 1)),
        (TISSUE, range(0, 2, 2)),
    ],
)
def test_st44_wi1_what_the_slide_does_not_have_is_out_of_range(
    reader: StoreReader, address: Address, layers: range
) -> None:
    with pytest.raises(OutOfRange):
        reader.read(address, layers)
    with pytest.raises(OutOfRange):
        reader.read_cached(address, layers)


@pytest.mark.parametrize(
    "place", [(1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 9, 0), (0, 0, -1, 0), (0, 0, 0, 1), (0, 0, 0, -1)]
)
def test_st44_a_page_that_the_slide_does_not_have_is_out_of_range(
    reader: StoreReader, place: tuple[int, int, int, int]
) -> None:
    with pytest.raises(OutOfRange):
        reader.page(*place)


def test_st44_an_unknown_digest_is_stale(published: Copy) -> None:
    with pytest.raises(StaleVersion):
        StoreReader.open(published[0], "f" * 32)


def flip(path: Path, byte: int) -> None:
    """Flip one bit; a negative byte counts from the end."""
    data = bytearray(path.read_bytes())
    data[byte] ^= 0x10
    path.write_bytes(data)


def cut(path: Path, length: int) -> None:
    os.truncate(path, length)


def make_directory(path: Path) -> None:
    path.unlink()
    path.mkdir()


def swap_blocks(path: Path) -> None:
    """A shard with another, whole index: entries of two blocks exchanged."""
    from wavescope.store.checksum import with_checksum

    data = bytearray(path.read_bytes())
    index = bytearray(data[-INDEX_BYTES:-4])
    index[:16], index[16:32] = index[16:32], index[:16]
    path.write_bytes(bytes(data[:-INDEX_BYTES]) + with_checksum(bytes(index)))


def shard_with_tissue(root: Path) -> Path:
    return root / "levels" / "0" / "c.0.0.0.0.0"


SHARD_DAMAGE: dict[str, Callable[[Path], None]] = {
    "deleted": lambda root: shard_with_tissue(root).unlink(),
    "emptied": lambda root: cut(shard_with_tissue(root), 0),
    "cut short": lambda root: cut(shard_with_tissue(root), shard_with_tissue(root).stat().st_size - 1),
    "cut in half": lambda root: cut(shard_with_tissue(root), shard_with_tissue(root).stat().st_size // 2),
    "bit in the index": lambda root: flip(shard_with_tissue(root), -INDEX_BYTES + 20),
    "bit in the index checksum": lambda root: flip(shard_with_tissue(root), -1),
    "blocks exchanged": lambda root: swap_blocks(shard_with_tissue(root)),
    "a directory instead": lambda root: make_directory(shard_with_tissue(root)),
}


@pytest.mark.parametrize("damage", SHARD_DAMAGE)
def test_st42_a_damaged_shard_is_corruption_and_never_glass(copy: Copy, damage: str) -> None:
    store, digest = copy
    SHARD_DAMAGE[damage](store / "slides" / digest)
    reader = StoreReader.open(store, digest)
    with pytest.raises(CorruptBlock) as caught:
        reader.read(TISSUE, whole(reader))
    assert caught.value.address == TISSUE
    assert reader.read(FAR, whole(reader))
    assert any(found.address == TISSUE for found in verify(store, digest))


def test_st42_a_flipped_bit_in_one_layer_spoils_that_layer_of_that_block_only(copy: Copy) -> None:
    store, digest = copy
    reader = StoreReader.open(store, digest)
    data = reader.read(TISSUE, whole(reader))
    shard = shard_with_tissue(store / "slides" / digest)
    first, _ = split(data)
    flip(shard, shard.read_bytes().index(data) + len(first) + 30)
    damaged = StoreReader.open(store, digest)
    assert damaged.read(TISSUE, range(1)) == first
    for layers in (range(2), range(1, 2)):
        with pytest.raises(CorruptBlock, match="checksum"):
            damaged.read(TISSUE, layers)
    intact = [address for address in blocks_of(damaged) if address != TISSUE]
    assert all(damaged.read(address, whole(reader)) == reader.read(address, whole(reader)) for address in intact)
    assert [found.address for found in verify(store, digest)] == [None, TISSUE]


def test_st42_a_flipped_bit_is_found_also_in_memory(copy: Copy) -> None:
    store, digest = copy
    reader = StoreReader.open(store, digest)
    data = reader.read(TISSUE, whole(reader))
    shard = shard_with_tissue(store / "slides" / digest)
    with shard.open("r+b") as stream:  # in place: the descriptor that the reader holds sees it
        stream.seek(shard.read_bytes().index(data) + 40)
        stream.write(b"\x55\xaa")
    with pytest.raises(CorruptBlock, match="checksum"):
        reader.read_cached(TISSUE, whole(reader)) or reader.read(TISSUE, whole(reader))


def test_st43_a_repaired_shard_is_read_again(copy: Copy) -> None:
    store, digest = copy
    reader = StoreReader.open(store, digest)
    shard = shard_with_tissue(store / "slides" / digest)
    good = shard.read_bytes()
    flip(shard, good.index(reader.read(TISSUE, whole(reader))) + 40)
    reader = StoreReader.open(store, digest)
    with pytest.raises(CorruptBlock):
        reader.read(TISSUE, whole(reader))
    shard.unlink()
    shard.write_bytes(good)
    assert reader.read(TISSUE, whole(reader)) in good


def test_st33_a_flipped_bit_in_one_page_spoils_that_page_only(copy: Copy) -> None:
    store, digest = copy
    index = store / "slides" / digest / "layer-index"
    reader = StoreReader.open(store, digest)
    offset, length = next(iter(reader.directory.pages.values()))
    flip(index, offset + length // 2)
    damaged = StoreReader.open(store, digest)
    with pytest.raises(CorruptStore, match="layer-index page"):
        damaged.page(0, 0, 0, 0)
    with pytest.raises(CorruptBlock, match="layer-index page"):
        damaged.read(TISSUE, whole(reader))
    assert damaged.page(0, 0, 1, 0) == reader.page(0, 0, 1, 0)
    assert damaged.read(FAR, whole(reader))
    assert [found.part for found in verify(store, digest)] == ["layer index", "layer-index page (0, 0, 0, 0)"]


INDEX_DAMAGE: dict[str, Callable[[Path], object]] = {
    "bit in the directory": lambda path: flip(path, 40),
    "cut short": lambda path: cut(path, path.stat().st_size - 1),
    "emptied": lambda path: cut(path, 0),
    "longer": lambda path: path.write_bytes(path.read_bytes() + b"\0"),
    "deleted": lambda path: path.unlink(),
}


@pytest.mark.parametrize("damage", INDEX_DAMAGE)
def test_st31_without_its_directory_a_version_has_no_block_to_give(copy: Copy, damage: str) -> None:
    store, digest = copy
    INDEX_DAMAGE[damage](store / "slides" / digest / "layer-index")
    reader = StoreReader.open(store, digest)
    with pytest.raises(CorruptStore, match="layer index"):
        reader.page(0, 0, 0, 0)
    for address in (TISSUE, Address(0, 0, reader.manifest.top, 0, 0)):
        with pytest.raises(CorruptBlock, match="layer index"):
            reader.read(address, whole(reader))
    assert list(verify(store, digest))


def test_st42_a_damaged_approximation_is_corrupt(copy: Copy) -> None:
    store, digest = copy
    file = store / "slides" / digest / "approximation" / "c.0.0.0.0"
    reader = StoreReader.open(store, digest)
    top = Address(0, 0, reader.manifest.top, 0, 0)
    good = file.read_bytes()
    damages: list[Callable[[], None]] = [lambda: flip(file, 50), lambda: cut(file, 100), file.unlink]
    for damage in damages:
        damage()
        with pytest.raises(CorruptBlock):
            reader.read(top, whole(reader))
        assert [found.address for found in verify(store, digest)] == [top]
        file.write_bytes(good)


def test_st5_a_flipped_bit_in_the_manifest_is_corrupt(copy: Copy) -> None:
    store, digest = copy
    flip(store / "slides" / digest / "manifest.json", 100)
    with pytest.raises(CorruptStore, match="manifest"):
        StoreReader.open(store, digest)
    assert [found.part for found in verify(store, digest)] == ["the manifest"]


def test_st45_an_intact_version_has_no_findings(published: Copy) -> None:
    assert list(verify(*published)) == []


def test_st45_changed_zarr_documents_are_found(copy: Copy) -> None:
    store, digest = copy
    root = store / "slides" / digest
    flip(root / "levels" / "0" / "zarr.json", 30)
    assert [found.part for found in verify(store, digest)] == ["levels/0/zarr.json"]


def test_st46_a_file_that_the_layer_index_does_not_know_is_found(tmp_path: Path) -> None:
    glass = write_tiff(tmp_path / "s.tif", np.full((600, 600, 3), 240, np.uint8))
    digest = ingested(glass, tmp_path).digest
    (tmp_path / "slides" / digest / "levels" / "0" / "c.0.0.0.0.0").write_bytes(b"foreign")
    assert [found.reason for found in verify(tmp_path, digest)] == ["there should be no such file"]


def test_st44_nothing_but_typed_errors_comes_out_of_random_damage(copy: Copy) -> None:
    store, digest = copy
    shard = shard_with_tissue(store / "slides" / digest)
    good = shard.read_bytes()
    intact = StoreReader.open(store, digest)
    expected = {address: intact.read(address, whole(intact)) for address in blocks_of(intact)}
    step = max(1, len(good) // 12)
    for place in range(0, len(good), step):
        flip(shard, place)
        reader = StoreReader.open(store, digest)
        for address, data in expected.items():
            with contextlib.suppress(CorruptBlock):
                assert reader.read(address, whole(reader)) == data
        shard.write_bytes(good)
