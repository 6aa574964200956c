"""A slide's colours: its ICC profile, and the table calculated from it by LittleCMS (through Pillow) that converts to
sRGB.
"""

from __future__ import annotations

import asyncio
import warnings
from dataclasses import dataclass
from functools import cache
from io import BytesIO
from typing import Literal

import numpy as np
from PIL import Image, ImageCms

from wavescope.blocks.base import BlockSource
from wavescope.caches import AsyncCache
from wavescope.errors import NoProfile
from wavescope.pixels.images import Pixels, encode_image
from wavescope.store.version import SlideVersion

NODES = 52  # 255 / 51 = 5: every node is a whole value, so that none is rounded
SAME = 2  # of 255: what two ways of rounding the same profile may differ by
MADE = slice(24, 36)  # when a profile was made: six numbers of two bytes (ICC.1 7.2.8)
MADE_AT = bytes((0x07, 0xD0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0))  # 2000-01-01

ColourState = Literal["none", "same", "table", "unusable"]


@dataclass(frozen=True)
class Colour:
    """The facts about a slide's ICC profile.

    ``same``: its colours are those of sRGB; ``table``: they differ, ``table`` (a PNG, see ``table_picture``) takes them
    there; ``unusable``: it cannot be read, or is not for RGB.
    """

    profile: str | None
    state: ColourState
    table: bytes = b""


class ColourService:
    """Profiles of open versions and what follows from them."""

    def __init__(self, blocks: BlockSource, cache_bytes: int) -> None:
        self._blocks = blocks
        self.cache: AsyncCache[str, Colour] = AsyncCache(cache_bytes, lambda colour: 200 + len(colour.table))

    async def profile(self, version: SlideVersion) -> bytes:
        """The source's ICC profile, as it came. Raises NoProfile, CorruptStore."""
        data = await self._blocks.icc_profile(version.digest)
        if data is None:
            raise NoProfile(version.digest)
        return data

    async def colour(self, version: SlideVersion) -> Colour:
        """The facts about the profile. Raises CorruptStore."""
        if not version.manifest.icc:
            return Colour(None, "none")

        async def make() -> Colour:
            return await asyncio.to_thread(colour_of, await self.profile(version))

        return await self.cache.get(version.digest, make)

    async def table(self, version: SlideVersion) -> bytes:
        """The table as PNG. Raises NoProfile where none is needed or none can be made, CorruptStore."""
        colour = await self.colour(version)
        if colour.state != "table":
            raise NoProfile(version.digest)
        return colour.table


def colour_of(icc: bytes) -> Colour:
    """Reads a profile; one that LittleCMS refuses is ``unusable``."""
    name = None
    try:
        profile = ImageCms.ImageCmsProfile(BytesIO(icc))
        name = ImageCms.getProfileDescription(profile).strip() or None
        cube = as_srgb(profile, cube_of_colours())
    except (ImageCms.PyCMSError, OSError, ValueError):
        return Colour(name, "unusable")
    if int(np.abs(cube.astype(int) - cube_of_colours()).max()) <= SAME:
        return Colour(name, "same")
    return Colour(name, "table", encode_image(cube, "png"))


@cache
def srgb_profile() -> bytes:
    """The profile of sRGB, as slides without one are shown: the same bytes each time."""
    profile = bytearray(ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes())
    profile[MADE] = MADE_AT
    return bytes(profile)


def cube_of_colours() -> Pixels:
    """``NODES`` steps a channel, uint8 (52, 2704, 3): red to the right, green downward, a square per blue."""
    steps = np.linspace(0, 255, NODES).round().astype(np.uint8)
    green, blue, red = np.meshgrid(steps, steps, steps, indexing="ij")
    return np.stack([red, green, blue], axis=-1).reshape(NODES, NODES * NODES, 3)


def as_srgb(profile: ImageCms.ImageCmsProfile, colours: Pixels) -> Pixels:
    """Colours as sRGB shows them, by the profile's own rendering intent, black going to black."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        shown = ImageCms.profileToProfile(
            Image.fromarray(colours),
            profile,
            ImageCms.createProfile("sRGB"),
            renderingIntent=ImageCms.Intent(ImageCms.getDefaultIntent(profile)),
            outputMode="RGB",
            flags=ImageCms.Flags.BLACKPOINTCOMPENSATION | ImageCms.Flags.HIGHRESPRECALC,
        )
    return np.asarray(shown)
