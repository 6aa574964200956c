"""Coefficients, samples and features of a slide, judged by PyWavelets."""

from __future__ import annotations

import warnings
from collections.abc import Iterator

import numpy as np
import pytest
import pywt

from service.world import TISSUE, World
from wavescope.client import Slide, open_slide
from wavescope.client.coefficients import MODE, WAVELETS, Wavelet, decompose
from wavescope.client.features import otsu
from wavescope.errors import InvalidParameter, OutOfRange, TooLarge

BOX = (128, 256, 384, 320)


@pytest.fixture(params=["local", "remote"])
def lossless(request: pytest.FixtureRequest, world: World, slide_url: str) -> Iterator[Slide]:
    with open_slide(slide_url if request.param == "remote" else world.store / "lossless") as slide:
        yield slide


@pytest.fixture
def visual(world: World) -> Iterator[Slide]:
    with open_slide(world.store / "visual") as slide:
        yield slide


@pytest.mark.parametrize("wavelet", WAVELETS)
@pytest.mark.parametrize("depth", [1, 2, 4])
def test_pc31_pywavelets_makes_the_region_of_its_coefficients(lossless: Slide, depth: int, wavelet: Wavelet) -> None:
    samples = lossless.samples(0, BOX)
    found = lossless.coefficients(0, BOX, depth, wavelet=wavelet)
    assert len(found) == 3
    made = np.stack([pywt.waverec2(channel, wavelet, mode=MODE) for channel in found])
    assert np.abs(made - samples).max() < 1e-9
    _, _, w, h = BOX
    assert np.array_equal(lossless.pixels_of(made), lossless.read_array(0, *BOX))
    assert [band.shape for band in found[0][1]] == [(h >> depth, w >> depth)] * 3
    assert found[0][0].shape == (h >> depth, w >> depth)  # type: ignore[union-attr]


def test_pc31_they_are_those_of_pywavelets() -> None:
    samples = np.random.default_rng(3).normal(size=(2, 96, 160))
    for wavelet in WAVELETS:
        ours = decompose(samples, 3, wavelet)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)
            theirs = [pywt.wavedec2(channel, wavelet, mode=MODE, level=3) for channel in samples]
        for one, other in zip(ours, theirs, strict=True):
            assert np.allclose(one[0], other[0], atol=1e-12)
            assert all(np.allclose(a, b, atol=1e-12) for a, b in zip(one[1:], other[1:], strict=True))


def test_pc32_inside_a_tile_they_are_the_stored_details(visual: Slide) -> None:
    """The stored ones are quantised and rounded; at a tile's border the codec predicts from its own siblings alone."""
    _, (lh, hl, hh) = visual.coefficients(0, (256, 256, 256, 256))[0]
    stored = visual.details(0, 1, 1)[0]
    for ours, band in zip((hl, lh, hh), stored, strict=True):
        assert np.corrcoef(ours[4:-4, 4:-4].ravel(), band[4:-4, 4:-4].ravel())[0, 1] > 0.98


def test_pc31_a_region_on_the_grid_of_the_slide(lossless: Slide) -> None:
    for box, depth in (((1, 0, 8, 8), 1), ((0, 0, 8, 6), 2), ((0, 4, 8, 8), 3), ((0, 0, 8, 8), 0), ((0, 0, 0, 8), 1)):
        with pytest.raises(OutOfRange):
            lossless.coefficients(0, box, depth)
    with pytest.raises(OutOfRange):
        lossless.coefficients(0, (1296, 0, 8, 8))
    with pytest.raises(InvalidParameter):
        lossless.coefficients(0, BOX, wavelet="db2")  # type: ignore[arg-type]


def test_pc33_glass_has_no_texture_and_is_no_tissue(lossless: Slide) -> None:
    energy = lossless.texture_energy(0, 16)
    assert energy.shape == (3, 3, 69, 82)
    assert energy[:, :, :, : TISSUE // 16 - 1].min() > 0
    assert energy[:, :, :, TISSUE // 16 + 2 :].max() == 0
    tissue = lossless.tissue_mask()  # of level 1
    assert tissue[:, : TISSUE // 32 - 1].mean() > 0.9
    assert not tissue[:, TISSUE // 32 + 2 :].any()


def test_pc33_the_cells_and_the_size_of_features_are_bounded(world: World) -> None:
    with open_slide(world.store / "lossless", most_pixels=1000) as slide:
        with pytest.raises(TooLarge):
            slide.texture_energy(0, 2)
        for cell in (0, 1, 3, 512):
            with pytest.raises(InvalidParameter):
                slide.texture_energy(0, cell)
        with pytest.raises(OutOfRange):
            slide.texture_energy(3)  # the approximation has no block


def test_a_threshold_lies_between_two_classes() -> None:
    assert 1 < otsu(np.array([0.0, 0.1, 1.0, 9.0, 10.0])) < 9
    assert otsu(np.zeros(5)) == 0
