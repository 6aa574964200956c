"""The connections to a service that requests are passed on to: as they are, nothing is followed, kept or unpacked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wavescope.deferred import deferred

if TYPE_CHECKING:
    import aiohttp
    import yarl
else:
    aiohttp = deferred("aiohttp")
    yarl = deferred("yarl")


CONNECT_SECONDS = 5.0
POOL_SECONDS = 10.0  # that a request waits for a connection while all are busy
LONGEST_SILENCE = 900.0  # of an answer that is passed on: a large upload is checked before it is answered


class Upstream:
    """The service at ``url``."""

    def __init__(self, url: yarl.URL, connections: int = 512) -> None:
        self.url = url
        self._connections = connections
        self._http: aiohttp.ClientSession | None = None
        self._sockets: aiohttp.ClientSession | None = None

    def address(self, path: bytes, query: bytes, scheme: str | None = None) -> yarl.URL:
        """Of a request to the service: ``path`` and ``query`` as the client sent them."""
        base = str(self.url) if scheme is None else str(self.url.with_scheme(scheme))
        return yarl.URL(base.rstrip("/") + target(path, query), encoded=True)

    async def answers(self) -> bool:
        """Whether it is alive now. A proxy that refuses the address answers for it, one that has lost it does not."""
        try:
            url, timeout = self.address(b"/healthz", b""), aiohttp.ClientTimeout(total=CONNECT_SECONDS)
            async with self.http.get(url, timeout=timeout, allow_redirects=False) as response:
                return response.status < 500
        except (aiohttp.ClientError, TimeoutError, OSError):
            return False

    @property
    def http(self) -> aiohttp.ClientSession:
        """Connections for requests. One that waits longer than POOL_SECONDS for a connection raises TimeoutError."""
        if self._http is None:
            self._http = _session(self._connections)
        return self._http

    @property
    def sockets(self) -> aiohttp.ClientSession:
        """Connections for WebSockets, apart from those for requests; others limit their number."""
        if self._sockets is None:
            self._sockets = _session(0)
        return self._sockets

    async def close(self) -> None:
        """Ends all connections."""
        for session in (self._http, self._sockets):
            if session is not None:
                await session.close()


def target(path: bytes, query: bytes) -> str:
    """The target of a request, as the client sent it."""
    return "/" + path.decode("latin-1").removeprefix("/") + (f"?{query.decode('latin-1')}" if query else "")


def _session(limit: int) -> aiohttp.ClientSession:
    """At most ``limit`` connections (0: any number) that follow no redirect, keep no cookie and unpack nothing."""
    return aiohttp.ClientSession(
        connector=aiohttp.TCPConnector(limit=limit, keepalive_timeout=60),
        timeout=aiohttp.ClientTimeout(
            total=None, connect=POOL_SECONDS, sock_connect=CONNECT_SECONDS, sock_read=LONGEST_SILENCE
        ),
        auto_decompress=False,
        cookie_jar=aiohttp.DummyCookieJar(),
        skip_auto_headers=("accept", "accept-encoding", "content-type", "user-agent"),
    )
