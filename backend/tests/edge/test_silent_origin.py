"""An origin whose process is stopped: it accepts connections and answers nothing (ED5, ED22)."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from time import monotonic

import httpx
import pytest

from api.asking import problem
from api.processes import free_port, process
from edge.edges import edge
from edge.hostile import raw_origin, says, silent
from edge.test_edge import BLOCK, later
from service.world import World
from wavescope.access.grants import SECONDS
from wavescope.edge.composition import EdgeServices

pytestmark = pytest.mark.slow

SILENCE = 2.0
SOON = 1.0  # seconds: the promise of /metrics


@dataclass
class Stopped:
    """An edge, and the process of its only origin."""

    child: asyncio.subprocess.Process
    services: EdgeServices
    client: httpx.AsyncClient
    version: str


@pytest.fixture
async def stopped(world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Stopped]:
    """Page, manifest and a block are stored; the origin is not stopped yet."""
    monkeypatch.setenv("WAVESCOPE_OPEN_TO_ALL", "1")
    copy, port = world.copy(tmp_path / "store"), free_port()
    options = {"edge_silence_seconds": SILENCE, "edge_lost_seconds": 3600.0}
    async with (
        process(copy.store, port) as child,
        edge(tmp_path / "cache", f"http://127.0.0.1:{port}", **options) as (services, app),
        httpx.AsyncClient(
            transport=httpx.ASGITransport(app, raise_app_exceptions=False), base_url="http://127.0.0.1:8000"
        ) as client,
    ):
        version = f"/api/v1/slides/visual/v/{world.digests['visual']}"
        for path in ("/", "/api/v1/slides/visual", version + BLOCK, "/metrics"):
            assert (await client.get(path)).status_code == 200
        try:
            yield Stopped(child, services, client, version)
        finally:
            child.send_signal(signal.SIGCONT)


@asynccontextmanager
async def within(seconds: float) -> AsyncIterator[None]:
    started = monotonic()
    async with asyncio.timeout(seconds + 10):
        yield
    assert monotonic() - started < seconds


async def test_an_origin_that_hangs_is_found_in_the_silence_time_ed5_ed22(stopped: Stopped) -> None:
    client = stopped.client
    stopped.child.send_signal(signal.SIGSTOP)
    async with within(SILENCE + 1):
        page, listed = await asyncio.gather(client.get("/"), client.get("/api/v1/slides"))
    assert page.headers["cache-status"].startswith("wavescope-edge; fwd=stale")
    assert problem(listed) == (503, "unavailable")


async def test_no_request_waits_for_an_origin_that_is_known_to_hang_ed5_ed22(
    stopped: Stopped, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = stopped.client
    stopped.child.send_signal(signal.SIGSTOP)
    await client.get("/api/v1/slides")
    for module in ("grants", "slides"):
        monkeypatch.setattr(f"wavescope.edge.{module}.monotonic", later(2 * SECONDS))
    async with within(SOON):
        assert (await client.get(stopped.version + BLOCK)).status_code == 200
        assert problem(await client.get(stopped.version + "/blocks/0/0/0/1/1")) == (503, "unavailable")
        assert (await client.get("/")).headers["cache-status"].startswith("wavescope-edge; fwd=stale")
        assert problem(await client.post("/api/v1/sign-in", json={})) == (503, "unavailable")
        assert problem(await client.get("/api/v1/slides/visual/thumbnail")) == (503, "unavailable")
        assert (await client.get("/readyz")).json()["origin"] == "lost"
    stopped.child.send_signal(signal.SIGCONT)
    await asyncio.wait_for(stopped.services.origins.first.liveness.answering.wait(), 30)
    assert (await client.get("/api/v1/slides")).status_code == 200


async def test_metrics_are_answered_within_a_second_while_the_origin_hangs_ed30(
    stopped: Stopped, monkeypatch: pytest.MonkeyPatch
) -> None:
    stopped.child.send_signal(signal.SIGSTOP)
    monkeypatch.setattr("wavescope.edge.grants.monotonic", later(2 * SECONDS))
    async with within(SOON):
        assert (await stopped.client.get("/metrics")).status_code == 200
    async with within(SOON):
        assert (await stopped.client.get("/readyz")).json()["origin"] == "lost"


async def test_an_answer_that_takes_long_is_awaited_while_its_origin_answers_others_ed5(tmp_path: Path) -> None:
    asked, go = asyncio.Event(), asyncio.Event()

    async def slow(request: object, writer: asyncio.StreamWriter) -> None:
        line = str(getattr(request, "line", ""))
        if "healthz" in line:
            asked.set()
        else:
            await go.wait()
        await says("200 OK\nContent-Length: 2", b"ok")(request, writer)  # type: ignore[arg-type]

    async with raw_origin(slow) as origin, edge(tmp_path, origin.url, edge_silence_seconds=0.2) as (_, app):
        transport = httpx.ASGITransport(app, raise_app_exceptions=False)
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:8000") as client:
            answer = asyncio.ensure_future(client.post("/api/v1/uploads", content=b"x" * 100))
            await asyncio.wait_for(asked.wait(), 10)
            go.set()
            assert (await answer).content == b"ok"


async def test_an_answer_that_stops_in_the_middle_is_cut_ed5(tmp_path: Path) -> None:
    async def begins(request: object, writer: asyncio.StreamWriter) -> None:
        if "healthz" in str(getattr(request, "line", "")):
            await silent(request, writer)  # type: ignore[arg-type]
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nbegun")
        await silent(request, writer)  # type: ignore[arg-type]

    async with raw_origin(begins) as origin, edge(tmp_path, origin.url, edge_silence_seconds=0.2) as (_, app):
        transport = httpx.ASGITransport(app, raise_app_exceptions=False)
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:8000") as client, within(5):
            await client.get("/page.js")
        await asyncio.wait_for(origin.left.wait(), 5)
