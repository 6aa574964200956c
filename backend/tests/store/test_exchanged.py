"""Files in the place of others, with every checksum inside them right (ST46, ST48, ST49)."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from itertools import combinations, product
from pathlib import Path

import numpy as np
import pytest
import tifffile

from ingest.worlds import ingested, tissue, write_tiff
from wavescope.errors import CorruptBlock, CorruptStore
from wavescope.geometry import Address
from wavescope.store import proof
from wavescope.store.checksum import with_checksum
from wavescope.store.page import HEADER_BYTES
from wavescope.store.reader import StoreReader, split
from wavescope.store.verify import verify

Copy = tuple[Path, str]
SHARD = "levels/0/c.0.0.0.0.0"
FIRST = Address(0, 0, 0, 1, 0)  # two blocks of that shard
OTHER = Address(0, 0, 0, 2, 0)


def blocks_of(reader: StoreReader) -> Iterator[Address]:
    for z, level in product(range(reader.manifest.planes), range(reader.manifest.top)):
        columns, rows = reader.manifest.pyramid.tiles(level)
        yield from (Address(z, 0, level, x, y) for y in range(rows) for x in range(columns))


def everything(reader: StoreReader) -> range:
    return range(reader.manifest.layers)


def other_payload(layer: bytes, index: int, reader: StoreReader, address: Address) -> bytes:
    """A layer of the same length with another content and its right checksum."""
    body = layer[:-6] + bytes([layer[-6] ^ 0x21]) + layer[-5:-4]
    return body + reader.version.binding(address).checksum(address, index, body).to_bytes(4, "little")


def put_other_block(store: Path, digest: str, address: Address) -> None:
    """What a shard of another slide whose lengths coincide has: the block is whole, but another."""
    reader = StoreReader.open(store, digest)
    data = reader.read(address, range(2))
    changed = [other_payload(layer, index, reader, address) for index, layer in enumerate(split(data))]
    path = store / "slides" / digest / SHARD
    whole = path.read_bytes()
    path.write_bytes(whole.replace(data, b"".join(changed)))
    assert path.read_bytes() != whole


@pytest.mark.slow
def test_st48_a_shard_whose_lengths_and_checksums_are_right_is_another_one(
    copy: Copy, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(proof, "HASHED_BYTES", 1 << 23)  # the shard is one of those that are hashed
    put_other_block(*copy, FIRST)
    reader = StoreReader.open(*copy)
    for address in (FIRST, OTHER):
        with pytest.raises(CorruptBlock, match="another position or slide"):
            reader.read(address, everything(reader))
        with pytest.raises(CorruptBlock, match="another position or slide"):
            reader.read(address, range(1))
        assert reader.read_cached(address, everything(reader)) is None
    assert {found.address for found in verify(*copy)} >= {FIRST, OTHER}


def test_st48_st101_st102_a_long_shard_is_another_one_if_a_second_of_the_slide_has_its_length(
    copy: Copy, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(proof, "HASHED_BYTES", 0)
    monkeypatch.setattr(proof, "PROVING_BLOCKS", 0)
    put_other_block(*copy, FIRST)
    alone = StoreReader.open(*copy)
    assert alone.read(FIRST, everything(alone))  # found by verify only
    length = alone.directory.shards[next(iter(alone.directory.shards))].length
    twin = StoreReader.open(*copy)
    vars(twin.directory)["shared_lengths"] = frozenset({length})
    with pytest.raises(CorruptBlock, match="another position or slide"):
        twin.read(FIRST, everything(twin))


def dots(folder: Path, *offsets: int) -> Copy:
    """A slide of glass, one plane for each offset, with one dot there: the lengths of all blocks coincide."""
    planes = np.full((len(offsets), 520, 600), 240, np.uint8)
    for plane, at in zip(planes, offsets, strict=True):
        plane[at : at + 6, at : at + 6] = 60
    folder.mkdir()
    tifffile.imwrite(folder / "dots.tif", planes, photometric="minisblack", metadata=None)
    digest = ingested(folder / "dots.tif", folder, steps="even").digest
    reader = StoreReader.open(folder, digest)
    lengths = {reader.layer_lengths(Address(z, 0, 0, 0, 0)) for z in range(len(offsets))}
    assert len(lengths) == 1
    return folder, digest


def test_st48_no_two_shards_of_a_slide_can_be_exchanged(copy: Copy) -> None:
    refuse_exchanged(copy)


def test_st48_shards_whose_lengths_coincide_cannot_be_exchanged(tmp_path: Path) -> None:
    refuse_exchanged(dots(tmp_path / "dots", 64, 80, 96, 112))


def refuse_exchanged(copy: Copy) -> None:
    """Exchanges every two shards: a block is what it was, or corrupt, and one at least is corrupt."""
    store, digest = copy
    intact = StoreReader.open(store, digest)
    expected = {address: intact.read(address, everything(intact)) for address in blocks_of(intact)}
    levels = intact.paths.levels
    shards = sorted(levels.glob("*/c.*"))
    assert len(shards) > 3
    for one, other in combinations(shards, 2):
        exchange(one, other)
        reader = StoreReader.open(store, digest)
        refused = 0
        for address, data in expected.items():
            try:
                assert reader.read(address, everything(reader)) == data
            except CorruptBlock:
                refused += 1
        assert refused
        exchange(one, other)


def test_st48_a_shard_of_another_slide_is_corrupt(tmp_path: Path) -> None:
    store, digest = dots(tmp_path / "one", 64, 128)
    other, foreign = dots(tmp_path / "other", 96, 160)
    shutil.copy(other / "slides" / foreign / SHARD, store / "slides" / digest / SHARD)
    reader = StoreReader.open(store, digest)
    with pytest.raises(CorruptBlock, match="checksum"):
        reader.read(Address(0, 0, 0, 0, 0), everything(reader))


def test_st48_a_shard_of_another_length_is_corrupt(copy: Copy) -> None:
    store, digest = copy
    path = store / "slides" / digest / SHARD
    good = path.read_bytes()
    path.write_bytes(b"\0" + good)
    reader = StoreReader.open(store, digest)
    with pytest.raises(CorruptBlock, match="the layer index promises"):
        reader.read(FIRST, range(1))


def exchange(one: Path, other: Path) -> None:
    between = one.with_name("between")
    one.rename(between)
    other.rename(one)
    between.rename(other)


def test_st49_an_approximation_with_right_lengths_and_checksums_is_another_one(copy: Copy) -> None:
    store, digest = copy
    reader = StoreReader.open(store, digest)
    top = Address(0, 0, reader.manifest.top, 0, 0)
    path = reader.paths.approximation_plane(0, 0)
    layers = split(path.read_bytes())
    changed = [other_payload(layer, index, reader, top) for index, layer in enumerate(layers) if index]
    path.write_bytes(b"".join([layers[0], *changed]))
    for wanted in (range(1), everything(reader)):
        with pytest.raises(CorruptBlock, match="another position or slide"):
            reader.read(top, wanted)


def test_st49_a_layer_index_whose_checksums_are_right_is_another_one(copy: Copy) -> None:
    store, digest = copy
    path = store / "slides" / digest / "layer-index"
    reader = StoreReader.open(store, digest)
    key, (offset, length) = next(iter(reader.directory.pages.items()))
    data = bytearray(path.read_bytes())
    page = data[offset : offset + length - 4]
    page[HEADER_BYTES] ^= 1  # the first length, one more or less
    data[offset : offset + length] = with_checksum(bytes(page), reader.shape.page_seed(key))
    path.write_bytes(data)
    other = StoreReader.open(store, digest)
    with pytest.raises(CorruptStore, match="another slide"):
        other.page(0, 0, 1, 0)
    with pytest.raises(CorruptBlock, match="another slide"):
        other.read(FIRST, range(1))


STRAY: dict[str, Callable[[Path], Path]] = {
    "beyond the columns": lambda root: root / "levels" / "0" / "c.0.0.0.0.77",
    "beyond the rows": lambda root: root / "levels" / "0" / "c.0.0.0.77.0",
    "of a plane that the slide has not": lambda root: root / "levels" / "1" / "c.9.0.0.0.0",
    "of a level that the slide has not": lambda root: root / "levels" / "40" / "c.0.0.0.0.0",
    "of an approximation that the slide has not": lambda root: root / "approximation" / "c.1.0.0.0",
    "of no name that the store gives": lambda root: root / "levels" / "0" / "c.0.0.0.0.0.tmp",
    "beside the manifest": lambda root: root / "icc",
}


@pytest.mark.parametrize("place", STRAY)
def test_st46_a_file_outside_the_grid_is_found(copy: Copy, place: str) -> None:
    store, digest = copy
    root = store / "slides" / digest
    stray = STRAY[place](root)
    stray.parent.mkdir(exist_ok=True)
    shutil.copy(root / SHARD, stray)
    found = [(damage.part, damage.reason) for damage in verify(store, digest)]
    assert found == [(stray.relative_to(root).as_posix(), "there should be no such file")]


def test_st46_an_intact_slide_of_glass_has_no_findings(tmp_path: Path) -> None:
    glass = write_tiff(tmp_path / "s.tif", np.full((600, 600, 3), 240, np.uint8))
    assert list(verify(tmp_path, ingested(glass, tmp_path).digest)) == []


@pytest.fixture(scope="module")
def two_slides(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str, str]:
    """A store with two slides of one size and quality."""
    folder = tmp_path_factory.mktemp("two")
    a, b = (
        ingested(write_tiff(folder / f"{name}.tif", tissue(1300, 700, seed=seed)), folder, name, steps="even").digest
        for seed, name in enumerate(("a", "b"))
    )
    return folder, a, b


DOCUMENTS = ("zarr.json", "approximation/zarr.json", "levels/zarr.json", "levels/0/zarr.json", "levels/1/zarr.json")


@pytest.mark.parametrize("one", DOCUMENTS)
@pytest.mark.parametrize("other", [f"{slide}/{name}" for slide in "ab" for name in DOCUMENTS])
def test_st45_metadata_exchanged_between_levels_or_slides_is_named(
    two_slides: tuple[Path, str, str], tmp_path: Path, one: str, other: str
) -> None:
    store, *digests = two_slides
    shutil.copytree(store / "slides", tmp_path / "slides")
    first, second = (tmp_path / "slides" / digest for digest in digests)
    slide, _, name = other.partition("/")
    here, there = first / one, (first if slide == "a" else second) / name
    mine, others = here.read_bytes(), there.read_bytes()
    here.write_bytes(others)
    there.write_bytes(mine)
    named = {("a", one), (slide, name)} if mine != others else set()
    found = [
        ("a" if digest == digests[0] else "b", damage) for digest in digests for damage in verify(tmp_path, digest)
    ]
    assert {(slide_id, damage.part) for slide_id, damage in found} == named
    assert all(damage.reason == "it does not say what follows from the manifest" for _, damage in found)
