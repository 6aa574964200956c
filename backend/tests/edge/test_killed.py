"""``kill -9`` of an edge at random moments: what it answers after its next start is what the origin has (ED6, ED7)."""

from __future__ import annotations

import asyncio
import random
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx
import pytest

from api.asking import API
from api.test_batch_frames import parse_frames
from edge.conftest import Switch
from edge.edge_process import edge_process
from edge.edges import served
from service.world import World, running_service
from wavescope.api.app import build_app

pytestmark = pytest.mark.slow

OK = (0, 1)  # bytes, or an empty block
SMALL = {"edge_memory": "65536", "edge_disk": "600000"}  # a tenth of what the requests touch
BLOCKS = [[0, 0, level, x, y, 0, layers] for level in (0, 1) for y in range(3) for x in range(3) for layers in (1, 2)]


class Origin:
    """The service itself, asked without an edge."""

    def __init__(self, world: World, client: httpx.AsyncClient) -> None:
        self._world, self._client = world, client
        self._known: dict[tuple[Any, ...], Any] = {}

    def address(self, slide: str) -> str:
        return f"{API}/slides/{slide}/v/{self._world.digests[slide]}/blocks:batch"

    async def has(self, slide: str, block: list[int]) -> Any:
        """Status and bytes of a block."""
        key = (slide, *block)
        if key not in self._known:
            answer = await self._client.post(self.address(slide), json={"blocks": [block]})
            self._known[key] = parse_frames(answer.content)[0][0][1:]
        return self._known[key]


async def view(origin: Origin, client: httpx.AsyncClient, chance: random.Random) -> None:
    """Requests blocks until the edge is killed; each answer is compared with the origin's."""
    with suppress(httpx.TransportError):
        while True:
            slide, blocks = chance.choice(("visual", "lossless")), chance.sample(BLOCKS, 8)
            answer = await client.post(origin.address(slide), json={"blocks": blocks})
            assert answer.status_code == 200
            frames, ended = parse_frames(answer.content)
            assert ended
            for index, status, payload in frames:
                assert status in OK
                assert (status, payload) == await origin.has(slide, blocks[index])


@pytest.mark.parametrize("moments", [2, pytest.param(50, marks=pytest.mark.long)])
async def test_a_killed_edge_answers_what_the_origin_has_ed6_ed7(world: World, tmp_path: Path, moments: int) -> None:
    chance = random.Random(5)
    store = world.copy(tmp_path / "store").store
    async with running_service(store, open_to_all=True, log_access="none") as service:
        switch = Switch(build_app(service))
        transport = httpx.ASGITransport(switch)
        async with served(switch) as url, httpx.AsyncClient(transport=transport, base_url=url) as direct:
            origin = Origin(world, direct)
            for number in range(moments):
                async with (
                    edge_process(tmp_path / "cache", url, **SMALL) as edge,
                    httpx.AsyncClient(base_url=edge.url, timeout=30) as client,
                ):
                    viewing = [asyncio.ensure_future(view(origin, client, chance)) for _ in range(4)]
                    await asyncio.sleep(chance.random() * 1.5)
                    ended = [one for one in viewing if one.done()]
                    await edge.kill()
                    await asyncio.gather(*viewing)
                    assert not ended, f"the edge ended by itself after start {number}"
    assert (tmp_path / "cache" / "parts.sqlite").stat().st_size < 1.5 * 600_000
