"""The description of a channel, as a source gives it and the manifest stores it (ST111)."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

MAX_CHANNELS = 64
MAX_NAME = 200
SHOWN = 4
"""Channels of the default mix, where the source does not say: more colours than these are hard to tell apart."""
WINDOWED_HIGH = 255
"""The highest stored sample of a channel that is stored by a window (ST112)."""
COLOURS = ("0000FF", "00FF00", "FF0000", "00FFFF", "FF00FF", "FFFF00", "FF8000", "FFFFFF")
"""Of channels whose source names none, in turn."""
_COLOUR = re.compile("[0-9A-F]{6}")


class Range(NamedTuple):
    """Two samples, ``low`` < ``high``."""

    low: int
    high: int


class Display(NamedTuple):
    """How a mixed picture shows a channel (CM1 to CM5): a window of stored samples, gamma in hundredths, on or off."""

    low: int = 0
    high: int = 255
    gamma: int = 100
    on: bool = True


FULL_DISPLAY = Display()


class NoiseModel(NamedTuple):
    """The variance of a value v is read^2 + gain * max(0, v - black) (ST113)."""

    black: int
    gain: float
    read: float


@dataclass(frozen=True)
class Channel:
    """``colour``: RRGGBB. ``bits``, ``signed``: of a sample of the source; ``significant_bits``: those in use.

    ``window``: which samples of the source are stored as 0 and 255, in slides of older imports; None: they are stored
    as they are. ``noise``: as it was estimated when the slide was imported.
    """

    name: str
    colour: str
    bits: int = 8
    significant_bits: int = 8
    signed: bool = False
    emission_nm: float | None = None
    excitation_nm: float | None = None
    exposure_ms: float | None = None
    window: Range | None = None
    display: Display = FULL_DISPLAY
    noise: NoiseModel | None = None

    @property
    def exact(self) -> bool:
        """Whether the samples of the source follow from the stored ones."""
        return self.window is None or self.window.high - self.window.low == WINDOWED_HIGH

    @property
    def stored(self) -> Range:
        """The least and the highest stored sample that there can be."""
        if self.window is not None:
            return Range(0, WINDOWED_HIGH)
        least = -(1 << self.bits - 1) if self.signed else 0
        return Range(least, least + (1 << self.bits) - 1)

    def to_json(self) -> dict[str, Any]:
        """The form in the manifest."""
        return {
            **vars(self),
            "window": self.window and self.window._asdict(),
            "display": self.display._asdict(),
            "noise": self.noise and self.noise._asdict(),
        }

    @classmethod
    def from_json(cls, fields: Mapping[str, Any]) -> Channel:
        """The inverse. Raises ValueError, KeyError, TypeError."""
        known = {name: fields[name] for name in cls.__dataclass_fields__ if name != "noise"}
        window, noise = known["window"], fields.get("noise")
        made = {"window": window and Range(**window), "noise": noise and NoiseModel(**noise)}
        channel = cls(**known | made | {"display": Display(**known["display"])})
        channel.check()
        return channel

    def check(self) -> None:
        """Raises ValueError for what no channel can be."""
        low, high, gamma, on = self.display
        numbers = (self.bits, self.significant_bits, low, high, gamma, *(self.window or ()))
        valid = all(type(one) is int for one in numbers) and type(self.signed) is bool and type(on) is bool
        valid = valid and isinstance(self.name, str) and 0 < len(self.name) <= MAX_NAME
        valid = valid and _COLOUR.fullmatch(self.colour) is not None and 1 <= self.significant_bits <= self.bits <= 16
        valid = valid and (self.window is None or self.window.low < self.window.high)
        valid = valid and self.stored.low <= low < high <= self.stored.high and 10 <= gamma <= 1000
        valid = valid and (self.noise is None or _can_be(self.noise))
        measures = (self.emission_nm, self.excitation_nm, self.exposure_ms)
        valid = valid and all(one is None or (math.isfinite(one) and one > 0) for one in measures)
        if not valid:
            raise ValueError(f"the description of channel {self.name!r} is out of its range")


def _can_be(noise: NoiseModel) -> bool:
    finite = all(isinstance(one, int | float) and math.isfinite(one) for one in noise)
    return finite and type(noise.black) is int and noise.gain >= 0 and noise.read > 0


def with_defaults(channels: Sequence[Channel]) -> tuple[Channel, ...]:
    """Names that differ, a colour each, and the first ``SHOWN`` of them on. A single one is white."""
    palette = COLOURS if len(channels) > 1 else ("FFFFFF",)
    found: list[Channel] = []
    taken: set[str] = set()
    for number, channel in enumerate(channels):
        name = channel.name.strip()[:MAX_NAME] or f"Channel {number + 1}"
        unique = name if name not in taken else f"{name[: MAX_NAME - 8]} ({number + 1})"
        taken.add(unique)
        colour = channel.colour or palette[number % len(palette)]
        display = channel.display._replace(on=number < SHOWN)
        found.append(replace(channel, name=unique, colour=colour, display=display))
    return tuple(found)
