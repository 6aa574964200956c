"""An edge in front of several services (OG1 to OG11)."""

from __future__ import annotations

import asyncio
from pathlib import Path

import httpx
import pytest

from api.push_client import push_client
from api.test_batch_frames import parse_frames
from edge.conftest import Switch
from edge.edges import edge, served
from service.world import World, running_service
from wavescope.api.app import build_app

BATCH = {"blocks": [[0, 0, 0, x, y, 0, 2] for y in range(5) for x in range(5)]}
OK = (0, 1)  # bytes, or an empty block


@pytest.mark.parametrize("fault", ["killed", "damage", "status"])
async def test_no_client_sees_an_error_while_another_origin_has_the_slide_og1(
    world: World, tmp_path: Path, fault: str
) -> None:
    copies = [world.copy(tmp_path / name).store for name in ("first", "second")]
    version = f"/api/v1/slides/visual/v/{world.digests['visual']}"
    async with running_service(copies[0], open_to_all=True) as one, running_service(copies[1], open_to_all=True) as two:
        near, far = Switch(build_app(one)), Switch(build_app(two))
        async with served(near) as first, served(far) as second, edge(tmp_path / "cache", first, second) as (_, app):
            transport = httpx.ASGITransport(app, raise_app_exceptions=False)
            async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:8000") as client:
                assert (await client.get(f"{version}/blocks/0/0/1/0/0")).status_code == 200
                if fault == "damage":
                    far.damage = True
                else:
                    far.status = 500 if fault == "status" else -1
                answers = await asyncio.gather(*(client.post(f"{version}/blocks:batch", json=BATCH) for _ in range(3)))
                for answer in answers:
                    frames, ended = parse_frames(answer.content)
                    assert ended
                    assert {status for _, status, _ in frames} <= set(OK)
                expected = httpx.AsyncClient(
                    transport=httpx.ASGITransport(build_app(one)), base_url="http://127.0.0.1:8000"
                )
                stored = parse_frames((await expected.post(f"{version}/blocks:batch", json=BATCH)).content)
                assert sorted(parse_frames(answers[0].content)[0]) == sorted(stored[0])


async def test_origins_may_have_different_slides_og2(world: World, tmp_path: Path) -> None:
    """The first origin answers everything but blocks; the second has a slide that only it can deliver blocks of."""
    copies = [world.copy(tmp_path / name).store for name in ("first", "second")]
    digest = world.digests["lossless"]
    async with running_service(copies[0], open_to_all=True) as one, running_service(copies[1], open_to_all=True) as two:
        near, far = Switch(build_app(one)), Switch(build_app(two))
        near.missing = digest
        async with served(near) as first, served(far) as second, edge(tmp_path / "cache", first, second) as (_, app):
            transport = httpx.ASGITransport(app, raise_app_exceptions=False)
            async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:8000") as client:
                answer = await client.get(f"/api/v1/slides/lossless/v/{digest}/blocks/0/0/0/0/0")
                assert answer.status_code == 200
                assert answer.content


@pytest.mark.slow
async def test_an_edge_pushes_from_its_own_cache_ed1(world: World, tmp_path: Path) -> None:
    store = world.copy(tmp_path / "first").store
    async with running_service(store, open_to_all=True) as one:
        switch = Switch(build_app(one))
        async with served(switch) as first, edge(tmp_path / "cache", first) as (_, app), served(app) as near:
            fetched = []
            for _ in range(2):
                port = int(near.rpartition(":")[2])
                async with push_client(port, "visual", world.digests["visual"]) as client:
                    assert await client.hello() == {"type": "welcome", "version": 1}
                    await client.view()
                    blocks = await client.blocks()
                assert len(blocks) > 10
                fetched.append(sum("blocks:batch" in path or "/blocks/" in path for path in switch.asked))
                assert not any(path.endswith("/push") for path in switch.asked)
            assert fetched[0] == fetched[1] > 0  # the second time everything was cached
