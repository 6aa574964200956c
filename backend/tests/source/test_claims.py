"""What a file claims is bounded before anything is made of it (ST62, ST63), and what is no file is refused (ST64)."""

from __future__ import annotations

import os
import socket
import struct
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tifffile
from PIL import Image

from source.worlds import jpeg_of, tissue, write_dicom
from wavescope.errors import SourceError, UnreadableSource, UnsupportedSource
from wavescope.source.base import Limits, SourceInfo, check_extent
from wavescope.source.dicom import frames as dicom_frames
from wavescope.source.open import fingerprint, open_source
from wavescope.source.tiff import chain as tiff_chain

OME = (
    '<?xml version="1.0"?><OME xmlns="http://www.openmicroscopy.org/Schemas/OME/2016-06"><Image ID="Image:0">'
    '<Pixels ID="Pixels:0" DimensionOrder="XYZCT" Type="uint8" SizeX="{x}" SizeY="{y}" SizeZ="{z}" SizeC="{c}" '
    'SizeT="{t}">{data}</Pixels></Image>{more}</OME>'
)
MODULO = (
    '<StructuredAnnotations><XMLAnnotation ID="A" Namespace="x/modulo"><Value><Modulo>'
    '<ModuloAlongZ Type="phase" Start="0" End="1e9" Step="1"/></Modulo></Value></XMLAnnotation></StructuredAnnotations>'
)
HUGE = 10**9
INFO = SourceInfo(width=1, height=1, channels=3, format="png", source_bytes=1, properties={})
CLAIMS: dict[str, dict[str, Any]] = {
    "planes": {"z": HUGE},
    "channels": {"c": HUGE},
    "time points": {"t": HUGE},
    "pictures larger than those of the file": {"x": 10**6, "y": 10**6},
    "parts": {"data": f'<TiffData PlaneCount="{HUGE}"/>'},
    "places along a divided axis": {"more": MODULO},
    "a nonsense size": {"z": "many"},
    "a negative size": {"z": -5},
}


def write_ome(path: Path, **claims: object) -> Path:
    """One picture of 64 x 48 pixels, and a description that claims something else."""
    text = OME.format(**{"x": 64, "y": 48, "z": 1, "c": 1, "t": 1, "data": "<TiffData/>", "more": "", **claims})
    tifffile.imwrite(path, np.zeros((48, 64), np.uint8), description=text, metadata=None)
    return path


def write_pages(path: Path, count: int, width: int = 8, height: int = 8) -> Path:
    """A TIFF whose ``count`` directories name the same grey pixels."""
    out = bytearray(b"II*\0" + struct.pack("<I", 8 + width * height) + bytes(width * height))
    for page in range(count):
        tags = [(256, width), (257, height), (258, 8), (259, 1), (262, 1), (273, 8), (277, 1), (278, height)]
        tags.append((279, width * height))
        following = len(out) + 2 + 12 * len(tags) + 4 if page < count - 1 else 0
        entries = b"".join(struct.pack("<HHII", tag, 4, 1, value) for tag, value in tags)
        out += struct.pack("<H", len(tags)) + entries + struct.pack("<I", following)
    path.write_bytes(out)
    return path


@pytest.mark.parametrize("claim", CLAIMS)
def test_st63_an_ome_description_that_claims_too_much_is_refused_before_tables_are_made(
    tmp_path: Path, claim: str
) -> None:
    path = write_ome(tmp_path / "a.ome.tif", **CLAIMS[claim])
    with pytest.raises(UnreadableSource, match=r"its OME description (claims|says)"):
        open_source(path)


def test_st63_an_ome_description_that_tells_the_truth_passes(tmp_path: Path) -> None:
    assert open_source(write_ome(tmp_path / "a.ome.tif")).info.width == 64
    tifffile.imwrite(tmp_path / "z.ome.tif", np.zeros((7, 48, 64), np.uint8), metadata={"axes": "ZYX"})
    assert open_source(tmp_path / "z.ome.tif").info.planes == 7


def test_st63_other_descriptions_of_too_many_planes_are_refused(tmp_path: Path) -> None:
    path, picture = tmp_path / "a.tif", np.zeros((48, 64), np.uint8)
    tifffile.imwrite(path, picture, description=f'{{"shape": [{HUGE}, 48, 64]}}', metadata=None)
    with pytest.raises(UnsupportedSource, match=r"1,000,000,000 focal planes; a slide can have at most 4,096"):
        open_source(path)


def test_st62_more_planes_than_a_manifest_can_tell_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UnsupportedSource, match="4,100 focal planes; a slide can have at most 4,096"):
        open_source(write_pages(tmp_path / "a.tif", 4100))
    assert open_source(write_pages(tmp_path / "b.tif", 4096)).info.planes == 4096


@pytest.mark.parametrize(("width", "height"), [(16_777_276, 1), (1, 16_777_217)])
def test_st62_a_side_longer_than_a_manifest_can_tell_is_refused(tmp_path: Path, width: int, height: int) -> None:
    with pytest.raises(UnsupportedSource, match="a side can have at most 16,777,216"):
        open_source(write_pages(tmp_path / "a.tif", 1, width, height))
    with pytest.raises(UnsupportedSource, match="65,536 tiles that are almost empty"):
        open_source(write_pages(tmp_path / "b.tif", 1, min(width, 1 << 24), min(height, 1 << 24)))


def test_st62_of_60000_pages_only_as_many_are_looked_at_as_a_slide_can_have(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, looks = tiff_chain._check_directory, []

    def look(path: Path, *rest: object) -> None:
        looks.append(path)
        real(path, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(tiff_chain, "_check_directory", look)
    with pytest.raises(UnsupportedSource, match="more than 4,160 pictures"):
        open_source(write_pages(tmp_path / "a.tif", 60_000))
    assert len(looks) <= 4160


@pytest.mark.parametrize(
    ("tag", "count", "reason"),
    [
        (324, 1 << 25, "33,554,432 tiles or strips of one picture"),
        (279, (1 << 22) + 1, "4,194,305 tiles or strips"),
        (270, 1 << 30, "TIFF tag 270"),
        (34675, 1 << 30, "tag 34675"),
        (330, 99, "reduced"),
    ],
)
def test_st63_a_tag_that_claims_more_than_its_limit_is_refused_before_it_is_read(
    tmp_path: Path, tag: int, count: int, reason: str
) -> None:
    entries = struct.pack("<H", 2) + struct.pack("<HHII", 256, 4, 1, 8) + struct.pack("<HHII", tag, 4, count, 8)
    path = tmp_path / "a.tif"
    path.write_bytes(b"II*\0" + struct.pack("<I", 8) + entries + bytes(4))
    with path.open("r+b") as stream:
        stream.truncate(5 << 30)  # sparse: the file has the bytes that it claims
    with pytest.raises(UnreadableSource, match=reason):
        open_source(path)


MEASURE = """
import sys
from pathlib import Path
from wavescope.source.open import open_source

def peak():
    return int(Path("/proc/self/status").read_text().partition("VmHWM:")[2].split()[0]) * 1024

before = peak()
source = open_source(sys.argv[1])
source.read_region(0, 1000, 1000, 512, 512)
print(peak() - before)
"""
"""Not by ``ru_maxrss``: it is at least the peak of the process that started this one."""


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["RGB", "RGBA", "P", "I;16"])
def test_st63_a_picture_takes_no_more_memory_than_its_limit_counts(tmp_path: Path, mode: str) -> None:
    side, path = 6000, tmp_path / "a.png"
    Image.new(mode, (side, side), 7 if mode in ("P", "I;16") else None).save(path, compress_level=1)
    run = subprocess.run([sys.executable, "-c", MEASURE, str(path)], capture_output=True, text=True, check=True)
    counted = {"RGB": 4, "RGBA": 4, "P": 1, "I;16": 2}[mode] * side * side
    assert int(run.stdout) < counted + (64 << 20)
    with pytest.raises(UnreadableSource, match=rf"{counted:,} bytes decoded.*WAVESCOPE_DECODED_BYTES"):
        open_source(path, Limits(decoded_bytes=counted - 1))


def test_st63_the_coefficients_of_a_progressive_jpeg_count(tmp_path: Path) -> None:
    picture, path = Image.fromarray(tissue(400, 300)), tmp_path / "a.jpg"
    picture.save(path, "JPEG", progressive=True, subsampling=0)
    needed = 400 * 300 * (4 + 6) + path.stat().st_size
    assert open_source(path, Limits(decoded_bytes=needed)).info.width == 300
    with pytest.raises(UnreadableSource, match=f"{needed:,} bytes decoded"):
        open_source(path, Limits(decoded_bytes=needed - 1))


def with_scans(path: Path, more: int) -> bytes:
    """A progressive JPEG whose last scan is there so many times more."""
    Image.fromarray(tissue(400, 300)).save(path, "JPEG", progressive=True)
    data = path.read_bytes()
    last = data.rfind(b"\xff\xda")
    path.write_bytes(data[:-2] + data[last:-2] * more + data[-2:])
    return data


def test_st63_a_jpeg_of_many_scans_is_refused_before_it_is_decoded(tmp_path: Path) -> None:
    path = tmp_path / "a.jpg"
    with_scans(path, 1000)
    with pytest.raises(UnreadableSource, match=r"1,0\d\d scans; the limit is 64"):
        open_source(path)


def test_st63_a_jpeg_in_several_scans_counts_its_coefficients_too(tmp_path: Path) -> None:
    """Of one that is not progressive libjpeg keeps them as well."""
    path = tmp_path / "a.jpg"
    Image.new("RGB", (400, 300)).save(path, "JPEG", subsampling=0)
    data = path.read_bytes()
    start = data.find(b"\xff\xda")
    scan = data[start + 14 : -2]
    one = [b"\xff\xda\x00\x08\x01" + bytes([number, table, 0, 63, 0]) for number, table in ((1, 0), (2, 17), (3, 17))]
    path.write_bytes(data[:start] + b"".join(head + scan for head in one) + data[-2:])
    needed = 400 * 300 * (4 + 6) + path.stat().st_size
    with pytest.raises(UnreadableSource, match=f"{needed:,} bytes decoded"):
        open_source(path, Limits(decoded_bytes=needed - 1))


def test_st63_a_thumbnail_inside_a_jpeg_is_no_scan_of_it(tmp_path: Path) -> None:
    path = tmp_path / "a.jpg"
    inside = with_scans(path, 0)
    Image.fromarray(tissue(400, 300)).save(path, "JPEG")
    plain = path.read_bytes()
    marker = b"\xff\xe5" + struct.pack(">H", len(inside) % 65000 + 2) + inside[: len(inside) % 65000]
    path.write_bytes(plain[:2] + marker + plain[2:] + inside * 10)
    assert open_source(path, Limits(decoded_bytes=400 * 300 * 4 + path.stat().st_size)).info.height == 400


def test_st63_many_tiles_of_many_pictures_are_refused_before_they_are_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.tif"
    with tifffile.TiffWriter(path) as writer:
        for _ in range(3):
            writer.write(tissue(64, 64), tile=(16, 16), photometric="rgb")
    open_source(path).close()
    monkeypatch.setattr(tiff_chain, "MAX_TILES_OF_ALL", 40)
    with pytest.raises(UnreadableSource, match="it claims 48 tiles or strips; the limit is 40"):
        open_source(path)


@pytest.mark.parametrize(("width", "height"), [(1, 16_000_000), (9_000_000, 3)])
def test_st63_a_picture_whose_tiles_are_almost_empty_is_refused(width: int, height: int) -> None:
    with pytest.raises(UnsupportedSource, match="tiles that are almost empty"):
        check_extent(Path("a.png"), replace(INFO, width=width, height=height))


@pytest.mark.parametrize(("width", "height"), [(1, 1_000_000), (500_000, 40), (200_000, 100_000)])
def test_st63_a_narrow_one_is_not(width: int, height: int) -> None:
    check_extent(Path("a.png"), replace(INFO, width=width, height=height))


def test_st63_frames_of_dicom_in_too_many_pieces_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write_dicom(tmp_path / "a", [tiny_jpeg()] * 6, (150, 100), side=50)
    monkeypatch.setattr(dicom_frames, "MAX_ITEMS", 3)
    with pytest.raises(UnreadableSource, match="more than 3 pieces"):
        open_source(path)


def tiny_jpeg() -> bytes:
    return jpeg_of(tissue(50, 50))


# --- what is no file -----------------------------------------------------------------------------------------------

ASK = """
import sys
from wavescope.errors import SourceError
from wavescope.source import open as opening
try:
    print(getattr(opening, sys.argv[1])(sys.argv[2]))
except SourceError as error:
    print(error)
"""


def answer(function: str, path: Path | str) -> str:
    """What a process of its own says; a test fails if it never does."""
    command = [sys.executable, "-c", ASK, function, str(path)]
    return subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout


def make_fifo(path: Path) -> str:
    os.mkfifo(path)
    return "a FIFO"


def make_socket(path: Path) -> str:
    with socket.socket(socket.AF_UNIX) as made:
        made.bind(str(path))
    return "a socket"


def link_device(path: Path) -> str:
    path.symlink_to("/dev/zero")
    return "a device"


@pytest.mark.parametrize("make", [make_fifo, make_socket, link_device])
@pytest.mark.parametrize("function", ["fingerprint", "open_source"])
def test_st64_what_is_no_file_is_refused_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, make: Callable[[Path], str], function: str
) -> None:
    monkeypatch.chdir(tmp_path)  # a socket's name is short
    kind = make(Path("slide.svs"))
    assert answer(function, "slide.svs").strip() == f"slide.svs: it is {kind}" + (
        " (named pipe), neither a file nor a folder" if kind == "a FIFO" else ", neither a file nor a folder"
    )


def test_st64_a_folder_without_slide_files_has_no_fingerprint(tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("hello")
    with pytest.raises(UnsupportedSource, match="neither a DICOM whole slide nor a focus series"):
        fingerprint(tmp_path)


@pytest.mark.slow
def test_st64_a_fifo_beside_the_files_of_a_dicom_slide_is_left_alone(tmp_path: Path) -> None:
    tiles = [tiny_jpeg()] * 6
    write_dicom(tmp_path / "level0", tiles, (150, 100), side=50)
    os.mkfifo(tmp_path / "pipe")
    assert "WsiDicomSource" in answer("open_source", tmp_path)
    assert len(answer("fingerprint", tmp_path).strip()) == 64


def test_st64_a_fifo_among_the_files_of_a_mirax_slide_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.mrxs").write_bytes(b"1")
    (tmp_path / "a").mkdir()
    os.mkfifo(tmp_path / "a" / "Slidedat.ini")
    for function in ("fingerprint", "open_source"):
        assert "Slidedat.ini: it is a FIFO" in answer(function, tmp_path / "a.mrxs")


# --- damaged files beside a DICOM slide ----------------------------------------------------------------------------

BAD = bytes(128) + b"DICM" + b"\xa5" * 999


def test_st64_a_damaged_file_beside_a_dicom_slide_is_passed_over_and_named(tmp_path: Path) -> None:
    tiles = [tiny_jpeg()] * 6
    level = write_dicom(tmp_path / "level0", tiles, (150, 100), side=50, series="1.2.3")
    alone = open_source(level).read_region(0, 0, 0, 150, 100)
    mark = fingerprint(level)
    (tmp_path / "foreign.dcm").write_bytes(BAD)
    for path in (level, tmp_path):
        source = open_source(path)
        assert [notice.split(":")[0] for notice in source.info.notices] == ["foreign.dcm"]
        assert np.array_equal(source.read_region(0, 0, 0, 150, 100), alone)
        assert fingerprint(path) == mark


def test_st64_a_cut_file_of_another_slide_is_passed_over_in_a_folder(tmp_path: Path) -> None:
    write_dicom(tmp_path / "level0", [tiny_jpeg()] * 6, (150, 100), side=50, series="1.2.3")
    other = write_dicom(tmp_path / "other", [tiny_jpeg()] * 6, (150, 100), side=50, series="4.5.6")
    other.write_bytes(other.read_bytes()[:-200])
    assert [notice.split(":")[0] for notice in open_source(tmp_path).info.notices] == ["other"]
    with pytest.raises(UnreadableSource, match="other: the file is cut off"):
        open_source(other)


def test_st64_a_folder_of_damaged_dicom_files_alone_is_unreadable(tmp_path: Path) -> None:
    (tmp_path / "a.dcm").write_bytes(BAD)
    for function in (open_source, fingerprint):
        with pytest.raises(SourceError, match="not a valid DICOM file"):
            function(tmp_path)
