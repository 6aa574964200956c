"""Coarse views of a source before it is analysed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from tifffile import TiffWriter

from source.worlds import tissue
from wavescope.errors import UnsupportedSource
from wavescope.geometry import TILE
from wavescope.source import file_levels
from wavescope.source import reduced as reduced_module
from wavescope.source.base import Pixels
from wavescope.source.file_levels import FileLevels
from wavescope.source.open import open_source
from wavescope.source.reduced import ReducedSource


def opened(path: Path | str) -> ReducedSource:
    return ReducedSource(open_source(path), path)


def box(pixels: np.ndarray, factor: int) -> np.ndarray:
    height, width, channels = pixels.shape
    blocks = pixels[: height // factor * factor, : width // factor * factor].astype(float)
    return blocks.reshape(height // factor, factor, width // factor, factor, channels).mean(axis=(1, 3))


def test_a_file_without_reductions_is_averaged(tmp_path: Path) -> None:
    pixels = tissue(1200, 1400)
    with TiffWriter(tmp_path / "flat.tif") as writer:
        writer.write(pixels, tile=(256, 256), photometric="rgb")
    source = opened(tmp_path / "flat.tif")
    assert np.array_equal(source.read_tile(0, 0, 1, 4), pixels[1024:1200, 256:512])
    coarse = source.read_level(0, 2)
    assert coarse.shape == (300, 350, 3)
    assert np.abs(coarse - box(pixels, 4)).max() <= 1
    source.close()


def test_a_files_own_reductions_are_used(tmp_path: Path) -> None:
    pixels = tissue(1536, 2048)
    with TiffWriter(tmp_path / "pyramid.tif") as writer:
        writer.write(pixels, tile=(256, 256), photometric="rgb", subifds=1)
        marked = np.full((384, 512, 3), 77, np.uint8)  # other pixels, so that the test can distinguish them
        writer.write(marked, tile=(256, 256), photometric="rgb", subfiletype=1)
    source = opened(tmp_path / "pyramid.tif")
    assert (source.read_tile(0, 2, 0, 0) == 77).all()
    assert np.abs(source.read_tile(0, 1, 1, 1) - box(pixels, 2)[256:512, 256:512]).max() <= 1
    source.close()


def test_openslides_levels_are_used_and_every_level_has_its_size(real: Callable[[str], Path]) -> None:
    source = opened(real("CMU-1-Small-Region.svs"))
    for level in range(source.pyramid.top + 1):
        columns, rows = source.pyramid.tiles(level)
        width, height = source.pyramid.tile_size(level, columns - 1, rows - 1)
        assert source.read_tile(0, level, columns - 1, rows - 1).shape == (height, width, 3)
    source.close()


def test_what_would_take_too_long_is_refused_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reduced_module, "AVERAGED", 1000)
    source = opened("specimen:700x600x2")
    assert source.read_tile(1, 0, 0, 0).shape == (TILE, TILE, 3)
    with pytest.raises(UnsupportedSource, match="come nearer"):
        source.read_tile(0, 1, 0, 0)
    source.close()


def test_levels_of_a_file_without_reductions_are_read_in_bounded_parts_li6(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pixels = tissue(700, 900)
    with TiffWriter(tmp_path / "flat.tif") as writer:
        writer.write(pixels, tile=(256, 256), photometric="rgb")
    levels = FileLevels(tmp_path / "flat.tif")
    width, height = levels.pyramid.level_size(2)
    at_once = levels.read(2, 0, 0, width, height)
    reads: list[int] = []
    shown = levels._reduced.shown
    read_region = shown.read_region

    def counted(z: int, x: int, y: int, wide: int, high: int) -> Pixels:
        reads.append(wide * high)
        return read_region(z, x, y, wide, high)

    monkeypatch.setattr(shown, "read_region", counted)
    monkeypatch.setattr(file_levels, "MOST_PIXELS", 20_000)
    assert np.array_equal(levels.read(2, 0, 0, width, height), at_once)
    assert len(reads) > 30
    assert max(reads) <= 20_000
    levels.close()
