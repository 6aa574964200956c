"""The capacity planner: its numbers, simulations of a plan (SI25), and stored experiments (SI27, SI28)."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Mapping
from typing import Annotated, Any

from fastapi import Depends
from starlette.requests import HTTPConnection
from starlette.responses import Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from wavescope.api.routing import counted, new_router
from wavescope.api.state import PrincipalParameter, services_of
from wavescope_lab.api.schemas import (
    ExperimentBody,
    ExperimentsView,
    ExperimentView,
    NumberView,
    PlannerView,
    PricesView,
    SimulationBody,
)
from wavescope_lab.planning.prices import default_prices
from wavescope_lab.planning.search import GOALS, goal
from wavescope_lab.planning.situation import EQUIPMENT, NUMBERS, Number, checked_equipment, checked_situation
from wavescope_lab.simulations.orders import Order
from wavescope_lab.simulations.service import (
    MAX_CLIENTS,
    MAX_REQUESTS,
    MAX_RUNS,
    MAX_TEXT,
    MAX_TRIALS,
    Experiment,
    ExperimentOrder,
    SimulationService,
    missing_package,
)

router = new_router("operation", "reads")

LINES = "application/x-ndjson"
HEADERS = {"cache-control": "no-store", "x-accel-buffering": "no"}


async def simulations_of(connection: HTTPConnection) -> SimulationService:
    """Those of the service behind this application."""
    found = services_of(connection).extensions["simulations"]
    assert isinstance(found, SimulationService)
    return found


SimulationsParameter = Annotated[SimulationService, Depends(simulations_of)]


@router.get("/planner")
async def get_planner() -> PlannerView:
    """Numbers with their bounds and defaults, prices, and whether simulations can run here (SI25)."""
    return PlannerView(
        situation=_numbers(NUMBERS),
        equipment=_numbers(EQUIPMENT),
        goal=_numbers(GOALS),
        prices=PricesView(**vars(default_prices())),
        simulation=missing_package() is None,
        max_clients=MAX_CLIENTS,
        max_requests=MAX_REQUESTS,
    )


def _numbers(numbers: Mapping[str, Number]) -> dict[str, NumberView]:
    return {
        name: NumberView(
            default=each.default, least=each.low, greatest=each.high, meaning=each.meaning, integer=each.integer
        )
        for name, each in numbers.items()
    }


@router.post(
    "/planner/simulations",
    response_class=StreamingResponse,
    responses={200: {"description": "a line of JSON for each report", "content": {LINES: {}}}},
)
@counted("exports")
async def simulate_plan(
    body: SimulationBody, simulations: SimulationsParameter, principal: PrincipalParameter
) -> Response:
    """Simulates a plan (SI25): lines `{"progress"}`, `{"at", "metrics", "met"}`, `{"failure"}`."""
    order = Order(
        checked_situation(body.situation.model_dump()),
        checked_equipment(body.equipment.model_dump()),
        body.over,
        tuple(body.at),
        body.seed,
        goal(body.goal.model_dump()) if body.goal else None,
    )
    await simulations.check(principal, order)
    return LinesResponse(simulations.run(order))


@router.get("/planner/experiments")
async def get_experiments(simulations: SimulationsParameter, principal: PrincipalParameter) -> ExperimentsView:
    """The experiments that can be chosen: this service's own first, then those of the papers (SI27)."""
    found = [ExperimentView(**vars(each), runs=each.runs) for each in await simulations.experiments(principal)]
    return ExperimentsView(experiments=found, max_trials=MAX_TRIALS, max_runs=MAX_RUNS, max_text=MAX_TEXT)


@router.post(
    "/planner/experiments/runs",
    response_class=StreamingResponse,
    responses={200: {"description": "a line of JSON for each report", "content": {LINES: {}}}},
)
@counted("exports")
async def run_experiment(
    body: ExperimentBody, simulations: SimulationsParameter, principal: PrincipalParameter
) -> Response:
    """Runs an experiment (SI28): lines `{"progress"}`, `{"result", "finished", "trials"}`, `{"failure"}`. It ends with
    the request."""
    return LinesResponse(await simulations.begin(principal, ExperimentOrder(body.trials, body.name, body.text)))


class LinesResponse(StreamingResponse):
    """A line of JSON for each value. What makes the values is closed when they were sent or the client has gone."""

    def __init__(self, values: AsyncGenerator[dict[str, Any], None] | Experiment) -> None:
        super().__init__((json.dumps(value) + "\n" async for value in values), 200, HEADERS, LINES)
        self._values = values

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            await self._values.aclose()
