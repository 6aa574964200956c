"""The capacity planner: its numbers, and simulations of a plan (SI25)."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Mapping
from typing import Any

from starlette.responses import Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from wavescope.api.parameters import SimulationsParameter
from wavescope.api.routing import counted, new_router
from wavescope.api.schemas.planner import NumberView, PlannerView, PricesView, SimulationBody
from wavescope.api.state import PrincipalParameter
from wavescope.planning.prices import default_prices
from wavescope.planning.situation import EQUIPMENT, NUMBERS, Number, equipment, situation
from wavescope.service.simulations import MAX_CLIENTS, MAX_REQUESTS, Order, missing_package

router = new_router("operation", "reads")

LINES = "application/x-ndjson"
HEADERS = {"cache-control": "no-store", "x-accel-buffering": "no"}


@router.get("/planner")
async def get_planner() -> PlannerView:
    """Numbers with their bounds and defaults, prices, and whether simulations can run here (SI25)."""
    return PlannerView(
        situation=_numbers(NUMBERS),
        equipment=_numbers(EQUIPMENT),
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
    """Simulates a plan (SI25): lines `{"progress"}`, `{"at", "metrics"}`, `{"failure"}`. It ends with the request."""
    order = Order(
        situation(body.situation.model_dump()),
        equipment(body.equipment.model_dump()),
        body.over,
        tuple(body.at),
        body.seed,
    )
    simulations.check(principal, order)
    return LinesResponse(simulations.run(order))


class LinesResponse(StreamingResponse):
    """A line of JSON for each value. What makes the values is closed when they were sent or the client has gone."""

    def __init__(self, values: AsyncIterator[dict[str, Any]]) -> None:
        super().__init__((json.dumps(value) + "\n" async for value in values), 200, HEADERS, LINES)
        self._values = values

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            await self._values.aclose()  # type: ignore[attr-defined]  # a generator
