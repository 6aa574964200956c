"""Slides of several channels, from the file to the store and back (ST110 to ST112)."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tifffile
import zarr
from jsonschema import Draft202012Validator

from ingest.worlds import ingested, real
from wavescope.errors import CorruptBlock, CorruptStore, InvalidParameter, UnsupportedVersion
from wavescope.geometry import Address
from wavescope.ingest.reencode import advise_version
from wavescope.ingest.stored_source import spec_of, stored_source
from wavescope.kernel.layers import read_address, split_layers
from wavescope.source.open import open_source
from wavescope.store.coefficients import samples
from wavescope.store.layout import StorePaths
from wavescope.store.manifest import Manifest, canonical, digest_of, parse_manifest
from wavescope.store.reader import StoreReader
from wavescope.store.verify import verify

SCHEMA = json.loads((Path(__file__).parents[3] / "shared/spec/manifest.schema.json").read_text())
SPECIMEN = "specimen:700x600x2?seed=4&channels=5"


@pytest.fixture(scope="module")
def exact(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str, np.ndarray[Any, Any]]:
    """A lossless slide of 4 channels and 2 planes: store, digest and its samples (z, c, y, x)."""
    folder = tmp_path_factory.mktemp("channels")
    fine = open_source("specimen:900x700x2?seed=9&channels=4")
    planes = np.stack([np.moveaxis(fine.read_region(z, 0, 0, 900, 700), 2, 0) for z in (0, 1)])
    planes[:, 2] = 0  # an empty channel
    tifffile.imwrite(folder / "a.ome.tif", planes, metadata={"axes": "ZCYX"}, photometric="minisblack", tile=(256, 256))
    made = ingested(folder / "a.ome.tif", folder / "store", quality="lossless")
    return folder / "store", made.digest, planes


def copy(exact: tuple[Path, str, np.ndarray[Any, Any]], folder: Path) -> tuple[Path, str]:
    shutil.copytree(exact[0], folder / "store")
    return folder / "store", exact[1]


def test_st110_every_channel_of_every_plane_comes_back(exact: tuple[Path, str, np.ndarray[Any, Any]]) -> None:
    store, digest, expected = exact
    assert list(verify(store, digest)) == []
    stored = stored_source(StoreReader.open(store, digest))
    for z in (0, 1):
        assert np.array_equal(stored.read_region(z, 0, 0, 900, 700), np.moveaxis(expected[z], 0, 2))


def test_st110_real_files_come_back_bit_by_bit(tmp_path: Path) -> None:
    for name in ("pathml_small_vectra.qptiff", "multi-channel-z-series.ome.tif"):
        digest = ingested(real(name), tmp_path / "store", quality="lossless").digest
        assert list(verify(tmp_path / "store", digest)) == []
        source, stored = open_source(real(name)), stored_source(StoreReader.open(tmp_path / "store", digest))
        whole = source.info.width, source.info.height
        for z in range(source.info.planes):
            assert np.array_equal(stored.read_region(z, 0, 0, *whole), source.read_region(z, 0, 0, *whole))


def test_st110_each_group_has_a_key_of_its_own_and_says_group_0(exact: tuple[Path, str, np.ndarray[Any, Any]]) -> None:
    reader = StoreReader.open(*exact[:2])
    manifest = reader.manifest
    assert (manifest.channels, manifest.channel_groups, manifest.group_channels) == (4, 4, 1)
    key = bytes.fromhex(manifest.codec["key"])
    for sets in reader.version.parameter_sets:
        assert [one[16:32] for one in sets] == [key[:-1] + bytes([key[-1] ^ c]) for c in range(4)]
        assert {(one[9], one[10], one[11]) for one in sets} == {(1, 0, 1)}
    address = Address(1, 3, 0, 2, 1)
    assert read_address(split_layers(reader.read(address, range(1)))[0], 0, 1) == address._replace(c=0)


def test_st12_the_blocks_of_an_empty_channel_take_no_bytes(exact: tuple[Path, str, np.ndarray[Any, Any]]) -> None:
    reader = StoreReader.open(*exact[:2])
    assert not any(any(reader.layer_lengths(Address(0, 2, 0, x, y))) for x in range(4) for y in range(3))
    assert not reader.paths.shard(0, 2, 0, 0, 0).exists()
    assert reader.paths.shard(0, 3, 0, 0, 0).exists()


@pytest.mark.parametrize("what", ["shard", "approximation"])
def test_st48_st49_files_of_two_channels_exchanged_are_noticed(
    exact: tuple[Path, str, np.ndarray[Any, Any]], tmp_path: Path, what: str
) -> None:
    store, digest = copy(exact, tmp_path)
    paths = StorePaths(store).version(digest)
    address = Address(0, 1, 0, 0, 0) if what == "shard" else Address(0, 1, 2, 0, 0)
    first, second = (
        (paths.shard(0, c, 0, 0, 0) if what == "shard" else paths.approximation_plane(0, c)) for c in (0, 1)
    )
    content = first.read_bytes()
    first.write_bytes(second.read_bytes())
    second.write_bytes(content)
    with pytest.raises(CorruptBlock):
        StoreReader.open(store, digest).read(address, range(3))
    found = {damage.part for damage in verify(store, digest)}
    expected = "shard (0, 1, 0, 0, 0)" if what == "shard" else "approximation of plane 0, channel 1"
    assert expected in found


def test_st21_a_page_of_another_channel_is_refused(
    exact: tuple[Path, str, np.ndarray[Any, Any]], tmp_path: Path
) -> None:
    store, digest = copy(exact, tmp_path)
    reader = StoreReader.open(store, digest)
    pages = reader.directory.pages
    first, second = (pages[next(key for key in pages if key.c == c and key.level == 1)] for c in (0, 3))
    data = bytearray(reader.paths.layer_index.read_bytes())
    assert first[1] == second[1]
    data[first[0] : first[0] + first[1]] = data[second[0] : second[0] + second[1]]
    reader.paths.layer_index.write_bytes(data)
    with pytest.raises(CorruptStore, match="layer-index page"):
        StoreReader.open(store, digest).page(0, 0, 1, 0)


def test_st14_zarr_reads_the_coefficients_of_every_channel(exact: tuple[Path, str, np.ndarray[Any, Any]]) -> None:
    store, digest, _ = exact
    group = zarr.open_group(StorePaths(store).version(digest).root, mode="r")
    level: Any = group["levels/0"]
    assert level.shape == (2, 4, 3, 3 * 128, 4 * 128)
    assert level.chunks == (1, 1, 3, 128, 128)
    assert not np.asarray(level[0, 2]).any()
    assert all(np.asarray(level[z, c]).any() for z in (0, 1) for c in (0, 1, 3))
    top: Any = group["approximation"]
    assert top.shape == (2, 4, 256, 256)
    reader = StoreReader.open(store, digest)
    for c in range(4):
        assert np.array_equal(top[1, c], samples(reader, Address(1, c, 2, 0, 0), 3)[0][0])


def test_st111_the_manifest_describes_the_channels(exact: tuple[Path, str, np.ndarray[Any, Any]]) -> None:
    reader = StoreReader.open(*exact[:2])
    fields = json.loads(reader.paths.manifest.read_bytes())
    assert fields["version"] == "1.1"
    assert "empty" not in fields
    validator = Draft202012Validator(SCHEMA)
    assert validator.is_valid(fields)
    described = fields["channel_descriptions"]
    for name in described[0]:
        broken = [{**described[0], name: {"of": "another kind"}}, *described[1:]]
        assert not validator.is_valid({**fields, "channel_descriptions": broken}), name
    assert not validator.is_valid({**fields, "channel_descriptions": described[:1]})
    assert [one["name"] for one in described] == [f"Channel {n}" for n in (1, 2, 3, 4)]
    assert parse_manifest(canonical(fields), fields["digest"]) == reader.manifest


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        ({"version": "1.0"}, UnsupportedVersion),
        ({"channel_groups": 2}, UnsupportedVersion),
        ({"channels": 8}, UnsupportedVersion),
        ({"channel_groups": 65, "channels": 65}, UnsupportedVersion),
        ({"channel_groups": True}, UnsupportedVersion),
        ({"channel_groups": 3, "channels": 3}, CorruptStore),
        ({"channel_descriptions": []}, CorruptStore),
    ],
)
def test_st79_st6_other_numbers_of_channels_are_refused(
    exact: tuple[Path, str, np.ndarray[Any, Any]], changes: dict[str, object], error: type[Exception]
) -> None:
    fields = StoreReader.open(*exact[:2]).manifest.to_json() | changes
    digest = digest_of(fields)
    with pytest.raises(error):
        parse_manifest(canonical({**fields, "digest": digest}), digest)


def test_st112_16_bits_are_stored_by_windows_and_never_called_lossless(tmp_path: Path) -> None:
    made = ingested(SPECIMEN, tmp_path / "store", quality="40dB")
    manifest: Manifest = made.manifest
    assert manifest.profile == "visual"
    assert made.notices == (
        "16-bit samples of each of its channels are stored as 0 to 255, by a window of its own; values outside are "
        "clipped",
    )
    assert {(one.bits, one.significant_bits, one.signed) for one in manifest.descriptions} == {(16, 14, False)}
    assert len({one.window for one in manifest.descriptions}) == 5
    assert manifest.quality is not None
    assert manifest.quality.psnr[0][-1] == pytest.approx(40, abs=0.5)
    with pytest.raises(InvalidParameter, match="16-bit samples of each of its channels"):
        ingested(SPECIMEN, tmp_path / "store", quality="lossless")


def test_st68_a_slide_of_channels_is_encoded_again_with_all_of_them(tmp_path: Path) -> None:
    store = tmp_path / "store"
    before = ingested(SPECIMEN, store, quality="45dB")
    advice = advise_version(store, before.digest)
    assert advice.raw_bytes == 700 * 600 * 2 * 5
    after = ingested(spec_of(store, before.digest), store, quality="32dB")
    assert after.manifest.descriptions == before.manifest.descriptions
    assert sum(map(sum, after.manifest.bytes)) < sum(map(sum, before.manifest.bytes))
    assert list(verify(store, after.digest)) == []
