"""Live sessions on the nodes of a cluster: real processes on one PostgreSQL (CL20 to CL28)."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from itertools import count
from pathlib import Path

import pytest
from sqlalchemy import make_url

from api.asking import problem
from api.cluster_nodes import NodeProcess, cluster, filled, node_process, until_ready
from api.live_client import LiveClient
from api.parties import Party, hold
from catalog.databases import Server, new_database, postgresql_server
from links.link import Link
from links.shape import Shape
from service.world import World

pytestmark = pytest.mark.slow

NUMBERS = count()


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with postgresql_server() as running:
        yield running


def database(server: Server, world: World) -> str:
    return filled(new_database(server.url, f"c{os.getpid()}_{next(NUMBERS)}"), world)


@pytest.fixture(scope="module")
def lasting(server: Server, world: World, tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[NodeProcess]]:
    """Two nodes for all tests that stop none."""
    with cluster(("a", "b"), world, tmp_path_factory.mktemp("nodes"), database(server, world)) as running:
        yield running


@pytest.fixture
def nodes(server: Server, world: World, tmp_path: Path) -> Iterator[list[NodeProcess]]:
    """Two nodes of one test."""
    with cluster(("a", "b"), world, tmp_path, database(server, world)) as running:
        yield running


def at(party: Party, node: NodeProcess) -> Party:
    """The same session, asked for at another node."""
    return Party(node.port, party.session, party.cookie)


@asynccontextmanager
async def coming_back(party: Party, cookie: str = "") -> AsyncIterator[LiveClient]:
    """A window that connects until it is welcome."""
    async with AsyncExitStack() as stack:
        end = time.monotonic() + 60
        while True:
            try:
                window = await stack.enter_async_context(party.window(cookie))
                break
            except (OSError, AssertionError):
                assert time.monotonic() < end
                await asyncio.sleep(0.05)
        yield window


async def test_members_on_different_nodes_are_in_one_session_cl21(lasting: list[NodeProcess]) -> None:
    a, b = lasting
    party = await hold(a.port)
    async with party.window() as ada:
        berta = await at(party, b).join("Berta")
        async with at(party, b).window(berta) as window:
            await ada.do("hand", member=ada.you, raised=True)
            await window.until_event("member")
            assert window.state is not None
            while window.state.member(ada.you).hand is None:  # type: ignore[union-attr]
                await window.hear()
            await window.do("hand", member=window.you, raised=True)
            await ada.look(4711.0)
            await window.until_view(4711.0)
            assert [one.present for one in window.state.members] == [True, True]


async def test_the_owner_of_a_session_asks_any_node_cl21(lasting: list[NodeProcess]) -> None:
    a, b = lasting
    party = await hold(a.port)
    async with party.window() as ada:
        there = at(party, b)
        changed = await there.ask("PATCH", f"/sessions/{party.id}", party.cookie, json={"title": "New"})
        assert (changed.status_code, changed.json()["title"]) == (200, "New")
        assert changed.headers["content-type"] == "application/json"
        assert (await ada.until_event("title"))["title"] == "New"
        listed = (await there.ask("GET", "/sessions", party.cookie)).json()["sessions"]
        assert [one["title"] for one in listed if one["id"] == party.id] == ["New"]
        assert (await there.ask("GET", f"/sessions/{party.id}", party.cookie)).json()["title"] == "New"
        invitation = await there.ask("GET", f"/sessions/{party.session['code']}")
        assert (invitation.status_code, invitation.json()["title"]) == (200, "New")
        assert (await there.ask("POST", f"/sessions/{party.id}/end", party.cookie)).status_code == 200
        assert (await ada.closed())[0] == 4410
    assert (await there.ask("DELETE", f"/sessions/{party.id}", party.cookie)).status_code == 204
    assert problem(await party.ask("GET", f"/sessions/{party.id}", party.cookie)) == (404, "unknown-session")


async def test_a_wrong_passcode_and_a_stranger_are_refused_by_every_node_cl21(lasting: list[NodeProcess]) -> None:
    a, b = lasting
    party = await hold(a.port, passcode="swordfish")
    there = at(party, b)
    async with party.window():
        assert problem(await there.knock(nickname="Eve", passcode="wrong")) == (403, "wrong-passcode")
        assert problem(await there.knock(nickname="Eve")) == (403, "wrong-passcode")
        assert (await there.knock(nickname="Eve", passcode="swordfish")).status_code == 200
        async with there.stranger("no-cookie-of-a-member") as window:
            assert (await window.closed())[0] == 4401
        unknown = Party(b.port, {**party.session, "id": "0" * 32}, party.cookie)
        async with unknown.stranger(party.cookie) as window:
            assert (await window.closed())[0] == 4401


async def test_a_node_that_stops_in_order_hands_its_sessions_on_at_once_cl22(nodes: list[NodeProcess]) -> None:
    a, b = nodes
    party = await hold(a.port)
    there = at(party, b)
    async with party.window() as ada:
        berta = await there.join("Berta")
        async with there.window(berta) as window:
            assert (await window.do("hand", member=window.you, raised=True))["error"] is None
            await ada.look(4711.0)
            await window.until_view(4711.0)
            a.send(signal.SIGTERM)
            begun = asyncio.get_running_loop().time()
            assert (await window.closed())[0] in (1001, 1012)
            async with coming_back(there, berta) as back:
                assert asyncio.get_running_loop().time() - begun < 3.0
                assert back.state is not None
                assert [one.name for one in back.state.members] == ["Ada", "Berta"]
                assert back.state.member(back.you).hand is not None  # type: ignore[union-attr]
                assert back.state.views[0].view.l0_x == 4711.0
                assert (back.state.presenter, back.state.lost_until) == ("m1", None)


async def test_an_owner_that_was_paused_drops_its_members_and_writes_nothing_cl23_cl24_cl26(
    nodes: list[NodeProcess],
) -> None:
    a, b = nodes
    party = await hold(a.port)
    there = at(party, b)
    async with party.window() as ada:
        berta = await there.join("Berta")
        async with there.window(berta) as window:
            a.send(signal.SIGSTOP)
            assert (await window.closed())[0] == 1012
            async with coming_back(there, berta) as back:
                assert (await back.do("hand", member=back.you, raised=True))["error"] is None
                await asyncio.sleep(1.0)
                await ada.send({"type": "hand", "ref": 99, "member": "m1", "raised": True})
                a.send(signal.SIGCONT)
                assert (await ada.closed())[0] == 1012
                async with coming_back(party) as again:
                    assert again.state is not None
                    assert again.state.member("m2").hand is not None  # type: ignore[union-attr]
                    assert again.welcome["last_ref"] == 0  # what was sent to the former owner was not accepted
                    assert (await again.do("hand", member="m1", raised=True))["error"] is None
                    while back.state.member("m1").hand is None:  # type: ignore[union-attr]
                        await back.hear()


async def test_a_restart_of_the_database_moves_no_session_cl27(lasting: list[NodeProcess], server: Server) -> None:
    a, b = lasting
    party = await hold(a.port)
    there = at(party, b)
    async with party.window() as ada:
        berta = await there.join("Berta")
        async with there.window(berta) as window:
            await asyncio.to_thread(server.stop, "immediate")
            await ada.look(4711.0)
            await window.until_view(4711.0)
            waiting = asyncio.create_task(ada.do("hand", member="m1", raised=True))
            await asyncio.sleep(7.0)  # longer than it takes to find that a node alone is cut off (CL29)
            await ada.send({"type": "ping", "t": 1})
            assert not waiting.done()
            await asyncio.to_thread(server.start)
            assert (await waiting)["error"] is None
            while window.state.member("m1").hand is None:  # type: ignore[union-attr]
                await window.hear()
            await asyncio.sleep(3.0)
            assert (await ada.do("hand", member="m1", raised=False))["error"] is None
            assert (await window.do("follow", following=False))["error"] is None


async def test_a_session_that_nobody_owns_is_opened_where_it_is_asked_for_cl20(lasting: list[NodeProcess]) -> None:
    a, b = lasting
    party = await hold(a.port)
    there = at(party, b)
    async with there.window() as ada:
        assert (await ada.do("hand", member="m1", raised=True))["error"] is None
        async with party.window(party.cookie, "window-1") as second:
            assert second.state is not None
            assert second.state.sequence == ada.state.sequence  # type: ignore[union-attr]


async def test_a_node_that_alone_is_cut_off_from_the_database_leaves_its_sessions_cl29(
    server: Server, world: World, tmp_path: Path
) -> None:
    url = make_url(database(server, world))
    link = Link((str(url.host), int(url.port or 0)))
    await link.listen()
    through = url.set(port=link.address[1]).render_as_string()
    async with AsyncExitStack() as stack:
        stack.push_async_callback(link.close)
        nodes = []
        for name, catalog in (("a", through), ("b", url.render_as_string())):
            started = node_process(name, world, tmp_path, catalog)
            nodes.append(await asyncio.to_thread(started.__enter__))
            stack.push_async_callback(asyncio.to_thread, started.__exit__, None, None, None)
        for node in nodes:
            await asyncio.to_thread(until_ready, node)
        a, b = nodes
        party = await hold(a.port)
        async with party.window() as ada:
            berta = await at(party, b).join("Berta")
            async with at(party, b).window(berta) as window:
                link.reshape(Shape(stalled=True))
                assert (await window.closed())[0] == 1012
                async with coming_back(at(party, b), berta) as back:
                    assert (await back.do("hand", member=back.you, raised=True))["error"] is None
                    assert (await ada.closed())[0] == 1012
                    async with coming_back(at(party, b), party.cookie) as again:
                        assert again.state is not None
                        assert (again.state.presenter, again.state.members[1].hand is not None) == ("m1", True)
