"""Pixels as files."""

from __future__ import annotations

from io import BytesIO

import numpy as np
import pytest
from PIL import Image

from wavescope.errors import TooLarge
from wavescope.pixels.images import ImageFormat, Pixels, encode_image, shrink

RANDOM = np.random.default_rng(1)


@pytest.mark.parametrize("channels", [1, 3])
def test_png_is_exact(channels: int) -> None:
    pixels = RANDOM.integers(0, 256, (37, 51, channels), np.uint8)
    image = Image.open(BytesIO(encode_image(pixels, "png")))
    assert "icc_profile" not in image.info
    assert np.array_equal(np.asarray(image).reshape(pixels.shape), pixels)


@pytest.mark.parametrize("channels", [1, 3])
def test_npy_is_the_array(channels: int) -> None:
    pixels = RANDOM.integers(0, 256, (37, 51, channels), np.uint8)[:, ::-1]
    loaded = np.load(BytesIO(encode_image(pixels, "npy")), allow_pickle=False)
    assert loaded.dtype == np.uint8
    assert np.array_equal(loaded, pixels)


@pytest.mark.parametrize(("kind", "name"), [("jpg", "JPEG"), ("webp", "WEBP")])
def test_lossy_kinds_have_the_size_and_nearly_the_colour(kind: ImageFormat, name: str) -> None:
    pixels = np.full((37, 51, 3), (200, 120, 160), np.uint8)
    image = Image.open(BytesIO(encode_image(pixels, kind)))
    assert (image.format, image.size) == (name, (51, 37))
    assert np.abs(np.asarray(image.convert("RGB")).astype(int) - pixels).max() <= 3


@pytest.mark.parametrize(("kind", "side"), [("jpg", 65536), ("webp", 16384)])
def test_a_side_that_the_kind_cannot_hold_is_refused(kind: ImageFormat, side: int) -> None:
    with pytest.raises(TooLarge, match=kind):
        encode_image(np.zeros((1, side, 3), np.uint8), kind)


@pytest.mark.parametrize(
    ("size", "longest", "small"),
    [((100, 50), 25, (25, 12)), ((50, 100), 25, (12, 25)), ((20, 10), 25, (20, 10)), ((1000, 1), 10, (10, 1))],
)
def test_shrinking_keeps_the_shape_and_never_enlarges(
    size: tuple[int, int], longest: int, small: tuple[int, int]
) -> None:
    pixels: Pixels = np.full((size[1], size[0], 3), 77, np.uint8)
    assert shrink(pixels, longest).shape == (small[1], small[0], 3)
    assert (shrink(pixels, longest) == 77).all()
