"""An origin that answers what it should not: the edge answers an error, ends, and stores nothing."""

from __future__ import annotations

import asyncio
import json
import struct
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiohttp
import httpx
import pytest

from api.asking import problem
from api.test_batch_frames import parse_frames
from edge.conftest import Place
from edge.edges import edge, served
from edge.hostile import Answering, raw, raw_origin, says, silent
from wavescope.access.grants import Granted, new_key, public_key, sign_grant

BLOCK = "/blocks/0/0/0/0/0"
BATCH = {"blocks": [[0, 0, 0, x, 0, 0, 2] for x in range(3)]}
OWN = f"/api/v1/slides/s/v/{'0' * 32}{BLOCK}"


@asynccontextmanager
async def before(answering: Answering, folder: Path, **options: Any) -> AsyncIterator[tuple[httpx.AsyncClient, Any]]:
    """A client of an edge whose origin answers so."""
    async with raw_origin(answering) as origin, edge(folder, origin.url, **options) as (_, app):
        transport = httpx.ASGITransport(app, raise_app_exceptions=False)
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:8000") as client:
            yield client, origin


def granting(keys: Any, grant: Any) -> Answering:
    """An origin that answers these keys, and this grant."""

    async def answer(asked: Any, writer: asyncio.StreamWriter) -> None:
        body = json.dumps(keys if "keys" in asked.line else {"grant": grant}).encode()
        await says(f"200 OK\nContent-Type: application/json\nContent-Length: {len(body)}", body)(asked, writer)

    return answer


KEY, OTHER = new_key("a"), new_key("a")
PUBLIC = {"keys": [public_key(KEY)]}
VIEW = Granted("u", "U", {"s": "view"})


@pytest.mark.parametrize(
    ("keys", "grant", "expected"),
    [
        (PUBLIC, lambda: sign_grant(OTHER, VIEW, time.time() + 60), (401, "credentials-expired")),  # another key
        (PUBLIC, lambda: sign_grant(KEY, VIEW, time.time() - 1), (401, "credentials-expired")),
        (PUBLIC, lambda: sign_grant(KEY, Granted("u", "U", {"t": "view"}), time.time() + 60), (404, "unknown-slide")),
        (PUBLIC, lambda: "nonsense", (401, "credentials-expired")),
        ({"keys": "nonsense"}, lambda: sign_grant(KEY, VIEW, time.time() + 60), (503, "unavailable")),
        ([], lambda: "", (503, "unavailable")),
    ],
)
async def test_a_grant_that_is_none_shows_nothing_ed20(
    tmp_path: Path, keys: Any, grant: Callable[[], str], expected: tuple[int, str]
) -> None:
    async with before(granting(keys, grant()), tmp_path) as (client, _):
        assert problem(await client.get(OWN)) == expected


@pytest.mark.parametrize(
    "answering",
    [
        says("200 OK\nContent-Length: 100000", b"[" * 100000),  # deeper than any reader goes
        says("200 OK\nConnection: close", b'{"grant": "' + b"x" * (4 << 20)),
        says("200 OK\nContent-Length: 100", b"{}"),
        says("200 OK\nTransfer-Encoding: chunked", b"zz\r\n"),
        says("302 Found\nLocation: http://127.0.0.1:9/\nContent-Length: 0"),
        says("429 Too Many Requests\nContent-Length: 17", b'{"seconds": "x"} '),
        says("nonsense"),
        silent,
    ],
    ids=["deep", "large", "short", "chunks", "redirect", "seconds", "head", "silent"],
)
async def test_a_wrong_answer_about_grants_is_an_error_ed5_ed20(tmp_path: Path, answering: Answering) -> None:
    async with before(answering, tmp_path, edge_silence_seconds=0.3) as (client, origin):
        status, kind = problem(await asyncio.wait_for(client.get(OWN), 5))
        assert (status, kind) in ((503, "unavailable"), (429, "too-many-requests"))
        assert len(origin.asked) == 1  # a redirect is not followed


async def test_an_answer_in_small_pieces_is_read_to_its_end_ed20(tmp_path: Path) -> None:
    async def drip(asked: Any, writer: asyncio.StreamWriter) -> None:
        found = PUBLIC if "keys" in asked.line else {"grant": sign_grant(KEY, VIEW, time.time() + 60)}
        body = json.dumps(found).encode()
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(body))
        for start in range(0, len(body), 100):
            writer.write(body[start : start + 100])
            await writer.drain()
            await asyncio.sleep(0)

    async with before(drip, tmp_path) as (client, origin):
        await client.get(OWN)
        assert any("/manifest" in asked.line for asked in origin.asked)  # the grant was accepted


def _frame(position: int, status: int, payload: bytes, length: int | None = None) -> bytes:
    return struct.pack("<IB3xI", position, status, len(payload) if length is None else length) + payload


@pytest.mark.parametrize(
    "frames",
    [
        _frame(99, 0, b"x") * 3,  # not requested
        _frame(0, 2, b"") * 1000,  # again and again
        _frame(0, 9, b""),
        _frame(0, 0, b"", 0xFFFFFFFF),
        _frame(0, 0, b"\x00" * 64),
        b"\xff" * 7,
        b"",
    ],
    ids=["unknown", "repeated", "status", "endless", "wrong", "cut", "none"],
)
async def test_wrong_frames_are_unavailable_or_corrupt_and_not_stored_ed2(place: Place, frames: bytes) -> None:
    ivan = await place.signed_in("ivan")
    await ivan.get(place.version + "/manifest")
    inner = place.switch._app

    async def lying(scope: Any, receive: Any, send: Any) -> None:
        if not scope["path"].endswith("blocks:batch"):
            await inner(scope, receive, send)
            return
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": frames})

    place.switch._app = lying
    found, _ = parse_frames((await ivan.post(place.version + "/blocks:batch", json=BATCH)).content)
    assert len(found) == 3
    assert all(status in (2, 3) for _, status, _ in found)
    place.switch._app = inner
    found, _ = parse_frames((await ivan.post(place.version + "/blocks:batch", json=BATCH)).content)
    assert all(status in (0, 1) for _, status, _ in found)


@pytest.mark.parametrize(
    "head",
    ["Content-Length: 100", "Transfer-Encoding: chunked", "Content-Length: 3\nContent-Length: 100"],
)
async def test_an_answer_that_is_cut_is_not_ended_as_if_it_were_whole_ed21(tmp_path: Path, head: str) -> None:
    body = b"5\r\nhello\r\n" if "chunked" in head else b"hello"
    request = b"GET /page.js HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n"
    async with (
        raw_origin(says("200 OK\n" + head, body)) as origin,
        edge(tmp_path, origin.url) as (_, app),
        served(app) as url,
    ):
        answer = await raw(url, request)
        assert not answer.endswith(b"0\r\n\r\n")
        if answer.startswith(b"HTTP/1.1 200"):
            assert b"content-length: 100" in answer.lower() or b"chunked" in answer.lower()
        else:
            assert b" 503 " in answer.partition(b"\r\n")[0]
        before = len(origin.asked)
        await raw(url, request)
        assert len(origin.asked) == before + 1  # nothing was stored


async def test_an_endless_answer_passes_and_is_not_stored_ed21(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def endless(_: Any, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n")
        while True:
            writer.write(bytes(1 << 16))
            await writer.drain()

    async with raw_origin(endless) as origin, edge(tmp_path, origin.url) as (services, app), served(app) as url:
        async with aiohttp.ClientSession() as client, client.get(f"{url}/page.js") as answer:
            for _ in range(12):
                await answer.content.readexactly(1 << 20)
        await asyncio.wait_for(origin.left.wait(), 5)  # it ends when the client leaves
        assert services.cached.memory.bytes < 1 << 20
    assert "Exception in ASGI application" not in caplog.text  # a client that leaves is no fault


async def test_a_request_without_answer_ends_with_its_client_ed21(tmp_path: Path) -> None:
    async with raw_origin(silent) as origin, edge(tmp_path, origin.url) as (_, app), served(app) as url:
        async with aiohttp.ClientSession() as client:
            asking = asyncio.ensure_future(client.get(f"{url}/api/v1/slides"))
            await origin.begun.wait()
            asking.cancel()
            await asyncio.gather(asking, return_exceptions=True)
        await asyncio.wait_for(origin.left.wait(), 5)
