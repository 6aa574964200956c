"""Levels, tiles and addresses."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wavescope.geometry import TILE, Address, Pyramid
from wavescope.kernel.structs import DEPTH, LL_ROOT

sides = st.integers(1, 200_000)
ROOT = Path(__file__).resolve().parents[2]
TILE_SIDES = {  # the last one of each file: the kernel has small tiles for its fuzzer before it
    "shared/kernel/include/wavescope_kernel.h": r"WS_TILE = (\d+)",
    "shared/spec/codestream.md": r"T = (\d+)\.",
    "shared/spec/store.md": r"T is the side of a tile, (\d+)",
    "frontend/core/src/geometry/pyramid.ts": r"TILE = (\d+);",
    "e2e/harness/microscope.ts": r"TILE = (\d+);",
}


@pytest.mark.parametrize("file", TILE_SIDES)
def test_every_language_has_the_same_side_of_a_tile_cs1(file: str) -> None:
    assert re.findall(TILE_SIDES[file], (ROOT / file).read_text())[-1] == str(TILE)


def test_kernel_and_host_analyse_an_approximation_as_often_cs19() -> None:
    header = (ROOT / "shared/kernel/include/wavescope_kernel.h").read_text()
    assert re.findall(r"WS_DEPTH = (\d+)", header)[-1] == str(DEPTH)
    assert TILE >> DEPTH == LL_ROOT


@pytest.mark.parametrize(
    ("side", "top", "tiles"),
    [
        (1, 0, 1),
        (2, 0, 1),
        (255, 0, 1),
        (256, 0, 1),
        (257, 1, 2),
        (512, 1, 2),
        (513, 2, 3),
        (100_000, 9, 391),
    ],
)
def test_the_top_is_the_first_level_that_fits_one_tile_st75(side: int, top: int, tiles: int) -> None:
    pyramid = Pyramid(side, 1)
    assert pyramid.top == top
    assert pyramid.tiles(0) == (tiles, 1)
    assert pyramid.tiles(top) == (1, 1)


@given(sides, sides)
def test_each_level_is_the_one_below_halved_and_rounded_up_st75(width: int, height: int) -> None:
    pyramid = Pyramid(width, height)
    for level in range(pyramid.top):
        ln_width, ln_height = pyramid.level_size(level)
        assert pyramid.level_size(level + 1) == ((ln_width + 1) // 2, (ln_height + 1) // 2)
        assert max(ln_width, ln_height) > TILE
    assert max(pyramid.level_size(pyramid.top)) <= TILE


@given(sides, sides, st.data())
def test_every_tile_has_its_parent_on_the_level_above_st76(width: int, height: int, data: st.DataObject) -> None:
    pyramid = Pyramid(width, height)
    if pyramid.top == 0:
        return
    level = data.draw(st.integers(0, pyramid.top - 1))
    columns, rows = pyramid.tiles(level)
    address = Address(0, 0, level, data.draw(st.integers(0, columns - 1)), data.draw(st.integers(0, rows - 1)))
    parent = address.parent()
    assert parent.x < pyramid.tiles(parent.level)[0]
    assert parent.y < pyramid.tiles(parent.level)[1]
    assert (parent.x * 2 + address.quadrant()[0], parent.y * 2 + address.quadrant()[1]) == (
        address.x,
        address.y,
    )


@given(sides, sides)
def test_tiles_cover_a_level_without_a_gap_st75(width: int, height: int) -> None:
    pyramid = Pyramid(width, height)
    for level in range(pyramid.top + 1):
        columns, rows = pyramid.tiles(level)
        last_width, last_height = pyramid.tile_size(level, columns - 1, rows - 1)
        assert ((columns - 1) * TILE + last_width, (rows - 1) * TILE + last_height) == pyramid.level_size(level)
        assert 1 <= last_width <= TILE
        assert 1 <= last_height <= TILE
