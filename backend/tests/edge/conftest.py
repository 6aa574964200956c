"""A clinic with accounts behind an edge."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest

from api.accounts import Clinic, clinic
from edge.edges import edge, served
from service.world import World, make_world
from wavescope.edge.composition import EdgeServices


@pytest.fixture(scope="session")
def world(tmp_path_factory: pytest.TempPathFactory) -> World:
    """Shared by all tests: look, but do not damage."""
    return make_world(tmp_path_factory.mktemp("world"))


class Switch:
    """An ASGI middleware that counts requests and, on request, changes what the origin answers."""

    def __init__(self, app: Any) -> None:
        self._app, self.state = app, app.state
        self.asked: list[str] = []
        self.damage = False
        self.status = 0  # of every answer; -1: the connection is cut
        self.missing = ""  # a digest that is answered with 410

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        self.asked.append(scope["path"])
        if self.status < 0:
            raise ConnectionAbortedError("cut")
        if self.missing and self.missing in scope["path"]:
            await send({"type": "http.response.start", "status": 410, "headers": []})
            await send({"type": "http.response.body", "body": b"{}"})
            return
        if self.status:
            await send({"type": "http.response.start", "status": self.status, "headers": []})
            await send({"type": "http.response.body", "body": b"broken"})
            return

        async def damaged(message: Any) -> None:
            if self.damage and message.get("body") and "/v/" in scope["path"]:
                body = bytearray(message["body"])
                body[len(body) // 2] ^= 1
                message = {**message, "body": bytes(body)}
            await send(message)

        await self._app(scope, receive, damaged)


@dataclass
class Place:
    """A clinic, an edge in front of it, and what the edge asked."""

    clinic: Clinic
    switch: Switch
    services: EdgeServices
    app: Any
    digest: str
    stop: Any

    def client(self, like: httpx.AsyncClient | None = None) -> httpx.AsyncClient:
        """A browser on the page of the edge, with the cookies of another."""
        options: dict[str, Any] = {} if like is None else {"cookies": like.cookies}
        transport = httpx.ASGITransport(self.app, raise_app_exceptions=False)
        base = "http://127.0.0.1:8000"
        return httpx.AsyncClient(transport=transport, base_url=base, headers={"origin": base}, **options)

    async def signed_in(self, name: str) -> httpx.AsyncClient:
        return self.client(await self.clinic.signed_in(name))

    @property
    def version(self) -> str:
        """The address of the slide ``visual``."""
        return f"/api/v1/slides/visual/v/{self.digest}"

    def asked_for(self, part: str) -> int:
        """How many requests for such a part reached the origin."""
        return sum(part in path for path in self.switch.asked)


@pytest.fixture
async def place(world: World, tmp_path: Path) -> AsyncIterator[Place]:
    copy = world.copy(tmp_path / "store")
    async with clinic(copy.store) as opened, AsyncExitStack() as origin:
        switch = Switch(opened.app)
        url = await origin.enter_async_context(served(switch))
        async with edge(tmp_path / "cache", url) as (services, app):
            yield Place(opened, switch, services, app, world.digests["visual"], origin.aclose)
