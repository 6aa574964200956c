"""The policies of the real balancer (CL80): pure functions, with its own limits."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from wavescope.distribution.hashing import Ring, bounded, by_file
from wavescope.distribution.loads import Load, least_loaded, weight
from wavescope_lab.distribution import least_time
from wavescope_lab.distribution.clients import Clients, Limits, adapted_ttl, by_client
from wavescope_lab.distribution.lard import Sets, Thresholds, locality_aware
from wavescope_lab.distribution.round_robin import by_weight, in_turn
from wavescope_lab.simulator.system.requests import Request

LIMITS = Limits(ttl=300.0, max_requests=16)
BALANCE = 1.5
DATA_SECONDS, REMEMBERED_SECONDS = 0.001, 60.0
PUBLISHED_SECONDS = 1.0
"""Between two loads that an agent reports, and between two adaptations of the time to live."""
TTL_BOUNDS = (1.0, 3600.0)

Work = Mapping[str, int]
"""The requests in work at each node."""


class Chooser(Protocol):
    """A policy with its state."""

    def choose(self, ask: Request, work: Work, now: float) -> str:
        """The node of a request."""
        ...

    def answered(self, name: str, ask: Request, taken: float) -> None:
        """The request was answered after so many seconds."""
        ...

    def observe(self, busy: Mapping[str, float], queues: Work, hit_ratio: float, now: float) -> None:
        """Each PUBLISHED_SECONDS: how busy the processors were, the requests at the nodes, the hit ratio of all."""
        ...


class _Base:
    def __init__(self, names: Sequence[str]) -> None:
        self.names = list(names)

    def answered(self, name: str, ask: Request, taken: float) -> None:
        """Changes nothing."""

    def observe(self, busy: Mapping[str, float], queues: Work, hit_ratio: float, now: float) -> None:
        """Changes nothing."""


class RoundRobin(_Base):
    last = ""

    def choose(self, ask: Request, work: Work, now: float) -> str:
        self.last = in_turn(self.names, self.last)
        return self.last


class LeastConnections(_Base):
    """Of nodes with equally few requests, each in turn."""

    turn = 0

    def choose(self, ask: Request, work: Work, now: float) -> str:
        self.turn += 1
        return least_loaded(self.names, work, str(self.turn))


class Weighted(_Base):
    """By the free shares of the processors, as their agents report them."""

    def __init__(self, names: Sequence[str]) -> None:
        super().__init__(names)
        self.weights, self.credits = dict.fromkeys(names, 100), dict[str, float]()

    def choose(self, ask: Request, work: Work, now: float) -> str:
        chosen, self.credits = by_weight(self.weights, self.credits)
        return chosen

    def observe(self, busy: Mapping[str, float], queues: Work, hit_ratio: float, now: float) -> None:
        self.weights = {name: weight(Load(share, 0.0, 0.0, now)) for name, share in busy.items()}


class File(_Base):
    def __init__(self, names: Sequence[str]) -> None:
        super().__init__(names)
        self.ring = Ring.of(names)

    def choose(self, ask: Request, work: Work, now: float) -> str:
        return by_file(self.ring, f"slide-{ask.slide}")


class Bounded(File):
    """What the balancer calls `lard` (CL85)."""

    def choose(self, ask: Request, work: Work, now: float) -> str:
        return bounded(self.ring, f"slide-{ask.slide}", work, BALANCE)


class Client(_Base):
    def __init__(self, names: Sequence[str]) -> None:
        super().__init__(names)
        self.state, self.limits = Clients(), LIMITS

    def choose(self, ask: Request, work: Work, now: float) -> str:
        return by_client(self.state, str(ask.client), self.names, work, now, self.limits)


class AdaptedClient(Client):
    """The time to live begins with the assignment and adapts itself, as in Khaleel 1999."""

    def __init__(self, names: Sequence[str]) -> None:
        super().__init__(names)
        self.limits = Limits(ttl=30.0, max_requests=LIMITS.max_requests, sliding=False)

    def observe(self, busy: Mapping[str, float], queues: Work, hit_ratio: float, now: float) -> None:
        ttl = adapted_ttl(self.limits.ttl, list(queues.values()), hit_ratio, TTL_BOUNDS)
        self.limits = Limits(ttl=ttl, max_requests=self.limits.max_requests, sliding=False)


class Lard(_Base):
    """As published by Pai et al. (1998)."""

    def __init__(self, names: Sequence[str]) -> None:
        super().__init__(names)
        self.state = Sets()

    def choose(self, ask: Request, work: Work, now: float) -> str:
        return locality_aware(self.state, f"slide-{ask.slide}", self.names, work, now, Thresholds())


class LeastTime(_Base):
    """SWEB's decision, with the units of the balancer: entries of a batch."""

    def __init__(self, names: Sequence[str]) -> None:
        super().__init__(names)
        self.oracle = least_time.Oracle(data=DATA_SECONDS)
        self.nodes = {name: least_time.NodeState() for name in names}
        self.assigned: dict[int, least_time.Assigned] = {}

    def choose(self, ask: Request, work: Work, now: float) -> str:
        request = self._request(ask)
        name = least_time.choose(self.oracle, self.nodes, request, now)
        self.assigned[id(ask)] = least_time.assigned(self.oracle, self.nodes[name], request, now, REMEMBERED_SECONDS)
        return name

    def answered(self, name: str, ask: Request, taken: float) -> None:
        mark = self.assigned.pop(id(ask))
        least_time.answered(self.oracle, self.nodes[name], self._request(ask), mark, taken)

    def _request(self, ask: Request) -> least_time.Request:
        return least_time.Request(ask.kind, f"slide-{ask.slide}", max(1, len(ask.parts)))


CHOOSERS: Mapping[str, Callable[[Sequence[str]], Chooser]] = {
    "round-robin": RoundRobin,
    "least-connections": LeastConnections,
    "weighted": Weighted,
    "file": File,
    "client": Client,
    "client-adapted": AdaptedClient,
    "lard": Bounded,
    "lard-1998": Lard,
    "least-time": LeastTime,
}
"""The policies by the names of experiments; those of the balancer have its names."""
