"""The planner on the wire."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, create_model

from wavescope.planning.situation import EQUIPMENT, NUMBERS, Number
from wavescope.service.simulations import MAX_POINTS


def _fields(numbers: dict[str, Number]) -> dict[str, Any]:
    return {
        name: (
            int if number.integer else float,
            Field(number.default, ge=number.low, le=number.high, description=number.meaning),
        )
        for name, number in numbers.items()
    }


class Strict(BaseModel):
    """Unknown members are refused."""

    model_config = ConfigDict(extra="forbid")


SituationBody: Any = create_model(
    "SituationBody", __base__=Strict, __doc__="What a plan is made for (SI20).", **_fields(dict(NUMBERS))
)
EquipmentBody: Any = create_model(
    "EquipmentBody", __base__=Strict, __doc__="What can be bought (SI20).", **_fields(dict(EQUIPMENT))
)


class SimulationBody(Strict):
    """A situation with its equipment; one number, ``over``, takes the values ``at``: each is simulated."""

    situation: SituationBody = Field(default_factory=SituationBody)
    equipment: EquipmentBody = Field(default_factory=EquipmentBody)
    over: Literal["clients", "nodes", "edge_gb"] = "clients"
    at: list[float] = Field(min_length=1, max_length=MAX_POINTS, examples=[[10, 20, 40]])
    seed: int = Field(1998, ge=0, le=2**31)


class NumberView(BaseModel):
    """A number of a situation or of its equipment."""

    default: float
    least: float
    greatest: float
    meaning: str
    integer: bool


class PricesView(BaseModel):
    """In a month, in any one currency."""

    node: float
    node_gb: float
    edge: float
    edge_gb: float


class PlannerView(BaseModel):
    """What the page of the planner needs to know (SI25)."""

    situation: dict[str, NumberView]
    equipment: dict[str, NumberView]
    prices: PricesView
    simulation: bool = Field(description="whether simulations can run here: the packages are installed")
    max_clients: int = Field(description="of a simulated point")
    max_requests: int = Field(description="simulated, of all points together")
