"""Requests to the routes of a service that answer JSON: bounded, with retries, problems as errors."""

from __future__ import annotations

import io
import json
import time
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple
from urllib.parse import quote

import aiohttp

from wavescope.blocks.remote.client import CONNECT_SECONDS, read_up_to
from wavescope.client.locations import API, Options
from wavescope.client.problems import BadAnswer, error_of
from wavescope.client.retrying import Attempts, attempted
from wavescope.errors import Unavailable

MAX_BYTES = 64 << 20  # of an answer


class Response(NamedTuple):
    """An answer that succeeded. ``headers``: names in lower case."""

    status: int
    headers: Mapping[str, str]
    body: bytes
    url: str

    def object(self) -> dict[str, Any]:
        """The JSON object in the body. Raises BadAnswer."""
        try:
            found = json.loads(self.body)
        except (ValueError, RecursionError) as error:
            raise BadAnswer(self.url, "it is not JSON") from error
        if not isinstance(found, dict):
            raise BadAnswer(self.url, f"a JSON {type(found).__name__} where an object belongs")
        return found

    def member(self, name: str, kind: type) -> Any:
        """A member of the JSON object. Raises BadAnswer unless it is there and of this kind."""
        value = self.object().get(name)
        if not isinstance(value, kind):
            raise BadAnswer(self.url, f"its member {name!r} is no {kind.__name__}")
        return value


class ServiceConnection:
    """Requests to the service at ``base``. For one event loop. Raises the class of the problem that it answers."""

    def __init__(self, base: str, options: Options) -> None:
        self.base, self.options = base, options
        self._session: aiohttp.ClientSession | None = None

    async def request(
        self,
        method: str,
        path: str,
        *,
        query: Sequence[tuple[str, str]] = (),
        body: object = None,
        headers: Mapping[str, str] | None = None,
        attempts: int | None = None,
    ) -> Response:
        """The answer to a request below /api/v1. ``body``: bytes as they are, anything else as JSON.

        Raises Unavailable if the service does not answer, after ``attempts`` (default: those of the options).
        """
        sent = {**self.options.headers, **(headers or {})}
        data = body if isinstance(body, bytes) else None if body is None else json.dumps(body).encode()
        if body is not None and not isinstance(body, bytes):
            sent.setdefault("content-type", "application/json")
        url = f"{self.base}{API}{path}"
        most = self.options.attempts if attempts is None else attempts

        async def once() -> Response:
            try:
                async with self._http().request(
                    method,
                    url,
                    params=list(query),
                    data=None
                    if data is None
                    else io.BytesIO(data),  # read in parts: a large one does not stop all else
                    headers=sent,
                    allow_redirects=False,
                ) as response:
                    found = await read_up_to(response, MAX_BYTES + 1)
                    names = {name.lower(): value for name, value in response.headers.items()}
                    if not 200 <= response.status < 300:
                        raise error_of(response.status, found, names, time.time())
                    if len(found) > MAX_BYTES:
                        raise BadAnswer(url, f"more than {MAX_BYTES} bytes")
                    return Response(response.status, names, found, url)
            except (aiohttp.ClientError, TimeoutError, OSError, ValueError) as error:
                raise Unavailable(url, type(error).__name__) from error

        return await attempted(once, Attempts(most, self.options.patience))

    async def close(self) -> None:
        """Ends all connections."""
        if self._session is not None:
            await self._session.close()
            self._session = None

    def _http(self) -> aiohttp.ClientSession:
        if self._session is None:
            self._session = aiohttp.ClientSession(
                connector=aiohttp.TCPConnector(limit=self.options.connections),
                timeout=aiohttp.ClientTimeout(
                    total=None, sock_connect=min(CONNECT_SECONDS, self.options.timeout), sock_read=self.options.timeout
                ),
                cookie_jar=aiohttp.DummyCookieJar(),
            )
        return self._session


def segment(text: str) -> str:
    """A part of a path."""
    return quote(text, safe="")
