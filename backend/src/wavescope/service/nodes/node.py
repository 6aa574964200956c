"""One node of a cluster: it gives signs of life, knows which others are alive, and receives what they announce."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import time
import uuid
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

from wavescope.catalog.cluster.nodes import NodeConnection, NodeRecord, NodeTable
from wavescope.config import Config
from wavescope.errors import CatalogAway, NodeNameTaken, WavescopeError
from wavescope.logs.loggers import get_logger
from wavescope.service.nodes.channel import Channel
from wavescope.service.nodes.liveness import HEARTBEAT_SECONDS, SILENT_SECONDS, Liveness, Sign
from wavescope.service.outages import Backoff

RESPONSE_SECONDS = 2.0  # in which the database must answer, else the node connects again
CHANGED = "nodes"  # the topic by which a node says that it has come or left
PAUSES = Backoff(float("inf"), 0.05, 0.5)  # before another connection

Result = TypeVar("Result")
Listener = Callable[[], None]

log = get_logger(__name__)


class Node:
    """This node of the cluster. Use it on the event loop. ``clock``: seconds, never goes back.

    ``instance``: this run of the node: another one after each start.
    """

    def __init__(self, table: NodeTable, name: str, url: str, clock: Callable[[], float] = time.monotonic) -> None:
        self.name, self.url, self.instance = name, url, uuid.uuid4().hex
        self.channel = Channel(self.instance, table.publish)
        self._table, self._clock = table, clock
        self._liveness = Liveness()
        self._nodes: tuple[NodeRecord, ...] = ()
        self._dead: frozenset[str] = frozenset()
        self._changed: list[Listener] = []
        self._more = asyncio.Event()
        self._beaten = float("-inf")
        self._registered = self._replaced = False
        self._connection: NodeConnection | None = None
        self._tasks: list[asyncio.Task[None]] = []

    @classmethod
    def of(cls, config: Config, table: Callable[[], NodeTable]) -> Node | None:
        """The node of a configuration; None: it is none. Raises InvalidParameter."""
        if not config.node_name:
            return None
        url = config.node_url or f"http://{socket.gethostname()}:{config.listen_port}"
        return cls(table(), config.node_name, url)

    # -- what is known

    def alive(self) -> tuple[NodeRecord, ...]:
        """The nodes that are alive as far as this one knows, itself included, by name."""
        return tuple(one for one in self._nodes if one.instance not in self._dead)

    def all(self) -> tuple[NodeRecord, ...]:
        """The nodes, also those that died in the last hour, by name."""
        return self._nodes

    def find(self, instance: str) -> NodeRecord | None:
        """A living node by its instance; None: it is dead or has left."""
        return next((one for one in self.alive() if one.instance == instance), None)

    def named(self, name: str) -> NodeRecord | None:
        """A living node by its name; None: there is none."""
        return next((one for one in self.alive() if one.name == name), None)

    @property
    def dead(self) -> frozenset[str]:
        """The instances that are dead as far as this node knows."""
        return self._dead

    @property
    def lapsed(self) -> bool:
        """Whether the others may take this node for dead: its last sign of life is too old, or its name was taken."""
        return self._replaced or self._clock() - self._beaten >= SILENT_SECONDS

    @property
    def replaced(self) -> bool:
        """Whether another instance has taken the name while this one was silent: it must be started again."""
        return self._replaced

    def subscribe(self, listener: Listener) -> None:
        """Calls ``listener`` after nodes have come, left or died; it returns at once."""
        self._changed.append(listener)

    async def until(self, true: Callable[[tuple[NodeRecord, ...]], bool]) -> None:
        """Returns when this is true of the living nodes."""
        while not true(self.alive()):
            self._more.clear()
            await self._more.wait()

    # -- running

    async def start(self) -> None:
        """Enters the cluster. Raises NodeNameTaken if a living node has the name, CatalogAway.

        After a crash the row of the run before is there: the start waits until it has been silent long enough.
        """
        self._connection = connection = await self._table.connect()
        end = self._clock() + SILENT_SECONDS + 2 * HEARTBEAT_SECONDS
        while not await connection.register(self.name, self.url, self.instance, SILENT_SECONDS):
            if self._clock() >= end:
                await self._drop()
                raise NodeNameTaken(self.name)
            await asyncio.sleep(HEARTBEAT_SECONDS / 2)
        self._registered = True
        await self._look(connection)
        self.channel.bind(asyncio.get_running_loop())
        self._tasks = [asyncio.create_task(self._run()), asyncio.create_task(self.channel.run())]
        self.channel.post(CHANGED)
        log.info("node started", node=self.name, nodes=len(self.alive()))

    async def stop(self) -> None:
        """Leaves the cluster: the others know it at once. Also of a node that was not started."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._drop()
        if not self._registered:
            return
        with contextlib.suppress(WavescopeError, TimeoutError):  # else the others find it silent
            async with asyncio.timeout(RESPONSE_SECONDS):
                await self._leave()
        self._registered = False

    async def _leave(self) -> None:
        connection = await self._table.connect()
        try:
            await connection.remove(self.instance)
        finally:
            await connection.close()
        await self.channel.publish(CHANGED)

    async def _run(self) -> None:
        """Beats and listens; connects again when the connection breaks."""
        failures = 0
        while True:
            try:
                if self._connection is None:
                    self._connection = await _within(RESPONSE_SECONDS, self._table.connect())
                    self._liveness.blinded()
                    await self._look(self._connection)
                    self.channel.missed()
                while True:
                    failures = 0
                    await self._listen(self._connection)
                    await self._look(self._connection)
            except Exception as cause:  # of any kind: a node that gives no sign of life is dead
                failures += 1
                if failures == 1:
                    log.warning("node lost its connection to the catalog", node=self.name, exc_info=cause)
                await self._drop()
                await asyncio.sleep(PAUSES.pause(failures, 0.0) or 0.0)

    async def _listen(self, connection: NodeConnection) -> None:
        """Handles announcements until the next sign of life is due, or a node says that it has come or left."""
        end = self._clock() + self._liveness.next_look(self._clock())
        changed = False
        while not changed and (left := end - self._clock()) > 0:
            for payload in await connection.received(left):
                self.channel.received(payload)
                changed |= f" {CHANGED} " in payload

    async def _look(self, connection: NodeConnection) -> None:
        """Gives a sign of life, and notes which others gave one."""
        begun = self._clock()
        nodes = await _within(RESPONSE_SECONDS, connection.beat(self.instance))
        if not any(one.instance == self.instance for one in nodes):
            await self._register_again(connection)
            return
        if self._beaten > float("-inf") and begun - self._beaten >= SILENT_SECONDS:
            log.warning("node was silent", node=self.name, seconds=round(begun - self._beaten, 2))
        self._beaten = begun
        dead = self._liveness.look(
            self._clock(), [Sign(one.instance, one.seen, one.silent, one.connected) for one in nodes]
        ) - {self.instance}
        before = {one.instance for one in self.alive()}
        for one in nodes:
            if one.instance in dead - self._dead:
                log.warning("node is dead", node=one.name, silent_seconds=round(one.silent, 2))
        self._nodes, self._dead = nodes, dead
        if before != {one.instance for one in nodes} - dead:
            self._more.set()
            for listener in self._changed:
                listener()

    async def _register_again(self, connection: NodeConnection) -> None:
        """The row is gone: another run has taken the name, or the catalog was restored."""
        taken = not await connection.register(self.name, self.url, self.instance, SILENT_SECONDS)
        if taken and not self._replaced:
            log.error("another node has taken the name of this one while it was silent: start it again", node=self.name)
        self._replaced = taken

    async def _drop(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            await connection.close()


async def _within(seconds: float, work: Coroutine[Any, Any, Result]) -> Result:
    """The result. After so long CatalogAway; the work is not waited for."""
    task = asyncio.ensure_future(work)
    done, _ = await asyncio.wait({task}, timeout=seconds)
    if not done:
        task.cancel()
        task.add_done_callback(lambda one: one.cancelled() or one.exception())
        raise CatalogAway("no answer")
    return task.result()
