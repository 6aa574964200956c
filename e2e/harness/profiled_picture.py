"""A picture from a made-up scanner whose colours are not those of sRGB, and what LittleCMS makes of it.

usage: profiled_picture.py STORED.png SHOWN.png
"""

from __future__ import annotations

import sys
from io import BytesIO
from pathlib import Path

import numpy as np
from PIL import Image, ImageCms

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "backend" / "tests"))

from service.profiles import scanner_profile


def main(stored: str, shown: str) -> None:
    """Squares of many colours, each 64 pixels wide; the columns at the right are glass."""
    squares = np.random.default_rng(11).integers(0, 256, (12, 16, 3), np.uint8)
    squares[:, -3:] = (226, 232, 238)
    picture = Image.fromarray(squares.repeat(64, axis=0).repeat(64, axis=1))
    picture.save(stored, icc_profile=scanner_profile())
    profile = ImageCms.ImageCmsProfile(BytesIO(scanner_profile()))
    flags = ImageCms.Flags.BLACKPOINTCOMPENSATION | ImageCms.Flags.NOOPTIMIZE
    converted = ImageCms.profileToProfile(picture, profile, ImageCms.createProfile("sRGB"), flags=flags)
    assert converted is not None
    converted.save(shown, icc_profile=None)


main(sys.argv[1], sys.argv[2])
