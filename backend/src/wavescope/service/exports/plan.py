"""The pictures of an exported file; pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal, get_args

from wavescope.channels.mixing import View
from wavescope.geometry import ceil_div
from wavescope.pixels.region import Region
from wavescope.store.version import SlideVersion

ExportFormat = Literal["png", "jpg", "tiff", "tiff-jpeg"]
EXPORT_FORMATS: tuple[ExportFormat, ...] = get_args(ExportFormat)
SUFFIX: dict[ExportFormat, str] = {"png": "png", "jpg": "jpg", "tiff": "tif", "tiff-jpeg": "tif"}
EXPORT_TILE = 512
"""Side of the tiles of an export, which are those of an exported TIFF (WI47)."""
MICROMETRES_PER_CENTIMETRE = 1e4


@dataclass(frozen=True)
class ExportPlan:
    """One file: a region of an open version, made with ``count`` layers.

    ``images`` of the file: the region and, in a TIFF, the same region of coarser levels.
    """

    version: SlideVersion
    region: Region
    count: int
    kind: ExportFormat
    entered: tuple[float, float] | None = None  # micrometres per level-0 pixel, for a slide whose file states none
    scale_bar: bool = False  # drawn below a PNG or JPEG
    caption: str = ""  # written beside the scale bar
    annotations: bool = False  # drawn on a PNG or JPEG
    mix: View | None = None  # of a slide of channels

    @property
    def tiff(self) -> bool:
        return self.kind in ("tiff", "tiff-jpeg")

    @property
    def has_strip(self) -> bool:
        """Whether there is a strip below the picture."""
        return self.scale_bar or bool(self.caption)

    @property
    def images(self) -> tuple[Region, ...]:
        return tuple(reduced(self.version, self.region)) if self.tiff else (self.region,)

    @property
    def pixels(self) -> int:
        """Of all images."""
        return sum(image.width * image.height for image in self.images)

    @property
    def steps(self) -> int:
        """Steps of progress."""
        return sum(ceil_div(one.width, EXPORT_TILE) * ceil_div(one.height, EXPORT_TILE) for one in self.images)

    @property
    def centimetre(self) -> tuple[float, float] | None:
        """Pixels of the region per centimetre, across and down; None for a slide of unknown scale."""
        mpp = self.version.manifest.mpp or self.entered
        if mpp is None:
            return None
        scale = 2**self.region.level
        return MICROMETRES_PER_CENTIMETRE / (mpp[0] * scale), MICROMETRES_PER_CENTIMETRE / (mpp[1] * scale)


@dataclass(frozen=True)
class ArchivePlan:
    """One file with the whole version as it is stored, and ``own``: what the viewer needs beside it (SH10)."""

    version: SlideVersion
    own: Mapping[str, bytes]
    kind: Literal["wsz"] = "wsz"
    steps: int = 1  # until the files are counted


def reduced(version: SlideVersion, region: Region) -> Iterator[Region]:
    """The region and its reductions, each half the one before, down to one tile.

    They end where a level's pixels would no longer begin where the region does: an origin that is divisible by a
    higher power of two has more of them.
    """
    yield region
    z, level, x, y, width, height, _ = region
    while level < version.top and max(width, height) > EXPORT_TILE and x % 2 == 0 and y % 2 == 0:
        level, x, y, width, height = level + 1, x // 2, y // 2, ceil_div(width, 2), ceil_div(height, 2)
        yield Region(z, level, x, y, width, height)


def tiles_of(image: Region) -> Iterator[Region]:
    """The tiles of an image, row by row, those at its right and bottom smaller."""
    z, level, x, y, width, height, _ = image
    for top in range(0, height, EXPORT_TILE):
        for left in range(0, width, EXPORT_TILE):
            size = min(EXPORT_TILE, width - left), min(EXPORT_TILE, height - top)
            yield Region(z, level, x + left, y + top, *size)


def samples_of(region: Region, count: int = 4) -> list[Region]:
    """Up to ``count`` tiles spread over a region: what its size in bytes is judged by."""
    tiles = list(tiles_of(region)) if region.width * region.height <= count * EXPORT_TILE * EXPORT_TILE else []
    if 0 < len(tiles) <= count:
        return tiles
    side_x, side_y = min(EXPORT_TILE, region.width), min(EXPORT_TILE, region.height)
    free_x, free_y = region.width - side_x, region.height - side_y
    found = []
    for number in range(count):
        across, down = (2 * number + 1) / (2 * count), ((2 * number + 1) * 0.618) % 1  # scattered, not on a line
        found.append(
            Region(*region[:2], region.ln_x + int(free_x * across), region.ln_y + int(free_y * down), side_x, side_y)
        )
    return found
