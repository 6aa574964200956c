"""The transform: the low band is the mean of four, PyWavelets agrees, nothing is lost."""

from __future__ import annotations

import numpy as np
import pytest
import pywt
from numpy.typing import NDArray

from wavescope import kernel
from wavescope.geometry import HALF, TILE

PROFILES: tuple[kernel.Profile, ...] = ("visual", "lossless")


@pytest.mark.parametrize("profile", PROFILES)
def test_cs15_pywavelets_rbio15_agrees_within_the_stated_rounding(
    profile: kernel.Profile, tissue: NDArray[np.uint8]
) -> None:
    samples = kernel.samples_from_pixels(tissue, kernel.choose_codec(profile, tissue))
    ll, details = kernel.analyze(samples)
    for channel in range(3):
        approximation, (cH, cV, cD) = pywt.dwt2(  # noqa: N806
            samples[channel].astype(float), "rbio1.5", mode="symmetric"
        )
        expected = (approximation / 2, cV, cH, 2 * cD)
        assert np.abs(expected[0][2 : HALF + 2, 2 : HALF + 2] - ll[channel]).max() <= 0.501
        for band, ours, most in zip(expected[1:], details[channel], (2, 2.5, 5), strict=True):
            assert np.abs(band[4:HALF, 4:HALF] - ours[2:-2, 2:-2]).max() <= most  # at borders the extensions differ


@pytest.mark.parametrize("profile", PROFILES)
def test_cs14_the_low_band_is_the_mean_of_four_and_its_rounding_is_unbiased(
    profile: kernel.Profile, tissue: NDArray[np.uint8]
) -> None:
    samples = kernel.samples_from_pixels(tissue, kernel.choose_codec(profile, tissue))
    ll, _ = kernel.analyze(samples)
    mean = samples.reshape(3, HALF, 2, HALF, 2).mean((2, 4))
    assert np.abs(ll - mean).max() <= 0.5
    assert abs(float((ll - mean).mean())) < 0.03


def test_cs17_synthesis_undoes_analysis_for_any_samples_that_fit() -> None:
    samples = np.random.default_rng(3).integers(-4000, 4000, (3, TILE, TILE)).astype(np.int16)
    ll, details = kernel.analyze(samples)
    assert np.array_equal(kernel.synthesize(ll, details), samples)


@pytest.mark.parametrize("profile", PROFILES)
def test_a_tile_at_the_slides_edge_continues_without_details_st59(
    profile: kernel.Profile, tissue: NDArray[np.uint8]
) -> None:
    codec = kernel.choose_codec(profile, tissue)
    inside = kernel.samples_from_pixels(tissue, codec)[:, :100, :38]
    samples = kernel.samples_from_pixels(tissue[:100, :38], codec)
    repeated = np.pad(inside, ((0, 0), (0, TILE - 100), (0, TILE - 38)), mode="edge")
    assert np.array_equal(samples[:, :100, :38], inside)
    assert (samples >= inside.min((1, 2), keepdims=True)).all()
    assert (samples <= inside.max((1, 2), keepdims=True)).all()
    continued, before = (_outside(kernel.analyze(each)[1], 19, 50) for each in (samples, repeated))
    assert continued < before / 10


def _outside(details: NDArray[np.int16], width: int, height: int) -> int:
    """The sum of the magnitudes beyond so many columns and rows."""
    sizes = np.abs(details.astype(int))
    return int(sizes.sum() - sizes[..., :height, :width].sum())


@pytest.mark.parametrize("above", [0, 1])
@pytest.mark.parametrize("size", [(1, 1), (1, TILE), (TILE, 2), (17, 200), (255, 255), (TILE, TILE)])
def test_whatever_a_tile_has_it_is_continued_inside_its_range_st59(size: tuple[int, int], above: int) -> None:
    width, height = size
    covered = np.random.default_rng(width).integers(-30000, 30000, (3, height, width)).astype(np.int16)
    tile = kernel.extended(covered, above)
    assert np.array_equal(tile[:, :height, :width], covered)
    assert (tile >= covered.min((1, 2), keepdims=True)).all()
    assert (tile <= covered.max((1, 2), keepdims=True)).all()


def test_a_continued_tile_has_one_of_its_sizes() -> None:
    with pytest.raises(ValueError, match="1 to 256"):
        kernel.extended(np.zeros((3, 0, 5), np.int16))


@pytest.mark.parametrize("profile", PROFILES)
def test_samples_become_the_same_pixels_again(profile: kernel.Profile, tissue: NDArray[np.uint8]) -> None:
    codec = kernel.choose_codec(profile, tissue)
    samples = kernel.samples_from_pixels(tissue, codec)
    parameters = kernel.read_parameters(codec.parameter_set(0))
    off = np.abs(kernel.pixels(samples, parameters, TILE, TILE).astype(int) - tissue)
    assert off.max() <= (1 if profile == "visual" else 0)
    assert off.mean() < 0.001


def test_all_256_grey_values_and_the_corners_of_the_colour_cube_survive_the_lossless_profile() -> None:
    values = np.arange(256, dtype=np.uint8)
    grey = np.broadcast_to(values[:, None, None], (256, 200, 1))
    corners = np.stack(np.meshgrid(*[np.array([0, 1, 127, 128, 254, 255], np.uint8)] * 3), -1).reshape(-1, 1, 3)
    for image in (grey, np.repeat(corners, 8, axis=1)):
        codec = kernel.choose_codec("lossless", image)
        samples = kernel.samples_from_pixels(image, codec)
        parameters = kernel.read_parameters(codec.parameter_set(1, approximation=True))
        top = kernel.decode_approximation(kernel.encode_approximation(samples, codec, 1), parameters)
        assert np.array_equal(kernel.pixels(top, parameters, image.shape[1], image.shape[0]), image)
