"""Windows of a tile: the pixels of the whole tile, and of every damage the same error."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from wavescope import kernel
from wavescope.errors import CodecError
from wavescope.geometry import HALF, TILE, Address

QUADRANTS = [(0, 0), (1, 0), (0, 1), (1, 1)]
Tile = tuple[kernel.Samples, list[bytes], kernel.ParameterSet]


def at(quadrant: tuple[int, int]) -> Address:
    return Address(0, 0, 0, *quadrant)


def coded(tissue: NDArray[np.uint8], profile: kernel.Profile, quadrant: tuple[int, int]) -> Tile:
    """A parent with four different quadrants, the layers of the tile in one of them, and the parameters of level 0."""
    tissue = tissue[:TILE, :TILE]
    codec = kernel.choose_codec(profile, tissue)
    turned = {place: np.rot90(tissue, n) for n, place in enumerate(QUADRANTS)}
    samples = {place: kernel.samples_from_pixels(np.ascontiguousarray(tile), codec) for place, tile in turned.items()}
    parent = kernel.parent_of({place: kernel.means(tile) for place, tile in samples.items()})
    parameters = kernel.read_parameters(codec.parameter_set(0))
    return parent, kernel.encode_tile(samples[quadrant], parent, at(quadrant), codec), parameters


@pytest.mark.parametrize("profile", ["visual", "lossless"])
@pytest.mark.parametrize("quadrant", QUADRANTS)
def test_a_window_has_the_pixels_of_the_whole_tile(
    tissue: NDArray[np.uint8], profile: kernel.Profile, quadrant: tuple[int, int]
) -> None:
    parent, layers, parameters = coded(tissue, profile, quadrant)
    chance = np.random.default_rng(sum(quadrant))
    for count in range(len(layers) + 1):
        whole = kernel.pixels(
            kernel.decode_tile(parent, layers[:count], parameters, at(quadrant)), parameters, TILE, TILE
        )
        windows = [(0, 0, TILE, TILE), (TILE - 1, TILE - 1, 1, 1), (0, 0, 1, 1), (7, 2, 9, HALF), (TILE - 17, 0, 17, 3)]
        for _ in range(8):
            x, y = (int(value) for value in chance.integers(0, TILE, 2))
            windows.append((x, y, int(chance.integers(1, TILE - x + 1)), int(chance.integers(1, TILE - y + 1))))
        for x, y, width, height in windows:
            cut = np.zeros((height, width, 3), np.uint8)
            kernel.draw_tile(parent, b"".join(layers[:count]), parameters, at(quadrant), (x, y), cut)
            assert np.array_equal(cut, whole[y : y + height, x : x + width]), (x, y, width, height)


def test_the_rows_of_a_picture_can_be_drawn_in_place(tissue: NDArray[np.uint8]) -> None:
    parent, layers, parameters = coded(tissue, "visual", (1, 0))
    picture = np.zeros((60, 80, 3), np.uint8)
    kernel.draw_tile(parent, b"".join(layers), parameters, at((1, 0)), (100, 200), picture[10:30, 20:50])
    whole = kernel.pixels(kernel.decode_tile(parent, layers, parameters, at((1, 0))), parameters, TILE, TILE)
    assert np.array_equal(picture[10:30, 20:50], whole[200:220, 100:130])
    picture[10:30, 20:50] = 0
    assert not picture.any()


def test_damage_is_the_same_error_as_for_the_whole_tile(tissue: NDArray[np.uint8]) -> None:
    parent, layers, parameters = coded(tissue, "visual", (0, 1))
    block, cut = b"".join(layers), np.zeros((16, 16, 3), np.uint8)
    damaged = [block[:size] for size in (1, 7, 12, len(layers[0]) - 1, len(layers[0]) + 5, len(block) - 1)]
    damaged += [block + b"\0", layers[1], block[:40] + bytes([block[40] ^ 1]) + block[41:]]
    for data in damaged:
        with pytest.raises(CodecError) as whole:
            kernel.decode_tile(parent, [data], parameters, at((0, 1)))
        with pytest.raises(CodecError) as window:
            kernel.draw_tile(parent, data, parameters, at((0, 1)), (30, 40), cut)
        assert window.value.code == whole.value.code


@pytest.mark.parametrize(
    ("corner", "shape"),
    [((-1, 0), (1, 1, 3)), ((0, TILE), (1, 1, 3)), ((1, 0), (1, TILE, 3)), ((0, 0), (0, 4, 3)), ((0, 0), (4, 4, 1))],
)
def test_a_window_outside_the_tile_is_the_callers_mistake(
    tissue: NDArray[np.uint8], corner: tuple[int, int], shape: tuple[int, int, int]
) -> None:
    parent, layers, parameters = coded(tissue, "visual", (0, 0))
    with pytest.raises(ValueError, match="inside a tile"):
        kernel.draw_tile(parent, b"".join(layers), parameters, at((0, 0)), corner, np.zeros(shape, np.uint8))
