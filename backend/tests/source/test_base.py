import numpy as np
import pytest

from wavescope.errors import OutOfRange
from wavescope.source.base import SourceInfo, check_region, composite

INFO = SourceInfo(width=100, height=50, channels=3, format="test", source_bytes=0, properties={}, planes=2)


@pytest.mark.parametrize("region", [(0, 0, 0, 100, 50), (1, 99, 49, 1, 1)])
def test_regions_wholly_inside_the_slide_are_accepted(region: tuple[int, int, int, int, int]) -> None:
    check_region(INFO, *region)


@pytest.mark.parametrize(
    "region",
    [
        (2, 0, 0, 1, 1),
        (-1, 0, 0, 1, 1),
        (0, -1, 0, 1, 1),
        (0, 0, -1, 1, 1),
        (0, 0, 0, 101, 1),
        (0, 0, 50, 1, 1),
        (0, 0, 0, 0, 1),
    ],
)
def test_regions_that_leave_the_slide_are_out_of_range(region: tuple[int, int, int, int, int]) -> None:
    with pytest.raises(OutOfRange):
        check_region(INFO, *region)


def test_opaque_pixels_keep_their_colour_and_transparent_ones_show_the_background() -> None:
    rgba = np.array([[[10, 20, 30, 255], [10, 20, 30, 0], [0, 0, 0, 51]]], dtype=np.uint8)
    expected = [[[10, 20, 30], [200, 255, 255], [160, 204, 204]]]
    assert composite(rgba, (200, 255, 255)).tolist() == expected


def test_a_wholly_opaque_picture_is_its_first_three_channels() -> None:
    rgba = np.random.default_rng(0).integers(0, 256, (5, 7, 4), dtype=np.uint8)
    rgba[..., 3] = 255
    assert np.array_equal(composite(rgba), rgba[..., :3])
