"""Sources of several channels: which samples they give, and what they say of each channel (ST110, ST111)."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tifffile
from numpy.typing import NDArray

from wavescope.errors import UnsupportedSource
from wavescope.source.channels import Channels, group_of
from wavescope.source.open import open_source


def samples(shape: tuple[int, ...], dtype: str) -> NDArray[Any]:
    info = np.iinfo(dtype)
    values: NDArray[Any] = np.random.default_rng(3).integers(info.min, info.max, shape, dtype, endpoint=True)
    return values


def opened(path: Path) -> Channels:
    source = open_source(path)
    assert isinstance(source, Channels)
    return source


@pytest.mark.parametrize("axes", ["CZYX", "ZCYX"])
@pytest.mark.parametrize("dtype", ["uint8", "int8", "uint16", "int16"])
def test_st110_channels_and_focal_planes_are_distinguished(tmp_path: Path, axes: str, dtype: str) -> None:
    shape = {"C": 3, "Z": 5, "Y": 41, "X": 37}
    data = samples(tuple(shape[axis] for axis in axes), dtype)
    path = tmp_path / "a.ome.tif"
    tifffile.imwrite(path, data, ome=True, metadata={"axes": axes}, photometric="minisblack")
    source = opened(path)
    assert (source.info.channels, source.info.groups, source.info.planes) == (3, 3, 5)
    for z in range(5):
        for c in range(3):
            expected = data[c, z] if axes == "CZYX" else data[z, c]
            found = group_of(source, c).read_region(z, 2, 3, 30, 20)
            assert np.array_equal(found[:, :, 0], expected[3:23, 2:32])
            assert np.array_equal(source.read(z, c, 0, 0, 37, 41), expected)
    assert source.info.exact
    assert (source.info.dtype, source.info.notices) == (np.dtype(dtype), ())


def test_st110_all_channels_together_are_those_of_each(tmp_path: Path) -> None:
    data = samples((4, 40, 50), "uint8")
    tifffile.imwrite(tmp_path / "a.tif", data, metadata={"axes": "CYX"}, photometric="minisblack", ome=True)
    source = opened(tmp_path / "a.tif")
    assert np.array_equal(source.read_region(0, 0, 0, 50, 40), np.moveaxis(data, 0, 2))


@pytest.mark.parametrize("dtype", ["uint16", "int16"])
def test_st111_each_channel_is_shown_by_the_window_of_its_own_samples(tmp_path: Path, dtype: str) -> None:
    least = int(np.iinfo(dtype).min)
    bright = np.arange(0, 40000, 10, dtype=np.int64).reshape(40, 100)
    data = np.stack([bright, bright // 40 + 7]) + least
    tifffile.imwrite(tmp_path / "a.ome.tif", data.astype(dtype), metadata={"axes": "CYX"}, photometric="minisblack")
    source = opened(tmp_path / "a.ome.tif")
    assert [one.display[:2] for one in source.info.descriptions] == [
        (least + 40, least + 39950),
        (least + 8, least + 1005),
    ]
    assert all(one.window is None for one in source.info.descriptions)


def test_st111_a_window_of_one_value_is_one_wide(tmp_path: Path) -> None:
    data = np.full((2, 40, 100), 255, np.uint8)
    data[1] = 0
    tifffile.imwrite(tmp_path / "a.ome.tif", data, metadata={"axes": "CYX"}, photometric="minisblack")
    assert [one.display[:2] for one in opened(tmp_path / "a.ome.tif").info.descriptions] == [(254, 255), (0, 1)]


def test_st111_ome_xml_describes_channels(tmp_path: Path) -> None:
    metadata = {
        "axes": "CYX",
        "SignificantBits": 12,
        "Channel": {
            "Name": ["CD8", "DAPI", "CD8"],
            "Color": [-16776961, 0x00FF00FF, -1],
            "EmissionWavelength": [520, 460, 700],
            "EmissionWavelengthUnit": ["nm"] * 3,
            "ExcitationWavelength": [490, 405, 650],
            "ExcitationWavelengthUnit": ["nm"] * 3,
        },
        "Plane": {"ExposureTime": [0.25, 0.5, 1.0], "ExposureTimeUnit": ["s"] * 3, "TheC": [0, 1, 2]},
    }
    tifffile.imwrite(
        tmp_path / "a.ome.tif", samples((3, 40, 50), "uint16"), metadata=metadata, photometric="minisblack"
    )
    found = opened(tmp_path / "a.ome.tif").info.descriptions
    assert [one.name for one in found] == ["CD8", "DAPI", "CD8 (3)"]
    assert [one.colour for one in found] == ["FF0000", "00FF00", "FF0000"]  # the last one is the palette's
    assert [one.emission_nm for one in found] == [520, 460, 700]
    assert [one.excitation_nm for one in found] == [490, 405, 650]
    assert [one.exposure_ms for one in found] == [250, 500, 1000]
    assert {(one.bits, one.significant_bits, one.signed) for one in found} == {(16, 12, False)}


def test_st111_qptiff_describes_channels(real: Callable[[str], Path]) -> None:
    source = opened(real("pathml_small_vectra.qptiff"))
    assert source.info.format == "qptiff"
    assert (source.info.width, source.info.height, source.info.channels) == (1920, 1440, 3)
    named = [(one.name, one.colour, one.exposure_ms) for one in source.info.descriptions]
    assert named[0] == ("DAPI", "0000FF", 2.63)
    assert len({name for name, _, _ in named}) == 3
    with tifffile.TiffFile(real("pathml_small_vectra.qptiff")) as tiff:
        assert np.array_equal(source.read_region(0, 0, 0, 1920, 1440), np.moveaxis(tiff.series[0].asarray(), 0, 2))


def test_the_real_multi_channel_series_has_five_planes_of_three_channels(real: Callable[[str], Path]) -> None:
    source = opened(real("multi-channel-z-series.ome.tif"))
    assert (source.info.channels, source.info.planes) == (3, 5)
    expected = tifffile.imread(real("multi-channel-z-series.ome.tif"))
    assert all(np.array_equal(source.read(z, c, 0, 0, 439, 167), expected[c, z]) for z in range(5) for c in range(3))
    assert source.info.exact


@pytest.mark.parametrize("axes", ["TCZYX", "CTZYX", "ZCTYX", "TZYX", "TYX"])
def test_of_time_points_the_first_is_imported(tmp_path: Path, axes: str) -> None:
    shape = {"T": 4, "C": 3, "Z": 2, "Y": 41, "X": 37}
    data = samples(tuple(shape[axis] for axis in axes), "uint16")
    tifffile.imwrite(tmp_path / "a.ome.tif", data, metadata={"axes": axes}, photometric="minisblack")
    source = opened(tmp_path / "a.ome.tif")
    assert source.info.notices == ("it has 4 time points; number 1 is imported (--time chooses another)",)
    assert (source.info.channels, source.info.planes) == (3 if "C" in axes else 1, 2 if "Z" in axes else 1)
    for c in range(source.info.channels):
        for z in range(source.info.planes):
            at = tuple({"T": 0, "C": c, "Z": z}[axis] for axis in axes[:-2])
            assert np.array_equal(source.read(z, c, 0, 0, 37, 41), data[at])


def test_reduced_pictures_in_sub_ifds_are_no_channels(tmp_path: Path) -> None:
    data = samples((3, 128, 160), "uint16")
    with tifffile.TiffWriter(tmp_path / "a.ome.tif", ome=True) as writer:
        options: dict[str, Any] = {"photometric": "minisblack", "tile": (64, 64)}
        writer.write(data, subifds=2, metadata={"axes": "CYX"}, **options)
        for step in (2, 4):
            writer.write(np.ascontiguousarray(data[:, ::step, ::step]), subfiletype=1, **options)
    source = opened(tmp_path / "a.ome.tif")
    assert (source.info.width, source.info.height, source.info.channels, source.info.planes) == (160, 128, 3, 1)
    assert np.array_equal(source.read_region(0, 0, 0, 160, 128), np.moveaxis(data, 0, 2))


@pytest.mark.parametrize(
    ("axes", "shape", "reason"),
    [
        ("RCYX", (4, 2, 40, 40), "4 along axis R"),
        ("CYX", (65, 40, 40), "65 channels; a slide can have at most 64"),
        ("CYXS", (2, 40, 40, 3), "2 channels of several samples"),
    ],
)
def test_other_axes_are_refused_by_name(tmp_path: Path, axes: str, shape: tuple[int, ...], reason: str) -> None:
    photometric = "rgb" if axes.endswith("S") else "minisblack"
    data = np.zeros(shape, np.uint8)
    tifffile.imwrite(tmp_path / "a.ome.tif", data, metadata={"axes": axes}, photometric=photometric)
    with pytest.raises(UnsupportedSource, match=reason):
        open_source(tmp_path / "a.ome.tif")


@pytest.mark.parametrize("dtype", ["uint32", "float32"])
def test_channels_of_other_samples_are_refused_by_name(tmp_path: Path, dtype: str) -> None:
    data = np.zeros((2, 40, 40), dtype)
    tifffile.imwrite(tmp_path / "a.ome.tif", data, metadata={"axes": "CYX"}, photometric="minisblack")
    with pytest.raises(UnsupportedSource, match=f"channels of 1 {dtype} samples"):
        open_source(tmp_path / "a.ome.tif")
