"""Simulations through an edge: passed on as they come, limited by the origin, ended with their client (SI25, SI28)."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import aiohttp
import pytest

from api.asking import API
from edge.edges import edge, served
from wavescope.api.app import build_app
from wavescope.config import Config
from wavescope.config.rates import Rates
from wavescope.service.composition import Services, compose
from wavescope_lab.simulations import service as simulations_module
from wavescope_lab.simulations.service import SimulationService

LONG = {"name": "report-1998-figures", "trials": 100}
PLAN = {"situation": {"clients": 20_000, "sites": 200}, "at": [20_000, 20_001]}


def simulations_of(services: Services) -> SimulationService:
    found = services.extensions["simulations"]
    assert isinstance(found, SimulationService)
    return found


@asynccontextmanager
async def behind_an_edge(folder: Path, **options: object) -> AsyncIterator[tuple[Services, str]]:
    """An origin, and the address of the edge in front of it."""
    config = Config(store=folder / "store", run_jobs=False, open_to_all=True, **options)  # type: ignore[arg-type]
    services = compose(config)
    try:
        async with (
            served(build_app(services)) as origin,
            edge(folder / "cache", origin) as (_, app),
            served(app) as address,
        ):
            yield services, address
    finally:
        await simulations_of(services).stop()
        services.catalog.close()


async def test_reports_come_while_it_runs_and_a_client_that_leaves_ends_it_si25(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(simulations_module, "PATIENCE", 0.1)
    async with behind_an_edge(tmp_path) as (services, address), aiohttp.ClientSession(address) as http:
        simulations = simulations_of(services)
        for path, body in (("planner/experiments/runs", LONG), ("planner/simulations", PLAN)):
            async with http.post(f"{API}/{path}", json=body) as answer:
                assert answer.status == 200
                first = json.loads(await answer.content.readline())
                assert "progress" in first
                child = simulations._child
                assert child is not None
                assert child.process.returncode is None  # it was not collected until the end
                async with http.post(f"{API}/{path}", json=body) as refused:
                    assert refused.status == 503
            await asyncio.wait_for(child.process.wait(), 30)
            async with asyncio.timeout(30):
                await simulations._idle.wait()


async def test_they_are_counted_for_the_client_of_the_edge_si25(tmp_path: Path) -> None:
    async with (
        behind_an_edge(tmp_path, rates=Rates(rate_exports="2 per minute")) as (_, address),
        aiohttp.ClientSession(address) as http,
    ):
        statuses = []
        for _ in range(3):
            async with http.post(f"{API}/planner/experiments/runs", json={"text": "title = "}) as answer:
                statuses.append(answer.status)
        assert statuses == [422, 422, 429]
