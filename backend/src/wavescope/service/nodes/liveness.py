"""When a node counts as dead: pure, by what one observer has seen (CL4, CL5)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

HEARTBEAT_SECONDS = 0.5  # from one sign of life to the next
SILENT_SECONDS = 2.5  # after which a node is dead
CLOSED_SECONDS = 1.25  # the same, of a node whose connection to the database was open and is closed now
BLIND_SECONDS = 1.5  # an observer that did not look for longer knows nothing of the others


class Sign(NamedTuple):
    """What the database says of a node: ``seen``: when it gave its last sign of life, by the database's clock;
    ``silent``: seconds since then; ``connected``: whether its connection is open.
    """

    instance: str
    seen: float
    silent: float
    connected: bool


class _Known(NamedTuple):
    """``opened``: whether its connection was seen open since the observer looks; ``connected``: whether it is open."""

    seen: float
    since: float
    opened: bool
    connected: bool


@dataclass
class Liveness:
    """Of one observer. Times in seconds by a clock of its own that never goes back.

    An observer that was away itself (paused, or without the database) counts silence from when it is back, and a closed
    connection is no sign of death until it has seen it open again: after an outage of the database each node takes its
    own time to connect, and nobody takes over from everybody.
    """

    _last: dict[str, _Known] = field(default_factory=dict)
    _looked: float = float("-inf")

    def blinded(self) -> None:
        """This observer lost its connection to the database: what it knew of others is of no use."""
        self._looked = float("-inf")

    def look(self, now: float, signs: Iterable[Sign]) -> frozenset[str]:
        """The instances that are dead. Those that are not named have left."""
        blind = now - self._looked > BLIND_SECONDS
        self._looked = now
        known, self._last = self._last, {}
        for sign in signs:
            before = None if blind else known.get(sign.instance)
            since = now
            if before is not None:
                since = before.since if before.seen == sign.seen else now - max(0.0, sign.silent)
            opened = sign.connected or (before is not None and before.opened)
            self._last[sign.instance] = _Known(sign.seen, since, opened, sign.connected)
        return frozenset(one for one in self._last if now >= self._end_of(one))

    def next_look(self, now: float) -> float:
        """Seconds until a node may be found dead, at most HEARTBEAT_SECONDS."""
        ends = (self._end_of(one) - now for one in self._last)
        return min((HEARTBEAT_SECONDS, *(end for end in ends if end > 0)))

    def _end_of(self, instance: str) -> float:
        known = self._last[instance]
        died = known.opened and not known.connected
        return known.since + (CLOSED_SECONDS if died else SILENT_SECONDS)
