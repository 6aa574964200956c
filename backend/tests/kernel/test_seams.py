"""No seams: errors across tile borders are hardly larger than inside tiles."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from wavescope import kernel, rd
from wavescope.geometry import TILE, Address
from wavescope.source.open import open_specimen


@pytest.fixture(scope="module")
def specimen() -> NDArray[np.uint8]:
    """The middle of a specimen, four tiles."""
    return open_specimen("specimen:3072x3072?seed=2").read_region(0, 1024, 1024, 2 * TILE, 2 * TILE)


GREY = kernel.read_parameters(kernel.choose_codec("visual", np.zeros((8, 8, 1), np.uint8)).parameter_set(0))


def empty_tile(parent: kernel.Samples, quadrant: tuple[int, int]) -> kernel.Samples:
    return kernel.decode_tile(parent, [], GREY, Address(0, 0, 0, *quadrant))


def test_cs18_siblings_made_of_their_parent_alone_join_without_a_step() -> None:
    y, x = np.mgrid[:TILE, :TILE]
    parent = (8 * x + 4 * y - 3000).astype(np.int16)[None]
    tiles = [[empty_tile(parent, (qx, qy))[0] for qx in (0, 1)] for qy in (0, 1)]
    whole = np.block(tiles)[8:-8, 8:-8].astype(np.int32)
    assert (np.diff(whole, axis=1) == 4).all()
    assert (np.diff(whole, axis=0) == 2).all()


def test_cs18_a_tile_depends_on_its_quadrant_and_two_means_of_each_sibling_alone() -> None:
    rng = np.random.default_rng(4)
    for quadrant in ((0, 0), (1, 0), (0, 1), (1, 1)):
        parent = rng.integers(-3000, 3000, (1, TILE, TILE)).astype(np.int16)
        other = rng.integers(-3000, 3000, (1, TILE, TILE)).astype(np.int16)
        other[kernel.neighbourhood(quadrant)] = parent[kernel.neighbourhood(quadrant)]
        made = empty_tile(parent, quadrant)
        empty_tile(other, (1 - quadrant[0], 1 - quadrant[1]))  # leaves other samples in the kernel's memory
        assert np.array_equal(empty_tile(other, quadrant), made)


@pytest.mark.parametrize("layers", [1, 2])
def test_the_gradient_errs_no_more_across_borders_than_inside_tiles(specimen: NDArray[np.uint8], layers: int) -> None:
    coded = rd.encode_image(specimen, kernel.choose_codec("visual", specimen))
    error = dict(rd.decode_image(coded, layers))[0].astype(np.int32) - specimen
    across, inside = [], []
    for axis in (0, 1):
        gradient = np.abs(np.diff(error, axis=axis)).mean(axis=(1 - axis, 2))
        across.append(gradient[TILE - 1])
        inside.append(np.delete(gradient, TILE - 1).mean())
    assert np.mean(across) <= 1.25 * np.mean(inside)
