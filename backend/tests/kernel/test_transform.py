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


def test_a_tile_at_the_slides_edge_repeats_its_last_column_and_row_st59(tissue: NDArray[np.uint8]) -> None:
    part = tissue[:100, :37]
    padded = np.pad(part, ((0, TILE - 100), (0, TILE - 37), (0, 0)), mode="edge")
    for profile in PROFILES:
        codec = kernel.choose_codec(profile, tissue)
        assert np.array_equal(kernel.samples_from_pixels(part, codec), kernel.samples_from_pixels(padded, codec))


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
