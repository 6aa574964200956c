"""What queueing theory says, with which the simulator must agree (SI4)."""

from __future__ import annotations

import math
from collections.abc import Sequence


def mm1_response(arrivals: float, service: float) -> float:
    """Mean seconds in an M/M/1 station; ``arrivals`` per second, ``service`` in mean seconds."""
    return service / (1 - arrivals * service)


def md1_response(arrivals: float, service: float) -> float:
    """Mean seconds in an M/D/1 station (Pollaczek and Khinchine)."""
    load = arrivals * service
    return service + load * service / (2 * (1 - load))


def mmc_response(arrivals: float, service: float, servers: int) -> float:
    """Mean seconds in an M/M/c station (Erlang C)."""
    offered = arrivals * service
    blocked = 1.0  # Erlang B, by its recursion
    for count in range(1, servers + 1):
        blocked = offered * blocked / (count + offered * blocked)
    waits = blocked / (1 - offered / servers * (1 - blocked))
    return service + waits * service / (servers - offered)


def zipf(count: int, exponent: float) -> list[float]:
    """The shares of ``count`` keys, the most popular first."""
    weights = [rank**-exponent for rank in range(1, count + 1)]
    whole = math.fsum(weights)
    return [weight / whole for weight in weights]


def lru_hit_ratio(shares: Sequence[float], size: int) -> float:
    """The hit ratio of an LRU cache of ``size`` keys under independent references (Che et al. 2002)."""
    if size >= len(shares):
        return 1.0
    low, high = 0.0, 1.0
    while _expected(shares, high) < size:
        high *= 2
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (middle, high) if _expected(shares, middle) < size else (low, middle)
    return math.fsum(share * -math.expm1(-share * low) for share in shares)


def _expected(shares: Sequence[float], time: float) -> float:
    """The keys that are referenced at least once in ``time`` references."""
    return math.fsum(-math.expm1(-share * time) for share in shares)
