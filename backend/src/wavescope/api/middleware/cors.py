"""Which other sites' pages may read answers and ask before they change something (WI33)."""

from __future__ import annotations

from collections.abc import Sequence

from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware

TUS_REQUEST = ("Tus-Resumable", "Upload-Length", "Upload-Metadata", "Upload-Offset")
TUS_ANSWER = ("Tus-Resumable", "Tus-Version", "Tus-Extension", "Tus-Max-Size", "Upload-Offset", "Upload-Length")
REQUEST = ("Content-Type", "Range", "If-None-Match", "If-Range", "If-Match", *TUS_REQUEST)
ANSWER = ("ETag", "Content-Range", "Accept-Ranges", "Location", "Retry-After", "Content-Location", "X-Request-Id")
SECONDS = 86400  # for which a browser need not ask again


def listed_sites(origins: Sequence[str]) -> list[Middleware]:
    """Nothing without a list."""
    if not origins:
        return []
    return [
        Middleware(
            CORSMiddleware,
            allow_origins=list(origins),
            allow_methods=["GET", "POST", "PUT", "PATCH", "DELETE"],
            allow_headers=list(REQUEST),
            expose_headers=[*ANSWER, *TUS_ANSWER],
            max_age=SECONDS,
        )
    ]
