"""Deep Zoom as arithmetic."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from wavescope.pixels.images import Pixels
from wavescope.service.protocols.deep_zoom import reduce_image


@given(arrays(np.uint8, st.tuples(st.integers(1, 9), st.integers(1, 9), st.just(3))), st.sampled_from([2, 4, 8]))
def test_a_reduction_has_the_mean_of_each_square_dz3(pixels: Pixels, factor: int) -> None:
    small = reduce_image(pixels, factor)
    assert small.shape[:2] == (-(-pixels.shape[0] // factor), -(-pixels.shape[1] // factor))
    for row, column in np.ndindex(small.shape[:2]):
        square = pixels[row * factor : (row + 1) * factor, column * factor : (column + 1) * factor]
        assert np.abs(small[row, column] - square.mean(axis=(0, 1))).max() <= 0.5
