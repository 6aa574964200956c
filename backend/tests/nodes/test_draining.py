"""A node that stops says so, and answers until the balancer has noticed (CL17, CL18)."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.asyncio.client import connect

from api.accounts import API
from api.asking import problem
from catalog.databases import Server, postgresql_server
from nodes.cluster import RunningNode, catalog_of, cluster
from service.world import World
from wavescope.service import health as health_module

SECONDS = 1.0
PATIENCE = 10.0  # seconds, in which a service stops that waits for nobody


async def asking(node: RunningNode) -> None:
    """Asks until there is no answer."""
    while True:
        await node.client().get("/healthz")


async def stopping(node: RunningNode) -> None:
    """Returns when the node says that it is not ready."""
    node.server.should_exit = True
    async with asyncio.timeout(5):
        async with httpx.AsyncClient() as browser:
            while (await browser.get(f"{node.url}/readyz")).status_code != 503:
                pass


@pytest.mark.slow
async def test_a_node_that_stops_answers_everything_but_readyz_and_ends_connections_cl17(
    world: World, server: Server, tmp_path: Path
) -> None:
    url = catalog_of(world, server.url)
    block = f"{API}/slides/visual/v/{world.digests['visual']}/blocks/0/0/0/1/1"
    async with cluster(world, url, tmp_path, names="a", drain_seconds=SECONDS) as (node,):
        browser = node.client()
        for _ in range(3):
            kept = await browser.get(block)
        assert "connection" not in kept.headers
        live = f"{node.url.replace('http', 'ws')}{API}/slides/visual/v/{world.digests['visual']}/push"
        async with connect(live, origin=node.url) as socket:
            begun = time.monotonic()
            await stopping(node)
            said = problem(await browser.get("/readyz"))
            assert said == (503, "unavailable")
            for path in (block, f"{API}/slides", "/healthz"):
                answer = await browser.get(path)
                assert (answer.status_code, answer.headers["connection"]) == (200, "close")
            assert kept.content == (await browser.get(block)).content
            async with asyncio.timeout(10):
                await socket.wait_closed()
            assert socket.close_code == 1012
            assert time.monotonic() - begun >= SECONDS


async def test_a_service_alone_stops_at_once_cl17(world: World, server: Server, tmp_path: Path) -> None:
    async with cluster(world, catalog_of(world, server.url), tmp_path, names="a") as (node,):
        begun = time.monotonic()
        node.server.should_exit = True
        with pytest.raises(httpx.TransportError):
            await asking(node)
        assert time.monotonic() - begun < PATIENCE


@pytest.mark.slow
async def test_a_node_stays_ready_while_the_database_is_restarted_but_not_for_long_cl18(
    world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with postgresql_server() as own:
        async with cluster(world, catalog_of(world, own.url), tmp_path, names="a") as (node,):
            ready: Any = (await node.client().get("/readyz")).json()
            assert (ready["status"], ready["catalog"]) == ("ready", "ok")
            await asyncio.to_thread(own.stop)
            ready = (await node.client().get("/readyz")).json()
            assert (ready["status"], ready["catalog"]) == ("ready", "away")
            monkeypatch.setattr(health_module, "OUTAGE_SECONDS", 0.0)
            assert problem(await node.client().get("/readyz")) == (503, "unavailable")
            await asyncio.to_thread(own.start)
            assert (await node.client().get("/readyz")).json()["catalog"] == "ok"


async def test_a_node_whose_name_was_taken_is_not_ready_cl18(
    world: World, server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with cluster(world, catalog_of(world, server.url), tmp_path, names="a") as (node,):
        monkeypatch.setattr(node.services.node, "_replaced", True)
        assert problem(await node.client().get("/readyz")) == (503, "unavailable")
