"""The routes of the planner."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest

from api.asking import API, problem
from wavescope.errors import InvalidParameter, TooLarge, Unavailable
from wavescope.planning.situation import equipment, situation
from wavescope.service import simulations as simulations_module
from wavescope.service.access.gate import LOCAL_USER, may
from wavescope.service.simulations import Order, SimulationService

SMALL = {"situation": {"clients": 3, "think_seconds": 900}, "at": [2, 3]}


def order(**changed: Any) -> Order:
    return Order(
        **{"given": situation({}), "bought": equipment({}), "over": "clients", "at": (4,), "seed": 1, **changed}
    )


async def test_the_numbers_have_bounds_and_defaults_si25(client: httpx.AsyncClient) -> None:
    found = (await client.get(f"{API}/planner")).json()
    assert found["situation"]["clients"] == {
        "default": 40,
        "least": 1,
        "greatest": 1_000_000,
        "meaning": "people who look at slides at the same time",
        "integer": True,
    }
    assert found["simulation"] is True
    assert found["prices"]["node"] > 0


async def test_points_are_simulated_one_after_another_si25(client: httpx.AsyncClient) -> None:
    answer = await client.post(f"{API}/planner/simulations", json=SMALL)
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "application/x-ndjson"
    lines = [json.loads(line) for line in answer.text.splitlines()]
    assert [line["at"] for line in lines if "at" in line] == [2, 3]
    assert any("progress" in line for line in lines)
    assert not any("failure" in line for line in lines)


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        ({"at": []}, (422, "invalid-parameter")),
        ({"at": [0]}, (422, "invalid-parameter")),
        ({"at": [1.5]}, (422, "invalid-parameter")),
        ({"situation": {"client": 3}}, (422, "invalid-parameter")),
        ({"at": [500_000]}, (413, "too-large")),
        ({"at": [199_000, 200_000], "situation": {"sites": 9000}, "equipment": {"nodes": 90}}, (413, "too-large")),
    ],
)
async def test_what_is_out_of_bounds_is_refused_si25(
    client: httpx.AsyncClient, changed: dict[str, Any], expected: tuple[int, str]
) -> None:
    assert problem(await client.post(f"{API}/planner/simulations", json={**SMALL, **changed})) == expected


async def test_without_the_packages_the_route_says_so_si25(
    client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(simulations_module, "find_spec", lambda name: None)
    answer = await client.post(f"{API}/planner/simulations", json=SMALL)
    assert problem(answer) == (503, "missing-package")
    assert "wavescope[simulate]" in answer.json()["detail"]
    assert (await client.get(f"{API}/planner")).json()["simulation"] is False


async def test_a_simulation_ends_with_its_request_si25() -> None:
    service = SimulationService(may)
    long = order(at=(20_000.0, 20_001.0), given=situation({"sites": 200}))
    service.check(LOCAL_USER, long)
    messages: AsyncIterator[dict[str, Any]] = service.run(long)
    assert "progress" in await anext(messages)
    child = service._child
    assert child is not None
    with pytest.raises(Unavailable):
        service.check(LOCAL_USER, order())
    assert [message async for message in service.run(order())] == [{"failure": "another simulation is running"}]
    await messages.aclose()  # type: ignore[attr-defined]
    assert child.returncode is not None
    service.check(LOCAL_USER, order())


async def test_a_simulation_that_takes_too_long_is_ended_si25(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simulations_module, "SECONDS", 0.05)
    found = [message async for message in SimulationService(may).run(order(at=(20_000.0,)))]
    assert "it took more than" in found[-1]["failure"]


async def test_stopping_the_service_ends_a_simulation_si25() -> None:
    service = SimulationService(may)
    running = asyncio.ensure_future(anext(service.run(order(at=(20_000.0,), given=situation({"sites": 200})))))
    assert "progress" in await running
    child = service._child
    await service.stop()
    assert child is not None
    assert child.returncode is not None


def test_values_that_a_number_cannot_have_are_refused_si25() -> None:
    for wrong in (order(over="nodes", at=(0,)), order(over="edge_gb", at=(-1,)), order(at=tuple(range(1, 20)))):
        with pytest.raises(InvalidParameter):
            SimulationService(may).check(LOCAL_USER, wrong)
    with pytest.raises(TooLarge):
        SimulationService(may).check(LOCAL_USER, order(at=(900_000,)))
