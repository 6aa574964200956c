"""PostgreSQL is stopped during an upload, an ingest, a change of an annotation and a live session (OP41 to OP48)."""

from __future__ import annotations

import asyncio
import io
import logging
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any, Literal

import httpx
import numpy as np
import pytest
from PIL import Image

from annotations.shapes import content
from api import live_client as live_client_module
from api.asking import API, problem
from api.live_client import LiveClient
from api.parties import Party, hold
from api.test_resumable import BYTES, TUS, create, send
from api.test_server import Served, serving
from catalog.databases import Server, new_database, postgresql_server
from wavescope.config import Config, Limits
from wavescope.service.jobs.runner import ChildRunner

pytestmark = pytest.mark.slow

POINT = content("point", "Point", [1, 2])
FRESH = {"if-none-match": "*"}
PATIENCE = 90.0  # seconds for what comes after the longest outage
SIDE = 1000  # pixels of a slide whose ingest is under way when the database stops


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with postgresql_server() as started:
        yield started


def picture(side: int, seed: int) -> bytes:
    noise = np.random.default_rng(seed).integers(0, 255, (side, side, 3), np.uint8)
    file = io.BytesIO()
    Image.fromarray(noise).save(file, "PNG", compress_level=1)
    return file.getvalue()


async def ended(client: httpx.AsyncClient, job_id: str) -> dict[str, Any]:
    """The job when it has ended."""
    async with asyncio.timeout(PATIENCE):
        async with client.stream("GET", f"{API}/jobs/{job_id}/events") as events:
            async for _ in events.aiter_lines():
                pass
    job: dict[str, Any] = (await client.get(f"{API}/jobs/{job_id}")).json()
    return job


async def running(client: httpx.AsyncClient, job_id: str) -> None:
    """Returns when the job has encoded something."""
    async with client.stream("GET", f"{API}/jobs/{job_id}/events") as events:
        async for line in events.aiter_lines():
            if '"running"' in line and '"total":0' not in line:
                return


async def saved(client: httpx.AsyncClient, url: str) -> None:
    """Sends a change as the page does: again, when the answer says so."""
    async with asyncio.timeout(PATIENCE):
        while (answer := await client.put(url, json=POINT, headers=FRESH)).status_code == 503:
            assert problem(answer) == (503, "unavailable")
            await asyncio.sleep(float(answer.headers["retry-after"]))
    assert answer.status_code == 201, answer.text


async def resumed(client: httpx.AsyncClient, url: str, data: bytes) -> str:
    """Sends the rest of a resumable upload as the page does: after a refusal from where it stands. The job's id."""
    async with asyncio.timeout(PATIENCE):
        while True:
            head = await client.head(url, headers=TUS)
            if became := head.headers.get("content-location"):
                return str(became.rpartition("/")[2])
            offset = head.headers.get("upload-offset")
            if offset is not None:
                headers = TUS | BYTES | {"upload-offset": offset}
                answer = await client.patch(url, headers=headers, content=data[int(offset) :])
                assert answer.status_code in (204, 503), answer.text
                if became := answer.headers.get("content-location"):
                    return str(became.rpartition("/")[2])
            await asyncio.sleep(0.5)


class Outage:
    """The stopped server, and the upload whose second half arrives meanwhile."""

    def __init__(self) -> None:
        self.begun, self.over = asyncio.Event(), asyncio.Event()

    async def body(self, data: bytes) -> AsyncIterator[bytes]:
        yield data[: len(data) // 2]
        await self.begun.wait()
        yield data[len(data) // 2 :]


async def check_away(served: Served, ben: LiveClient, ada: LiveClient) -> None:
    """What answers say while the database is stopped, and what goes on."""
    answer = await served.client.get("/readyz")
    assert problem(answer) == (503, "unavailable")
    for secret in ("127.0.0.1", "postgres", "wavescope@", "port", str(served.store)):
        assert secret not in answer.json()["detail"]
    refused = await served.client.put(f"{API}/slides/first/annotations/b", json=POINT, headers=FRESH)
    assert (problem(refused), refused.headers["retry-after"]) == ((503, "unavailable"), "2")
    await ada.look(77.0)
    await ben.until_view(77.0)


async def raise_hand(ada: LiveClient, party: Party) -> None:
    """An operation in the outage; it is acknowledged when it is stored."""
    assert (await ada.do("hand", member=ada.you, raised=True))["error"] is None
    state = (await party.live_session()).published
    assert state.member(ada.you).hand is not None  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("seconds", "mode"),
    [
        pytest.param(1.0, "fast", id="1 s (OP42, OP45, OP47)"),
        pytest.param(6.0, "immediate", id="6 s (OP41, OP43)"),
        pytest.param(60.0, "immediate", id="60 s (OP41)", marks=pytest.mark.long),
    ],
)
async def test_nothing_is_lost_and_everything_resumes_op46_op57_op60(
    server: Server,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    seconds: float,
    mode: Literal["fast", "immediate"],
) -> None:
    monkeypatch.setattr(live_client_module, "PATIENCE", PATIENCE)
    caplog.set_level(logging.INFO)
    url, store = new_database(server.url, f"lost{int(seconds)}"), tmp_path / "store"
    runner = ChildRunner(Config(store=store, catalog=url))
    async with serving(store, catalog=url, runner=runner, limits=Limits(database_request_seconds=2.0)) as served:
        served.client.timeout = httpx.Timeout(PATIENCE)
        first = await served.client.post(f"{API}/uploads?filename=first.png&quality=lossless", content=picture(300, 0))
        assert (await ended(served.client, first.json()["id"]))["slide_id"] == "first"
        party = await hold(served.port, slides=["first"])
        party.served = served
        ingest = await served.client.post(
            f"{API}/uploads?filename=second.png&quality=lossless", content=picture(SIDE, 1)
        )
        outage, fourth = Outage(), picture(300, 3)
        parts = await create(served.client, len(fourth), filename="fourth.png", quality="lossless")
        assert (await send(served.client, parts, 0, fourth[:1000])).status_code == 204
        async with party.window() as ada, party.window(await party.join("Ben"), "window-1") as ben:
            ada_hand = party
            await running(served.client, ingest.json()["id"])
            upload = asyncio.ensure_future(
                served.client.post(
                    f"{API}/uploads?filename=third.png&quality=lossless", content=outage.body(picture(300, 2))
                )
            )
            await asyncio.to_thread(server.stop, mode)
            stopped = asyncio.get_running_loop().time()
            outage.begun.set()
            work = [
                asyncio.ensure_future(saved(served.client, f"{API}/slides/first/annotations/a")),
                asyncio.ensure_future(check_away(served, ben, ada)),
            ]
            rest = asyncio.ensure_future(resumed(served.client, parts, fourth))
            await work[1]
            work.append(asyncio.ensure_future(raise_hand(ada, ada_hand)))
            await asyncio.sleep(stopped + seconds - asyncio.get_running_loop().time())
            await asyncio.to_thread(server.start)
            await asyncio.gather(*work)
        assert (await ended(served.client, await rest))["state"] == "done"
        third = (await upload).json()
        assert (await ended(served.client, third["id"]))["state"] == "done"
        assert (await ended(served.client, ingest.json()["id"]))["state"] == "done"
        slides = (await served.client.get(f"{API}/slides")).json()
        assert sorted(one["id"] for one in slides["slides"]) == ["first", "fourth", "second", "third"]
        assert (await served.client.get("/readyz")).status_code == 200
        assert [path for path in served.uploads() if ".resumable" not in path.parts] == []
    said = set(caplog.messages)
    assert {"waiting for the catalog", "the catalog answers again", "request failed"} <= said
