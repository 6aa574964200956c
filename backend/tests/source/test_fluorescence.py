"""The synthetic fluorescence specimen: its cells are where it says, its noise is what it says."""

from __future__ import annotations

import numpy as np
import pytest

from wavescope.errors import InvalidParameter
from wavescope.source.open import open_source
from wavescope.source.specimen.fluorescence import GAIN, OFFSET, READ_NOISE, Fluorescence
from wavescope.source.specimen.spec import parse_spec

SPEC = parse_spec("specimen:90000x80000x3?seed=5&channels=9")
PAINTER = Fluorescence(SPEC)


def test_any_region_is_the_same_alone_as_in_a_larger_one() -> None:
    large = PAINTER.read(1, 4, 63000, 51000, 700, 500)
    for x, y, width, height in ((0, 0, 1, 1), (13, 7, 300, 200), (699, 499, 1, 1), (0, 400, 700, 64)):
        alone = PAINTER.read(1, 4, 63000 + x, 51000 + y, width, height)
        assert np.array_equal(alone, large[y : y + height, x : x + width])


def test_planes_channels_and_seeds_differ_in_noise_and_channels_in_what_they_stain() -> None:
    regions = [PAINTER.read(z, c, 0, 0, 200, 200) for z in (0, 1) for c in (0, 1)]
    regions.append(Fluorescence(SPEC._replace(seed=6)).read(0, 0, 0, 0, 200, 200))
    assert len({region.tobytes() for region in regions}) == 5
    for cell in PAINTER.cells(0, 0, 2000, 2000):
        assert cell.intensities[0] > 0
    shares = np.mean([np.array(cell.intensities) > 0 for cell in PAINTER.cells(0, 0, 5000, 5000)], axis=0)
    assert shares[0] == 1
    assert np.all((shares[1:] > 0.25) & (shares[1:] < 0.35))


def test_cells_are_where_and_as_bright_as_the_truth_says() -> None:
    cells = PAINTER.cells(1000, 2000, 600, 600)
    assert 300 < len(cells) < 600
    bare = np.zeros((600, 600))
    for cell in cells:
        bare[cell.y - 2000, cell.x - 1000] = cell.intensities[3]
    middles = bare > 0
    signal = PAINTER.signal(1, 3, 1000, 2000, 600, 600)
    assert np.all(signal[middles] >= 0.99 * bare[middles])
    assert np.all(signal[middles] <= np.maximum(bare[middles], 9000) + 150)


def test_noise_is_that_of_shots_and_of_reading() -> None:
    signal = PAINTER.signal(1, 0, 0, 0, 1500, 1500)
    residual = PAINTER.read(1, 0, 0, 0, 1500, 1500) - OFFSET - signal
    for low, high in ((0, 60), (100, 150), (1000, 3000), (4000, 8000)):
        inside = (signal >= low) & (signal < high)
        expected = GAIN * float(signal[inside].mean()) + READ_NOISE**2 + 1 / 12
        assert np.isclose(residual[inside].var(), expected, rtol=0.05)
        assert abs(float(residual[inside].mean())) < 4 * (expected / inside.sum()) ** 0.5 + 0.01


def test_channels_are_described() -> None:
    source = open_source("specimen:300x200?channels=12")
    info = source.info
    assert (info.channels, info.groups, len(info.descriptions)) == (12, 12, 12)
    assert [one.name for one in info.descriptions[:3]] == ["DAPI", "CD3", "CD8"]
    assert [one.display.on for one in info.descriptions] == [True] * 4 + [False] * 8
    assert source.read_region(0, 10, 20, 30, 40).shape == (40, 30, 12)


@pytest.mark.parametrize("channels", [0, 65, 99])
def test_specimens_have_1_to_64_channels(channels: int) -> None:
    with pytest.raises(InvalidParameter, match="1 to 64 channels"):
        open_source(f"specimen:300x200?channels={channels}")
