"""Many WebSockets and many messages through an edge: the limits answer with a clear code, and others go on (ED21)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from api.asking import API
from api.parties import Party, hold
from edge.edges import edge, served
from edge.hostile import end, raw, raw_origin, silent
from service.world import World, running_service
from wavescope.api.app import build_app
from wavescope.api.forwarding import upstream as upstream_module

SOCKETS = 16  # that the edge passes on; 2 for one client
LIMIT = SOCKETS // 8


@dataclass
class LiveSite:
    """A live session, reached through an edge."""

    url: str
    party: Party
    digest: str

    def address(self) -> str:
        return f"{self.url}{API}/sessions/{self.party.id}/live"

    def headers(self, cookie: str) -> dict[str, str]:
        return {"origin": self.url, "cookie": f"wavescope_guest={cookie}"}


@pytest.fixture
async def site(world: World, tmp_path: Path) -> AsyncIterator[LiveSite]:
    copy = world.copy(tmp_path / "store")
    async with (
        running_service(copy.store, open_to_all=True, trusted_proxies=("127.0.0.1",)) as service,
        served(build_app(service)) as origin,
        edge(tmp_path / "cache", origin, edge_sockets=SOCKETS) as (_, app),
        served(app) as url,
    ):
        yield LiveSite(url, await hold(int(url.rpartition(":")[2])), world.digests["visual"])


async def refusal(http: aiohttp.ClientSession, site: LiveSite, cookie: str) -> int:
    """The status with which a connection is refused; 101: it is not."""
    try:
        async with http.ws_connect(site.address(), headers=site.headers(cookie)):
            return 101
    except aiohttp.WSServerHandshakeError as error:
        return error.status


async def requests_go_on(http: aiohttp.ClientSession, site: LiveSite) -> None:
    for path in ("/slides/visual", f"/slides/visual/v/{site.digest}/blocks/0/0/0/0/0"):
        async with http.get(f"{site.url}{API}{path}", timeout=aiohttp.ClientTimeout(total=5)) as answer:
            assert answer.status == 200


@pytest.mark.slow
async def test_a_flood_of_connections_is_refused_and_others_go_on_ed21(site: LiveSite) -> None:
    async with aiohttp.ClientSession() as http, AsyncExitStack() as flood, site.party.window() as ada:
        cookies = [await site.party.join(f"Guest {number}") for number in range(SOCKETS)]
        for cookie in cookies[: SOCKETS // LIMIT - 1]:
            for _ in range(LIMIT):  # they connect and say nothing
                await flood.enter_async_context(http.ws_connect(site.address(), headers=site.headers(cookie)))
            assert await refusal(http, site, cookie) == 429
        last = await flood.enter_async_context(http.ws_connect(site.address(), headers=site.headers(cookies[-1])))
        assert [await refusal(http, site, cookie) for cookie in cookies[-4:]] == [503] * 4
        await requests_go_on(http, site)
        await ada.look(77.0)
        await ada.until_view(77.0)
        await last.close()
        async with asyncio.timeout(5):
            while await refusal(http, site, cookies[-2]) != 101:
                await asyncio.sleep(0.01)  # until the edge has seen that it left


async def test_a_flood_of_messages_ends_its_own_connection_ed21(site: LiveSite) -> None:
    bob = await site.party.join("Bob")
    async with site.party.window() as ada, site.party.window(bob, "window-1") as flooding:
        for number in range(600):
            await flooding.look(float(number))
        assert await flooding.closed() == (4429, "too many messages")
        await ada.look(1234.0)
        await ada.until_view(1234.0)


async def test_a_request_does_not_wait_without_end_for_a_connection_ed5(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(upstream_module, "POOL_SECONDS", 0.2)
    async with raw_origin(silent) as origin, edge(tmp_path, origin.url) as (services, app), served(app) as url:
        services.origins.first.upstream._connections = 2
        asked = b"GET /api/v1/slides HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n"
        waiting: list[Any] = [asyncio.open_connection("127.0.0.1", int(url.rpartition(":")[2])) for _ in range(2)]
        writers = [writer for _, writer in await asyncio.gather(*waiting)]
        for writer in writers:
            writer.write(asked)
        async with asyncio.timeout(5):
            while len(origin.asked) < 2:
                await asyncio.sleep(0.01)
        assert b" 503 " in (await raw(url, asked)).partition(b"\r\n")[0]
        for writer in writers:
            await end(writer)
