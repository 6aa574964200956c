"""How large a slide's pixels are: what its file states, else what a person entered (WI80). Pure."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, NamedTuple

MICROMETRES_AT_ONE = 10.0  # a level-0 pixel of 10 um is 1x
OBJECTIVES = (1.25, 2.5, 4.0, 5.0, 10.0, 20.0, 40.0, 60.0, 63.0, 100.0)  # that are sold
TURRET = (1.25, 2.5, 5.0, 10.0, 20.0, 40.0, 63.0, 100.0)  # of them, what pixels without an objective are compared with


class Line(NamedTuple):
    """A line drawn on the slide, in level-0 pixels, and its known length."""

    x0: float
    y0: float
    x1: float
    y1: float
    length_um: float

    @property
    def um_per_pixel(self) -> float:
        """Infinite for a line without extent."""
        pixels = math.hypot(self.x1 - self.x0, self.y1 - self.y0)
        return self.length_um / pixels if pixels > 0 else math.inf


class Calibration(NamedTuple):
    """A scale that a user entered: micrometres per level-0 pixel, who, when, and the line it was calculated from."""

    um_per_pixel: float
    by: str
    at: float  # seconds since 1970
    line: Line | None = None

    def to_json(self) -> dict[str, Any]:
        """As the catalog stores it."""
        line = None if self.line is None else list(self.line)
        return {"um_per_pixel": self.um_per_pixel, "by": self.by, "at": self.at, "line": line}

    @classmethod
    def from_json(cls, fields: Mapping[str, Any] | None) -> Calibration | None:
        """What ``to_json`` made."""
        if fields is None:
            return None
        line = fields["line"]
        return cls(fields["um_per_pixel"], fields["by"], fields["at"], None if line is None else Line(*line))


def mpp_of(manifest: Mapping[str, Any], calibration: Calibration | None) -> dict[str, float] | None:
    """``{x, y}`` in micrometres per level-0 pixel; the file's word goes before a person's. None: not known."""
    stated: dict[str, float] | None = manifest.get("mpp")
    if stated is not None or calibration is None:
        return stated
    return {"x": calibration.um_per_pixel, "y": calibration.um_per_pixel}


def fits(before: Mapping[str, Any], after: Mapping[str, Any]) -> bool:
    """Whether a scale entered for one version of a slide is valid for the next: its pixels are of the same picture."""
    return (before.get("width"), before.get("height")) == (after.get("width"), after.get("height"))


def objective_label(manifest: Mapping[str, Any], calibration: Calibration | None) -> str:
    """What a slide is found by (WI81): the objective nearest to the stated one, else to what its pixels are equivalent
    to, else that it has no scale.
    """
    power, mpp = manifest.get("objective_power"), mpp_of(manifest, calibration)
    if power:
        return f"{_nearest(power, OBJECTIVES):g}x"
    if mpp is None:
        return "no scale"
    return f"{_nearest(MICROMETRES_AT_ONE / mpp['x'], TURRET):g}x equivalent"


def _nearest(magnification: float, steps: tuple[float, ...]) -> float:
    """By ratio: 7.7 is nearer to 10 than to 5."""
    return min(steps, key=lambda step: abs(math.log(step / magnification)))
