"""Sources of several channels: each channel is a picture of its own, with one sample a pixel (ST110)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from wavescope.channels.channel import Channel, Range
from wavescope.channels.mixing import Mixture, default_mix
from wavescope.geometry import TILE
from wavescope.source.base import Pixels, SlideSource, SourceInfo, check_region
from wavescope.source.window import Window

Read = Callable[[int, int, int, int, int, int], NDArray[Any]]
"""(z, c, l0_x, l0_y, width, height) to the source's own samples (height, width)."""
Samples = NDArray[Any]


@runtime_checkable
class ChannelSource(Protocol):
    """A source with more than one channel; its own ``read_region`` gives all of them, ``info.channels`` samples."""

    def channel(self, c: int) -> SlideSource:
        """One channel as a source; it closes with the source that it is of."""
        ...


def group_of(source: SlideSource, c: int) -> SlideSource:
    """What the blocks of a channel group are made of: the source itself, where it has one group."""
    return source.channel(c) if isinstance(source, ChannelSource) else source


def sample_source(source: SlideSource) -> SlideSource:
    """What encode parameters are chosen from: of several channels, a picture whose parts come from them in turn."""
    return _InTurn(source) if source.info.groups > 1 else source


def mixed_source(source: SlideSource) -> SlideSource:
    """What previews show: several channels as their default mix (CM1)."""
    return _Mixed(source) if source.info.groups > 1 else source


class Channels:
    """A source of several channels over ``read``; ``info`` describes all of them. ``stored``: they are stored samples
    already. Thread-safe, if ``read`` is.
    """

    def __init__(
        self, info: SourceInfo, read: Read, close: Callable[[], None] = lambda: None, *, stored: bool = False
    ) -> None:
        self._info, self._read, self._close = info, read, close
        self.stored = stored
        self._channels = [_Channel(self, c) for c in range(info.channels)]

    @property
    def info(self) -> SourceInfo:
        return self._info

    def channel(self, c: int) -> SlideSource:
        return self._channels[c]

    def read_region(self, z: int, l0_x: int, l0_y: int, width: int, height: int) -> Pixels:
        return np.concatenate([one.read_region(z, l0_x, l0_y, width, height) for one in self._channels], axis=2)

    def read(self, z: int, c: int, l0_x: int, l0_y: int, width: int, height: int) -> NDArray[Any]:
        """The source's own samples (height, width) of one channel."""
        check_region(self._info, z, l0_x, l0_y, width, height)
        return self._read(z, c, l0_x, l0_y, width, height)

    def close(self) -> None:
        self._close()


class _Channel:
    """One channel of a source."""

    def __init__(self, source: Channels, c: int) -> None:
        self._source, self._c = source, c
        self._table = None if source.stored else stored_table(source.info.descriptions[c])
        self._info = replace(source.info, channels=1, descriptions=())

    @property
    def info(self) -> SourceInfo:
        return self._info

    def read_region(self, z: int, l0_x: int, l0_y: int, width: int, height: int) -> Pixels:
        samples = self._source.read(z, self._c, l0_x, l0_y, width, height)
        return stored_samples(samples, self._table)[:, :, None]

    def close(self) -> None:
        """The source closes itself."""


class _InTurn:
    def __init__(self, source: SlideSource) -> None:
        self._source = source
        self._info = replace(source.info, channels=1, descriptions=())

    @property
    def info(self) -> SourceInfo:
        return self._info

    def read_region(self, z: int, l0_x: int, l0_y: int, width: int, height: int) -> Pixels:
        c = (l0_x // TILE + 3 * (l0_y // TILE)) % self._source.info.groups
        return group_of(self._source, c).read_region(z, l0_x, l0_y, width, height)

    def close(self) -> None:
        self._source.close()


class _Mixed:
    def __init__(self, source: SlideSource) -> None:
        self._source, self._mix = source, default_mix(source.info.descriptions)
        self._info = replace(source.info, channels=3, descriptions=())

    @property
    def info(self) -> SourceInfo:
        return self._info

    def read_region(self, z: int, l0_x: int, l0_y: int, width: int, height: int) -> Pixels:
        mixture = Mixture(height, width)
        for shown in self._mix:
            pixels = group_of(self._source, shown.c).read_region(z, l0_x, l0_y, width, height)
            mixture.add(pixels[:, :, 0], shown)
        return mixture.picture()

    def close(self) -> None:
        self._source.close()


# --- samples of the source become stored ones ------------------------------------------------------------------------
# Until samples are stored with all of their bits; then this is the place that changes.


def stored_window(dtype: np.dtype[Any], chosen: Window) -> Range | None:
    """Which samples are stored as 0 and 255: all of 8 bits; of 16 the ``chosen`` ones, counted from the least one."""
    least = int(np.iinfo(dtype).min)
    if dtype.itemsize == 1:
        return Range(least, least + 255) if least else None
    return Range(chosen.low + least, chosen.high + least)


def stored_table(channel: Channel) -> NDArray[np.uint8] | None:
    """The stored sample of each sample of the source, from the least one on; None: they are the same."""
    if channel.window is None:
        return None
    least = -(1 << (channel.bits - 1)) if channel.signed else 0
    if channel.bits == 8:
        return np.arange(256, dtype=np.uint8)
    return Window(channel.window.low - least, channel.window.high - least).table()


def stored_samples(samples: Samples, table: NDArray[np.uint8] | None) -> NDArray[np.uint8]:
    if table is None:
        return samples
    return table[from_least(samples)]


def from_least(samples: Samples) -> Samples:
    """Samples counted from the least one that their type has: unsigned."""
    unsigned = np.dtype(f"u{samples.dtype.itemsize}")
    if samples.dtype.kind == "u":
        return samples
    counted: Samples = np.ascontiguousarray(samples).view(unsigned) ^ unsigned.type(1 << (8 * unsigned.itemsize - 1))
    return counted


def windows_notice(channels: tuple[Channel, ...]) -> tuple[str, ...]:
    """What the user should know of them."""
    count = sum(not one.exact for one in channels)
    if not count:
        return ()
    which = "each of its channels" if count == len(channels) else f"{count} of its channels"
    return (f"16-bit samples of {which} are stored as 0 to 255, by a window of its own; values outside are clipped",)
