"""Slides of several channels, from the file to the store and back (ST110 to ST112)."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tifffile
import zarr
from jsonschema import Draft202012Validator

from ingest.worlds import ingested, real
from wavescope.channels.channel import Range
from wavescope.errors import CorruptBlock, CorruptStore, InvalidParameter, UnsupportedVersion
from wavescope.geometry import Address
from wavescope.ingest.reencode import advise_version
from wavescope.ingest.stored_source import spec_of, stored_source
from wavescope.kernel.layers import read_address, split_layers
from wavescope.kernel.noise import Noise
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


@pytest.mark.parametrize(
    ("version", "dtype"), [("0.4", "uint8"), ("0.5", "int16"), ("0.4", "int16"), ("0.5", "uint16")]
)
def test_st110_every_sample_of_an_ome_zarr_comes_back(tmp_path: Path, version: str, dtype: str) -> None:
    limits = np.iinfo(dtype)
    data = np.random.default_rng(7).integers(limits.min, limits.max, (3, 2, 300, 270), dtype, endpoint=True)
    group = zarr.open_group(tmp_path / "a.ome.zarr", mode="w", zarr_format=3 if version == "0.5" else 2)
    group.create_array("0", shape=data.shape, dtype=dtype, chunks=(1, 1, 128, 100))[...] = data
    said: Any = {"version": version, "axes": [{"name": axis} for axis in "czyx"], "datasets": [{"path": "0"}]}
    group.attrs.update({"ome": {"multiscales": [said]}} if version == "0.5" else {"multiscales": [said]})
    made = ingested(tmp_path / "a.ome.zarr", tmp_path / "store", quality="lossless")
    assert list(verify(tmp_path / "store", made.digest)) == []
    stored = stored_source(StoreReader.open(tmp_path / "store", made.digest))
    for z in (0, 1):
        assert np.array_equal(stored.read_region(z, 0, 0, 270, 300), np.moveaxis(data[:, z], 0, 2))


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
    keys = [bytes.fromhex(one["key"]) for one in manifest.codec["groups"]]
    for sets in reader.version.parameter_sets:
        assert [one[16:32] for one in sets] == keys == [keys[0][:-1] + bytes([keys[0][-1] ^ c]) for c in range(4)]
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
        StoreReader.open(store, digest).read(address, range(2))
    found = {damage.part for damage in verify(store, digest)}
    expected = "shard (0, 1, 0, 0, 0)" if what == "shard" else "approximation of plane 0, channel 1"
    assert expected in found


def test_st21_a_page_of_another_channel_is_refused(
    exact: tuple[Path, str, np.ndarray[Any, Any]], tmp_path: Path
) -> None:
    store, digest = copy(exact, tmp_path)
    reader = StoreReader.open(store, digest)
    pages = reader.directory.pages
    keys = [key for key in pages if key.c != 2]
    one, other = next(
        pair for pair in combinations(keys, 2) if pair[0].c != pair[1].c and pages[pair[0]][1] == pages[pair[1]][1]
    )
    first, second = pages[one], pages[other]
    data = bytearray(reader.paths.layer_index.read_bytes())
    data[first[0] : first[0] + first[1]] = data[second[0] : second[0] + second[1]]
    reader.paths.layer_index.write_bytes(data)
    with pytest.raises(CorruptStore, match="layer-index page"):
        StoreReader.open(store, digest).page(one.z, one.c, one.level, one.page)


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
        assert np.array_equal(top[1, c], samples(reader, Address(1, c, 2, 0, 0), 2)[0][0])


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
    assert not validator.is_valid({**fields, "channel_descriptions": []})
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


@pytest.mark.parametrize("dtype", ["uint16", "int16", "int8"])
def test_st112_samples_of_any_depth_come_back(tmp_path: Path, dtype: str) -> None:
    least, most = np.iinfo(dtype).min, np.iinfo(dtype).max
    data = np.random.default_rng(5).integers(least, most, (2, 300, 270), dtype, endpoint=True)
    data[1, 40:200] = np.linspace(least, most, 270).astype(dtype)
    tifffile.imwrite(tmp_path / "a.ome.tif", data, metadata={"axes": "CYX"}, photometric="minisblack")
    made = ingested(tmp_path / "a.ome.tif", tmp_path / "store", quality="lossless")
    assert made.notices == ()
    assert (made.manifest.dtype, made.manifest.profile) == (np.dtype(dtype), "lossless")
    stored = stored_source(StoreReader.open(tmp_path / "store", made.digest))
    assert np.array_equal(stored.read_region(0, 0, 0, 270, 300), np.moveaxis(data, 0, 2))
    assert made.manifest.quality is not None
    assert (made.manifest.quality.psnr[0][-1], made.manifest.quality.sigma[0][-1]) == (99.0, 0.0)


def test_st112_the_real_stack_of_16_bits_comes_back_bit_by_bit(tmp_path: Path) -> None:
    made = ingested(real("zstack_microtubules_16bit"), tmp_path / "store", quality="lossless")
    source = open_source(real("zstack_microtubules_16bit"))
    stored = stored_source(StoreReader.open(tmp_path / "store", made.digest))
    assert (made.manifest.planes, made.manifest.bit_depth, made.manifest.channel_groups) == (7, 16, 1)
    for z in range(7):
        assert np.array_equal(stored.read_region(z, 0, 0, 512, 800), source.read_region(z, 0, 0, 512, 800))
    assert 3.37 * sum(map(sum, made.manifest.bytes)) < 512 * 800 * 7 * 2  # as JPEG XL has it


@pytest.mark.parametrize(("quality", "error"), [("fine", 0.15), ("visual", 0.35), ("0.5sigma", 0.5), ("compact", 0.7)])
def test_st113_the_error_is_what_was_asked_for_in_units_of_noise(tmp_path: Path, quality: str, error: float) -> None:
    made = ingested(SPECIMEN, tmp_path / "store", quality=quality)
    manifest: Manifest = made.manifest
    assert manifest.profile == "visual"
    assert {(one.bits, one.significant_bits, one.signed) for one in manifest.descriptions} == {(16, 14, False)}
    assert all(one.noise for one in manifest.descriptions)
    assert manifest.quality is not None
    assert manifest.chosen is not None
    reached = manifest.quality.sigma[0][-1]
    assert reached is not None
    assert 0.7 * error < reached < 1.1 * error
    assert (manifest.chosen.measure, manifest.chosen.score) == ("sigma", pytest.approx(error, rel=0.3))
    source, stored = open_source(SPECIMEN), stored_source(StoreReader.open(tmp_path / "store", made.digest))
    first, model = source.read_region(1, 0, 0, 700, 600), manifest.descriptions[2].noise
    found = stored.read_region(1, 0, 0, 700, 600)[:, :, 2].astype(float) - first[:, :, 2]
    assert model is not None
    assert np.sqrt(np.mean((found / Noise(*model).deviation(first[:, :, 2])) ** 2)) < 1.2 * error
    assert manifest.chosen.factor is not None
    for z in (0, 1):  # CM7: four million samples
        samples = source.read_region(z, 0, 0, 700, 600).astype(float)
        shown = stored.read_region(z, 0, 0, 700, 600).astype(float)
        for c, one in enumerate(manifest.descriptions):
            assert one.noise is not None
            within = np.ceil(4 * manifest.chosen.factor * Noise(*one.noise).deviation(shown[:, :, c]))
            assert (np.abs(samples[:, :, c] - shown[:, :, c]) <= within).all()


@pytest.mark.parametrize(
    ("spec", "quality", "expected"),
    [(SPECIMEN, "40dB", "0.3sigma"), ("specimen:300x300?seed=1", "0.3sigma", "a PSNR of level 0")],
)
def test_st66_qualities_of_pictures_and_of_channels_are_not_exchanged(
    tmp_path: Path, spec: str, quality: str, expected: str
) -> None:
    with pytest.raises(InvalidParameter, match=expected):
        ingested(spec, tmp_path / "store", quality=quality)


def test_st67_auto_keeps_what_a_lossless_source_has_and_never_more_bytes(tmp_path: Path) -> None:
    source = open_source("specimen:700x600?seed=4&channels=2")
    samples = np.moveaxis(source.read_region(0, 0, 0, 700, 600), 2, 0)
    for name, compression in (("plain", None), ("packed", "zstd")):
        tifffile.imwrite(
            tmp_path / f"{name}.ome.tif",
            samples,
            metadata={"axes": "CYX"},
            photometric="minisblack",
            tile=(256, 256),
            compression=compression,
        )
    made = ingested(tmp_path / "plain.ome.tif", tmp_path / "store", quality="auto")
    assert made.manifest.profile == "lossless"
    flat = samples // 64 * 64  # zstd packs it, our noise model does not
    tifffile.imwrite(
        tmp_path / "flat.ome.tif",
        flat,
        metadata={"axes": "CYX"},
        photometric="minisblack",
        tile=(256, 256),
        compression="zstd",
    )
    made = ingested(tmp_path / "flat.ome.tif", tmp_path / "store", quality="auto")
    assert made.manifest.source.tile_bytes is not None
    assert sum(map(sum, made.manifest.bytes)) <= made.manifest.source.tile_bytes


def test_st112_slides_of_older_imports_keep_their_windows(tmp_path: Path) -> None:
    data = np.random.default_rng(5).integers(0, 256, (2, 300, 270), np.uint8)
    tifffile.imwrite(tmp_path / "a.ome.tif", data, metadata={"axes": "CYX"}, photometric="minisblack")
    made = ingested(tmp_path / "a.ome.tif", tmp_path / "store", quality="lossless")
    old = [replace(one, bits=16, window=Range(100, 4000)) for one in made.manifest.descriptions]
    fields = replace(made.manifest, descriptions=tuple(old)).to_json()
    for one in fields["channel_descriptions"]:
        del one["noise"]
    digest = digest_of(fields)
    read = parse_manifest(canonical({**fields, "digest": digest}), digest)
    assert [(one.window, one.exact, one.stored) for one in read.descriptions] == [((100, 4000), False, (0, 255))] * 2
    deep = {**fields, "bit_depth": 16}
    with pytest.raises(CorruptStore):
        parse_manifest(canonical({**deep, "digest": digest_of(deep)}), digest_of(deep))


def test_st68_a_slide_of_channels_is_encoded_again_with_all_of_them(tmp_path: Path) -> None:
    store = tmp_path / "store"
    before = ingested(SPECIMEN, store, quality="fine")
    advice = advise_version(store, before.digest)
    assert advice.raw_bytes == 700 * 600 * 2 * 5 * 2
    assert advice.measure == "sigma"
    assert advice.presets["compact"].bytes < advice.presets["visual"].bytes < advice.presets["lossless"].bytes
    after = ingested(spec_of(store, before.digest), store, quality="compact")
    described = [[replace(one, noise=None) for one in each.manifest.descriptions] for each in (before, after)]
    assert described[0] == described[1]
    assert sum(map(sum, after.manifest.bytes)) < sum(map(sum, before.manifest.bytes))
    assert list(verify(store, after.digest)) == []
