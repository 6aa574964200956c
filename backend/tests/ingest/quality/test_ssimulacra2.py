"""SSIMULACRA 2 gives the values of its published implementations."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from wavescope.ingest.quality.ssimulacra2 import Original


def waves(height: int, width: int) -> NDArray[np.uint8]:
    y, x = np.mgrid[:height, :width]
    planes = [128 + 90 * np.sin(x / (7 + k)) * np.cos(y / (9 + k)) for k in range(3)]
    return np.stack(planes, axis=2).astype(np.uint8)


# The crate ssimulacra2 0.5.1, the port of libjxl's tool, gave these for the same pictures.
@pytest.mark.parametrize(("noise", "crate"), [(2, 89.7167), (6, 72.0602), (20, 21.9473)])
def test_scores_are_those_of_the_reference(noise: int, crate: float) -> None:
    picture = waves(100, 131)
    rng = np.random.default_rng(1)
    for earlier in (2, 6, 20):
        values = rng.integers(-earlier, earlier + 1, picture.shape)
        if earlier == noise:
            break
    coded = np.clip(picture.astype(int) + values, 0, 255).astype(np.uint8)
    assert Original(picture).score(coded) == pytest.approx(crate, abs=0.05)


@pytest.mark.parametrize("shape", [(1, 1, 3), (7, 300, 3), (8, 8, 3), (64, 40, 1), (256, 256, 3)])
def test_equal_pictures_have_100_whatever_their_size(shape: tuple[int, int, int]) -> None:
    picture = np.random.default_rng(2).integers(0, 256, shape, dtype=np.uint8)
    assert Original(picture).score(picture) == pytest.approx(100, abs=1e-3)
