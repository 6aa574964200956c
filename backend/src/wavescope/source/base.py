"""What every slide reader returns: a description and level-0 pixels by region."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from wavescope import config
from wavescope.channels.channel import Channel
from wavescope.errors import OutOfRange, UnreadableSource, UnsupportedSource
from wavescope.geometry import MAX_PLANES, MAX_SIDE, TILE, ceil_div
from wavescope.kernel.parameter_set import pixel_dtype
from wavescope.source.window import Window

Pixels = NDArray[Any]
"""(height, width, channels): uint8 of a picture, the source's own type of a channel."""

MIB = 1 << 20
MAX_PADDING = 16
"""Of the tiles of a slide, all together, times its pixels: a tile takes the same work, however few pixels it has."""
FEW_TILES = 1 << 12
"""Any slide may have so many."""


@dataclass(frozen=True)
class Limits:
    """The resources that a reader may use, and which part of a file it reads.

    ``decoded_bytes``: the most that a picture, a strip or a tile which can only be decoded whole may need;
    larger ones are refused before anything is decoded. ``cache_bytes``: decoded tiles that one open source may cache.
    ``time``: the time point, from 0.
    """

    decoded_bytes: int = 512 * MIB
    cache_bytes: int = 128 * MIB
    time: int = 0


def reader_limits(limits: config.Limits) -> Limits:
    """Of the configuration's limits, those of a reader."""
    return Limits(decoded_bytes=limits.decoded_bytes)


@dataclass(frozen=True)
class SourceInfo:
    """A slide as its file describes it, without label, macro image or anything about a patient."""

    width: int
    height: int
    channels: int
    """1 (grey), 3 (RGB), or as many as ``descriptions``."""
    format: str
    source_bytes: int
    """The size of the file or files on disk."""
    properties: Mapping[str, str]
    planes: int = 1
    plane_spacing_um: float | None = None
    mpp_x: float | None = None
    mpp_y: float | None = None
    objective_power: float | None = None
    vendor: str | None = None
    icc_profile: bytes | None = None
    tile_bytes: int | None = None
    """The source's own compressed tiles of all its levels, if it has any: what passing them through would move."""
    window: Window | None = None
    """How samples of 16 bits become the pixels; None: they have 8 bits."""
    notices: tuple[str, ...] = ()
    """What the user should know of the files: sentences."""
    times: int = 1
    """Time points of the file; one of them is read."""
    descriptions: tuple[Channel, ...] = ()
    """Of the channels, where they are more than a grey or RGB picture of 8 bits; each is a picture of its own."""
    bits: int = 8
    """Of a sample, as it is stored: 8 or 16."""
    signed: bool = False

    @property
    def dtype(self) -> np.dtype[Any]:
        """Of the pixels."""
        return pixel_dtype(self.bits, self.signed)

    @property
    def groups(self) -> int:
        """Pictures that are stored each by itself (ST110)."""
        return len(self.descriptions) or 1

    @property
    def exact(self) -> bool:
        """Whether the pixels are the samples of the file (ST98)."""
        return self.window is None and all(one.exact for one in self.descriptions)


class SlideSource(Protocol):
    """An open slide file. ``read_region`` may be called from many threads."""

    @property
    def info(self) -> SourceInfo: ...

    def read_region(self, z: int, l0_x: int, l0_y: int, width: int, height: int) -> Pixels:
        """Level-0 pixels, never resampled. The region lies wholly inside the slide, else OutOfRange.

        Raises UnreadableSource if the file does not have the pixels it declares.
        """
        ...

    def close(self) -> None:
        """Free files and memory; reading afterwards is an error."""
        ...


def check_extent(path: Path, info: SourceInfo) -> None:
    """Raise SourceError kinds unless a slide of this size can be stored: the limits of the manifest (ST6)."""
    if min(info.width, info.height, info.planes) < 1:
        raise UnreadableSource(path, f"it claims {info.width} x {info.height} pixels and {info.planes} focal planes")
    if max(info.width, info.height) > MAX_SIDE:
        size = f"{info.width:,} x {info.height:,} pixels"
        raise UnsupportedSource(path, f"it has {size}; a side can have at most {MAX_SIDE:,}")
    tiles = ceil_div(info.width, TILE) * ceil_div(info.height, TILE)
    if (tiles - FEW_TILES) * TILE * TILE > MAX_PADDING * info.width * info.height:
        size = f"{info.width:,} x {info.height:,} pixels"
        raise UnsupportedSource(path, f"it has {size}, which are {tiles:,} tiles that are almost empty")
    if info.planes > MAX_PLANES:
        raise UnsupportedSource(path, f"it has {info.planes:,} focal planes; a slide can have at most {MAX_PLANES:,}")


def check_region(info: SourceInfo, z: int, l0_x: int, l0_y: int, width: int, height: int) -> None:
    """Raise OutOfRange unless the region lies wholly inside the slide."""
    if not 0 <= z < info.planes:
        raise OutOfRange("plane", z, f"0 to {info.planes - 1}")
    inside_x = width > 0 and l0_x >= 0 and l0_x + width <= info.width
    inside_y = height > 0 and l0_y >= 0 and l0_y + height <= info.height
    if not (inside_x and inside_y):
        region = (l0_x, l0_y, width, height)
        raise OutOfRange("region", region, f"within a slide of {info.width} x {info.height} pixels")


def composite(rgba: Pixels, background: tuple[int, int, int] = (255, 255, 255)) -> Pixels:
    """Straight (not premultiplied) RGBA over an opaque background, rounded to nearest; opaque pixels unchanged."""
    alpha = rgba[..., 3:4]
    if alpha.min(initial=255) == 255:
        return np.ascontiguousarray(rgba[..., :3])
    weight = alpha.astype(np.uint32)
    colour = np.asarray(background, dtype=np.uint32)
    mixed = (rgba[..., :3] * weight + colour * (255 - weight) + 127) // 255
    return mixed.astype(np.uint8)
