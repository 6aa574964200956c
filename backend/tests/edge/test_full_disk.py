"""The disk of the cache is full: the edge goes on with its memory and its origin, and stores again later (ED7)."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Any

import httpx
import pytest

from api.test_batch_frames import parse_frames
from edge.conftest import Switch
from edge.edges import edge, served
from service.world import World, running_service
from small_disk import small_disk
from wavescope.api.app import build_app

MEGABYTES = 3
OK = (0, 1)  # bytes, or an empty block


def batch(slides: range) -> dict[str, Any]:
    """All layers of the blocks in these columns of level 0."""
    return {"blocks": [[0, 0, 0, x, y, 0, 2] for y in range(5) for x in slides]}


async def test_a_full_disk_costs_requests_to_the_origin_and_nothing_else_ed7(
    world: World, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    version = f"/api/v1/slides/visual/v/{world.digests['visual']}"
    with small_disk(tmp_path / "disk", MEGABYTES) as disk:
        async with running_service(world.copy(tmp_path / "store").store, open_to_all=True) as service:
            origin = Switch(build_app(service))
            async with served(origin) as url, edge(disk.path / "cache", url) as (services, app):
                cached = services.cached
                assert cached.disk is not None
                transport = httpx.ASGITransport(app, raise_app_exceptions=False)
                async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:8000") as client:

                    async def blocks(columns: range) -> list[Any]:
                        answer = await client.post(f"{version}/blocks:batch", json=batch(columns))
                        frames, ended = parse_frames(answer.content)
                        assert ended
                        assert {status for _, status, _ in frames} <= set(OK)
                        await cached.disk.flush()  # type: ignore[union-attr]
                        return sorted(frames)

                    before = await blocks(range(2))
                    disk.fill()
                    full = await blocks(range(2, 4))
                    assert cached.disk.dropped > 0
                    assert await blocks(range(2, 4)) == full
                    asked = origin.asked.copy()
                    assert await blocks(range(2)) == before
                    assert origin.asked == asked  # memory, and what was stored before
                    cached.memory.clear()
                    assert await blocks(range(2, 4)) == full  # from the origin again
                    assert [line for line in caplog.messages if "cache file" in line] == ["cache file failed"]

                    disk.free()
                    dropped = cached.disk.dropped
                    cached.memory.clear()
                    await blocks(range(2, 4))
                    assert cached.disk.dropped == dropped
                    cached.memory.clear()
                    asked = origin.asked.copy()
                    assert await blocks(range(2, 4)) == full
                    assert await blocks(range(2)) == before
                    assert origin.asked == asked
                    lines = [line for line in caplog.messages if "cache file" in line]
                    assert lines == ["cache file failed", "cache file works again"]


async def test_an_edge_starts_on_a_full_disk_and_stores_when_there_is_space_again_ed7(
    world: World, tmp_path: Path
) -> None:
    path = f"/api/v1/slides/visual/v/{world.digests['visual']}/blocks/0/0/0/0/0"
    with small_disk(tmp_path / "disk", MEGABYTES) as disk:
        async with running_service(world.copy(tmp_path / "store").store, open_to_all=True) as service:
            origin = Switch(build_app(service))
            disk.fill()
            async with served(origin) as url, edge(disk.path / "cache", url) as (services, app):
                transport = httpx.ASGITransport(app, raise_app_exceptions=False)
                async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:8000") as client:
                    cached = services.cached
                    assert cached.disk is not None
                    block = await client.get(path)
                    assert block.status_code == 200
                    await cached.disk.flush()
                    assert cached.disk.dropped > 0
                    disk.free()
                    cached.memory.clear()
                    assert (await client.get(path)).content == block.content
                    await cached.disk.flush()
                    cached.memory.clear()
                    asked = origin.asked.copy()
                    assert (await client.get(path)).content == block.content
                    assert origin.asked == asked
