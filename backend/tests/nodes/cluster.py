"""Nodes of a cluster in this process: real connections, one real PostgreSQL, a store of its own each."""

from __future__ import annotations

import asyncio
import os
import socket
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

import httpx

from api.accounts import API, PASSWORD, PEOPLE, QUICK
from api.test_server import QuickRunner, no_signals
from catalog.databases import new_database
from service.world import World
from wavescope.api.app import build_app
from wavescope.catalog.access.accounts import Accounts
from wavescope.catalog.access.sharing import SharingTable
from wavescope.catalog.catalog import Catalog
from wavescope.catalog.dump import fill, snapshot
from wavescope.config import Config
from wavescope.main import Server, server_config
from wavescope.service.composition import Services, compose
from wavescope.service.lifecycle import Lifecycle

NUMBERS = count()


@dataclass
class RunningNode:
    """One node, and its end."""

    services: Services
    url: str
    server: Server
    stop: Any
    browsers: list[httpx.AsyncClient] = field(default_factory=list)

    def client(self, **options: Any) -> httpx.AsyncClient:
        """A browser on the page of this node."""
        made = httpx.AsyncClient(base_url=self.url, headers={"origin": self.url}, timeout=20, **options)
        self.browsers.append(made)
        return made

    async def signed_in(self, name: str) -> httpx.AsyncClient:
        client = self.client()
        answer = await client.post(f"{API}/sign-in", json={"name": name, "password": PASSWORD})
        assert answer.status_code == 200, answer.text
        return client

    def like(self, other: httpx.AsyncClient) -> httpx.AsyncClient:
        """The same browser, whose next request the balancer gives to this node."""
        return self.client(cookies=other.cookies)


def catalog_of(world: World, server: str) -> str:
    """A database of this server with the slides of the world; its URL."""
    url = new_database(server, f"c{os.getpid()}_{next(NUMBERS)}")
    catalog = Catalog.open(world.store)
    with snapshot(catalog.engine) as moment:
        fill(url, moment.revision, moment.tables, moment.rows, replace=False)
    catalog.close()
    return url


def add_people(url: str, slide_owner: str = "ivan") -> dict[str, str]:
    """The accounts of a clinic; their ids. ``visual`` belongs to one of them."""
    catalog = Catalog.open(url)
    ids = {name: Accounts(catalog).add(name, name.title(), role, QUICK).id for name, role in PEOPLE.items()}
    SharingTable(catalog).own("slide", "visual", ids[slide_owner])
    catalog.close()
    return ids


@asynccontextmanager
async def node(store: Path, name: str, **options: Any) -> AsyncIterator[RunningNode]:
    """A node that serves on a free port of loopback. ``options``: settings; ``runner``."""
    listening = socket.socket()
    listening.bind(("127.0.0.1", 0))
    listening.listen()
    url = f"http://127.0.0.1:{listening.getsockname()[1]}"
    runner = options.pop("runner", None) or QuickRunner()
    settings = {"frontend": store / "nowhere", "rate_limits": False, "catalog_seconds": 0.01, **options}
    async with AsyncExitStack() as stack:
        services = compose(Config(store=store, node_name=name, node_url=url, **settings), runner=runner)
        lifecycle = Lifecycle(services)
        await lifecycle.start()
        stack.push_async_callback(lifecycle.stop)
        app = build_app(services)
        if (forwarder := app.state.forwarder) is not None:
            stack.push_async_callback(forwarder.close)
        config = server_config(app, "127.0.0.1", 0)
        config.lifespan = "off"
        server = Server(config)
        server.capture_signals = no_signals  # type: ignore[method-assign]
        running = asyncio.ensure_future(server.serve(sockets=[listening]))
        async with asyncio.timeout(10):
            while not server.started:
                assert not running.done(), running.result()
                await asyncio.sleep(0.001)

        async def end() -> None:
            server.should_exit = True
            await asyncio.wait({running})

        stack.push_async_callback(end)
        made = RunningNode(services, url, server, stack.aclose)
        try:
            yield made
        finally:
            for browser in made.browsers:
                await browser.aclose()


@asynccontextmanager
async def cluster(world: World, url: str, folder: Path, names: str = "ab", **options: Any) -> AsyncIterator[Any]:
    """Nodes with these names on the catalog at ``url``, each with a copy of the slides on its own disk."""
    async with AsyncExitStack() as stack:
        made = []
        for name in names:
            store = world.copy(folder / f"node-{name}").store
            (store / "catalog.sqlite").unlink()
            made.append(await stack.enter_async_context(node(store, name, catalog=url, **options)))
        for one in made:
            await known(one, len(made))
        yield made


async def known(one: RunningNode, number: int) -> None:
    """Returns when the node knows so many living nodes."""
    assert one.services.node is not None
    changed = asyncio.Event()
    one.services.node.subscribe(changed.set)
    async with asyncio.timeout(10):
        while len(one.services.node.alive()) < number:
            await changed.wait()
            changed.clear()
