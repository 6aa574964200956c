"""ZEISS CZI: channels, focal planes, scenes, and what is refused. The files are written by pylibCZIrw."""

from __future__ import annotations

import struct
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from wavescope.errors import MissingPackage, UnreadableSource, UnsupportedSource
from wavescope.source.base import Limits
from wavescope.source.channels import Channels
from wavescope.source.czi.segments import POSITIONS
from wavescope.source.open import open_source

czi = pytest.importorskip("pylibCZIrw.czi", reason="pylibCZIrw has no wheel for this Python")
WIDTH, HEIGHT = 210, 150


def samples(*shape: int, dtype: str = "uint16") -> NDArray[Any]:
    values: NDArray[Any] = np.random.default_rng(4).integers(0, np.iinfo(dtype).max, shape, dtype, endpoint=True)
    return values


def write(path: Path, data: NDArray[Any], times: int = 1, **metadata: Any) -> Path:
    """``data``: (channels, planes, height, width, samples)."""
    with czi.create_czi(str(path)) as document:
        for c, planes in enumerate(data):
            for z, picture in enumerate(planes):
                for t in range(times):
                    document.write(picture + t, plane={"C": c, "Z": z, "T": t}, location=(-30, 40))
        document.write_metadata("a", **metadata)
    return path


def test_st110_channels_and_focal_planes_of_a_czi(tmp_path: Path) -> None:
    data = samples(2, 3, HEIGHT, WIDTH, 1)
    red = czi.ChannelDisplaySettingsDataClass(True, czi.TintingMode.Color, czi.Rgb8Color(255, 16, 0), 0.0, 1.0)
    path = write(
        tmp_path / "a.czi",
        data,
        channel_names={0: "DAPI", 1: "CD8"},
        scale_x=0.25e-6,
        scale_y=0.5e-6,
        scale_z=2e-6,
        display_settings={0: red},
    )
    source = open_source(path)
    assert isinstance(source, Channels)
    info = source.info
    assert (info.width, info.height, info.planes, info.channels, info.format) == (WIDTH, HEIGHT, 3, 2, "czi")
    assert (info.mpp_x, info.mpp_y, info.plane_spacing_um) == (0.25, 0.5, 2.0)
    assert [(one.name, one.colour, one.bits) for one in info.descriptions] == [
        ("DAPI", "FF1000", 16),
        ("CD8", "00FF00", 16),
    ]
    assert info.notices == ()
    for z in range(3):
        for c in range(2):
            assert np.array_equal(source.read(z, c, 7, 5, 100, 90), data[c, z, 5:95, 7:107, 0])
    with ThreadPoolExecutor(8) as pool:
        found = pool.map(lambda i: source.read(i % 3, i % 2, i, i, 50, 40), range(48))
        for i, one in enumerate(found):
            assert np.array_equal(one, data[i % 2, i % 3, i : i + 40, i : i + 50, 0])
    source.close()


@pytest.mark.parametrize("dtype", ["uint8", "uint16"])
def test_a_colour_picture_is_one_of_rgb(tmp_path: Path, dtype: str) -> None:
    data = samples(1, 1, HEIGHT, WIDTH, 3, dtype=dtype)
    source = open_source(write(tmp_path / "a.czi", data))
    expected = data[0, 0, ..., ::-1]  # CZI has blue first
    if dtype == "uint16":
        expected = np.floor(expected * (255 / 65535) + 0.5).astype(np.uint8)
        assert "16-bit values 0 to 65535 are stored as 0 to 255" in source.info.notices[0]
    assert (source.info.channels, source.info.groups, source.info.exact) == (3, 1, dtype == "uint8")
    assert np.array_equal(source.read_region(0, 0, 0, WIDTH, HEIGHT), expected)
    source.close()


def test_one_grey_channel_of_8_bits_is_a_grey_picture(tmp_path: Path) -> None:
    data = samples(1, 1, HEIGHT, WIDTH, 1, dtype="uint8")
    source = open_source(write(tmp_path / "a.czi", data))
    assert (source.info.channels, source.info.descriptions) == (1, ())
    assert np.array_equal(source.read_region(0, 3, 4, 20, 10), data[0, 0, 4:14, 3:23])
    source.close()


def test_in18_of_time_points_the_first_and_of_scenes_the_largest_is_imported(tmp_path: Path) -> None:
    data = samples(2, 1, HEIGHT, WIDTH, 1, dtype="uint8")
    source = open_source(write(tmp_path / "t.czi", data, times=3))
    assert isinstance(source, Channels)
    assert source.info.notices == ("it has 3 time points; number 1 is imported (--time chooses another)",)
    assert np.array_equal(source.read(0, 1, 0, 0, WIDTH, HEIGHT), data[1, 0, ..., 0])
    source.close()
    with czi.create_czi(str(tmp_path / "s.czi")) as document:
        document.write(data[0, 0, :70], plane={"C": 0}, scene=0, location=(0, 0))
        document.write(data[0, 0], plane={"C": 0}, scene=1, location=(1000, 500))
    source = open_source(tmp_path / "s.czi")
    assert source.info.notices == ("it has 2 scenes; the largest one is imported",)
    assert np.array_equal(source.read_region(0, 0, 0, WIDTH, HEIGHT), data[0, 0])
    source.close()


def test_other_samples_are_refused_by_name(tmp_path: Path) -> None:
    data = np.zeros((1, 1, HEIGHT, WIDTH, 1), np.float32)
    with pytest.raises(UnsupportedSource, match="Gray32Float are not read"):
        open_source(write(tmp_path / "a.czi", data))


def test_every_truncated_file_is_refused(tmp_path: Path) -> None:
    whole = write(tmp_path / "a.czi", samples(2, 1, 40, 50, 1)).read_bytes()
    (directory,) = struct.unpack_from("<q", whole, POSITIONS)
    ends = {*range(10, len(whole), len(whole) // 40), directory - 1, directory + 40, directory + 200}
    cut = tmp_path / "cut.czi"
    for end in ends:
        cut.write_bytes(whole[:end])
        with pytest.raises(UnreadableSource, match="cut off"):
            open_source(cut)


def test_claims_beyond_the_limits_are_refused_before_anything_is_decoded(tmp_path: Path) -> None:
    path = write(tmp_path / "a.czi", samples(2, 1, HEIGHT, WIDTH, 1))
    with pytest.raises(UnreadableSource, match=r"tiles of 189,000 bytes decoded; the limit is 100,000"):
        open_source(path, Limits(decoded_bytes=100_000))
    whole = bytearray(path.read_bytes())
    (directory,) = struct.unpack_from("<q", whole, POSITIONS)
    at = whole.index(b"C\0\0\0", directory)
    struct.pack_into("<i", whole, at + 4, 1 << 30)
    path.write_bytes(whole)
    with pytest.raises(UnreadableSource, match="1,073,741,825 places along its axis C"):
        open_source(path)


def test_in3_a_czi_names_its_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write(tmp_path / "a.czi", samples(1, 1, 40, 50, 1))
    monkeypatch.setitem(sys.modules, "pylibCZIrw.czi", None)
    with pytest.raises(MissingPackage, match=r"pylibCZIrw.*'wavescope\[czi\]'"):
        open_source(path)
