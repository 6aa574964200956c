"""Nodes of a cluster on a real PostgreSQL: who is alive, and what they announce to each other (CL1 to CL8)."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Callable, Iterator
from itertools import count
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text

from catalog.databases import Server, new_database, postgresql_server
from wavescope.catalog.cluster.nodes import MAX_PAYLOAD, NodeTable
from wavescope.catalog.database import open_engine
from wavescope.config import Config
from wavescope.errors import AnnouncementTooLarge, InvalidParameter, NodeNameTaken
from wavescope.service.composition import compose
from wavescope.service.nodes.liveness import SILENT_SECONDS
from wavescope.service.nodes.node import Node

NUMBERS = count()


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with postgresql_server() as running:
        yield running


class Nodes:
    """Nodes on one database; those that were started stop with the test."""

    def __init__(self, url: str) -> None:
        self.engine = open_engine(url)
        self.started: list[Node] = []

    async def start(self, name: str) -> Node:
        node = Node(NodeTable(self.engine), name, f"http://{name}")
        await node.start()
        self.started.append(node)
        return node

    async def kill(self, node: Node) -> None:
        """The node ends without leaving."""
        for task in node._tasks:
            task.cancel()
        await asyncio.gather(*node._tasks, return_exceptions=True)
        await node._drop()
        self.started.remove(node)


@pytest.fixture
async def nodes(server: Server) -> AsyncIterator[Nodes]:
    made = Nodes(new_database(server.url, f"n{os.getpid()}_{next(NUMBERS)}"))
    yield made
    for node in made.started:
        await node.stop()
    made.engine.dispose()


async def until(true: Callable[[], bool], seconds: float = 10.0) -> None:
    async with asyncio.timeout(seconds):
        while not true():
            await asyncio.sleep(0.01)


def names(node: Node) -> list[str]:
    return [one.name for one in node.alive()]


async def test_nodes_know_each_other_cl3(nodes: Nodes) -> None:
    a = await nodes.start("a")
    b = await nodes.start("b")
    await until(lambda: names(a) == names(b) == ["a", "b"])
    found = a.named("b")
    assert found is not None
    assert (found.url, found.instance) == ("http://b", b.instance)
    assert a.find(b.instance) == found


async def test_a_node_that_stops_in_order_is_gone_at_once_cl3(nodes: Nodes) -> None:
    a, b = await nodes.start("a"), await nodes.start("b")
    await until(lambda: names(a) == ["a", "b"])
    changes: list[list[str]] = []
    a.subscribe(lambda: changes.append(names(a)))
    await b.stop()
    await until(lambda: names(a) == ["a"], 0.4)
    assert changes[-1] == ["a"]


@pytest.mark.slow
async def test_a_node_that_is_killed_is_dead_within_two_seconds_and_a_half_cl4(nodes: Nodes) -> None:
    a, b = await nodes.start("a"), await nodes.start("b")
    await until(lambda: names(a) == ["a", "b"])
    await nodes.kill(b)
    await until(lambda: names(a) == ["a"], 2.5)
    assert a.find(b.instance) is None
    assert not a.lapsed
    await asyncio.sleep(0)
    assert b.name in {one.name for one in a.all()}


@pytest.mark.slow
async def test_a_name_belongs_to_one_living_node_cl2(nodes: Nodes) -> None:
    await nodes.start("a")
    with pytest.raises(NodeNameTaken):
        await nodes.start("a")


@pytest.mark.slow
async def test_a_node_that_was_killed_starts_again_under_its_name_cl2(nodes: Nodes) -> None:
    a, b = await nodes.start("a"), await nodes.start("b")
    await nodes.kill(a)
    again = await nodes.start("a")
    await until(lambda: [one.instance for one in b.alive() if one.name == "a"] == [again.instance])


@pytest.mark.slow
async def test_a_restart_of_the_database_kills_no_node_cl5(nodes: Nodes, server: Server) -> None:
    a, b = await nodes.start("a"), await nodes.start("b")
    await until(lambda: names(a) == names(b) == ["a", "b"])
    gone: list[list[str]] = []
    gaps: list[str] = []
    for node in (a, b):
        node.subscribe(lambda node=node: gone.append(names(node)))  # type: ignore[misc]
        node.channel.subscribe("topic", lambda _: None, lambda node=node: gaps.append(node.name))  # type: ignore[misc]
    await asyncio.to_thread(server.stop, "immediate")
    await until(lambda: a.lapsed and b.lapsed)
    await asyncio.to_thread(server.start)
    await until(lambda: not a.lapsed and not b.lapsed)
    await until(lambda: sorted(set(gaps)) == ["a", "b"])
    await asyncio.sleep(SILENT_SECONDS + 0.5)
    assert gone == []
    received: list[str] = []
    b.channel.subscribe("topic", received.append)
    a.channel.post("topic", "after")
    await until(lambda: received == ["after"])


async def test_announcements_reach_the_other_nodes_in_order_cl6(nodes: Nodes) -> None:
    a, b, c = await nodes.start("a"), await nodes.start("b"), await nodes.start("c")
    received: list[tuple[str, str]] = []
    for node in (a, b, c):
        node.channel.subscribe("topic", lambda text, name=node.name: received.append((name, text)))  # type: ignore[misc]
        node.channel.subscribe("other", lambda text: received.append(("?", text)))
    for number in range(20):
        a.channel.post("topic", f"number {number}")
    await until(lambda: len(received) == 40)
    for name in "bc":
        assert [text for who, text in received if who == name] == [f"number {number}" for number in range(20)]
    await c.channel.publish("topic", "last\nline ü")
    await until(lambda: ("a", "last\nline ü") in received)


async def test_a_long_announcement_is_refused_cl7(nodes: Nodes) -> None:
    a, b = await nodes.start("a"), await nodes.start("b")
    received: list[str] = []
    b.channel.subscribe("t", received.append)
    most = MAX_PAYLOAD - len(f"{a.instance} t ")
    await a.channel.publish("t", "x" * most)
    await until(lambda: [len(one) for one in received] == [most])
    with pytest.raises(AnnouncementTooLarge):
        a.channel.post("t", "ü" * most)


async def test_a_connection_that_breaks_is_made_again_and_the_gap_is_reported_cl8(nodes: Nodes) -> None:
    a, b = await nodes.start("a"), await nodes.start("b")
    await until(lambda: names(a) == ["a", "b"])
    received: list[str] = []
    gaps, changes = [], []
    a.channel.subscribe("t", received.append, lambda: gaps.append(1))
    b.subscribe(lambda: changes.append(names(b)))
    with nodes.engine.begin() as connection:
        connection.execute(
            text("SELECT pg_terminate_backend(backend) FROM nodes WHERE name = 'a'"),
        )
    await until(lambda: gaps == [1])
    await b.channel.publish("t", "after")
    await until(lambda: received == ["after"])
    assert changes == []


async def test_a_node_whose_name_was_taken_while_it_was_silent_knows_it_cl2(nodes: Nodes) -> None:
    a = await nodes.start("a")
    with nodes.engine.begin() as connection:
        connection.execute(text("UPDATE nodes SET instance = 'other' WHERE name = 'a'"))
    await until(lambda: a.replaced)
    assert a.lapsed


def test_a_node_needs_postgresql_cl1(tmp_path: Path) -> None:
    with pytest.raises(InvalidParameter, match="node_name"):
        compose(Config(store=tmp_path, node_name="a"))
    with pytest.raises(InvalidParameter):
        NodeTable(create_engine("sqlite://"))


def test_without_a_name_there_is_no_node_cl1(tmp_path: Path) -> None:
    services = compose(Config(store=tmp_path))
    assert services.node is None
    services.catalog.close()
