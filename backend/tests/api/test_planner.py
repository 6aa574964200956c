"""The routes of the planner."""

from __future__ import annotations

import asyncio
import json
import tomllib
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from api.asking import API, problem
from wavescope.errors import InvalidExperiment, InvalidParameter, TooLarge, Unavailable
from wavescope.service.access.gate import LOCAL_USER, may
from wavescope_lab.planning.situation import checked_equipment, checked_situation
from wavescope_lab.simulations import service as simulations_module
from wavescope_lab.simulations.orders import Order
from wavescope_lab.simulations.service import ExperimentOrder, SimulationService
from wavescope_lab.simulator.experiments.experiment import parse_experiment
from wavescope_lab.simulator.experiments.results import results
from wavescope_lab.simulator.experiments.trials import run_trial, run_trials

SMALL = {"situation": {"clients": 3, "think_seconds": 900}, "at": [2, 3]}


def order(**changed: Any) -> Order:
    return Order(
        **{
            "situation": checked_situation({}),
            "equipment": checked_equipment({}),
            "over": "clients",
            "at": (4,),
            "seed": 1,
            **changed,
        }
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
        ({"at": [200_000] * 12, "situation": {"link_mbit": 0.1}, "equipment": {"nodes": 100}}, (413, "too-large")),
        ({"at": [1], "situation": {"think_seconds": 0.1, "store": 60, "link_ms": 5000}}, (413, "too-large")),
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


async def test_a_simulation_ends_with_its_request_si25(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simulations_module, "PATIENCE", 0.05)
    service = SimulationService(may)
    long = order(at=(20_000.0, 20_001.0), situation=checked_situation({"sites": 200}))
    await service.check(LOCAL_USER, long)
    messages: AsyncIterator[dict[str, Any]] = service.run(long)
    assert "progress" in await anext(messages)
    child = service._child
    assert child is not None
    with pytest.raises(Unavailable):
        await service.check(LOCAL_USER, order())
    assert [message async for message in service.run(order())] == [{"failure": "another simulation is running"}]
    await messages.aclose()  # type: ignore[attr-defined]
    assert child.process.returncode is not None
    await service.check(LOCAL_USER, order())


async def test_a_simulation_waits_for_one_that_was_cancelled_si25() -> None:
    service = SimulationService(may)
    messages: AsyncIterator[dict[str, Any]] = service.run(
        order(at=(20_000.0,), situation=checked_situation({"sites": 200}))
    )
    assert "progress" in await anext(messages)
    waiting = asyncio.ensure_future(service.check(LOCAL_USER, order()))
    await asyncio.sleep(0)
    assert not waiting.done()
    await messages.aclose()  # type: ignore[attr-defined]
    await waiting


async def test_a_simulation_that_takes_too_long_is_ended_si25(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simulations_module, "SECONDS", 0.05)
    found = [message async for message in SimulationService(may).run(order(at=(20_000.0,)))]
    assert "it took more than" in found[-1]["failure"]


async def test_stopping_the_service_ends_a_simulation_si25() -> None:
    service = SimulationService(may)
    running = asyncio.ensure_future(
        anext(service.run(order(at=(20_000.0,), situation=checked_situation({"sites": 200}))))
    )
    assert "progress" in await running
    child = service._child
    await service.stop()
    assert child is not None
    assert child.process.returncode is not None


async def test_values_that_a_number_cannot_have_are_refused_si25() -> None:
    for wrong in (order(over="nodes", at=(0,)), order(over="edge_gb", at=(-1,)), order(at=tuple(range(1, 20)))):
        with pytest.raises(InvalidParameter):
            await SimulationService(may).check(LOCAL_USER, wrong)
    with pytest.raises(TooLarge):
        await SimulationService(may).check(LOCAL_USER, order(at=(900_000,)))


QUEUE = """
title = "A queue"
description = "Two loads."
model = "queue"
trials = 50
factorial = true
parameters = { arrivals = { mean = 1.0 }, customers = 200 }
factors = { service = [0.5, 0.8], servers = [1, 2] }
"""
RUNS = f"{API}/planner/experiments/runs"


async def test_the_experiments_of_the_papers_are_listed_si27(client: httpx.AsyncClient) -> None:
    found = (await client.get(f"{API}/planner/experiments")).json()
    by_name = {each["name"]: each for each in found["experiments"]}
    table = by_name["report-1998-table-7"]
    assert table["factors"] == {"hit_rate": [0.75, 0.0], "clients": [1, 30]}
    assert (table["runs"], table["trials"], table["own"]) == (4, 100, False)
    assert all(each["problem"] is None and each["description"] and each["title"] for each in by_name.values())
    assert {"tierney-1999", "khaleel-1999-files", "beynon-1998", "report-1998-figures"} <= by_name.keys()
    assert max(each["runs"] for each in by_name.values()) <= found["max_runs"]


async def test_own_experiments_come_first_and_a_damaged_one_says_why_si27(tmp_path: Path) -> None:
    (tmp_path / "ours.toml").write_text(QUEUE)
    (tmp_path / "tierney-1999.toml").write_text("title = ")
    service = SimulationService(may, tmp_path)
    first, second, *others = await service.experiments(LOCAL_USER)
    assert (first.name, first.own, first.title, first.runs, first.problem) == ("ours", True, "A queue", 4, None)
    assert second.problem is not None
    assert second.problem.startswith("invalid TOML")
    assert not any(each.own for each in others)
    with pytest.raises(InvalidExperiment):  # it hides the paper's
        await service.begin(LOCAL_USER, ExperimentOrder(1, "tierney-1999"))
    assert not [each async for each in service.run(order(at=()))]  # the service is free again


async def test_an_experiment_has_the_result_of_the_command_si28(client: httpx.AsyncClient) -> None:
    answer = await client.post(RUNS, json={"text": QUEUE, "trials": 3})
    assert answer.status_code == 200
    *others, last = [json.loads(line) for line in answer.text.splitlines()]
    experiment = parse_experiment(tomllib.loads(QUEUE), {}).with_trials(3)
    assert last["result"] == json.loads(json.dumps(results(experiment, run_trials(experiment, lambda *_: None))))
    assert (last["finished"], last["trials"]) == (12, 12)
    assert any("progress" in line for line in others)


async def test_figures_so_far_have_all_runs_alike_si28() -> None:
    experiment = parse_experiment(tomllib.loads(QUEUE), {}).with_trials(2)
    first = run_trial(experiment, (0, 0))
    found = results(experiment, [[first], [], [], []])
    assert found["runs"][0]["metrics"]["response"]["trials"] == 1
    assert found["runs"][1]["metrics"] == {}
    assert "effects" not in found


@pytest.mark.parametrize(
    ("body", "expected", "parameter"),
    [
        ({"name": "../settings"}, (422, "invalid-parameter"), "name"),
        ({"name": "report-1998-table-7", "text": QUEUE}, (422, "invalid-parameter"), "name"),
        ({}, (422, "invalid-parameter"), "name"),
        ({"text": QUEUE, "trials": 101}, (422, "invalid-parameter"), "trials"),
        ({"text": "title = "}, (422, "invalid-experiment"), "experiment"),
        ({"text": QUEUE.replace("customers", "custmers")}, (422, "invalid-experiment"), "parameters.customers"),
        ({"text": 'times = "../x"\n' + QUEUE}, (422, "invalid-experiment"), "times"),
        ({"text": 'times = "none.toml"\n' + QUEUE}, (422, "invalid-experiment"), "times"),
        ({"text": QUEUE.replace("[1, 2]", str([*range(1, 120)]))}, (422, "invalid-experiment"), "factorial"),
    ],
)
async def test_an_experiment_that_cannot_be_run_is_refused_si28(
    client: httpx.AsyncClient, body: dict[str, Any], expected: tuple[int, str], parameter: str
) -> None:
    answer = await client.post(RUNS, json=body)
    assert problem(answer) == expected
    assert answer.json()["parameter"] == parameter


async def test_too_many_runs_are_refused_si28() -> None:
    many = QUEUE.replace("[1, 2]", str([*range(1, 120)])).replace("factorial = true", "")
    service = SimulationService(may)
    with pytest.raises(InvalidExperiment, match="more than 200 combinations"):
        await service.begin(LOCAL_USER, ExperimentOrder(1, text=many))


@pytest.mark.slow
async def test_an_experiment_ends_with_its_request_si28() -> None:
    service = SimulationService(may)
    running = await service.begin(LOCAL_USER, ExperimentOrder(100, "report-1998-figures"))
    child = service._child
    assert child is not None
    with pytest.raises(Unavailable):
        await service.begin(LOCAL_USER, ExperimentOrder(1, text=QUEUE))
    assert "progress" in await anext(running)
    await running.aclose()
    assert child.process.returncode is not None
    again = await service.begin(LOCAL_USER, ExperimentOrder(1, text=QUEUE))
    assert [message async for message in again][-1]["finished"] == 4
    third = await service.begin(LOCAL_USER, ExperimentOrder(1, text=QUEUE))  # as soon as the reports have ended
    await again.aclose()  # which ends no other one
    assert [message async for message in third][-1]["finished"] == 4
    await third.aclose()


@pytest.mark.slow
async def test_an_experiment_that_takes_too_long_shows_what_it_has_si28(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simulations_module, "EXPERIMENT_SECONDS", 5.0)
    running = await SimulationService(may).begin(LOCAL_USER, ExperimentOrder(100, "report-1998-figures"))
    found = [message async for message in running]
    await running.aclose()
    assert "it took more than 5 s" in found[-1]["failure"]


LARGE = """
title = "A large trace"
model = "cluster"
times = "times/khaleel-1999.toml"
[parameters]
files = 1000000
trace_clients = 1000000
requests = 10
rate = 1
exponent = 1
client_exponent = 1
repeat = 0
mean_bytes = 1000
memory_mb = 1
distribution = "file"
layout = "striped"
nodes = 2
"""


async def test_an_experiment_has_a_limit_of_memory_si28(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simulations_module, "MAX_MEMORY", 320 << 20)
    running = await SimulationService(may).begin(LOCAL_USER, ExperimentOrder(1, text=LARGE))
    found = [message async for message in running]
    await running.aclose()
    assert found[-1] == {"failure": "it needs more than 320 MB of memory"}


async def test_points_say_whether_they_meet_a_goal_si25(client: httpx.AsyncClient) -> None:
    for seconds, met in ((60, True), (1e-4, False)):
        goal = {"mean_seconds": 60, "p95_seconds": seconds}
        answer = await client.post(f"{API}/planner/simulations", json={**SMALL, "at": [2], "goal": goal})
        assert [json.loads(line).get("met") for line in answer.text.splitlines() if '"at"' in line] == [met]
    answer = await client.post(f"{API}/planner/simulations", json={**SMALL, "goal": {"mean_seconds": 0}})
    assert problem(answer) == (422, "invalid-parameter")
