"""The connections of an edge to its first origin: what clients send is passed on as it is."""

from __future__ import annotations

from collections.abc import Iterable

import aiohttp
from yarl import URL

from wavescope.errors import InvalidParameter, Unavailable
from wavescope.logs.tracing import outgoing_headers
from wavescope.service.access.audit import CLIENT
from wavescope.service.access.authenticator import Credentials

HOP_BY_HOP = frozenset(
    {
        b"connection",
        b"keep-alive",
        b"proxy-authenticate",
        b"proxy-authorization",
        b"te",
        b"trailer",
        b"transfer-encoding",
        b"upgrade",
        b"expect",
    }
)
REPLACED = frozenset(
    {
        b"forwarded",
        b"via",
        b"x-forwarded-for",
        b"x-forwarded-host",
        b"x-forwarded-port",
        b"x-forwarded-proto",
        b"x-forwarded-server",
        b"x-real-ip",
        b"x-request-id",
        b"traceparent",
    }
)
CONNECT_SECONDS = 5.0
POOL_SECONDS = 10.0  # that a request waits for a connection while all are busy
LONGEST_SILENCE = 900.0  # of an answer that is passed on: a large upload is checked before it is answered

Headers = list[tuple[str, str]]


class Origin:
    """The service at ``url``. Raises InvalidParameter for an address that is none."""

    def __init__(self, url: str, connections: int = 512) -> None:
        self.url = checked_url(url)
        self._connections = connections
        self._http: aiohttp.ClientSession | None = None
        self._sockets: aiohttp.ClientSession | None = None

    def address(self, path: bytes, query: bytes, scheme: str | None = None) -> URL:
        """Of a request to the origin: ``path`` and ``query`` as the client sent them."""
        target = "/" + path.decode("latin-1").removeprefix("/") + (f"?{query.decode('latin-1')}" if query else "")
        base = str(self.url) if scheme is None else str(self.url.with_scheme(scheme))
        return URL(base.rstrip("/") + target, encoded=True)

    @property
    def http(self) -> aiohttp.ClientSession:
        """Connections for requests. One that waits longer than POOL_SECONDS for a connection raises TimeoutError."""
        if self._http is None:
            self._http = _session(self._connections)
        return self._http

    @property
    def sockets(self) -> aiohttp.ClientSession:
        """Connections for WebSockets, apart from those for requests; the bridge limits their number."""
        if self._sockets is None:
            self._sockets = _session(0)
        return self._sockets

    async def answers(self) -> bool:
        """Whether it is alive now."""
        try:
            url, timeout = self.address(b"/healthz", b""), aiohttp.ClientTimeout(total=CONNECT_SECONDS)
            async with self.http.get(url, timeout=timeout, allow_redirects=False) as answer:
                return answer.status == 200
        except (aiohttp.ClientError, TimeoutError, OSError):
            return False

    async def close(self) -> None:
        """Ends all connections."""
        for session in (self._http, self._sockets):
            if session is not None:
                await session.close()

    def own_headers(self, credentials: Credentials) -> dict[str, str]:
        """Of a request that the edge makes for an asker: their credentials, and the address of their client."""
        cookies = {
            "wavescope_sign_in": credentials.sign_in,
            "wavescope_links": ".".join(credentials.links),
            "wavescope_guest": credentials.guest,
        }
        named = "; ".join(f"{name}={value}" for name, value in cookies.items() if value)
        bearer = {"Authorization": f"Bearer {credentials.bearer}"} if credentials.bearer else {}
        host = self.url.authority
        return {
            **({"Cookie": named} if named else {}),
            **bearer,
            **client_headers(),
            "Origin": f"{self.url.scheme}://{host}",
            "Accept-Encoding": "identity",
        }


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


def client_headers() -> dict[str, str]:
    """Which client a request is passed on for, and the ids of the request that is worked on."""
    client = CLIENT.get()
    return {**({"X-Forwarded-For": client} if client else {}), **outgoing_headers()}


def passed_on(headers: Iterable[tuple[bytes, bytes]], scheme: str) -> Headers:
    """The headers of a client's request without those between two nodes, with the address of the client."""
    given = list(headers)
    named = {part.strip().lower() for name, value in given if name == b"connection" for part in value.split(b",")}
    kept = [
        (name.decode("latin-1"), value.decode("latin-1"))
        for name, value in given
        if name not in HOP_BY_HOP and name not in REPLACED and name not in named
    ]
    return [*kept, *client_headers().items(), ("X-Forwarded-Proto", scheme)]


def checked_url(url: str) -> URL:
    """Raises InvalidParameter."""
    try:
        found = URL(url)
        if found.scheme in ("http", "https") and found.host and not found.query_string and not found.fragment:
            return found
    except ValueError:
        pass
    raise InvalidParameter("--origin", url, "the address of a Wavescope service, such as https://slides.example.org")


def unavailable(origin: Origin) -> Unavailable:
    """What a client reads if the origin does not answer."""
    return Unavailable("the origin of this edge", "it does not answer")
