"""The kernel for other hosts: pages, scripts and programs that decode blocks themselves (KE1)."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from wavescope.api.http.fast_route import NOT_MODIFIED, binary
from wavescope.api.http.immutable import header, matches
from wavescope.api.routing import new_router
from wavescope.kernel.wasm import digest, wasm_bytes

router = new_router("kernel", "reads", default_response_class=Response)

MEDIA = "application/wasm"


@router.get("/kernel.wasm", responses=binary(MEDIA, ranges=False) | NOT_MODIFIED)
async def get_kernel(request: Request) -> Response:
    """The codec as WebAssembly, without imports; its functions are those of wavescope_kernel.h (KE1)."""
    etag = f'"{digest()}"'
    headers = {"etag": etag, "cache-control": "public, no-cache"}  # another version of the service has another kernel
    condition = header(request, b"if-none-match")
    if condition is not None and matches(condition, etag.encode()):
        return Response(status_code=304, headers=headers)
    return Response(wasm_bytes(), headers=headers, media_type=MEDIA)
