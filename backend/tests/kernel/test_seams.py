"""No seams: errors across tile borders are hardly larger than inside tiles."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from wavescope import kernel, rd
from wavescope.geometry import TILE
from wavescope.source.open import open_specimen


@pytest.fixture(scope="module")
def specimen() -> NDArray[np.uint8]:
    """The middle of a specimen, four tiles."""
    return open_specimen("specimen:3072x3072?seed=2").read_region(0, 1024, 1024, 2 * TILE, 2 * TILE)


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
