"""What a view needs: its blocks with their ancestors, and the index pages of these."""

from __future__ import annotations

import pytest

from wavescope.geometry import Address, Pyramid
from wavescope_lab.workload.blocks import blocks_of, page_of
from wavescope_lab.workload.pathologist import Field

SLIDE = Pyramid(20_000, 10_000)


def test_a_view_needs_its_blocks_and_their_ancestors_coarse_before_fine() -> None:
    found = blocks_of(Field(0, 300, 300, 500, 100), SLIDE)
    assert found[-3:] == [Address(0, 0, 0, 1, 1), Address(0, 0, 0, 2, 1), Address(0, 0, 0, 3, 1)]
    assert [address.level for address in found] == sorted((address.level for address in found), reverse=True)
    assert all(address.parent() in found for address in found if address.level < SLIDE.top - 1)
    assert len(found) == len(set(found))


def test_a_view_at_the_border_needs_no_block_outside_the_slide() -> None:
    columns, rows = SLIDE.tiles(0)
    fine = [each for each in blocks_of(Field(0, 19_980, 9_990, 1000, 1000), SLIDE) if each.level == 0]
    assert fine == [Address(0, 0, 0, columns - 1, rows - 1)]


def test_pages_are_squares_of_32_blocks_row_by_row() -> None:
    assert SLIDE.tiles(0) == (79, 40)
    assert [page_of(Address(0, 0, 0, x, y), SLIDE) for x, y in ((31, 31), (32, 0), (0, 32))] == [(0, 0), (0, 1), (0, 3)]


def test_a_level_that_the_slide_does_not_have_is_an_error() -> None:
    with pytest.raises(ValueError, match="level 20"):
        blocks_of(Field(20, 0, 0, 1, 1), SLIDE)
