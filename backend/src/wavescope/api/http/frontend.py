"""The built microscope, served from the same origin."""

from __future__ import annotations

import gzip
import mimetypes
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from urllib.parse import quote

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, RedirectResponse, Response
from starlette.types import Receive, Scope, Send

from wavescope.api.http.codings import DIGEST, PLAIN, accepted_codings, digest_field
from wavescope.api.http.immutable import FOREVER, header, matches
from wavescope.api.http.page_texts import Texts, texts_for

TYPES = {
    ".wasm": "application/wasm",
    ".js": "text/javascript",
    ".mjs": "text/javascript",
    ".webmanifest": "application/manifest+json",
}

THUMBNAIL = 576  # what the page requests (frontend/viewer/src/core/thumbnail.ts)
SUFFIXES = {"br": ".br", "gzip": ".gz"}
PACKED = frozenset({".js", ".mjs", ".css", ".html", ".svg", ".wasm", ".json", ".map"})


class Frontend:
    """Files of a folder; slides and unknown paths without a suffix get the page itself, which knows its own routes."""

    def __init__(self, dist: Path) -> None:
        self._dist = dist.resolve()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """The router's last resort: nothing of the API has this path."""
        if scope["type"] != "http":
            raise RuntimeError(f"nothing here speaks {scope['type']}")
        response = self._response_of(Request(scope))
        await response(scope, receive, send)

    def _response_of(self, request: Request) -> Response:
        path = request.scope["path"].lstrip("/")
        if request.method != "GET" or path.split("/")[0] == "api":
            raise HTTPException(404)
        if not (self._dist / "index.html").is_file():
            if path == "" or path.startswith("slides"):
                return _missing(texts_for(request))
            raise HTTPException(404)
        if path.rstrip("/") == "exported":  # its own files are named from its folder
            return RedirectResponse("/exported/index.html", 308)
        file = self._file("docs/index.html" if path.rstrip("/") == "docs" else path)
        if file is not None:
            return _file_response(request, file, path.startswith("assets/"))
        if not path.startswith("slides/") and (path.startswith("assets/") or "." in path.rpartition("/")[2]):
            raise HTTPException(404)
        return _announced(path, _file_response(request, self._dist / "index.html", False))

    def _file(self, path: str) -> Path | None:
        """The file of a path, if it lies inside the folder."""
        if not path or "\x00" in path:
            return None
        try:
            file = (self._dist / path).resolve()
            return file if file.is_relative_to(self._dist) and file.is_file() else None
        except OSError:  # a name that is too long
            return None


def _missing(t: Texts) -> Response:
    """In the place of a page that is not built."""
    address = '<a href="/api/v1/slides">/api/v1/slides</a>'
    build, start = "<code>npm run build</code>", "<code>npm start</code>"
    how = "Build the microscope with {build}, or run {start}, from the repository's root."
    said = t("The service runs; its API is at {address}.", address=address)
    page = (
        f'<!doctype html><html lang="{t.language}"><meta charset="utf-8"><title>Wavescope</title>'
        f"<h1>{t('The microscope is not built yet')}</h1><p>{said}</p><p>{t(how, build=build, start=start)}</p></html>"
    )
    return HTMLResponse(page, 503, {"cache-control": "no-store", "content-language": t.language})


def _announced(path: str, page: Response) -> Response:
    """A slide's page names the slide's manifest and thumbnail: browsers request them before they have read its code."""
    folder, _, slide = path.partition("/")
    if folder == "slides" and slide and "/" not in slide:
        address = f"/api/v1/slides/{quote(slide, safe='')}"
        thumbnail = f"<{address}/thumbnail?max={THUMBNAIL}>; rel=preload; as=image"
        page.headers["link"] = f"<{address}>; rel=preload; as=fetch; crossorigin, {thumbnail}"
    return page


def _file_response(request: Request, file: Path, hashed: bool) -> Response:
    """The file, compressed as the client accepts it; names with a hash of their content never change."""
    known = TYPES.get(file.suffix) or mimetypes.guess_type(file.name)[0] or "application/octet-stream"
    stat = file.stat()
    coding = _coding(request, file) if file.suffix in PACKED else PLAIN
    packed = _packed(file, coding) if coding else None
    digest = digest_of(packed or file, stat.st_mtime_ns, stat.st_size, bool(coding) and packed is None)
    etag = f'"{digest.hex()[:32]}"'
    headers = {"cache-control": FOREVER.decode() if hashed else "no-cache", "etag": etag}
    if file.suffix in PACKED:
        headers["vary"] = "Accept-Encoding"
    condition = header(request, b"if-none-match")
    if condition is not None and matches(condition, etag.encode()):
        page = known if known == "text/html" else None  # then its policy comes with the 304 too: it may have changed
        return Response(status_code=304, headers=headers, media_type=page)
    headers[DIGEST.decode()] = digest_field(digest).decode()
    if not coding:
        return FileResponse(file, headers=headers, media_type=known, stat_result=stat)
    headers["content-encoding"] = coding
    if packed is None:
        return Response(gzipped(file, stat.st_mtime_ns), 200, headers, known)
    return FileResponse(packed, headers=headers, media_type=known)


def _coding(request: Request, file: Path) -> str:
    """The best content coding that the client accepts; Brotli only where the build has made the file."""
    accepted = accepted_codings(header(request, b"accept-encoding"))
    return next(one for one in accepted if one != "br" or _packed(file, one) is not None)


def _packed(file: Path, coding: str) -> Path | None:
    """The file as the build has compressed it."""
    packed = file.with_name(file.name + SUFFIXES[coding])
    return packed if packed.is_file() else None


@lru_cache(maxsize=4096)
def digest_of(file: Path, changed: int, size: int, pack: bool) -> bytes:
    """The SHA-256 of what is sent of a file, once per change: of its bytes, or compressed by ``gzipped``."""
    return sha256(gzipped(file, changed) if pack else file.read_bytes()).digest()


@lru_cache(maxsize=64)
def gzipped(file: Path, changed: int) -> bytes:
    """The file compressed, once per change: for builds without compressed files."""
    return gzip.compress(file.read_bytes(), mtime=0)
