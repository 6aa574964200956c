"""What is simulated of a plan (SI25)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from wavescope_lab.planning.search import Goal
from wavescope_lab.planning.situation import EQUIPMENT, NUMBERS, Equipment, Situation, checked

MAX_POINTS = 12
Over = Literal["clients", "nodes", "edge_gb"]


@dataclass(frozen=True)
class Order:
    """A situation with its equipment, in which one number takes the values ``at``: a point for each. ``goal``: whether
    each point meets it is wanted."""

    situation: Situation
    equipment: Equipment
    over: Over
    at: tuple[float, ...]
    seed: int
    goal: Goal | None = None

    def points(self) -> list[tuple[Situation, Equipment]]:
        """Raises InvalidParameter for a value that the number cannot have."""
        numbers = NUMBERS if self.over == "clients" else EQUIPMENT
        values = [checked(self.over, value, numbers[self.over]) for value in self.at]
        if self.over == "clients":
            return [(replace(self.situation, clients=int(value)), self.equipment) for value in values]
        if self.over == "nodes":
            return [(self.situation, replace(self.equipment, nodes=int(value))) for value in values]
        return [(self.situation, replace(self.equipment, edge_gb=value)) for value in values]
