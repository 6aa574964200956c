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
STORED_HIGH = 255
"""The highest stored sample."""
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
    high: int = STORED_HIGH
    gamma: int = 100
    on: bool = True


FULL_DISPLAY = Display()


@dataclass(frozen=True)
class Channel:
    """``colour``: RRGGBB. ``bits``, ``signed``: of a sample of the source; ``significant_bits``: those in use.

    ``window``: which samples of the source are stored as 0 and 255; None: samples are stored as they are.
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

    @property
    def exact(self) -> bool:
        """Whether the samples of the source follow from the stored ones."""
        return self.window is None or self.window.high - self.window.low == STORED_HIGH

    def to_json(self) -> dict[str, Any]:
        """The form in the manifest."""
        low, high, gamma, on = self.display
        return {
            **vars(self),
            "window": None if self.window is None else self.window._asdict(),
            "display": {"low": low, "high": high, "gamma": gamma, "on": on},
        }

    @classmethod
    def from_json(cls, fields: Mapping[str, Any]) -> Channel:
        """The inverse. Raises ValueError, KeyError, TypeError."""
        known = {name: fields[name] for name in cls.__dataclass_fields__}
        window = known["window"]
        channel = cls(
            **known | {"window": window and Range(**window), "display": Display(**known["display"])},
        )
        channel.check()
        return channel

    def check(self) -> None:
        """Raises ValueError for what no channel can be."""
        low, high, gamma, on = self.display
        numbers = (self.bits, self.significant_bits, low, high, gamma, *(self.window or ()))
        valid = all(type(one) is int for one in numbers) and type(self.signed) is bool and type(on) is bool
        valid = valid and isinstance(self.name, str) and 0 < len(self.name) <= MAX_NAME
        valid = valid and _COLOUR.fullmatch(self.colour) is not None and 1 <= self.significant_bits <= self.bits <= 16
        valid = valid and 0 <= low < high <= STORED_HIGH and 10 <= gamma <= 1000
        valid = valid and (self.window is None or self.window.low < self.window.high)
        measures = (self.emission_nm, self.excitation_nm, self.exposure_ms)
        valid = valid and all(one is None or (math.isfinite(one) and one > 0) for one in measures)
        if not valid:
            raise ValueError(f"the description of channel {self.name!r} is out of its range")


def with_defaults(channels: Sequence[Channel]) -> tuple[Channel, ...]:
    """Names that differ, a colour each, and the first ``SHOWN`` of them on."""
    found: list[Channel] = []
    taken: set[str] = set()
    for number, channel in enumerate(channels):
        name = channel.name.strip()[:MAX_NAME] or f"Channel {number + 1}"
        unique = name if name not in taken else f"{name[: MAX_NAME - 8]} ({number + 1})"
        taken.add(unique)
        colour = channel.colour or COLOURS[number % len(COLOURS)]
        display = channel.display._replace(on=number < SHOWN)
        found.append(replace(channel, name=unique, colour=colour, display=display))
    return tuple(found)
