"""What one node announces, the services of the others receive (CL13)."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.asyncio.client import connect

from api.accounts import API
from api.live_client import LiveClient
from catalog.databases import Server
from nodes.cluster import RunningNode, add_people, catalog_of, cluster
from service.world import World
from wavescope.service.events import Events
from wavescope.service.nodes import announcements
from wavescope.service.nodes.channel import Channel

AT_ONCE = 10.0  # seconds that a test waits; by itself a node notices after catalog_seconds, a session after 15 s


class Pair:
    """Two nodes that by themselves trust what they remember for an hour."""

    def __init__(self, nodes: list[RunningNode], ids: dict[str, str]) -> None:
        self.a, self.b = nodes
        self.ids = ids

    async def received(self, event: str) -> asyncio.Future[Any]:
        """What node b receives next of an event."""
        found: asyncio.Future[Any] = asyncio.get_running_loop().create_future()

        def note(*values: Any) -> None:
            if not found.done():
                found.set_result(values)

        getattr(self.b.services.events, event).subscribe(note)
        return found


@pytest.fixture
async def pair(world: World, server: Server, tmp_path: Path) -> AsyncIterator[Pair]:
    url = catalog_of(world, server.url)
    ids = add_people(url)
    async with cluster(world, url, tmp_path, access="accounts", catalog_seconds=3600.0) as nodes:
        yield Pair(nodes, ids)


@asynccontextmanager
async def live(node: RunningNode, browser: httpx.AsyncClient, session_id: str) -> AsyncIterator[LiveClient]:
    cookies = "; ".join(f"{name}={value}" for name, value in browser.cookies.items())
    url = f"{node.url.replace('http', 'ws')}{API}/sessions/{session_id}/live"
    async with connect(url, additional_headers={"Cookie": cookies, "Origin": node.url}, close_timeout=1) as socket:
        yield LiveClient(socket)


@pytest.mark.slow
async def test_a_right_revoked_at_one_node_ends_at_the_other_at_once_cl13(pair: Pair) -> None:
    ivan, path = await pair.a.signed_in("ivan"), f"{API}/slides/visual"
    shared = {"public": False, "shares": [{"kind": "user", "id": pair.ids["vera"], "right": "view"}]}
    assert (await ivan.put(f"{path}/sharing", json=shared)).status_code == 200
    vera = await pair.b.signed_in("vera")
    assert (await vera.get(path)).status_code == 200
    received = await pair.received("rights_revoked")
    nothing: dict[str, object] = {"public": False, "shares": []}
    assert (await ivan.put(f"{path}/sharing", json=nothing)).status_code == 200
    await asyncio.wait_for(received, AT_ONCE)
    assert (await vera.get(path)).status_code == 404


async def test_a_revoked_account_leaves_a_live_session_on_another_node_cl13(pair: Pair) -> None:
    ivan = await pair.b.signed_in("ivan")
    made = (await ivan.post(f"{API}/sessions", json={"slides": ["visual"], "nickname": "Ivan"})).json()
    async with live(pair.b, ivan, made["id"]) as client:
        await client.hello()
        adam = await pair.a.signed_in("adam")
        answer = await adam.patch(f"{API}/users/{pair.ids['ivan']}", json={"disabled": True})
        assert answer.status_code == 200, answer.text
        code, _ = await asyncio.wait_for(client.closed(), AT_ONCE)
        assert code == 4401  # the access has ended (SE30)


@pytest.mark.slow
async def test_annotations_changed_at_one_node_reach_members_at_the_other_cl13(pair: Pair) -> None:
    ivan = await pair.b.signed_in("ivan")
    made = (await ivan.post(f"{API}/sessions", json={"slides": ["visual"], "nickname": "Ivan"})).json()
    async with live(pair.b, ivan, made["id"]) as client:
        await client.hello()
        pair.a.services.events.annotations_changed.announce("visual", 41)
        pair.a.services.events.annotations_changed.announce("visual", 42)
        async with asyncio.timeout(AT_ONCE):
            while {"slide": "visual", "sequence": 42} not in ((await client.until("tick")).get("annotations") or []):
                pass


async def test_a_removed_version_is_forgotten_by_all_nodes_cl13(pair: Pair) -> None:
    received = await pair.received("version_removed")
    await asyncio.to_thread(pair.a.services.events.version_removed.announce, "0" * 64)
    assert await asyncio.wait_for(received, AT_ONCE) == ("0" * 64,)


def test_what_another_node_announced_is_not_announced_again_and_gaps_count_as_revoked_cl13() -> None:
    sent: list[str] = []
    channel, events = Channel("me", sent.append), Events()
    forgotten: list[int] = []
    received: list[object] = []
    posted: list[tuple[str, str]] = []
    channel.post = lambda topic, text="": posted.append((topic, text))  # type: ignore[method-assign]
    announcements.connect(events, channel, lambda: forgotten.append(len(received)))
    events.rights_revoked.subscribe(lambda: received.append("rights"))
    events.annotations_changed.subscribe(lambda *change: received.append(change))
    channel.received("other rights-revoked ")
    channel.received(f"other annotations-changed {json.dumps(['a slide', 7])}")
    channel.received("other missed ")
    assert received == ["rights", ("a slide", 7), "rights"]
    assert forgotten == [0, 2]
    assert posted == []
    events.annotations_changed.announce("b", 8)
    assert posted == [("annotations-changed", '["b", 8]')]
