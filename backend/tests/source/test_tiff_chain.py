import struct
from pathlib import Path
from typing import Literal

import numpy as np
import pytest
import tifffile

from source.worlds import tissue, write_svs
from wavescope.errors import SourceError, UnreadableSource
from wavescope.source.base import Limits
from wavescope.source.open import open_source
from wavescope.source.tiff.chain import check_chain, is_tiff

Order = Literal["<", ">"]
FORMS: list[tuple[bool, Order]] = [(False, "<"), (False, ">"), (True, "<"), (True, ">")]


@pytest.mark.parametrize(("big", "order"), FORMS)
def test_a_whole_file_passes_in_every_form_of_tiff(tmp_path: Path, big: bool, order: Order) -> None:
    path = tmp_path / "a.tif"
    tifffile.imwrite(path, tissue(100, 130), tile=(32, 32), bigtiff=big, byteorder=order, photometric="rgb")
    assert is_tiff(path.read_bytes()[:8])
    check_chain(path, Limits())


@pytest.mark.parametrize(("big", "order"), FORMS)
def test_a_tiff_cut_anywhere_is_refused_or_still_holds_every_pixel(tmp_path: Path, big: bool, order: Order) -> None:
    whole, cut = tmp_path / "whole.tif", tmp_path / "cut.tif"
    picture = tissue(40, 50)
    with tifffile.TiffWriter(whole, bigtiff=big, byteorder=order) as writer:
        for level in range(3):
            writer.write(picture[:: 1 << level, :: 1 << level], tile=(16, 16), photometric="rgb", compression="zlib")
    content = whole.read_bytes()
    refused = 0
    for length in range(1, len(content), 41):
        cut.write_bytes(content[:length])
        try:
            source = open_source(cut)
        except SourceError:
            refused += 1
            continue
        assert np.array_equal(source.read_region(0, 0, 0, 50, 40), picture)
        source.close()
    assert refused > 0.95 * len(range(1, len(content), 41))


def test_directories_in_a_loop_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "loop.tif"
    directory = struct.pack("<HHHIIHHIII", 2, 256, 3, 1, 10, 257, 3, 1, 10, 8)
    path.write_bytes(b"II*\0" + struct.pack("<I", 8) + directory)
    with pytest.raises(UnreadableSource, match="loop"):
        check_chain(path, Limits())


def test_a_directory_with_more_offsets_than_lengths_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "odd.tif"
    tags = struct.pack("<HHII", 273, 3, 2, 0) + struct.pack("<HHII", 279, 3, 1, 0)
    path.write_bytes(b"II*\0" + struct.pack("<I", 8) + struct.pack("<H", 2) + tags + struct.pack("<I", 0))
    with pytest.raises(UnreadableSource, match="2 offsets of tiles, 1 lengths"):
        check_chain(path, Limits())


def test_a_tile_claiming_more_memory_than_the_limit_is_refused_before_openslide_sees_it(tmp_path: Path) -> None:
    path = write_svs(tmp_path / "a.svs", tissue(128, 128))
    with tifffile.TiffFile(path, mode="r+") as tiff:
        tiff.pages.first.tags["TileWidth"].overwrite(65520)
        tiff.pages.first.tags["TileLength"].overwrite(65520)
    with pytest.raises(UnreadableSource, match="claims tiles of 65520 x 65520 pixels"):
        open_source(path)


@pytest.mark.parametrize("hamamatsu", [0, 1])
def test_a_tag_of_hamamatsu_behind_the_first_picture_lifts_no_limit_st63(tmp_path: Path, hamamatsu: int) -> None:
    path, picture = tmp_path / "a.tif", tissue(128, 128)
    with tifffile.TiffWriter(path) as writer:
        for number in range(3):
            tags = [(65420, "H", 1, 1, True)] if number == hamamatsu else []
            writer.write(picture, tile=(16, 16), photometric="rgb", metadata=None, extratags=tags)
    with tifffile.TiffFile(path, mode="r+") as tiff:
        page = tiff.pages[2]
        assert isinstance(page, tifffile.TiffPage)
        page.tags["TileWidth"].overwrite(65520)
        page.tags["TileLength"].overwrite(65520)
    with pytest.raises(UnreadableSource, match="claims tiles of 65520 x 65520" if hamamatsu else "OpenSlide"):
        open_source(path)
