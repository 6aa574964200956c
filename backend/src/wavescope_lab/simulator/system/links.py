"""Links between parts: bandwidth that all connections share, delay, and the slow start of each connection."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator
from dataclasses import dataclass
from typing import Any

import simpy

from wavescope_lab.simulator.components import Station, Steps

SEGMENT = 1460
"""Bytes that TCP sends at a time."""
FIRST_WINDOW = 10 * SEGMENT
"""Bytes that a new connection sends before the first acknowledgement (RFC 6928)."""
CHUNK, TURN = 4096, 0.002
"""Another connection has its turn after so many bytes, or so many seconds of a fast link."""


@dataclass(frozen=True)
class Shape:
    """``bandwidth``: bytes per second each way, 0 without a limit; ``delay``: seconds one way."""

    bandwidth: float = 0.0
    delay: float = 0.0


class Direction:
    """One direction of a connection: the bytes that are on their way, and how many may be."""

    def __init__(self, env: simpy.Environment) -> None:
        self._env = env
        self.window, self.sent = FIRST_WINDOW, 0
        self._waiting: simpy.Event | None = None

    def space(self, wanted: int) -> simpy.Event | None:
        """None if at least a segment, or all that is wanted, may be sent now; else an event to ask again after."""
        if self.window - self.sent >= min(SEGMENT, wanted):
            return None
        if self._waiting is None or self._waiting.triggered:
            self._waiting = self._env.event()
        return self._waiting

    def acknowledge(self, size: int) -> None:
        """The sender knows that they have arrived."""
        self.sent -= size
        self.window += size
        if self._waiting is not None and not self._waiting.triggered:
            self._waiting.succeed()


class Stream:
    """One direction of a link, whose writer all connections share in turns."""

    def __init__(self, env: simpy.Environment, shape: Shape) -> None:
        self.env, self.shape, self.writer, self.bytes = env, shape, Station(env), 0

    def send(self, direction: Direction, size: int) -> Steps:
        """Ends when the last of ``size`` bytes has arrived."""
        shape, left, departs = self.shape, size, 0.0
        turn = max(CHUNK, int(shape.bandwidth * TURN))
        self.bytes += size
        if not shape.bandwidth:
            if shape.delay:
                yield self.env.timeout(shape.delay)
            return
        while left:
            while (full := direction.space(left)) is not None:
                yield full
            chunk = min(turn, left, direction.window - direction.sent)
            departs = self.writer.take(chunk / shape.bandwidth)
            direction.sent += chunk
            left -= chunk
            acknowledged = self.env.timeout(departs + 2 * shape.delay)
            acknowledged.callbacks.append(lambda _, chunk=chunk: direction.acknowledge(chunk))  # type: ignore[misc]
            if left:
                yield self.env.timeout(departs)
        yield self.env.timeout(departs + shape.delay)


class Link:
    """Both directions between two places. ``lanes`` of another link: it shares their bandwidth."""

    def __init__(self, env: simpy.Environment, shape: Shape, streams: tuple[Stream, Stream] | None = None) -> None:
        self.env, self.shape = env, shape
        self.up, self.down = streams or (Stream(env, shape), Stream(env, shape))


class Connection:
    """One connection over a link."""

    def __init__(self, link: Link) -> None:
        self.link = link
        self.up, self.down = Direction(link.env), Direction(link.env)


Send = Callable[[int], Steps]
"""Sends bytes of an answer."""
Serve = Callable[[Any, Send], Steps]
"""Serves a request: its answer is sent when it ends."""


class Channel:
    """The connections of one client to a server over a link: at most ``max_connections``, opened if no other is free.

    ``first``: what the first request on a connection becomes.
    """

    def __init__(
        self, link: Link, serve: Serve, max_connections: int, first: Callable[[Any], Any] = lambda request: request
    ) -> None:
        self.link, self._serve, self._max_connections, self._first = link, serve, max_connections, first
        self._idle: list[Connection] = []
        self._opened = 0
        self._waiting: deque[simpy.Event] = deque()

    def renew(self) -> None:
        """Closes all connections; none of them is in use."""
        self._idle.clear()
        self._opened = 0

    def exchange(self, request: Any, size: int) -> Generator[simpy.Event, Any, None]:
        """A request of ``size`` bytes and its answer."""
        env = self.link.env
        while not self._idle and self._opened == self._max_connections:
            free = env.event()
            self._waiting.append(free)
            yield free
        if self._idle:
            connection = self._idle.pop()
        else:
            self._opened += 1
            connection, request = Connection(self.link), self._first(request)
            if self.link.shape.delay:
                yield env.timeout(2 * self.link.shape.delay)
        yield from self.link.up.send(connection.up, size)
        yield from self._serve(request, lambda count: self.link.down.send(connection.down, count))
        self._idle.append(connection)
        if self._waiting:
            self._waiting.popleft().succeed()
