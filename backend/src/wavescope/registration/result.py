"""What a registration finds, as it is stored and served."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from wavescope.registration.place_map import PlaceMap


class Residual(NamedTuple):
    """What is left in one cell of the left slide: its middle in pixels of level 0, how far the right tissue lies from
    where the map says, in pixels of level 0 of the right slide, and how alike both are, 0 to 1.
    """

    l0_x: float
    l0_y: float
    l0_dx: float
    l0_dy: float
    likeness: float


class Registration(NamedTuple):
    """Between pixels of level 0 of both slides. ``likeness``: 0 to 1, the mean over the tissue of both."""

    places: PlaceMap
    likeness: float
    cell: float
    residuals: Sequence[Residual]

    def to_json(self) -> dict[str, Any]:
        """As it is stored and served (RE3, RE4)."""
        return {
            **self.places.to_json(),
            "likeness": round(self.likeness, 4),
            "cell": round(self.cell, 2),
            "residuals": [[round(value, 2) for value in one] for one in self.residuals],
        }

    @classmethod
    def from_json(cls, found: Mapping[str, Any]) -> Registration:
        """What ``to_json`` made."""
        residuals = [Residual(*one) for one in found["residuals"]]
        return cls(PlaceMap.from_json(found), found["likeness"], found["cell"], residuals)
