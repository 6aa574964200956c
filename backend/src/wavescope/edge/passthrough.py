"""Everything that an edge does not answer by itself: passed on to an origin as it is, in both directions."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

import aiohttp
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, HTTPConnection, Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from wavescope.api.credentials import credentials_of
from wavescope.api.forwarding.headers import RawHeaders, has_body, passed_on, response_headers
from wavescope.api.forwarding.streams import RequestBody, Waiting, relay
from wavescope.api.http.immutable import header
from wavescope.api.middleware.access_guard import IS_HEAD
from wavescope.api.problems import FAILURE, wavescope_error
from wavescope.config import Config
from wavescope.edge import gallery
from wavescope.edge.cache_status import NAME, STATUS
from wavescope.edge.origin import unavailable
from wavescope.edge.origins import EdgeOrigin
from wavescope.edge.responses import MAX_BYTES, ResponseCache, StoredResponse, is_stored, slide_of
from wavescope.edge.rights import Rights
from wavescope.edge.socket_bridge import SocketBridge
from wavescope.service.access.authenticator import NOTHING
from wavescope.service.version_services import Visibility

LOST = (b"warning", b'110 - "the origin does not answer"')
CHECKED = (STATUS, NAME + b"; fwd=request")  # a client with a stored answer puts it in place of the mark of LOST
TO_A_PROXY = ("CONNECT", "TRACE")  # methods that mean the edge itself
BEGUN = "wavescope.begun"  # the key of whether the answer was begun, in a request's scope
NO_STORE = {"cache-control": "no-store"}
READING = ("GET", "HEAD")
FAILED = (500, 502, 503, 504)
REJECTED = (401, 403, 404, 410)


class PassThrough:
    """The last resort of the router. Streams of events and uploads flow through piece by piece."""

    def __init__(self, rights: Rights, responses: ResponseCache, visibility: Visibility, config: Config) -> None:
        self._rights, self._origins = rights, rights.origins
        self._responses, self._visibility, self._silence = responses, visibility, config.edge_silence_seconds
        self._bridge = SocketBridge(config.edge_sockets)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            origin = await self._rights.origin_of(HTTPConnection(scope))
            with origin.used():
                await self._bridge(origin, scope, receive, send)
            return
        if scope["method"] in TO_A_PROXY:
            raise HTTPException(405)
        stored = None
        if scope["method"] == "GET" and is_stored(scope["path"]):
            stored = await self._responses.find(scope["path"], scope["query_string"], scope["headers"])
            if stored is not None and stored.is_immutable:
                await _send_stored(stored, scope, send, b"hit")
                return
        request = Request(scope, receive)
        if scope["path"] == gallery.PATH and scope["method"] == "GET" and len(self._origins.joined) > 1:
            slides = await gallery.merged_list(self._origins.joined, request, self._silence)
            if slides is not None:
                await Response(slides, 200, NO_STORE, "application/json")(scope, receive, send)
                return
        origin = await self._rights.origin_of(request)
        try:
            await self._try_origins(origin, request, send, stored)
        except ClientDisconnect:
            if not scope.get(BEGUN):
                raise
        except (aiohttp.ClientError, TimeoutError, OSError) as error:
            if scope.get(BEGUN):
                raise ClientDisconnect from error  # the answer is cut: nothing else can be said any more
            if stored is not None and self._may_show(scope, stored):
                await _send_stored(stored, scope, send, b"fwd=stale; detail=origin-unreachable", LOST)
                return
            scope[FAILURE] = error
            response = await wavescope_error(Request(scope), unavailable(origin.upstream))
            await response(scope, receive, send)

    async def _try_origins(
        self, origin: EdgeOrigin, request: Request, send: Send, stored: StoredResponse | None
    ) -> None:
        """Passes a request on to its origin; one that only reads goes to others if this one is lost (OG13)."""
        scope = request.scope
        origins = [origin]
        if scope["method"] in READING and not has_body(scope["headers"]) and len(self._origins.joined) > 1:
            others = await self._origins.failover_origins(origin, credentials_of(request) != NOTHING)
            origins = [*others, origin] if origin.lost else [origin, *others]
        for one in origins:
            last = one is origins[-1]
            try:
                with one.used():
                    one.liveness.require()
                    attempt = _Attempt(one, None if last else self._silence, one is not origin)
                    await self._pass(attempt, request, send, stored)
                one.note(True)
                return
            except _Rejection:
                if last:
                    raise
            except (aiohttp.ClientError, TimeoutError, OSError):
                one.note(False)
                if last or scope.get(BEGUN):
                    raise

    async def _pass(self, attempt: _Attempt, request: Request, send: Send, stored: StoredResponse | None) -> None:
        scope = request.scope
        headers = passed_on(scope["headers"], scope["scheme"])
        own_condition = header(request, b"if-none-match") is not None
        if stored is not None and not own_condition and (tag := stored.header(b"etag")):
            headers.append(("If-None-Match", tag.decode("latin-1")))
        body = RequestBody(request.receive, has_body(scope["headers"]))
        upstream, wait = attempt.origin.upstream, attempt.origin.liveness.wait
        url = upstream.address(scope.get("raw_path") or scope["path"].encode(), scope["query_string"])
        data = body.chunks() if body.expected else None
        asked = upstream.http.request(scope["method"], url, headers=headers, data=data, allow_redirects=False)
        async with asyncio.timeout(attempt.seconds):
            head = await body.while_connected(asked, wait)
        async with head as response:
            if response.status < 200:
                raise aiohttp.ClientPayloadError("an answer that only ends a request that changes the protocol")
            if attempt.seconds is not None and response.status in FAILED:
                raise aiohttp.ClientPayloadError("another origin may answer")
            if attempt.is_failover and response.status in REJECTED:
                raise _Rejection(
                    "an origin that stands in for another one does not know everything that this one knows"
                )
            if response.status == 304 and stored is not None and not own_condition:
                await _send_stored(stored, scope, send, b"hit; detail=revalidated")
                return
            await self._relay(scope, send, response, body, wait)

    async def _relay(
        self, scope: Scope, send: Send, response: aiohttp.ClientResponse, body: RequestBody, wait: Waiting
    ) -> None:
        """Sends the answer on; stores it if it is one that is stored."""
        headers = response_headers(response.raw_headers)
        may_store = scope["method"] == "GET" and is_stored(scope["path"])
        keep = response.status == 200 and may_store
        if response.status == 304 and may_store:
            headers.append(CHECKED)
        await send({"type": "http.response.start", "status": response.status, "headers": headers})
        scope[BEGUN] = True
        if IS_HEAD in scope:
            return  # the answer is complete
        chunks: list[bytes] = []
        size = 0

        def on_chunk(data: bytes) -> None:
            nonlocal keep, size
            size += len(data)
            if keep and size <= MAX_BYTES:
                chunks.append(data)
            elif keep:
                keep = False
                chunks.clear()

        await relay(response, body, send, on_chunk, wait)
        if keep:
            self._responses.store(scope["path"], scope["query_string"], scope["headers"], headers, b"".join(chunks))

    def _may_show(self, scope: Scope, stored: StoredResponse) -> bool:
        """While the origin does not answer (ED22)."""
        slide_id = slide_of(scope["path"])
        return stored.public or (slide_id is not None and self._visibility.is_public(slide_id))


class _Rejection(aiohttp.ClientError):
    """An origin that stands in does not have what was asked for."""


@dataclass(frozen=True)
class _Attempt:
    """An origin that a request is passed on to. ``seconds``: to wait for the head of its answer, where others could
    answer too; else as long as it answers at all. ``is_failover``: for the origin that the request is meant for.
    """

    origin: EdgeOrigin
    seconds: float | None
    is_failover: bool


async def _send_stored(
    stored: StoredResponse, scope: Scope, send: Send, status: bytes, *more: tuple[bytes, bytes]
) -> None:
    """Answers from the cache, or 304 if the client has it."""
    unchanged = stored.matches(header(Request(scope), b"if-none-match"))
    headers: RawHeaders = [*stored.headers, (STATUS, NAME + b"; " + status), *more]
    if unchanged:
        headers = [one for one in headers if one[0] not in (b"content-type", b"content-encoding")]
    else:
        headers.append((b"content-length", b"%d" % len(stored.body)))
    await send({"type": "http.response.start", "status": 304 if unchanged else 200, "headers": headers})
    await send({"type": "http.response.body", "body": b"" if unchanged else stored.body})
