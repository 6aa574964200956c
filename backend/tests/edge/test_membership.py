"""Origins that join and leave a running edge by command, in processes of their own (OG11, ED33)."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from contextlib import AsyncExitStack
from itertools import cycle
from pathlib import Path
from typing import Any

import httpx
import pytest

from api.processes import free_port, process
from edge.conftest import Switch
from edge.edge_process import edge_process
from edge.edges import edge, served
from service.world import World, running_service
from wavescope.api.app import build_app
from wavescope.edge.control import command, control
from wavescope.errors import InvalidParameter, Unavailable

WAVESCOPE = Path(sys.executable).parent / "wavescope"


class Traffic:
    """Clients that view a slide, open it and list slides. ``failed``: what was not answered."""

    def __init__(self, url: str, digest: str) -> None:
        version = f"/api/v1/slides/visual/v/{digest}"
        blocks = [f"{version}/blocks/0/0/{level}/{x}/0" for level, width in ((0, 5), (1, 2)) for x in range(width)]
        self.paths = [*blocks, "/api/v1/slides/visual", "/api/v1/slides", f"{version}/manifest"]
        self.url, self.answered = url, 0
        self.failed: list[tuple[str, Any]] = []
        self._more = asyncio.Condition()

    async def run(self) -> None:
        async with httpx.AsyncClient(base_url=self.url, timeout=30) as client:
            for path in cycle(self.paths):
                try:
                    answer = await client.get(path)
                    if answer.status_code not in (200, 204):  # 204: an empty block
                        self.failed.append((path, answer.text))
                except httpx.HTTPError as error:
                    self.failed.append((path, error))
                async with self._more:
                    self.answered += 1
                    self._more.notify_all()

    async def goes_on(self, requests: int = 60) -> None:
        """Returns after so many more requests, none of which may have failed."""
        async with self._more, asyncio.timeout(120):
            end = self.answered + requests
            await self._more.wait_for(lambda: self.answered >= end)
        assert self.failed == []


async def origins_of(cache: Path, *arguments: str) -> list[str]:
    """``wavescope edge origins``: the addresses that it prints."""
    child = await asyncio.create_subprocess_exec(
        *(str(WAVESCOPE), "edge", "origins", *arguments, "--cache", str(cache)),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    out, errors = await child.communicate()
    assert child.returncode == 0, errors
    return [one["url"] for one in json.loads(out)["origins"]]


@pytest.mark.slow
async def test_origins_join_and_leave_by_command_and_no_request_fails_og11_og13_ed33(
    world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WAVESCOPE_OPEN_TO_ALL", "1")
    monkeypatch.setenv("WAVESCOPE_RATE_LIMITS", "0")
    monkeypatch.setenv("WAVESCOPE_LOG_ACCESS", "none")
    ports = [free_port(), free_port()]
    first, second = (f"http://127.0.0.1:{port}" for port in ports)
    cache = tmp_path / "cache"
    async with AsyncExitStack() as stack:
        one, two = [
            await stack.enter_async_context(process(world.copy(tmp_path / str(port)).store, port)) for port in ports
        ]
        almost_nothing = {"edge_memory": "1024", "edge_disk": "0"}
        running_edge = await stack.enter_async_context(edge_process(cache, first, **almost_nothing))
        assert os.stat(cache / "control.sock").st_mode & 0o777 == 0o600
        traffic = Traffic(running_edge.url, world.digests["visual"])
        running = [asyncio.ensure_future(traffic.run()) for _ in range(3)]
        await traffic.goes_on()
        assert await origins_of(cache, "add", second) == [first, second]
        await traffic.goes_on()
        assert await origins_of(cache, "remove", second) == [first]
        await traffic.goes_on()
        assert await origins_of(cache, "add", second) == [first, second]
        await traffic.goes_on()
        one.kill()
        await traffic.goes_on(200)
        assert await origins_of(cache, "remove", first) == [second]
        await traffic.goes_on()
        assert await origins_of(cache) == [second]
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)
        assert two.returncode is None
        await running_edge.stop()
        assert not (cache / "control.sock").exists()


async def test_what_cannot_join_or_leave_is_refused_ed33(world: World, tmp_path: Path) -> None:
    store, cache = world.copy(tmp_path / "store").store, tmp_path / "cache"
    with pytest.raises(Unavailable, match="none that runs"):
        await command(cache, "list")
    async with (
        running_service(store, open_to_all=True) as one,
        served(Switch(build_app(one))) as first,
        edge(cache, first) as (services, _),
        control(services.origins, cache),
    ):
        for action, url, expected in (
            ("add", first, "not joined yet"),
            ("add", "ftp://a", "address of a Wavescope service"),
            ("remove", first, "at least one origin"),
            ("remove", "http://127.0.0.1:1", first),
            ("turn", first, "list, add or remove"),
        ):
            with pytest.raises(InvalidParameter, match=expected):
                await command(cache, action, url)
        (origin,) = await command(cache, "list")
        assert origin == {"number": 0, "url": first, "leaving": False}
        reader, writer = await asyncio.open_unix_connection(str(cache / "control.sock"))
        writer.write(b"[]\n")
        assert json.loads(await reader.readline()) == {"error": "a command"}
        writer.close()
