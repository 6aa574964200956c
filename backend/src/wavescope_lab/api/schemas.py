"""The planner on the wire."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, create_model

from wavescope_lab.planning.search import GOALS
from wavescope_lab.planning.situation import EQUIPMENT, NUMBERS, Number
from wavescope_lab.simulations.orders import MAX_POINTS
from wavescope_lab.simulations.service import MAX_TEXT, MAX_TRIALS


def _fields(numbers: Mapping[str, Number]) -> dict[str, Any]:
    return {
        name: (
            int if number.integer else float,
            Field(number.default, ge=number.low, le=number.high, description=number.meaning),
        )
        for name, number in numbers.items()
    }


class Strict(BaseModel):
    """Unknown members are refused."""

    model_config = ConfigDict(extra="forbid", defer_build=False)  # FastAPI builds what it validates itself


SituationBody: Any = create_model(
    "SituationBody", __base__=Strict, __doc__="What a plan is made for (SI20).", **_fields(NUMBERS)
)
EquipmentBody: Any = create_model(
    "EquipmentBody", __base__=Strict, __doc__="What can be bought (SI20).", **_fields(EQUIPMENT)
)
GoalBody: Any = create_model("GoalBody", __base__=Strict, __doc__="What a plan must meet (SI20).", **_fields(GOALS))


class SimulationBody(Strict):
    """A situation with its equipment; one number, ``over``, takes the values ``at``: each is simulated."""

    situation: SituationBody = Field(default_factory=SituationBody)
    equipment: EquipmentBody = Field(default_factory=EquipmentBody)
    over: Literal["clients", "nodes", "edge_gb"] = "clients"
    at: list[float] = Field(min_length=1, max_length=MAX_POINTS, examples=[[10, 20, 40]])
    seed: int = Field(1998, ge=0, le=2**31)
    goal: GoalBody | None = Field(None, description="each point then says whether it meets this")


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
    goal: dict[str, NumberView]
    prices: PricesView
    simulation: bool = Field(description="whether simulations can run here: the packages are installed")
    max_clients: int = Field(description="of a simulated point")
    max_requests: int = Field(description="simulated, of all points together")


class ExperimentBody(Strict):
    """A stored experiment by its name, or the text of another one."""

    name: str | None = Field(None, max_length=255, examples=["report-1998-table-7"])
    text: str | None = Field(
        None, max_length=MAX_TEXT, description="TOML; it may name the component times of the papers"
    )
    trials: int = Field(5, ge=1, le=MAX_TRIALS, description="of each run")


class ExperimentView(BaseModel):
    """What a stored experiment says of itself."""

    name: str
    own: bool = Field(description="of this service; else of a paper")
    title: str
    description: str
    model: str
    trials: int = Field(description="of `wavescope simulate`; here as many as are ordered")
    factors: dict[str, list[float | str]]
    runs: int = Field(description="combinations of levels")
    problem: str | None = Field(description="why the file cannot be read")


class ExperimentsView(BaseModel):
    """The stored experiments, and the bounds of those that run here."""

    experiments: list[ExperimentView]
    max_trials: int
    max_runs: int
    max_text: int = Field(description="characters")
