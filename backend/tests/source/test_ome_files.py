"""OME-TIFF of several files: which pictures are which, and what is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tifffile
from numpy.typing import NDArray

from wavescope.errors import UnreadableSource, UnsupportedSource
from wavescope.source.channels import Channels
from wavescope.source.files import source_files
from wavescope.source.open import fingerprint, open_source

SPACE = "http://www.openmicroscopy.org/Schemas/OME/2016-06"
CHANNELS, PLANES, HEIGHT, WIDTH = 2, 3, 70, 90


def samples(times: int = 1) -> NDArray[Any]:
    """(times, channels, planes, height, width)."""
    shape = (times, CHANNELS, PLANES, HEIGHT, WIDTH)
    values: NDArray[Any] = np.random.default_rng(8).integers(0, 60000, shape, np.uint16)
    return values


def name_of(c: int) -> str:
    return f"slide_C{c}.ome.tif"


def description(times: int = 1, uuid: str = "urn:uuid:0", change: tuple[str, str] = ("", "")) -> str:
    """Each channel has a file; its pictures are those of its planes, of all time points."""
    parts = "".join(
        f'<TiffData FirstC="{c}" FirstZ="{z}" FirstT="{t}" IFD="{t * PLANES + z}" PlaneCount="1">'
        f'<UUID FileName="{name_of(c)}">urn:uuid:{c}</UUID></TiffData>'
        for t in range(times)
        for c in range(CHANNELS)
        for z in range(PLANES)
    )
    channels = '<Channel ID="c:0" Name="DAPI" Color="65535"/><Channel ID="c:1" Name="CD8" EmissionWavelength="520"/>'
    pixels = (
        f'<Pixels ID="p" DimensionOrder="XYZCT" Type="uint16" SizeX="{WIDTH}" SizeY="{HEIGHT}" SizeZ="{PLANES}" '
        f'SizeC="{CHANNELS}" SizeT="{times}" SignificantBits="12" PhysicalSizeX="0.5" PhysicalSizeY="0.25" '
        f'PhysicalSizeZ="2">{channels}{parts}</Pixels>'
    )
    return f'<OME xmlns="{SPACE}" UUID="{uuid}"><Image ID="i">{pixels}</Image></OME>'.replace(*change)


def write(folder: Path, data: NDArray[Any], *, companion: bool = False, change: tuple[str, str] = ("", "")) -> Path:
    """The file of the first channel, or the companion."""
    times = len(data)
    described = folder / "slide.companion.ome"
    if companion:
        described.write_text(description(times, "urn:uuid:companion", change), encoding="utf-8")
    only = f'<OME xmlns="{SPACE}"><BinaryOnly MetadataFile="{described.name}" UUID="urn:uuid:companion"/></OME>'
    for c in range(CHANNELS):
        text = only if companion else description(times, f"urn:uuid:{c}", change)
        with tifffile.TiffWriter(folder / name_of(c)) as writer:
            for number, picture in enumerate(data[:, c].reshape(-1, HEIGHT, WIDTH)):
                options: dict[str, Any] = {"description": text} if number == 0 else {}
                writer.write(picture, metadata=None, photometric="minisblack", **options)
    return described if companion else folder / name_of(0)


def opened(path: Path) -> Channels:
    source = open_source(path)
    assert isinstance(source, Channels)
    return source


@pytest.mark.parametrize("companion", [False, True])
@pytest.mark.parametrize("times", [1, 2])
def test_channels_and_planes_are_found_in_their_files(tmp_path: Path, companion: bool, times: int) -> None:
    data = samples(times)
    described = write(tmp_path, data, companion=companion)
    for path in (described, tmp_path / name_of(0), tmp_path / name_of(1), tmp_path):
        source = opened(path)
        info = source.info
        assert (info.width, info.height, info.channels, info.planes) == (WIDTH, HEIGHT, CHANNELS, PLANES)
        assert (info.mpp_x, info.mpp_y, info.plane_spacing_um, info.format) == (0.5, 0.25, 2.0, "ome-tiff")
        assert [(one.name, one.significant_bits, one.emission_nm) for one in info.descriptions] == [
            ("DAPI", 12, None),
            ("CD8", 12, 520.0),
        ]
        assert info.descriptions[0].colour == "0000FF"
        assert info.notices == (
            ("it has 2 time points; number 1 is imported (--time chooses another)",) if times == 2 else ()
        )
        for c in range(CHANNELS):
            for z in range(PLANES):
                assert np.array_equal(source.read(z, c, 0, 0, WIDTH, HEIGHT), data[0, c, z])
        source.close()


def test_st97_its_fingerprint_is_that_of_all_files(tmp_path: Path) -> None:
    path = write(tmp_path, samples(), companion=True)
    before = fingerprint(path)
    assert {file.name for file in source_files(path)} == {path.name, name_of(0), name_of(1)}
    assert fingerprint(tmp_path / name_of(1)) == before
    second = tmp_path / name_of(1)
    second.write_bytes(second.read_bytes()[:-1] + b"\x7f")
    assert fingerprint(path) != before


@pytest.mark.parametrize("companion", [False, True])
def test_in18_a_missing_file_is_named(tmp_path: Path, companion: bool) -> None:
    path = write(tmp_path, samples(), companion=companion)
    (tmp_path / name_of(1)).unlink()
    with pytest.raises(UnreadableSource, match=r"its file slide_C1\.ome\.tif is missing"):
        open_source(path)


def test_a_missing_companion_is_named(tmp_path: Path) -> None:
    write(tmp_path, samples(), companion=True).unlink()
    with pytest.raises(UnreadableSource, match=r"its file slide\.companion\.ome is missing"):
        open_source(tmp_path / name_of(0))


@pytest.mark.parametrize("name", ["../x.tif", "/etc/passwd", "a/b.tif", "..", r"..\x.tif"])
def test_in18_names_that_leave_the_folder_are_refused(tmp_path: Path, name: str) -> None:
    change = (f'FileName="{name_of(1)}"', f'FileName="{name}"')
    path = write(tmp_path, samples(), companion=True, change=change)
    with pytest.raises(UnsupportedSource, match="which is not in its folder"):
        open_source(path)


def test_a_link_that_leaves_the_folder_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "slide"
    folder.mkdir()
    path = write(folder, samples())
    (folder / name_of(1)).rename(tmp_path / "other.tif")
    (folder / name_of(1)).symlink_to(tmp_path / "other.tif")
    with pytest.raises(UnsupportedSource, match="which is not in its folder"):
        open_source(path)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (('IFD="2"', 'IFD="9"'), "it has 3 pictures; the OME description names more"),
        (('FirstC="1" FirstZ="2"', 'FirstC="1" FirstZ="1"'), "no picture of channel 2, focal plane 3"),
        (('SizeC="2"', 'SizeC="2000000"'), "the limit is 65,536"),
        (('SizeC="2"', 'SizeC="-2"'), "says SizeC is '-2'"),
        (('PlaneCount="1"', 'PlaneCount="99999999999"'), "says PlaneCount is"),
        (('"XYZCT"', '"XYZZZ"'), "has the order 'ZZZ'"),
        (("</OME>", ""), "is not XML"),
    ],
)
def test_damaged_descriptions_are_refused(tmp_path: Path, change: tuple[str, str], reason: str) -> None:
    path = write(tmp_path, samples(), companion=True, change=change)
    with pytest.raises(UnreadableSource, match=reason):
        open_source(path)


def test_files_of_other_sizes_are_refused(tmp_path: Path) -> None:
    path = write(tmp_path, samples(), companion=True)
    tifffile.imwrite(tmp_path / name_of(1), np.zeros((3, 8, 8), np.uint16), photometric="minisblack")
    with pytest.raises(UnsupportedSource, match="differ in size or kind"):
        open_source(path)


def test_a_renamed_file_that_names_only_itself_is_a_whole_slide(tmp_path: Path) -> None:
    data = samples()[0]
    tifffile.imwrite(tmp_path / "a.ome.tif", data, metadata={"axes": "CZYX"}, photometric="minisblack")
    renamed = (tmp_path / "a.ome.tif").rename(tmp_path / "b.ome.tif")
    assert np.array_equal(opened(renamed).read(1, 1, 0, 0, WIDTH, HEIGHT), data[1, 1])
