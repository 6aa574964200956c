"""Profiles and the tables made of them."""

from __future__ import annotations

from io import BytesIO

import numpy as np
import pytest
from PIL import Image, ImageCms

from service.profiles import SRGB, scanner_profile
from wavescope.pixels.colour import NODES, Colour, colour_of, cube_of_colours
from wavescope.pixels.images import Pixels


def table_of(colour: Colour) -> Pixels:
    assert colour.state == "table"
    return np.asarray(Image.open(BytesIO(colour.table)))


def test_the_cube_holds_every_node_red_fastest_wi62() -> None:
    cube = cube_of_colours()
    assert cube.shape == (NODES, NODES * NODES, 3)
    assert cube[3, 2 * NODES + 7].tolist() == [35, 15, 10]
    assert len(np.unique(cube.reshape(-1, 3), axis=0)) == NODES**3


def test_the_table_is_what_littlecms_makes_of_single_colours_wi62() -> None:
    table, cube = table_of(colour_of(scanner_profile())), cube_of_colours()
    profile = ImageCms.ImageCmsProfile(BytesIO(scanner_profile()))
    transform = ImageCms.buildTransform(
        profile,
        ImageCms.createProfile("sRGB"),
        "RGB",
        "RGB",
        ImageCms.Intent.PERCEPTUAL,
        ImageCms.Flags.BLACKPOINTCOMPENSATION | ImageCms.Flags.NOOPTIMIZE,
    )
    assert transform is not None
    expected = np.asarray(ImageCms.applyTransform(Image.fromarray(cube), transform))
    assert np.abs(table.astype(int) - expected).max() <= 1
    assert np.abs(table.astype(int) - cube).max() > 20
    assert table[-1, -1].tolist() == [255, 255, 255]


def test_a_profile_of_srgb_asks_for_nothing_wi61() -> None:
    own = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    assert colour_of(own) == Colour("sRGB built-in", "same")
    assert colour_of(scanner_profile(SRGB, 2.2, "nearly")).state == "table"  # another curve


@pytest.mark.parametrize(
    "data", [b"a profile", b"", scanner_profile()[:200], scanner_profile().replace(b"RGB ", b"GRAY", 1)]
)
def test_what_cannot_be_read_or_is_not_for_rgb_is_unusable_wi61(data: bytes) -> None:
    assert colour_of(data).state == "unusable"


def test_a_hostile_profile_is_unusable_or_harmless_never_a_crash() -> None:
    whole = scanner_profile()
    for place in range(128, len(whole), 7):
        spoilt = bytearray(whole)
        spoilt[place] ^= 0xFF
        assert colour_of(bytes(spoilt)).state in {"same", "table", "unusable"}
