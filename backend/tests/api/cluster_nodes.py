"""Nodes of one cluster as processes on loopback: the program itself, on one database; stores of their own."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx

from api.processes import free_port
from interrupts import receive_interrupts
from service.world import World
from wavescope.catalog.database import open_engine
from wavescope.catalog.dump import fill, snapshot

CODE = "from wavescope import config, main; main.serve(config.Config.from_env(None))"


@dataclass
class NodeProcess:
    """A node that runs."""

    name: str
    port: int
    child: asyncio.subprocess.Process
    log: Path

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def send(self, number: int) -> None:
        """A signal."""
        self.child.send_signal(number)

    async def kill(self) -> None:
        """As a crash."""
        self.send(signal.SIGKILL)
        await self.child.wait()


@asynccontextmanager
async def node_process(
    name: str, world: World, folder: Path, database: str, **settings: str
) -> AsyncIterator[NodeProcess]:
    """A node with the slides of the world in its own folder, killed in the end."""
    port = free_port()
    store = world.copy(folder / name).store
    environment = {
        **os.environ,
        "WAVESCOPE_STORE": str(store),
        "WAVESCOPE_CATALOG": database,
        "WAVESCOPE_NEW_CATALOG": "1",
        "WAVESCOPE_LISTEN_PORT": str(port),
        "WAVESCOPE_NODE_NAME": name,
        "WAVESCOPE_NODE_URL": f"http://127.0.0.1:{port}",
        "WAVESCOPE_RUN_JOBS": "0",
        "WAVESCOPE_OPEN_TO_ALL": "1",
        "WAVESCOPE_RATE_LIMITS": "0",
        **settings,
    }
    log = folder / f"{name}.log"
    with log.open("ab") as lines:
        child = await asyncio.create_subprocess_exec(
            sys.executable, "-c", CODE, env=environment, stderr=lines, stdout=lines, preexec_fn=receive_interrupts
        )
    node = NodeProcess(name, port, child, log)
    try:
        await ready(node)
        yield node
    finally:
        if child.returncode is None:
            child.send_signal(signal.SIGCONT)
            child.kill()
        await child.wait()


async def ready(node: NodeProcess) -> None:
    """Returns when the node serves."""
    async with httpx.AsyncClient(base_url=node.url) as client, asyncio.timeout(60):
        while True:
            assert node.child.returncode is None, node.log.read_text()[-3000:]
            try:
                if (await client.get("/readyz")).status_code == 200:
                    return
            except httpx.TransportError:
                pass
            await asyncio.sleep(0.05)


@asynccontextmanager
async def cluster(
    names: Sequence[str], world: World, folder: Path, database: str, **settings: str
) -> AsyncIterator[list[NodeProcess]]:
    """Nodes that know each other."""
    async with AsyncExitStack() as stack:
        nodes = []
        for name in names:
            nodes.append(await stack.enter_async_context(node_process(name, world, folder, database, **settings)))
        await asyncio.sleep(0)
        yield nodes


def filled(url: str, world: World) -> str:
    """The URL of a database that has the catalog of the world now."""
    engine = open_engine(f"sqlite:///{world.store / 'catalog.sqlite'}")
    with snapshot(engine) as content:
        fill(url, content.revision, content.tables, content.rows, replace=False)
    engine.dispose()
    return url
