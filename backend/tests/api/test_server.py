"""The real server on a real socket: uploads, events, clients that vanish, requests that are no HTTP."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import socket
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest

from api.asking import API, problem
from api.processes import free_port, process
from api.test_batch_frames import parse_frames
from service.world import World, running_service
from wavescope.api.app import build_app
from wavescope.config import Config, Limits
from wavescope.errors import InvalidParameter
from wavescope.main import Server, serve, server_config
from wavescope.service.composition import Services
from wavescope.service.jobs.runs import IngestResult, JobFailed, Report


@dataclass
class Served:
    """A server that listens."""

    service: Services
    port: int
    client: httpx.AsyncClient
    store: Path
    server: Server

    def uploads(self) -> list[Path]:
        """What lies there now; folders may go while they are looked at."""
        walked = os.walk(self.store / "uploads")
        return [Path(folder) / name for folder, folders, files in walked for name in (*folders, *files)]


class QuickRunner:
    """Fails for files that say so; reports once and takes its time for others that say so."""

    async def discard(self, path: Path) -> None:
        pass

    async def run(self, path: Path, options: Mapping[str, Any], report: Report) -> IngestResult:
        content = path.read_bytes()
        if content.startswith(b"bad"):
            raise JobFailed("UnsupportedSource", "slide.svs: it is text")
        report(1, 2)
        if content.startswith(b"slow"):
            await asyncio.Event().wait()
        return IngestResult("visual", ("b.dcm: passed over",) if content.startswith(b"odd") else ())


@asynccontextmanager
async def serving(store: Path, **options: Any) -> AsyncIterator[Served]:
    """Listens on a free port of loopback."""
    listening = socket.socket()
    listening.bind(("127.0.0.1", 0))
    listening.listen()  # a client that connects before the server starts waits
    port = listening.getsockname()[1]
    options.setdefault("runner", QuickRunner())
    async with running_service(store, run_jobs=False, **options) as service:
        await service.jobs.start()
        config = server_config(build_app(service), "127.0.0.1", port)
        config.lifespan = "off"
        server = Server(config)
        server.capture_signals = no_signals  # type: ignore[method-assign]
        running = asyncio.ensure_future(server.serve(sockets=[listening]))
        try:
            async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=20) as client:
                yield Served(service, port, client, store, server)
        finally:
            server.should_exit = True
            await running


def no_signals() -> Any:
    """The test's own process keeps its signals."""
    return nullcontext()


@pytest.fixture
async def served(world: World, tmp_path: Path) -> AsyncIterator[Served]:
    async with serving(world.copy(tmp_path / "store").store) as started:
        yield started


async def test_one_connection_serves_many_blocks(served: Served, world: World) -> None:
    url = f"{API}/slides/visual/v/{world.digests['visual']}/blocks/0/0/0/1/1"
    bodies = {(await served.client.get(url)).content for _ in range(20)}
    assert len(bodies) == 1


async def test_a_batch_streams_over_the_socket(served: Served, world: World) -> None:
    url = f"{API}/slides/visual/v/{world.digests['visual']}/blocks:batch"
    response = await served.client.post(url, json={"blocks": [[0, 0, 0, n % 3, n % 2, 0, 2] for n in range(500)]})
    frames, ended = parse_frames(response.content)
    assert (len(frames), ended) == (500, True)
    assert response.headers["transfer-encoding"] == "chunked"


async def test_an_upload_is_followed_by_events_to_its_end_wi28(served: Served) -> None:
    response = await served.client.post(f"{API}/uploads?filename=slide.svs&title=T", content=b"good" * 100_000)
    job = response.json()
    assert (response.status_code, job["filename"]) == (202, "slide.svs")
    assert response.headers["location"] == f"{API}/jobs/{job['id']}"
    events = []
    async with served.client.stream("GET", f"{API}/jobs/{job['id']}/events") as stream:
        assert stream.headers["content-type"].startswith("text/event-stream")
        async for line in stream.aiter_lines():
            if line.startswith("data: "):
                events.append(json.loads(line[6:]))
    assert (events[-1]["state"], events[-1]["slide_id"], events[-1]["error"]) == ("done", "visual", None)
    assert served.uploads() == []
    assert [listed["id"] for listed in (await served.client.get(f"{API}/jobs")).json()["jobs"]] == [job["id"]]


async def test_a_held_upload_begins_when_it_is_reported_to_wi70(served: Served) -> None:
    response = await served.client.post(f"{API}/uploads?filename=slide.svs&start=false", content=b"good")
    job = response.json()
    assert (response.status_code, job["state"]) == (202, "held")
    assert problem(await served.client.post(f"{API}/jobs/{job['id']}/start?quality=best")) == (422, "invalid-parameter")
    begun = await served.client.post(f"{API}/jobs/{job['id']}/start?quality=lossless")
    assert (begun.status_code, begun.json()["state"]) == (200, "queued")
    async with served.client.stream("GET", f"{API}/jobs/{job['id']}/events") as stream:
        await stream.aread()
    assert (await served.client.get(f"{API}/jobs/{job['id']}")).json()["state"] == "done"
    assert problem(await served.client.post(f"{API}/jobs/{job['id']}/start")) == (404, "unknown-job")


async def test_what_to_know_of_the_files_is_in_the_job_wi26(served: Served) -> None:
    job = (await served.client.post(f"{API}/uploads?filename=slide.svs", content=b"odd")).json()
    assert job["notices"] == []
    async with served.client.stream("GET", f"{API}/jobs/{job['id']}/events") as stream:
        await stream.aread()
    job = (await served.client.get(f"{API}/jobs/{job['id']}")).json()
    assert (job["state"], job["notices"]) == ("done", ["b.dcm: passed over"])


async def test_a_failed_upload_tells_why_wi26(served: Served) -> None:
    job = (await served.client.post(f"{API}/uploads?filename=slide.svs", content=b"bad")).json()
    async with served.client.stream("GET", f"{API}/jobs/{job['id']}/events") as stream:
        await stream.aread()
    job = (await served.client.get(f"{API}/jobs/{job['id']}")).json()
    assert job["state"] == "failed"
    assert job["error"]["type"] == "/problems/unsupported-source"
    assert job["error"]["detail"] == "slide.svs: it is text"


async def test_a_running_ingest_is_cancelled_wi27(served: Served) -> None:
    job = (await served.client.post(f"{API}/uploads?filename=slide.svs", content=b"slow")).json()
    async with served.client.stream("GET", f"{API}/jobs/{job['id']}/events") as stream:
        async for line in stream.aiter_lines():
            if line.startswith("data: ") and json.loads(line[6:])["state"] == "running":
                break
    cancelled = (await served.client.delete(f"{API}/jobs/{job['id']}")).json()
    assert (cancelled["state"], served.uploads()) == ("cancelled", [])
    assert (await served.client.delete(f"{API}/jobs/{job['id']}")).json()["state"] == "cancelled"
    assert problem(await served.client.get(f"{API}/jobs/{job['id']}")) == (404, "unknown-job")


async def test_listeners_do_not_keep_the_server_from_stopping(world: World, tmp_path: Path) -> None:
    lines: list[str] = []
    async with serving(world.copy(tmp_path / "store").store) as served:
        job = (await served.client.post(f"{API}/uploads?filename=slide.svs", content=b"slow")).json()
        received = asyncio.Event()

        async def listen() -> None:
            async with served.client.stream("GET", f"{API}/jobs/{job['id']}/events") as stream:
                async for line in stream.aiter_lines():
                    lines.append(line)
                    received.set()

        listener = asyncio.ensure_future(listen())
        await asyncio.wait_for(received.wait(), 10)
        served.server.should_exit = True
        await asyncio.wait_for(listener, 2)
    assert not any('"done"' in line and '"state":"done"' in line for line in lines)


async def test_an_upload_that_breaks_off_leaves_nothing(served: Served) -> None:
    _, writer = await asyncio.open_connection("127.0.0.1", served.port)
    head = f"POST {API}/uploads?filename=a.svs HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 9000000\r\n\r\n"
    writer.write(head.encode() + b"x" * 3_000_000)
    await writer.drain()
    async with asyncio.timeout(10):
        while not served.uploads():
            await asyncio.sleep(0.01)
        writer.close()
        while served.uploads():
            await asyncio.sleep(0.01)
    assert (await served.client.get(f"{API}/jobs")).json() == {"jobs": []}


async def test_an_upload_over_the_limit_is_refused_by_its_announcement_wi25(world: World, tmp_path: Path) -> None:
    async with serving(world.copy(tmp_path / "store").store, limits=Limits(upload_bytes=1000)) as served:
        response = await served.client.post(f"{API}/uploads?filename=a.svs", content=b"x" * 1001)
        assert problem(response) == (413, "too-large")

        async def chunks() -> AsyncIterator[bytes]:
            for _ in range(20):
                yield b"x" * 100

        response = await served.client.post(f"{API}/uploads?filename=a.svs", content=chunks())
        assert problem(response) == (413, "too-large")
        assert served.uploads() == []
        assert (await served.client.get("/readyz")).json() == {"status": "ready", "disk": "ok", "catalog": "ok"}


@pytest.mark.slow
async def test_a_client_that_vanishes_from_a_batch_affects_no_other_wi21(served: Served, world: World) -> None:
    body = json.dumps({"blocks": [[0, 0, 0, 1, 1, 0, 2]] * 4096}).encode()
    url = f"{API}/slides/visual/v/{world.digests['visual']}/blocks:batch"
    for _ in range(3):
        reader, writer = await asyncio.open_connection("127.0.0.1", served.port)
        writer.write(f"POST {url} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body)
        await reader.readexactly(1000)
        writer.transport.abort()
    assert (await served.client.get("/healthz")).text == "ok\n"


@pytest.mark.parametrize(
    "request_bytes",
    [
        b"nonsense\r\n\r\n",
        b"GET / HTTP/9.9\r\n\r\n",
        b"GET /api/v1/slides/\xff\xfe HTTP/1.1\r\nHost: x\r\n\r\n",
        b"GET /api/v1/nothing?\xff HTTP/1.1\r\nHost: x\r\n\r\n",
        b"GET /api/v1/nothing HTTP/1.1\r\nHost: [\r\n\r\n",
        b"HEAD /api/v1/nothing?\xff HTTP/1.1\r\nHost: \xff[\r\nCookie: wavescope_sign_in=\xff\r\n\r\n",
        b"GET /api/v1/slides/none/region?\xff HTTP/1.1\r\nHost: [\r\n\r\n",
        b"DELETE /api/v1/slides/none HTTP/1.1\r\nHost: x\r\nOrigin: http://[\r\n\r\n",
        b"POST /api/v1/uploads?filename=a HTTP/1.1\r\nHost: x\r\nContent-Length: -5\r\n\r\n",
        b"POST /api/v1/uploads?filename=a HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
    ],
)
async def test_what_is_no_request_gets_a_4xx_and_the_service_goes_on_pr18(served: Served, request_bytes: bytes) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", served.port)
    writer.write(request_bytes)
    writer.write_eof()
    answer = await asyncio.wait_for(reader.read(), 10)
    assert answer == b"" or answer.startswith(b"HTTP/1.1 4")
    writer.close()
    assert (await served.client.get("/healthz")).status_code == 200


@pytest.mark.slow
async def test_the_program_serves_and_ends_on_interrupt(world: World) -> None:
    port = free_port()
    async with process(world.store, port) as child:
        async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}") as client:
            assert (await client.get("/", headers={"host": "evil.example"})).status_code == 403
        child.send_signal(signal.SIGINT)
        assert await asyncio.wait_for(child.wait(), 10) in (0, 130, -signal.SIGINT)


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.1"])
def test_without_accounts_it_listens_on_loopback_only_ac1(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, host: str
) -> None:
    started: list[str] = []
    monkeypatch.setattr(Server, "run", lambda server: started.append(server.config.host))

    def listen(address: str) -> None:
        serve(Config.from_env(None, listen_host=address, listen_port=0, store=tmp_path))

    for name in ("WAVESCOPE_ACCESS", "WAVESCOPE_OPEN_TO_ALL"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(InvalidParameter, match="WAVESCOPE_ACCESS=accounts"):
        listen(host)
    assert started == []
    monkeypatch.setenv("WAVESCOPE_ACCESS", "accounts")
    listen(host)
    monkeypatch.delenv("WAVESCOPE_ACCESS")
    monkeypatch.setenv("WAVESCOPE_OPEN_TO_ALL", "1")
    listen(host)
    monkeypatch.delenv("WAVESCOPE_OPEN_TO_ALL")
    listen("127.0.0.1")
    assert started == [host, host, "127.0.0.1"]
