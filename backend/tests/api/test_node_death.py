"""A node that owns a live session is killed: all members are back in it, and nothing is lost (CL28)."""

from __future__ import annotations

import asyncio
import os
import random
import statistics
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import WebSocketException

from api.cluster_nodes import NodeProcess, cluster, filled
from api.live_client import LiveClient, live_client
from api.parties import Party, hold
from catalog.databases import new_database, postgresql_server
from service.world import World

pytestmark = pytest.mark.slow

FEW = (12, 10.0)  # members, and the longest that one may be away in seconds, on a machine with other work
ALL = (50, 3.0)
SPREAD_SECONDS = 0.25  # of the client's own (SE25)


@pytest.fixture
def nodes(world: World, tmp_path: Path) -> Iterator[list[NodeProcess]]:
    """Three nodes."""
    with postgresql_server() as server:
        database = filled(new_database(server.url, f"d{os.getpid()}"), world)
        with cluster(("a", "b", "c"), world, tmp_path, database) as running:
            yield running


class Member:
    """A member's page: it raises and lowers its hand, and connects again as the client does, to a living node (as a
    balancer chooses).
    """

    def __init__(self, party: Party, number: int, cookie: str, nodes: list[NodeProcess]) -> None:
        self.party, self.number, self.cookie, self.nodes = party, number, cookie, nodes
        self.window: LiveClient | None = None
        self.acknowledged = 0  # operations
        self.raised = False  # as acknowledged last
        self.sent: bool | None = None  # what is not acknowledged yet
        self.back_at: list[float] = []  # each time but the first one
        self.welcomes: list[dict[str, Any]] = []

    async def stay(self, acting: asyncio.Event) -> None:
        """In the session, until it is cancelled."""
        for attempt in count():
            alive = [node for node in self.nodes if node.child.poll() is None]
            node = alive[(self.number + attempt) % len(alive)]
            with suppress(OSError, WebSocketException, TimeoutError):
                async with live_client(node.port, self.party.id, self.cookie, "window-0") as window:
                    await self.welcomed(window)
                    await self.act(window, acting)
            await asyncio.sleep(random.random() * SPREAD_SECONDS)

    async def welcomed(self, window: LiveClient) -> None:
        sequence = None
        if self.window is not None and self.window.state is not None:
            window.state, sequence = self.window.state, self.window.state.sequence
        welcome = await window.hello(sequence)
        self.window = window
        if self.welcomes:
            self.back_at.append(time.monotonic())
        self.welcomes.append(welcome)

    async def act(self, window: LiveClient, acting: asyncio.Event) -> None:
        """What was not acknowledged is sent again first (SE20)."""
        while True:
            if acting.is_set():
                self.sent = not self.raised if self.sent is None else self.sent
                answer = await window.do("hand", member=window.you, raised=self.sent)
                assert answer["error"] is None
                self.raised, self.sent = self.sent, None
                self.acknowledged += 1
            hearing = asyncio.ensure_future(window.hear())
            await asyncio.wait({hearing}, timeout=0.5)
            if hearing.done():
                hearing.result()
            else:
                hearing.cancel()
                await asyncio.gather(hearing, return_exceptions=True)

    @property
    def sequence(self) -> int:
        return 0 if self.window is None or self.window.state is None else self.window.state.sequence


async def until(true: Callable[[], bool], seconds: float) -> None:
    async with asyncio.timeout(seconds):
        while not true():
            await asyncio.sleep(0.01)


@pytest.mark.parametrize(("most", "seconds"), [FEW, pytest.param(*ALL, marks=pytest.mark.long)])
async def test_a_session_survives_the_death_of_its_node_cl25_cl28(
    nodes: list[NodeProcess], capsys: pytest.CaptureFixture[str], most: int, seconds: float
) -> None:
    owner = nodes[0]
    party = await hold(owner.port)
    async with party.window() as ada:  # the owner is the node that is asked first
        assert (await ada.do("record", on=True))["error"] is None
    cookies = [party.cookie]
    for number in range(1, most):
        cookies.append(await Party(nodes[number % 3].port, party.session, "").join(f"Member {number}"))
    members = [Member(party, number, cookie, nodes) for number, cookie in enumerate(cookies)]
    acting = asyncio.Event()
    acting.set()
    tasks = [asyncio.create_task(member.stay(acting)) for member in members]
    try:
        await until(lambda: all(member.acknowledged >= 2 for member in members), 120)
        newest = max(member.sequence for member in members)
        killed = time.monotonic()
        owner.kill()
        await until(lambda: all(member.back_at for member in members), 30)
        pauses = [member.back_at[0] - killed for member in members]
        with capsys.disabled():
            report = f"median {statistics.median(pauses):.2f} s, longest {max(pauses):.2f} s"
            print(f"\n{most} members are back after the death of the owner: {report}")
        assert all(member.welcomes[1]["resumed"] for member in members), "what a member knew is not there"
        done = [member.acknowledged for member in members]
        await until(lambda: all(one.acknowledged > some for one, some in zip(members, done, strict=True)), 60)
        acting.clear()
        await until(lambda: all(one.sent is None and one.sequence == members[0].sequence for one in members), 30)
        state = members[0].window.state  # type: ignore[union-attr]
        assert state is not None
        assert state.sequence >= newest
        assert [one.present for one in state.members] == [True] * most
        assert (state.presenter, state.owner, state.lost_until, state.state) == ("m1", "m1", None, "live")
        assert state.recording is not None
        for member in members:  # each acknowledged operation is there, once
            assert member.window is not None
            shown = state.member(member.window.you)
            assert shown is not None
            assert (shown.hand is not None) == member.raised
        assert max(pauses) <= seconds + SPREAD_SECONDS
    finally:
        for task in tasks:
            task.cancel()
        ended = await asyncio.gather(*tasks, return_exceptions=True)
    assert [one for one in ended if not isinstance(one, asyncio.CancelledError)] == []
