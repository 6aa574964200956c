"""Everything that whoever asks owns, as one file (PR54)."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Iterator
from typing import IO

from starlette.responses import Response, StreamingResponse

from wavescope.api.hot import binary
from wavescope.api.routing import new_router
from wavescope.api.state import PrincipalParameter, ServiceParameter

router = new_router("account")

PIECE = 1 << 16
HEADERS = {"content-disposition": 'attachment; filename="wavescope-export.zip"', "cache-control": "no-store"}


@router.get("/me/export", responses=binary("application/zip"), response_class=StreamingResponse)
async def export_account(service: ServiceParameter, principal: PrincipalParameter) -> Response:
    """Slides as a list, annotations as GeoJSON, tours, cases and sessions in a ZIP (PR54)."""
    out = tempfile.TemporaryFile()  # noqa: SIM115 -- closed when it was sent
    try:
        await asyncio.to_thread(service.belongings.write, principal, out)
    except BaseException:
        out.close()
        raise
    out.seek(0)
    return StreamingResponse(_pieces(out), 200, HEADERS, "application/zip")


def _pieces(out: IO[bytes]) -> Iterator[bytes]:
    with out:
        while piece := out.read(PIECE):
            yield piece
