"""How long a plan is simulated, and how much work that is (SI24)."""

from __future__ import annotations

from wavescope.planning.response import predict
from wavescope.planning.situation import Equipment, Situation

REQUESTS = 100_000
"""Requests of a trial that are aimed at: fewer clients are simulated for longer."""
LEAST_SECONDS, MOST_SECONDS = 150.0, 3600.0
TRIALS = 4


def simulated_seconds(given: Situation, bought: Equipment) -> float:
    """Of each trial, in simulated time."""
    return min(MOST_SECONDS, max(LEAST_SECONDS, REQUESTS / predict(given, bought).throughput))


def simulated_requests(given: Situation, bought: Equipment) -> float:
    """About how many requests all trials make: what they take grows with them."""
    return TRIALS * predict(given, bought).throughput * simulated_seconds(given, bought)
