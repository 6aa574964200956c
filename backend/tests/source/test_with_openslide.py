from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import openslide
import pytest
import tifffile

from source.worlds import tissue, write_svs
from wavescope.errors import UnreadableSource
from wavescope.source.direct_tiles import DirectTiles
from wavescope.source.open import open_source

REAL = ["CMU-1-Small-Region.svs", "tcga-cr-7395-01a-01-ts1.svs", "dicom_mirax_9385x3727", "gcp_camelyon_jpeg2000.dcm"]


@pytest.mark.slow
@pytest.mark.parametrize("name", REAL)
def test_level_0_equals_the_pixels_openslide_gives_byte_for_byte(real: Callable[[str], Path], name: str) -> None:
    path = real(name)
    source = open_source(path)
    width, height = source.info.width, source.info.height
    file = next(path.glob("*.dcm")) if path.is_dir() else path
    with openslide.OpenSlide(file) as slide, ThreadPoolExecutor(2) as pool:
        assert slide.dimensions == (width, height)
        rows = range(0, height, 512)
        found = pool.map(lambda y: source.read_region(0, 0, y, width, min(512, height - y)), rows)
        for y, strip in zip(rows, found, strict=True):
            expected = slide.read_region((0, y), 0, (width, min(512, height - y))).convert("RGB")
            assert np.array_equal(strip, np.asarray(expected)), f"rows from {y}"
    source.close()


def test_the_real_svs_tells_scale_objective_and_tiles_but_nothing_private(real: Callable[[str], Path]) -> None:
    info = open_source(real("CMU-1-Small-Region.svs")).info
    assert (info.mpp_x, info.mpp_y, info.objective_power, info.vendor) == (0.499, 0.499, 20.0, "aperio")
    assert (info.source_bytes, info.tile_bytes) == (1_938_955, 1_275_934)
    text = " ".join([*info.properties, *info.properties.values()])
    for private in ("CMU-1", "b414003d", "12/29/09", "CPAPERIOCS", "label", "macro"):
        assert private not in text


def test_the_colour_profile_of_a_real_svs_is_carried(real: Callable[[str], Path]) -> None:
    profile = open_source(real("tcga-cr-7395-01a-01-ts1.svs")).info.icc_profile
    assert profile is not None
    assert (len(profile), profile[36:40]) == (3144, b"acsp")


def test_a_slide_of_jpeg_tiles_is_read_from_its_tiles_with_openslides_pixels(tmp_path: Path) -> None:
    path = write_svs(tmp_path / "a.svs", tissue(210, 330))
    source = open_source(path)
    assert isinstance(source, DirectTiles)
    assert (source.info.mpp_x, source.info.objective_power) == (0.5, 20.0)
    assert "DOE" not in str(dict(source.info.properties))
    with openslide.OpenSlide(path) as slide:
        expected = np.asarray(slide.read_region((0, 0), 0, (330, 210)))[..., :3]
    assert np.array_equal(source.read_region(0, 0, 0, 330, 210), expected)
    source.close()


def test_a_slide_with_tiles_that_are_not_stored_is_left_to_openslide(tmp_path: Path) -> None:
    path = write_svs(tmp_path / "a.svs", tissue(192, 192))
    with tifffile.TiffFile(path, mode="r+") as tiff:
        counts = tiff.pages.first.tags["TileByteCounts"]
        counts.overwrite([0, *counts.value[1:]])
    source = open_source(path)
    assert not isinstance(source, DirectTiles)
    assert (source.read_region(0, 0, 0, 64, 64) == 255).all()


@pytest.mark.parametrize("length", [0, 8, 100, 500, 1000, 5000, -200, -1])
def test_a_cut_svs_is_refused_also_where_its_header_survives(tmp_path: Path, length: int) -> None:
    whole = write_svs(tmp_path / "whole.svs", tissue(210, 330)).read_bytes()
    path = tmp_path / "cut.svs"
    path.write_bytes(whole[:length])
    with pytest.raises(UnreadableSource):
        open_source(path)


@pytest.mark.parametrize("length", [100, 200_000, 1_275_962, 1_276_400, 1_500_000, 1_900_000])
def test_the_real_svs_cut_anywhere_is_refused(real: Callable[[str], Path], tmp_path: Path, length: int) -> None:
    path = tmp_path / "cut.svs"
    path.write_bytes(real("CMU-1-Small-Region.svs").read_bytes()[:length])
    with pytest.raises(UnreadableSource, match="cut off"):
        open_source(path)


@pytest.mark.parametrize("compression", ["jpeg", "aperio_jp2000_rgb"])
def test_a_hole_in_a_tile_is_an_error_never_wrong_pixels(tmp_path: Path, compression: str) -> None:
    picture = tissue(192, 192)
    path = write_svs(tmp_path / "a.svs", picture, compression=compression)
    with tifffile.TiffFile(path) as tiff:
        start, count = tiff.pages.first.dataoffsets[5], tiff.pages.first.databytecounts[5]
    content = bytearray(path.read_bytes())
    content[start : start + count] = bytes(count)
    path.write_bytes(content)
    source = open_source(path)
    source.read_region(0, 0, 0, 64, 64)
    with pytest.raises(UnreadableSource):
        source.read_region(0, 128, 64, 64, 64)


def test_many_threads_read_the_same_pixels_as_one(tmp_path: Path) -> None:
    source = open_source(write_svs(tmp_path / "a.svs", tissue(256, 256)))
    whole = source.read_region(0, 0, 0, 256, 256)
    places = [(x, y) for y in range(0, 200, 19) for x in range(0, 200, 23)]
    with ThreadPoolExecutor(8) as pool:
        parts = list(pool.map(lambda place: source.read_region(0, place[0], place[1], 50, 40), places))
    for (x, y), part in zip(places, parts, strict=True):
        assert np.array_equal(part, whole[y : y + 40, x : x + 50])
