"""The original file of a slide, in byte ranges (WI130 to WI134)."""

from __future__ import annotations

from collections.abc import AsyncIterator
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from wavescope.api.http.fast_route import binary
from wavescope.api.http.immutable import byte_range, header, matches
from wavescope.api.middleware.access_guard import IS_HEAD
from wavescope.api.middleware.audit_trail import audit_nothing
from wavescope.api.parameters import OriginalsParameter
from wavescope.api.routing import new_router
from wavescope.api.state import PrincipalParameter

router = new_router("slides", "reads")

BYTES = "application/octet-stream"
NOT_STORED = "private, no-store"


@router.get("/slides/{slide_id}/original", responses=binary(BYTES), response_class=StreamingResponse)
async def get_original(
    slide_id: str, request: Request, originals: OriginalsParameter, principal: PrincipalParameter
) -> Response:
    """The file that the slide was imported from, or one byte range of it; the download is logged (WI130, WI131)."""
    file = await originals.get(principal, slide_id)
    audit_nothing(request)  # recorded below, before the answer
    etag = f'"{file.sha256}"'
    headers = {"cache-control": NOT_STORED, "etag": etag}
    condition = header(request, b"if-none-match")
    if condition is not None and matches(condition, etag.encode()):
        return Response(status_code=304, headers=headers)
    headers |= {"accept-ranges": "bytes", "content-disposition": disposition(file.name), "content-type": BYTES}
    status, span = 200, range(file.size)
    wanted, same = header(request, b"range"), header(request, b"if-range")
    if wanted is not None and same in (None, etag.encode()) and (part := byte_range(wanted, file.size)) is not None:
        status, span = 206, part
        headers["content-range"] = f"bytes {span.start}-{span.stop - 1}/{file.size}"
    headers["content-length"] = str(len(span))
    if request.scope.get(IS_HEAD):
        return Response(None, status, headers)
    await originals.record(principal, slide_id, file)
    return Download(originals.chunks(file, span), status, headers)


@router.delete("/slides/{slide_id}/original", status_code=204)
async def delete_original(slide_id: str, originals: OriginalsParameter, principal: PrincipalParameter) -> None:
    """Deletes the original file permanently; the slide stays (WI134)."""
    await originals.drop(principal, slide_id)


class Download(StreamingResponse):
    """A stream that is closed when it was sent or its client has gone."""

    def __init__(self, chunks: AsyncIterator[bytes], status: int, headers: dict[str, str]) -> None:
        super().__init__(chunks, status, headers)
        self._chunks = chunks

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            await self._chunks.aclose()  # type: ignore[attr-defined]


def disposition(name: str) -> str:
    """Content-Disposition of a download; a name that is not plain ASCII is stated twice (RFC 6266, RFC 8187)."""
    plain = "".join(char if char.isascii() and char.isprintable() and char not in '"\\%' else "_" for char in name)
    stated = f'attachment; filename="{plain}"'
    return stated if plain == name else f"{stated}; filename*=UTF-8''{quote(name, safe='')}"
