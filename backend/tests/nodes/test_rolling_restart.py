"""Three nodes behind a real HAProxy, each restarted in turn under load: nothing fails (CL17)."""

from __future__ import annotations

import asyncio
import io
import json
import ssl
from collections import Counter
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from PIL import Image
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from cluster.clusters import Made, cluster

pytestmark = pytest.mark.slow

API = "/api/v1"
BACK_SECONDS = 5.0  # in which a member that was disconnected is in the session again


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Made]:
    settings = tmp_path_factory.mktemp("settings") / "wavescope.toml"
    settings.write_text("rate_limits = false\n")
    with cluster("--nodes", "3", "--settings", str(settings)) as found:
        yield found


class Traffic:
    """Reads and changes over connections that stay and over new ones, and members of a live session."""

    def __init__(self, made: Made) -> None:
        self.made, self.trust = made, made.trust()
        self.answers: Counter[str] = Counter()
        self.failures: list[str] = []
        self.away: list[float] = []  # seconds for which a member was away
        self.ending = asyncio.Event()

    def client(self) -> httpx.AsyncClient:
        return httpx.AsyncClient(
            base_url=self.made.url, verify=self.trust, headers={"origin": self.made.url}, timeout=30
        )

    async def signed_in(self) -> httpx.AsyncClient:
        client = self.client()
        answer = await client.post(f"{API}/sign-in", json={"name": "admin", "password": self.made.password()})
        assert answer.status_code == 200, answer.text
        return client

    async def read(self, signed_in: httpx.AsyncClient, fresh: bool) -> None:
        """GETs; ``fresh``: each on a connection of its own."""
        while not self.ending.is_set():
            if fresh:
                async with self.client() as client:
                    await self.ask(client, "GET", "/healthz")
            else:
                await self.ask(signed_in, "GET", f"{API}/cases")
            await asyncio.sleep(0.01)

    async def change(self, signed_in: httpx.AsyncClient) -> None:
        """POSTs, which no balancer tries again."""
        number = 0
        while not self.ending.is_set():
            number += 1
            await self.ask(signed_in, "POST", f"{API}/cases", json={"title": f"Case {number}"})
            await asyncio.sleep(0.1)

    async def ask(self, client: httpx.AsyncClient, method: str, path: str, **options: Any) -> None:
        try:
            answer = await client.request(method, path, **options)
        except httpx.TransportError as error:
            self.failures.append(f"{method} {path}: {error!r}")
            return
        self.answers[method] += 1
        if answer.status_code >= 400:
            self.failures.append(f"{method} {path}: {answer.status_code} {answer.text[:200]}")

    async def member(self, cookies: str, session_id: str, window: str) -> None:
        """As the page does: comes back when its connection was closed by a node that stops."""
        url = f"{self.made.url.replace('https', 'wss')}{API}/sessions/{session_id}/live"
        headers = {"Cookie": cookies, "Origin": self.made.url}
        clock, left = asyncio.get_running_loop().time, 0.0
        while (left and clock() - left < BACK_SECONDS) or not self.ending.is_set():
            try:
                async with connect(url, additional_headers=headers, ssl=self.trust, close_timeout=1) as socket:
                    hello = {"type": "hello", "versions": [1], "client": window, "sequence": None}
                    await socket.send(json.dumps(hello))
                    while json.loads(await socket.recv())["type"] != "welcome":
                        pass
                    if left:
                        self.away.append(clock() - left)
                    left = 0.0
                    await self.stay(socket)
            except (ConnectionClosed, InvalidHandshake, OSError, EOFError, ssl.SSLError):
                left = left or clock()
                await asyncio.sleep(0.05)
        if left:
            self.away.append(float("inf"))

    async def stay(self, socket: Any) -> None:
        """Until the connection is closed, or all is over."""
        over = asyncio.ensure_future(self.ending.wait())
        closed = asyncio.ensure_future(socket.wait_closed())
        await asyncio.wait({over, closed}, return_when=asyncio.FIRST_COMPLETED)
        for task in (over, closed):
            task.cancel()
        if not self.ending.is_set():
            raise EOFError


async def test_each_node_is_restarted_in_turn_and_nothing_fails_cl17(made: Made) -> None:
    traffic = Traffic(made)
    signed_in = await traffic.signed_in()
    slide = await imported(signed_in)
    answer = await signed_in.post(f"{API}/sessions", json={"slides": [slide], "nickname": "Ada"})
    session = answer.json()["id"] if answer.status_code < 300 else ""
    assert session, answer.text
    cookies = "; ".join(f"{name}={value}" for name, value in signed_in.cookies.items())
    work = [
        *(traffic.read(signed_in, fresh) for fresh in (True, False, False)),
        traffic.change(signed_in),
        *(traffic.member(cookies, session, f"window-{number}") for number in range(6)),
    ]
    running = [asyncio.ensure_future(one) for one in work]
    done = await asyncio.to_thread(made.run, "restart")
    traffic.ending.set()
    await asyncio.gather(*running)
    cases = (await signed_in.get(f"{API}/cases")).json()["cases"]
    await signed_in.aclose()
    assert [line.split(":")[0] for line in done.stdout.splitlines()] == ["node1", "node2", "node3"]
    print(dict(traffic.answers), "members away:", sorted(round(one, 2) for one in traffic.away))
    assert traffic.failures == []
    assert min(traffic.answers["GET"], traffic.answers["POST"]) > 50
    assert len(cases) == len({one["title"] for one in cases}) == traffic.answers["POST"]  # each was made once
    assert traffic.away, "no member was ever disconnected: the test proves nothing"
    assert max(traffic.away) < BACK_SECONDS


async def imported(client: httpx.AsyncClient) -> str:
    """A slide that was uploaded; its id."""
    file = io.BytesIO()
    Image.effect_noise((600, 500), 40).convert("RGB").save(file, "PNG")
    answer = await client.post(f"{API}/uploads", params={"filename": "noise.png"}, content=file.getvalue())
    assert answer.status_code < 300, answer.text
    async with asyncio.timeout(60):
        while not (slides := (await client.get(f"{API}/slides")).json()["slides"]):
            await asyncio.sleep(0.1)
    return str(slides[0]["id"])
