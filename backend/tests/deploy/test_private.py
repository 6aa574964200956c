"""nginx that stores what is private, behind a decision of the origin for each client (AC40 to AC42, AC46)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from api.accounts import API
from deploy.caches import CACHES, DEPLOY, nginx
from deploy.test_caches import Edge, edge
from service.world import World
from wavescope.catalog.records import Share

pytestmark = pytest.mark.skipif("nginx" not in CACHES, reason="nginx is not installed")
NAME = "nginx-edge-private.conf"


@asynccontextmanager
async def private_edge(world: World, tmp_path: Path, minute: str = "60s") -> AsyncIterator[Edge]:
    async with edge("nginx", world, tmp_path) as there:
        changes = {"proxy_cache_valid 200 60s;": f"proxy_cache_valid 200 {minute};"}
        async with nginx(tmp_path / "private", there.link.address, NAME, changes) as url:
            there.url = url
            yield there


async def test_clients_with_a_right_share_what_is_stored_and_others_see_nothing_of_it_ac40(
    world: World, tmp_path: Path
) -> None:
    async with private_edge(world, tmp_path) as there, there.client() as anonymous:
        ivan, olga = [await there.signed_in(name) for name in ("ivan", "olga")]
        mine = await ivan.get(there.block("visual"))
        assert (mine.status_code, mine.headers["cache-control"]) == (200, "private, max-age=60, immutable")
        assert "cookie" in mine.headers["vary"].lower()
        again, size = await there.upstream(ivan.get(there.block("visual")))
        assert (again.content, again.headers["x-cache-status"], size) == (mine.content, "HIT", 0)
        for stranger in (olga, anonymous):
            for headers in ({}, {"if-none-match": mine.headers["etag"]}, {"range": "bytes=0-9"}, {"cookie": "a=b"}):
                answer = await stranger.get(there.block("visual"), headers=headers)
                assert answer.status_code == 404
                assert "x-cache-status" not in answer.headers
        wrong = await anonymous.get(there.block("visual"), headers={"authorization": "Bearer nothing"})
        assert wrong.status_code == 401
        there.table.share("slide", "visual", False, [Share("user", there.ids["olga"], "view")])
        hers, size = await there.upstream(olga.get(there.block("visual")))
        assert (hers.content, hers.headers["x-cache-status"]) == (mine.content, "HIT")
        assert size < len(mine.content)  # the decision only
        for client in (ivan, olga):
            await client.aclose()


@pytest.mark.slow
async def test_what_is_revoked_ends_when_the_decision_does_ac46(world: World, tmp_path: Path) -> None:
    async with private_edge(world, tmp_path, minute="1s") as there:
        olga = await there.signed_in("olga")
        there.table.share("slide", "visual", False, [Share("user", there.ids["olga"], "view")])
        assert (await olga.get(there.block("visual"))).status_code == 200
        there.table.share("slide", "visual", False, [])
        async with asyncio.timeout(10):
            while (await olga.get(there.block("visual"))).status_code == 200:
                await asyncio.sleep(0.1)
        assert (await olga.get(there.block("visual"))).status_code == 404
        await olga.aclose()
    assert "proxy_cache_valid 200 60s;" in (DEPLOY / NAME).read_text()


async def test_a_client_cannot_ask_for_the_decision_itself(world: World, tmp_path: Path) -> None:
    async with private_edge(world, tmp_path) as there, there.client() as anonymous:
        for path in ("/.decision", "/.refused"):
            answer, size = await there.upstream(anonymous.get(path))
            assert (answer.status_code in (403, 404), size) == (True, 0)


async def test_a_new_version_is_never_mixed_with_an_old_one_wi9(world: World, tmp_path: Path) -> None:
    async with private_edge(world, tmp_path) as there:
        ivan = await there.signed_in("ivan")
        assert (await ivan.get(there.block("visual"))).status_code == 200
        old = f"{API}/slides/visual/v/{'0' * 32}/blocks/0/0/0/0/0"
        for _ in range(2):
            assert (await ivan.get(old)).status_code == 410
        await ivan.aclose()
