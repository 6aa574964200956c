"""Nikon ND2: channels, focal planes, and what is refused. There is no library that writes ND2: the files are made here
by the structure that nd2 reads (chunks, a map of them at the end, metadata as binary variants).
"""

from __future__ import annotations

import struct
import sys
import tracemalloc
import zlib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from wavescope.errors import MissingPackage, UnreadableSource, UnsupportedSource
from wavescope.source.base import Limits
from wavescope.source.channels import Channels
from wavescope.source.open import open_source

WIDTH, HEIGHT = 90, 70
MAGIC, PAGE = 0x0ABECEDA, 4096
FILE, MAP, END = (
    f"ND2 {name}!".encode()
    for name in ("FILE SIGNATURE CHUNK NAME01", "FILEMAP SIGNATURE NAME 0001", "CHUNK MAP SIGNATURE 0000001")
)


def variant(name: str, value: Any) -> bytes:
    """A value of the metadata with its name: type, length of the name, name, content."""
    text = (name + "\0").encode("utf-16-le")
    if isinstance(value, dict):
        items = b"".join(variant(*one) for one in value.items())
        length = 2 + len(text) + 12 + len(items)
        content = struct.pack("<IQ", len(value), length) + items + bytes(8 * len(value))
        return struct.pack("BB", 11, len(name) + 1) + text + content
    if isinstance(value, str):
        kind, content = 8, (value + "\0").encode("utf-16-le")
    elif isinstance(value, float):
        kind, content = 6, struct.pack("d", value)
    else:
        kind, content = (1, struct.pack("B", value)) if isinstance(value, bool) else (3, struct.pack("I", value))
    return struct.pack("BB", kind, len(name) + 1) + text + content


def chunk(name: bytes, data: bytes, name_length: int = 0) -> bytes:
    padded = name.ljust(name_length or len(name), b"\0")
    return struct.pack("<IIQ", MAGIC, len(padded), len(data)) + padded + data


def document(chunks: dict[bytes, bytes]) -> bytes:
    whole = chunk(FILE, b"Ver3.0".ljust(64, b"\0")).ljust(PAGE, b"\0")
    places = b""
    for name, data in chunks.items():
        places += name + struct.pack("QQ", len(whole), len(data))
        whole += chunk(name, data, PAGE - 24)
        whole += bytes(-len(whole) % PAGE)
    at = len(whole)
    return whole + chunk(MAP, places + END + bytes(16)) + END + struct.pack("Q", at)


def plane(c: int, components: int) -> dict[str, Any]:
    """The description of a channel."""
    spectra = {
        f"m_{name}Spectrum": {"uiCount": 1, "pPoint": {"Point0": {"dWavelength": wavelength + c, "dTValue": 1.0}}}
        for name, wavelength in (("Excitation", 405.0), ("Emission", 460.0))
    }
    named = {"sDescription": ("DAPI", "CD8", "")[c], "uiColor": 255 << 8 * c}
    return named | {"uiCompCount": components, "pFluorescentProbe": spectra}


def write(
    path: Path,
    data: NDArray[Any],
    *,
    times: int = 1,
    compressed: bool = False,
    colour: bool = False,
    pixels: bytes = b"",
) -> Path:
    """``data``: (planes, height, width, samples of all channels); ``pixels``: what each frame has instead."""
    planes, height, width, samples = data.shape
    bits = 8 * data.itemsize
    count = 1 if colour else samples
    attributes: dict[str, Any] = {
        "uiWidth": width,
        "uiHeight": height,
        "uiWidthBytes": width * samples * data.itemsize,
        "uiComp": samples,
        "uiBpcInMemory": bits,
        "uiBpcSignificant": min(bits, 12),
        "uiSequenceCount": planes * times,
        "eCompression": 0 if compressed else 2,
        "dCompressionParam": 0.0,
    }
    channels = {f"a{c}": plane(c, 3 if colour else 1) for c in range(count)}
    metadata: dict[str, Any] = {
        "bCalibrated": True,
        "dCalibration": 0.325,
        "dObjectiveMag": 20.0,
        "sPicturePlanes": {"uiCount": count, "sPlaneNew": channels},
    }
    stack = {"eType": 4, "uLoopPars": {"uiCount": planes, "dZStep": 1.5}}
    time = {"uiCount": times, "dStart": 0.0, "dPeriod": 1.0, "dDuration": 1.0}
    loops = {"eType": 1, "uLoopPars": time, "ppNextLevelEx": {"": stack}} if times > 1 else stack
    chunks = {
        b"ImageAttributesLV!": variant("SLxImageAttributes", attributes),
        b"ImageMetadataSeqLV|0!": variant("SLxPictureMetadata", metadata),
        b"ImageMetadataLV!": variant("SLxExperiment", loops),
    }
    for number in range(planes * times):
        own = pixels or (data[number % planes] + number // planes).astype(data.dtype).tobytes()
        chunks[b"ImageDataSeq|%d!" % number] = bytes(8) + (zlib.compress(own) if compressed else own)
    path.write_bytes(document(chunks))
    return path


def samples(*shape: int, dtype: str = "uint16") -> NDArray[Any]:
    values: NDArray[Any] = np.random.default_rng(9).integers(0, 200, shape, np.uint16).astype(dtype)
    return values


def opened(path: Path) -> Channels:
    source = open_source(path)
    assert isinstance(source, Channels)
    return source


@pytest.mark.parametrize("compressed", [False, True])
@pytest.mark.parametrize("dtype", ["uint8", "uint16"])
def test_st110_channels_and_focal_planes_of_an_nd2(tmp_path: Path, dtype: str, compressed: bool) -> None:
    data = samples(4, HEIGHT, WIDTH, 3, dtype=dtype)
    source = opened(write(tmp_path / "a.nd2", data, compressed=compressed))
    info = source.info
    assert (info.width, info.height, info.channels, info.planes, info.format) == (WIDTH, HEIGHT, 3, 4, "nd2")
    assert (info.mpp_x, info.mpp_y, info.plane_spacing_um, info.objective_power) == (0.325, 0.325, 1.5, 20.0)
    assert [(one.name, one.colour) for one in info.descriptions] == [
        ("DAPI", "FF0000"),
        ("CD8", "00FF00"),
        ("Channel 3", "0000FF"),
    ]
    assert [(one.excitation_nm, one.emission_nm) for one in info.descriptions] == [(405, 460), (406, 461), (407, 462)]
    assert {one.significant_bits for one in info.descriptions} == {8 if dtype == "uint8" else 12}
    assert info.dtype == np.dtype(dtype)
    with ThreadPoolExecutor(4) as pool:
        found = pool.map(lambda i: source.read(i % 4, i % 3, i, i, 60, 50), range(12))
        for i, one in enumerate(found):
            assert np.array_equal(one, data[i % 4, i : i + 50, i : i + 60, i % 3])
    source.close()


@pytest.mark.parametrize("planes", [1, 3])
def test_in18_of_time_points_the_first_is_imported(tmp_path: Path, planes: int) -> None:
    data = samples(planes, HEIGHT, WIDTH, 2)
    source = opened(write(tmp_path / "a.nd2", data, times=3))
    assert source.info.notices == ("it has 3 time points; number 1 is imported (--time chooses another)",)
    assert source.info.planes == planes
    for z in range(planes):
        assert np.array_equal(source.read(z, 1, 0, 0, WIDTH, HEIGHT), data[z, ..., 1])
    source.close()


def test_a_colour_picture_is_one_of_rgb(tmp_path: Path) -> None:
    data = samples(1, HEIGHT, WIDTH, 3, dtype="uint8")
    source = open_source(write(tmp_path / "a.nd2", data, colour=True))
    assert (source.info.channels, source.info.groups) == (3, 1)
    assert np.array_equal(source.read_region(0, 5, 6, 50, 40), data[0, 6:46, 5:55, ::-1])  # ND2 has blue first
    source.close()


def test_one_grey_channel_of_8_bits_is_a_grey_picture(tmp_path: Path) -> None:
    data = samples(2, HEIGHT, WIDTH, 1, dtype="uint8")
    source = open_source(write(tmp_path / "a.nd2", data))
    assert (source.info.channels, source.info.descriptions) == (1, ())
    assert np.array_equal(source.read_region(1, 0, 0, WIDTH, HEIGHT), data[1])
    source.close()


def test_other_samples_are_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(UnsupportedSource, match="2 channels of 1 float32 samples are not read"):
        open_source(write(tmp_path / "a.nd2", samples(1, HEIGHT, WIDTH, 2, dtype="float32")))


def test_truncated_files_are_refused(tmp_path: Path) -> None:
    whole = write(tmp_path / "a.nd2", samples(2, HEIGHT, WIDTH, 2)).read_bytes()
    cut = tmp_path / "cut.nd2"
    for end in range(60, len(whole), len(whole) // 40):
        cut.write_bytes(whole[:end])
        with pytest.raises(UnreadableSource):
            open_source(cut)


def test_claims_beyond_the_file_are_refused(tmp_path: Path) -> None:
    path = write(tmp_path / "a.nd2", samples(2, HEIGHT, WIDTH, 2))
    whole = path.read_bytes()
    at = whole.index(b"ImageMetadataSeqLV|0!")
    for length, reason in ((1 << 40, "cut off"), (1 << 60, "far beyond its end")):
        path.write_bytes(whole[: at - 8] + struct.pack("<Q", length) + whole[at:])
        with pytest.raises(UnreadableSource, match=reason):
            open_source(path)


def test_compressed_pictures_too_large_to_decode_are_refused(tmp_path: Path) -> None:
    path = write(tmp_path / "a.nd2", samples(1, HEIGHT, WIDTH, 2), compressed=True)
    with pytest.raises(UnreadableSource, match="compressed pictures need 25,200 bytes; the limit is 25,000"):
        open_source(path, Limits(decoded_bytes=25_000))


def test_damaged_compressed_pictures_are_reported(tmp_path: Path) -> None:
    path = write(tmp_path / "a.nd2", samples(1, HEIGHT, WIDTH, 2), compressed=True)
    raw = bytearray(path.read_bytes())
    at = raw.index(b"ImageDataSeq|0!") + PAGE - 24 + 8
    raw[at + 100] ^= 0xFF
    path.write_bytes(raw)
    with pytest.raises(UnreadableSource, match="focal plane 1 is damaged"):
        open_source(path)


def test_in3_an_nd2_names_its_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write(tmp_path / "a.nd2", samples(1, HEIGHT, WIDTH, 2))
    monkeypatch.setitem(sys.modules, "nd2", None)
    with pytest.raises(MissingPackage, match=r"nd2.*'wavescope\[nd2\]'"):
        open_source(path)


def test_in18_a_compressed_frame_that_decodes_to_more_than_it_has_is_refused_in_little_memory(tmp_path: Path) -> None:
    bomb = 64 << 20
    path = write(tmp_path / "a.nd2", samples(1, HEIGHT, WIDTH, 1), compressed=True, pixels=bytes(bomb))
    tracemalloc.start()
    with pytest.raises(
        UnreadableSource, match=f"focal plane 1 is damaged: it decodes to more than its {2 * 90 * 70:,}"
    ):
        open_source(path)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < bomb // 8
