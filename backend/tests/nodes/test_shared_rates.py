"""Nodes count requests and refused passwords together in Redis; alone while it is away (CL15)."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from limits import parse

from catalog.databases import Server
from nodes.cluster import API, RunningNode, add_people, catalog_of, cluster
from nodes.redis import Redis, redis
from service.world import World
from wavescope.config import Rates
from wavescope.logs import faults
from wavescope.service.access import limiter as limiter_module
from wavescope.service.access.limiter import SharedLimiter
from wavescope.service.sessions.admission import WRONG_CODES

RATES = Rates(rate_sign_in="1000 per minute", rate_sign_in_failures="", rate_account_failures="4 per hour")


@pytest.fixture
def shared(tmp_path: Path) -> Iterator[Redis]:
    with redis(tmp_path) as server:
        yield server


async def status_of(node: RunningNode, name: str) -> int:
    """Of a sign-in with a wrong password."""
    answer = await node.client().post(f"{API}/sign-in", json={"name": name, "password": "wrong " * 3})
    return answer.status_code


@pytest.mark.slow
async def test_refused_passwords_are_counted_by_all_nodes_together_cl15(
    world: World,
    server: Server,
    shared: Redis,
    tmp_path: Path,
) -> None:
    url = catalog_of(world, server.url)
    add_people(url)
    options: dict[str, Any] = {"access": "accounts", "rate_limits": True, "rates": RATES, "rate_storage": shared.url}
    async with cluster(world, url, tmp_path, **options) as (a, b):
        assert [await status_of(one, "ivan") for one in (a, b, a, b)] == [401] * 4
        assert [await status_of(one, "ivan") for one in (a, b)] == [429, 429]
        before = faults.counts["rates", "storage-away"]
        shared.stop()
        assert [await status_of(a, "vera") for _ in range(5)] == [401] * 4 + [429]  # no limit falls away
        assert [await status_of(b, "vera") for _ in range(5)] == [401] * 4 + [429]
        assert (await a.client().get("/healthz")).status_code == 200
        assert faults.counts["rates", "storage-away"] > before


@pytest.mark.slow
async def test_wrong_codes_of_sessions_are_counted_by_all_nodes_together_se7(
    world: World, server: Server, shared: Redis, tmp_path: Path
) -> None:
    async with cluster(world, catalog_of(world, server.url), tmp_path, rate_storage=shared.url) as (a, b):

        async def status_at(node: RunningNode) -> int:
            return (await node.client().get(f"{API}/sessions/22222222")).status_code

        assert [await status_at(one) for one in (a, b)] == [404, 404]
        other = SharedLimiter(shared.url)  # a third node
        await other.hit(WRONG_CODES, "session codes", cost=WRONG_CODES.amount - 3)
        await other.close()
        assert [await status_at(one) for one in (a, b, a)] == [404, 429, 429]


async def test_a_storage_that_comes_back_counts_again_cl15(
    shared: Redis, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    one, other, rate = SharedLimiter(shared.url), SharedLimiter(shared.url), parse("3 per hour")
    assert [await limiter.hit(rate, "k") for limiter in (one, other, one, other)] == [True] * 3 + [False]
    shared.stop()
    with caplog.at_level(logging.INFO):
        assert [await one.hit(rate, "k") for _ in range(4)] == [True] * 3 + [False]
        lines = [line for line in caplog.messages if "does not answer" in line]
        assert len(lines) == 1, lines
        shared.start()
        monkeypatch.setattr("time.monotonic", lambda: 1e12)  # the pause is over
        assert await one.hit(rate, "k")  # nothing was counted there yet
        assert any("answers again" in line for line in caplog.messages)
    for limiter in (one, other):
        await limiter.close()


async def test_a_storage_that_only_accepts_connections_holds_up_no_request_for_long_cl15(
    monkeypatch: pytest.MonkeyPatch,
) -> None:

    monkeypatch.setattr(limiter_module, "RESPONSE_SECONDS", 0.05)
    end = asyncio.Event()

    async def silent(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await end.wait()
        writer.close()

    server = await asyncio.start_server(silent, "127.0.0.1", 0)
    limiter = SharedLimiter(f"redis://127.0.0.1:{server.sockets[0].getsockname()[1]}")
    async with asyncio.timeout(5):
        assert [await limiter.hit(parse("2 per hour"), "k") for _ in range(3)] == [True, True, False]
    await limiter.close()
    end.set()
    server.close()


def test_valkey_needs_no_driver_of_its_own_cl15() -> None:
    assert SharedLimiter("valkey://127.0.0.1:1").limiter is not None
