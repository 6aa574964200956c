"""What scientists see: ``zarr.open`` and PyWavelets' coefficients (ST14 to ST16, ST47)."""

from __future__ import annotations

import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest
import pywt
import zarr

from wavescope.errors import CodecError, OutOfRange
from wavescope.geometry import HALF, TILE, Address
from wavescope.kernel import decode_approximation, decode_block
from wavescope.store.coefficients import coefficients, samples
from wavescope.store.reader import StoreReader, split
from wavescope.store.shard import INDEX_BYTES, assemble
from wavescope.store.verify import verify


def opened(published: tuple[Path, str]) -> Any:
    store, digest = published
    return zarr.open(str(store / "slides" / digest), mode="r")


def test_st14_zarr_gives_the_quantised_coefficients_of_every_block(
    published: tuple[Path, str], reader: StoreReader
) -> None:
    group = opened(published)
    for level in range(reader.manifest.top):
        array = group[f"levels/{level}"]
        columns, rows = reader.manifest.pyramid.tiles(level)
        assert array.shape == (1, 3, 3, HALF * rows, HALF * columns)
        assert array.dtype == np.int16
        everything = array[...]
        for x in range(columns):
            for y in range(rows):
                address = Address(0, 0, level, x, y)
                block = split(reader.read(address, range(reader.manifest.layers)))
                parameters = reader.version.parameters(level)
                expected = decode_block(block, parameters, address) if block else np.zeros((3, 3, HALF, HALF), np.int16)
                part = everything[0, :, :, y * HALF : (y + 1) * HALF, x * HALF : (x + 1) * HALF]
                assert (part == expected).all()


def test_st14_zarr_reads_parts_of_a_block(published: tuple[Path, str]) -> None:
    array = opened(published)["levels/0"]
    assert (array[0, 1, 2, 100:130, 250:270] == array[...][0, 1, 2, 100:130, 250:270]).all()


def test_st15_zarr_gives_the_approximation(published: tuple[Path, str], reader: StoreReader) -> None:
    layers = split(reader.read(Address(0, 0, reader.manifest.top, 0, 0), range(reader.manifest.layers)))
    assert (
        opened(published)["approximation"][0]
        == decode_approximation(layers, reader.version.parameters(reader.manifest.top))
    ).all()


def test_st2_st16_the_group_carries_the_manifest_and_lists_its_levels(
    published: tuple[Path, str], reader: StoreReader
) -> None:
    group = opened(published)
    assert group.attrs["wavescope"]["digest"] == reader.digest
    assert sorted(group["levels"].array_keys()) == [str(level) for level in range(reader.manifest.top)]


def test_st16_a_slide_cannot_be_written_through_zarr(copy: tuple[Path, str]) -> None:
    store, digest = copy
    array = cast(Any, zarr.open_group(str(store / "slides" / digest), mode="r+")["levels/0"])
    with pytest.raises(NotImplementedError, match="immutable"):
        array[0, 0, 0, :HALF, :HALF] = 1


def change_first_block(store: Path, digest: str, change: Callable[[bytes], bytes]) -> None:
    """Writes the first shard again with another first block, whose place and length the index has."""
    path = store / "slides" / digest / "levels" / "0" / "c.0.0.0.0.0"
    data = path.read_bytes()
    entries = [*struct.iter_unpack("<QQ", data[-INDEX_BYTES:-4])]
    blocks = [b"" if offset == 2**64 - 1 else data[offset : offset + length] for offset, length in entries]
    path.write_bytes(b"".join(assemble([change(blocks[0]), *blocks[1:]])))


@pytest.mark.parametrize("layers", [1, 2])
def test_st99_zarr_notices_fewer_layers_than_the_parameter_set_says(copy: tuple[Path, str], layers: int) -> None:
    change_first_block(*copy, lambda block: b"".join(split(block)[:layers]))
    array = opened(copy)["levels/0"]
    if layers < StoreReader.open(*copy).manifest.layers:
        with pytest.raises(CodecError, match="order"):
            array[0, :, :, :HALF, :HALF]
        assert (array[0, :, :, :HALF, HALF : 2 * HALF] != 0).any()
    else:
        assert (array[0, :, :, :HALF, :HALF] != 0).any()


def test_st99_what_zarr_cannot_notice_verify_names(copy: tuple[Path, str]) -> None:
    change_first_block(*copy, lambda _: b"")
    assert (opened(copy)["levels/0"][0, :, :, :HALF, :HALF] == 0).all()
    assert any(found.address == Address(0, 0, 0, 0, 0) for found in verify(*copy))


def test_st12_absent_blocks_take_no_bytes(published: tuple[Path, str], reader: StoreReader) -> None:
    store, digest = published
    shards = list((store / "slides" / digest / "levels" / "0").glob("c.*"))
    stored = sum(shard.stat().st_size for shard in shards)
    assert stored == sum(reader.manifest.bytes[0]) + len(shards) * INDEX_BYTES


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_st47_pywavelets_makes_the_tile_of_our_coefficients(reader: StoreReader, depth: int) -> None:
    tile = Address(0, 0, 0, 3, 0)
    found = coefficients(reader, tile, depth)
    assert isinstance(found[0], np.ndarray)
    assert found[0].shape[1] == TILE >> depth
    pixels, header = samples(reader, tile, reader.manifest.layers)
    expected = pixels / (1 << header.fraction_bits)
    margin = 14 << depth
    for channel in range(3):
        pyramid = [found[0][channel], *(tuple(band[channel] for band in level) for level in found[1:])]
        made = pywt.waverec2(pyramid, "rbio1.5", mode="periodization")
        inner = (made - expected[channel])[margin:-margin, margin:-margin]
        assert np.abs(inner).max() < 0.25 * depth


@pytest.mark.parametrize("depth", [0, 6])
def test_st47_a_depth_the_slide_does_not_have_is_out_of_range(reader: StoreReader, depth: int) -> None:
    with pytest.raises(OutOfRange):
        coefficients(reader, Address(0, 0, 0, 0, 0), depth)
