"""The pinned stain views, and the reference that made them beside scikit-image."""

from __future__ import annotations

import json

import numpy as np
import pytest
from numpy.typing import NDArray
from skimage.color import combine_stains, hed_from_rgb, rgb_from_hed, separate_stains

from stains.make_vectors import VECTORS, cases
from stains.reference import RUIFROK, Reference, level

STAINS = ["haematoxylin", "eosin", "dab"]
#: A density of scikit-image, which counts in logarithms to the base of its smallest value, 10^-6.
DECADES = 6


def pixels() -> NDArray[np.uint8]:
    """Every 17th value of each component, and drawn ones: black and white among them."""
    even = np.stack(np.meshgrid(*[np.arange(0, 256, 17)] * 3), -1).reshape(-1, 3)
    drawn = np.random.default_rng(5).integers(0, 256, (4096, 3))
    return np.concatenate([even, drawn]).astype(np.uint8)


def test_the_pinned_views_are_those_of_the_reference_sn1_sn2_sn3_sn4_sn5_sn6_sn7() -> None:
    assert json.loads(VECTORS.read_text()) == {"cases": cases()}


def test_ruifroks_vectors_are_those_of_scikit_image_sn2() -> None:
    assert np.array_equal(np.array(RUIFROK) / 1000, rgb_from_hed)


@pytest.mark.parametrize("stain", range(3), ids=STAINS)
def test_a_stain_is_that_of_separate_stains_within_one_level_sn3(stain: int) -> None:
    rgb = pixels()
    expected = separate_stains(rgb, hed_from_rgb)[:, stain] * DECADES
    view = Reference({"stain": stain + 1}, None)
    amounts = np.array([view.amounts(pixel)[stain] for pixel in rgb.tolist()])
    assert np.abs(amounts / 4096 - expected).max() <= 1 / 4096
    grey = np.array([level(min(16383, int(amount))) for amount in amounts])
    assert np.abs(grey - 255 * 10**-expected).max() <= 1


@pytest.mark.parametrize("stain", range(3), ids=STAINS)
def test_a_stain_alone_is_that_of_combine_stains_within_one_level_sn4_sn5(stain: int) -> None:
    rgb = pixels()
    separated = separate_stains(rgb, hed_from_rgb)
    alone = np.zeros_like(separated)
    alone[:, stain] = separated[:, stain]
    expected = 255 * combine_stains(alone, rgb_from_hed)
    view = Reference({"stain": stain + 1}, None)
    shown = np.array([view.picture(pixel) for pixel in rgb.tolist()])
    assert np.abs(shown - expected).max() <= 1
