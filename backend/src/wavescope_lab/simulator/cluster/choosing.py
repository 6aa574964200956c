"""The policies of request distribution for the requests of a trace: the code that the cluster runs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from wavescope.distribution.hashing import Ring, bounded, by_file
from wavescope_lab.distribution.clients import Clients, Limits, by_client
from wavescope_lab.distribution.lard import Sets, Thresholds, locality_aware
from wavescope_lab.distribution.round_robin import by_weight, in_turn
from wavescope_lab.simulator.cluster.trace import Request

Choose = Callable[[Request, Mapping[str, int], float], str]
"""The node of a request, given the requests in work at each node, and the time."""

LIMITS = Limits(ttl=30.0, max_requests=20)
THRESHOLDS = Thresholds()
FULL = 100
BALANCE = 1.25


def round_robin(names: Sequence[str]) -> Choose:
    last = ""

    def choose(request: Request, work: Mapping[str, int], now: float) -> str:
        nonlocal last
        last = in_turn(names, last)
        return last

    return choose


def weighted(names: Sequence[str]) -> Choose:
    """Weights fall with the requests in work."""
    credits: dict[str, float] = {}

    def choose(request: Request, work: Mapping[str, int], now: float) -> str:
        nonlocal credits
        weights = {name: max(1, FULL // (1 + work[name])) for name in names}
        chosen, credits = by_weight(weights, credits)
        return chosen

    return choose


def file(names: Sequence[str]) -> Choose:
    ring, known = Ring.of(names), dict[int, str]()

    def choose(request: Request, work: Mapping[str, int], now: float) -> str:
        if request.file not in known:
            known[request.file] = by_file(ring, str(request.file))
        return known[request.file]

    return choose


def client(names: Sequence[str]) -> Choose:
    state = Clients()
    return lambda request, work, now: by_client(state, str(request.client), names, work, now, LIMITS)


def lard(names: Sequence[str]) -> Choose:
    state = Sets()
    return lambda request, work, now: locality_aware(state, str(request.file), names, work, now, THRESHOLDS)


def bounded_hash(names: Sequence[str]) -> Choose:
    ring = Ring.of(names)
    return lambda request, work, now: bounded(ring, str(request.file), work, BALANCE)


CHOOSING: Mapping[str, Callable[[Sequence[str]], Choose]] = {
    "round-robin": round_robin,
    "weighted": weighted,
    "file": file,
    "client": client,
    "lard": lard,
    "bounded": bounded_hash,
}
"""The policies by the names of experiments; ``bounded`` is what the balancer calls ``lard`` (CL85)."""
