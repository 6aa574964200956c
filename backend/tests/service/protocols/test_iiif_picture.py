"""Which pixels a IIIF picture is made of."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from wavescope.geometry import Pyramid
from wavescope.service.protocols.iiif_image import level_part
from wavescope.service.protocols.iiif_request import Bounds, Rectangle, Size, parse_region, parse_size

MAX_PIXELS = 1 << 24
BOUNDS = Bounds(16383, MAX_PIXELS // 4)


def slide(width: int, height: int) -> Any:
    """What of a version says how large it is."""
    pyramid = Pyramid(width, height)
    return SimpleNamespace(pyramid=pyramid, top=pyramid.top, middle_plane=0)


@st.composite
def wanted(draw: st.DrawFn) -> tuple[Any, Rectangle, Size]:
    """A part of a slide, and a size that the bounds allow."""
    width, height = draw(st.integers(1, 1 << 24)), draw(st.integers(1, 1 << 24))
    x, y = draw(st.integers(0, width - 1)), draw(st.integers(0, height - 1))
    region = parse_region(f"{x},{y},{draw(st.integers(1, width))},{draw(st.integers(1, height))}", width, height)
    wide = draw(st.integers(1, BOUNDS.side))
    high = draw(st.integers(1, min(BOUNDS.side, BOUNDS.area // wide)))
    return slide(width, height), region, parse_size(f"{wide},{high}", region, BOUNDS, "2")


@given(wanted())
def test_no_request_reads_more_than_the_largest_region_or_beyond_the_level_if7(
    made: tuple[Any, Rectangle, Size],
) -> None:
    version, region, size = made
    part, box = level_part(version, region, size, MAX_PIXELS, 0)
    width, height = version.pyramid.level_size(part.level)
    assert part.width * part.height <= MAX_PIXELS
    assert 0 <= part.ln_x < part.ln_x + part.width <= width
    assert 0 <= part.ln_y < part.ln_y + part.height <= height
    if box is None:
        assert (part.width, part.height) == size[:2]
    else:
        left, top, right, bottom = box
        assert 0 <= left < right <= part.width
        assert 0 <= top < bottom <= part.height


@given(wanted())
def test_a_picture_is_made_of_enough_pixels_of_a_level_if7(made: tuple[Any, Rectangle, Size]) -> None:
    version, region, size = made
    part, _ = level_part(version, region, size, MAX_PIXELS, 0)
    finer = level_part(version, region, size, 1 << 50, 0)[0]
    if finer == part and part.level > 0:
        assert part.width >= size.width
        assert part.height >= size.height
