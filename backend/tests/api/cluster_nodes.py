"""Nodes of one cluster as processes on loopback: the program itself, on one database; stores of their own."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx

from api.processes import free_port
from interrupts import receive_interrupts
from service.world import World
from wavescope.catalog.database import open_engine
from wavescope.catalog.dump import fill, snapshot

CODE = "from wavescope import config, main; main.serve(config.Config.from_env(None))"
START_SECONDS = 240.0  # on a machine with other work


@dataclass
class NodeProcess:
    """A node that runs."""

    name: str
    port: int
    child: subprocess.Popen[bytes]
    log: Path

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def send(self, number: int) -> None:
        """A signal."""
        self.child.send_signal(number)

    def kill(self) -> None:
        """As a crash; returns when the process is gone."""
        self.child.kill()
        self.child.wait()


@contextmanager
def node_process(name: str, world: World, folder: Path, database: str, **settings: str) -> Iterator[NodeProcess]:
    """A node with the slides of the world in its own folder, which may not serve yet; killed in the end."""
    port = free_port()
    environment = {
        **os.environ,
        "WAVESCOPE_STORE": str(world.copy(folder / name).store),
        "WAVESCOPE_CATALOG": database,
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
        child = subprocess.Popen(
            [sys.executable, "-c", CODE], env=environment, stdout=lines, stderr=lines, preexec_fn=receive_interrupts
        )
    try:
        yield NodeProcess(name, port, child, log)
    finally:
        if child.poll() is None:
            child.send_signal(signal.SIGCONT)
            child.kill()
        child.wait()


def until_ready(node: NodeProcess) -> None:
    """Returns when the node serves."""
    end = time.monotonic() + START_SECONDS
    while time.monotonic() < end:
        assert node.child.poll() is None, node.log.read_text()[-3000:]
        try:
            if httpx.get(f"{node.url}/readyz").status_code == 200:
                return
        except httpx.TransportError:
            pass
        time.sleep(0.05)
    raise AssertionError(f"{node.name} does not serve: {node.log.read_text()[-3000:]}")


@contextmanager
def cluster(
    names: Sequence[str], world: World, folder: Path, database: str, **settings: str
) -> Iterator[list[NodeProcess]]:
    """Nodes that serve."""
    with ExitStack() as stack:
        nodes = [stack.enter_context(node_process(name, world, folder, database, **settings)) for name in names]
        for node in nodes:
            until_ready(node)
        yield nodes


def filled(url: str, world: World) -> str:
    """The URL of a database that has the catalog of the world now."""
    engine = open_engine(f"sqlite:///{world.store / 'catalog.sqlite'}")
    with snapshot(engine) as content:
        fill(url, content.revision, content.tables, content.rows, replace=False)
    engine.dispose()
    return url
