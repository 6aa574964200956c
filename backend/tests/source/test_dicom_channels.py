"""DICOM whole slides of several optical paths and of 16-bit samples (ST110, ST111)."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pydicom
import pytest
from imagecodecs import htj2k_encode, jpeg2k_encode
from numpy.typing import NDArray
from pydicom.dataset import Dataset
from pydicom.encaps import encapsulate
from pydicom.uid import (
    HTJ2K,
    UID,
    ExplicitVRLittleEndian,
    HTJ2KLossless,
    HTJ2KLosslessRPCL,
    ImplicitVRLittleEndian,
    JPEG2000Lossless,
    JPEGLSLossless,
    RLELossless,
)

from source.worlds import write_dicom
from wavescope.errors import UnreadableSource, UnsupportedSource
from wavescope.source.channels import Channels
from wavescope.source.dicom.with_wsidicom import WsiDicomSource
from wavescope.source.open import open_source

SIDE, COLUMNS, ROWS, WIDTH, HEIGHT = 64, 3, 2, 150, 100
NAMES = ("DAPI", "CD8", "Ki-67")


def samples(channels: int, planes: int, dtype: str = "uint16", bits: int = 16) -> NDArray[Any]:
    """(channels, planes, height, width): smooth, so that it can be compressed."""
    y, x = np.mgrid[: ROWS * SIDE, : COLUMNS * SIDE]
    least = -(1 << bits - 1) if dtype.startswith("i") else 0
    waves = [[(x * (c + 2) + y * (z + 3)) * 77 % (1 << bits) + least for z in range(planes)] for c in range(channels)]
    return np.array(waves).astype(dtype)


def tiles_of(data: NDArray[Any]) -> list[NDArray[Any]]:
    """In the order of TILED_FULL."""
    return [
        picture[row * SIDE : (row + 1) * SIDE, column * SIDE : (column + 1) * SIDE]
        for planes in data
        for picture in planes
        for row in range(ROWS)
        for column in range(COLUMNS)
    ]


def write(
    path: Path,
    data: NDArray[Any],
    *,
    syntax: UID = ExplicitVRLittleEndian,
    bits: int = 0,
    names: Sequence[str] = NAMES,
    sparse: bool = False,
) -> Path:
    """One instance; ``names`` are those of its optical paths."""
    channels, planes = data.shape[:2]
    frames = tiles_of(data)
    write_dicom(path, [b"\0\0"] * len(frames), (WIDTH, HEIGHT), side=SIDE, planes=planes, series="1.2.3")
    slide = pydicom.dcmread(path)
    slide.file_meta.TransferSyntaxUID = ExplicitVRLittleEndian
    slide.SamplesPerPixel, slide.PhotometricInterpretation = 1, "MONOCHROME2"
    del slide.PlanarConfiguration
    slide.BitsAllocated = 8 * data.itemsize
    slide.BitsStored = bits or slide.BitsAllocated
    slide.HighBit, slide.PixelRepresentation = slide.BitsStored - 1, int(data.dtype.kind == "i")
    slide.NumberOfOpticalPaths = channels
    slide.OpticalPathSequence = [Dataset() for _ in range(channels)]
    for c, optics in enumerate(slide.OpticalPathSequence):
        optics.OpticalPathIdentifier = str(c + NAMES.index(names[0]))
        optics.OpticalPathDescription = names[c]
        optics.IlluminationWaveLength = 400.0 + 50 * c
        optics.ObjectiveLensPower = 20
    if sparse:
        slide.DimensionOrganizationType = "TILED_SPARSE"
        groups = [_group(number, planes) for number in range(len(frames))]
        order = [number for number in reversed(range(len(frames))) if number != 1]  # the second frame is absent
        frames = [frames[number] for number in order]
        slide.PerFrameFunctionalGroupsSequence = [groups[number] for number in order]
        slide.NumberOfFrames = len(frames)
    slide.PixelData = b"".join(frame.tobytes() for frame in frames)
    slide["PixelData"].VR = "OW"
    slide["PixelData"].is_undefined_length = False
    if syntax == JPEG2000Lossless:
        options: dict[str, Any] = {"codecformat": "j2k", "reversible": True, "bitspersample": slide.BitsStored}
        slide.PixelData = encapsulate(
            [bytes(jpeg2k_encode(np.ascontiguousarray(frame), **options)) for frame in frames]
        )
        slide["PixelData"].is_undefined_length = True
    elif syntax in (HTJ2K, HTJ2KLossless, HTJ2KLosslessRPCL):
        slide.PixelData = encapsulate(
            [bytes(htj2k_encode(np.ascontiguousarray(frame), reversible=True)) for frame in frames]
        )
        slide["PixelData"].is_undefined_length = True
    elif syntax.is_compressed:
        slide.compress(syntax, generate_instance_uid=False)
    slide.file_meta.TransferSyntaxUID = syntax
    pydicom.dcmwrite(path, slide, enforce_file_format=True)
    return path


def _group(number: int, planes: int) -> Dataset:
    rest, column = divmod(number, COLUMNS)
    rest, row = divmod(rest, ROWS)
    c, z = divmod(rest, planes)
    place, optics, group = Dataset(), Dataset(), Dataset()
    place.ColumnPositionInTotalImagePixelMatrix = column * SIDE + 1
    place.RowPositionInTotalImagePixelMatrix = row * SIDE + 1
    place.ZOffsetInSlideCoordinateSystem = 1.5 * z
    optics.OpticalPathIdentifier = str(c)
    group.PlanePositionSlideSequence, group.OpticalPathIdentificationSequence = [place], [optics]
    return group


def opened(path: Path) -> Channels:
    source = open_source(path)
    assert isinstance(source, Channels)
    return source


def check(source: Channels, data: NDArray[Any]) -> None:
    for c, planes in enumerate(data):
        for z, picture in enumerate(planes):
            assert np.array_equal(source.read(z, c, 0, 0, WIDTH, HEIGHT), picture[:HEIGHT, :WIDTH])
            assert np.array_equal(source.read(z, c, 33, 21, 90, 70), picture[21:91, 33:123])


@pytest.mark.parametrize(
    "syntax",
    [
        ExplicitVRLittleEndian,
        ImplicitVRLittleEndian,
        RLELossless,
        JPEG2000Lossless,
        HTJ2K,
        HTJ2KLossless,
        HTJ2KLosslessRPCL,
        JPEGLSLossless,
    ],
)
def test_st110_optical_paths_and_focal_planes_of_one_instance(tmp_path: Path, syntax: UID) -> None:
    data = samples(3, 2, bits=12)
    source = opened(write(tmp_path / "a.dcm", data, syntax=syntax, bits=12))
    info = source.info
    assert (info.width, info.height, info.channels, info.planes, info.format) == (WIDTH, HEIGHT, 3, 2, "dicom")
    assert (info.mpp_x, info.mpp_y, info.objective_power) == (0.5, 0.5, 20.0)
    assert info.plane_spacing_um == pytest.approx(2.0)
    assert [(one.name, one.excitation_nm, one.bits, one.significant_bits) for one in info.descriptions] == [
        ("DAPI", 400.0, 16, 12),
        ("CD8", 450.0, 16, 12),
        ("Ki-67", 500.0, 16, 12),
    ]
    check(source, data)
    source.close()


@pytest.mark.parametrize("dtype", ["uint8", "int8", "int16"])
def test_samples_of_each_type_are_exact(tmp_path: Path, dtype: str) -> None:
    data = samples(2, 1, dtype, 8 * np.dtype(dtype).itemsize)
    source = opened(write(tmp_path / "a.dcm", data))
    assert source.info.dtype == np.dtype(dtype)
    check(source, data)


def test_signed_samples_of_12_bits_keep_their_sign(tmp_path: Path) -> None:
    data = samples(1, 1, "int16", 12)
    assert data.min() == -2048
    stored = data & 0x0FFF  # as writers may leave the bits above
    source = opened(write(tmp_path / "a.dcm", stored, bits=12))
    check(source, data)


def test_one_grey_channel_of_16_bits_is_a_channel(tmp_path: Path) -> None:
    data = samples(1, 1)
    source = opened(write(tmp_path / "a.dcm", data, names=["CD8"]))
    assert [(one.name, one.colour) for one in source.info.descriptions] == [("CD8", "FFFFFF")]
    check(source, data)


def test_grey_of_8_bits_is_read_as_before(tmp_path: Path) -> None:
    source = open_source(write(tmp_path / "a.dcm", samples(1, 2, "uint8", 8)))
    assert isinstance(source, WsiDicomSource)
    source.close()


def test_st110_several_instances_of_one_series_are_channels(tmp_path: Path) -> None:
    data = samples(3, 1)
    for c, name in enumerate(NAMES):
        write(tmp_path / f"{c}.dcm", data[c : c + 1], names=[name])
    for path in (tmp_path, tmp_path / "1.dcm"):
        source = opened(path)
        assert [one.name for one in source.info.descriptions] == list(NAMES)
        check(source, data)
        source.close()


def test_frames_may_lie_in_any_order_and_absent_ones_are_empty(tmp_path: Path) -> None:
    data = samples(2, 2)
    source = opened(write(tmp_path / "a.dcm", data, sparse=True))
    assert source.info.plane_spacing_um == pytest.approx(1.5)
    data[0, 0, :SIDE, SIDE : 2 * SIDE] = 0
    check(source, data)


def test_many_threads_may_read(tmp_path: Path) -> None:
    data = samples(3, 2)
    source = opened(write(tmp_path / "a.dcm", data, syntax=RLELossless))
    with ThreadPoolExecutor(8) as pool:
        found = pool.map(lambda i: source.read(i % 2, i % 3, i, i, 60, 50), range(36))
        for i, one in enumerate(found):
            assert np.array_equal(one, data[i % 3, i % 2, i : i + 50, i : i + 60])


@pytest.mark.parametrize("syntax", [ExplicitVRLittleEndian, RLELossless])
def test_truncated_files_are_refused(tmp_path: Path, syntax: UID) -> None:
    whole = write(tmp_path / "a.dcm", samples(2, 1), syntax=syntax).read_bytes()
    path = tmp_path / "b" / "b.dcm"
    path.parent.mkdir()
    for end in range(400, len(whole) - 8, len(whole) // 25):
        path.write_bytes(whole[:end])
        with pytest.raises(UnreadableSource):
            open_source(path)


def test_damaged_frames_are_reported(tmp_path: Path) -> None:
    data = samples(2, 1)
    path = write(tmp_path / "a.dcm", data, syntax=JPEGLSLossless)
    raw = bytearray(path.read_bytes())
    at = raw.index(b"\xff\xf7", raw.index(b"\xe0\x7f\x10\x00"))
    struct.pack_into(">HH", raw, at + 5, 60000, 60000)
    path.write_bytes(raw)
    with pytest.raises(UnreadableSource, match="frame 0 is damaged: a JPEG image of 60000 x 60000 pixels"):
        open_source(path)


def test_a_frame_of_htj2k_that_names_other_sides_is_refused_before_it_is_decoded(tmp_path: Path) -> None:
    path = write(tmp_path / "a.dcm", samples(2, 1), syntax=HTJ2K)
    raw = bytearray(path.read_bytes())
    at = raw.index(b"\xff\x51", raw.index(b"\xe0\x7f\x10\x00"))
    struct.pack_into(">II", raw, at + 6, 60000, 60000)
    path.write_bytes(raw)
    with pytest.raises(UnreadableSource, match=r"frame 0 is damaged: .*60000 x 60000"):
        open_source(path)


def test_in18_other_samples_are_refused_by_name(tmp_path: Path) -> None:
    path = write(tmp_path / "a.dcm", samples(2, 1))
    slide = pydicom.dcmread(path)
    slide.PhotometricInterpretation = "MONOCHROME1"
    slide.save_as(path)
    with pytest.raises(UnsupportedSource, match=r"MONOCHROME1 of 16 bits.* are not read"):
        open_source(path)
