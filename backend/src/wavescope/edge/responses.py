"""Whole answers that an edge stores: the files of the page, manifests of slides and tiles of overlays (ED21, ED22).

Files whose address changes with their content are answered at once; others after the origin said that they have not
changed, or while it does not answer.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256

from wavescope.api.http.codings import DIGEST, accepted_codings, fits_digest
from wavescope.api.http.immutable import matches
from wavescope.edge.entry_cache import EntryCache

MAX_BYTES = 8 << 20  # of a stored answer
MANIFEST = re.compile(r"/api/v1/slides/([^/]+)")
OVERLAY_TILE = re.compile(r"/api/v1/slides/([^/]+)/overlays/[^/]+/(?:tiles|vectors)/[0-9]+/[0-9]+/[0-9]+")
CREDENTIALS = (b"cookie", b"authorization")
STORED = frozenset({b"content-type", b"content-encoding", b"cache-control", b"etag", b"vary", b"last-modified", DIGEST})

Headers = Sequence[tuple[bytes, bytes]]


@dataclass(frozen=True)
class StoredResponse:
    """A stored answer with status 200. ``public``: any client may get it. ``best``: the origin has no other one for
    what the client accepts.
    """

    headers: tuple[tuple[bytes, bytes], ...]
    body: bytes
    public: bool
    best: bool

    def header(self, name: bytes) -> bytes:
        return next((value for key, value in self.headers if key == name), b"")

    @property
    def is_immutable(self) -> bool:
        """Whether it never changes under its address, and anyone may always get it: no part of a slide, whose rights
        may change.
        """
        control = self.header(b"cache-control")
        return self.best and self.public and b"public" in control and b"immutable" in control

    def matches(self, condition: bytes | None) -> bool:
        """Whether the client has it: the value of its If-None-Match."""
        tag = self.header(b"etag")
        return bool(condition and tag and matches(condition, tag))


def slide_of(path: str) -> str | None:
    """The slide whose manifest, or a tile of whose overlays, is at this path."""
    found = MANIFEST.fullmatch(path) or OVERLAY_TILE.fullmatch(path)
    return found[1] if found else None


def is_stored(path: str) -> bool:
    """Whether answers of this path are stored: files of the page, manifests, tiles of overlays. Not of a path that can
    be read as another one.
    """
    first, *rest = path.removeprefix("/").split("/")
    if (not {"", ".", ".."}.isdisjoint([first, *rest[:-1]]) and path != "/") or rest[-1:] in (["."], [".."]):
        return False
    return slide_of(path) is not None or first not in ("api", "healthz", "readyz", "metrics", "openapi.json", "edge")


class ResponseCache:
    """Stored answers, one per address, content coding and, where it may depend on them, credentials. Each is what the
    service says that it is: it has the digest that its head states.
    """

    def __init__(self, entries: EntryCache) -> None:
        self._entries = entries

    async def find(self, path: str, query: bytes, headers: Headers) -> StoredResponse | None:
        """The stored answer to this request, in the best coding that is stored and that the client accepts."""
        codings = _codings(headers)
        stored = await self._entries.find(*(_key(path, query, headers, coding) for coding in codings))
        if stored is None:
            return None
        head, _, body = stored.partition(b"\n")
        fields = json.loads(head)
        listed = tuple((name.encode("latin-1"), value.encode("latin-1")) for name, value in fields["headers"])
        return StoredResponse(listed, body, fields["public"], fields["accepted"] in (None, list(codings)))

    def store(self, path: str, query: bytes, request: Headers, response: Headers, body: bytes) -> None:
        """Stores an answer with status 200, unless it may not be, is too large, or was cut or changed on its way."""
        control, coding = _value(response, b"cache-control"), _value(response, b"content-encoding")
        if len(body) > MAX_BYTES or b"no-store" in control or any(name == b"set-cookie" for name, _ in response):
            return
        if not fits_digest(body, _value(response, DIGEST)):
            return
        kept = [(name.decode("latin-1"), value.decode("latin-1")) for name, value in response if name in STORED]
        public = slide_of(path) is None and b"private" not in control
        accepted = _codings(request) if b"accept-encoding" in _value(response, b"vary").lower() else None
        head = json.dumps({"headers": kept, "public": public, "accepted": accepted}).encode()
        self._entries.put(_key(path, query, request, coding.decode("latin-1")), head + b"\n" + body)


def _value(headers: Headers, wanted: bytes) -> bytes:
    return b",".join(value for name, value in headers if name == wanted)


def _codings(request: Headers) -> tuple[str, ...]:
    offered = any(name == b"accept-encoding" for name, _ in request)
    return accepted_codings(_value(request, b"accept-encoding") if offered else None)


def _key(path: str, query: bytes, headers: Headers, coding: str) -> bytes:
    """Files of the page and tiles are the same for everyone; a manifest is for those who ask with the same
    credentials. The origin decides each time who may see a tile.
    """
    who = (
        b"" if MANIFEST.fullmatch(path) is None else b"\n".join(value for name, value in headers if name in CREDENTIALS)
    )
    return sha256(b"\n".join((b"whole answer", path.encode(), query, coding.encode(), who))).digest()
