"""The picture that several channels make, by an exact rule of integers (CM1 to CM5 in channels.md)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from wavescope.channels.channel import Channel
from wavescope.channels.samples import Samples, from_least
from wavescope.errors import InvalidParameter

FULL = 4095
"""Of a windowed sample, before gamma."""
_ITEM = re.compile(
    r"(?P<c>[0-9]{1,2})(?::(?P<colour>[0-9a-fA-F]{6})?"
    r"(?::(?:(?P<low>-?[0-9]{1,5})-(?P<high>-?[0-9]{1,5}))?(?::(?P<gamma>[0-9]{2,4})?)?)?)?"
)
FORM = "c:RRGGBB:low-high:gamma in hundredths, what follows c may be empty; separated by commas, each channel once"


class Shown(NamedTuple):
    """One channel of a mix: which, its colour, its window of stored samples, gamma in hundredths."""

    c: int
    colour: tuple[int, int, int]
    low: int
    high: int
    gamma: int


Mix = tuple[Shown, ...]


class Raw(NamedTuple):
    """The stored samples of channels, side by side, instead of a picture."""

    channels: tuple[int, ...]


View = Mix | Raw
"""What is made of the channels of a slide."""


def channels_of(view: View) -> tuple[int, ...]:
    """Those that a view needs."""
    return view.channels if isinstance(view, Raw) else tuple(one.c for one in view)


class Canvas:
    """What a view makes of its channels, which come one by one: (height, width, 1) each, samples of ``dtype``."""

    def __init__(self, height: int, width: int, view: View, dtype: np.dtype[Any]) -> None:
        self._view = view
        self._made = (
            np.empty((height, width, len(view.channels)), dtype) if isinstance(view, Raw) else Mixture(height, width)
        )

    def add(self, number: int, pixels: Samples) -> None:
        """The channel that is ``number`` in the view."""
        if isinstance(self._made, Mixture):
            assert not isinstance(self._view, Raw)
            self._made.add(pixels[:, :, 0], self._view[number])
        else:
            self._made[:, :, number] = pixels[:, :, 0]

    def pixels(self) -> Samples:
        """(height, width, 3) of a mix, uint8; (height, width, channels) of raw samples."""
        return self._made.picture() if isinstance(self._made, Mixture) else self._made


class Mixture:
    """Adds channels one by one; (height, width) stored samples each."""

    def __init__(self, height: int, width: int) -> None:
        self._sums = np.zeros((height, width, 3), np.uint16)  # 64 * 255 fits

    def add(self, samples: Samples, shown: Shown) -> None:
        self._sums += contributions(shown, samples.dtype)[from_least(samples)]

    def picture(self) -> NDArray[np.uint8]:
        """CM5: the sums, clipped."""
        clipped: NDArray[np.uint8] = np.minimum(self._sums, 255).astype(np.uint8)
        return clipped


@lru_cache(maxsize=64)
def contributions(shown: Shown, dtype: np.dtype[Any]) -> NDArray[np.uint8]:
    """What each sample of a type, from the least one on, adds to red, green and blue (256 or 65,536, 3): CM2 to CM4."""
    width, values = shown.high - shown.low, np.iinfo(dtype)
    inside = np.clip(np.arange(values.min, values.max + 1, dtype=np.int64) - shown.low, 0, width)
    bright = gamma_table(shown.gamma)[(2 * FULL * inside + width) // (2 * width)].astype(np.int64)
    added: NDArray[np.uint8] = ((bright[:, None] * np.array(shown.colour) + 127) // 255).astype(np.uint8)
    return added


@lru_cache(maxsize=64)
def gamma_table(gamma: int) -> NDArray[np.uint8]:
    """CM3: the brightness of each windowed sample."""
    table: NDArray[np.uint8] = np.floor(255 * (np.arange(FULL + 1) / FULL) ** (gamma / 100) + 0.5).astype(np.uint8)
    return table


def default_mix(channels: Sequence[Channel]) -> Mix:
    """CM1: the channels that are on; the first one if none is."""
    return tuple(shown_channel(channels, c) for c, one in enumerate(channels) if one.display.on) or (
        shown_channel(channels, 0),
    )


def raw_of(text: str | None, channels: Sequence[Channel]) -> Raw:
    """The channels whose samples a request names (WI137), by default all. Raises InvalidParameter."""
    return Raw(tuple(range(len(channels))) if text is None else channels_of(mix_of(text, channels)))


def mix_of(text: str | None, channels: Sequence[Channel]) -> Mix:
    """The mix that a request names (WI137), by default the default mix. Raises InvalidParameter."""
    if text is None:
        return default_mix(channels)
    found: list[Shown] = []
    for item in text.split(","):
        match = _ITEM.fullmatch(item)
        if match is None or int(match["c"]) >= len(channels) or int(match["c"]) in channels_of(tuple(found)):
            raise InvalidParameter("channels", text, f"{FORM}; c is 0 to {len(channels) - 1}")
        shown = shown_channel(channels, int(match["c"]))
        if match["colour"]:
            shown = shown._replace(colour=rgb(match["colour"]))
        if match["low"]:
            shown = shown._replace(low=int(match["low"]), high=int(match["high"]))
        if match["gamma"]:
            shown = shown._replace(gamma=int(match["gamma"]))
        least, most = channels[shown.c].stored
        if not (least <= shown.low < shown.high <= most and 10 <= shown.gamma <= 1000):
            raise InvalidParameter("channels", text, f"windows with {least} <= low < high <= {most}, gamma 10 to 1000")
        found.append(shown)
    return tuple(sorted(found))


def rgb(colour: str) -> tuple[int, int, int]:
    """The components of RRGGBB."""
    red, green, blue = bytes.fromhex(colour)
    return red, green, blue


def shown_channel(channels: Sequence[Channel], c: int) -> Shown:
    """A channel as its description shows it."""
    channel = channels[c]
    low, high, gamma, _ = channel.display
    return Shown(c, rgb(channel.colour), low, high, gamma)
