"""Nodes and a balancer for tests: servers on loopback that answer with their name, HAProxy in front of them."""

from __future__ import annotations

import asyncio
import contextlib
import shutil
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import httpx
import pytest

from wavescope_lab.cluster.distribution import balancer
from wavescope_lab.cluster.distribution.plan import Node, Plan

TURNS = 5  # of the event loop, in which a connection is accepted or ends
Balancing = AsyncIterator["Balanced"]
needs_haproxy = pytest.mark.skipif(shutil.which("haproxy") is None, reason="HAProxy is not installed")


class StubNode:
    """A node that answers 200 with its name. ``delay``: seconds of each answer; ``gate``: what each answer waits for;
    ``ready``: what /readyz answers; ``percent``: the weight that its agent reports, None: the agent is silent.
    """

    def __init__(self, name: str) -> None:
        self.name, self.delay, self.ready, self.percent = name, 0.0, True, 100
        self.received, self.answered, self.port, self.agent_port = 0, 0, 0, 0
        self.gate = asyncio.Event()
        self.gate.set()
        self.heads: list[str] = []
        self._servers: list[asyncio.Server] = []
        self._writers: set[asyncio.StreamWriter] = set()

    async def start(self) -> None:
        for serve in (self._serve, self._agent):
            self._servers.append(await asyncio.start_server(serve, "127.0.0.1", 0))
        self.port, self.agent_port = (server.sockets[0].getsockname()[1] for server in self._servers)

    def kill(self) -> None:
        """As a process that dies: no connection is accepted, all are cut."""
        for server in self._servers:
            server.close()
        for writer in list(self._writers):
            writer.transport.abort()

    async def stop(self) -> None:
        """As ``kill``; returns when no connection is left, also of those that were just being accepted."""
        self.kill()
        for _ in range(TURNS):
            await asyncio.sleep(0)
        self.kill()
        for _ in range(TURNS):
            await asyncio.sleep(0)

    async def _agent(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._writers.add(writer)
        writer.write(f"{self.percent}%\n".encode())
        writer.close()
        with contextlib.suppress(ConnectionError):
            await writer.wait_closed()
        self._writers.discard(writer)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._writers.add(writer)
        try:
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).decode()
                length = next(
                    (int(line[15:]) for line in head.lower().split("\r\n") if line[:15] == "content-length:"), 0
                )
                await reader.readexactly(length)
                path = head.split()[1]
                status = "200 OK"
                if path == "/readyz":
                    status = "200 OK" if self.ready else "503 Unavailable"
                elif path != "/healthz":
                    self.received += 1
                    await asyncio.sleep(self.delay)
                    await self.gate.wait()
                    self.answered += 1
                    self.heads.append(head)
                body = self.name.encode()
                writer.write(f"HTTP/1.1 {status}\r\ncontent-length: {len(body)}\r\n\r\n".encode() + body)
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            self._writers.discard(writer)
            writer.close()


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


def plan_of(nodes: list[StubNode], folder: Path, policy: str = "round-robin") -> Plan:
    found = tuple(Node(node.name, "127.0.0.1", node.port, node.agent_port) for node in nodes)
    return Plan(found, folder, free_port(), free_port(), free_port(), policy=policy)


class Balanced:
    """Nodes behind a balancer that runs."""

    def __init__(self, nodes: list[StubNode], plan: Plan, pid: int) -> None:
        self.nodes, self.plan, self.pid = nodes, plan, pid
        self.client = httpx.AsyncClient(base_url=f"http://127.0.0.1:{plan.port}", timeout=30)

    async def get(self, path: str, **headers: str) -> str:
        """The name of the node that answered."""
        answer = await self.client.get(path, headers=headers)
        assert answer.status_code == 200, answer.text
        assert answer.headers["x-served-by"] == answer.text
        return answer.text

    async def until_checked(self, server: str, word: str) -> None:
        """Returns when the balancer shows this word in the server's row."""
        async with asyncio.timeout(15):
            while word not in await self.row(server):
                await asyncio.sleep(0.05)

    async def row(self, server: str) -> str:
        text = await asyncio.to_thread(balancer.ask, self.plan.folder / "haproxy.sock", "show stat")
        return next(line for line in text.splitlines() if line.startswith(f"nodes,{server},"))

    async def in_work(self, backend: str) -> dict[str, int]:
        """Requests at each node that came through this backend."""
        text = await asyncio.to_thread(balancer.ask, self.plan.folder / "haproxy.sock", "show stat")
        rows = [line.split(",") for line in text.splitlines() if line.startswith(f"{backend},n")]
        return {row[1]: int(row[4]) for row in rows}


@asynccontextmanager
async def balanced(folder: Path, policy: str = "round-robin", count: int = 3, **changes: int) -> Balancing:
    nodes = [StubNode(f"n{number}") for number in range(count)]
    for node in nodes:
        await node.start()
    plan = replace(plan_of(nodes, folder, policy), **changes)  # type: ignore[arg-type]
    process = await asyncio.to_thread(balancer.start, plan)
    one = Balanced(nodes, plan, process.pid)
    try:
        yield one
    finally:
        await one.client.aclose()
        await asyncio.to_thread(balancer.stop, process.pid)
        with contextlib.suppress(ProcessLookupError):
            process.wait(10)
        for node in nodes:
            await node.stop()
