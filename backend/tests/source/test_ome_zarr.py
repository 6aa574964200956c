"""OME-Zarr as a source: Zarr 2 and 3, any of the axes t, c, z, y, x, and what is refused."""

from __future__ import annotations

import bz2
import gzip
import json
import struct
import sys
import tracemalloc
import zlib
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import google_crc32c
import numcodecs  # type: ignore[import-untyped]
import numpy as np
import pytest
import zarr
from numpy.typing import NDArray
from zarr.codecs import BloscCodec, GzipCodec

from wavescope.channels.channel import Display
from wavescope.errors import MissingPackage, UnreadableSource, UnsupportedSource
from wavescope.source.base import Limits
from wavescope.source.channels import Channels
from wavescope.source.files import source_files
from wavescope.source.ome_zarr import with_zarr
from wavescope.source.open import fingerprint, open_source
from wavescope.source.segment_cache import SegmentCache

WINDOWS = [{"window": {"start": 0, "end": 9}}] * 3
SIZES = {"t": 2, "c": 3, "z": 4, "y": 90, "x": 130}


def samples(axes: str, dtype: str = "uint16", **sizes: int) -> NDArray[Any]:
    limits, shape = np.iinfo(dtype), tuple((SIZES | sizes)[axis] for axis in axes)
    values: NDArray[Any] = np.random.default_rng(6).integers(limits.min, limits.max, shape, dtype, endpoint=True)
    return values


def write(path: Path, data: NDArray[Any], axes: str, version: str = "0.5", omero: Any = None, **options: Any) -> Path:
    """One image of one level, in chunks of 40 x 50; ``options`` are those of the array."""
    group = zarr.open_group(path, mode="w", zarr_format=3 if version == "0.5" else 2)
    chunks = (*(1 for _ in axes[:-2]), 40, 50)
    options = {"chunks": chunks, **options}
    group.create_array("0", shape=data.shape, dtype=data.dtype, **options)[...] = data
    spaces = ("z", "y", "x")
    scale = [{"z": 2000.0, "y": 250.0, "x": 500.0}.get(axis, 1.0) for axis in axes]
    multiscales = {
        "version": version,
        "axes": [
            {"name": axis, "type": "space", "unit": "nanometer"} if axis in spaces else {"name": axis} for axis in axes
        ],
        "datasets": [{"path": "0", "coordinateTransformations": [{"type": "scale", "scale": scale}]}],
    }
    said: Any = {"multiscales": [multiscales], **({"omero": {"channels": omero}} if omero else {})}
    group.attrs.update({"ome": said} if version == "0.5" else said)
    return path


def opened(path: Path) -> Channels:
    source = open_source(path)
    assert isinstance(source, Channels)
    return source


@pytest.mark.parametrize("version", ["0.4", "0.5"])
@pytest.mark.parametrize("axes", ["tczyx", "czyx", "zyx", "cyx", "tcyx", "yx"])
def test_channels_and_focal_planes_of_any_axes(tmp_path: Path, version: str, axes: str) -> None:
    data = samples(axes)
    source = opened(write(tmp_path / "a.ome.zarr", data, axes, version))
    info = source.info
    channels, planes = SIZES["c"] if "c" in axes else 1, SIZES["z"] if "z" in axes else 1
    assert (info.width, info.height, info.channels, info.planes) == (130, 90, channels, planes)
    assert (info.mpp_x, info.mpp_y, info.plane_spacing_um) == (0.5, 0.25, 2.0 if "z" in axes else None)
    assert (info.format, info.dtype) == ("ome-zarr", np.dtype("uint16"))
    assert info.notices == (
        ("it has 2 time points; number 1 is imported (--time chooses another)",) if "t" in axes else ()
    )
    for c in range(channels):
        for z in range(planes):
            at = tuple({"t": 0, "c": c, "z": z}[axis] for axis in axes[:-2])
            assert np.array_equal(source.read(z, c, 11, 7, 100, 80), data[at][7:87, 11:111])


@pytest.mark.parametrize("dtype", ["uint8", "int8", "int16"])
def test_samples_of_each_type_are_exact(tmp_path: Path, dtype: str) -> None:
    data = samples("cyx", dtype)
    source = opened(write(tmp_path / "a.zarr", data, "cyx"))
    assert (source.info.dtype, source.info.exact) == (np.dtype(dtype), True)
    assert np.array_equal(source.read_region(0, 0, 0, 130, 90), np.moveaxis(data, 0, 2))


@pytest.mark.parametrize(
    "options",
    [
        {"chunks": (3, 2, 64, 64)},
        {"chunks": (1, 1, 20, 30), "shards": (1, 2, 60, 90)},
        {"compressors": None, "chunks": (1, 1, 90, 130)},
        {"compressors": BloscCodec(cname="lz4")},
        {"compressors": GzipCodec()},
    ],
)
def test_chunks_of_any_shape_and_codec(tmp_path: Path, options: dict[str, Any]) -> None:
    data = samples("czyx")
    source = opened(write(tmp_path / "a.zarr", data, "czyx", **options))
    with ThreadPoolExecutor(4) as pool:
        found = pool.map(lambda i: source.read(i % 4, i % 3, i, i, 70, 60), range(24))
        for i, one in enumerate(found):
            assert np.array_equal(one, data[i % 3, i % 4, i : i + 60, i : i + 70])


def test_only_the_chunks_of_a_region_are_read_and_each_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = opened(write(tmp_path / "a.zarr", samples("czyx"), "czyx", chunks=(3, 1, 40, 50)))
    read: list[tuple[int, ...]] = []
    decoded = with_zarr._Reading._decoded

    def counted(self: with_zarr._Reading, key: tuple[int, ...]) -> NDArray[Any]:
        read.append(key)
        return decoded(self, key)

    monkeypatch.setattr(with_zarr._Reading, "_decoded", counted)
    monkeypatch.setattr(source._read, "_cache", SegmentCache(1 << 20))
    for c in range(3):
        source.read(2, c, 45, 10, 20, 20)
    assert read == [(0, 2, 0, 0), (0, 2, 0, 1)]


def test_st111_omero_describes_channels(tmp_path: Path) -> None:
    omero = [
        {"label": "DAPI", "color": "0000ff", "window": {"start": 100, "end": 5000, "min": 0, "max": 65535}},
        {"label": "CD8", "color": "#00FF80", "active": False, "window": {"start": 7.4, "end": 1e9}},
        {"label": "", "color": "nonsense", "window": {"start": 9, "end": 9}},
    ]
    found = opened(write(tmp_path / "a.zarr", samples("cyx"), "cyx", omero=omero)).info.descriptions
    assert [(one.name, one.colour) for one in found] == [("DAPI", "0000FF"), ("CD8", "00FF80"), ("Channel 3", "FF0000")]
    assert found[0].display == Display(100, 5000)
    assert found[1].display == Display(7, 65535, on=False)
    assert found[2].display.low > 9  # by its contrast


def test_three_channels_of_red_green_and_blue_are_a_picture(tmp_path: Path) -> None:
    data = samples("cyx", "uint8")
    omero = [{"color": colour} for colour in ("FF0000", "00FF00", "0000FF")]
    source = open_source(write(tmp_path / "a.zarr", data, "cyx", omero=omero))
    assert (source.info.channels, source.info.groups) == (3, 1)
    assert source.info.notices == ("its three channels are taken for red, green and blue",)
    assert np.array_equal(source.read_region(0, 5, 6, 90, 70), np.moveaxis(data, 0, 2)[6:76, 5:95])


COLOURS = ("FF0000", "00FF00", "0000FF")


@pytest.mark.parametrize(
    ("labels", "colours", "picture"),
    [
        (("", "", ""), COLOURS, True),
        (("Channel 0", "Channel 1", "Channel 2"), COLOURS, True),  # of bioformats2raw, with windows of the samples
        (("R", "G", "B"), COLOURS, True),
        (("Red", "green", "BLUE"), ("", "", ""), True),
        (("DAPI", "CD8", "Ki-67"), COLOURS, False),
        (("B", "G", "R"), COLOURS, False),
        (("Red", "Green", "Blue"), COLOURS[::-1], False),
        (("Red", "Green", "Blue"), ("FF0000", "", ""), False),
        (("0", "1", "2"), ("", "", ""), False),
    ],
)
def test_in18_which_three_channels_are_a_picture(
    tmp_path: Path, labels: tuple[str, ...], colours: tuple[str, ...], picture: bool
) -> None:
    omero = [
        {"label": label, "color": colour, "window": {"start": 12, "end": 250}}
        for label, colour in zip(labels, colours, strict=True)
    ]
    source = open_source(write(tmp_path / "a.zarr", samples("cyx", "uint8"), "cyx", omero=omero))
    assert isinstance(source, Channels) != picture
    deep = write(tmp_path / "b.zarr", samples("cyx"), "cyx", omero=omero)
    assert isinstance(open_source(deep), Channels)


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of ome-zarr-py itself
@pytest.mark.parametrize("version", ["0.4", "0.5"])
def test_a_pyramid_of_ome_zarr_py_is_read_at_its_largest_level(tmp_path: Path, version: str) -> None:
    from ome_zarr.format import FormatV04, FormatV05
    from ome_zarr.writer import write_image

    data = samples("czyx")
    form = FormatV04() if version == "0.4" else FormatV05()
    group = zarr.open_group(tmp_path / "a.zarr", mode="w", zarr_format=form.zarr_format)
    write_image(data, group, axes="czyx", fmt=form)
    source = opened(tmp_path / "a.zarr")
    assert np.array_equal(source.read(3, 2, 0, 0, 130, 90), data[2, 3])


def test_in18_of_a_collection_the_largest_image_is_imported(tmp_path: Path) -> None:
    small, large = samples("cyx", x=60), samples("cyx")
    root = zarr.open_group(tmp_path / "a.zarr", mode="w", zarr_format=2)
    root.attrs["bioformats2raw.layout"] = 3
    write(tmp_path / "a.zarr" / "0", small, "cyx", "0.4")
    write(tmp_path / "a.zarr" / "1", large, "cyx", "0.4")
    source = opened(tmp_path / "a.zarr")
    assert source.info.notices == ("it has 2 images; the largest one is imported",)
    assert np.array_equal(source.read(0, 1, 0, 0, 130, 90), large[1])


def attributes(path: Path, change: dict[str, Any]) -> Path:
    file = path / "zarr.json"
    document = json.loads(file.read_bytes())
    ome = document["attributes"]["ome"]
    document["attributes"]["ome"] = {name: value for name, value in (ome | change).items() if value is not None}
    file.write_text(json.dumps(document))
    return path


AXES = [{"name": name} for name in "cyx"]


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"plate": {}}, "it is a plate of many images"),
        ({"multiscales": None}, "a Zarr group without an image"),
        ({"multiscales": [{"axes": [{"name": "q"}, *AXES], "datasets": [{"path": "0"}]}]}, "its axes are q, c, y, x"),
        ({"multiscales": [{"axes": AXES[::-1], "datasets": [{"path": "0"}]}]}, "its axes are x, y, c"),
        ({"multiscales": [{"axes": AXES, "datasets": [{"path": "../b"}]}]}, r"'\.\./b' lies outside of its folder"),
        ({"multiscales": [{"axes": AXES, "datasets": [{"path": "/etc"}]}]}, "lies outside of its folder"),
    ],
)
def test_what_is_no_image_is_refused_by_name(tmp_path: Path, change: dict[str, Any], reason: str) -> None:
    path = attributes(write(tmp_path / "a.zarr", samples("cyx"), "cyx"), change)
    with pytest.raises(UnsupportedSource, match=reason):
        open_source(path)


@pytest.mark.parametrize("multiscales", [[], {}, 7, [{"axes": 3}], [{"axes": AXES, "datasets": []}], [None]])
def test_damaged_descriptions_are_refused(tmp_path: Path, multiscales: Any) -> None:
    path = attributes(write(tmp_path / "a.zarr", samples("cyx"), "cyx"), {"multiscales": multiscales})
    with pytest.raises(UnreadableSource):
        open_source(path)


def test_in18_other_samples_and_codecs_are_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(UnsupportedSource, match="samples of type float32 are not read"):
        open_source(write(tmp_path / "a.zarr", np.zeros((3, 90, 130), np.float32), "cyx"))
    path = write(tmp_path / "b.zarr", samples("cyx"), "cyx", "0.4")
    file = path / "0" / ".zarray"
    file.write_text(json.dumps(json.loads(file.read_bytes()) | {"filters": [{"id": "pickle"}]}))
    with pytest.raises(UnsupportedSource, match="codec 'pickle'"):
        open_source(path)


def test_chunks_too_large_to_decode_are_refused(tmp_path: Path) -> None:
    path = write(tmp_path / "a.zarr", samples("cyx"), "cyx", chunks=(3, 90, 130))
    with pytest.raises(UnreadableSource, match="its chunks need 70,200 bytes decoded; the limit is 70,000"):
        open_source(path, Limits(decoded_bytes=70_000))


BOMB = 64 << 20
"""Bytes; a chunk of the array has 4,000."""
PACKED: dict[str, Callable[[bytes], bytes]] = {
    "gzip": gzip.compress,
    "zlib": zlib.compress,
    "bz2": bz2.compress,
    "zstd": numcodecs.Zstd().encode,
    "blosc": numcodecs.Blosc().encode,
    "lz4": numcodecs.LZ4().encode,
}


@pytest.mark.parametrize("codec", PACKED)
def test_in18_a_chunk_that_decodes_to_more_than_it_has_is_refused_in_little_memory(tmp_path: Path, codec: str) -> None:
    data = samples("cyx")
    compressor = numcodecs.get_codec({"id": codec})
    path = write(tmp_path / "a.zarr", data, "cyx", "0.4", compressors=compressor)
    source = opened(path)
    assert np.array_equal(source.read(0, 2, 0, 0, 130, 90), data[2])
    (path / "0" / "1.0.0").write_bytes(PACKED[codec](bytes(BOMB)))
    source = opened(attributes_v2(path))
    tracemalloc.start()
    with pytest.raises(UnreadableSource, match=r"its chunk \(1, 0, 0\) decodes to more than 16,000 bytes"):
        source.read(0, 1, 0, 0, 50, 40)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < BOMB // 8


def test_in18_a_bomb_within_a_shard_is_refused(tmp_path: Path) -> None:
    options: Any = {"chunks": (1, 20, 30), "shards": (1, 60, 90), "compressors": GzipCodec()}
    path = write(tmp_path / "a.zarr", samples("cyx"), "cyx", omero=WINDOWS, **options)
    shard = path / "0" / "c" / "1" / "0" / "0"
    whole, bomb = bytearray(shard.read_bytes()), gzip.compress(bytes(BOMB))
    index = len(whole) - 9 * 16 - 4
    struct.pack_into("<QQ", whole, index + 16 * 4, 0, len(bomb))
    table = bytes(whole[index:-4])
    shard.write_bytes(bomb + bytes(whole) + table + struct.pack("<I", google_crc32c.value(table)))
    source = opened(path)
    with pytest.raises(UnreadableSource, match=r"its chunk \(1, 1, 1\) decodes to more than 4,800 bytes"):
        source.read(0, 1, 30, 20, 30, 20)


def attributes_v2(path: Path) -> Path:
    """Its channels have windows, so that none is read when it is opened."""
    file = path / ".zattrs"
    file.write_text(json.dumps(json.loads(file.read_bytes()) | {"omero": {"channels": WINDOWS}}))
    return path


@pytest.mark.parametrize(
    "codecs",
    [
        [{"name": "bytes"}, {"name": "gzip", "configuration": {"level": 1}}, {"name": "zstd"}],
        [{"name": "sharding_indexed", "configuration": {"codecs": [{"name": "bytes"}]}}, {"name": "gzip"}],
        [{"name": "sharding_indexed", "configuration": {"index_codecs": [{"name": "bytes"}, {"name": "gzip"}]}}],
        [{"name": "sharding_indexed", "configuration": {"codecs": [{"name": "sharding_indexed"}]}}],
    ],
)
def test_in18_chunks_whose_size_cannot_be_measured_are_refused(tmp_path: Path, codecs: list[Any]) -> None:
    path = write(tmp_path / "a.zarr", samples("cyx"), "cyx")
    file = path / "0" / "zarr.json"
    file.write_text(json.dumps(json.loads(file.read_bytes()) | {"codecs": codecs}))
    with pytest.raises(UnsupportedSource, match="are not read"):
        open_source(path)


def test_damaged_chunks_are_reported_and_absent_ones_are_empty(tmp_path: Path) -> None:
    data = samples("cyx")
    path = write(tmp_path / "a.zarr", data, "cyx", omero=WINDOWS)
    (path / "0" / "c" / "1" / "0" / "0").unlink()
    damaged = path / "0" / "c" / "2" / "1" / "0"
    damaged.write_bytes(damaged.read_bytes()[:-20])
    source = opened(path)
    assert not source.read(0, 1, 0, 0, 50, 40).any()
    with pytest.raises(UnreadableSource, match=r"its chunk \(2, 1, 0\) is damaged"):
        source.read(0, 2, 0, 40, 50, 40)


def test_st97_the_fingerprint_names_files_by_their_places(tmp_path: Path) -> None:
    path = write(tmp_path / "a.zarr", samples("cyx"), "cyx")
    before = fingerprint(path)
    path = path.rename(tmp_path / "b.zarr")
    assert fingerprint(path) == before
    assert path / "0" / "c" / "1" / "0" / "1" in source_files(path)
    first, second = (path / "0" / "c" / c / "0" / "0" for c in "01")
    first.rename(tmp_path / "x")
    second.rename(first)
    (tmp_path / "x").rename(second)
    assert fingerprint(path) != before


@pytest.mark.parametrize("version", ["0.4", "0.5"])
@pytest.mark.parametrize("linked", ["chunk", "folder", "array", "group", "image"])
def test_st97_links_are_refused_before_anything_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, version: str, linked: str
) -> None:
    path = write(tmp_path / "a", samples("yx"), "yx", version)
    if linked == "image":
        path = collection(tmp_path / "b", path, version)
    name, chunk = ("zarr.json", "c/0/0") if version == "0.5" else (".zattrs", "0.0")
    part = {
        "chunk": f"0/{chunk}",
        "folder": "0",
        "array": "0/zarr.json" if version == "0.5" else "0/.zarray",
        "group": name,
        "image": "0",
    }[linked]
    elsewhere = tmp_path / "elsewhere"
    (path / part).rename(elsewhere)
    (path / part).symlink_to(elsewhere)
    monkeypatch.setattr(with_zarr, "images_of", lambda _: pytest.fail("read"))
    for use in (open_source, fingerprint):
        with pytest.raises(UnsupportedSource, match=f"{part} is a link"):
            use(path)


def collection(path: Path, image: Path, version: str) -> Path:
    """A collection of one image, which moves there."""
    group = zarr.open_group(path, mode="w", zarr_format=3 if version == "0.5" else 2)
    said = {"bioformats2raw.layout": 3}
    group.attrs.update({"ome": said} if version == "0.5" else said)
    image.rename(path / "0")
    return path


def test_in3_an_ome_zarr_names_its_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write(tmp_path / "a.zarr", samples("cyx"), "cyx")
    monkeypatch.setitem(sys.modules, "zarr", None)
    with pytest.raises(MissingPackage, match=r"zarr.*'wavescope\[zarr\]'"):
        open_source(path)
