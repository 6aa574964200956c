"""Live sessions to be tried: a served store with a session on two slides, and its members' windows."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx

from api.asking import API
from api.live_client import LiveClient, live_client
from api.test_server import Served, serving
from wavescope.service.sessions.live_session import LiveSession

COOKIE = "wavescope_guest"


@dataclass
class Party:
    """A session on the slides ``visual`` and ``planes``; the cookie is its owner's."""

    port: int
    session: dict[str, Any]
    cookie: str
    served: Served | None = None

    @property
    def id(self) -> str:
        return str(self.session["id"])

    async def live_session(self) -> LiveSession:
        assert self.served is not None
        return await self.served.service.sessions.open(self.id)

    async def ask(self, method: str, path: str, cookie: str = "", **options: Any) -> httpx.Response:
        """A request with this cookie; anonymous without one."""
        origin = f"http://127.0.0.1:{self.port}"
        headers = {"origin": origin, **({"cookie": f"{COOKIE}={cookie}"} if cookie else {})}
        async with httpx.AsyncClient(base_url=origin + API, timeout=20) as client:
            return await client.request(method, path, headers=headers, **options)

    async def knock(self, cookie: str = "", **body: Any) -> httpx.Response:
        """Asks to join."""
        return await self.ask("POST", f"/sessions/{self.session['code']}/join", cookie, json=body)

    async def join(self, nickname: str, cookie: str = "", **more: Any) -> str:
        """The cookie of a new member."""
        answer = await self.knock(cookie, nickname=nickname, **more)
        assert answer.status_code == 200, answer.text
        return str(answer.cookies.get(COOKIE, cookie))

    @asynccontextmanager
    async def window(self, cookie: str = "", client: str = "window-0") -> AsyncIterator[LiveClient]:
        """A member's connection that has said hello; the owner's without a cookie."""
        async with self.stranger(cookie or self.cookie, client) as opened:
            await opened.hello()
            yield opened

    def stranger(self, cookie: str = "", client: str = "window-0", **options: Any) -> Any:
        """A connection that has said nothing."""
        return live_client(self.port, self.id, cookie, client, **options)


async def hold(port: int, **wanted: Any) -> Party:
    """A new session; its owner's nickname is Ada."""
    made = Party(port, {}, "")
    answer = await made.ask("POST", "/sessions", json={"slides": ["visual", "planes"], "nickname": "Ada", **wanted})
    assert answer.status_code == 201, answer.text
    made.session, made.cookie = answer.json(), answer.cookies[COOKIE]
    return made


@asynccontextmanager
async def party(store: Path, **wanted: Any) -> AsyncIterator[Party]:
    """A served session."""
    async with serving(store) as served:
        made = await hold(served.port, **wanted)
        made.served = served
        yield made
