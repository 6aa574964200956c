from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from sampling import share
from wavescope.source.specimen.focus import blur_grid
from wavescope.source.specimen.nodes import AROUND, STEP, nodes_of
from wavescope.source.specimen.painter import PATCH, SALT_HEIGHT, Painter
from wavescope.source.specimen.source import SpecimenSource
from wavescope.source.specimen.spec import Spec
from wavescope.source.specimen.stain import GLASS

SPEC = Spec(2200, 1900, 3, 6)


@cache
def source() -> SpecimenSource:
    return SpecimenSource(SPEC)


@cache
def whole(z: int) -> NDArray[np.uint8]:
    return source().read_region(z, 0, 0, SPEC.width, SPEC.height)


@pytest.mark.slow
@given(data=st.data())
@settings(max_examples=share(40))
def test_any_two_reads_agree_where_they_overlap(data: st.DataObject) -> None:
    z = data.draw(st.integers(0, SPEC.planes - 1))
    x, y = data.draw(st.integers(0, SPEC.width - 1)), data.draw(st.integers(0, SPEC.height - 1))
    width, height = (
        data.draw(st.integers(1, min(700, SPEC.width - x))),
        data.draw(st.integers(1, min(700, SPEC.height - y))),
    )
    region = SpecimenSource(SPEC) if data.draw(st.integers(0, 19)) == 0 else source()
    assert np.array_equal(region.read_region(z, x, y, width, height), whole(z)[y : y + height, x : x + width])


def stains_at(painter: Painter, left: int, top: int) -> list[NDArray[np.float32]]:
    xs = np.arange(left - AROUND, left + painter._side + AROUND + 1, STEP, dtype=np.float64)
    ys = np.arange(top - AROUND, top + painter._side + AROUND + 1, STEP, dtype=np.float64)
    nodes = nodes_of(painter._anatomy, xs, ys, painter._anatomy.depth_grid(xs, ys))
    stains = painter._tissue.stains(nodes, left, top)
    blood = np.zeros_like(stains.eosin) if stains.blood is None else stains.blood
    return [stains.haematoxylin, stains.eosin, blood, stains.tissue]


@pytest.mark.parametrize("shift", [(8, 0), (0, 8), (64, 40), (256, 304), (-120, 16)])
@pytest.mark.parametrize("place", [(512, 512), (512, 1024)])
def test_a_patch_painted_from_elsewhere_has_the_same_cells_and_fibres_so_there_are_no_seams(
    shift: tuple[int, int], place: tuple[int, int]
) -> None:
    painter = source()._painter
    (dx, dy), (left, top), side = shift, place, painter._side
    here, there = stains_at(painter, left, top), stains_at(painter, left + dx, top + dy)
    x0, x1, y0, y1 = max(0, dx), side + min(0, dx), max(0, dy), side + min(0, dy)
    assert here[3][y0:y1, x0:x1].max() == 1.0
    for one, other in zip(here, there, strict=True):
        assert np.allclose(one[y0:y1, x0:x1], other[y0 - dy : y1 - dy, x0 - dx : x1 - dx], atol=2e-4)


@pytest.mark.slow
def test_the_borders_of_patches_cannot_be_seen() -> None:
    picture = whole(1).astype(int)
    steps = np.abs(np.diff(picture, axis=1)).mean(axis=(0, 2))
    borders = [column - 1 for column in range(PATCH, SPEC.width, PATCH)]
    for border in borders:
        around = np.concatenate([steps[border - 40 : border], steps[border + 1 : border + 41]])
        assert steps[border] < around.mean() + 4 * around.std()


def test_glass_is_exactly_one_colour_away_from_tissue() -> None:
    for z in range(SPEC.planes):
        assert (whole(z)[:100, :100] == GLASS).all()
        assert (whole(z)[-100:, :100] == GLASS).all()
    empty = (whole(1) == GLASS).all(axis=2).mean()
    assert 0.3 < empty < 0.75


def test_the_slide_shows_nuclei_pink_tissue_lumens_and_glass() -> None:
    red, green, blue = (whole(1)[..., channel].astype(int) for channel in range(3))
    nuclei = (red < 150) & (blue > red + 10)
    pink = (red > 190) & (green < red - 25) & (blue < red)
    assert 0.02 < nuclei.mean() < 0.2
    assert 0.1 < pink.mean() < 0.6


def test_the_same_description_paints_the_same_and_another_seed_another_specimen() -> None:
    again = SpecimenSource(SPEC).read_region(1, 400, 700, 300, 200)
    assert np.array_equal(again, whole(1)[700:900, 400:700])
    other = SpecimenSource(SPEC._replace(seed=7)).read_region(1, 400, 700, 300, 200)
    assert not np.array_equal(other, again)


def test_each_place_is_sharpest_in_the_plane_its_height_says() -> None:
    """Compared where the tissue has detail and the blur of the planes clearly differs."""
    side, compared, right = 128, 0, 0
    salt = source()._painter._anatomy.salt(SALT_HEIGHT)
    for y in range(0, SPEC.height - side, side):
        for x in range(0, SPEC.width - side, side):
            parts = [whole(z)[y : y + side, x : x + side, 1].astype(int) for z in range(SPEC.planes)]
            sharpness = [float(np.abs(np.diff(part, n=2, axis=1)).mean()) for part in parts]
            middle = np.array([x + side / 2]), np.array([y + side / 2])
            blurs = [float(blur_grid(*middle, z, SPEC.planes, salt)[0, 0]) for z in range(SPEC.planes)]
            if max(sharpness) > 3 and sorted(blurs)[1] > min(blurs) + 0.5:
                compared += 1
                right += int(np.argmax(sharpness) == np.argmin(blurs))
    assert compared > 20
    assert right > 0.95 * compared


def test_the_far_corner_of_the_largest_specimen_is_read_without_painting_the_rest() -> None:
    largest = SpecimenSource(Spec(100_000, 100_000, 7, 0))
    corner = largest.read_region(6, 99_999, 99_999, 1, 1)
    assert tuple(corner[0, 0]) == GLASS
    tissue = largest.read_region(3, 29_000, 45_000, 300, 300)
    assert tissue.std() > 10


@pytest.mark.slow
@pytest.mark.parametrize("size", [(1, 1), (3, 700), (40, 30), (513, 511)])
def test_specimens_of_any_size_can_be_painted(size: tuple[int, int]) -> None:
    tiny = SpecimenSource(Spec(*size, 2, 1))
    assert tiny.read_region(1, 0, 0, *size).shape == (size[1], size[0], 3)
