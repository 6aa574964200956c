from collections.abc import Callable
from pathlib import Path

import numpy as np
import pydicom
import pytest

from source.worlds import decoded, jpeg_of, tissue, write_dicom, write_dicom_text
from wavescope.errors import UnreadableSource, UnsupportedSource
from wavescope.source.dicom.with_wsidicom import WsiDicomSource
from wavescope.source.files import source_files
from wavescope.source.open import fingerprint, open_source
from wavescope.source.with_openslide import OpenSlideSource

SIDE = 64
COLUMNS, ROWS = 3, 2
WIDTH, HEIGHT = 150, 100


def frames(planes: int = 1, seed: int = 0) -> list[bytes]:
    return [jpeg_of(tissue(SIDE, SIDE, seed=seed + index)) for index in range(COLUMNS * ROWS * planes)]


def plane(tiles: list[bytes], z: int) -> np.ndarray:
    count = COLUMNS * ROWS
    pictures = [decoded(tile) for tile in tiles[z * count : (z + 1) * count]]
    rows = [np.concatenate(pictures[row * COLUMNS : (row + 1) * COLUMNS], axis=1) for row in range(ROWS)]
    return np.concatenate(rows)[:HEIGHT, :WIDTH]


def test_a_slide_of_one_plane_is_read_by_openslide(tmp_path: Path) -> None:
    tiles = frames()
    source = open_source(write_dicom(tmp_path / "a", tiles, (WIDTH, HEIGHT), side=SIDE))
    assert isinstance(source, OpenSlideSource)
    assert np.array_equal(source.read_region(0, 0, 0, WIDTH, HEIGHT), plane(tiles, 0))
    info = source.info
    assert (info.mpp_x, info.objective_power, info.tile_bytes) == (
        0.5,
        20.0,
        sum(len(tile) + len(tile) % 2 for tile in tiles),
    )


def test_a_slide_with_focal_planes_is_read_plane_by_plane(tmp_path: Path) -> None:
    tiles = frames(planes=3)
    source = open_source(write_dicom(tmp_path / "a.dcm", tiles, (WIDTH, HEIGHT), side=SIDE, planes=3))
    assert isinstance(source, WsiDicomSource)
    info = source.info
    assert (info.width, info.height, info.planes, info.channels) == (WIDTH, HEIGHT, 3, 3)
    assert info.plane_spacing_um == pytest.approx(2.0)
    assert (info.mpp_x, info.objective_power) == (0.5, 20.0)
    for z in range(3):
        assert np.array_equal(source.read_region(z, 0, 0, WIDTH, HEIGHT), plane(tiles, z))
        assert np.array_equal(source.read_region(z, 33, 21, 90, 70), plane(tiles, z)[21:91, 33:123])
    source.close()


@pytest.mark.parametrize("planes", [1, 2])
def test_nothing_about_the_patient_is_published(tmp_path: Path, planes: int) -> None:
    info = open_source(write_dicom(tmp_path / "a", frames(planes), (WIDTH, HEIGHT), side=SIDE, planes=planes)).info
    text = str(dict(info.properties))
    assert not any(private in text for private in ("Doe", "1955", "20200101", "UID"))


def test_a_folder_with_one_series_is_that_slide_and_its_label_and_text_are_left_alone(tmp_path: Path) -> None:
    tiles = frames()
    write_dicom(tmp_path / "level0", tiles, (WIDTH, HEIGHT), side=SIDE, series="1.2.3")
    write_dicom(tmp_path / "level1", frames(seed=50)[:2], (75, 50), side=SIDE, series="1.2.3")
    write_dicom_text(tmp_path / "report.dcm")
    (tmp_path / "notes.txt").write_text("hello")
    source = open_source(tmp_path)
    assert np.array_equal(source.read_region(0, 0, 0, WIDTH, HEIGHT), plane(tiles, 0))
    assert [file.name for file in source_files(tmp_path / "level1")] == ["level0", "level1"]


def test_a_folder_with_two_slides_asks_for_one_of_them(tmp_path: Path) -> None:
    write_dicom(tmp_path / "a", frames(), (WIDTH, HEIGHT), side=SIDE)
    write_dicom(tmp_path / "b", frames(), (WIDTH, HEIGHT), side=SIDE)
    with pytest.raises(UnsupportedSource, match="2 DICOM whole slides"):
        open_source(tmp_path)
    assert open_source(tmp_path / "b").info.width == WIDTH


def test_a_dicom_file_that_is_no_slide_is_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(UnsupportedSource, match="no whole slide"):
        open_source(write_dicom_text(tmp_path / "report.dcm"))


@pytest.mark.parametrize("planes", [1, 2])
@pytest.mark.parametrize("part", [0.05, 0.3, 0.6, 0.999])
def test_a_cut_dicom_slide_is_refused(tmp_path: Path, planes: int, part: float) -> None:
    path = write_dicom(tmp_path / "a", frames(planes), (WIDTH, HEIGHT), side=SIDE, planes=planes)
    path.write_bytes(path.read_bytes()[: int(path.stat().st_size * part)])
    with pytest.raises(UnreadableSource):
        open_source(path)


def test_a_series_with_a_cut_level_is_refused(tmp_path: Path) -> None:
    write_dicom(tmp_path / "level0", frames(), (WIDTH, HEIGHT), side=SIDE, series="1.2.3")
    lower = write_dicom(tmp_path / "level1", frames()[:2], (75, 50), side=SIDE, series="1.2.3")
    lower.write_bytes(lower.read_bytes()[:-500])
    with pytest.raises(UnreadableSource, match="level1: the file is cut off"):
        open_source(tmp_path / "level0")


def test_another_level_makes_another_fingerprint(tmp_path: Path) -> None:
    path = write_dicom(tmp_path / "level0", frames(), (WIDTH, HEIGHT), side=SIDE, series="1.2.3")
    before = fingerprint(path)
    write_dicom(tmp_path / "level1", frames()[:2], (75, 50), side=SIDE, series="1.2.3")
    assert fingerprint(path) != before


def test_the_real_series_carries_its_profile_its_scale_and_the_bytes_of_its_frames(real: Callable[[str], Path]) -> None:
    info = open_source(real("dicom_mirax_9385x3727")).info
    assert (info.width, info.height, info.planes) == (9385, 3727, 1)
    assert info.mpp_x == pytest.approx(0.97119, abs=1e-5)
    assert len(info.icc_profile or b"") == 588
    assert (info.source_bytes, info.tile_bytes) == (4_685_072, 4_666_086)


def test_a_frame_claiming_more_memory_than_the_limit_is_refused_before_openslide_sees_it(tmp_path: Path) -> None:
    path = write_dicom(tmp_path / "a", frames()[:1], (60000, 60000), side=60000)
    with pytest.raises(UnreadableSource, match="claims frames of 60000 x 60000 pixels"):
        open_source(path)


@pytest.mark.parametrize("entry", [0, 1, 3, 5])
def test_a_table_of_frames_that_points_elsewhere_is_refused_before_openslide_trusts_it(
    tmp_path: Path, entry: int
) -> None:
    path = write_dicom(tmp_path / "a", frames(), (WIDTH, HEIGHT), side=SIDE)
    content = bytearray(path.read_bytes())
    table = content.rindex(b"\xe0\x7f\x10\x00OB") + 12 + 8 + 4 * entry
    content[table : table + 4] = (int.from_bytes(content[table : table + 4], "little") + 2).to_bytes(4, "little")
    path.write_bytes(content)
    with pytest.raises(UnreadableSource, match="table of frames"):
        open_source(path)


def test_more_frames_promised_than_stored_are_refused(tmp_path: Path) -> None:
    path = write_dicom(tmp_path / "a", frames()[:5], (WIDTH, HEIGHT), side=SIDE)
    data = pydicom.dcmread(path)
    data.NumberOfFrames = 6
    data.save_as(path)
    with pytest.raises(UnreadableSource, match="5 of 6 frames"):
        open_source(path)
