"""Which other sites' pages may read answers and ask before they change something (WI33, PR8).

No answer allows credentials: a browser sends no cookies of the service with such a request.
"""

from __future__ import annotations

from collections.abc import Sequence

from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware

TUS_REQUEST = ("Tus-Resumable", "Upload-Length", "Upload-Metadata", "Upload-Offset")
TUS_RESPONSE = ("Tus-Resumable", "Tus-Version", "Tus-Extension", "Tus-Max-Size", "Upload-Offset", "Upload-Length")
REQUEST = ("Content-Type", "Range", "If-None-Match", "If-Range", "If-Match", *TUS_REQUEST)
RESPONSE = ("ETag", "Content-Range", "Accept-Ranges", "Location", "Retry-After", "Content-Location", "X-Request-Id")
ANY = "*"
TOKEN = "Authorization"
SECONDS = 86400  # for which a browser need not ask again


def listed_sites(origins: Sequence[str]) -> list[Middleware]:
    """Nothing without a list. Sites that are listed by name may send a token; a list that allows any site has none."""
    if not origins:
        return []
    headers = REQUEST if ANY in origins else (*REQUEST, TOKEN)
    return [
        Middleware(
            CORSMiddleware,
            allow_origins=list(origins),
            allow_methods=["GET", "POST", "PUT", "PATCH", "DELETE"],
            allow_headers=list(headers),
            expose_headers=[*RESPONSE, *TUS_RESPONSE],
            max_age=SECONDS,
        )
    ]
