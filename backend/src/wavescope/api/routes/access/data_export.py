"""Everything that the requesting account owns, as one file (PR54)."""

from __future__ import annotations

import asyncio
import tempfile
from typing import IO

from starlette.responses import Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from wavescope.api.http.fast_route import binary
from wavescope.api.parameters import DataExportParameter
from wavescope.api.routing import new_router
from wavescope.api.state import PrincipalParameter

router = new_router("account", "reads")

CHUNK = 1 << 16
HEADERS = {"content-disposition": 'attachment; filename="wavescope-export.zip"', "cache-control": "no-store"}


@router.get("/me/export", responses=binary("application/zip", ranges=False), response_class=StreamingResponse)
async def export_account(data_export: DataExportParameter, principal: PrincipalParameter) -> Response:
    """Slides as a list, annotations as GeoJSON, tours, cases and sessions in a ZIP (PR54)."""
    out = tempfile.TemporaryFile()  # noqa: SIM115 -- closed when it was sent
    try:
        await asyncio.to_thread(data_export.write, principal, out)
    except BaseException:
        out.close()
        raise
    out.seek(0)
    return TemporaryFileResponse(out)


class TemporaryFileResponse(StreamingResponse):
    """A temporary file, closed when it was sent or the client has gone."""

    def __init__(self, out: IO[bytes]) -> None:
        super().__init__(iter(lambda: out.read(CHUNK), b""), 200, HEADERS, "application/zip")
        self._out = out

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._out.close()
