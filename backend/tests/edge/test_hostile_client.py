"""Clients that send what they should not: nothing of it reaches the origin as something else."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from api.asking import problem
from edge.conftest import Place
from edge.edges import edge, served
from edge.hostile import Answering, RawOrigin, connect, end, raw, raw_origin, says

BLOCK = "/blocks/0/0/0/0/0"
EMPTY = says("200 OK\nContent-Length: 2\nConnection: close", b"ok")


@asynccontextmanager
async def running(folder: Path, answering: Answering = EMPTY) -> AsyncIterator[tuple[str, RawOrigin]]:
    """The address of an edge, and its origin."""
    async with raw_origin(answering) as origin, edge(folder, origin.url) as (_, app), served(app) as url:
        yield url, origin


def request(*lines: str, body: bytes = b"") -> bytes:
    return "\r\n".join([*lines, "Host: 127.0.0.1", "Connection: close", "", ""]).encode("latin-1") + body


@pytest.mark.parametrize(
    "line",
    ["X-Forwarded-For: 6.6.6.6", "X-Real-IP: 6.6.6.6", "Forwarded: for=6.6.6.6", "X-Forwarded-Host: evil.example"],
)
async def test_the_origin_reads_the_address_that_the_edge_sees_ed21(tmp_path: Path, line: str) -> None:
    async with running(tmp_path) as (url, origin):
        for more in ([], ["Connection: X-Forwarded-For, X-Forwarded-Proto"]):
            await raw(url, request("GET /api/v1/x HTTP/1.1", line, *more))
            asked = origin.asked[-1]
            assert asked.all("x-forwarded-for") == ["127.0.0.1"]
            assert asked.all("x-forwarded-proto") == ["http"]
            assert not any("6.6.6.6" in value or "evil" in value for _, value in asked.headers)


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        ("http://evil.example/api/v1/x", "/api/v1/x"),
        ("//evil.example/api/v1/x", "//evil.example/api/v1/x"),
        ("/api/v1/..%2f..%2fx", "/api/v1/..%2f..%2fx"),
        ("/a/../api/v1/x?q=%0d%0aX: y", None),
        ("/api/v1/x%0d%0aX-Evil:%201", "/api/v1/x%0d%0aX-Evil:%201"),
    ],
)
async def test_the_target_is_passed_on_as_it_is_to_the_origin_alone_ed21(
    tmp_path: Path, target: str, expected: str | None
) -> None:
    async with running(tmp_path) as (url, origin):
        answer = await raw(url, request(f"GET {target} HTTP/1.1"))
        if expected is None:
            assert b" 400 " in answer.partition(b"\r\n")[0]
            assert not origin.asked
        else:
            assert origin.asked[-1].line == f"GET {expected} HTTP/1.1"
            assert not origin.asked[-1].all("x-evil")


@pytest.mark.parametrize("target", ["*", "evil.example:80", "http://evil.example", "@evil.example/"])
async def test_a_target_without_a_path_harms_nothing_ed21(tmp_path: Path, target: str) -> None:
    async with running(tmp_path) as (url, origin):
        for method in ("GET", "OPTIONS", "CONNECT"):
            await raw(url, request(f"{method} {target} HTTP/1.1"))
        assert all(asked.line.split(" ")[1].startswith("/") for asked in origin.asked)
        assert b" 200 " in await raw(url, request("GET /api/v1/x HTTP/1.1"))


async def test_a_body_with_two_lengths_is_refused_or_passed_on_as_one_ed21(tmp_path: Path) -> None:
    smuggled = b"0\r\n\r\nGET /api/v1/smuggled HTTP/1.1\r\nHost: x\r\n\r\n"
    async with running(tmp_path) as (url, origin):
        lines = ["POST /api/v1/x HTTP/1.1", f"Content-Length: {len(smuggled)}", "Transfer-Encoding: chunked"]
        await raw(url, request(*lines, body=smuggled))
        await raw(url, request("POST /api/v1/x HTTP/1.1", "Content-Length: 3", "Content-Length: 40", body=smuggled))
        for asked in origin.asked:
            assert not (asked.all("content-length") and asked.all("transfer-encoding"))
            assert len(asked.all("content-length")) <= 1
            assert "smuggled" not in asked.line or asked.all("host") == ["x"]  # at most a request of its own


async def test_a_body_in_chunks_reaches_the_origin_without_a_type_ed21(place: Place) -> None:
    async with served(place.app) as url, aiohttp.ClientSession(skip_auto_headers=("content-type",)) as client:

        async def pieces() -> AsyncIterator[bytes]:
            yield b'{"name": "ivan", '
            yield b'"password": "correct horse battery"}'

        async with client.post(f"{url}/api/v1/sign-in", data=pieces(), headers={"origin": url}) as answer:
            assert answer.status != 503
            assert "wavescope_sign_in" in answer.cookies or answer.status in (400, 415, 422)


async def test_a_huge_head_is_refused_ed21(tmp_path: Path) -> None:
    async with running(tmp_path) as (url, origin):
        answer = await raw(url, request("GET /api/v1/x HTTP/1.1", "X: " + "y" * (1 << 20)))
        assert b" 200 " not in answer.partition(b"\r\n")[0]
        assert not origin.asked


async def test_an_upload_that_breaks_off_ends_at_the_origin_ed21(tmp_path: Path) -> None:
    async with running(tmp_path) as (url, origin):
        _, writer = await connect(url)
        head = ["POST /api/v1/uploads HTTP/1.1", "Host: 127.0.0.1", f"Content-Length: {10 << 20}", "", ""]
        writer.write("\r\n".join(head).encode() + bytes(1 << 20))
        await writer.drain()
        await origin.begun.wait()
        await end(writer)
        await asyncio.wait_for(origin.left.wait(), 5)
        assert origin.received < 10 << 20


async def test_a_slow_body_stops_nobody_else_ed21(tmp_path: Path) -> None:
    async with running(tmp_path) as (url, _):
        slow = [await connect(url) for _ in range(50)]
        for _, writer in slow:
            writer.write(b"POST /api/v1/uploads HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1000\r\n\r\nx")
        assert b" 200 " in await raw(url, request("GET /api/v1/x HTTP/1.1"))
        for _, writer in slow:
            await end(writer)


async def test_credentials_of_one_asker_open_nothing_for_another_ed20(place: Place) -> None:
    ivan, olga = await place.signed_in("ivan"), await place.signed_in("olga")
    first = await ivan.get(place.version + BLOCK)
    tag = first.headers["etag"]
    both = dict(olga.cookies) | {"wavescope_guest": "x"}
    for other in (olga, place.client()):
        for headers in ({}, {"if-none-match": tag}, {"range": "bytes=0-3"}, {"if-none-match": "*"}):
            answer = await other.get(place.version + BLOCK, headers=headers)
            assert problem(answer) == (404, "unknown-slide")
            assert first.content[:16] not in answer.content
        direct = place.clinic.client(cookies=other.cookies)
        for method in ("HEAD", "OPTIONS", "DELETE", "PROPFIND"):
            answer = await other.request(method, place.version + BLOCK)
            assert answer.status_code == (await direct.request(method, place.version + BLOCK)).status_code != 200
        assert problem(await other.get("/api/v1/slides/visual", headers={"if-none-match": tag}))[0] == 404
    other = place.client()
    for name, value in both.items():
        other.cookies.set(name, value)
    assert (await other.get(place.version + BLOCK)).status_code in (401, 404)
    for path in (place.version.upper(), place.version.replace("/v/", "//v/"), place.version.replace("/v/", "/./v/")):
        assert (await place.client().get(path + BLOCK)).status_code in (400, 401, 404)


async def test_a_forged_grant_costs_the_origin_few_requests_ed20(place: Place) -> None:
    for number in range(20):
        headers = {"authorization": f"Bearer ey{number}.a.b"}
        assert problem(await place.client().get(place.version + BLOCK, headers=headers))[0] == 401
    assert place.asked_for("grants/keys") == 1


@pytest.mark.parametrize(
    ("part", "path", "leave"),
    [
        ("/blocks", BLOCK, 1),
        ("/blocks", BLOCK, 3),
        ("/layer-index", "/layer-index/0/0/0/0", 3),
        ("/approximation", "/approximation/0/0", 3),
    ],
)
async def test_a_fetch_ends_when_all_who_wait_for_it_have_left_and_not_before_ed4(
    place: Place, part: str, path: str, leave: int
) -> None:
    ivan = await place.signed_in("ivan")
    await ivan.get(place.version + "/manifest")
    inner, reached, go, left = place.switch._app, asyncio.Event(), asyncio.Event(), asyncio.Event()

    async def waiting(scope: Any, receive: Any, send: Any) -> None:
        if part not in scope["path"]:
            await inner(scope, receive, send)
            return
        messages = [await receive()]
        reached.set()
        more = asyncio.ensure_future(receive())  # comes when the edge ends its request
        opened = asyncio.ensure_future(go.wait())
        await asyncio.wait({more, opened}, return_when=asyncio.FIRST_COMPLETED)
        opened.cancel()
        if more.done():
            assert more.result()["type"] == "http.disconnect"
            left.set()
            return

        async def rest() -> Any:
            return messages.pop() if messages else await more

        await inner(scope, rest, send)

    place.switch._app = waiting
    async with served(place.app) as url, aiohttp.ClientSession(cookies=dict(ivan.cookies)) as client:
        askers = [asyncio.ensure_future(_read(client, url + place.version + path)) for _ in range(3)]
        await asyncio.wait_for(reached.wait(), 5)
        async with asyncio.timeout(5):
            while place.services.coalescing.counts.coalesced < 2:  # all three wait for the same
                await asyncio.sleep(0.001)
        for asker in askers[:leave]:
            asker.cancel()
        await asyncio.gather(*askers[:leave], return_exceptions=True)
        if leave == 3:
            await asyncio.wait_for(left.wait(), 5)
            place.switch._app = inner
            assert await _read(client, url + place.version + path)  # a later one fetches it anew
            return
        go.set()
        assert len({await one for one in askers[leave:]}) == 1
        assert not left.is_set()


async def _read(client: aiohttp.ClientSession, address: str) -> bytes:
    async with client.get(address) as answer:
        assert answer.status == 200
        return await answer.read()
