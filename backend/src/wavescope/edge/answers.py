"""Whole answers that an edge stores: the files of the page, and the manifests of slides (ED21, ED22).

Files whose address changes with their content are answered at once; others after the origin said that they have not
changed, or while it does not answer.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256

from wavescope.api.http.immutable import matches
from wavescope.edge.parts import EdgeParts

MOST_BYTES = 8 << 20  # of a stored answer
MANIFEST = re.compile(r"/api/v1/slides/([^/]+)")
CREDENTIALS = (b"cookie", b"authorization")
STORED = frozenset({b"content-type", b"content-encoding", b"cache-control", b"etag", b"vary", b"last-modified"})

Headers = Sequence[tuple[bytes, bytes]]


@dataclass(frozen=True)
class Answer:
    """A stored answer with status 200. ``public``: any client may get it."""

    headers: tuple[tuple[bytes, bytes], ...]
    body: bytes
    public: bool

    def header(self, name: bytes) -> bytes:
        return next((value for key, value in self.headers if key == name), b"")

    @property
    def lasting(self) -> bool:
        """Whether it never changes under its address, and anyone may get it."""
        control = self.header(b"cache-control")
        return b"public" in control and b"immutable" in control

    def fits(self, condition: bytes | None) -> bool:
        """Whether the client has it: the value of its If-None-Match."""
        tag = self.header(b"etag")
        return bool(condition and tag and matches(condition, tag))


def slide_of(path: str) -> str | None:
    """The slide whose manifest is at this path."""
    found = MANIFEST.fullmatch(path)
    return found[1] if found else None


def is_stored(path: str) -> bool:
    """Whether answers of this path are stored: files of the page, manifests. Not of a path that can be read as another
    one.
    """
    first, *rest = path.removeprefix("/").split("/")
    if (not {"", ".", ".."}.isdisjoint([first, *rest[:-1]]) and path != "/") or rest[-1:] in (["."], [".."]):
        return False
    return slide_of(path) is not None or first not in ("api", "healthz", "readyz", "metrics", "openapi.json", "edge")


class Answers:
    """Stored answers, one per address, accepted encoding and, where it may depend on them, credentials."""

    def __init__(self, parts: EdgeParts) -> None:
        self._parts = parts

    async def find(self, path: str, query: bytes, headers: Headers) -> Answer | None:
        """The stored answer to this request."""
        stored = await self._parts.find(_key(path, query, headers))
        if stored is None:
            return None
        head, _, body = stored.partition(b"\n")
        fields = json.loads(head)
        listed = tuple((name.encode("latin-1"), value.encode("latin-1")) for name, value in fields["headers"])
        return Answer(listed, body, fields["public"])

    def store(self, path: str, query: bytes, request: Headers, answer: Headers, body: bytes) -> None:
        """Stores an answer with status 200, unless it may not be or is too large."""
        named = dict(answer)
        control = named.get(b"cache-control", b"")
        if len(body) > MOST_BYTES or b"no-store" in control or b"set-cookie" in named:
            return
        kept = [(name.decode("latin-1"), value.decode("latin-1")) for name, value in answer if name in STORED]
        public = slide_of(path) is None and b"private" not in control
        head = json.dumps({"headers": kept, "public": public}).encode()
        self._parts.put(_key(path, query, request), head + b"\n" + body)


def _key(path: str, query: bytes, headers: Headers) -> bytes:
    """Files of the page are the same for everyone; a manifest is for those who ask with the same credentials."""
    coding = b",".join(sorted(value for name, value in headers if name == b"accept-encoding"))
    who = b"" if slide_of(path) is None else b"\n".join(value for name, value in headers if name in CREDENTIALS)
    return sha256(b"\n".join((b"answer", path.encode(), query, coding, who))).digest()
