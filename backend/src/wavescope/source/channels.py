"""Sources of channels: each channel is a picture of its own, with one sample a pixel, stored as it is (ST110)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Protocol, runtime_checkable

import numpy as np

from wavescope.channels.channel import Channel, Display, with_defaults
from wavescope.channels.mixing import Mixture, default_mix
from wavescope.channels.samples import Samples, from_least
from wavescope.geometry import ceil_div
from wavescope.source.base import Pixels, SlideSource, SourceInfo, check_region
from wavescope.source.picture import Picture
from wavescope.source.window import window_of

Read = Callable[[int, int, int, int, int, int], Samples]
"""(z, c, l0_x, l0_y, width, height) to samples (height, width)."""
SAMPLE_SIDE = 1024
SAMPLES = 32


@runtime_checkable
class ChannelSource(Protocol):
    """A source of channels; its own ``read_region`` gives all of them, ``info.channels`` samples."""

    def channel(self, c: int) -> SlideSource:
        """One channel as a source; it closes with the source that it is of."""
        ...


def group_of(source: SlideSource, c: int) -> SlideSource:
    """What the blocks of a channel group are made of: the source itself, where it has one group."""
    return source.channel(c) if isinstance(source, ChannelSource) else source


def mixed_source(source: SlideSource) -> SlideSource:
    """What previews show: channels as their default mix (CM1)."""
    return _Mixed(source) if source.info.descriptions else source


class Channels:
    """A source of channels over ``read``; ``info`` describes all of them. Thread-safe, if ``read`` is."""

    def __init__(self, info: SourceInfo, read: Read, close: Callable[[], None] = lambda: None) -> None:
        self._info, self._read, self._close = info, read, close
        self._channels = [_Channel(self, c) for c in range(info.channels)]

    @property
    def info(self) -> SourceInfo:
        return self._info

    def note(self, notice: str) -> None:
        """Adds to what the user should know of the files."""
        self._info = replace(self._info, notices=(*self._info.notices, notice))

    def channel(self, c: int) -> SlideSource:
        return self._channels[c]

    def read_region(self, z: int, l0_x: int, l0_y: int, width: int, height: int) -> Pixels:
        return np.concatenate([one.read_region(z, l0_x, l0_y, width, height) for one in self._channels], axis=2)

    def read(self, z: int, c: int, l0_x: int, l0_y: int, width: int, height: int) -> Samples:
        """The samples (height, width) of one channel."""
        check_region(self._info, z, l0_x, l0_y, width, height)
        return self._read(z, c, l0_x, l0_y, width, height).astype(self._info.dtype, copy=False)

    def close(self) -> None:
        self._close()


class _Channel:
    """One channel of a source."""

    def __init__(self, source: Channels, c: int) -> None:
        self._source, self._c = source, c
        self._info = replace(source.info, channels=1, descriptions=())

    @property
    def info(self) -> SourceInfo:
        return self._info

    def read_region(self, z: int, l0_x: int, l0_y: int, width: int, height: int) -> Pixels:
        return self._source.read(z, self._c, l0_x, l0_y, width, height)[:, :, None]

    def close(self) -> None:
        """The source closes itself."""


class _Mixed:
    def __init__(self, source: SlideSource) -> None:
        self._source, self._mix = source, default_mix(source.info.descriptions)
        self._info = replace(source.info, channels=3, descriptions=(), bits=8, signed=False)

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


def source_of(
    info: SourceInfo,
    channels: Sequence[Channel],
    read: Read,
    close: Callable[[], None] = lambda: None,
    displays: Sequence[Display | None] = (),
) -> Picture | Channels:
    """A source of ``channels``, as far as the file describes them, each shown as ``displays`` say, else by the contrast
    of its samples. One of unsigned bytes is a grey picture (ST79).
    """
    first = channels[0]
    if len(channels) == 1 and first.bits == 8 and not first.signed:
        return Picture(replace(info, channels=1), lambda z, *region: read(z, 0, *region)[:, :, None], close)
    shown = []
    for c, one in enumerate(with_defaults(channels)):
        display = displays[c] if c < len(displays) else None
        found = replace(one, display=display) if display else None
        shown.append(found or with_contrast(one, (read(z, c, *region) for z, *region in _spread(info))))
    described = replace(
        info, channels=len(shown), descriptions=tuple(shown), bits=16 if first.bits > 8 else 8, signed=first.signed
    )
    return Channels(described, read, close)


def _spread(info: SourceInfo) -> Iterator[tuple[int, int, int, int, int]]:
    """(z, l0_x, l0_y, width, height) of squares spread evenly over the slide and its planes, or all if it is small."""
    side = SAMPLE_SIDE
    columns, rows = ceil_div(info.width, side), ceil_div(info.height, side)
    count = info.planes * rows * columns
    step = max(1, count / SAMPLES)
    for index in range(min(count, SAMPLES)):
        z, place = divmod(int(index * step), rows * columns)
        x, y = place % columns * side, place // columns * side
        yield z, x, y, min(side, info.width - x), min(side, info.height - y)


def with_contrast(channel: Channel, samples: Iterable[Samples]) -> Channel:
    """``channel``, shown by a window from the 0.1th to the 99.9th percentile of ``samples``, parts of it."""
    least, most = channel.stored
    found = window_of(map(from_least, samples))
    low = min(found.low + least, most - 1)
    return replace(channel, display=channel.display._replace(low=low, high=max(low + 1, min(found.high + least, most))))


def windows_notice(channels: tuple[Channel, ...]) -> tuple[str, ...]:
    """What the user should know of channels that an older import stored by windows (ST112)."""
    count = sum(not one.exact for one in channels)
    if not count:
        return ()
    which = "each of its channels" if count == len(channels) else f"{count} of its channels"
    return (f"16-bit samples of {which} are stored as 0 to 255, by a window of its own; values outside are clipped",)
