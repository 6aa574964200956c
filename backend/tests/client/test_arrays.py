"""Levels as arrays, patches, and data sets."""

from __future__ import annotations

import pickle
from collections.abc import Iterator

import numpy as np
import pytest

from service.world import HEIGHT, TISSUE, WIDTH, World
from wavescope.client import Slide, aio, open_slide
from wavescope.errors import InvalidParameter, OutOfRange
from wavescope.geometry import Pyramid


@pytest.fixture(params=["local", "remote"])
def slide(request: pytest.FixtureRequest, world: World, slide_url: str) -> Iterator[Slide]:
    with open_slide(slide_url if request.param == "remote" else world.store / "lossless") as opened:
        yield opened


def test_pc20_a_level_is_sliced_as_an_array(slide: Slide, world: World) -> None:
    level = slide.level(0)
    assert level.shape == (HEIGHT, WIDTH, 3)
    assert np.array_equal(level[10:30, 40:90], world.picture[10:30, 40:90])
    assert np.array_equal(level[-5:, :7, 1], world.picture[-5:, :7, 1])
    assert np.array_equal(level[3], world.picture[3])
    assert np.array_equal(level[3, 4], world.picture[3, 4])
    assert level[5:5].shape == (0, WIDTH, 3)
    with pytest.raises(IndexError):
        level[::2]
    with pytest.raises(IndexError):
        level[HEIGHT]
    with pytest.raises(OutOfRange):
        slide.level(4)


def test_pc20_a_level_is_a_dask_array(slide: Slide, world: World) -> None:
    array = slide.to_dask(0, chunk=512)
    assert array.shape == (HEIGHT, WIDTH, 3)
    assert array.chunks == ((512, 512, 76), (512, 512, 276), (3,))
    assert np.array_equal(array[400:600, 500:530].compute(), world.picture[400:600, 500:530])
    assert float(array.mean().compute()) == pytest.approx(world.picture.mean())


def test_pc21_patches_on_tissue(slide: Slide, world: World) -> None:
    found = list(slide.patches(128, mask="tissue", step=64))
    assert found
    for patch in found:
        x, y = patch.l0_x, patch.l0_y
        assert np.array_equal(patch.pixels, world.picture[y : y + 128, x : x + 128])
        assert x + 64 < TISSUE + 32
    assert {patch.l0_y for patch in found} == set(range(0, HEIGHT - 127, 64))


def test_pc21_patches_inside_of_polygons_and_masks(slide: Slide) -> None:
    triangle = {"type": "Polygon", "coordinates": [[[0, 0], [600, 0], [0, 600], [0, 0]]]}
    inside = [(patch.l0_x, patch.l0_y) for patch in slide.patches(100, mask=[triangle], least=0.99)]
    assert set(inside) == {(100 * x, 100 * y) for x in range(5) for y in range(5) if x + y < 5}
    half = np.array([[True, False]])  # level 1 is 650 pixels wide
    assert {patch.l0_x for patch in slide.patches(200, 1, mask=half, step=125)} == {
        0,
        250,
    }  # the next one has 75 of its 200 columns inside
    assert len(list(slide.patches(300, 0))) == 4 * 3
    for wrong in ("glass", np.zeros((0, 3), bool), np.zeros(3, bool)):
        with pytest.raises(InvalidParameter):
            list(slide.patches(100, mask=wrong))
    for size, least in ((0, 0.5), (10, 0.0), (10, 2.0)):
        with pytest.raises(OutOfRange):
            list(slide.patches(size, least=least))


def test_pc22_a_data_set_for_torch(slide: Slide, world: World) -> None:
    data = pickle.loads(pickle.dumps(slide.dataset(200, 1)))
    assert len(data) == 6
    item = data[4]
    assert item["image"].shape == (3, 200, 200)
    assert item["image"].flags["C_CONTIGUOUS"]
    assert (item["x"], item["y"]) == (400, 400)
    assert [each["x"] for each in data.__getitems__([0, 1, 2])] == [0, 400, 800]
    assert np.array_equal(data[1]["image"].transpose(1, 2, 0), slide.read_array(1, 200, 0, 200, 200))
    data.slide.close()


async def test_pc4_the_same_names_can_be_awaited(world: World, slide_url: str) -> None:
    for place in (slide_url, world.store / "lossless"):
        async with await aio.open_slide(place) as slide:
            assert np.array_equal(await slide.read_array(0, 5, 6, 70, 80), world.picture[6:86, 5:75])
            assert (await slide.read_region((0, 0), 1, (10, 10))).size == (10, 10)
            assert len([patch async for patch in slide.patches(300)]) == 12
            assert len(await slide.coefficients(0, (0, 0, 64, 64), 2)) == 3


def test_pc4_ordinary_and_awaited_slides_have_the_same_names() -> None:
    ordinary = {name for name in vars(aio.Slide) if not name.startswith("_")}
    apart = {"open", "icc_profile", "positions", "place", "blocks", "connection", "tile"}  # of those who build on it
    assert ordinary - apart <= set(dir(Slide))


def test_a_small_level_has_no_patch() -> None:
    from wavescope.client.patches import positions

    assert positions(Pyramid(100, 50), 0, 60) == []
