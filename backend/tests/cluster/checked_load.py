"""Clients of a cluster whose every answer is compared, byte by byte, with that of one service on the same slides."""

from __future__ import annotations

import asyncio
import json
import random
import ssl
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

import httpx2

from wavescope_lab.errors import UnexpectedResponse
from wavescope_lab.replay.blocks import FRAME, LAST_FRAME, BlockViewer, Fetch, Options
from wavescope_lab.replay.driver import replay
from wavescope_lab.replay.exchange import Exchange
from wavescope_lab.workload.trace import Plan, make_trace

API = "/api/v1"
PATIENCE = 90.0  # seconds after which a request that was never answered right is lost
PAUSE, LONGEST_PAUSE = 0.1, 1.0  # seconds before a request is repeated; they double


@dataclass
class Tally:
    """What happened. ``errors``: the moment and the cause of each attempt that was not answered."""

    attempts: int = 0
    errors: list[tuple[float, str]] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)
    stored: set[str] = field(default_factory=set)
    waits: list[tuple[float, float]] = field(default_factory=list)

    def failed(self, cause: str) -> None:
        self.errors.append((time.monotonic(), cause))


class Clients:
    """Two kinds of load on one slide, and a writer. ``reference``: the one service."""

    def __init__(self, url: str, reference: str, slide: str, trust: ssl.SSLContext) -> None:
        self.tally = Tally()
        self._url, self._reference, self._slide = url, reference, slide
        self._trust = trust
        self._plain = httpx2.AsyncClient(timeout=60, trust_env=False, follow_redirects=True)
        self._tasks: list[asyncio.Task[None]] = []
        self._ending = asyncio.Event()

    def new_client(self) -> httpx2.AsyncClient:
        return httpx2.AsyncClient(verify=self._trust, timeout=20, trust_env=False, follow_redirects=True)

    async def __aenter__(self) -> Clients:
        works: list[Callable[[int], Awaitable[None]]] = [self._look, self._look, self._look, self._regions, self._write]
        self._tasks = [asyncio.create_task(self._repeat(work, number)) for number, work in enumerate(works)]
        return self

    async def __aexit__(self, *_: object) -> None:
        self._ending.set()
        await asyncio.gather(*self._tasks)
        await self._plain.aclose()

    async def _repeat(self, work: Callable[[int], Awaitable[None]], number: int) -> None:
        """Until the end; the first round of each has a seed of its own."""
        seed = number * 1000
        while not self._ending.is_set():
            await work(seed)
            seed += 1

    async def _look(self, seed: int) -> None:
        """One pathologist of the workload, who reads blocks: in batches and alone, in turn."""
        exchange = Checked(self)
        fetch = Fetch.GET if seed % 2 else Fetch.BATCH
        options = Options(self._url, self._slide, fetch)
        size = await BlockViewer(options, exchange).open()
        trace = make_trace(Plan(self._slide, size, 1, 4, seed, view=(900, 700)))
        await replay(trace, lambda: BlockViewer(options, exchange), 0.0, 4 * PATIENCE)

    async def _regions(self, seed: int) -> None:
        """Pixels that the service decodes."""
        dice, exchange = random.Random(seed), Checked(self)
        try:
            for _ in range(10):
                x, y = dice.randrange(1500), dice.randrange(1000)
                path = f"{API}/slides/{self._slide}/region?x={x}&y={y}&width=200&height=200&level=0&format=png"
                await exchange.get(f"{self._url}{path}", "region")
        finally:
            await exchange.close()

    async def _write(self, seed: int) -> None:
        """Annotations: what is acknowledged is there in the end."""
        async with self.new_client() as client:
            for number in range(10):
                one = f"a{seed}-{number}"
                if await self.until_right(one, lambda one=one: self._put(client, one)):  # type: ignore[misc]
                    self.tally.stored.add(one)

    async def _put(self, client: httpx2.AsyncClient, one: str) -> bool:
        path = f"{self._url}{API}/slides/{self._slide}/annotations/{one}"
        answer = await client.put(path, json=annotation(one), headers={"if-none-match": "*"})
        if answer.status_code in (201, 409, 412):  # the answer of an earlier attempt was lost
            return True
        raise Failed(f"PUT {answer.status_code}")

    async def missing(self) -> set[str]:
        """Acknowledged annotations that are not there."""
        found: set[str] = set()
        async with self.new_client() as client:
            for one in self.tally.stored:
                answer = await client.get(f"{self._url}{API}/slides/{self._slide}/annotations/{one}")
                if answer.status_code == 200:
                    found.add(one)
        return self.tally.stored - found

    async def until_right(self, what: str, attempt: Callable[[], Awaitable[Any]]) -> Any:
        """Repeats an attempt, as the page does, until it is answered; None: it was lost."""
        begun, pause = time.monotonic(), PAUSE
        while time.monotonic() - begun < PATIENCE:
            self.tally.attempts += 1
            try:
                found = await attempt()
                self.tally.waits.append((time.monotonic(), time.monotonic() - begun))
                return found
            except (httpx2.TransportError, Failed, UnexpectedResponse) as error:
                self.tally.failed(str(error)[:100] if isinstance(error, Failed) else type(error).__name__)
            await asyncio.sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE)
        self.tally.lost.append(what)
        return None

    async def expected(self, method: str, path: str, content: Any) -> bytes:
        """What the one service answers."""
        answer = await self._plain.request(method, f"{self._reference}{path}", json=content)
        assert answer.status_code == 200, f"{path}: {answer.status_code}"
        return answer.content


class Failed(Exception):
    """An answer that says that it is none."""


class Checked(Exchange):
    """The connections of one client, which repeats what fails and compares what comes."""

    def __init__(self, clients: Clients) -> None:
        super().__init__()
        self._clients, self._checked = clients, clients.new_client()

    async def _send(self, method: str, url: str, content: Any, statuses: tuple[int, ...]) -> tuple[bytes, int]:
        clients = self._clients
        path = url.removeprefix(clients._url)
        expected = await clients.expected(method, path, content)

        async def attempt() -> bytes:
            answer = await self._checked.request(method, url, json=content)
            if answer.status_code != 200:
                raise Failed(f"{method} {answer.status_code}")
            if path.endswith("blocks:batch") and unavailable(answer.content):
                raise Failed("a frame of a batch says that it is not available")
            return answer.content

        found = await clients.until_right(path, attempt)
        if found is None:
            return expected, 200  # noted as lost
        if comparable(path, found) != comparable(path, expected):
            clients.tally.wrong.append(path)
        self.counts.add(len(found), {})
        return expected, 200

    async def close(self) -> None:
        await super().close()
        await self._checked.aclose()


def annotation(name: str) -> dict[str, Any]:
    """The content of one annotation."""
    geometry = {"type": "Point", "coordinates": [3, 4]}
    return {"kind": "point", "geometry": geometry, "name": name}


def comparable(path: str, body: bytes) -> Any:
    """The answer without what may differ: the order of the frames of a batch, rights in manifests."""
    if path.endswith("blocks:batch"):
        return sorted(frames(body))
    if path.count("/") == 4:  # the manifest
        return {name: value for name, value in json.loads(body).items() if name not in ("may", "owner", "rights")}
    return body


def frames(body: bytes) -> list[tuple[int, int, bytes]]:
    """Index, status and content of each frame; the last one has no content."""
    found, at = [], 0
    while at + FRAME.size <= len(body):
        index, status, length = FRAME.unpack_from(body, at)
        at += FRAME.size
        found.append((index, status, body[at : at + length] if index != LAST_FRAME else b""))
        at += length
    return found


def unavailable(body: bytes) -> bool:
    """Whether a batch was cut short, or a frame of it has no block because something does not answer."""
    parts = frames(body)
    return not parts or parts[-1][0] != LAST_FRAME or any(status > 1 for _, status, _ in parts)
