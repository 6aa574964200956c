"""A client of the live connection: what the page does, in a few words."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from wavescope.sessions.events import EVENT, fold
from wavescope.sessions.live import with_changes, with_cursors, with_views
from wavescope.sessions.model import Changes, Cursor, State, ViewEntry

PATIENCE = 10.0  # seconds, for what must come
VIEW = {"l0_x": 100.0, "l0_y": 200.0, "l0_width": 300.0, "l0_height": 400.0}


def view_at(x: float) -> dict[str, float]:
    """A view that differs from every other."""
    return {**VIEW, "l0_x": x}


class LiveClient:
    """Follows a session: ``state`` is what the service has sent, ``seen`` all messages."""

    def __init__(self, socket: ClientConnection, client: str = "window-0") -> None:
        self.socket, self.client = socket, client
        self.you = ""
        self.state: State | None = None
        self.welcome: dict[str, Any] = {}
        self.private: dict[str, Any] = {"answers": [], "results": [], "questions": [], "votes": []}
        self.seen: list[dict[str, Any]] = []
        self._ref = 0
        self._early: list[dict[str, Any]] = []

    async def hello(self, sequence: int | None = None, versions: tuple[int, ...] = (1,)) -> dict[str, Any]:
        """Says hello and hears the welcome."""
        await self.send({"type": "hello", "versions": list(versions), "client": self.client, "sequence": sequence})
        self.welcome = await self.until("welcome")
        self._ref = max(self._ref, self.welcome["last_ref"])
        return self.welcome

    async def send(self, message: Mapping[str, Any] | str) -> None:
        await self.socket.send(message if isinstance(message, str) else json.dumps(message))

    async def hear(self) -> dict[str, Any]:
        """The next message; it is folded into the state."""
        message: dict[str, Any] = json.loads(await asyncio.wait_for(self.socket.recv(), PATIENCE))
        self.seen.append(message)
        self._take(message)
        return message

    async def until(self, kind: str, **members: Any) -> dict[str, Any]:
        """The next message of a type with these members."""
        while True:
            message = await self.hear()
            if message["type"] == kind and all(message.get(name) == value for name, value in members.items()):
                return message

    async def until_event(self, kind: str) -> dict[str, Any]:
        """The next event of a kind."""
        while True:
            message = await self.until("event")
            if message["event"]["kind"] == kind:
                return dict(message["event"])

    async def until_view(self, x: float) -> dict[str, Any]:
        """The tick that brings this view, or brought it."""
        while True:
            for tick in self.seen:
                if tick["type"] == "tick" and any(look["view"]["l0_x"] == x for look in tick["views"] or ()):
                    return tick
            await self.hear()

    def views(self) -> list[float]:
        """All views that came, in order."""
        ticks = [tick for tick in self.seen if tick["type"] == "tick"]
        return [look["view"]["l0_x"] for tick in ticks for look in tick["views"] or ()]

    async def do(self, kind: str, /, **members: Any) -> dict[str, Any]:
        """An operation; its acknowledgement."""
        self._ref += 1
        await self.send({"type": kind, "ref": self._ref, **members})
        return await self.until("ack", ref=self._ref)

    async def look(self, x: float, pane: int = 0) -> None:
        assert self.state is not None
        await self.send({"type": "view", "pane": pane, "stage": self.state.stage.number, "view": view_at(x)})

    async def point(self, x: float | None, laser: bool = False) -> None:
        assert self.state is not None
        stage = self.state.stage.number
        await self.send({"type": "cursor", "pane": 0, "stage": stage, "l0_x": x, "l0_y": x, "laser": laser})

    async def closed(self) -> tuple[int, str]:
        """Code and reason with which the service ends the connection."""
        with pytest.raises(ConnectionClosed) as end:
            await self._to_the_end()
        assert end.value.rcvd is not None, "the connection was cut"
        return end.value.rcvd.code, end.value.rcvd.reason

    async def gone(self) -> None:
        """Returns when the service is lost."""
        with contextlib.suppress(ConnectionClosed):
            await self._to_the_end()

    async def _to_the_end(self) -> None:
        while True:
            await self.hear()

    def _take(self, message: dict[str, Any]) -> None:
        match message["type"]:
            case "welcome":
                self.you = message["you"]
                if message["state"] is not None:
                    self.state = State.model_validate_json(json.dumps(message["state"]))
            case "private":
                self.private = message
            case "event":
                assert self.state is not None
                assert message["sequence"] == self.state.sequence + 1, "SE19"
                self.state = fold(self.state, EVENT.validate_json(json.dumps(message["event"])))
                early, self._early = self._early, []
                for tick in early:
                    self._take(tick)
            case "tick":
                assert self.state is not None
                if message["stage"] > self.state.stage.number:
                    self._early.append(message)  # SE16
                    return
                if message["stage"] == self.state.stage.number:
                    looks = [ViewEntry.model_validate_json(json.dumps(one)) for one in message["views"] or ()]
                    cursors = [Cursor.model_validate_json(json.dumps(one)) for one in message["cursors"] or ()]
                    self.state = with_cursors(with_views(self.state, looks), cursors)
                for one in message["annotations"] or ():
                    self.state = with_changes(self.state, Changes(**one))


@asynccontextmanager
async def live_client(
    port: int, session_id: str, cookie: str, client: str = "window-0", **options: Any
) -> AsyncIterator[LiveClient]:
    """A connected client that has not said hello."""
    headers = {"Cookie": f"wavescope_guest={cookie}", **options.pop("headers", {})}
    url = f"ws://127.0.0.1:{port}/api/v1/sessions/{session_id}/live"
    async with connect(url, additional_headers=headers, close_timeout=1, **options) as socket:
        yield LiveClient(socket, client)
