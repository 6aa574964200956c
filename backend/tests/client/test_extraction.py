"""A pipeline written for openslide: a mask from a small level, a grid of patches inside it. Of a TIFF that openslide
reads and of a slide of ours with the same pixels, it makes the same (PC11)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tifffile
from numpy.typing import NDArray
from openslide import AbstractSlide, ImageSlide, OpenSlide
from PIL import Image, ImageFilter

from service.world import World
from wavescope.client import Slide, open_slide

SIZE, STEP = 96, 64  # of patches, in pixels of their level
SATURATION = 8  # above which a pixel is tissue
READERS: dict[str, Any] = {"png": ImageSlide, "tiff": OpenSlide}
Extraction = list[tuple[tuple[int, int], NDArray[np.uint8]]]


@pytest.fixture(scope="module")
def files(world: World, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The pixels of the slide ``lossless`` as a PNG and, with three levels, as a TIFF of tiles."""
    folder = tmp_path_factory.mktemp("files")
    Image.fromarray(world.picture).save(folder / "slide.png")
    with open_slide(world.store / "lossless") as slide, tifffile.TiffWriter(folder / "slide.tif") as file:
        for level in range(3):
            pixels = slide.read_array(level, 0, 0, *slide.level_dimensions[level])
            file.write(pixels, tile=(256, 256), photometric="rgb", subfiletype=int(level > 0), metadata=None)
    return {"png": folder / "slide.png", "tiff": folder / "slide.tif"}


@pytest.fixture(params=["local", "remote"])
def ours(request: pytest.FixtureRequest, world: World, slide_url: str) -> Iterator[Slide]:
    with open_slide(slide_url if request.param == "remote" else world.store / "lossless") as slide:
        yield slide


def tissue(slide: AbstractSlide, downsample: float) -> tuple[NDArray[np.bool_], float]:
    """What is coloured on a small level, without specks and small holes, and the level's downsample."""
    level = slide.get_best_level_for_downsample(downsample)
    picture = slide.read_region((0, 0), level, slide.level_dimensions[level]).convert("RGB")
    saturation = picture.convert("HSV").getchannel("S").filter(ImageFilter.MedianFilter(7))
    coloured = saturation.point(lambda value: 255 * (value > SATURATION))
    closed = coloured.filter(ImageFilter.MaxFilter(5)).filter(ImageFilter.MinFilter(5))
    return np.asarray(closed) > 0, slide.level_downsamples[level]


def patches(slide: AbstractSlide, level: int, downsample: float) -> Extraction:
    """The place in level-0 pixels, and the pixels, of each patch of a grid with tissue at one of four points."""
    mask, scale = tissue(slide, downsample)
    factor = slide.level_downsamples[level]
    side, found = round(SIZE * factor), []
    for y in range(0, slide.dimensions[1] - side + 1, round(STEP * factor)):
        for x in range(0, slide.dimensions[0] - side + 1, round(STEP * factor)):
            points = [(x + side * i // 4, y + side * j // 4) for i in (1, 3) for j in (1, 3)]
            if any(
                mask[min(int(b / scale), mask.shape[0] - 1), min(int(a / scale), mask.shape[1] - 1)] for a, b in points
            ):
                region = slide.read_region((x, y), level, (SIZE, SIZE)).convert("RGB")
                found.append(((x, y), np.asarray(region)))
    return found


def same(found: Extraction, expected: Extraction) -> bool:
    return [place for place, _ in found] == [place for place, _ in expected] and all(
        np.array_equal(pixels, others) for (_, pixels), (_, others) in zip(found, expected, strict=True)
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "level", "downsample", "count"),
    [("png", 0, 1, 14 * 16), ("tiff", 0, 4, 14 * 16), ("tiff", 1, 4, 7 * 8)],  # without the columns of glass
)
def test_pc11_a_pipeline_for_openslide_extracts_the_same_patches(
    ours: Slide, files: dict[str, Path], kind: str, level: int, downsample: float, count: int
) -> None:
    with READERS[kind](files[kind]) as theirs:
        expected = patches(theirs, level, downsample)
        assert len(expected) == count
        assert same(patches(ours, level, downsample), expected)
        assert not any((pixels == 244).all() for _, pixels in expected)  # glass


def test_pc11_thumbnails_and_levels_equal_those_of_openslide(ours: Slide, files: dict[str, Path]) -> None:
    with ExitStack() as stack:
        theirs = stack.enter_context(OpenSlide(files["tiff"]))
        assert theirs.level_dimensions == ours.level_dimensions[:3]
        assert theirs.level_downsamples == ours.level_downsamples[:3]
        for side in (1000, 325, 200):
            assert ours.get_thumbnail((side, side)).tobytes() == theirs.get_thumbnail((side, side)).tobytes()
        picture = stack.enter_context(ImageSlide(files["png"]))
        assert picture.read_region((1200, 900), 0, (200, 300)).getpixel((150, 250)) == (0, 0, 0, 0)
        assert ours.read_region((1200, 900), 0, (200, 300)).getpixel((150, 250)) == (0, 0, 0, 0)
