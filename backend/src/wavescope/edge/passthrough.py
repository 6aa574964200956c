"""Everything that an edge does not answer by itself: passed on to the first origin as it is, in both directions."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Sequence
from contextlib import suppress

import aiohttp
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.types import Receive, Scope, Send

from wavescope.api.http.disconnect import disconnected
from wavescope.api.http.immutable import header
from wavescope.api.middleware.access_guard import IS_HEAD
from wavescope.api.middleware.security_headers import PAGE, security_headers
from wavescope.api.problems import FAILURE, wavescope_error
from wavescope.edge.answers import MOST_BYTES, Answer, Answers, is_stored, slide_of
from wavescope.edge.cache_status import NAME, STATUS
from wavescope.edge.origin import HOP_BY_HOP, Origin, passed_on, unavailable
from wavescope.edge.socket_bridge import SocketBridge
from wavescope.service.version_services import Visibility

# by the edge itself
ADDED = frozenset({b"date", b"server", b"x-request-id", *(name for name, _ in [*PAGE, *security_headers(())])})
LOST = (b"warning", b'110 - "the origin does not answer"')
TO_A_PROXY = ("CONNECT", "TRACE")  # methods that mean the edge itself

RawHeaders = list[tuple[bytes, bytes]]


class PassThrough:
    """The last resort of the router. Streams of events and uploads flow through piece by piece."""

    def __init__(self, origin: Origin, answers: Answers, visibility: Visibility, sockets: int) -> None:
        self._origin, self._answers, self._visibility = origin, answers, visibility
        self._bridge = SocketBridge(origin, sockets)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            await self._bridge(scope, receive, send)
            return
        if scope["method"] in TO_A_PROXY:
            raise HTTPException(405)
        stored = None
        if scope["method"] == "GET" and is_stored(scope["path"]):
            stored = await self._answers.find(scope["path"], scope["query_string"], scope["headers"])
            if stored is not None and stored.lasting:
                await _send_stored(stored, scope, send, b"hit")
                return
        try:
            await self._pass(scope, receive, send, stored)
        except ClientDisconnect:
            if not scope.get("wavescope.begun"):
                raise
        except (aiohttp.ClientError, TimeoutError, OSError) as error:
            if scope.get("wavescope.begun"):
                raise ClientDisconnect from error  # the answer is cut: nothing else can be said any more
            if stored is not None and self._may_show(scope, stored):
                await _send_stored(stored, scope, send, b"fwd=stale; detail=origin-unreachable", LOST)
                return
            scope[FAILURE] = error
            answer = await wavescope_error(Request(scope), unavailable(self._origin))
            await answer(scope, receive, send)

    async def _pass(self, scope: Scope, receive: Receive, send: Send, stored: Answer | None) -> None:
        headers = passed_on(scope["headers"], scope["scheme"])
        request = Request(scope, receive)
        own_condition = header(request, b"if-none-match") is not None
        if stored is not None and not own_condition and (tag := stored.header(b"etag")):
            headers.append(("If-None-Match", tag.decode("latin-1")))
        body = _Body(receive, _has_body(scope["headers"]))
        url = self._origin.address(scope.get("raw_path") or scope["path"].encode(), scope["query_string"])
        data = body.pieces() if body.expected else None
        asked = self._origin.http.request(scope["method"], url, headers=headers, data=data, allow_redirects=False)
        async with await body.while_connected(asked) as answer:
            if answer.status < 200:
                raise aiohttp.ClientPayloadError("an answer that only ends a request that changes the protocol")
            if answer.status == 304 and stored is not None and not own_condition:
                await _send_stored(stored, scope, send, b"hit; detail=revalidated")
                return
            await self._relay(scope, send, answer, body)

    async def _relay(self, scope: Scope, send: Send, answer: aiohttp.ClientResponse, body: _Body) -> None:
        """Sends the answer on; stores it if it is one that is stored."""
        headers = [
            (name.lower(), value)
            for name, value in answer.raw_headers
            if name.lower() not in HOP_BY_HOP and name.lower() not in ADDED
        ]
        keep = answer.status == 200 and scope["method"] == "GET" and is_stored(scope["path"])
        await send({"type": "http.response.start", "status": answer.status, "headers": headers})
        scope["wavescope.begun"] = True
        if IS_HEAD in scope:
            return  # the answer is complete
        pieces: list[bytes] = []
        size = 0
        gone = asyncio.ensure_future(body.disconnected())
        try:
            reader = answer.content.iter_any().__aiter__()
            while True:
                piece = asyncio.ensure_future(_next(reader))
                await asyncio.wait({piece, gone}, return_when=asyncio.FIRST_COMPLETED)
                if gone.done():  # also if more is there: a stream that does not end ends with its client
                    piece.cancel()
                    await asyncio.gather(piece, return_exceptions=True)
                    raise ClientDisconnect
                data = piece.result()
                if data is None:
                    break
                size += len(data)
                if keep and size <= MOST_BYTES:
                    pieces.append(data)
                elif keep:
                    keep, pieces = False, []
                await send({"type": "http.response.body", "body": data, "more_body": True})
        finally:
            gone.cancel()
            await asyncio.gather(gone, return_exceptions=True)
        await send({"type": "http.response.body", "body": b""})
        if keep:
            self._answers.store(scope["path"], scope["query_string"], scope["headers"], headers, b"".join(pieces))

    def _may_show(self, scope: Scope, stored: Answer) -> bool:
        """While the origin does not answer (ED22)."""
        slide_id = slide_of(scope["path"])
        return stored.public or (slide_id is not None and self._visibility.is_public(slide_id))


class _Body:
    """The body of a client's request, and whether the client is still there."""

    def __init__(self, receive: Receive, expected: bool) -> None:
        self._receive, self.expected = receive, expected
        self._read, self._left = asyncio.Event(), False
        if not expected:
            self._read.set()

    async def pieces(self) -> AsyncIterator[bytes]:
        while not self._read.is_set():
            message = await self._receive()
            if message["type"] == "http.disconnect":
                self._left = True
                raise ClientDisconnect
            if not message.get("more_body", False):
                self._read.set()
            if message.get("body"):
                yield message["body"]

    async def disconnected(self) -> None:
        """Returns when the client has left; not before its body was read, which ends if it leaves."""
        await self._read.wait()
        await disconnected(self._receive)

    async def while_connected(self, asked: Awaitable[aiohttp.ClientResponse]) -> aiohttp.ClientResponse:
        """The head of the answer. Ends the request and raises ClientDisconnect if the client leaves before."""
        work, gone = asyncio.ensure_future(_await(asked)), asyncio.ensure_future(self.disconnected())
        try:
            await asyncio.wait({work, gone}, return_when=asyncio.FIRST_COMPLETED)
            if not work.done() or self._left:
                raise ClientDisconnect
            return work.result()
        finally:
            for task in (work, gone):
                task.cancel()
            await asyncio.gather(work, gone, return_exceptions=True)


async def _await(asked: Awaitable[aiohttp.ClientResponse]) -> aiohttp.ClientResponse:
    return await asked


async def _next(reader: AsyncIterator[bytes]) -> bytes | None:
    with suppress(StopAsyncIteration):
        return await reader.__anext__()
    return None


async def _send_stored(stored: Answer, scope: Scope, send: Send, status: bytes, *more: tuple[bytes, bytes]) -> None:
    """Answers from the cache, or 304 if the client has it."""
    unchanged = stored.fits(header(Request(scope), b"if-none-match"))
    headers: RawHeaders = [*stored.headers, (STATUS, NAME + b"; " + status), *more]
    if unchanged:
        headers = [one for one in headers if one[0] not in (b"content-type", b"content-encoding")]
    else:
        headers.append((b"content-length", b"%d" % len(stored.body)))
    await send({"type": "http.response.start", "status": 304 if unchanged else 200, "headers": headers})
    await send({"type": "http.response.body", "body": b"" if unchanged else stored.body})


def _has_body(headers: Sequence[tuple[bytes, bytes]]) -> bool:
    named = dict(headers)
    return b"transfer-encoding" in named or named.get(b"content-length", b"0") != b"0"
