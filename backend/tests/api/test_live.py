"""Live sessions over real sockets: joining, presenting, following, losing and finding each other (session.md)."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest

from api.asking import API
from api.live_client import LiveClient, live_client
from api.test_server import Served, serving
from service.world import World


@dataclass
class Party:
    """A session with its owner's cookie."""

    served: Served
    session: dict[str, Any]
    cookie: str

    @property
    def id(self) -> str:
        return str(self.session["id"])

    async def ask(self, method: str, path: str, cookie: str = "", **options: Any) -> httpx.Response:
        """A request of whoever has this cookie."""
        url = f"http://127.0.0.1:{self.served.port}{API}{path}"
        origin = f"http://127.0.0.1:{self.served.port}"
        headers = {"origin": origin, **({"cookie": f"wavescope_guest={cookie}"} if cookie else {})}
        async with httpx.AsyncClient(timeout=20) as client:
            return await client.request(method, url, headers=headers, **options)

    async def join(self, nickname: str, cookie: str = "", **more: Any) -> str:
        """The cookie of a new member."""
        body = {"nickname": nickname, **more}
        answer = await self.ask("POST", f"/sessions/{self.session['code']}/join", cookie, json=body)
        assert answer.status_code == 200, answer.text
        return answer.cookies.get("wavescope_guest", cookie)

    @asynccontextmanager
    async def window(self, cookie: str = "", client: str = "window-0") -> AsyncIterator[LiveClient]:
        """A member's connection that has said hello; the owner's without a cookie."""
        async with live_client(self.served.port, self.id, cookie or self.cookie, client) as opened:
            await opened.hello()
            yield opened


@asynccontextmanager
async def party(store: Path, **wanted: Any) -> AsyncIterator[Party]:
    """A served session on two slides."""
    async with serving(store) as served:
        body = {"slides": ["visual", "planes"], "nickname": "Ada", **wanted}
        made = Party(served, {}, "")
        answer = await made.ask("POST", "/sessions", json=body)
        assert answer.status_code == 201, answer.text
        made.session, made.cookie = answer.json(), answer.cookies["wavescope_guest"]
        yield made


@pytest.fixture
async def held(world: World, tmp_path: Path) -> AsyncIterator[Party]:
    async with party(world.copy(tmp_path / "store").store) as made:
        yield made


async def test_a_follower_gets_the_presenters_view_as_it_was_sent_se17(held: Party) -> None:
    guest = await held.join("Ben")
    async with held.window() as ada, held.window(guest) as ben:
        await ada.look(1234.5)
        await ben.until_view(1234.5)
        assert ben.state is not None
        assert ben.state.views[0].view.model_dump(include={"l0_x", "l0_width"}) == {"l0_x": 1234.5, "l0_width": 300.0}
        assert ben.state.views[0].by == ben.state.owner
