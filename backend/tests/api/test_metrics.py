"""What ``/metrics`` answers: complete, documented, with bounded labels and undistorted latency (OP61 to OP63)."""

from __future__ import annotations

import asyncio
import re
import shutil
import threading
import time
from collections.abc import AsyncIterator
from pathlib import Path
from types import SimpleNamespace

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families
from starlette.types import Receive, Scope, Send
from websockets.asyncio.client import connect

from api.asking import API, running_client
from api.parties import party
from api.test_server import Served, serving
from service.world import World
from wavescope.api.metrics.families import FAMILIES, reference
from wavescope.api.metrics.registry import Metrics
from wavescope.api.middleware import access_guard
from wavescope.api.middleware.access_guard import AccessGuard
from wavescope.pixels.threads import PixelThreads

PAGE = Path(__file__).parents[3] / "shared" / "operations" / "metrics.md"
ROW = re.compile(r"^\| `(\w+)` \| (\w+) \| (.*?) \|", re.MULTILINE)

Samples = dict[str, dict[tuple[tuple[str, str], ...], float]]


async def scrape(client: httpx.AsyncClient) -> tuple[dict[str, str], Samples]:
    """The type of each metric by its name, and the samples by name and labels."""
    answer = await client.get("/metrics")
    assert answer.status_code == 200
    kinds, samples = {}, Samples()
    for family in text_string_to_metric_families(answer.text):
        kinds[family.name + "_total" * (family.type == "counter")] = family.type
        for sample in family.samples:
            samples.setdefault(sample.name, {})[tuple(sorted(sample.labels.items()))] = sample.value
    return kinds, samples


def counted(samples: Samples, suffix: str, route: str) -> float:
    """The sum of the request histogram's samples of a route."""
    found = samples.get(f"wavescope_request_seconds_{suffix}", {})
    return sum(value for labels, value in found.items() if ("route", route) in labels)


def test_the_page_of_all_metrics_is_generated_op61() -> None:
    """``wavescope.api.metrics.families.reference()`` makes the table; a metric without a row there fails, and so does a
    row without a metric."""
    assert reference() in PAGE.read_text()
    rows = {(name, kind) for name, kind, _ in ROW.findall(PAGE.read_text())}
    assert rows == {(family.name, family.kind) for family in FAMILIES}


async def test_every_metric_is_exposed_as_the_page_says_op61(world: World) -> None:
    async with running_client(world.store) as client:
        await client.get(f"{API}/slides/visual/thumbnail.jpg")
        kinds, samples = await scrape(client)
    assert kinds == {family.name: family.kind for family in FAMILIES}
    for family in FAMILIES:
        suffix = "_count" if family.kind == "histogram" else ""
        for labels in samples.get(family.name + suffix, {}):
            assert {name for name, _ in labels} == set(family.labels), family.name


async def test_what_runs_has_its_numbers_op61(world: World, tmp_path: Path) -> None:
    async with serving(world.copy(tmp_path / "store").store) as served:
        url = f"{API}/uploads?filename=slide.svs"
        await served.client.post(url, content=b"slow")
        await served.client.post(url, content=b"good")
        digest = world.digests["visual"]
        for _ in range(2):
            await served.client.get(f"{API}/slides/visual/v/{digest}/tiles/0/2/0/0.jpg")
        await served.service.health.watch_disk()
        _, found = await scrape(served.client)
        assert found["wavescope_jobs"][(("state", "running"),)] == 1
        assert found["wavescope_jobs"][(("state", "queued"),)] == 1
        assert found["wavescope_job_oldest_seconds"][(("state", "queued"),)] < 60
        assert set(found["wavescope_job_unchanged_seconds"]) == {(("state", "queued"),), (("state", "running"),)}
        assert found["wavescope_worker_alive"] == found["wavescope_runs_jobs"] == {(): 1}
        for job in (await served.client.get(f"{API}/jobs")).json()["jobs"]:
            await served.client.delete(f"{API}/jobs/{job['id']}")
        _, found = await scrape(served.client)
        assert sum(found["wavescope_jobs_ended_total"].values()) == 2
        assert found["wavescope_stored_bytes"][()] > 10_000
        assert found["wavescope_disk_free_bytes"][()] > 0
        images = (("cache", "images"),)
        assert found["wavescope_cache_hits_total"][images] == found["wavescope_cache_misses_total"][images] == 1
        assert found["wavescope_cache_entries"][images] == 1
        assert found["wavescope_cache_bytes"][images] > 100
        assert found["wavescope_cache_entries"][(("cache", "slides"),)] == 1
        assert found["wavescope_pixel_threads"][()] == served.service.config.limits.pixel_threads
        assert found["wavescope_requests_in_progress"] == {(): 1}  # this one
        (build,) = found["wavescope_build_info"]
        assert {name for name, _ in build} == {"version", "kernel", "python"}
        assert found["process_resident_memory_bytes"][()] > 1e6


async def test_the_pixel_queue_is_counted_op61() -> None:
    threads, begun, go_on = PixelThreads(1, 2), asyncio.Event(), threading.Event()
    loop = asyncio.get_running_loop()

    def work() -> None:
        loop.call_soon_threadsafe(begun.set)
        go_on.wait(10)

    running = [asyncio.ensure_future(threads.run(work)) for _ in range(3)]
    await begun.wait()
    assert (threads.working, threads.waiting) == (1, 2)
    go_on.set()
    await asyncio.gather(*running)
    assert (threads.working, threads.waiting) == (0, 0)
    threads.close()


async def test_a_disk_that_does_not_answer_leaves_the_other_metrics_op61(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    def gone(_: object) -> None:
        raise OSError(5, "Input/output error")

    async with running_client(world.store) as client:
        monkeypatch.setattr(shutil, "disk_usage", gone)
        kinds, samples = await scrape(client)
    assert "wavescope_disk_free_bytes" not in samples
    assert samples["wavescope_worker_alive"] == {(): 1}
    assert kinds["wavescope_disk_free_bytes"] == "gauge"


async def follow(served: Served, job: str, opened: asyncio.Event) -> None:
    """Reads the events of a job to their end."""
    async with served.client.stream("GET", f"{API}/jobs/{job}/events") as stream:
        async for _ in stream.aiter_lines():
            opened.set()


async def test_streams_sockets_and_uploads_do_not_distort_latency_op62(
    world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While each of them is open the clock advances by an hour, which is in no request's time."""
    hours = [0]
    clock = SimpleNamespace(perf_counter=lambda: time.perf_counter() + 3600 * hours[0])
    monkeypatch.setattr(access_guard, "time", clock)

    async def slow_body() -> AsyncIterator[bytes]:
        yield b"slow"
        hours[0] += 1
        yield b" body"

    async with serving(world.copy(tmp_path / "store").store) as served:
        job = (await served.client.post(f"{API}/uploads?filename=a.svs", content=slow_body())).json()["id"]
        opened = asyncio.Event()
        following = asyncio.ensure_future(follow(served, job, opened))
        await opened.wait()
        address = f"ws://127.0.0.1:{served.port}{API}/sessions/{'0' * 32}/live"
        async with connect(address) as socket:
            _, open_now = await scrape(served.client)
            hours[0] += 1
            await socket.wait_closed()
        await served.client.delete(f"{API}/jobs/{job}")
        await following
        while (found := (await scrape(served.client))[1])["wavescope_event_streams"] != {(): 0}:
            await asyncio.sleep(0)
    assert open_now["wavescope_event_streams"] == open_now["wavescope_requests_in_progress"] == {(): 1}
    assert found["wavescope_open_websockets"] == {(): 0}
    assert found["wavescope_websockets_total"][(("result", "accepted"),)] == 1
    events, uploads = f"{API}/jobs/{{job_id}}/events", f"{API}/uploads"
    assert counted(found, "count", events) == counted(found, "count", uploads) == 1
    assert counted(found, "count", f"{API}/sessions/{{session_id}}/live") == 0
    assert sum(found["wavescope_request_seconds_sum"].values()) < 3600


async def test_a_slow_download_does_not_distort_latency_op62(monkeypatch: pytest.MonkeyPatch) -> None:
    hours, metrics = [1], Metrics()
    monkeypatch.setattr(access_guard, "time", SimpleNamespace(perf_counter=lambda: 3600.0 * hours[0]))

    async def download(_scope: Scope, _receive: Receive, send: Send) -> None:
        named = (b"content-disposition", b"attachment; filename=a.tif")
        await send({"type": "http.response.start", "status": 200, "headers": [named]})
        hours[0] += 1
        await send({"type": "http.response.body", "body": b"x"})

    transport = httpx.ASGITransport(AccessGuard(download, metrics))
    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:8000") as client:
        await client.get("/")
    (counts,) = metrics.requests.values()
    assert (counts.count, counts.seconds, metrics.in_progress) == (1, 0, 0)


async def test_members_of_live_sessions_are_counted_op61(world: World, tmp_path: Path) -> None:
    async with party(world.copy(tmp_path / "store").store) as live:
        guest = await live.join("Ben")
        async with live.window(), live.window(client="window-1"), live.window(guest):
            assert live.served is not None
            _, found = await scrape(live.served.client)
    names = ("live_sessions", "live_sessions_occupied", "live_members", "live_connections", "open_websockets")
    assert [found[f"wavescope_{name}"][()] for name in names] == [1, 1, 2, 3, 3]


def test_a_client_cannot_make_labels_op63() -> None:
    metrics = Metrics()
    for number in range(1000):
        metrics.request("unmatched", f"M{number}", 404, 0.001, 0)
    assert list(metrics.requests) == [("unmatched", "OTHER", 404)]


async def test_paths_and_ids_are_no_labels_op63(world: World) -> None:
    async with running_client(world.store) as client:
        for number in range(20):
            await client.get(f"/nothing/{number}")
            await client.get(f"{API}/slides/none{number}")
            await client.get(f"{API}/nothing/{number}")
        _, found = await scrape(client)
    routes = {dict(labels)["route"] for labels in found["wavescope_request_seconds_count"]}
    assert routes <= {"unmatched", f"{API}/slides/{{slide_id}}", "/metrics"}
