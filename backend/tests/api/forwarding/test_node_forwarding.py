"""A request reaches the node that has what it is for, over at most one hop (CL10, CL11)."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator, Callable

import aiohttp
import httpx
import pytest
from starlette.types import Receive, Scope, Send

from api.asking import problem
from api.forwarding.nodes import KEY, Node, answer, read_all, running, seen
from edge.hostile import Asked, raw_origin, silent
from wavescope.access.hops import Hop, sign

HEADER = "x-wavescope-hop"


async def echo(scope: Scope, receive: Receive, send: Send) -> None:
    """Answers with what it sees."""
    body = await read_all(receive)
    await answer(send, json.dumps({**seen(scope), "body": body.decode()}).encode(), 201, (b"x-own", b"yes"))


async def test_a_request_arrives_as_it_was_sent_and_names_its_client_cl10() -> None:
    owner, other = Node("b", echo), Node("a")
    async with running(owner, other), httpx.AsyncClient() as browser:
        other.owner = owner.url
        path = "/api/v1/x%2Fy/%C3%A4?q=1&q=a%20b"
        headers = {"cookie": "c=1", "x-forwarded-for": "203.0.113.9", "x-request-id": "request-0001"}
        answered = await browser.put(other.url + path, content=b"some bytes", headers=headers)
        assert answered.status_code == 201
        assert answered.headers["x-own"] == "yes"
        found = answered.json()
    assert (found["method"], found["path"], found["query"]) == ("PUT", "/api/v1/x%2Fy/%C3%A4", "q=1&q=a%20b")
    assert found["body"] == "some bytes"
    assert found["client"] == "127.0.0.1"
    assert found["headers"]["cookie"] == "c=1"
    assert found["headers"]["x-request-id"] == "request-0001"
    assert found["headers"]["host"] == other.url.removeprefix("http://")
    assert HEADER not in found["headers"]
    assert "x-forwarded-for" not in found["headers"]


async def test_the_answer_to_head_has_a_head_only_cl10() -> None:
    owner, other = Node("b", echo), Node("a")
    async with running(owner, other), httpx.AsyncClient() as browser:
        other.owner = owner.url
        answered = await browser.head(other.url + "/x")
        assert (answered.status_code, answered.content, answered.headers["x-own"]) == (201, b"", "yes")


async def test_bodies_flow_piece_by_piece_in_both_directions_cl10() -> None:
    arrived: asyncio.Queue[bytes] = asyncio.Queue()

    async def talk(_scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        while True:
            message = await receive()
            if message.get("body"):
                arrived.put_nowait(message["body"])
            if not message.get("more_body"):
                break
        for number in range(3):
            await send({"type": "http.response.body", "body": b"%d" % number, "more_body": True})
            await release.get()
        await send({"type": "http.response.body", "body": b""})

    release: asyncio.Queue[None] = asyncio.Queue()
    owner, other = Node("b", talk), Node("a")

    async def pieces() -> AsyncIterator[bytes]:
        for piece in (b"one", b"two", b"three"):
            yield piece
            assert await asyncio.wait_for(arrived.get(), 5) == piece  # there before the next one is sent

    async with running(owner, other), httpx.AsyncClient() as browser:
        other.owner = owner.url
        async with browser.stream("POST", other.url + "/x", content=pieces()) as answered:
            got = []
            async for piece in answered.aiter_raw():
                got.append(piece)
                release.put_nowait(None)
    assert got == [b"0", b"1", b"2"]


async def test_the_owner_knows_when_the_client_has_left_cl10() -> None:
    left = asyncio.Event()

    async def endless(_scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"x", "more_body": True})
        while (await receive())["type"] != "http.disconnect":
            pass
        left.set()

    owner, other = Node("b", endless), Node("a")
    async with running(owner, other), httpx.AsyncClient() as browser:
        other.owner = owner.url
        async with browser.stream("GET", other.url + "/x") as answered:
            assert await anext(answered.aiter_raw()) == b"x"
        await asyncio.wait_for(left.wait(), 5)


HOP = Hop("a", "https", "203.0.113.7")
UNSIGNED: dict[str, Callable[[float], str]] = {
    "empty": lambda _: "",
    "nonsense": lambda _: "nonsense",
    "eight parts": lambda _: "a.b.c.d.e.f.g.h",
    "not ASCII": lambda _: "\u00e4.\u00e4",
    "another key": lambda now: sign(b"another key", HOP, "GET", "/x", now),
    "another path": lambda now: sign(KEY, HOP, "GET", "/y", now),
    "another method": lambda now: sign(KEY, HOP, "POST", "/x", now),
    "past": lambda now: sign(KEY, HOP, "GET", "/x", now - 120),
    "future": lambda now: sign(KEY, HOP, "GET", "/x", now + 120),
    "cut off": lambda now: sign(KEY, HOP, "GET", "/x", now)[:-1],
}
"""By what is wrong with it, a claim of a time."""


@pytest.mark.parametrize("wrong", UNSIGNED)
async def test_a_claim_that_no_node_signed_for_this_request_is_ignored_cl11(wrong: str) -> None:
    value = UNSIGNED[wrong](time.time())
    owner = Node("b", echo)
    async with running(owner), httpx.AsyncClient() as browser:
        found = (await browser.get(owner.url + "/x", headers={HEADER.encode(): value.encode("latin-1")})).json()
    assert (found["client"], found["scheme"]) == ("127.0.0.1", "http")
    assert HEADER not in found["headers"]


async def test_a_claim_that_a_node_signed_is_believed_once_cl11() -> None:
    owner = Node("b", echo)
    signed = sign(KEY, Hop("a", "https", "203.0.113.7"), "GET", "/x?a=1", time.time())
    async with running(owner), httpx.AsyncClient() as browser:
        one = (await browser.get(owner.url + "/x?a=1", headers={HEADER: signed})).json()
        two = (await browser.get(owner.url + "/x?a=1", headers=[(HEADER, signed), (HEADER, signed)])).json()
    assert (one["client"], one["scheme"]) == ("203.0.113.7", "https")
    assert two["client"] == "127.0.0.1"


async def test_what_a_node_has_passed_on_is_not_passed_on_again_cl11() -> None:
    third, second, first = Node("c", echo), Node("b"), Node("a")
    async with running(third, second, first), httpx.AsyncClient() as browser:
        first.owner, second.owner = second.url, third.url
        answered = await browser.get(first.url + "/x")
        assert answered.status_code == 503
        assert answered.json()["type"] == "/problems/unavailable"
        assert answered.headers["retry-after"] == "1"
        stale = sign(KEY, Hop("a", "https", "203.0.113.7"), "GET", "/x", time.time() - 120)
        assert (await browser.get(second.url + "/x", headers={HEADER: stale})).status_code == 503


async def test_a_node_that_does_not_answer_is_unavailable_cl11() -> None:
    first = Node("a", owner="http://127.0.0.1:1")
    async with running(first), httpx.AsyncClient() as browser:
        answered = await browser.post(first.url + "/x", content=b"body")
    assert (answered.status_code, answered.json()["type"]) == (503, "/problems/unavailable")


async def talking_socket(scope: Scope, receive: Receive, send: Send) -> None:
    """Says who the client is, answers each message, and closes with 4403 at the word ``close``."""
    assert (await receive())["type"] == "websocket.connect"
    if scope["path"] == "/refused":
        await send({"type": "websocket.http.response.start", "status": 403, "headers": []})
        await send({"type": "websocket.http.response.body", "body": b""})
        return
    await send({"type": "websocket.accept"})
    await send({"type": "websocket.send", "text": json.dumps(seen(scope))})
    while (message := await receive())["type"] == "websocket.receive":
        if message.get("text") == "close":
            await send({"type": "websocket.close", "code": 4403, "reason": "enough"})
            return
        await send({**message, "type": "websocket.send"})


async def test_a_websocket_is_bridged_with_its_closing_code_cl10() -> None:
    owner, other = Node("b", talking_socket), Node("a")
    async with running(owner, other), aiohttp.ClientSession() as browser:
        other.owner = owner.url
        async with browser.ws_connect(other.url + "/live?x=1", headers={"cookie": "c=1"}) as socket:
            found = json.loads((await socket.receive()).data)
            assert (found["client"], found["scheme"], found["query"]) == ("127.0.0.1", "ws", "x=1")
            assert found["headers"]["cookie"] == "c=1"
            await socket.send_bytes(b"\0bytes")
            assert (await socket.receive()).data == b"\0bytes"
            await socket.send_str("close")
            closing = await socket.receive()
            assert (socket.close_code, closing.extra) == (4403, "enough")
        with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
            await browser.ws_connect(other.url + "/refused")
        assert refused.value.status == 403


async def test_a_websocket_of_a_node_that_is_gone_is_left_to_the_route_cl11() -> None:
    first, second = Node("a"), Node("b", owner="http://127.0.0.1:1")
    async with running(first, second), aiohttp.ClientSession() as browser:
        first.owner = second.url
        for node in (second, first):
            with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
                await browser.ws_connect(node.url + "/live")
            assert refused.value.status == 503
    assert [len(second.refused), len(first.refused)] == [2, 0]


@pytest.fixture
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """A node is asked soon whether it is alive, and soon given up."""
    monkeypatch.setattr("wavescope.api.forwarding.nodes.SILENCE_SECONDS", 0.1)
    monkeypatch.setattr("wavescope.api.forwarding.upstream.CONNECT_SECONDS", 0.3)


@pytest.mark.usefixtures("soon")
async def test_a_node_that_hangs_is_given_up_cl11() -> None:
    other = Node("a")
    async with raw_origin(silent) as hanging, running(other), httpx.AsyncClient() as browser:
        other.owner = hanging.url
        answered = await browser.get(other.url + "/x", timeout=10)
    assert problem(answered) == (503, "unavailable")


@pytest.mark.usefixtures("soon")
async def test_a_slow_answer_of_a_node_that_is_alive_is_awaited_cl11() -> None:
    probed: asyncio.Queue[None] = asyncio.Queue()

    async def slow(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["path"] == "/healthz":
            probed.put_nowait(None)
            await answer(send, b"")
            return
        await probed.get()
        await probed.get()
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"begun ", "more_body": True})
        await probed.get()
        await probed.get()
        await send({"type": "http.response.body", "body": b"ended"})

    owner, other = Node("b", slow), Node("a")
    async with running(owner, other), httpx.AsyncClient() as browser:
        other.owner = owner.url
        assert (await browser.get(other.url + "/x", timeout=10)).text == "begun ended"


@pytest.mark.usefixtures("soon")
async def test_an_answer_that_stops_as_its_node_hangs_is_cut_cl11() -> None:
    async def begins(request: Asked, writer: asyncio.StreamWriter) -> None:
        if "healthz" not in request.line:
            writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nbegun")
        await silent(request, writer)

    other = Node("a")
    async with raw_origin(begins) as hanging, running(other), httpx.AsyncClient() as browser:
        other.owner = hanging.url
        with pytest.raises(httpx.RemoteProtocolError):
            await browser.get(other.url + "/x", timeout=10)
